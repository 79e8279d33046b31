package vt

import (
	"encoding/binary"
	"sort"
	"sync"
	"unicode/utf8"

	"stet/vt/width"
)

// This file shows the history as rows of the present width.

// setWidth tells that rows are of another width from now on.
func (h *history) setWidth(w int) {
	if w != h.width {
		h.width = w
		h.uniformFrom = h.base + uint64(h.recs)
		h.counted = false
	}
}

// uniform tells that every record is a row of the present width.
func (h *history) uniform() bool { return h.base >= h.uniformFrom }

// rows is the number of rows at the present width.
func (h *history) rows() int {
	if h.uniform() {
		return h.recs
	}
	if !h.counted {
		h.counted, h.count, h.col = true, 0, 0
		h.findMark(0)
		for i := range h.extents {
			if i == len(h.marks) { // who counts knows them all: no later look has to begin at the oldest
				h.marks = append(h.marks, rowMark{h.count - 1, h.col})
			}
			h.within(i, func(r *record) bool {
				h.countRecord(r)
				return true
			})
		}
	}
	return h.count
}

// each reads all records, oldest first, until f returns false.
func (h *history) each(f func(r *record) bool) {
	for i := range h.extents {
		if !h.within(i, f) {
			return
		}
	}
}

// within reads the records of extent i until f returns false, which it passes on. The record is the same
// one for every call, so that a long history is not an allocation for each.
func (h *history) within(i int, f func(r *record) bool) bool {
	e := &h.extents[i]
	b := h.blocks.mem(e.block)
	var r record
	for o := e.from; o < e.to; o += r.size {
		var ok bool
		if r, ok = header(b[o:e.to]); !ok {
			break
		}
		if !f(&r) {
			return false
		}
	}
	return true
}

// eachFrom reads the records from some record on that stands before the logical line from, with the
// number of the line that each belongs to, until f returns false. What lies before is passed over by the
// extent, so that reading a long history piece by piece takes no longer than reading it once.
func (h *history) eachFrom(from uint64, f func(n uint64, r *record) bool) {
	r, ok := h.oldest()
	if !ok {
		return
	}
	n := h.first // of the line that goes on until a record begins the next
	if r.flags&recContinues == 0 {
		n--
	}
	for i := range h.extents {
		e := &h.extents[i]
		if n+uint64(e.starts) < from {
			n += uint64(e.starts)
			continue
		}
		if !h.within(i, func(r *record) bool {
			if r.flags&recContinues == 0 {
				n++
			}
			return f(n, r)
		}) {
			return
		}
	}
}

// countRecord counts one record more at the end.
func (h *history) countRecord(r *record) {
	if r.flags&recContinues == 0 || h.count == 0 {
		h.count++
		h.col = 0
	}
	n, col := measure(r, h.col, h.width)
	h.count += n
	h.col = col
}

// uncountOldest takes the oldest record out of the count. A line of very many
// records is not gone through for it; the count is then made anew when asked
// for.
func (h *history) uncountOldest() {
	var before, after, colB, colA, n int
	h.each(func(r *record) bool {
		if n > 0 && r.flags&recContinues == 0 || n > 64 {
			return false
		}
		add := 0
		if n == 0 {
			before = 1
		} else if n == 1 {
			after = 1
		}
		add, colB = measure(r, colB, h.width)
		before += add
		if n > 0 {
			add, colA = measure(r, colA, h.width)
			after += add
		}
		n++
		return true
	})
	if n > 64 || n == h.recs {
		h.counted = false
	}
	h.count -= before - after
}

// measure tells how many rows begin inside a record that begins at column col
// of a row of width w, and at which column it ends. It agrees with wrapper.
func measure(r *record, col, w int) (rows, end int) {
	if r.cols == 0 {
		return 0, col
	}
	if r.flags&recWide == 0 {
		total := col + r.cols
		rows = (total - 1) / w
		return rows, total - rows*w
	}
	for text := r.text; len(text) > 0; {
		if n := wideRun(text, (w-col)/2); n > 0 {
			col += 2 * n
			text = text[3*n:]
			continue
		}
		var n int
		if b := text[0]; b >= 0x20 && b < 0x80 {
			n, text = 1, text[1:]
		} else {
			_, n, text = nextCell(text)
		}
		if n = min(n, w); col+n > w {
			rows++
			col = 0
		}
		col += n
	}
	return rows, col
}

