package vt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"unicode/utf8"

	"stet/vt/width"
)

// stateVersion is the first byte of a state. It changes with every change of
// this file's format or of record.go's. A state of an older version is read:
// what it does not have is as after a reset.
const (
	stateVersion  = 5
	oldestVersion = 1 // without the sections that encoder.extras (from 2), more (3), latest (4) and told (5) write
)

// AppendState appends everything that is not in the arena: both screens,
// cursors, pen, modes, margins, tabs, character sets, keyboard stacks, the
// parser with what it has of an unfinished sequence, titles, colours, and the
// list of the history's blocks. Styles, clusters and links go in by value, so
// the result does not depend on how tables are numbered. The error is always
// nil; it is there for the callers that pass it on.
func (t *Terminal) AppendState(dst []byte) ([]byte, error) {
	e := encoder{buf: append(dst, stateVersion), t: t}
	e.screens()
	e.history(&t.hist)
	return e.buf, nil
}

// StateSize is an upper bound for what AppendState appends now.
func (t *Terminal) StateSize() int {
	n := 8192 + len(t.p.str) + len(t.title) + len(t.icon) + len(t.cwd) + t.cols/8
	n += len(t.colorStack) * (128 + 6*256)
	for _, x := range t.titles {
		n += len(x.title) + len(x.icon) + 8
	}
	n += len(t.branch) + len(t.commands)*(maxSigner+80)
	for i := range t.commands {
		n += len(t.commands[i].Text)
	}
	for _, x := range t.notes {
		n += len(x.id) + len(x.title) + len(x.body) + 12
	}
	for _, c := range []*cursor{&t.cur, &t.main.saved, &t.alt.saved} {
		l := t.tab.links[c.style.Link]
		n += 64 + len(l.ID) + len(l.URL)
	}
	for _, s := range []*screen{&t.main, &t.alt} {
		for y := range s.rows {
			row := s.peek(y, t.cols)
			n += t.tab.rowSize(row[:trimmed(row)])
			if s.doubled {
				n += 3 // that it is of double size
			}
		}
	}
	h := &t.hist
	n += 32 * len(h.extents)
	return n + (BlockSize+16)*h.blocks.overflow()
}

// rowSize bounds the size of the record of a row.
func (t *tables) rowSize(row []Cell) int {
	n := 16
	last := Cell(0)
	for _, c := range row {
		if s := c & styleMask; s != last {
			last = s
			n += 20
			if st := &t.styles[s>>styleShift]; st.Link != 0 {
				n += 8 + len(t.links[st.Link].ID) + len(t.links[st.Link].URL)
			}
		}
		switch {
		case c&clusterFlag != 0:
			n += 2 + len(t.clusters[c.Cluster()])
		case c&contentMask < 0x80:
			n++
		default:
			n += 4
		}
	}
	return n
}

// encoder appends values; decoder, below, reads them in the same order.
type encoder struct {
	buf []byte
	t   *Terminal
}

func (e *encoder) num(n int)       { e.buf = binary.AppendUvarint(e.buf, uint64(n)) }
func (e *encoder) long(n uint64)   { e.buf = binary.AppendUvarint(e.buf, n) }
func (e *encoder) text(s string)   { e.num(len(s)); e.buf = append(e.buf, s...) }
func (e *encoder) bytes(b []byte)  { e.num(len(b)); e.buf = append(e.buf, b...) }
func (e *encoder) byte(b byte)     { e.buf = append(e.buf, b) }
func (e *encoder) flags(f ...bool) { e.byte(pack(f...)) }

func pack(f ...bool) (b byte) {
	for i, on := range f {
		if on {
			b |= 1 << i
		}
	}
	return b
}

func (e *encoder) cursor(c *cursor) {
	e.num(c.x)
	e.num(c.y)
	e.flags(c.pending, c.origin)
	e.buf = append(e.buf, c.g[:]...)
	e.byte(c.gl | (c.gr^initialGR)<<2)
	id := e.t.tab.style(&c.style)
	e.buf = e.t.rec.append(e.buf, &e.t.tab, []Cell{BlankCell | Cell(id)<<styleShift}, 0)
}

