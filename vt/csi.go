package vt

import "stet/vt/width"

// csi acts on the final character of a control sequence. What a sequence does
// is named as in ECMA-48, DEC's manuals and xterm's ctlseqs.
func (t *Terminal) csi(b byte) {
	p := &t.p
	if b == 'm' && p.prefix == 0 && p.middle[0] == 0 {
		t.sgr() // the one control after which marks may still join and REP repeat
		return
	}
	if b == 'b' && p.prefix == 0 && p.middle[0] == 0 {
		t.repeat(p.param(0, 1))
		return
	}
	t.endRun()
	if p.middle[1] != 0 || p.sub != 0 { // only SGR has parameters of parameters
		return
	}
	switch {
	case p.middle[0] != 0:
		t.csiMiddle(b)
	case p.prefix == '?':
		t.csiPrivate(b)
	case p.prefix != 0:
		t.csiOther(b)
	default:
		t.csiPlain(b)
	}
}

func (t *Terminal) csiPlain(b byte) {
	p, c := &t.p, &t.cur
	n := p.param(0, 1)
	switch b {
	case '@': // ICH
		if t.inColumns() {
			t.insertCells(t.upToMargin(c.y), c.x, n, t.blankCell())
			t.unwrapped(c.y)
		}
		c.pending = false
	case 'A': // CUU
		t.up(n)
	case 'B': // CUD
		t.down(n)
	case 'C': // CUF
		c.x = min(c.x+n, t.edge()-1)
		c.pending = false
	case 'a': // HPR: like HPA it knows no margins but those of DECOM
		t.moveTo(t.column()+n, t.line())
	case 'D': // CUB
		t.back(n)
	case 'E': // CNL
		t.down(n)
		t.carriageReturn()
	case 'F': // CPL
		t.up(n)
		t.carriageReturn()
	case 'G', '`': // CHA, HPA
		t.moveTo(n-1, t.line())
	case 'H', 'f': // CUP, HVP
		t.moveTo(p.param(1, 1)-1, n-1)
	case 'I': // CHT
		t.tabForward(n)
	case 'J': // ED
		marks := t.info(c.y).flags & rowMarks
		t.eraseDisplay(p.param(0, 0), t.eraser())
		t.keepMarks(p.param(0, 0), marks)
	case 'K': // EL
		marks := t.info(c.y).flags & rowMarks
		t.eraseLine(p.param(0, 0), t.eraser())
		t.keepMarks(p.param(0, 0), marks)
	case 'L': // IL
		if t.inMargins() {
			t.scrollDown(c.y, n)
			c.x, c.pending = t.left, false
		}
	case 'M': // DL
		if t.inMargins() {
			t.scrollUp(c.y, n, false)
			c.x, c.pending = t.left, false
		}
	case 'P': // DCH
		if t.inColumns() {
			t.deleteCells(t.upToMargin(c.y), c.x, n, t.blankCell())
			t.unwrapped(c.y)
		}
		c.pending = false
	case 'S': // SU
		t.scrollUp(t.top, n, true)
	case 'T', '^': // SD; five parameters are mouse tracking of old
		if p.count() <= 1 {
			t.scrollDown(t.top, n)
		}
	case 'X': // ECH
		t.eraser()(c.y, c.x, c.x+n)
		c.pending = false
	case 'Z': // CBT
		t.tabBack(n)
	case 'c': // DA1
		if p.param(0, 0) == 0 {
			t.deviceAttributes()
		}
	case 'd': // VPA
		t.moveTo(t.column(), n-1)
	case 'e': // VPR
		t.moveTo(t.column(), t.line()+n)
	case 'g': // TBC
		switch p.param(0, 0) {
		case 0:
			t.tabs[c.x/64] &^= 1 << (c.x % 64)
		case 3:
			clear(t.tabs)
		}
	case 'h', 'l': // SM, RM
		for i := range p.count() {
			t.setMode(int(p.params[i]), b == 'h')
		}
	case 'n': // DSR
		t.statusReport(p.param(0, 0), false)
	case 'r': // DECSTBM
		t.setMargins(n, p.param(1, t.rows))
	case 's': // DECSLRM, or SCOSC when there are no such margins
		if t.modes&modeLeftRight == 0 {
			t.saveCursor()
		} else if l, r := n, min(p.param(1, t.cols), t.cols); l < r {
			t.left, t.right = l-1, r-1
			t.moveTo(0, 0)
		}
	case 't': // XTWINOPS
		t.windowReport()
	case 'u': // SCORC
		t.restoreCursor()
	case 'x': // DECREQTPARM: 8 bits, no parity, 38400 baud
		if n := p.param(0, 0); n <= 1 {
			t.reply("\x1b[%d;1;1;128;128;1;0x", n+2)
		}
	}
}

