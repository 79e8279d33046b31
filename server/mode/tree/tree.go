// Package tree is the mode to choose from a list or a tree: sessions with their windows and panes,
// clients, buffers, options and keys. It shows a picture of what is selected below the list, or what there
// is to know about it.
//
// What there is comes from a function, asked again after every change; the package knows neither
// sessions nor buffers, and does nothing but say in effects what is to happen.
package tree

import (
	"slices"
	"strconv"
	"sync"

	"stet/config/style"
	"stet/server/mode"
	"stet/vt"
	"stet/vt/key"
)

// Item is one line.
type Item struct {
	ID     string // the same as long as the thing is there
	Name   string // in front of the text, and what a search looks at
	Text   string
	Target string // what %% in a command stands for
	Pane   int    // commands for it are about this pane; -1 for none
	// Do are the command lines of what can be done with this item; of one that is asked about, Ask is the question.
	Do  map[Act]string
	Ask map[Act]string
	// Fill are those that ask for a text first.
	Fill map[Act]Fill
	// NoTag keeps it from being tagged. Part is tagged by itself only, not where all are: it belongs to
	// the one it is in.
	NoTag, Part bool

	Pictures []Picture   // drawn below the list, side by side
	Lines    []string    // or this text
	About    []Paragraph // or this one, broken into lines at blanks
	Children []*Item
}

// Fill is what is asked for before its command line can be made.
type Fill struct {
	Label, Text string
	Line        func(text string) string
}

// Paragraph is text of several looks. An empty one is a blank line.
type Paragraph []style.Segment

// Picture is a small picture with a name.
type Picture struct {
	Name  string
	Pane  int
	Image mode.Picture
}

// Query says which items are wanted and in which order.
type Query struct {
	Sort    string
	Reverse bool
	Filter  string
	Own     bool // leave out what is inherited
}

// Config is what a tree begins with.
type Config struct {
	Kind Kind // one of the modes
	// List gives the items. none says that the filter leaves nothing, and that these are all.
	List  func(q Query) (items []*Item, none bool)
	Query Query
	Sorts []string // the orders that O goes through
	// Template is the command line of Enter, after which the mode is over; where it is empty, Enter does what
	// Item.Do has for Choose, and opens or closes an item that has nothing for it.
	Template  string
	NoPreview bool
	// Collapsed are sessions closed at first (depth 0) or windows (depth 1); 2 for nothing.
	Collapsed int
	Start     string // ID of the item selected at first
	Keys      func(line int) string
	Unzoom    bool
	// ByName makes a search look at names only.
	ByName bool

	Text, Selected, Border vt.Style
}

// Tree is the mode. The core loop owns it but for what mu guards.
type Tree struct {
	cfg  Config
	mu   sync.Mutex
	cols int
	rows int

	items   []*Item
	lines   []line
	at, top int
	open    map[string]bool // said by somebody; else by the depth
	tags    map[string]bool
	filter  string
	none    bool
	search  string
	preview bool
	scroll  int
	help    bool // its keys are shown; helpTop is the first of them in sight
	helpTop int
	version uint64

	draw   sync.Mutex // taken before mu
	canvas mode.Canvas
}

// line is an item in sight.
type line struct {
	item  *Item
	depth int
	last  []bool // for each depth whether it is the last of its parent
	flat  bool   // neither it nor those beside it have children
}

// New makes a tree.
func New(c Config) *Tree {
	t := &Tree{cfg: c, cols: 1, rows: 1, open: map[string]bool{}, tags: map[string]bool{}, preview: !c.NoPreview, version: 1, filter: c.Query.Filter}
	t.load()
	t.openTo(c.Start)
	t.selectID(c.Start)
	return t
}

// Name is the kind of the tree.
func (t *Tree) Name() string { return t.cfg.Kind.Name() }

// Table is none: its keys are its own.
func (t *Tree) Table() string { return "" }

// Indicator is none.
func (t *Tree) Indicator() string { return "" }

// Close does nothing: nothing was started.
func (t *Tree) Close() {}

// Unzoom tells whether its window was zoomed for it.
func (t *Tree) Unzoom() bool { return t.cfg.Unzoom }

// Variable knows nothing.
func (t *Tree) Variable(string) (string, bool) { return "", false }

// Command knows cancel only: everything else has keys.
func (t *Tree) Command(c mode.Command) (mode.Effect, error) {
	if c.Name == "cancel" {
		return mode.Effect{Leave: true}, nil
	}
	return mode.Effect{}, unknownError(c.Name)
}

type unknownError string

func (e unknownError) Error() string { return "not a command of this mode: " + string(e) }

// Resize gives it another size.
func (t *Tree) Resize(cols, rows int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cols, t.rows = max(cols, 1), max(rows, 1)
	t.changed()
}

// Refresh asks again what there is.
func (t *Tree) Refresh() mode.Effect {
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.id()
	t.load()
	t.selectID(id)
	if len(t.items) == 0 {
		return mode.Effect{Leave: true}
	}
	return t.redraw()
}

// Shown are the panes whose pictures are in it.
func (t *Tree) Shown() []int {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []int
	for _, p := range t.pictures() {
		out = append(out, p.Pane)
	}
	return out
}

func (t *Tree) changed() { t.version++ }

func (t *Tree) redraw() mode.Effect {
	t.at = max(t.at, 0) // of an empty list
	t.changed()
	return mode.Effect{Redraw: true}
}