func (e *encoder) keyboard(k *keyboard) {
	e.byte(k.flags)
	e.byte(k.n)
	e.buf = append(e.buf, k.stack[:k.n]...)
}

func (e *encoder) screen(s *screen) {
	saved := s.saved
	saved.pending = s.savedWraps()
	e.cursor(&saved)
	e.keyboard(&s.kbd)
	e.num(len(s.rows))
	for y := range s.rows {
		row := s.peek(y, e.t.cols)
		e.buf = e.t.rec.append(e.buf, &e.t.tab, row[:trimmed(row)], s.info[s.rows[y]].flags.record())
	}
}

// screens appends all but the history.
func (e *encoder) screens() {
	t := e.t
	e.num(t.cols)
	e.num(t.rows)
	e.flags(t.scr == &t.alt, t.extent == extentRectangle, t.p.over, t.p.c2, t.colors.set[0], t.colors.set[1], t.colors.set[2], t.p.latin)
	e.long(uint64(t.modes))
	e.long(uint64(t.savedModes))
	for _, n := range []int{t.mouse, t.mouseEnc, t.modifyKeys, int(t.shape), int(t.shift), t.top, t.bottom, t.left, t.right} {
		e.num(n)
	}
	for _, w := range t.tabs {
		e.long(w)
	}
	e.num(t.lastY + 1)
	if t.lastY >= 0 {
		e.num(t.lastX)
	}
	e.byte(byte(t.breaker))
	e.num(int(t.lastRune))

	p := &t.p
	e.buf = append(e.buf, byte(p.state), p.prefix, p.middle[0], p.middle[1])
	if p.state >= csiEntry && p.state <= csiIgnore {
		e.num(p.n)
		e.long(uint64(p.sub))
		for _, v := range p.params[:p.count()] {
			e.num(int(v))
		}
	}
	e.bytes(p.str)
	e.byte(p.need)
	if p.need > 0 {
		e.buf = append(e.buf, p.lo, p.hi)
		e.num(int(p.acc))
	}

	e.text(t.title)
	e.text(t.icon)
	e.num(len(t.titles))
	for _, x := range t.titles {
		e.text(x.title)
		e.text(x.icon)
	}
	e.text(t.cwd)
	e.dynamic(&t.colors)
	e.palette(t.colors.palette)
	e.cursor(&t.cur)
	e.screen(&t.main)
	e.screen(&t.alt)
	e.extras()
	e.more()
	e.latest()
	e.told()
}

// told appends what came with version 5: what shells tell.
func (e *encoder) told() {
	e.text(e.t.branch)
	e.long(e.t.commandCount)
	e.num(len(e.t.commands))
	for i := range e.t.commands {
		c := &e.t.commands[i]
		e.flags(c.Over)
		e.text(c.Signer)
		e.text(c.Text)
		for _, n := range []uint64{c.Number, uint64(c.Started), uint64(c.Status + 1), uint64(c.Took + 1), uint64(c.Column)} {
			e.long(n)
		}
		// From the first line of the screen on, so that it holds beneath another history, too (see Over).
		e.buf = binary.AppendVarint(e.buf, int64(c.First-e.t.hist.next()))
		e.buf = binary.AppendVarint(e.buf, int64(c.Last-e.t.hist.next()))
	}
}

// signed is a number that may be negative, in two's complement.
func (d *decoder) signed() uint64 {
	n := d.long(^uint64(0))
	return n>>1 ^ -(n & 1)
}