// csiMiddle takes the sequences with an intermediate character.
func (t *Terminal) csiMiddle(b byte) {
	p := &t.p
	n := p.param(0, 1)
	if p.prefix == '?' && p.middle[0] == '$' && b == 'p' {
		t.modeReport(p.param(0, 0), true)
		return
	}
	if p.prefix != 0 || t.level < 4 && isVT400(p.middle[0], b) {
		return
	}
	switch [2]byte{p.middle[0], b} {
	case [2]byte{' ', '@'}: // SL
		if t.inMargins() {
			t.scrollLeft(t.left, n)
		}
	case [2]byte{' ', 'A'}: // SR
		if t.inMargins() {
			t.scrollRight(t.left, n)
		}
	case [2]byte{' ', 'q'}: // DECSCUSR
		if s := p.param(0, 0); s <= 6 {
			t.shape = uint8(s)
		}
	case [2]byte{'!', 'p'}: // DECSTR
		t.softReset()
	case [2]byte{'"', 'q'}: // DECSCA
		if n := p.param(0, 0); n <= 2 {
			t.cur.style.Attr &^= Protected
			if n == 1 {
				t.cur.style.Attr |= Protected
			}
			t.modes &^= modeGuard
			t.setPen()
		}
	case [2]byte{'"', 'p'}: // DECSCL: levels 1 to 5; what it resets is what DECSTR does
		if n := p.param(0, 0); n >= 61 && n <= 65 {
			t.softReset()
			t.level = uint8(n - 60)
			t.flag(modeEightBit, n > 61 && p.param(1, 0) != 1)
		}
	case [2]byte{'$', 'p'}:
		t.modeReport(p.param(0, 0), false)
	case [2]byte{'\'', '}'}: // DECIC
		if t.inMargins() {
			t.scrollRight(t.cur.x, n)
		}
	case [2]byte{'\'', '~'}: // DECDC
		if t.inMargins() {
			t.scrollLeft(t.cur.x, n)
		}
	case [2]byte{'*', 'x'}: // DECSACE
		if n := p.param(0, 0); n <= extentRectangle {
			t.extent = uint8(n)
		}
	case [2]byte{'*', 'y'}: // DECRQCRA
		t.checksum()
	case [2]byte{'#', 'y'}: // XTCHECKSUM
		t.sums = uint8(p.param(0, 0)) & (2*sumSevenBits - 1)
	case [2]byte{'#', '{'}, [2]byte{'#', 'p'}: // XTPUSHSGR
		t.pushPen()
	case [2]byte{'#', '}'}, [2]byte{'#', 'q'}: // XTPOPSGR
		t.popPen()
	case [2]byte{'#', '|'}: // XTREPORTSGR
		t.reportPen()
	case [2]byte{'#', 'P'}: // XTPUSHCOLORS
		t.pushColors()
	case [2]byte{'#', 'Q'}: // XTPOPCOLORS
		t.popColors()
	case [2]byte{'#', 'R'}: // XTREPORTCOLORS
		t.reply("\x1b[?%d;%d#Q", len(t.colorStack), len(t.colorStack))
	case [2]byte{'$', 'w'}: // DECRQPSR
		t.presentation(p.param(0, 0))
	case [2]byte{'$', 'r'}: // DECCARA
		t.changeRectangle(false)
	case [2]byte{'$', 't'}: // DECRARA
		t.changeRectangle(true)
	case [2]byte{'$', 'v'}: // DECCRA
		t.copyRectangle()
	case [2]byte{'$', 'x'}: // DECFRA
		t.fillRectangle()
	case [2]byte{'$', 'z'}: // DECERA
		t.eraseRectangle(t.erase)
	case [2]byte{'$', '{'}: // DECSERA
		t.eraseRectangle(t.blankUnprotected)
	}
}

