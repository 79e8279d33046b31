package vt

import (
	"fmt"
	"strings"
)

// dcs acts on a device control string. Two requests are known; the answers
// come from what the terminal is, never from what was sent. What a report
// told can be restored, and frames can be held back.
func (t *Terminal) dcs(s []byte) {
	switch q := string(s); {
	case q == "=1s", q == "=2s": // iTerm2's form of mode 2026, which was there first
		t.flag(modeSync, q == "=1s")
	case strings.HasPrefix(q, "$q"):
		t.settingReport(q[2:])
	case len(q) > 2 && q[1:3] == "$t":
		t.restorePresentation(q[:1], q[3:])
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
		if t.level < 2 {
			return
		}
		n := 1
		if t.modes&modeEightBit != 0 {
			n = 0
		}
		t.reply("\x1bP1$r%d;%d\"p\x1b\\", 60+int(t.level), n)
	case "t":
		t.reply("\x1bP1$r%dt\x1b\\", t.rows)
	case "$|":
		t.reply("\x1bP1$r%d$|\x1b\\", t.cols)
	case "*|":
		t.reply("\x1bP1$r%d*|\x1b\\", t.rows)
	case "\"q":
		n := 0
		if t.cur.style.Attr&Protected != 0 {
			n = 1
		}
		t.reply("\x1bP1$r%d\"q\x1b\\", n)
	case "*x":
		t.reply("\x1bP1$r%d*x\x1b\\", int(t.extent))
	case "$}": // the status line is not written to: there is none
		t.reply("\x1bP1$r0$}\x1b\\")
	case "$~":
		t.reply("\x1bP1$r0$~\x1b\\")
	default:
		t.reply("\x1bP0$r\x1b\\")
	}
}

// sgrReport is the answer to DECRQSS m. It is made of numbers.
func sgrReport(s *Style) string {
	b := []byte("\x1bP1$r0")
	plain := *s
	plain.FG, plain.BG, plain.UL = 0, 0, 0
	b = appendSGR(b, &plain)
	b = appendColor(b, s.FG, 30, ':')
	b = appendColor(b, s.BG, 40, ':')
	b = appendColor(b, s.UL, 50, ':')
	return string(append(b, "m\x1b\\"...))
}

// capabilities are the answers to XTGETTCAP, by the name in hexadecimal.
var capabilities = hexCapabilities(map[string]string{
	"TN":      "xterm-256color",
	"name":    "xterm-256color",
	"Co":      "256",
	"colors":  "256",
	"RGB":     "8/8/8", // bits
	"Tc":      "",      // a flag, as are those that follow
	"Su":      "",
	"XF":      "",
	"Smulx":   "\x1b[4:%p1%dm",
	"Setulc":  "\x1b[58:2::%p1%{65536}%/%d:%p1%{256}%/%{255}%&%d:%p1%{255}%&%dm",
	"setrgbf": "\x1b[38:2:%p1%d:%p2%d:%p3%dm",
	"setrgbb": "\x1b[48:2:%p1%d:%p2%d:%p3%dm",
	"Ss":      "\x1b[%p1%d q",
	"Se":      "\x1b[2 q",
	"Ms":      "\x1b]52;%p1%s;%p2%s\x1b\\",
	"Sync":    "\x1b[?2026%?%p1%{1}%-%tl%eh%;",
})

func hexCapabilities(table map[string]string) map[string]string {
	out := make(map[string]string, len(table))
	for name, value := range table {
		key := fmt.Sprintf("%X", name)
		answer := "\x1bP1+r" + key
		if value != "" {
			answer += "=" + fmt.Sprintf("%X", value)
		}
		out[key] = answer + "\x1b\\"
	}
	return out
}

// capability answers one name (in hexadecimal) of XTGETTCAP.
func (t *Terminal) capability(name string) {
	if len(name) <= 64 {
		if answer, ok := capabilities[strings.ToUpper(name)]; ok {
			t.send([]byte(answer))
			return
		}
		if answer := t.keyCapability(strings.ToUpper(name)); answer != "" {
			t.send([]byte(answer))
			return
		}
	}
	t.send([]byte("\x1bP0+r\x1b\\"))
}
