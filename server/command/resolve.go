package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stet/config/format"
	"stet/layout"
	"stet/server/model"
)

// resolver holds one resolution's state.
type resolver struct {
	*finder
	current Target
	options TargetOptions
	parts   parts
}

func (r *resolver) resolve(p parts) (Target, error) {
	r.parts = p
	noSession := &targetError{"session", p.session}
	noWindow := &targetError{"window", p.window}
	noPane := &targetError{"pane", p.pane}
	if p.hasSession {
		s, ok := r.session(p.session, p.exactSession)
		if !ok {
			return Target{}, noSession
		}
		t := r.ofSession(s)
		if !p.hasWindow && !p.hasPane {
			return r.options.unnamed(t), nil
		}
		if p.hasWindow {
			if t, ok = r.windowIn(s, p.window); !ok {
				return Target{}, noWindow
			}
		}
		if p.hasPane {
			if !p.hasWindow && p.pane[0] == '%' {
				t, ok = r.paneByID(p.pane, s)
			} else {
				t, ok = r.paneIn(t, p.pane)
			}
			if !ok {
				return Target{}, noPane
			}
		}
		return t, nil
	}
	switch {
	case p.hasWindow && p.hasPane:
		t, ok := r.window(p.window, p.windowOnly)
		if !ok {
			return Target{}, noWindow
		}
		if t, ok = r.paneIn(t, p.pane); !ok {
			return Target{}, noPane
		}
		return t, nil
	case p.hasWindow:
		t, ok := r.window(p.window, p.windowOnly)
		if !ok {
			return Target{}, noWindow
		}
		return t, nil
	case p.hasPane:
		t, ok := r.pane(p.pane, p.paneOnly)
		if !ok {
			return Target{}, noPane
		}
		return t, nil
	}
	if !r.current.Valid() {
		return Target{}, fmt.Errorf("no current target")
	}
	return r.options.unnamed(r.current), nil // "" and ":." and "="
}

// session finds by $id, name, client, beginning of a name, pattern. The last two must fit one only.
func (r *resolver) session(name string, exact bool) (*model.Session, bool) {
	if id, ok := strings.CutPrefix(name, "$"); ok {
		n, err := strconv.ParseInt(id, 10, 32)
		s := r.model.Sessions[model.SessionID(n)]
		return s, err == nil && s != nil
	}
	if s := r.model.SessionNamed(name); s != nil {
		return s, true
	}
	if c, ok := findClient(r.host, name); ok {
		if s := r.model.Sessions[c.Session]; s != nil {
			return s, true
		}
	}
	if exact {
		return nil, false
	}
	all := r.model.SortedSessions()
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	i, ok := match(names, name)
	if !ok {
		return nil, false
	}
	return all[i], true
}

// match finds the one name that begins so or, if none does, the one that fits a pattern.
func match(names []string, text string) (int, bool) {
	for _, fits := range []func(string) bool{
		func(name string) bool { return strings.HasPrefix(name, text) },
		func(name string) bool { return format.Glob(text, name, false) },
	} {
		found := -1
		for i, name := range names {
			if fits(name) {
				if found >= 0 {
					return 0, false
				}
				found = i
			}
		}
		if found >= 0 {
			return found, true
		}
	}
	return 0, false
}

// window finds a window where no session is named: by id, in the current session, or the current
// window of the session that has the name.
func (r *resolver) window(name string, only bool) (Target, bool) {
	if name[0] == '@' {
		w, ok := r.windowByID(name)
		if !ok {
			return Target{}, false
		}
		return r.ofWindow(w, nil)
	}
	if r.current.Valid() {
		if t, ok := r.windowIn(r.current.Session, name); ok {
			return t, true
		}
	}
	if !only {
		if s, ok := r.session(name, r.parts.exactSession || r.parts.exactWindow); ok {
			return r.options.unnamed(r.ofSession(s)), true
		}
	}
	return Target{}, false
}

func (r *resolver) windowByID(name string) (*model.Window, bool) {
	n, err := strconv.ParseInt(name[1:], 10, 32)
	w := r.model.Windows[model.WindowID(n)]
	return w, err == nil && w != nil
}

// windowIn finds a window of a session: @id, relative + and -, ! ^ $, index, name, beginning, pattern.
func (r *resolver) windowIn(s *model.Session, name string) (Target, bool) {
	exact := r.parts.exactWindow
	at := func(i int) (Target, bool) { return r.ofLink(s, s.Links[i]), true }
	current := slices.IndexFunc(s.Links, func(l model.Link) bool { return l.Index == s.Current })
	switch c := name[0]; {
	case c == '@':
		w, ok := r.windowByID(name)
		if !ok {
			return Target{}, false
		}
		return r.ofWindow(w, s)
	case !exact && (c == '+' || c == '-'):
		n := offset(name)
		if c == '-' {
			n = -n
		}
		if r.options&WindowIndex != 0 {
			i := s.Current + n
			return Target{Session: s, Index: i}, i >= 0 && i <= model.MaxIndex
		}
		return at(((current+n)%len(s.Links) + len(s.Links)) % len(s.Links))
	case !exact && name == "!":
		if len(s.Last) == 0 {
			return Target{}, false
		}
		l, _ := s.Link(s.Last[0])
		return r.ofLink(s, l), true
	case !exact && name == "^":
		return at(0)
	case !exact && name == "$":
		return at(len(s.Links) - 1)
	}
	if i, err := strconv.ParseInt(name, 10, 32); err == nil && i >= 0 && name[0] != '+' {
		if l, ok := s.Link(int(i)); ok {
			return r.ofLink(s, l), true
		}
		if r.options&WindowIndex != 0 {
			return Target{Session: s, Index: int(i)}, true
		}
	}
	names := make([]string, len(s.Links))
	found := -1
	for i, l := range s.Links {
		names[i] = r.model.Windows[l.Window].Name
		if names[i] == name {
			if found >= 0 {
				return Target{}, false
			}
			found = i
		}
	}
	if found >= 0 {
		return at(found)
	}
	if exact {
		return Target{}, false
	}
	if i, ok := match(names, name); ok {
		return at(i)
	}
	return Target{}, false
}

