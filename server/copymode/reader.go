package copymode

// reader walks over the rows. It knows nothing of the screen: what it has found becomes the cursor with
// acquireUp or acquireDown.
type reader struct {
	m *Mode
	position
}

func (m *Mode) reader() *reader { return &reader{m, m.cursor()} }

func (r *reader) length() int   { return r.m.length(r.y) }
func (r *reader) wrapped() bool { return r.m.line(r.y).Wrapped }
func (r *reader) wrappedAbove() bool {
	return r.y > 0 && r.m.line(r.y-1).Wrapped
}
func (r *reader) in(set string) bool { return r.m.in(r.position, set) }

// head goes to the left half of a wide character.
func (r *reader) head() {
	for r.x > 0 && r.m.half(r.position) {
		r.x--
	}
}

// left goes one character left; at a row's beginning to the end of the row above, with wrap always and
// without where that is the same line.
func (r *reader) left(wrap bool) {
	r.head()
	if r.x == 0 {
		if r.y > 0 && (wrap || r.wrappedAbove()) {
			r.y--
			r.x = r.length()
		}
		return
	}
	r.x--
	r.head()
}

// right goes one character right, with wrap from a row's end to the next row. all goes over the blank
// cells at the row's end too.
func (r *reader) right(wrap, all bool) {
	end := r.length()
	if all {
		end = r.m.cols
	}
	switch {
	case wrap && r.x >= end && r.y < r.m.last():
		r.x, r.y = 0, r.y+1
	case r.x < end:
		r.x++
		for r.x < end && r.m.half(r.position) {
			r.x++
		}
	}
}

// lineStart goes to the beginning of the line, lineEnd to its end; all means the screen's edge.
func (r *reader) lineStart() { r.x, r.y = 0, r.m.lineStart(r.y) }

func (r *reader) lineEnd(all bool) {
	r.y = r.m.lineEnd(r.y)
	if r.x = r.length(); all {
		r.x = r.m.cols
	}
}

// indentation goes to the line's first character that is not blank.
func (r *reader) indentation() {
	start := r.m.lineStart(r.y)
	for y, end := start, r.m.lineEnd(r.y); y <= end; y++ {
		for x := range r.m.length(y) {
			if !r.m.in(position{x, y}, whitespace) {
				r.position = position{x, y}
				return
			}
		}
	}
}

// edge is the last column of the row that belongs to it when words are looked for: words go over wrapped
// rows, and behind the end of others there is white space.
func (r *reader) edge() int {
	if r.wrapped() {
		return len(r.m.line(r.y).Cells) - 1
	}
	return r.length()
}

// within steps to the next row where the reader has gone over the edge. False: there is no next row.
func (r *reader) within() bool {
	for r.x > r.edge() {
		if r.y == r.m.last() {
			return false
		}
		r.x, r.y = 0, r.y+1
	}
	return true
}

// over steps right as long as the reader stands on what while says.
func (r *reader) over(while func() bool) {
	r.x++
	for r.within() && while() {
		r.x++
	}
}

func (r *reader) inSpace() bool { return r.in(whitespace) }

// word tells whether the reader stands on a letter of a word: neither blank nor a separator.
func (r *reader) word(separators string) bool { return !r.inSpace() && !r.in(separators) }

// nextWord goes to the beginning of the next word. Separators that follow each other are a word as well.
func (r *reader) nextWord(separators string) {
	if !r.within() {
		return
	}
	switch {
	case r.inSpace():
	case r.in(separators):
		r.over(func() bool { return r.in(separators) && !r.inSpace() })
	default:
		r.over(func() bool { return r.word(separators) })
	}
	for r.within() && r.inSpace() {
		r.x++
	}
}

// nextWordEnd goes behind the end of the next word.
func (r *reader) nextWordEnd(separators string) {
	for r.within() {
		switch {
		case r.inSpace():
			r.x++
		case r.in(separators):
			r.over(func() bool { return r.in(separators) && !r.inSpace() })
			return
		default:
			r.over(func() bool { return r.word(separators) })
			return
		}
	}
}

// previousWord goes to the beginning of the word before; with stay, where the reader is in a word, to the
// beginning of that.
func (r *reader) previousWord(separators string, stay bool) {
	letters := !r.in(separators)
	if !stay || r.inSpace() {
		for {
			if r.x > 0 {
				r.x--
				if !r.inSpace() {
					letters = !r.in(separators)
					break
				}
				continue
			}
			if r.y == 0 {
				return
			}
			r.y--
			r.x = r.length()
		}
	}
	var old position
	for {
		old = r.position
		if r.x == 0 {
			if !r.wrappedAbove() {
				break
			}
			r.y--
			r.x = len(r.m.line(r.y).Cells)
		}
		if r.x > 0 {
			r.x--
		}
		if r.inSpace() || letters == r.in(separators) {
			break
		}
	}
	r.position = old
	r.head()
}

// jumpTo goes to the next cell with a character in the line, from the reader on; false where there is
// none.
func (r *reader) jumpTo(char string) bool {
	for y, x := r.y, r.x; ; y, x = y+1, 0 {
		for end := r.m.length(y); x < end; x++ {
			if r.m.char(position{x, y}) == char {
				r.position = position{x, y}
				return true
			}
		}
		if y >= r.m.last() || !r.m.line(y).Wrapped {
			return false
		}
	}
}

// jumpBack goes to the cell with a character at or before the reader in the line.
func (r *reader) jumpBack(char string) bool {
	for y, x := r.y, r.x; ; {
		for ; x >= 0; x-- {
			if r.m.char(position{x, y}) == char {
				r.position = position{x, y}
				return true
			}
		}
		if y == 0 || !r.m.line(y-1).Wrapped {
			return false
		}
		y--
		x = r.m.length(y) - 1
	}
}
