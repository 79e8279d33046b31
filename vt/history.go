package vt

import "bytes"

// BlockSize is the size of a block of history.
const BlockSize = 64 << 10

// reserveBlocks are kept out of use in an arena, for the records that come
// while dropped blocks wait for the next checkpoint.
const reserveBlocks = 16

// heapBlocks bounds a history without an arena.
const heapBlocks = 4096

// ArenaSize gives the bytes of arena that keep lines of history of a screen
// that wide, at two bytes a column: ASCII with a style every dozen columns, or
// CJK text. Denser styles make the oldest lines leave earlier. The memory need
// not be backed: blocks are used from the lowest number on.
func ArenaSize(lines, cols int) int {
	cols, _ = clampSize(cols, 1)
	blocks := (max(0, lines)*(2*cols+16)+BlockSize-1)/BlockSize + 2
	return (min(blocks, heapBlocks) + reserveBlocks) * BlockSize
}

// history is the scrollback: a row of records (see record.go) in blocks. Each
// record is a screen row as it left the screen; rows of one logical line are
// chained by recContinues, and wrapped anew for a width only when looked at.
//
// What the owner of the arena may rely on: a block is written from its
// beginning to its end, and no byte is written twice before the block is
// given back. Resizing takes lines back to the screen; this moves the end of
// the last extent only, and what is appended later begins a new extent behind
// all that was ever written, or goes over the same bytes if they are the same.
// A dropped block is retired until Published. So the blocks, together with any
// state saved since the last Published, always make up a whole history.
type history struct {
	limit  int // records kept
	blocks blocks

	extents []extent // oldest first; those of one block stand together
	open    int      // block being written, -1 none
	high    int      // bytes written of it

	recs   int    // records kept
	starts int    // of them, those that begin a line
	base   uint64 // records dropped ever: the number of the oldest record
	first  uint64 // number of the oldest logical line
	goesOn bool   // the last record goes on in the first row of the main screen
	cut    uint64 // lowest line number taken back since TakeHistoryCut; ^0 none

	// Rows at the present width. While all records were made at this width
	// they are rows; else the rows are counted when first asked for.
	width       int
	uniformFrom uint64 // number of the first record made at this width
	counted     bool
	count       int
	col         int // where the last line stands in its last row

	marks      []rowMark // see findMark
	marksWidth int
	marksBase  uint64

	rec recorder
	buf []byte
}

// extent is a stretch of records in one block.
type extent struct {
	block, from, to int
	recs, starts    int
}

func (h *history) init(arena []byte) {
	h.blocks.init(arena)
	h.open, h.cut = -1, ^uint64(0)
}

// push appends a row without the blank cells at its end.
func (h *history) push(t *tables, row []Cell, flags rowFlags) {
	if h.limit == 0 {
		h.goesOn = false
		return
	}
	rf := flags.record() &^ (recWrapped | recFiller)
	if h.goesOn {
		rf |= recContinues
	}
	h.buf = h.rec.append(h.buf[:0], t, row, rf)
	if len(h.buf) > BlockSize { // a row that dense becomes two records
		half := len(row) / 2
		if row[half]&widthMask == 0 {
			half++
		}
		h.push(t, row[:half], flags|rowWrapped)
		h.push(t, row[half:], flags&^rowMarks)
		h.uniformFrom = h.base + uint64(h.recs)
		h.counted = false
		return
	}
	h.store(h.buf)
	h.recs++
	if rf&recContinues == 0 {
		h.starts++
	}
	if h.counted && !h.uniform() {
		r, _ := header(h.buf)
		h.countRecord(&r)
	}
	h.goesOn = flags&rowWrapped != 0
	for h.recs > h.limit {
		h.drop()
	}
}

// store puts the bytes of a record at the end.
func (h *history) store(rec []byte) {
	start := 0
	if recordFlags(rec[0])&recContinues == 0 {
		start = 1
	}
	if n := len(h.extents); n > 0 {
		if e := &h.extents[n-1]; e.block == h.open {
			b := h.blocks.mem(e.block)
			if e.to+len(rec) <= h.high && bytes.Equal(b[e.to:e.to+len(rec)], rec) || // taken back, and now again
				e.to == h.high && e.to+len(rec) <= BlockSize {
				copy(b[e.to:], rec)
				e.to += len(rec)
				e.recs++
				e.starts += start
				h.high = max(h.high, e.to)
				return
			}
		}
	}
	if h.open < 0 || h.high+len(rec) > BlockSize {
		for h.recs > 0 && h.blocks.used >= h.blocks.usable {
			h.dropBlock()
		}
		old := h.open
		h.open, h.high = h.blocks.take(), 0
		if old >= 0 {
			h.release(old)
		}
	}
	copy(h.blocks.mem(h.open)[h.high:], rec)
	h.extents = append(h.extents, extent{h.open, h.high, h.high + len(rec), 1, start})
	h.high += len(rec)
}

// release gives a block back when nothing is left in it.
func (h *history) release(block int) {
	if block == h.open {
		return
	}
	for i := range h.extents {
		if h.extents[i].block == block {
			return
		}
	}
	h.blocks.give(block)
}

// oldest reads the oldest record.
func (h *history) oldest() (r record, ok bool) {
	if len(h.extents) == 0 {
		return r, false
	}
	e := &h.extents[0]
	return header(h.blocks.mem(e.block)[e.from:e.to])
}