// offset reads the number behind + or -; none, or one that is no number, is 1.
func offset(s string) int {
	n, err := strconv.ParseInt(s[1:], 10, 32)
	if err != nil || n < 1 {
		return 1
	}
	return int(n)
}

// pane finds a pane where neither session nor window is named: by id, in the current window, or the
// active pane of the window or session that has the name.
func (r *resolver) pane(name string, only bool) (Target, bool) {
	if name[0] == '%' {
		return r.paneByID(name, nil)
	}
	if r.current.Valid() {
		if t, ok := r.paneIn(r.current, name); ok {
			return t, true
		}
	}
	if only {
		return Target{}, false
	}
	return r.window(name, false)
}

func (r *resolver) paneByID(name string, in *model.Session) (Target, bool) {
	n, err := strconv.ParseInt(name[1:], 10, 32)
	if err != nil {
		return Target{}, false
	}
	return r.ofPane(model.PaneID(n), in)
}

// paneIn finds a pane of a window: %id, ! + -, a neighbour of the active pane, an index, a corner.
func (r *resolver) paneIn(t Target, name string) (Target, bool) {
	w := t.Window
	if w == nil {
		return Target{}, false
	}
	with := func(id model.PaneID, ok bool) (Target, bool) {
		if !ok {
			return Target{}, false
		}
		t.Pane = r.model.Panes[id]
		return t, t.Pane != nil
	}
	panes := w.Panes()
	switch c := name[0]; {
	case c == '%':
		found, ok := r.paneByID(name, nil)
		return with(idOf(found.Pane), ok && found.Window == w)
	case name == "!":
		return with(w.LastPane())
	case c == '+' || c == '-':
		n := offset(name)
		if c == '-' {
			n = -n
		}
		i := slices.Index(panes, w.Active) + n%len(panes) + len(panes)
		return with(panes[i%len(panes)], true)
	}
	if d, ok := direction(name); ok {
		return with(w.Neighbor(w.Active, d))
	}
	if n, err := strconv.ParseInt(name, 10, 32); err == nil && n >= 0 && name[0] != '+' {
		if i := int(n) - r.paneBase(w.ID); i >= 0 && i < len(panes) {
			return with(panes[i], true)
		}
	}
	if x, y, ok := corner(name, w); ok {
		return with(r.paneAt(w, x, y))
	}
	return Target{}, false
}

func idOf(p *model.Pane) model.PaneID {
	if p == nil {
		return -1
	}
	return p.ID
}

func direction(name string) (layout.Dir, bool) {
	switch strings.ToLower(name) {
	case "{up-of}":
		return layout.Up, true
	case "{down-of}":
		return layout.Down, true
	case "{left-of}":
		return layout.Left, true
	case "{right-of}":
		return layout.Right, true
	}
	return 0, false
}

// corner gives the cell of the window that a word like top-left points at. Braces may stand round it.
func corner(name string, w *model.Window) (x, y int, ok bool) {
	if inner, open := strings.CutPrefix(name, "{"); open {
		if inner, open = strings.CutSuffix(inner, "}"); open {
			name = inner
		}
	}
	lw, lh := w.Layout.Size()
	if w.Zoomed {
		lw, lh = w.W, w.H
	}
	x, y = lw/2, lh/2
	switch strings.ToLower(name) {
	case "top":
		y = 0
	case "bottom":
		y = lh - 1
	case "left":
		x = 0
	case "right":
		x = lw - 1
	case "top-left":
		x, y = 0, 0
	case "top-right":
		x, y = lw-1, 0
	case "bottom-left":
		x, y = 0, lh-1
	case "bottom-right":
		x, y = lw-1, lh-1
	default:
		return 0, 0, false
	}
	return x, y, true
}

// paneAt returns the pane shown at a cell; a border belongs to the pane left of it or above.
func (r *resolver) paneAt(w *model.Window, x, y int) (model.PaneID, bool) {
	for _, id := range w.Panes() {
		rect, shown := r.model.Rect(id)
		if shown && x >= rect.X && x <= rect.X+rect.W && y >= rect.Y && y <= rect.Y+rect.H {
			return id, true
		}
	}
	return 0, false
}

func (f *finder) paneBase(w model.WindowID) int {
	return f.host.OptionSet(OptionTarget{Scope: ScopeWindow, Window: w}).Number("pane-base-index")
}
