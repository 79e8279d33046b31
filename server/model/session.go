package model

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"stet/layout"
)

// SessionSpec is what a new session is made of. An empty name gives the session its number.
type SessionSpec struct {
	Name string
	Cwd  string
	Env  []string
	W, H int // 0: DefaultWidth, DefaultHeight
	// Index is the first window's, WindowName its name; an empty one follows the program.
	Index      int
	WindowName string
	Now        time.Time
	// Group is the name of the group that it begins or joins; see [Model.JoinGroup].
	Group     string
	Ephemeral bool
	Declared  string
}

// DuplicateError says that a session of that name is there already.
type DuplicateError struct{ Name string }

func (e *DuplicateError) Error() string { return "duplicate session: " + e.Name }

// Errors that callers tell apart.
var (
	ErrNoSession = errors.New("no such session")
	ErrNoWindow  = errors.New("no such window")
	ErrNoPane    = errors.New("no such pane")
	ErrFull      = errors.New("too many sessions, windows or panes")
)

// SessionName makes text fit to be a session's name: the characters that targets use (a colon and a
// point) and those that terminals obey become underscores. It fails for text that leaves no name.
func SessionName(s string) (string, error) {
	clean := strings.Map(func(r rune) rune {
		if r == ':' || r == '.' {
			return '_'
		}
		return r
	}, CleanText(s))
	if clean == "" {
		return "", fmt.Errorf("invalid session: %s", s)
	}
	return clean, nil
}

// CleanText makes text fit to be a name or a title: valid UTF-8 of at most MaxName bytes without
// control characters.
func CleanText(s string) string {
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return '_'
		}
		return r
	}, s)
	if len(s) > MaxName {
		s = s[:MaxName]
		for !utf8.ValidString(s) {
			s = s[:len(s)-1]
		}
	}
	return s
}

// NewSession makes a session of one window with one pane.
func (m *Model) NewSession(o SessionSpec, p PaneSpec) (*Session, *Window, *Pane, error) {
	if err := m.room(p, o.Index); err != nil {
		return nil, nil, nil, err
	}
	if err := m.newGroup(&o); err != nil {
		return nil, nil, nil, err
	}
	s, err := m.newSession(o)
	if err != nil {
		return nil, nil, nil, err
	}
	s.Current = o.Index
	w, pane := m.addWindow(s, o.Index, o.WindowName, p, o.Now)
	return s, w, pane, nil
}

// newSession makes a session that has no windows yet.
func (m *Model) newSession(o SessionSpec) (*Session, error) {
	if len(m.Sessions) >= MaxSessions {
		return nil, ErrFull
	}
	id, name := m.NextSession, o.Name
	if name == "" {
		// The number is the name, and a number that is taken as a name is passed over.
		prefix := ""
		if o.Group != "" {
			prefix = o.Group + "-"
		}
		for name = prefix + strconv.Itoa(int(id)); m.SessionNamed(name) != nil; name = prefix + strconv.Itoa(int(id)) {
			id++
		}
	}
	name, err := SessionName(name)
	if err != nil {
		return nil, err
	}
	if m.SessionNamed(name) != nil {
		return nil, &DuplicateError{name}
	}
	s := &Session{
		ID: id, Name: name, Group: o.Group,
		Created: o.Now, Activity: o.Now,
		Cwd: o.Cwd, Env: slices.Clone(o.Env),
		W: size(o.W, DefaultWidth), H: size(o.H, DefaultHeight), Ephemeral: o.Ephemeral, Declared: o.Declared,
	}
	m.NextSession = id + 1
	m.Sessions[id] = s
	return s, nil
}

// size brings a width or height into bounds; 0 stands for what is usual.
func size(n, usual int) int {
	if n <= 0 {
		return usual
	}
	return min(n, MaxSize)
}

// room tells whether one more window with one pane is possible.
func (m *Model) room(p PaneSpec, index int) error {
	if len(m.Windows) >= MaxWindows || len(m.Panes) >= MaxPanes {
		return ErrFull
	}
	if index < 0 || index > MaxIndex {
		return fmt.Errorf("index out of range: %d", index)
	}
	return m.checkUID(p.UID)
}

