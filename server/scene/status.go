package scene

import "stet/server/wire"

// lay fits the three parts of a status line into w columns and returns the cells, and for each cell
// the index of its segment, counted through Left, List and Right, -1 for the space between.
//
// When the parts do not fit, the right part gives way first, keeping its end (the clock), then the
// list, keeping what has the focus in sight between the marks < and >, then the left part. tmux gives
// up the list first, which takes from a narrow screen the one part that is needed there.
func (l *StatusLine) lay(w int, t *tables) ([]wire.Cell, []int16) {
	cells, owner := make([]wire.Cell, w), make([]int16, w)
	t.fill(cells, l.Pen)
	for i := range owner {
		owner[i] = -1
	}
	left, leftOwner := t.shapeSegments(nil, nil, l.Left, 0)
	list, listOwner := t.shapeSegments(nil, nil, l.List, len(l.Left))
	right, rightOwner := t.shapeSegments(nil, nil, l.Right, len(l.Left)+len(l.List))

	over := len(left) + len(list) + len(right) - w
	give := func(have int) int {
		n := min(max(over, 0), have)
		over -= n
		return have - n
	}
	nRight := give(len(right))
	nList := give(len(list))
	nLeft := give(len(left))

	place := func(x int, part []wire.Cell, from, n int, partOwner []int16) {
		if n <= 0 {
			return
		}
		t.put(cells, x, part[from:from+n])
		copy(owner[x:x+n], partOwner[from:from+n])
	}
	place(0, left, 0, nLeft, leftOwner)
	place(w-nRight, right, len(right)-nRight, nRight, rightOwner)

	x := nLeft
	switch l.Justify {
	case JustifyCentre:
		x = nLeft + (w-nLeft-nRight-nList)/2
	case JustifyRight:
		x = w - nRight - nList
	case JustifyAbsoluteCentre:
		x = min(max((w-nList)/2, nLeft), w-nRight-nList)
	}
	from := l.scroll(listOwner, nList)
	place(x, list, from, nList, listOwner)
	if nList > 2 {
		if from > 0 {
			t.put(cells, x, t.shape(nil, "<", l.Pen, 1))
			owner[x] = -1
		}
		if from+nList < len(list) {
			t.put(cells, x+nList-1, t.shape(nil, ">", l.Pen, 1))
			owner[x+nList-1] = -1
		}
	}
	return cells, owner
}

// scroll returns the first column of a list that is shown, when only n columns are: so that the middle
// of the focus is in the middle.
func (l *StatusLine) scroll(owner []int16, n int) int {
	first, last := -1, -1
	for x, o := range owner {
		if i := int(o) - len(l.Left); i >= 0 && i < len(l.List) && l.List[i].Focus {
			if first < 0 {
				first = x
			}
			last = x
		}
	}
	middle := (first + last + 1) / 2 // 0 without a focus
	if first >= 0 && last-first >= n {
		middle = first - 1 + n/2 // its beginning behind the mark, when it is longer than the space
	}
	return max(min(middle-n/2, len(owner)-n), 0)
}

// segment returns the segment of an index that lay gave.
func (l *StatusLine) segment(i int) *Segment {
	for _, part := range [...][]Segment{l.Left, l.List, l.Right} {
		if i < len(part) {
			return &part[i]
		}
		i -= len(part)
	}
	return nil
}

// lay fits the prompt into w columns and returns the cells and the column of the cursor. The label
// leaves at least half of the line to the text, which moves so that the cursor is in sight.
func (p *Prompt) lay(w int, t *tables) ([]wire.Cell, int) {
	cells := make([]wire.Cell, w)
	t.fill(cells, p.Pen)
	label, _ := t.shapeSegments(nil, nil, p.Label, 0)
	if len(label) > w {
		label = label[:w]
	}
	at := min(max(p.Cursor, 0), len(p.Text))
	before := t.shape(nil, caret(p.Text[:at]), p.Pen, maxText)
	text := t.shape(nil, caret(p.Text), p.Pen, maxText)
	start := len(label)
	if len(text)+1 > w-start {
		start = max(min(start, w/2), w-len(text)-1)
	}
	if start > 0 && len(label) > 0 {
		t.put(cells, 0, label[:min(start, len(label))])
	}
	room := w - start
	from := 0
	if len(before) >= room {
		from = len(before) - room + 1
	}
	if from < len(text) {
		t.put(cells, start, text[from:min(len(text), from+room)])
	}
	return cells, min(start+len(before)-from, w-1)
}