// csiPrivate takes the sequences that begin with '?'.
func (t *Terminal) csiPrivate(b byte) {
	p := &t.p
	switch b {
	case 'W': // DECST8C
		if p.param(0, 0) == 5 {
			t.defaultTabs(0)
		}
	case 'J': // DECSED
		t.eraseDisplay(p.param(0, 0), t.eraseUnprotected)
	case 'K': // DECSEL
		t.eraseLine(p.param(0, 0), t.eraseUnprotected)
	case 'h', 'l': // DECSET, DECRST
		for i := range p.count() {
			t.setPrivateMode(int(p.params[i]), b == 'h')
		}
	case 'n':
		t.statusReport(p.param(0, 0), true)
	case 'r': // XTRESTORE
		for i := range p.count() {
			if m := privateMode(int(p.params[i])); m != 0 {
				t.setPrivateMode(int(p.params[i]), t.savedModes&m != 0)
			}
		}
	case 's': // XTSAVE
		for i := range p.count() {
			m := privateMode(int(p.params[i]))
			t.savedModes = t.savedModes&^m | t.currentModes()&m
		}
	case 'S': // XTSMGRAPHICS: there are no pictures to have colours or sizes
		if n := p.param(0, 0); n >= 1 && n <= 3 {
			t.reply("\x1b[?%d;3S", n)
		}
	case 'm': // XTQMODKEYS
		switch n := p.param(0, 0); {
		case p.count() == 0:
		case n == 4:
			t.reply("\x1b[>4;%dm", t.modifyKeys)
		case n == 1, n == 2: // cursor and function keys always tell of modifiers, as xterm's do at first
			t.reply("\x1b[>%d;2m", n)
		case n == 0, n == 3:
			t.reply("\x1b[>%d;0m", n)
		}
	case 'g': // XTQFMTKEYS
		if p.param(0, 0) == 4 {
			format := 0
			if t.modes&modeFormatKeys != 0 {
				format = 1
			}
			t.reply("\x1b[>4;%df", format)
		}
	case 'u': // kitty keyboard: query
		t.reply("\x1b[?%du", int(t.scr.kbd.flags))
	}
}

// csiOther takes the sequences that begin with '<', '=' or '>'.
func (t *Terminal) csiOther(b byte) {
	p := &t.p
	switch [2]byte{p.prefix, b} {
	case [2]byte{'>', 'c'}: // DA2
		if p.param(0, 0) == 0 {
			t.reply("\x1b[>64;390;0c")
		}
	case [2]byte{'=', 'c'}: // DA3
		if p.param(0, 0) == 0 {
			t.reply("\x1bP!|73746574\x1b\\")
		}
	case [2]byte{'>', 'q'}: // XTVERSION
		if p.param(0, 0) == 0 {
			t.reply("\x1bP>|stet\x1b\\")
		}
	case [2]byte{'>', 'm'}: // XTMODKEYS
		switch {
		case p.count() == 0:
			t.modifyKeys = 0
		case p.params[0] == 4:
			t.modifyKeys = min(p.param(1, 0), 2)
		}
	case [2]byte{'>', 't'}, [2]byte{'>', 'T'}: // XTSMTITLE, XTRMTITLE: titles come in hexadecimal; they are never told
		for i := range p.count() {
			if p.params[i] == 0 {
				t.flag(modeTitleHex, b == 't')
			}
		}
	case [2]byte{'>', 'n'}: // XTMODKEYS off
		if p.param(0, 0) == 4 {
			t.modifyKeys = 0
		}
	case [2]byte{'>', 'f'}: // XTFMTKEYS
		if p.count() == 0 || p.params[0] == 4 {
			t.flag(modeFormatKeys, p.param(1, 0) == 1)
		}
	case [2]byte{'>', 'u'}:
		t.scr.kbd.push(uint8(p.param(0, 0)))
	case [2]byte{'<', 'u'}:
		t.scr.kbd.pop(p.param(0, 1))
	case [2]byte{'=', 'u'}:
		t.scr.kbd.set(uint8(p.param(0, 0)), p.param(1, 1))
	}
}

// inColumns tells whether the cursor is between the left and right margins.
func (t *Terminal) inColumns() bool { return t.cur.x >= t.left && t.cur.x <= t.right }

// moveTo is CUP with coordinates from 0; under DECOM they count from the
// margins and stay inside.
func (t *Terminal) moveTo(x, y int) {
	x0, x1, y0, y1 := 0, t.cols-1, 0, t.rows-1
	if t.cur.origin {
		x0, x1, y0, y1 = t.left, t.right, t.top, t.bottom
	}
	t.cur.x, t.cur.y = min(x0+x, x1), min(y0+y, y1)
	t.cur.pending = false
}

// column and line are the cursor's position as CUP would give it.
func (t *Terminal) column() int {
	if t.cur.origin {
		return max(0, t.cur.x-t.left)
	}
	return t.cur.x
}

func (t *Terminal) line() int {
	if t.cur.origin {
		return max(0, t.cur.y-t.top)
	}
	return t.cur.y
}

func (t *Terminal) up(n int) {
	limit := 0
	if t.cur.y >= t.top {
		limit = t.top
	}
	t.cur.y = max(limit, t.cur.y-n)
	t.cur.pending = false
}