func (d *decoder) told() {
	t := d.t
	t.branch = d.text(maxTitle)
	t.commandCount = d.long(1 << 62)
	for n := d.num(maxCommands); n > 0 && !d.bad; n-- {
		c := Command{Over: d.byte()&1 != 0, Signer: d.text(maxSigner), Text: d.text(maxCommandText)}
		c.Number = d.long(t.commandCount)
		c.Started, c.Status, c.Took = int64(d.long(maxMillis)), int(d.long(1<<31))-1, int64(d.long(maxMillis))-1
		c.Column = int(d.long(1 << 40))
		c.First, c.Last = d.signed(), d.signed() // Load makes lines of them
		t.commands = append(t.commands, c)
	}
}

// extras appends what came with version 2: sums, pictures, and what was pushed.
func (e *encoder) extras() {
	t := e.t
	e.byte(t.sums)
	s := &t.sixel
	for _, n := range []int{int(s.mode), s.number, int(s.at), s.repeat, s.x, s.w, s.h, s.bands} {
		e.num(n)
	}
	k := &t.kitty
	e.flags(k.open, k.show, k.stay)
	for _, n := range []int{k.id, k.w, k.h, k.cols, k.rows, len(k.known)} {
		e.num(n)
	}
	for _, p := range k.known {
		e.num(p.id)
		e.num(p.w)
		e.num(p.h)
	}
	e.num(len(t.pens))
	for _, p := range t.pens {
		e.num(int(p.parts))
		for _, n := range []int{int(p.style.FG), int(p.style.BG), int(p.style.UL), int(p.style.Attr), int(p.style.Under)} {
			e.num(n)
		}
	}
	e.num(len(t.colorStack))
	for _, c := range t.colorStack {
		e.flags(c.set[:shownColors]...)
		e.dynamic(&c)
		e.palette(c.palette)
	}
}

// more appends what came with version 3: the level, and the colours that nothing is shown in.
func (e *encoder) more() {
	t := e.t
	e.byte(t.level)
	e.buf = append(e.buf, t.before52.g[:]...)
	e.byte(t.before52.gl)
	e.byte(t.before52.gr)
	e.byte(t.extent)
	e.num(len(t.notes))
	for _, n := range t.notes {
		e.text(n.id)
		e.text(n.title)
		e.text(n.body)
	}
	for _, c := range append([]colors{t.colors}, t.colorStack...) {
		e.unseen(&c)
	}
}

// latest appends what came with version 4: the rows of double size.
func (e *encoder) latest() {
	for _, s := range []*screen{&e.t.main, &e.t.alt} {
		var double []int
		for y := range s.rows {
			if s.doubled && s.info[s.rows[y]].flags&rowDouble != 0 {
				double = append(double, y)
			}
		}
		e.num(len(double))
		for _, y := range double {
			e.num(y)
		}
	}
}

// unseen appends the colours that nothing is shown in.
func (e *encoder) unseen(c *colors) {
	e.flags(c.set[shownColors:]...)
	for i, set := range c.set {
		if set && i >= shownColors {
			e.num(int(c.dynamic[i]))
		}
	}
	e.flags(c.marked[:]...)
	for i, set := range c.marked {
		if set {
			e.num(int(c.special[i]))
		}
	}
}

// dynamic appends those of the default colours that are set.
func (e *encoder) dynamic(c *colors) {
	for i, set := range c.set[:shownColors] {
		if set {
			e.num(int(c.dynamic[i]))
		}
	}
}

func (e *encoder) palette(p map[uint8]uint32) {
	e.num(len(p))
	for n := range 256 {
		if rgb, ok := p[uint8(n)]; ok {
			e.byte(byte(n))
			e.num(int(rgb))
		}
	}
}

// history appends the list of blocks: those of the arena by number, others
// with their bytes.
func (e *encoder) history(h *history) {
	e.num(h.limit)
	e.flags(h.goesOn, h.open >= 0)
	e.long(h.base)
	e.long(h.first)
	e.long(h.uniformFrom)
	e.long(h.cut + 1)
	e.num(len(h.extents))
	last := -1
	for _, x := range h.extents {
		if x.block != last {
			e.block(h, x.block)
			last = x.block
		} else {
			e.num(0)
		}
		for _, n := range []int{x.from, x.to, x.recs, x.starts} {
			e.num(n)
		}
	}
	if h.open >= 0 {
		e.num(h.high)
		if h.open != last {
			e.block(h, h.open)
		} else {
			e.num(0)
		}
	}
}

