package vt

// control acts on a C0 control character (and ignores DEL).
func (t *Terminal) control(b byte) {
	switch b {
	case 0x1b:
		t.startEscape()
		return
	case 0x7f: // DEL is a character in a set of 96
		if set := t.cur.g[t.cur.gl]; t.shift == 0 && charsets[set].is96 || t.shift != 0 && charsets[t.cur.g[t.shift]].is96 {
			t.print(t.charset(b))
		}
		return
	case 0x00, 0x05: // NUL; ENQ would ask for text of ours
		return
	case 0x07:
		t.event(Event{Kind: EventBell})
		return
	}
	t.endRun()
	switch b {
	case 0x08:
		t.back(1)
	case 0x09:
		t.tabForward(1)
	case 0x0a, 0x0b, 0x0c:
		t.index()
		if t.modes&modeNewLine != 0 {
			t.carriageReturn()
		}
	case 0x0d:
		t.carriageReturn()
	case 0x0e:
		t.cur.gl = 1
	case 0x0f:
		t.cur.gl = 0
	}
}

// c1 acts on a C1 control, which in UTF-8 is the character U+0080 to U+009F.
// Most are ESC and a letter; those that are not are ignored.
func (t *Terminal) c1(b byte) {
	switch b {
	case 0x84, 0x85, 0x88, 0x8d, 0x8e, 0x8f, 0x90, 0x96, 0x97, 0x98, 0x9a, 0x9b, 0x9d, 0x9e, 0x9f:
		t.p.middle = [2]byte{}
		t.escape(b - 0x40)
	}
}

// escape acts on the final character of an escape sequence.
func (t *Terminal) escape(b byte) {
	if t.p.middle[0] == 0 {
		switch b {
		case 'P', 'X', '[', '\\', ']', '^', '_':
			// These only begin or end what may or may not end the run.
			t.escapePlain(b)
			return
		}
	}
	t.endRun()
	switch t.p.middle[0] {
	case 0:
		t.escapePlain(b)
	case '(', ')', '*', '+':
		t.designate(int(t.p.middle[0]-'('), sets94, t.p.designator(b))
	case '-', '.', '/':
		t.designate(int(t.p.middle[0]-'-')+1, sets96, t.p.designator(b))
	case '#':
		if t.p.middle[1] != 0 {
			return
		}
		switch b {
		case '3', '4', '6': // DECDHL, the upper and the lower half, and DECDWL
			t.setDouble(true)
		case '5': // DECSWL
			t.setDouble(false)
		case '8':
			t.alignment()
		}
	case '%':
		if t.p.middle[1] == 0 {
			t.p.latin = b == '@' // ISO 2022's own coding; G and 8 are UTF-8
		}
	case ' ':
		if t.p.middle[1] == 0 && (b == 'F' || b == 'G') && t.level >= 2 { // S7C1T, S8C1T
			t.flag(modeEightBit, b == 'G')
		}
	}
}

// designator is what names a set: the final character, behind an intermediate one if there is.
func (p *parser) designator(final byte) string {
	if p.middle[1] != 0 {
		return string([]byte{p.middle[1], final})
	}
	return string(final)
}

// guard is SPA and EPA: from now on ED, EL and ECH spare what was written in between.
func (t *Terminal) guard(on bool) {
	t.modes |= modeGuard
	t.cur.style.Attr &^= Protected
	if on {
		t.cur.style.Attr |= Protected
	}
	t.setPen()
}

func (t *Terminal) escapePlain(b byte) {
	switch b {
	case '6': // DECBI
		switch {
		case t.cur.x != t.left:
			t.back(1)
		case t.inMargins():
			t.scrollRight(t.left, 1)
			t.cur.pending = false
		}
	case '7': // DECSC
		t.saveCursor()
	case '8': // DECRC
		t.restoreCursor()
	case '9': // DECFI
		switch {
		case t.cur.x != t.right:
			t.cur.x = min(t.cur.x+1, t.cols-1)
			t.cur.pending = false
		case t.inMargins():
			t.scrollLeft(t.left, 1) // a wrap that is pending stays so
		}
	case '=': // DECKPAM
		t.modes |= modeKeypad
	case '>': // DECKPNM
		t.modes &^= modeKeypad
	case 'D': // IND
		t.index()
	case 'E': // NEL
		t.index()
		t.carriageReturn()
	case 'H': // HTS
		t.tabs[t.cur.x/64] |= 1 << (t.cur.x % 64)
	case 'M': // RI
		t.reverseIndex()
	case 'N': // SS2
		t.shift = 2
	case 'O': // SS3
		t.shift = 3
	case 'k': // the window's name, as screen has it
		t.startString(nameString)
	case 'n': // LS2
		t.cur.gl = 2
	case 'o': // LS3
		t.cur.gl = 3
	case '|': // LS3R
		t.cur.gr = 3
	case '}': // LS2R
		t.cur.gr = 2
	case '~': // LS1R
		t.cur.gr = 1
	case 'P': // DCS
		t.startString(dcsString)
	case 'V': // SPA
		t.guard(true)
	case 'W': // EPA
		t.guard(false)
	case 'X', '^': // SOS, PM
		t.startString(skipString)
		t.p.middle = [2]byte{b} // for Unfinished
	case '_': // APC
		t.startString(apcString)
	case 'Z': // DECID
		t.deviceAttributes()
	case '[': // CSI
		t.startCSI()
	case ']': // OSC
		t.startString(oscString)
	case 'c': // RIS
		t.reset()
	}
}

