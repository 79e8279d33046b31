package vt

// VT52 mode (DECANM): the escape sequences of that terminal in the place of all others. ESC < ends it. What the
// sets were comes back then.

// vt52 is what was put away when the mode began.
type vt52 struct {
	g      [4]byte
	gl, gr uint8
}

func (t *Terminal) enterVT52() {
	t.before52 = vt52{t.cur.g, t.cur.gl, t.cur.gr}
	t.modes |= modeVT52
	t.modes &^= modeLeftRight
	t.cur.origin = false
	t.resetMargins() // it has none
	t.plainSets()
}

// leaveVT52 makes a VT100 of it: it takes DECSCL to be more again.
func (t *Terminal) leaveVT52() {
	t.modes &^= modeVT52
	t.level = 1
	t.cur.g, t.cur.gl, t.cur.gr = t.before52.g, t.before52.gl, t.before52.gr
	t.before52 = vt52{}
}

// plainSets puts ASCII in all sets.
func (t *Terminal) plainSets() {
	c := homeCursor()
	t.cur.g, t.cur.gl, t.cur.gr = c.g, c.gl, c.gr
	t.shift = 0
}

// escape52 takes a byte behind ESC. ESC Y waits for two more: a line and a column, from 0x20 on.
func (t *Terminal) escape52(b byte) {
	m := &t.p.middle
	t.p.state = escapeMiddle
	switch {
	case m[0] == 0 && b == 'Y':
		m[0] = b
		return
	case m[0] == 'Y' && m[1] == 0:
		m[1] = b
		return
	}
	t.p.state = ground
	t.endRun()
	if m[0] == 'Y' {
		t.moveTo(int(b)-0x20, int(m[1])-0x20)
		return
	}
	switch b {
	case 'A':
		t.up(1)
	case 'B':
		t.down(1)
	case 'C':
		t.cur.x = min(t.cur.x+1, t.edge()-1)
		t.cur.pending = false
	case 'D':
		t.back(1)
	case 'F':
		t.cur.g[0] = setVT52
		t.cur.gl = 0
	case 'G':
		t.cur.g[0] = setASCII
		t.cur.gl = 0
	case 'H':
		t.moveTo(0, 0)
	case 'I':
		t.reverseIndex()
	case 'J':
		t.p.prefix = 0
		t.eraseDisplay(0, t.eraser())
	case 'K':
		t.eraseLine(0, t.eraser())
	case 'Z':
		t.reply("\x1b/Z")
	case '=':
		t.modes |= modeKeypad
	case '>':
		t.modes &^= modeKeypad
	case '<':
		t.leaveVT52()
	}
}