// block appends 1 and the bytes of a block, or its number in the arena and 2;
// 0 stands for the block before.
func (e *encoder) block(h *history, n int) {
	if n < len(h.blocks.status) {
		e.num(n + 2)
		return
	}
	e.num(1)
	used := 0
	if n == h.open {
		used = h.high
	}
	for _, x := range h.extents {
		if x.block == n {
			used = max(used, x.to)
		}
	}
	e.bytes(h.blocks.mem(n)[:used])
}

var errState = errors.New("vt: damaged state")

// decoder reads values; after the first that does not make sense all are zero
// and bad is set.
type decoder struct {
	buf     []byte
	bad     bool
	version byte
	t       *Terminal
}

func (d *decoder) long(limit uint64) uint64 {
	v, n := binary.Uvarint(d.buf)
	if n <= 0 || v > limit {
		d.bad, d.buf = true, nil
		return 0
	}
	d.buf = d.buf[n:]
	return v
}

// num reads a number from 0 to limit.
func (d *decoder) num(limit int) int {
	if limit < 0 {
		d.bad = true
		return 0
	}
	return int(d.long(uint64(limit)))
}

func (d *decoder) take(n int) []byte {
	if n > len(d.buf) {
		d.bad, d.buf = true, nil
		return make([]byte, n)
	}
	b := d.buf[:n]
	d.buf = d.buf[n:]
	return b
}

func (d *decoder) byte() byte { return d.take(1)[0] }

func (d *decoder) bytes(limit int) []byte {
	n := d.num(limit)
	if n > len(d.buf) {
		d.bad, d.buf = true, nil
		return nil
	}
	return d.take(n)
}

func (d *decoder) text(limit int) string { return string(d.bytes(limit)) }

func (d *decoder) record() record {
	r, ok := header(d.buf)
	if !ok || r.cols > d.t.cols {
		d.bad, d.buf = true, nil
		return record{}
	}
	d.buf = d.buf[r.size:]
	return r
}

func (d *decoder) cursor() cursor {
	c := cursor{x: d.num(d.t.cols - 1), y: d.num(d.t.rows - 1)}
	f := d.byte()
	c.pending, c.origin = f&1 != 0, f&2 != 0
	copy(c.g[:], d.take(4))
	c.gl = d.byte()
	if c.gl > 15 {
		d.bad = true
	}
	c.gl, c.gr = c.gl&3, c.gl>>2&3^initialGR
	r := d.record()
	if cells := r.appendCells(nil, &d.t.tab); len(cells) > 0 {
		c.style = d.t.tab.styles[cells[0].Style()]
	}
	return c
}

func (d *decoder) keyboard() keyboard {
	k := keyboard{flags: d.byte() & kittyFlags, n: d.byte()}
	if int(k.n) > len(k.stack) {
		d.bad = true
		k.n = 0
	}
	copy(k.stack[:], d.take(int(k.n)))
	return k
}

func (d *decoder) screen(s *screen, must bool) {
	s.saved = d.cursor()
	s.kbd = d.keyboard()
	n := d.num(d.t.rows)
	if n == 0 && !must {
		return
	}
	if n != d.t.rows || len(d.buf) < 2*n { // a row has at least two bytes: no memory for what cannot be
		d.bad = true
		return
	}
	d.t.allocate(s)
	for y := range n {
		r := d.record()
		if c := r.appendCells(nil, &d.t.tab); trimmed(c) > 0 {
			copy(s.row(y, d.t.cols), c)
		}
		s.info[y].flags = r.flags.row()
	}
	s.anchorSaved()
}

