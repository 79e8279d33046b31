package scene

import (
	"cmp"
	"slices"

	"stet/layout"
	"stet/server/wire"
	"stet/vt"
)

// maxCells bounds the cells of a screen, whatever size a client names.
const maxCells = 1 << 22

// Composer makes the frames of one client. It holds what the client shows, the tables of its
// connection and the pictures of the panes in sight. The zero value is ready; it belongs to one
// goroutine.
type Composer struct {
	t     *tables
	w, h  int
	shown []wire.Cell // what the client has, rows one behind the other
	row   []wire.Cell // the row being put together
	dirty []bool      // rows of the screen to be looked at

	spec     *Spec
	view     view
	pictures map[int]*picture // by pane
	placed   []placed

	lines   []layout.Border // of linesOf
	linesOf *layout.Tree
	marks   []mark
	markAt  []int // where the marks of a row begin; one more than rows
	titles  []patch

	panePatches   []patch
	screenPatches []patch
	popupPatches  []patch
	topPatches    []patch // over a popup
	popup         placed  // no pane: none
	promptCursor  int     // column

	reset  bool
	seq    uint64
	cursor wire.Cursor
	want   wire.Want
	frame  wire.Frame
}

// Reset makes the next frame a complete one, tables anew: the client has lost what it showed.
func (c *Composer) Reset() { c.reset = true }

// Viewport returns the first cell of the window that the last frame showed: other than 0, 0 where the
// window is larger than the screen.
func (c *Composer) Viewport() (x, y int) { return c.view.x, c.view.y }

// Compose returns the difference between what s describes and the frame before, nil when there is
// none. Each frame must be applied, in order. It is valid until the next call.
//
// Compose asks the Sources of all panes in sight and blocks as long as they do.
func (c *Composer) Compose(s *Spec) *wire.Frame {
	w, h := screenSize(s)
	fresh := s != c.spec
	blank := c.resize(w, h)
	rethemed := c.t != nil && !slices.Equal(c.t.theme, s.Theme) // pictures may have the old one's colours
	reset := c.t == nil || c.reset || c.t.full() || rethemed
	if reset {
		c.renew()
		c.t.theme = s.Theme
		blank = true
	}
	if rethemed {
		clear(c.pictures)
		fresh = true
	}
	if blank {
		fill(c.shown, wire.Blank)
	}
	if fresh {
		c.adopt(s)
	}
	c.update(s)
	if v := c.look(s); fresh || blank || v != c.view {
		c.view = v
		c.arrange(s)
	}
	c.coverPanes(s)
	c.touch()

	f := &c.frame
	*f = wire.Frame{Reset: reset, W: c.w, H: c.h, Scrolls: f.Scrolls[:0], Runs: f.Runs[:0]}
	for i := range c.placed {
		c.scroll(f, &c.placed[i])
	}
	for y := range c.dirty {
		if c.dirty[y] {
			c.dirty[y] = false
			c.assemble(y)
			c.diff(f, y)
		}
	}
	f.Cursor, f.Want = c.lookOfCursor(s), c.wants(s)
	if !blank && len(f.Runs) == 0 && len(f.Scrolls) == 0 && f.Cursor == c.cursor && f.Want == c.want {
		return nil
	}
	c.cursor, c.want = f.Cursor, f.Want
	c.seq++
	f.Seq = c.seq
	c.t.take(f)
	if reset {
		c.t.settle()
	}
	return f
}

// screenSize is the size of the client's screen within what a frame allows.
func screenSize(s *Spec) (w, h int) {
	w, h = min(max(s.W, 1), wire.MaxSide), min(max(s.H, 1), wire.MaxSide)
	return w, min(h, max(maxCells/w, 1))
}

func fill(cells []wire.Cell, with wire.Cell) {
	for i := range cells {
		cells[i] = with
	}
}

// resize makes room for a screen of another size, and says so.
func (c *Composer) resize(w, h int) bool {
	if w == c.w && h == c.h {
		return false
	}
	c.w, c.h = w, h
	c.shown = make([]wire.Cell, w*h)
	c.row = make([]wire.Cell, w)
	c.dirty = make([]bool, h)
	return true
}