func (t *Terminal) down(n int) {
	limit := t.rows - 1
	if t.cur.y <= t.bottom {
		limit = t.bottom
	}
	t.cur.y = min(limit, t.cur.y+n)
	t.cur.pending = false
}

// setMargins is DECSTBM with lines from 1.
func (t *Terminal) setMargins(top, bottom int) {
	bottom = min(bottom, t.rows)
	if top >= bottom {
		return
	}
	t.top, t.bottom = top-1, bottom-1
	t.moveTo(0, 0)
}

func (t *Terminal) eraseDisplay(how int, erase func(y, x0, x1 int)) {
	c := &t.cur
	switch how {
	case 0:
		if c.x == 0 && c.y == 0 && !c.pending && t.p.prefix == 0 && t.modes&modeGuard == 0 {
			t.clearScreen() // all of it
			return
		}
		if !c.pending {
			erase(c.y, c.x, t.cols)
		}
		if c.x == 0 {
			t.unlink(c.y)
			t.erasedWhole(c.y, c.y+1)
		}
		t.erasedWhole(c.y+1, t.rows)
		for y := c.y + 1; y < t.rows; y++ {
			erase(y, 0, t.cols)
		}
		return
	case 1:
		t.unlink(0)
		t.erasedWhole(0, c.y)
		for y := range c.y {
			erase(y, 0, t.cols)
		}
		erase(c.y, 0, c.x+1)
	case 2:
		if t.p.prefix == 0 && t.modes&modeGuard == 0 {
			t.clearScreen()
			break
		}
		for y := range t.rows {
			erase(y, 0, t.cols)
		}
	case 3:
		if t.p.prefix == 0 {
			t.hist.clear()
		}
		return
	case 22: // kitty's: what is on the screen goes to the history first
		if t.p.prefix != 0 {
			return
		}
		if t.modes&modeClearLoses != 0 {
			t.keepScreen() // asked for by its name
		}
		t.clearScreen()
	}
	c.pending = false
}

// erasedWhole is for rows of which nothing is left: they are of single size again, unless what is protected stays.
func (t *Terminal) erasedWhole(y0, y1 int) {
	if t.p.prefix == 0 && t.modes&modeGuard == 0 {
		t.scr.single(y0, y1)
	}
}

// unlink tells that the text above does not go on in row y any more.
func (t *Terminal) unlink(y int) {
	if y > 0 {
		t.info(y - 1).flags &^= rowWrapped | rowFiller
	} else if t.scr == &t.main {
		t.hist.sever()
	}
}

// eraseLine is EL and DECSEL. While a wrap is pending there is nothing behind
// the cursor to be erased (nor for ED 0), so that a program which writes a full
// row and then erases its rest keeps the last column. EL leaves the wrap pending.
// Alacritty, VTE and tmux agree, xterm does not.
func (t *Terminal) eraseLine(how int, erase func(y, x0, x1 int)) {
	c := &t.cur
	switch how {
	case 0:
		if !c.pending {
			erase(c.y, c.x, t.cols)
		}
		return
	case 1:
		erase(c.y, 0, c.x+1)
	case 2:
		erase(c.y, 0, t.cols)
	}
}

// repeat (REP) prints the last character n times more. It works only directly
// behind a character, as in xterm.
func (t *Terminal) repeat(n int) {
	r := t.lastRune
	t.endRun()
	if r == 0 {
		return
	}
	if all := t.cols * t.rows; n > all { // the same is seen, sooner
		n = all + n%t.cols
	}
	if width.Class(r) == uint8(width.Other)<<2|1 && t.modes&(modeInsert|modeAutowrap) == modeAutowrap {
		for n > 0 {
			dst := t.stretch(n)
			fill(dst, t.pen|narrow|Cell(r)) // the pen of now: scrolling may have renumbered the styles
			n -= len(dst)
		}
	}
	for ; n > 0; n-- {
		t.print(r)
	}
	t.endRun()
}

// softReset is DECSTR.
func (t *Terminal) softReset() {
	t.resetMargins()
	t.modes = t.modes&^(modeInsert|modeAppCursor|modeKeypad|modeLeftRight|modeReverseWrap|modeExtendedWrap|modeGuard) | modeAutowrap | modeShowCursor
	c := homeCursor()
	t.scr.saved = c
	c.x, c.y, c.pending = t.cur.x, t.cur.y, t.cur.pending
	t.cur = c
	t.shift = 0
	t.p.latin = false
	t.setPen()
}