func (d *decoder) screens() {
	t := d.t
	t.cols = d.num(maxCols)
	t.rows = d.num(maxRows)
	if c, r := clampSize(t.cols, t.rows); d.bad || c != t.cols || r != t.rows {
		d.bad = true
		t.cols, t.rows = 1, 1
	}
	f := d.byte()
	alternate := f&1 != 0
	t.p.over, t.p.c2, t.p.latin = f&4 != 0, f&8 != 0, f&128 != 0
	if f&2 != 0 {
		t.extent = extentRectangle
	}
	t.colors.set = [10]bool{f&16 != 0, f&32 != 0, f&64 != 0}
	t.modes = mode(d.long(1<<62 - 1))
	t.savedModes = mode(d.long(1<<62 - 1))
	t.mouse = d.num(maxParam)
	t.mouseEnc = d.num(maxParam)
	t.modifyKeys = d.num(2)
	t.shape = uint8(d.num(6))
	t.shift = uint8(d.num(3))
	t.top = d.num(t.rows - 1)
	t.bottom = d.num(t.rows - 1)
	t.left = d.num(t.cols - 1)
	t.right = d.num(t.cols - 1)
	if t.top > t.bottom || t.left > t.right {
		d.bad = true
	}
	t.tabs = make([]uint64, (t.cols+63)/64)
	for i := range t.tabs {
		t.tabs[i] = d.long(^uint64(0))
	}
	if t.lastY = d.num(t.rows) - 1; t.lastY >= 0 {
		t.lastX = d.num(t.cols - 1)
	}
	t.breaker = width.Breaker(d.byte())
	t.lastRune = rune(d.num(utf8.MaxRune))

	p := &t.p
	b := d.take(4)
	p.state, p.prefix, p.middle = state(b[0]), b[1], [2]byte{b[2], b[3]}
	if p.state > lastState {
		d.bad = true
	}
	if p.state >= csiEntry && p.state <= csiIgnore {
		p.n = d.num(maxParams + 1)
		p.sub = uint32(d.long(1<<32 - 1))
		for i := range p.count() {
			p.params[i] = uint16(d.num(maxParam))
		}
	}
	p.str = append([]byte(nil), d.bytes(maxOSC)...)
	if p.need = d.byte(); p.need > 3 {
		d.bad = true
	}
	if p.need > 0 {
		b := d.take(2)
		p.lo, p.hi = b[0], b[1]
		p.acc = rune(d.num(1<<(21-6*int(p.need&3)) - 1))
		if p.lo < 0x80 || p.hi > 0xbf {
			d.bad = true
		}
	}

	t.title = d.text(maxTitle)
	t.icon = d.text(maxTitle)
	for n := d.num(maxTitles); n > 0 && !d.bad; n-- {
		t.titles = append(t.titles, titles{d.text(maxTitle), d.text(maxTitle)})
	}
	t.cwd = d.text(3 * maxTitle)
	d.dynamic(&t.colors)
	t.colors.palette = d.palette()
	t.cur = d.cursor()
	d.screen(&t.main, true)
	d.screen(&t.alt, alternate)
	t.scr = &t.main
	if alternate {
		t.scr = &t.alt
	}
	if d.version >= 2 {
		d.extras()
	}
	t.level = topLevel
	if d.version >= 3 {
		d.more()
	} else {
		t.modes |= modeSendReceive
	}
	if d.version >= 4 {
		d.latest()
	}
	if d.version >= 5 {
		d.told()
	}
}

func (d *decoder) latest() {
	for _, s := range []*screen{&d.t.main, &d.t.alt} {
		for n := d.num(len(s.rows)); n > 0 && !d.bad; n-- {
			y := d.num(len(s.rows) - 1)
			s.info[y].flags |= rowDouble
			s.doubled = true
		}
	}
	if d.t.modes&modeLeftRight != 0 || d.t.left != 0 || d.t.right != d.t.cols-1 {
		d.bad = d.bad || d.t.main.doubled || d.t.alt.doubled
	}
}

