package key

import "strings"

// cursorFinals are the final bytes of Up, Down, Right, Left, Begin, End and
// Home, in the order of the constants (xterm, PC-style function keys).
const cursorFinals = "ABCDEFH"

// pfFinals are the final bytes of F1 to F4.
const pfFinals = "PQRS"

// editNumbers are the numbers of Insert, Delete, PageUp and PageDown before '~'.
const editNumbers = "\x02\x03\x05\x06"

// fnNumbers are the numbers of F5 to F35 before '~': VT220's, and from F21 on
// xterm's.
const fnNumbers = "\x0f\x11\x12\x13\x14\x15\x17\x18\x19\x1a\x1c\x1d\x1f\x20\x21\x22" +
	"\x2a\x2b\x2c\x2d\x2e\x2f\x30\x31\x32\x33\x34\x35\x36\x37\x38"

// keypadText is what KP0 to KPSeparator type.
const keypadText = "0123456789./*-+\r=,"

// keypadFinals are the final bytes of the same keys after SS3 in application
// keypad mode.
const keypadFinals = "pqrstuvwxynojmkMXl"

// form gives a functional key's number and final byte in the sequences of xterm;
// ok is false for keys that have none there. F3 is {1, 'R'}.
func form(k Key) (number int, final byte, ok bool) {
	switch {
	case k >= Up && k <= Home:
		return 1, cursorFinals[k-Up], true
	case k >= Insert && k <= PageDown:
		return int(editNumbers[k-Insert]), '~', true
	case k >= F1 && k <= F4:
		return 1, pfFinals[k-F1], true
	case k >= F5 && k <= F35:
		return int(fnNumbers[k-F5]), '~', true
	case k == Menu:
		return 29, '~', true
	}
	return 0, 0, false
}

// finalKey is the reverse of form for letters.
func finalKey(final byte) (Key, bool) {
	if i := strings.IndexByte(cursorFinals, final); i >= 0 {
		return Up + Key(i), true
	}
	if i := strings.IndexByte(pfFinals, final); i >= 0 {
		return F1 + Key(i), true
	}
	return None, false
}

// tildeKey is the reverse of form for numbers, with the numbers other terminals
// use: 1 and 4 for Home and End (Linux console, screen), 7 and 8 (rxvt), 11 to
// 14 for F1 to F4 (VT220, rxvt; 13 is also kitty's F3), 57427 for Begin (kitty).
func tildeKey(number int) (Key, bool) {
	switch number {
	case 1, 7:
		return Home, true
	case 4, 8:
		return End, true
	case 11, 12, 13, 14:
		return F1 + Key(number-11), true
	case 57427:
		return Begin, true
	}
	if number <= 0 || number > 0x7f {
		return None, false
	}
	if i := strings.IndexByte(editNumbers, byte(number)); i >= 0 {
		return Insert + Key(i), true
	}
	if i := strings.IndexByte(fnNumbers, byte(number)); i >= 0 {
		return F5 + Key(i), true
	}
	return None, false
}

// keypadKey names a keypad key by its final byte after SS3.
func keypadKey(final byte) (Key, bool) {
	if i := strings.IndexByte(keypadFinals, final); i >= 0 {
		return KP0 + Key(i), true
	}
	return None, false
}

// plainKey takes the keypad's keys without Num Lock for the plain ones.
func plainKey(k Key) Key {
	switch k {
	case KPLeft:
		return Left
	case KPRight:
		return Right
	case KPUp:
		return Up
	case KPDown:
		return Down
	case KPPageUp:
		return PageUp
	case KPPageDown:
		return PageDown
	case KPHome:
		return Home
	case KPEnd:
		return End
	case KPInsert:
		return Insert
	case KPDelete:
		return Delete
	case KPBegin:
		return Begin
	}
	return k
}

// kittyForm gives a key's number and final byte in the kitty protocol; ok is
// false for keys it cannot say.
func kittyForm(k Key) (number int, final byte, ok bool) {
	switch k {
	case Escape:
		return 27, 'u', true
	case Enter:
		return 13, 'u', true
	case Tab:
		return 9, 'u', true
	case Backspace:
		return 127, 'u', true
	case F3: // CSI R is a cursor position report.
		return 13, '~', true
	case KPBegin:
		return 1, 'E', true
	}
	switch {
	case k.IsRune():
		return int(k), 'u', true
	case k >= F13 && k <= F35:
		return int(k-F13) + 57376, 'u', true
	case k >= functional+kittyFirst && k <= functional+kittyLast:
		return int(k - functional), 'u', true
	}
	return form(k)
}

// codeKey names a key by the code point that CSI u and modifyOtherKeys give.
func codeKey(code int) (Key, bool) {
	switch code {
	case 9:
		return Tab, true
	case 13:
		return Enter, true
	case 27:
		return Escape, true
	case 8, 127:
		return Backspace, true
	}
	switch {
	case code >= 57376 && code <= 57398:
		return F13 + Key(code-57376), true
	case code >= kittyFirst && code <= kittyLast:
		return functional + Key(code), true
	}
	return Key(code), typable(rune(code))
}
