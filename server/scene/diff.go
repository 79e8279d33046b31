package scene

import "stet/server/wire"

// A run costs its position, its length, a pen and a count: about this many bytes. Unchanged cells
// between two changes are sent along when they cost less.
const runCost = 6

// minGain is how many cells a scroll must save.
const minGain = 8

// diff adds the runs that turn row y of what the client has into the assembled row. A run begins and
// ends at whole cells: a right half has the same pen as its left half, so it changes only with it, and
// a left half that changes takes its right half along. The cells of a run are those of c.shown.
func (c *Composer) diff(f *wire.Frame, y int) {
	next, shown := c.row, c.shown[y*c.w:(y+1)*c.w]
	for x := 0; x < len(next); {
		if next[x] == shown[x] {
			x++
			continue
		}
		start, end := x, x+1
		for x = end; x < len(next) && x-end < runCost; x++ {
			if next[x] != shown[x] {
				end = x + 1
			} else if !sameASCII(next[x], next[end-1]) {
				break
			}
		}
		for end < len(next) && next[end].Width() == 0 {
			end++
		}
		for start > 0 && next[start].Width() == 0 {
			start--
		}
		copy(shown[start:end], next[start:end])
		f.Runs = append(f.Runs, wire.Run{X: start, Y: y, Cells: shown[start:end:end]})
		x = end
	}
}

// sameASCII says that two cells go into one ASCII segment.
func sameASCII(a, b wire.Cell) bool {
	const ascii = 0x7f
	return a&^ascii == b&^ascii && a&(wire.CellRune|wire.CellCluster) <= ascii
}

// scroll moves the rows of a pane on the client when that leaves fewer cells to send. Only whole rows
// of the screen can move.
func (c *Composer) scroll(f *wire.Frame, at *placed) {
	n := at.pic.shift.n
	if !at.pic.updated || n == 0 || !at.full(c.w) {
		return
	}
	top, bottom := max(at.y+at.pic.shift.top, at.top), min(at.y+at.pic.shift.bottom, at.bottom-1)
	if bottom-top < max(n, -n) {
		return
	}
	before, after := 0, 0
	for y := top; y <= bottom; y++ {
		c.assemble(y)
		before += differ(c.row, c.shown[y*c.w:(y+1)*c.w])
		if from := y + n; from >= top && from <= bottom {
			after += differ(c.row, c.shown[from*c.w:(from+1)*c.w])
		} else {
			for _, k := range c.row {
				if k != wire.Blank {
					after++
				}
			}
		}
	}
	if after+minGain > before {
		return
	}
	rows := c.shown[top*c.w : (bottom+1)*c.w]
	if k := n * c.w; n > 0 {
		copy(rows, rows[k:])
		fill(rows[len(rows)-k:], wire.Blank)
	} else {
		copy(rows[-k:], rows)
		fill(rows[:-k], wire.Blank)
	}
	for y := top; y <= bottom; y++ {
		c.dirty[y] = true
	}
	f.Scrolls = append(f.Scrolls, wire.Scroll{Top: top, Bottom: bottom, N: n})
}

func differ(a, b []wire.Cell) int {
	n := 0
	b = b[:len(a)]
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