// wideRun counts, up to most, the characters of two columns and three bytes that text begins with: nearly
// all of a text in Chinese, Japanese or Korean.
func wideRun(text []byte, most int) (n int) {
	bits := wideBits()
	for ; n < most && len(text) >= 4; n++ { // 4, to be read at once
		x := binary.LittleEndian.Uint32(text)
		if x&0xc0c0f0 != 0x8080e0 || bits[x&0xf<<6|x>>8&0x3f]>>(x>>16&0x3f)&1 == 0 {
			return n
		}
		text = text[3:]
	}
	return n
}

// wideBits has a bit for each code point below U+10000: whether it takes two columns. Counting the rows of
// a long history looks at every character, and width's table is slow for that.
var wideBits = sync.OnceValue(func() *[1024]uint64 {
	var bits [1024]uint64
	for r := rune(0x800); r < 0x10000; r++ {
		if width.Rune(r) == 2 && utf8.ValidRune(r) {
			bits[r>>6] |= 1 << (r & 63)
		}
	}
	return &bits
})

// view gives rows from to to-1, counted from the oldest, to emit. Numbers in
// the cells are t's.
func (h *history) view(t *tables, from, to int, emit func(cells []Cell, flags rowFlags)) {
	if h.uniform() {
		h.viewRecords(t, from, to, emit)
		return
	}
	first := h.findMark(from)
	at, col := h.marks[first].at, h.marks[first].col // the row and column behind the records seen
	active := false
	w := wrapper{width: h.width}
	w.emit = func(c []Cell, f rowFlags) {
		if n := at + w.n; n >= from && n < to {
			emit(c, f)
		}
	}
	var cells []Cell
	read := func(r *record) bool {
		starts := r.flags&recContinues == 0 || at < 0
		if !active {
			if starts {
				at, col = at+1, 0
			}
			n, end := measure(r, col, h.width)
			if at+n < from {
				at, col = at+n, end
				return true
			}
			// From here on the cells are needed. What stands before this record
			// in its first row is not: either nothing does, or that row is not
			// asked for.
			active = true
			w.feed(blanks(col), 0)
		} else if starts {
			w.line()
		}
		cells = r.appendCells(cells[:0], t)
		w.feed(cells, r.flags.row()&rowMarks)
		return at+w.n < to
	}
	for i := first; i < len(h.extents) && h.within(i, read); i++ {
		if !active && i+1 == len(h.marks) {
			h.marks = append(h.marks, rowMark{at, col})
		}
	}
	if !active || at+w.n >= to {
		return
	}
	if h.goesOn {
		w.flush(rowWrapped)
	} else {
		w.end()
	}
}

// rowMark is where the rows stand in front of an extent: the row and the column behind all records
// before it.
type rowMark struct{ at, col int }

// findMark tells from which extent to read for row from: the last one known to begin in a row before it.
// The marks are learned by reading, so that a walk through a long history reads each record about once,
// and not all from the oldest for every page. They hold for one width and one oldest record; pop cuts
// off those that it makes wrong, and what is pushed stands behind them all.
func (h *history) findMark(from int) int {
	if len(h.marks) == 0 || h.marksWidth != h.width || h.marksBase != h.base {
		h.marks = append(h.marks[:0], rowMark{at: -1})
		h.marksWidth, h.marksBase = h.width, h.base
	}
	n := sort.Search(len(h.marks), func(i int) bool { return h.marks[i].at >= from })
	return max(n-1, 0)
}

func blanks(n int) []Cell {
	c := make([]Cell, max(n, 0))
	fill(c, BlankCell)
	return c
}

// viewRecords is view when every record is a row.
func (h *history) viewRecords(t *tables, from, to int, emit func(cells []Cell, flags rowFlags)) {
	var cells []Cell
	var flags rowFlags
	held := false // the last row waits for the next to say whether it goes on
	n := 0
	for i := range h.extents {
		e := &h.extents[i]
		if n+e.recs <= from {
			n += e.recs
			continue
		}
		b := h.blocks.mem(e.block)
		for o := e.from; o < e.to; n++ {
			r, ok := header(b[o:e.to])
			if !ok {
				break
			}
			o += r.size
			if held {
				if r.flags&recContinues != 0 {
					flags |= rowWrapped
				}
				emit(cells, flags)
				held = false
			}
			if n >= to {
				return
			}
			if n >= from {
				cells = r.appendCells(cells[:0], t)
				flags = r.flags.row() & rowMarks
				held = true
			}
		}
	}
	if held {
		if h.goesOn {
			flags |= rowWrapped
		}
		emit(cells, flags)
	}
}
