package scene

import "stet/server/wire"

// lay fits the parts of a status line into w columns and returns the cells, and for each cell the index of
// its segment, counted through parts, -1 for the space between.
//
// When the parts do not fit, what is in the middle gives way first, then the right part, keeping its end
// (the clock), then the list, keeping what has the focus in sight between its two marks, then the left part.
// tmux gives up the list before the right part, which takes from a narrow screen the one part that is needed there.
func (l *StatusLine) lay(w int, t *tables) ([]wire.Cell, []int16) {
	cells, owner := make([]wire.Cell, w), make([]int16, w)
	t.fill(cells, l.Pen)
	for i := range owner {
		owner[i] = -1
	}
	p := l.shape(t)
	n := p.fit(w)
	x := [len(p)]int{partRight: w - n[partRight]}
	from, free := n[partLeft], w-n[partRight] // what left and right leave
	group := n[partList] + n[partAfter]
	switch l.Justify {
	case JustifyCentre:
		group += n[partCentre]
		from = max(min(from+(free-from)/2-n[partList]/2-n[partCentre], free-group), from)
		x[partCentre], x[partList] = from, from+n[partCentre]
		x[partAfter] = x[partList] + n[partList]
	case JustifyRight:
		x[partList] = free - group
		x[partAfter] = free - n[partAfter]
		x[partCentre] = from + (x[partList]-from-n[partCentre])/2
	default:
		x[partList] = from
		if l.Justify == JustifyAbsoluteCentre {
			x[partList] = max(min((w-n[partList])/2, free-group-n[partCentre]), from)
		}
		x[partAfter] = x[partList] + n[partList]
		from = x[partAfter] + n[partAfter]
		x[partCentre] = from + (free-from-n[partCentre])/2
	}
	x[partMiddle] = (w - n[partMiddle]) / 2
	for i := range p {
		start := 0
		switch i {
		case partRight:
			start = len(p[i].cells) - n[i]
		case partList:
			start = l.scroll(p[i].owner, n[i], len(l.Left))
		}
		p[i].put(t, cells, owner, x[i], start, n[i])
		if i == partList {
			l.mark(t, cells, owner, x[i], start, n[i], len(p[i].cells))
		}
	}
	return cells, owner
}

// The parts of a status line, in the order that segments are counted.
const (
	partLeft = iota
	partList
	partAfter
	partRight
	partCentre
	partMiddle
	numParts
)

// parts are the segments of a line by part.
func (l *StatusLine) parts() [numParts][]Segment {
	return [numParts][]Segment{l.Left, l.List, l.After, l.Right, l.Centre, l.Middle}
}

// shapedPart is a part as cells, with the number of the segment that each belongs to.
type shapedPart struct {
	cells []wire.Cell
	owner []int16
}

type shapedParts [numParts]shapedPart

func (l *StatusLine) shape(t *tables) (p shapedParts) {
	first := 0
	for i, part := range l.parts() {
		p[i].cells, p[i].owner = t.shapeSegments(nil, nil, part, first)
		first += len(part)
	}
	return p
}

// fit says how many columns each part gets of w. What is over the middle of the line takes none from others.
func (p *shapedParts) fit(w int) (n [numParts]int) {
	over := -w
	for i := range p {
		n[i] = len(p[i].cells)
		if i != partMiddle {
			over += n[i]
		}
	}
	for _, i := range [...]int{partCentre, partRight, partList, partAfter, partLeft} {
		less := min(max(over, 0), n[i])
		n[i] -= less
		over -= less
	}
	n[partMiddle] = min(n[partMiddle], w)
	return n
}

// put draws n columns of a part.
func (p *shapedPart) put(t *tables, cells []wire.Cell, owner []int16, x, from, n int) {
	if n <= 0 {
		return
	}
	t.put(cells, x, p.cells[from:from+n])
	copy(owner[x:x+n], p.owner[from:from+n])
}

// mark shows where a list is cut.
func (l *StatusLine) mark(t *tables, cells []wire.Cell, owner []int16, x, from, n, all int) {
	put := func(at int, mark []Segment, usual string) {
		if len(mark) == 0 {
			mark = []Segment{{Text: usual, Pen: l.Pen}}
		}
		c, _ := t.shapeSegments(nil, nil, mark, 0)
		if c = c[:min(len(c), n/2)]; len(c) > 0 {
			if at > x {
				at -= len(c) - 1
			}
			t.put(cells, at, c)
			for i := range c {
				owner[at+i] = -1
			}
		}
	}
	if n > 2 && from > 0 {
		put(x, l.LeftMarker, "<")
	}
	if n > 2 && from+n < all {
		put(x+n-1, l.RightMarker, ">")
	}
}

// scroll returns the first column of a list that is shown, when only n columns are: so that the middle
// of the focus is in the middle. first is the number of the list's first segment.
func (l *StatusLine) scroll(owner []int16, n, first int) int {
	begin, last := -1, -1
	for x, o := range owner {
		if i := int(o) - first; i >= 0 && i < len(l.List) && l.List[i].Focus {
			if begin < 0 {
				begin = x
			}
			last = x
		}
	}
	middle := (begin + last + 1) / 2 // 0 without a focus
	if begin >= 0 && last-begin >= n {
		middle = begin - 1 + n/2 // its beginning behind the mark, when it is longer than the space
	}
	return max(min(middle-n/2, len(owner)-n), 0)
}

// segment returns the segment of an index that lay gave.
func (l *StatusLine) segment(i int) *Segment {
	for _, part := range l.parts() {
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