// saveCursor is DECSC.
func (t *Terminal) saveCursor() {
	t.scr.saved = t.cur
	t.scr.saved.row = t.info(t.cur.y).id
}

// restoreCursor is DECRC. What was saved may lie outside a screen that has
// become smaller, or outside margins under DECOM. A pending wrap comes back with
// the row whose last column it was behind; where that was scrolled away it
// means nothing.
func (t *Terminal) restoreCursor() {
	t.cur = t.scr.saved
	c := &t.cur
	c.x, c.y = min(c.x, t.cols-1), min(c.y, t.rows-1)
	if c.origin {
		c.x, c.y = min(max(c.x, t.left), t.right), min(max(c.y, t.top), t.bottom)
	}
	c.pending = t.scr.savedWraps()
	c.row = 0
	t.setPen()
}

// savedWraps tells that what DECSC saved has a pending wrap that still means something.
func (s *screen) savedWraps() bool {
	c := &s.saved
	return c.pending && c.y < len(s.rows) && s.info[s.rows[c.y]].id == c.row
}

// anchorSaved ties what DECSC saved to the row it is in now.
func (s *screen) anchorSaved() {
	if s.saved.y < len(s.rows) {
		s.saved.row = s.info[s.rows[s.saved.y]].id
	}
}

// alignment (DECALN) fills the screen with E.
func (t *Terminal) alignment() {
	t.resetMargins()
	t.cur.origin = false
	t.moveTo(0, 0)
	t.scr.single(0, t.rows)
	for y := range t.rows {
		fill(t.row(y), 'E'|narrow)
		t.unwrapped(y)
	}
}

func (t *Terminal) carriageReturn() {
	t.cur.pending = false
	if t.cur.x >= t.left {
		t.cur.x = t.left
	} else {
		t.cur.x = 0
		if t.cur.origin {
			t.cur.x = t.left
		}
	}
}

// tabForward goes n stops to the right, at most to the margin.
func (t *Terminal) tabForward(n int) {
	if t.cur.pending && t.modes&(modeTabWraps|modeAutowrap) == modeTabWraps|modeAutowrap {
		t.wrap(rowWrapped)
	}
	if n > 0 && t.cur.x > t.right { // xterm goes to the margin from behind it, too
		t.cur.x = t.right
	}
	edge := t.edge()
	for ; n > 0 && t.cur.x < edge-1; n-- {
		for t.cur.x++; t.cur.x < edge-1 && !t.tabAt(t.cur.x); t.cur.x++ {
		}
	}
}

// tabBack goes n stops to the left. Like the tab to the right it leaves a
// pending wrap pending, as xterm does.
func (t *Terminal) tabBack(n int) {
	low := 0
	if t.cur.origin {
		low = t.left
	}
	for ; n > 0 && t.cur.x > low; n-- {
		for t.cur.x--; t.cur.x > low && !t.tabAt(t.cur.x); t.cur.x-- {
		}
	}
}

// back is BS and CUB: n columns to the left. With reverse wrap (mode 45, and 1045)
// it goes over the left margin to the end of the row above, and from the first row
// to the last. Since its patch 383 xterm does so for 1045 only, and for 45 within
// one line; recordings and programs know what was before.
func (t *Terminal) back(n int) {
	left := 0
	if t.cur.x >= t.left {
		left = t.left
	}
	if t.modes&modeAutowrap == 0 || t.modes&(modeReverseWrap|modeExtendedWrap) == 0 {
		t.cur.x = max(left, t.cur.x-n)
		t.cur.pending = false
		return
	}
	if t.cur.pending { // the cursor stands behind the column it is shown in
		t.cur.pending = false
		n--
	}
	n = min(n, t.cols*t.rows)
	for n > 0 {
		if step := min(n, t.cur.x-left); step > 0 {
			t.cur.x -= step
			n -= step
			continue
		}
		switch t.cur.y {
		case t.top:
			t.cur.y = t.bottom
		case 0:
			t.cur.y = t.rows - 1
		default:
			t.cur.y--
		}
		t.cur.x = t.right
		t.fit()
		n--
	}
}
