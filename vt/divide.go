package vt

import "stet/vt/width"

// Divide ends what is on the screen with a line of text, for a pane that was
// restored: the old rows stay, the divider comes on the line behind the last
// that is not blank, and the cursor at the start of the line below it. What a
// program had set (pen, modes, margins, tabs, keyboard, colours, an unfinished
// sequence) is reset; the alternate screen is left, and its rows become plain
// lines above the divider. The owner must checkpoint after it, since it is not
// part of the stream.
func (t *Terminal) Divide(text string) {
	var last [][]Cell
	if t.scr == &t.alt {
		used := t.rows
		for used > 0 && trimmed(t.peek(used-1)) == 0 {
			used--
		}
		for y := range used {
			last = append(last, append([]Cell(nil), t.peek(y)...))
		}
	}
	t.keepTables = true // last holds cells outside the screens
	main := t.main
	t.main.cells = nil // reset clears the screens; the main one shall stay
	t.main.info = nil
	goesOn, doubled := t.hist.goesOn, t.main.doubled
	t.reset()
	t.hist.goesOn = goesOn
	t.main.cells, t.main.info, t.main.doubled = main.cells, main.info, doubled
	t.alt = screen{saved: homeCursor()}

	used := t.rows
	for used > 0 && trimmed(t.peek(used-1)) == 0 {
		used--
	}
	t.cur.y = used
	for _, row := range last {
		t.lineAtCursor()
		copy(t.row(t.cur.y), row)
		t.cur.y++
	}
	t.lineAtCursor()
	for _, r := range clean(text) {
		if width.Rune(r) > 0 && t.cur.pending {
			break // one line is all there is
		}
		t.print(r)
	}
	t.info(t.cur.y).flags = 0
	t.cur.x, t.cur.pending = 0, false
	t.cur.y++
	t.lineAtCursor()
	t.endRun()
	t.keepTables = false
	t.touchAll()
}

// lineAtCursor scrolls when the cursor stands behind the last row.
func (t *Terminal) lineAtCursor() {
	if t.cur.y >= t.rows {
		t.cur.y = t.rows - 1
		t.scrollUp(0, 1, true)
	}
	t.info(t.cur.y).flags = 0
}
