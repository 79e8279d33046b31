package vt

// What the owner changes, beside the stream: it must checkpoint after each of these.

// ClearLinks takes the hyperlinks out of the screens; the text stays.
func (t *Terminal) ClearLinks() {
	for i := range t.tab.styles {
		t.tab.styles[i].Link = 0
	}
	for _, s := range []*Style{&t.cur.style, &t.main.saved.style, &t.alt.saved.style} {
		s.Link = 0
	}
	t.compact() // and so into new tables, in which equal styles are one again
	for _, s := range []*screen{&t.main, &t.alt} {
		s.saved.pending = s.savedWraps()
		for y := range s.info {
			t.renew(&s.info[y])
		}
		s.anchorSaved()
	}
	t.endRun()
}

// Trim drops what the main screen shows below the cursor and brings back as many lines of the history
// above it. While the alternate screen is shown nothing happens.
func (t *Terminal) Trim() {
	below := t.rows - 1 - t.cur.y
	if t.scr != &t.main || below == 0 {
		return
	}
	for y := t.cur.y + 1; y < t.rows; y++ {
		t.clearRow(y, BlankCell)
		t.main.info[t.main.rows[y]].flags = 0
	}
	top, bottom, left, right := t.top, t.bottom, t.left, t.right
	cols, rows := t.cols, t.rows
	t.Resize(cols, rows-below) // a screen that is full to its last row takes lines back when it grows
	t.Resize(cols, rows)
	t.top, t.bottom, t.left, t.right = top, bottom, left, right
}
