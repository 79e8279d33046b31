package key

import (
	"bytes"
	"unicode/utf8"
)

// usualCellW and usualCellH are the size of a cell, in pixels, where nobody has told it.
const usualCellW, usualCellH = 8, 16

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

// pixelsAnswered takes the answer to DECRQM 1016.
func (d *Decoder) pixelsAnswered(reply []byte) {
	if state, ok := bytes.CutPrefix(reply, []byte("\x1b[?1016;")); ok && bytes.HasSuffix(state, []byte("$y")) {
		d.Pixels = len(state) == 3 && (state[0] == '1' || state[0] == '3') // set, for now or for ever
	}
}

// cellOf gives the cell in which a pixel is, and where in it, as Event has them.
func cellOf(pixel, size, usual int) (cell int, off int8) {
	if size < 1 {
		size = usual
	}
	return pixel / size, int8(pixel%size*256/size - 128)
}

// pixelOf is the reverse of cellOf: exact for cells of up to 256 pixels.
func pixelOf(cell int, off int8, size, usual int) int {
	if size < 1 {
		size = usual
	}
	return cell*size + min(((int(off)+128)*size+255)/256, size-1)
}
