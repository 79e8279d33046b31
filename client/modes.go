package client

import (
	"strconv"

	"stet/server/wire"
)

// What is sent when the terminal becomes ours, whatever it was before: the alternate screen (which
// saves the cursor), title kept, cursor keys and keypad as normal, ASCII in G0, no autowrap, cursor
// hidden until the first frame, bracketed paste.
const enterSequence = "\x1b[?1049h\x1b[22;0;0t\x1b[?1l\x1b>\x1b(B\x0f\x1b[?7l\x1b[?25l\x1b[?2004h"

// What is sent when it is given back, in the order that undoes the above. Everything a frame can
// leave behind comes first: an update begun, a region, a pen, a link, the cursor's look; and the text,
// for terminals that have no alternate screen (GNU screen as it comes, the Linux console).
const (
	leaveFrame = "\x1b[r\x1b[m\x1b]8;;\x1b\\\x1b[0 q\x1b[H\x1b[2J"
	leaveModes = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[23;0;0t\x1b[?1049l"
)

// askPixels asks whether mouse reports are in pixels: DECRQM of mode 1016.
const askPixels = "\x1b[?1016$p"

// modes are the input modes set on the outer terminal besides those of enterSequence.
type modes struct {
	mouse  int
	pixels bool // 1016 rather than 1006
	focus  bool
	kitty  int // flags pushed; 0: nothing is pushed
	modify int
	keypad bool // DECKPAM
	scheme bool
}

// wanted turns the server's wish into what this terminal can do. modifyOtherKeys is the fallback
// where it is known that the kitty protocol is not spoken.
func wanted(w wire.Want, f *features) modes {
	m := modes{focus: w.Focus, scheme: f.scheme, keypad: w.Keypad}
	switch w.Mouse {
	case 1000, 1002, 1003:
		m.mouse, m.pixels = w.Mouse, w.Pixels && f.pixels
	}
	switch {
	case f.Kitty:
		m.kitty = w.Kitty & 31
	case f.done:
		m.modify = w.Modify
	}
	return m
}

// appendModes appends what turns the modes from into the modes to.
func appendModes(b []byte, from, to modes) []byte {
	set := func(mode int, on bool) {
		b = strconv.AppendInt(append(b, "\x1b[?"...), int64(mode), 10)
		if on {
			b = append(b, 'h')
		} else {
			b = append(b, 'l')
		}
	}
	if from.mouse != to.mouse {
		if from.mouse != 0 {
			set(from.mouse, false)
		}
		if to.mouse != 0 {
			set(to.mouse, true)
		}
		if (from.mouse != 0) != (to.mouse != 0) {
			set(1006, to.mouse != 0)
		}
	}
	if from.pixels != to.pixels {
		set(1016, to.pixels)
		if !to.pixels && to.mouse != 0 {
			set(1006, true) // which 1016 has put out of force
		}
		b = append(b, askPixels...) // the answer comes where the reports change
	}
	if from.focus != to.focus {
		set(1004, to.focus)
	}
	if from.keypad != to.keypad {
		b = append(b, '\x1b', '>')
		if to.keypad {
			b[len(b)-1] = '='
		}
	}
	if from.scheme != to.scheme {
		set(2031, to.scheme)
	}
	switch {
	case from.kitty == to.kitty:
	case to.kitty == 0:
		b = append(b, "\x1b[<u"...)
	case from.kitty == 0:
		b = append(strconv.AppendInt(append(b, "\x1b[>"...), int64(to.kitty), 10), 'u')
	default:
		b = append(strconv.AppendInt(append(b, "\x1b[="...), int64(to.kitty), 10), ";1u"...)
	}
	if from.modify != to.modify {
		b = append(b, "\x1b[>4"...)
		if to.modify != 0 {
			b = strconv.AppendInt(append(b, ';'), int64(to.modify), 10)
		}
		b = append(b, 'm')
	}
	return b
}

// appendLeave appends what gives the terminal back: m is in force, c its abilities, colored says that
// the cursor's colour was changed, cut that the last write may have ended within a sequence.
func appendLeave(b []byte, m modes, c Caps, colored, cut bool) []byte {
	if cut {
		b = append(b, "\x18\x1b\\"...) // CAN ends a control sequence, ST a string
	}
	if c.Sync {
		b = append(b, "\x1b[?2026l"...)
	}
	b = append(b, leaveFrame...)
	if colored {
		b = append(b, "\x1b]112\x07"...)
	}
	return append(appendModes(b, m, modes{}), leaveModes...)
}