// NewWindow makes a window with one pane and links it at an index, or at the first free one from
// there on when free is true. The session's current window stays what it is; see SelectWindow.
func (m *Model) NewWindow(id SessionID, index int, free bool, name string, p PaneSpec, now time.Time) (*Window, *Pane, error) {
	s := m.Sessions[id]
	if s == nil {
		return nil, nil, ErrNoSession
	}
	if free {
		index = s.FreeIndex(index)
	}
	if err := m.room(p, index); err != nil {
		return nil, nil, err
	}
	if _, taken := s.Link(index); taken {
		return nil, nil, &IndexError{index}
	}
	if len(s.Links) >= MaxLinks {
		return nil, nil, ErrFull
	}
	w, pane := m.addWindow(s, index, name, p, now)
	return w, pane, nil
}

// FreeIndex returns the first index from a number on at which no window is linked.
func (s *Session) FreeIndex(from int) int {
	i := max(from, 0)
	for _, l := range s.Links {
		if l.Index == i {
			i++
		}
	}
	return i
}

func (m *Model) addWindow(s *Session, index int, name string, p PaneSpec, now time.Time) (*Window, *Pane) {
	w := m.newWindow(name, s.W, s.H, now)
	pane := m.addPane(w, p, now)
	w.take(pane)
	m.link(s, Link{Index: index, Window: w.ID})
	m.revision++
	return w, pane
}

// newWindow makes a window that has neither panes nor links yet.
func (m *Model) newWindow(name string, width, height int, now time.Time) *Window {
	w := &Window{
		ID: m.NextWindow, Name: CleanText(name), AutoName: name == "", Created: now, Activity: now, W: width, H: height,
	}
	m.NextWindow++
	m.Windows[w.ID] = w
	return w
}

// take gives a window its first pane.
func (w *Window) take(p *Pane) {
	p.Window = w.ID
	w.Layout = layout.New(w.W, w.H, int(p.ID))
	w.Active, w.MRU = p.ID, []PaneID{p.ID}
}

func (s *Session) insert(l Link) {
	i, _ := s.find(l.Index)
	s.Links = slices.Insert(s.Links, i, l)
}

func (s *Session) find(index int) (int, bool) {
	return slices.BinarySearchFunc(s.Links, index, func(l Link, i int) int { return l.Index - i })
}

// Link returns the link at an index.
func (s *Session) Link(index int) (Link, bool) {
	i, ok := s.find(index)
	if !ok {
		return Link{}, false
	}
	return s.Links[i], true
}

// LinkOf returns the link that shows a window: the current one if it does, else the first.
func (s *Session) LinkOf(w WindowID) (Link, bool) {
	if l, ok := s.Link(s.Current); ok && l.Window == w {
		return l, true
	}
	for _, l := range s.Links {
		if l.Window == w {
			return l, true
		}
	}
	return Link{}, false
}

// LinkWindow puts a window into a session at a free index.
func (m *Model) LinkWindow(id SessionID, index int, w WindowID) error {
	s := m.Sessions[id]
	switch {
	case s == nil:
		return ErrNoSession
	case m.Windows[w] == nil:
		return ErrNoWindow
	case index < 0 || index > MaxIndex:
		return fmt.Errorf("index out of range: %d", index)
	}
	if _, taken := s.Link(index); taken {
		return &IndexError{index}
	}
	if len(s.Links) >= MaxLinks {
		return ErrFull
	}
	m.link(s, Link{Index: index, Window: w})
	m.revision++
	return nil
}

// UnlinkWindow takes the window at an index out of a session. A window without links goes, and a
// session without windows.
func (m *Model) UnlinkWindow(id SessionID, index int) (Removed, error) {
	s := m.Sessions[id]
	if s == nil {
		return Removed{}, ErrNoSession
	}
	l, ok := s.Link(index)
	if !ok {
		return Removed{}, ErrNoWindow
	}
	var r Removed
	for _, o := range m.members(s) {
		m.unlink(o, index, &r)
	}
	if len(m.LinksOf(l.Window)) == 0 {
		m.dropWindow(l.Window, &r)
	}
	m.revision++
	return r, nil
}

// unlink removes a link; the session shows the window before it, as tmux does: the one shown last,
// else the one at the next lower index, else the highest.
func (m *Model) unlink(s *Session, index int, r *Removed) {
	i, _ := s.find(index)
	s.Links = slices.Delete(s.Links, i, i+1)
	r.Left = append(r.Left, s.ID)
	s.Last = slices.DeleteFunc(s.Last, func(n int) bool { return n == index })
	if len(s.Links) == 0 {
		delete(m.Sessions, s.ID)
		r.Sessions = append(r.Sessions, s)
		return
	}
	if s.Current != index {
		return
	}
	if len(s.Last) > 0 {
		s.Current, s.Last = s.Last[0], s.Last[1:]
	} else {
		s.Current = s.Links[(i-1+len(s.Links))%len(s.Links)].Index
	}
	l, _ := s.Link(s.Current)
	m.seen(l.Window)
}