// renew begins new tables, with what the pictures need.
func (c *Composer) renew() {
	old := c.t
	c.reset = false
	if old == nil {
		c.t = newTables(1)
		return
	}
	c.t = newTables(old.epoch + 1)
	for _, p := range c.pictures {
		p.renumber(old, c.t)
	}
}

// adopt takes over a new spec: pictures of panes that are no longer in sight go.
func (c *Composer) adopt(s *Spec) {
	c.spec = s
	old := c.pictures
	c.pictures = make(map[int]*picture, len(old))
	for p := range shown(s) {
		if pic := old[p.ID]; pic != nil {
			c.pictures[p.ID] = pic
		} else if c.pictures[p.ID] == nil {
			c.pictures[p.ID] = &picture{}
		}
	}
	if s.Tree != c.linesOf {
		c.linesOf = s.Tree
		if s.Tree == nil {
			c.lines = nil
		} else {
			c.lines = s.Tree.Borders(c.lines)
		}
	}
}

// update brings the pictures up to date.
func (c *Composer) update(s *Spec) {
	for pane := range shown(s) {
		p := c.pictures[pane.ID]
		p.updated = p.update(pane, c.t)
	}
}

// look returns the view that shows the cursor of the active pane.
func (c *Composer) look(s *Spec) view {
	v := frameView(s, c.w, c.h)
	if p := s.Pan; p != nil {
		v.x, v.y = max(min(p.X, s.Window.W-v.w), 0), max(min(p.Y, s.Window.H-v.h), 0)
		return v
	}
	x, y := c.view.x, c.view.y
	if a := activePane(s); a != nil {
		r := paneRect(s, a)
		x, y = r.X, r.Y
		if p := c.pictures[a.ID]; p != nil && p.drawn() {
			x, y = x+p.cursor.X, y+p.cursor.Y
		}
	}
	return v.follow(c.view, s.Window, x, y)
}

// arrange works out where everything is, and marks all rows.
func (c *Composer) arrange(s *Spec) {
	c.placed = c.placed[:0]
	panes := visible(s)
	for i := range panes {
		if at, ok := place(s, &panes[i], c.view); ok {
			at.pic = c.pictures[panes[i].ID]
			at.pic.indicator = ""
			c.placed = append(c.placed, at)
		}
	}
	c.marks = c.borders(s, c.view, c.marks[:0])
	c.markAt = append(c.markAt[:0], 0)
	for i, y := 0, 0; y < c.h; y++ {
		for i < len(c.marks) && int(c.marks[i].y) == y {
			i++
		}
		c.markAt = append(c.markAt, i)
	}
	c.titles = c.title(s, c.view, c.titles[:0])
	c.panePatches = c.panePatches[:0]
	c.placePopup(s)
	c.coverScreen(s)
	for y := range c.dirty {
		c.dirty[y] = true
	}
}

// touch marks the rows of the screen whose panes changed.
func (c *Composer) touch() {
	for i := range c.placed {
		c.touchPane(&c.placed[i])
	}
	if c.popup.pane != nil {
		c.touchPane(&c.popup)
	}
}

func (c *Composer) touchPane(at *placed) {
	if !at.pic.updated {
		return
	}
	for y := at.top; y < at.bottom; y++ {
		if py := y - at.y; at.pic.whole || py < len(at.pic.changed) && at.pic.changed[py] {
			c.dirty[y] = true
		}
	}
}

// assemble puts together what row y shall show.
func (c *Composer) assemble(y int) {
	fill(c.row, wire.Blank)
	for i := range c.placed {
		c.layPane(&c.placed[i], y)
	}
	for _, m := range c.marks[c.markAt[y]:c.markAt[y+1]] {
		c.t.put(c.row, int(m.x), []wire.Cell{m.cell})
	}
	c.lay(c.titles, y)
	c.lay(c.panePatches, y)
	c.lay(c.screenPatches, y)
	c.assemblePopup(y)
	c.lay(c.topPatches, y)
}