// load asks what there is and keeps the tags of what is still there.
func (t *Tree) load() {
	q := t.cfg.Query
	q.Filter = t.filter
	t.items, t.none = t.cfg.List(q)
	t.flatten()
	tags := map[string]bool{}
	t.each(func(i *Item) {
		if t.tags[i.ID] {
			tags[i.ID] = true
		}
	})
	t.tags = tags
	t.at = max(min(t.at, len(t.lines)-1), 0)
}

// each calls f for all items, open or not.
func (t *Tree) each(f func(*Item)) {
	var walk func([]*Item)
	walk = func(list []*Item) {
		for _, i := range list {
			f(i)
			walk(i.Children)
		}
	}
	walk(t.items)
}

// flatten makes lines of the items that are open.
func (t *Tree) flatten() {
	t.lines = nil
	var walk func(list []*Item, last []bool)
	walk = func(list []*Item, last []bool) {
		flat := !slices.ContainsFunc(list, func(i *Item) bool { return len(i.Children) > 0 })
		for n, i := range list {
			l := append(last[:len(last):len(last)], n == len(list)-1)
			t.lines = append(t.lines, line{i, len(last), l, flat})
			if t.isOpen(i, len(last)) {
				walk(i.Children, l)
			}
		}
	}
	walk(t.items, nil)
}

func (t *Tree) isOpen(i *Item, depth int) bool {
	if len(i.Children) == 0 {
		return false
	}
	if open, ok := t.open[i.ID]; ok {
		return open
	}
	return depth < t.cfg.Collapsed
}

// openTo opens what an item is in.
func (t *Tree) openTo(id string) {
	var walk func([]*Item, int) bool
	walk = func(list []*Item, depth int) bool {
		for _, i := range list {
			if i.ID == id {
				return true
			}
			if depth < t.cfg.Collapsed && walk(i.Children, depth+1) {
				t.open[i.ID] = true
				return true
			}
		}
		return false
	}
	walk(t.items, 0)
	t.flatten()
}

// selectID selects an item, or where it is not in sight the one it is in.
func (t *Tree) selectID(id string) {
	for n, l := range t.lines {
		if l.item.ID == id {
			t.at = n
			return
		}
	}
	for n, l := range t.lines {
		if holds(l.item, id) {
			t.at = n
		}
	}
}

func holds(i *Item, id string) bool {
	for _, c := range i.Children {
		if c.ID == id || holds(c, id) {
			return true
		}
	}
	return false
}

// item is what is selected, nil for nothing.
func (t *Tree) item() *Item {
	if t.at < 0 || t.at >= len(t.lines) {
		return nil
	}
	return t.lines[t.at].item
}

func (t *Tree) id() string {
	if i := t.item(); i != nil {
		return i.ID
	}
	return ""
}

// tagged are the tagged items, or what is selected where none is.
func (t *Tree) tagged(one bool) []*Item {
	var out []*Item
	t.each(func(i *Item) {
		if t.tags[i.ID] {
			out = append(out, i)
		}
	})
	if i := t.item(); len(out) == 0 && one && i != nil {
		out = []*Item{i}
	}
	return out
}

// shortcut is the key of a line: 0 to 9, then M-a to M-z.
func shortcut(n int) string {
	switch {
	case n < 10:
		return strconv.Itoa(n)
	case n < 36:
		return "M-" + string(rune('a'+n-10))
	}
	return ""
}

func (t *Tree) shortcut(n int) string {
	if t.cfg.Keys != nil {
		return t.cfg.Keys(n)
	}
	return shortcut(n)
}

// Key is one key, or the mouse.
func (t *Tree) Key(e key.Event) mode.Effect {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch e.Kind {
	case key.KindMouse:
		return t.mouse(e)
	case key.KindKey:
		return t.key(e.Name())
	}
	return mode.Effect{}
}

// mouse: the wheel moves, a click selects, a click on what is selected chooses, the right button has a menu.
func (t *Tree) mouse(e key.Event) mode.Effect {
	in := e.Y < t.listRows() && t.top+e.Y < len(t.lines)
	switch {
	case e.Button == key.WheelUp:
		return t.key("Up")
	case e.Button == key.WheelDown:
		return t.key("Down")
	case e.Act != key.Press || e.Button != key.ButtonLeft && e.Button != key.ButtonRight:
		return mode.Effect{}
	case t.help:
		return t.helpKey("")
	case e.Button == key.ButtonRight && !in:
		return t.openMenu("", e, scrolling, leaving)
	case !in:
		return mode.Effect{}
	case e.Button == key.ButtonRight:
		t.at, t.scroll = t.top+e.Y, 0
		out := t.openMenu(t.item().Name, e, using, tagging, ending, leaving)
		out.Redraw = t.redraw().Redraw
		return out
	case t.top+e.Y == t.at:
		return t.choose()
	}
	t.at, t.scroll = t.top+e.Y, 0
	return t.redraw()
}

// choose does what Enter does to what is selected.
func (t *Tree) choose() mode.Effect {
	i := t.item()
	if i == nil {
		return mode.Effect{Leave: true}
	}
	if t.cfg.Template == "" {
		if i.Do[Choose] == "" && i.Fill[Choose].Line == nil {
			t.fold(!t.isOpen(i, t.lines[t.at].depth))
			return t.redraw()
		}
		return t.do(Choose)
	}
	return mode.Effect{Run: fill(t.cfg.Template, i.Target), Leave: true}
}