func (d *decoder) more() {
	t := d.t
	t.level = d.byte()
	copy(t.before52.g[:], d.take(4))
	t.before52.gl, t.before52.gr = d.byte()&3, d.byte()&3
	t.extent = d.byte()
	if t.level < 1 || t.level > topLevel || t.extent > extentRectangle {
		d.bad = true
	}
	for n := d.num(maxNotes); n > 0 && !d.bad; n-- {
		t.notes = append(t.notes, note{d.text(maxNoteID), d.text(maxTitle), d.text(maxTitle)})
	}
	d.unseen(&t.colors)
	for i := range t.colorStack {
		d.unseen(&t.colorStack[i])
	}
}

func (d *decoder) unseen(c *colors) {
	f := d.byte()
	for i := shownColors; i < len(c.set); i++ {
		if c.set[i] = f>>(i-shownColors)&1 != 0; c.set[i] {
			c.dynamic[i] = uint32(d.num(0xffffff))
		}
	}
	f = d.byte()
	for i := range c.marked {
		if c.marked[i] = f>>i&1 != 0; c.marked[i] {
			c.special[i] = uint32(d.num(0xffffff))
		}
	}
}

func (d *decoder) extras() {
	t := d.t
	t.sums = d.byte()
	s := &t.sixel
	s.mode = uint8(d.num(sixelRaster))
	s.number = d.num(maxParam)
	s.at = uint8(d.num(8))
	for _, n := range []*int{&s.repeat, &s.x, &s.w, &s.h} {
		*n = d.num(2 * maxParam)
	}
	s.bands = d.num(maxParam / 6)
	k := &t.kitty
	f := d.byte()
	k.open, k.show, k.stay = f&1 != 0, f&2 != 0, f&4 != 0
	k.id = d.num(1<<32 - 1)
	for _, n := range []*int{&k.w, &k.h, &k.cols, &k.rows} {
		*n = d.num(maxParam)
	}
	for n := d.num(maxKitty); n > 0 && !d.bad; n-- {
		k.known = append(k.known, kittyPicture{d.num(1<<32 - 1), d.num(maxParam), d.num(maxParam)})
	}
	for n := d.num(maxStack); n > 0 && !d.bad; n-- {
		p := pen{parts: uint32(d.num(1<<32 - 1))}
		for _, c := range []*Color{&p.style.FG, &p.style.BG, &p.style.UL} {
			*c = Color(d.num(3<<24 - 1))
		}
		p.style.Attr = Attr(d.num(1<<16 - 1))
		p.style.Under = uint8(d.num(int(UnderDashed)))
		t.pens = append(t.pens, p)
	}
	for n := d.num(maxStack); n > 0 && !d.bad; n-- {
		var c colors
		f := d.byte()
		c.set = [10]bool{f&1 != 0, f&2 != 0, f&4 != 0}
		d.dynamic(&c)
		c.palette = d.palette()
		t.colorStack = append(t.colorStack, c)
	}
}

func (d *decoder) dynamic(c *colors) {
	for i, set := range c.set[:shownColors] {
		if set {
			c.dynamic[i] = uint32(d.num(0xffffff))
		}
	}
}

func (d *decoder) palette() map[uint8]uint32 {
	n := d.num(256)
	if n == 0 {
		return nil
	}
	p := make(map[uint8]uint32)
	for ; n > 0 && !d.bad; n-- {
		i := d.byte()
		p[i] = uint32(d.num(0xffffff))
	}
	return p
}

// blockRef is a block as listed in a state.
func (d *decoder) block(h *history, last int) int {
	n := d.num(len(h.blocks.status) + 1)
	switch n {
	case 0:
		if last < 0 {
			d.bad = true
		}
		return last
	case 1:
		b := d.bytes(BlockSize)
		if d.bad {
			return -1
		}
		h.blocks.heap = append(h.blocks.heap, make([]byte, BlockSize))
		n := len(h.blocks.status) + len(h.blocks.heap) - 1
		copy(h.blocks.mem(n), b)
		h.blocks.used++
		return n
	}
	n -= 2
	if n >= len(h.blocks.status) || h.blocks.status[n] != blockFree {
		d.bad = true
		return -1
	}
	h.blocks.status[n] = blockUsed
	h.blocks.used++
	return n
}