// layPane puts what a picture has for row y of the screen into the row.
func (c *Composer) layPane(at *placed, y int) {
	py, px := y-at.y, at.left-at.x
	if y < at.top || y >= at.bottom || py >= at.pic.rows || px >= at.pic.cols {
		return
	}
	if n := min(at.right-at.left, at.pic.cols-px); n > 0 {
		c.t.put(c.row, at.left, at.pic.row(py)[px:px+n])
	}
}

// lay puts the patches of row y into the row.
func (c *Composer) lay(list []patch, y int) {
	for i := range list {
		if list[i].y == y {
			c.t.put(c.row, list[i].x, list[i].cells)
		}
	}
}

// lookOfCursor returns the outer terminal's cursor. A hidden one stays where it was: its moves are
// nobody's business.
func (c *Composer) lookOfCursor(s *Spec) wire.Cursor {
	hidden := c.cursor
	hidden.Visible = false
	hidden.X, hidden.Y = min(hidden.X, c.w-1), min(hidden.Y, c.h-1)
	if s.Prompt != nil {
		return wire.Cursor{X: c.promptCursor, Y: promptRow(s, c.view, c.h), Visible: true, Shape: min(s.Prompt.Shape, 6), Color: s.Prompt.Colour}
	}
	if o := topmost(s); o != nil && o.Modal && !o.Cursor {
		return hidden
	} else if o != nil && o.Cursor {
		return wire.Cursor{X: max(0, min(o.CursorX, c.w-1)), Y: max(0, min(o.CursorY, c.h-1)), Visible: true}
	}
	if s.Popup != nil {
		if cur, ok := c.popupCursor(); ok {
			return cur
		}
		return hidden
	}
	for i := range c.placed {
		at := &c.placed[i]
		p := at.pane
		if !p.Active || p.Dead || p.Back > 0 && !p.Mode || !at.pic.drawn() || !at.pic.cursor.Visible {
			continue
		}
		cur := at.pic.cursor
		x, y := at.x+cur.X, at.y+cur.Y
		if x < at.left || x >= at.right || y < at.top || y >= at.bottom || c.covered(x, y) {
			break
		}
		return p.cursor(x, y, cur)
	}
	return hidden
}

// cursor is the outer terminal's cursor where a pane has it, at a cell of the screen.
func (p *Pane) cursor(x, y int, cur vt.Cursor) wire.Cursor {
	return wire.Cursor{X: x, Y: y, Visible: true, Shape: min(cmp.Or(cur.Shape, p.Shape), 6), Color: cmp.Or(uint32(cur.Color), p.Colour)}
}

// topmost is the box that covers all others, nil for none.
func topmost(s *Spec) *Overlay {
	list := s.Overlays
	if s.Popup != nil {
		list = s.Popup.Over
	}
	if len(list) == 0 {
		return nil
	}
	return &list[len(list)-1]
}

// wants gathers what the panes in sight ask of the outer terminal's input side. The keyboard belongs to
// the active pane alone; mouse and focus reports concern all.
func (c *Composer) wants(s *Spec) wire.Want {
	want := wire.Want{Mouse: mouseLevel(s.Mouse)}
	for pane := range shown(s) {
		p := c.pictures[pane.ID]
		if pane.Dead || !p.drawn() {
			continue
		}
		m := p.modes
		want.Focus = want.Focus || m.Focus
		popup := s.Popup != nil && pane == &s.Popup.Pane
		if s.Popup != nil && !popup {
			continue // what is typed and clicked goes to the popup
		}
		want.Mouse = max(want.Mouse, mouseLevel(m.Mouse))
		want.Pixels = want.Pixels || m.Mouse != 0 && m.MouseEnc == 1016
		if pane.Active || popup {
			want.Keypad = m.AppKeypad
			want.Kitty, want.Modify = s.Keys.Of(m.Kitty&31, min(max(m.ModifyOtherKeys, 0), 2))
		}
	}
	return want
}

// mouseLevel is the mode that brings the reports a program asked for; X10's presses come with 1000's.
func mouseLevel(mode int) int {
	switch {
	case mode >= 1003:
		return 1003
	case mode >= 1002:
		return 1002
	case mode > 0:
		return 1000
	}
	return 0
}
