package vt

import "strings"

// dcs acts on a device control string. Two requests are known; the answers
// come from what the terminal is, never from what was sent.
func (t *Terminal) dcs(s []byte) {
	switch q := string(s); {
	case strings.HasPrefix(q, "$q"):
		t.settingReport(q[2:])
	case strings.HasPrefix(q, "+q"):
		names := q[2:]
		for range 64 {
			name, rest, more := strings.Cut(names, ";")
			t.capability(name)
			if !more {
				break
			}
			names = rest
		}
	}
}

// settingReport answers DECRQSS.
func (t *Terminal) settingReport(q string) {
	switch q {
	case "m":
		t.reply(sgrReport(&t.cur.style))
	case "r":
		t.reply("\x1bP1$r%d;%dr\x1b\\", t.top+1, t.bottom+1)
	case "s":
		t.reply("\x1bP1$r%d;%ds\x1b\\", t.left+1, t.right+1)
	case " q":
		t.reply("\x1bP1$r%d q\x1b\\", int(t.shape))
	case "\"p":
		t.reply("\x1bP1$r64;1\"p\x1b\\")
	case "\"q":
		n := 0
		if t.cur.style.Attr&Protected != 0 {
			n = 1
		}
		t.reply("\x1bP1$r%d\"q\x1b\\", n)
	case "*x":
		n := 1
		if t.rectangular {
			n = 2
		}
		t.reply("\x1bP1$r%d*x\x1b\\", n)
	default:
		t.reply("\x1bP0$r\x1b\\")
	}
}

// sgrReport is the answer to DECRQSS m. It is made of numbers.
func sgrReport(s *Style) string {
	b := []byte("\x1bP1$r0")
	b = appendSGR(b, s)
	return string(append(b, "m\x1b\\"...))
}

// capability answers one name (in hexadecimal) of XTGETTCAP.
func (t *Terminal) capability(name string) {
	switch strings.ToUpper(name) {
	case "544E": // TN: xterm-256color
		t.reply("\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\")
	case "436F": // Co: 256
		t.reply("\x1bP1+r436F=323536\x1b\\")
	case "636F6C6F7273": // colors: 256
		t.reply("\x1bP1+r636F6C6F7273=323536\x1b\\")
	case "524742": // RGB: 8 bits each
		t.reply("\x1bP1+r524742=382F382F38\x1b\\")
	case "5463": // Tc, a flag
		t.reply("\x1bP1+r5463\x1b\\")
	case "5375": // Su, a flag: styled underlines
		t.reply("\x1bP1+r5375\x1b\\")
	default:
		t.reply("\x1bP0+r\x1b\\")
	}
}