func (d *decoder) history(h *history) {
	h.limit = d.num(1<<31 - 1)
	f := d.byte()
	h.goesOn = f&1 != 0
	h.base = d.long(1 << 62)
	h.first = d.long(1 << 62)
	h.uniformFrom = d.long(1 << 62)
	h.cut = d.long(^uint64(0)) - 1
	last := -1
	for n := d.num(len(d.buf)); n > 0 && !d.bad; n-- {
		last = d.block(h, last)
		x := extent{block: last, from: d.num(BlockSize), to: d.num(BlockSize), recs: d.num(BlockSize), starts: d.num(BlockSize)}
		if d.bad || !x.check(h.blocks.mem(last)) {
			d.bad = true
			return
		}
		h.extents = append(h.extents, x)
		h.recs += x.recs
		h.starts += x.starts
	}
	if f&2 != 0 {
		h.high = d.num(BlockSize)
		h.open = d.block(h, last)
		for _, x := range h.extents {
			if x.block == h.open && x.to > h.high {
				d.bad = true
			}
		}
	}
	h.width = d.t.cols
	d.bad = d.bad || h.recs > h.limit
}

// check tells that an extent holds what is said of it.
func (x *extent) check(b []byte) bool {
	recs, starts := 0, 0
	for o := x.from; o < x.to; recs++ {
		r, ok := header(b[o:x.to])
		if !ok || r.cols > maxCols {
			return false
		}
		if r.flags&recContinues == 0 {
			starts++
		}
		o += r.size
	}
	return x.from < x.to && recs == x.recs && starts == x.starts
}

// Load makes the terminal that AppendState saved. Size and history limit come
// from the state; o.Arena must be the memory the state was made with (or nil,
// when it was made without), and offset is the stream offset to go on at. A
// state that makes no sense gives an error; nothing in it can do harm.
func Load(saved []byte, o Options, offset uint64) (*Terminal, error) {
	if err := Readable(saved); err != nil {
		return nil, err
	}
	t := &Terminal{host: o.Host, tab: newTables(), gen: 1, keepTables: true, parsed: offset}
	t.cellW, t.cellH = 8, 16
	t.defaults = [3]uint32{0xe5e5e5, 0x000000, 0xe5e5e5}
	t.hist.init(o.Arena)
	d := decoder{buf: saved[1:], t: t, version: saved[0]}
	d.screens()
	if !d.bad {
		d.history(&t.hist)
	}
	t.moveCommands(t.hist.next())
	if d.bad || len(d.buf) != 0 || !t.sound() {
		return nil, errState
	}
	t.keepTables = false
	t.styleLimit = max(baseStyles, 2*len(t.tab.styles))
	t.clusterLimit = max(baseClusters, 2*len(t.tab.clusters))
	t.fit()
	t.setPen()
	return t, nil
}

// Readable tells by the beginning of a state whether [Load] knows its version.
func Readable(saved []byte) error {
	if len(saved) == 0 {
		return errState
	}
	if saved[0] < oldestVersion || saved[0] > stateVersion {
		return fmt.Errorf("vt: state of version %d, this program reads %d to %d", saved[0], oldestVersion, stateVersion)
	}
	return nil
}

// sound checks what the rest of the program relies on: wide characters are
// whole, and the place of the last character is one.
func (t *Terminal) sound() bool {
	for _, s := range []*screen{&t.main, &t.alt} {
		for y := range s.rows {
			row := s.peek(y, t.cols)
			for x, c := range row {
				after := x+1 < len(row) && row[x+1]&widthMask == 0
				if (c&widthMask == wide) != after || c&widthMask == 0 && x == 0 {
					return false
				}
			}
		}
	}
	return t.lastY < 0 || t.peek(t.lastY)[t.lastX]&widthMask != 0
}
