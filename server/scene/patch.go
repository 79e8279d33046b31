package scene

import (
	"strconv"
	"strings"

	"stet/server/wire"
)

// patch is a piece of a row drawn over what the panes show.
type patch struct {
	y, x  int
	cells []wire.Cell
}

// coverScreen makes the patches that belong to no pane: overlays, status lines, prompt or message.
func (c *Composer) coverScreen(s *Spec) {
	c.screenPatches, c.topPatches = c.screenPatches[:0], c.topPatches[:0]
	for i := range s.Overlays {
		c.screenPatches = c.overlay(&s.Overlays[i], c.screenPatches)
	}
	c.coverPopup(s)
	if s.Popup != nil {
		for i := range s.Popup.Over {
			c.topPatches = c.overlay(&s.Popup.Over[i], c.topPatches)
		}
	}
	v := c.view
	row := promptRow(s, v, c.h)
	asked := s.Prompt != nil || s.Message != ""
	for i := range s.Status.Rows(c.h) {
		y := v.h + i
		if v.top > 0 {
			y = i
		}
		if y == row && asked {
			continue
		}
		cells, _ := s.Status.Lines[i].lay(c.w, c.t)
		c.screenPatches = append(c.screenPatches, patch{y, 0, cells})
	}
	if !asked {
		return
	}
	var cells []wire.Cell
	if s.Prompt != nil {
		cells, c.promptCursor = s.Prompt.lay(c.w, c.t)
	} else {
		cells = c.bar(s.Message, s.Styles.Message, c.w)
	}
	c.topPatches = append(c.topPatches, patch{row, 0, cells})
}

// promptRow is the row of the screen where prompt and message stand: one of the status area, or the last of the
// screen.
func promptRow(s *Spec, v view, h int) int {
	line := max(min(s.MessageLine, h-v.h-1), 0)
	switch {
	case v.h == h:
		return h - 1
	case s.Status.Top:
		return line
	}
	return v.h + line
}

// bar returns n cells of one look with a text at their start.
func (c *Composer) bar(text string, pen wire.Pen, n int) []wire.Cell {
	cells := make([]wire.Cell, n)
	c.t.fill(cells, pen)
	c.t.put(cells, 0, c.t.shape(nil, text, pen, n))
	return cells
}

// overlay adds the rows of a box that are on the screen.
func (c *Composer) overlay(o *Overlay, out []patch) []patch {
	r := o.Rect
	right := min(r.X+r.W, c.w)
	n := right - r.X
	if n <= 0 || right <= 0 || n > wire.MaxSide {
		return out
	}
	for y := max(r.Y, 0); y < min(r.Y+r.H, c.h); y++ {
		cells := make([]wire.Cell, n)
		c.t.fill(cells, o.Pen)
		if i := y - r.Y; i < len(o.Lines) {
			text, _ := c.t.shapeSegments(nil, nil, o.Lines[i], 0)
			c.t.put(cells, 0, text)
		}
		out = append(out, patch{y, r.X, cells})
	}
	return out
}

// coverPanes makes the patches of the panes again, if what they say has changed: the position of a
// scrolled pane and the note of a dead one.
func (c *Composer) coverPanes(s *Spec) {
	same := true
	for i := range c.placed {
		at := &c.placed[i]
		text := indicator(at)
		if text+at.pane.Note != at.pic.indicator {
			same = false
			at.pic.indicator = text + at.pane.Note
		}
	}
	if same {
		return
	}
	for _, p := range c.panePatches {
		c.dirty[p.y] = true
	}
	c.panePatches = c.panePatches[:0]
	for i := range c.placed {
		at := &c.placed[i]
		n := at.right - at.left
		if note := at.pane.Note; note != "" {
			lines := strings.Split(note, "\n")
			for k, line := range lines[:min(len(lines), at.bottom-at.top)] {
				c.coverPane(patch{at.bottom - min(len(lines), at.bottom-at.top) + k, at.left, c.bar(line, s.Styles.Note, n)})
			}
		}
		if text := indicator(at); text != "" {
			cells := c.t.shape(nil, text, s.Styles.Indicator, n)
			c.coverPane(patch{at.top, at.right - len(cells), cells})
		}
	}
}

func (c *Composer) coverPane(p patch) {
	c.panePatches = append(c.panePatches, p)
	c.dirty[p.y] = true
}

// indicator is the text at the top right of a pane.
func indicator(at *placed) string {
	p := at.pane
	if p.Indicator != "" {
		return p.Indicator
	}
	if p.Back <= 0 || p.Mode || !at.pic.drawn() {
		return ""
	}
	b := append(make([]byte, 0, 32), '[')
	b = strconv.AppendInt(b, int64(at.pic.back()), 10)
	b = append(b, '/')
	b = strconv.AppendInt(b, int64(at.pic.history), 10)
	return string(append(b, ']'))
}

// covered says that something is drawn over a cell of a pane.
func (c *Composer) covered(x, y int) bool {
	return over(c.panePatches, x, y) || over(c.screenPatches, x, y) || over(c.topPatches, x, y)
}

// over says that one of the patches is at a cell.
func over(list []patch, x, y int) bool {
	for i := range list {
		if p := &list[i]; p.y == y && x >= p.x && x < p.x+len(p.cells) {
			return true
		}
	}
	return false
}
