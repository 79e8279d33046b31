package vt

import "stet/vt/width"

// Divide ends what is on the screen with a line of text, for a pane that was
// restored: after Leave the divider comes on the line of the cursor, and the
// cursor at the start of the line below it. The owner must checkpoint after it,
// since it is not part of the stream.
func (t *Terminal) Divide(text string) {
	t.Leave()
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
	t.touchAll()
}

// Leave ends what a program had set (pen, modes, margins, tabs, keyboard,
// colours, an unfinished sequence) and what its shell had told of where it is. The rows stay, and the cursor goes to the
// start of the line behind the last that is not blank. The alternate screen is
// left, and its rows become plain lines. As Divide it is not part of the stream.
func (t *Terminal) Leave() {
	t.Interrupt()
	t.cwd, t.branch = "", "" // whoever comes next has told nothing yet
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
