package model

import (
	"fmt"
	"slices"
	"time"

	"stet/layout"
)

// Split says how a pane is divided.
type Split struct {
	layout.SplitOptions      // New is filled in
	Detached            bool // the new pane does not become active (split-window -d)
	Zoom                bool // the active pane is zoomed then (-Z)
}

// SplitPane divides a pane and puts a new one into the freed part. It fails with layout.ErrNoSpace
// when there is none.
func (m *Model) SplitPane(target PaneID, o Split, p PaneSpec, now time.Time) (*Pane, error) {
	old := m.Panes[target]
	if old == nil {
		return nil, ErrNoPane
	}
	if len(m.Panes) >= MaxPanes {
		return nil, ErrFull
	}
	if err := m.checkUID(p.UID); err != nil {
		return nil, err
	}
	w := m.Windows[old.Window]
	o.New = int(m.NextPane)
	if p.Numbered {
		if o.New = int(p.Number); m.Lookup(p.Number) != nil || p.Number < 0 || p.Number >= m.NextPane {
			return nil, ErrNoPane
		}
	}
	tree, err := w.Layout.Split(int(target), o.SplitOptions)
	if err != nil {
		return nil, err
	}
	pane := m.addPane(w, p, now)
	w.Layout = tree
	w.Zoomed = o.Zoom
	if !o.Detached {
		w.activate(pane.ID)
	}
	m.revision++
	return pane, nil
}

// TakeNumber gives the number of a pane away to a program that no window shows. It is no change of the
// workspace; no pane gets the number unless PaneSpec names it.
func (m *Model) TakeNumber() PaneID {
	m.NextPane++
	return m.NextPane - 1
}

func (m *Model) addPane(w *Window, p PaneSpec, now time.Time) *Pane {
	pane := &Pane{
		ID: m.NextPane, UID: p.UID, Window: w.ID,
		Argv: slices.Clone(p.Argv), Shell: p.Shell, Cwd: p.Cwd, Env: slices.Clone(p.Env),
		Title: CleanText(p.Title), Created: now, Empty: p.Empty, Agent: p.Agent,
	}
	if p.Numbered {
		pane.ID = p.Number
	} else {
		m.NextPane++
	}
	m.Panes[pane.ID] = pane
	return pane
}

func (m *Model) forget(id PaneID) {
	delete(m.Panes, id)
	if m.Marked == id {
		m.Marked = -1
	}
}

// RemovePane takes a pane out. Its window goes with the last pane, and a session with its last window.
// The window shows the pane that was active before, else the one before it in the layout.
func (m *Model) RemovePane(id PaneID) (Removed, error) {
	p := m.Panes[id]
	if p == nil {
		return Removed{}, ErrNoPane
	}
	m.revision++
	w := m.Windows[p.Window]
	var r Removed
	if w.Layout.Len() == 1 {
		for _, place := range m.LinksOf(w.ID) {
			m.unlink(m.Sessions[place.Session], place.Index, &r)
		}
		m.dropWindow(w.ID, &r)
		return r, nil
	}
	if err := w.giveUp(id); err != nil {
		return Removed{}, err
	}
	m.forget(id)
	r.Panes = []*Pane{p}
	return r, nil
}

// activate makes a pane of the window its active one.
func (w *Window) activate(id PaneID) {
	w.MRU = slices.DeleteFunc(w.MRU, func(o PaneID) bool { return o == id })
	w.MRU = slices.Insert(w.MRU, 0, id)
	w.Active = id
}

// SelectPane makes a pane its window's active one and tells whether it was not. A zoomed window is
// unzoomed when another pane becomes active, unless keepZoom: then that one is zoomed.
func (m *Model) SelectPane(id PaneID, keepZoom bool) (changed bool, err error) {
	p := m.Panes[id]
	if p == nil {
		return false, ErrNoPane
	}
	w := m.Windows[p.Window]
	if w.Active == id {
		return false, nil
	}
	w.Zoomed = w.Zoomed && keepZoom
	w.activate(id)
	m.revision++
	return true, nil
}

