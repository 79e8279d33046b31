package key

import (
	"strconv"
	"unicode/utf8"
)

// appendMouse writes a mouse event in the encoding the program chose, if it
// wants to hear of it at all.
func appendMouse(dst []byte, e Event, m Modes) []byte {
	if e.Key != None || !wantsMouse(e, m.Mouse) {
		return dst
	}
	code := e.Button & (3 | 64 | 128)
	if m.Mouse != 9 {
		code |= int(e.Mod&(Shift|Alt|Ctrl)) << 2
	}
	if e.Act == Motion {
		code |= 32
	}
	x, y := max(e.X, 0)+1, max(e.Y, 0)+1
	if m.MouseEnc == 1016 {
		x = pixelOf(x-1, e.OffX, m.CellW, usualCellW) + 1
		y = pixelOf(y-1, e.OffY, m.CellH, usualCellH) + 1
	}
	if m.MouseEnc == 1006 || m.MouseEnc == 1016 {
		final := byte('M')
		if e.Act == Release {
			final = 'm'
		}
		return append(appendList(append(dst, "\x1b[<"...), code, x, y), final)
	}
	if e.Act == Release { // The older encodings do not name the button.
		code = code&^(3|64|128) | ButtonNone
	}
	switch m.MouseEnc {
	case 1015:
		return append(appendList(append(dst, "\x1b["...), code+32, x, y), 'M')
	case 1005:
		// Two UTF-8 bytes are the most xterm uses: cells up to 2015.
		dst = append(dst, "\x1b[M"...)
		for _, v := range [...]int{code, x, y} {
			dst = utf8.AppendRune(dst, rune(min(v+32, 0x7ff)))
		}
		return dst
	}
	// A cell beyond 223 is reported as 223: dropping the event would leave a
	// button pressed for ever.
	return append(dst, esc, '[', 'M', byte(code+32), byte(min(x+32, 255)), byte(min(y+32, 255)))
}

// wantsMouse applies the levels: 9 is presses of the three buttons only, 1000
// adds releases and wheels, 1002 motion with a button held, 1003 all motion.
func wantsMouse(e Event, level int) bool {
	switch e.Act {
	case Press:
		return level >= 1000 || level == 9 && e.Button >= ButtonLeft && e.Button <= ButtonRight
	case Release:
		return level >= 1000 && !isWheel(e.Button)
	case Motion:
		return level >= 1003 || level == 1002 && e.Button != ButtonNone
	}
	return false
}

func appendList(dst []byte, a, b, c int) []byte {
	dst = strconv.AppendInt(dst, int64(a), 10)
	dst = strconv.AppendInt(append(dst, ';'), int64(b), 10)
	return strconv.AppendInt(append(dst, ';'), int64(c), 10)
}