// drop lets the oldest record go.
func (h *history) drop() {
	r, ok := h.oldest()
	if !ok {
		h.clear()
		return
	}
	if h.counted && !h.uniform() {
		h.uncountOldest()
	}
	e := &h.extents[0]
	e.from += r.size
	e.recs--
	h.recs--
	if r.flags&recContinues == 0 {
		e.starts--
		h.starts--
	}
	h.base++
	if e.recs == 0 {
		block := e.block
		h.extents = h.extents[1:]
		if len(h.extents) == 0 || h.extents[0].block != block {
			if block != h.open {
				h.blocks.give(block)
			}
		}
	}
	goesOn := h.goesOn
	if len(h.extents) > 0 {
		e := &h.extents[0]
		goesOn = recordFlags(h.blocks.mem(e.block)[e.from])&recContinues != 0
	}
	if !goesOn {
		h.first++
	}
}

// dropBlock lets the records of the oldest block go.
func (h *history) dropBlock() {
	for block := h.extents[0].block; h.recs > 0 && h.extents[0].block == block; {
		h.drop()
	}
}

// clear drops all.
func (h *history) clear() {
	h.first = h.next()
	h.goesOn = false
	h.base += uint64(h.recs)
	h.recs, h.starts = 0, 0
	open := h.open
	h.open, h.high = -1, 0
	last := -1
	for _, e := range h.extents {
		if e.block != last {
			last = e.block
			h.blocks.give(last)
		}
	}
	if open >= 0 && open != last {
		h.blocks.give(open)
	}
	h.extents = nil
	h.uniformFrom = min(h.uniformFrom, h.base)
	h.counted = false
}

// lines is the number of logical lines, the unfinished one and one whose
// beginning is gone included.
func (h *history) lines() int {
	r, ok := h.oldest()
	if !ok {
		return 0
	}
	if r.flags&recContinues != 0 {
		return h.starts + 1
	}
	return h.starts
}

// next is the number behind the last finished line.
func (h *history) next() uint64 {
	n := h.first + uint64(h.lines())
	if h.goesOn && h.recs > 0 {
		n--
	}
	return n
}

// sever tells that what the last record goes on in is no longer there.
func (h *history) sever() { h.goesOn = false }

// offsets lists where the records of extent i begin.
func (h *history) offsets(i int) []int {
	e := h.extents[i]
	at := make([]int, 0, e.recs)
	o := e.from
	h.within(i, func(r *record) bool {
		at = append(at, o)
		o += r.size
		return true
	})
	return at
}

// tail reads records from the newest to the oldest until f returns false.
func (h *history) tail(f func(r record) bool) {
	for i := len(h.extents) - 1; i >= 0; i-- {
		at := h.offsets(i)
		b := h.blocks.mem(h.extents[i].block)
		for k := len(at) - 1; k >= 0; k-- {
			if r, ok := header(b[at[k]:h.extents[i].to]); !ok || !f(r) {
				return
			}
		}
	}
}

// pop takes the n newest records back: their bytes stay where they are, but
// are no longer part of the history.
func (h *history) pop(n int) {
	for n > 0 && len(h.extents) > 0 {
		i := len(h.extents) - 1
		at := h.offsets(i)
		e := &h.extents[i]
		b := h.blocks.mem(e.block)
		for k := len(at) - 1; k >= 0 && n > 0; k-- {
			r, _ := header(b[at[k]:e.to])
			e.to = at[k]
			e.recs--
			h.recs--
			n--
			h.goesOn = r.flags&recContinues != 0
			if !h.goesOn {
				e.starts--
				h.starts--
			}
		}
		if e.recs == 0 {
			block := e.block
			h.extents = h.extents[:i]
			h.release(block)
		}
	}
	h.counted = false
	h.marks = h.marks[:min(len(h.marks), len(h.extents))]
	h.cut = min(h.cut, h.next())
}

// HistoryRange gives the numbers of the finished logical lines in the history:
// first up to next-1. Numbers are never given anew for other text, but for one
// case: a resize may take lines back to the screen, see TakeHistoryCut.
func (t *Terminal) HistoryRange() (first, next uint64) { return t.hist.first, t.hist.next() }

// TakeHistoryCut tells that lines from number cut on were taken back to the
// screen since the last call, and may have left it again with other text: who
// keeps a copy of the lines must cut it there. After a Load the cut may be
// told once more; never is one missed.
func (t *Terminal) TakeHistoryCut() (cut uint64, ok bool) {
	cut = t.hist.cut
	t.hist.cut = ^uint64(0)
	return cut, cut != ^uint64(0)
}

// SetHistory changes how many lines are kept; the oldest go first. The owner
// must checkpoint after it, since it is not part of the stream.
func (t *Terminal) SetHistory(lines int) {
	t.hist.limit = max(0, lines)
	for t.hist.recs > t.hist.limit {
		t.hist.drop()
	}
}

// ClearHistory drops all lines of the history. The owner must checkpoint after
// it.
func (t *Terminal) ClearHistory() { t.hist.clear() }

// pushRow puts a row of the main screen into the history.
func (t *Terminal) pushRow(y int) {
	if t.hist.limit == 0 {
		return
	}
	info := t.main.info[t.main.rows[y]]
	row := t.main.peek(y, t.cols)
	if info.flags&rowWrapped == 0 {
		row = row[:trimmed(row)]
	} else if info.flags&rowFiller != 0 && y+1 < t.rows && isFiller(row, t.main.peek(y+1, t.cols)) {
		row = row[:len(row)-1]
	}
	t.hist.push(&t.tab, row, info.flags)
}

// isFiller tells that the blank at the end of a row is there only because the
// wide character that begins the next row did not fit.
func isFiller(row, next []Cell) bool {
	return row[len(row)-1]&^styleMask == BlankCell && next[0]&widthMask == wide
}