// LastPane returns the pane of a window that was active before the active one.
func (w *Window) LastPane() (PaneID, bool) {
	if len(w.MRU) < 2 {
		return 0, false
	}
	return w.MRU[1], true
}

// Neighbor returns the pane to go to from a pane in a direction; of several the one used last.
func (w *Window) Neighbor(id PaneID, d layout.Dir) (PaneID, bool) {
	n, ok := w.Layout.Neighbor(int(id), d, func(a, b int) bool { return w.used(a) < w.used(b) })
	return PaneID(n), ok
}

// used is the place in the order of use, and behind all of them for a pane never used.
func (w *Window) used(id int) int {
	if i := slices.Index(w.MRU, PaneID(id)); i >= 0 {
		return i
	}
	return len(w.MRU)
}

// Zoom shows the active pane alone, or ends that. A window of one pane cannot be zoomed: nothing
// happens, as in tmux.
func (m *Model) Zoom(id WindowID, on bool) error {
	w := m.Windows[id]
	if w == nil {
		return ErrNoWindow
	}
	on = on && w.Layout.Len() > 1
	if w.Zoomed != on {
		w.Zoomed = on
		m.revision++
	}
	return nil
}

// ResizeWindow gives a window the size of what shows it.
func (m *Model) ResizeWindow(id WindowID, width, height int) error {
	w := m.Windows[id]
	if w == nil {
		return ErrNoWindow
	}
	width, height = min(max(width, 1), MaxSize), min(max(height, 1), MaxSize)
	if w.W == width && w.H == height {
		return nil
	}
	w.Layout = w.Layout.Resize(width, height)
	w.W, w.H = width, height
	m.revision++
	return nil
}

// ResizePane moves a border of a pane by cells; the window is unzoomed first.
func (m *Model) ResizePane(id PaneID, d layout.Dir, cells int) error {
	return m.change(id, func(t *layout.Tree) (*layout.Tree, error) { return t.ResizePane(int(id), d, cells) })
}

// SetPaneSize gives a pane a width and a height, 0 keeping one; the window is unzoomed first.
func (m *Model) SetPaneSize(id PaneID, width, height int) error {
	return m.change(id, func(t *layout.Tree) (*layout.Tree, error) { return t.SetPaneSize(int(id), width, height) })
}

// Spread makes the panes around a pane equally large.
func (m *Model) Spread(id PaneID) error {
	return m.change(id, func(t *layout.Tree) (*layout.Tree, error) { return t.Spread(int(id)) })
}

func (m *Model) change(id PaneID, f func(*layout.Tree) (*layout.Tree, error)) error {
	p := m.Panes[id]
	if p == nil {
		return ErrNoPane
	}
	w := m.Windows[p.Window]
	tree, err := f(w.Layout)
	if err != nil {
		return err
	}
	w.Layout, w.Zoomed = tree, false
	m.revision++
	return nil
}

// MoveBorder drags the border of a window at a cell to another cell and tells whether there was one.
func (m *Model) MoveBorder(id WindowID, x, y, toX, toY int) bool {
	w := m.Windows[id]
	if w == nil || w.Zoomed {
		return false
	}
	tree, ok := w.Layout.MoveBorder(x, y, toX, toY)
	if !ok {
		return false
	}
	w.Layout = tree
	m.revision++
	return true
}

// SetLayout gives a window another arrangement of the panes it has, fitted to its size. preset is the
// name it goes by, "" for none.
func (m *Model) SetLayout(id WindowID, tree *layout.Tree, preset string) error {
	w := m.Windows[id]
	if w == nil {
		return ErrNoWindow
	}
	if !samePanes(w.Layout.Panes(), tree.Panes()) {
		return fmt.Errorf("the layout is not one of the panes of window %v", id)
	}
	w.OldLayout = w.Layout.String()
	w.Layout = tree.Resize(w.W, w.H)
	w.Zoomed, w.Preset = false, preset
	m.revision++
	return nil
}

func samePanes(a, b []int) bool {
	a, b = slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(a, b)
}

