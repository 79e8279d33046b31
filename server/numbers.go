package server

import (
	"strconv"
	"strings"
	"time"

	"stet/config/style"
	"stet/layout"
	"stet/server/command"
	"stet/server/model"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt/key"
)

// numbers are those of the panes, shown to one client (display-panes).
type numbers struct {
	until time.Time // zero: until a key is pressed
	keys  bool
	done  func(model.PaneID, bool)
}

// DisplayPanes shows the numbers of the panes that a client sees. done gets the pane whose number was
// typed, and ok=false when none was.
func (s *Server) DisplayPanes(id command.ClientID, o command.DisplayPanesOptions, done func(model.PaneID, bool)) {
	c := s.clients[id]
	if c == nil || !c.info.Attached() {
		s.loop.post(func() { done(0, false) })
		return
	}
	s.dropNumbers(c)
	c.numbers = &numbers{keys: o.Keys, done: done}
	if o.For > 0 {
		c.numbers.until = s.Now().Add(o.For)
		s.clock.within(o.For)
	}
	c.stale = true
}

// dropNumbers takes the numbers away with none chosen.
func (s *Server) dropNumbers(c *client) { s.numberChosen(c, 0, false) }

func (s *Server) numberChosen(c *client, id model.PaneID, ok bool) {
	if n := c.numbers; n != nil {
		c.numbers, c.stale = nil, true
		s.loop.post(func() { n.done(id, ok) })
	}
}

// numbersDue takes the numbers away when it is time.
func (s *Server) numbersDue(c *client, now time.Time) {
	switch n := c.numbers; {
	case n == nil || n.until.IsZero():
	case now.Before(n.until):
		s.clock.within(n.until.Sub(now))
	default:
		s.dropNumbers(c)
	}
}

// numberKey gives a key to the numbers and tells whether that was all it was for. Any key takes them away;
// one that is no number does what it does otherwise.
func (s *Server) numberKey(c *client, e key.Event) (taken bool) {
	if e.Act == key.Release {
		return false
	}
	index, w := -1, s.windowOf(c)
	if c.numbers.keys && e.Mod == 0 {
		switch k := e.Key; {
		case k >= '0' && k <= '9':
			index = int(k - '0')
		case k >= 'a' && k <= 'z':
			index = int(k-'a') + 10
		case k == key.Escape:
			s.dropNumbers(c)
			return true
		}
	}
	if index < 0 || w == nil {
		s.dropNumbers(c)
		return false
	}
	panes := w.Panes()
	index -= s.number(ofWindow(w.ID), "pane-base-index", 0)
	if index < 0 || index >= len(panes) {
		s.dropNumbers(c)
		return true
	}
	s.numberChosen(c, panes[index], true)
	return true
}

// numberOverlays are the numbers for the scene.
func (s *Server) numberOverlays(c *client, ses *model.Session, w *model.Window) []scene.Overlay {
	pen := func(name string) wire.Pen {
		colour, err := style.ParseColour(s.option(ofSession(ses.ID), name))
		if err != nil {
			return wire.Pen{}
		}
		return wire.Pen{FG: uint32(colour)}
	}
	usual, active := pen("display-panes-colour"), pen("display-panes-active-colour")
	base := s.number(ofWindow(w.ID), "pane-base-index", 0)
	vx, vy := c.conn.Viewport()
	var out []scene.Overlay
	for i, id := range w.Panes() {
		r, shown := s.model.Rect(id)
		if !shown {
			continue
		}
		look := usual
		if id == w.Active {
			look = active
		}
		size := strconv.Itoa(r.W) + "x" + strconv.Itoa(r.H)
		r.X, r.Y = r.X-vx, r.Y-vy+s.statusTop(c)
		out = append(out, drawNumber(i+base, size, r, look)...)
	}
	return out
}

// digits are five rows of five cells each.
var digits = [10][5]string{
	{"#####", "#   #", "#   #", "#   #", "#####"},
	{"    #", "    #", "    #", "    #", "    #"},
	{"#####", "    #", "#####", "#    ", "#####"},
	{"#####", "    #", "#####", "    #", "#####"},
	{"#   #", "#   #", "#####", "    #", "    #"},
	{"#####", "#    ", "#####", "    #", "#####"},
	{"#####", "#    ", "#####", "#   #", "#####"},
	{"#####", "    #", "    #", "    #", "    #"},
	{"#####", "#   #", "#####", "#   #", "#####"},
	{"#####", "#   #", "#####", "    #", "#####"},
}

// drawNumber draws a number in the middle of a pane, large where there is room, with the pane's size in
// the corner above it, and behind it the letter that chooses a pane whose number has two digits.
func drawNumber(n int, size string, r layout.Rect, pen wire.Pen) []scene.Overlay {
	text := strconv.Itoa(n)
	letter := ""
	if n > 9 && n < 36 {
		letter = string(rune('a' + n - 10))
	}
	var out []scene.Overlay
	say := func(x, y int, text string) {
		if x >= 0 && x >= r.X && x+len(text) <= r.X+r.W && y >= r.Y && y < r.Y+r.H {
			out = append(out, scene.Overlay{
				Rect: layout.Rect{X: x, Y: y, W: len(text), H: 1}, Lines: [][]scene.Segment{{{Text: text, Pen: pen}}}, Pen: pen,
			})
		}
	}
	if r.W < len(text)*6 || r.H < 5 {
		if letter != "" && len(text)+2 <= r.W {
			text += " " + letter
		}
		say(r.X+(r.W-len(text))/2, r.Y+r.H/2, text)
		return out
	}
	block := pen
	block.BG, block.FG = pen.FG, pen.FG
	x0, y0 := r.X+r.W/2-len(text)*3, r.Y+r.H/2-2
	for y := range 5 {
		for i, d := range text {
			row := digits[d-'0'][y]
			for from := 0; from < len(row); {
				if row[from] == ' ' {
					from++
					continue
				}
				to := from
				for to < len(row) && row[to] == '#' {
					to++
				}
				out = append(out, blocks(x0+6*i+from, y0+y, to-from, block)...)
				from = to
			}
		}
	}
	if r.H > 6 {
		say(r.X+r.W-len(size), r.Y, size)
		if letter != "" {
			say(x0+6*len(text)-1, y0+5, letter)
		}
	}
	return out
}

// blocks are cells of a colour, in one row.
func blocks(x, y, n int, pen wire.Pen) []scene.Overlay {
	if x < 0 {
		n, x = n+x, 0
	}
	if n <= 0 || y < 0 {
		return nil
	}
	return []scene.Overlay{{
		Rect: layout.Rect{X: x, Y: y, W: n, H: 1}, Lines: [][]scene.Segment{{{Text: strings.Repeat(" ", n), Pen: pen}}}, Pen: pen,
	}}
}