// dropWindow takes out a window that no session links any more, with its panes.
func (m *Model) dropWindow(id WindowID, r *Removed) {
	w := m.Windows[id]
	for _, p := range w.Layout.Panes() {
		r.Panes = append(r.Panes, m.Panes[PaneID(p)])
		m.forget(PaneID(p))
	}
	delete(m.Windows, id)
	r.Windows = append(r.Windows, w)
}

// RemoveSession takes out a session, and the windows that only it links.
func (m *Model) RemoveSession(id SessionID) (Removed, error) {
	s := m.Sessions[id]
	if s == nil {
		return Removed{}, ErrNoSession
	}
	links := s.Links
	delete(m.Sessions, id)
	r := Removed{Sessions: []*Session{s}}
	for _, l := range links {
		if m.Windows[l.Window] != nil && len(m.LinksOf(l.Window)) == 0 {
			m.dropWindow(l.Window, &r)
		}
	}
	m.revision++
	return r, nil
}

// SelectWindow makes the window at an index the session's current one.
func (m *Model) SelectWindow(id SessionID, index int) error {
	s := m.Sessions[id]
	if s == nil {
		return ErrNoSession
	}
	if _, ok := s.Link(index); !ok {
		return ErrNoWindow
	}
	if s.Current == index {
		return nil
	}
	last := slices.DeleteFunc(s.Last, func(n int) bool { return n == index })
	s.Last = slices.Insert(last, 0, s.Current)
	s.Current = index
	m.revision++
	l, _ := s.Link(index)
	m.seen(l.Window)
	return nil
}

// RenameSession gives a session a name that no other one has.
func (m *Model) RenameSession(id SessionID, name string) error {
	s := m.Sessions[id]
	if s == nil {
		return ErrNoSession
	}
	name, err := SessionName(name)
	if err != nil {
		return err
	}
	if o := m.SessionNamed(name); o != nil && o != s {
		return &DuplicateError{name}
	}
	s.Name = name
	m.revision++
	return nil
}

// SessionNamed returns the session of that name, or nil.
func (m *Model) SessionNamed(name string) *Session {
	for _, s := range m.Sessions {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// SortedSessions returns the sessions by name, the order of every list.
func (m *Model) SortedSessions() []*Session {
	all := make([]*Session, 0, len(m.Sessions))
	for _, s := range m.Sessions {
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b *Session) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Place is one link seen from its window.
type Place struct {
	Session SessionID
	Index   int
}

// LinksOf returns where a window is linked, by session and index.
func (m *Model) LinksOf(w WindowID) []Place {
	var places []Place
	for _, s := range m.Sessions {
		for _, l := range s.Links {
			if l.Window == w {
				places = append(places, Place{s.ID, l.Index})
			}
		}
	}
	slices.SortFunc(places, func(a, b Place) int {
		if a.Session != b.Session {
			return int(a.Session - b.Session)
		}
		return a.Index - b.Index
	})
	return places
}

// PanesOf are the panes of a session's windows, sorted, each once.
func (m *Model) PanesOf(id SessionID) []PaneID {
	s := m.Sessions[id]
	if s == nil {
		return nil
	}
	var panes []PaneID
	for _, l := range s.Links {
		panes = append(panes, m.Windows[l.Window].Panes()...)
	}
	slices.Sort(panes)
	return slices.Compact(panes)
}

// String returns the id as targets write it: $1.
func (id SessionID) String() string { return "$" + strconv.Itoa(int(id)) }

// String returns the id as targets write it: @1.
func (id WindowID) String() string { return "@" + strconv.Itoa(int(id)) }

// String returns the id as targets write it: %1.
func (id PaneID) String() string { return "%" + strconv.Itoa(int(id)) }

// Ephemeral says that no snapshot has a window: every session that links it is ephemeral.
func (m *Model) Ephemeral(w WindowID) bool {
	for _, s := range m.Sessions {
		if _, ok := s.LinkOf(w); ok && !s.Ephemeral {
			return false
		}
	}
	return true
}

// Lasting says that a snapshot has something of the model: there is a session that is not ephemeral.
func (m *Model) Lasting() bool {
	for _, s := range m.Sessions {
		if !s.Ephemeral {
			return true
		}
	}
	return false
}
