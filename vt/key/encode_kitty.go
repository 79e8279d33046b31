package key

import (
	"strconv"
	"unicode/utf8"
)

// appendKitty writes a key in the kitty keyboard protocol
// (https://sw.kovidgoyal.net/kitty/keyboard-protocol/).
func appendKitty(dst []byte, e Event, m Modes) []byte {
	flags := m.Kitty
	m.ModifyOtherKeys = 0 // the protocol wins, also for what it leaves to the older forms
	all := flags&KittyAllKeys != 0
	if flags&KittyEventTypes == 0 {
		if e.Act == Release {
			return dst
		}
		e.Act = Press
	}
	if e.Key.isModifier() && !all {
		return dst
	}
	if e.Key == None || e.Key >= kittyFirst && e.Key <= kittyLast || e.Key == utf8.RuneError && len(e.Data) == 1 {
		// Text without a key, or whose number would be another key.
		if text := e.text(); all && flags&KittyText != 0 && text != "" && len(e.Data) == 0 && e.Act != Release {
			return append(appendCodes(append(dst, "\x1b[0;;"...), text), 'u')
		}
		return appendLegacy(dst, e, m)
	}
	text := e.text()
	if !all {
		switch {
		case text != "" && e.Act != Release:
			return append(dst, text...)
		case text != "":
			e.Mod &^= locks
		case e.Key == Enter || e.Key == Tab || e.Key == Backspace:
			if e.Act == Release {
				return dst
			}
			if e.Mod&^locks == 0 {
				return appendLegacy(dst, e, m)
			}
		case e.Key.IsRune():
			e.Mod &^= locks
		}
		if flags&KittyDisambiguate == 0 && e.Act == Press && e.hasOlderForm(flags) {
			return appendLegacy(dst, e, m)
		}
	}
	return appendKittyForm(dst, e, flags, text)
}

// hasOlderForm tells whether a press comes as ever to a program whose flags leave sequences ambiguous: a key of
// ASCII with modifiers that the old forms can say, and functional keys unless the kind of event is told.
func (e Event) hasOlderForm(flags int) bool {
	k, mod := plainKey(e.Key), e.Mod&^locks
	_, _, functional := form(k)
	switch {
	case e.Ambiguous:
		return true // nobody knows which key it was
	case k.IsRune():
		return k < utf8.RuneSelf && mod&^(Shift|Alt|Ctrl) == 0 && mod&(Shift|Ctrl) != Shift|Ctrl
	case mod == 0 && (k == Escape || k == KPEnter):
		return true
	case k == Escape || k == Enter || k == Tab || k == Backspace || k == KPEnter, functional && k != Menu && (k < F13 || k > F35):
		return flags&KittyEventTypes == 0
	}
	return false
}

// text gives what the key types, "" for keys that type nothing.
func (e Event) text() string {
	switch {
	case e.Mod&noText != 0:
		return ""
	case e.Text != "":
		return e.Text
	case e.Key.IsRune():
		return string(e.char())
	case e.Key >= KP0 && e.Key <= KPSeparator && e.Key != KPEnter:
		return keypadText[e.Key-KP0:][:1]
	}
	return ""
}

// appendKittyForm writes CSI code:shifted:base;mod:act;text final, with every
// part left out that says nothing. The order in which parts imply each other is
// kitty's own.
func appendKittyForm(dst []byte, e Event, flags int, text string) []byte {
	k, mod, shifted := e.unshift()
	if flags&(KittyDisambiguate|KittyAllKeys) == 0 {
		if k = plainKey(k); k == KPEnter {
			k = Enter
		}
	}
	code, final, ok := kittyForm(k)
	if !ok {
		return dst
	}
	if mod&Shift == 0 {
		shifted = 0
	}
	alternates := flags&KittyAlternates != 0 && final == 'u' && k.IsRune() && (shifted != 0 || e.Base != 0)
	withAct := e.Act != Press
	withText := flags&KittyText != 0 && flags&KittyAllKeys != 0 && text != "" && e.Act != Release
	dst = append(dst, "\x1b["...)
	if code != 1 || mod != 0 || withAct || withText {
		dst = strconv.AppendInt(dst, int64(code), 10)
	}
	if alternates {
		dst = append(dst, ':')
		if shifted != 0 {
			dst = strconv.AppendInt(dst, int64(shifted), 10)
		}
		if e.Base != 0 {
			dst = strconv.AppendInt(append(dst, ':'), int64(e.Base), 10)
		}
	}
	if mod != 0 || withAct || withText {
		dst = append(dst, ';')
	}
	if mod != 0 || withAct {
		dst = strconv.AppendInt(dst, int64(mod)+1, 10)
	}
	if withAct {
		dst = strconv.AppendInt(append(dst, ':'), int64(e.Act)+1, 10)
	}
	if withText {
		dst = appendCodes(append(dst, ';'), text)
	}
	return append(dst, final)
}

// appendCodes writes a text as its code points.
func appendCodes(dst []byte, text string) []byte {
	for i, r := range text {
		if i > 0 {
			dst = append(dst, ':')
		}
		dst = strconv.AppendInt(dst, int64(r), 10)
	}
	return dst
}
