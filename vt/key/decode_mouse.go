package key

import "unicode/utf8"

// mouseEvent makes an event of xterm's button code, in which the bits 4, 8 and
// 16 are Shift, Alt and Ctrl, and 32 is motion.
func mouseEvent(code, x, y int, up bool) Event {
	code = min(max(code, 0), 255)
	e := Event{
		Kind:   KindMouse,
		Button: code &^ (4 | 8 | 16 | 32),
		Mod:    Mod(code >> 2 & 7), // The same order as Shift, Alt, Ctrl.
		X:      min(max(x, 0), maxCell),
		Y:      min(max(y, 0), maxCell),
	}
	switch {
	case code&32 != 0:
		e.Act = Motion
	case up:
		e.Act = Release
	}
	return e
}

// oldRelease reports whether a button code of the encodings before 1006 is a
// release, which does not say of which button.
func oldRelease(code int) bool { return code&(3|32|64|128) == 3 }

// x10 decodes CSI M and three bytes (X10, 1000) or three characters (1005), each
// 32 and the value. xterm sends 0 for a cell beyond the reach of a byte.
func (d *Decoder) x10(b []byte, flush bool) (Event, int) {
	var v [3]int
	n := 3
	for i := range v {
		switch {
		case n == len(b) && flush:
			return Event{Kind: KindUnknown}, n
		case n == len(b):
			return Event{}, 0
		case b[n] != 0 && b[n] < ' ':
			return Event{Kind: KindUnknown}, n // Cut off by another sequence.
		case !d.UTF8Mouse || b[n] < utf8.RuneSelf:
			v[i] = int(b[n])
			n++
		case !flush && !utf8.FullRune(b[n:]):
			return Event{}, 0
		default:
			r, size := utf8.DecodeRune(b[n:])
			v[i] = int(r)
			n += size
		}
	}
	return mouseEvent(v[0]-32, v[1]-33, v[2]-33, oldRelease(v[0]-32)), n
}