// SwapPanes exchanges the places of two panes, which may be of different windows. Within a window the
// focus goes along with its pane; in two, a pane that leaves hands it to the one that comes.
func (m *Model) SwapPanes(a, b PaneID) error {
	pa, pb := m.Panes[a], m.Panes[b]
	if pa == nil || pb == nil {
		return ErrNoPane
	}
	if a == b {
		return nil
	}
	wa, wb := m.Windows[pa.Window], m.Windows[pb.Window]
	m.revision++
	if wa == wb {
		tree, err := wa.Layout.Swap(int(a), int(b))
		if err != nil {
			return err
		}
		wa.Layout, wa.Zoomed = tree, false
		return nil
	}
	ta, err := wa.Layout.Replace(int(a), int(b))
	if err != nil {
		return err
	}
	tb, err := wb.Layout.Replace(int(b), int(a))
	if err != nil {
		return err
	}
	pa.Window, pb.Window = wb.ID, wa.ID
	wa.swapIn(a, b, ta)
	wb.swapIn(b, a, tb)
	return nil
}

// swapIn puts a pane from elsewhere in the place of another.
func (w *Window) swapIn(old, new PaneID, tree *layout.Tree) {
	w.Layout, w.Zoomed = tree, false
	for i := range w.MRU {
		if w.MRU[i] == old {
			w.MRU[i] = new
		}
	}
	if w.Active == old {
		w.Active = new
	}
}

// RenameWindow gives a window a name, which then no longer follows the program.
func (m *Model) RenameWindow(id WindowID, name string) error {
	w := m.Windows[id]
	if w == nil {
		return ErrNoWindow
	}
	w.Name, w.AutoName, w.Said = CleanText(name), false, ""
	m.revision++
	return nil
}

// SayName is the name that a program gives a window to which no person has given one; "" takes it back.
func (m *Model) SayName(id WindowID, name string) {
	w := m.Windows[id]
	if w == nil || !w.AutoName {
		return
	}
	if w.Said = CleanText(name); w.Said != "" {
		w.Name = w.Said
	}
	m.revision++
}

// SetTitle gives a pane a title.
func (m *Model) SetTitle(id PaneID, title string) error {
	p := m.Panes[id]
	if p == nil {
		return ErrNoPane
	}
	if title = CleanText(title); p.Title != title {
		p.Title = title
		m.revision++
	}
	return nil
}

// Started says that a pane's program runs.
func (m *Model) Started(id PaneID) error {
	p := m.Panes[id]
	if p == nil {
		return ErrNoPane
	}
	p.State, p.Status, p.Signal, p.ExitedAt = Running, 0, 0, time.Time{}
	m.revision++
	return nil
}

// Exited says that a pane's program has ended and that the pane stays to show it. Whether it stays is
// the caller's to decide; if not, RemovePane.
func (m *Model) Exited(id PaneID, status, signal int, now time.Time) error {
	p := m.Panes[id]
	if p == nil {
		return ErrNoPane
	}
	p.State, p.Status, p.Signal, p.ExitedAt = Dead, status, signal, now
	m.revision++
	return nil
}

// Rect returns where a pane is in its window, and whether it is shown: in a zoomed window only the
// active pane is, over the whole window. A hidden pane keeps its place of the layout. Edge is taken off.
func (m *Model) Rect(id PaneID) (r layout.Rect, shown bool) {
	p := m.Panes[id]
	if p == nil {
		return layout.Rect{}, false
	}
	w := m.Windows[p.Window]
	if w.Zoomed && w.Active == id {
		return m.edge(w.ID).Inside(layout.Rect{W: w.W, H: w.H}, w.H), true
	}
	r, ok := w.Layout.Rect(int(id))
	_, h := w.Layout.Size()
	return m.edge(w.ID).Inside(r, h), ok && !w.Zoomed
}

func (m *Model) edge(id WindowID) layout.Edge {
	if m.Edge == nil {
		return layout.EdgeNone
	}
	return m.Edge(id)
}

// Panes returns the window's panes in the order of their indexes.
func (w *Window) Panes() []PaneID {
	ids := w.Layout.Panes()
	panes := make([]PaneID, len(ids))
	for i, id := range ids {
		panes[i] = PaneID(id)
	}
	return panes
}
