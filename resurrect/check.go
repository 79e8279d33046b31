package resurrect

import (
	"fmt"
	"strings"

	"stet/layout"
)

// failer makes the error for something wrong at a place.
type failer func(p place, format string, args ...any) error

// Check tells whether the workspace is whole: ids unique and below the
// counters, layouts naming exactly the panes of their windows, file names that
// are ours. The store refuses to publish what fails here, so that no save can
// replace a good file by one that is refused later.
func Check(ws *Workspace) error {
	return check(ws, func(p place, format string, args ...any) error {
		return fmt.Errorf("%s: %s", p, fmt.Sprintf(format, args...))
	})
}

func check(ws *Workspace, fail failer) error {
	root := place(nil)
	switch ws.Intent {
	case IntentRunning, IntentKilled, IntentShelved, IntentClosed:
	default:
		return fail(root.key("intent"), "is %q, should be %s, %s, %s or %s",
			ws.Intent, IntentRunning, IntentKilled, IntentShelved, IntentClosed)
	}
	if ws.SavedAt.IsZero() {
		return fail(root.key("saved_at"), "is missing")
	}
	if ws.Generation == 0 || ws.Generation >= 1<<62 {
		return fail(root.key("generation"), "%d is out of range", ws.Generation)
	}
	if err := checkShared(ws, fail); err != nil {
		return err
	}
	c := checker{ws: ws, fail: fail, sessions: map[int]bool{}, windows: map[int]bool{}, panes: map[int]bool{}, uids: map[string]bool{}}
	for i := range ws.Sessions {
		if err := c.session(&ws.Sessions[i], root.key("session").at(i)); err != nil {
			return err
		}
	}
	if len(c.panes) == 0 && ws.Intent != IntentClosed {
		return fail(root.key("session"), "there are no panes, although the workspace was not closed")
	}
	return nil
}

// checkShared checks what belongs to no session. What a name or a command means is not looked at: one that a
// build does not know is passed over when it is set, and costs nothing else.
func checkShared(ws *Workspace, fail failer) error {
	root := place(nil)
	if n := len(ws.Bindings); n > MaxBindings {
		return fail(root.key("binding"), "there are %d, more than %d", n, MaxBindings)
	}
	for i, b := range ws.Bindings {
		switch at := root.key("binding").at(i); {
		case b.Table == "":
			return fail(at.key("table"), "is missing")
		case b.Key == "":
			return fail(at.key("key"), "is missing")
		}
	}
	if n := len(ws.Buffers); n > MaxBuffers {
		return fail(root.key("buffer"), "there are %d, more than %d", n, MaxBuffers)
	}
	if ws.BuffersLeft < 0 {
		return fail(root.key("buffers_left"), "must not be negative")
	}
	bytes, names := 0, map[string]bool{}
	for i, b := range ws.Buffers {
		at := root.key("buffer").at(i)
		switch bytes += len(b.Name) + len(b.Text); {
		case b.Name == "":
			return fail(at.key("name"), "is missing")
		case names[b.Name]:
			return fail(at.key("name"), "%q is used twice", b.Name)
		case b.Text == "":
			return fail(at.key("text"), "is missing")
		case bytes > MaxBufferBytes:
			return fail(at.key("text"), "the buffers up to this one hold more than %d bytes", MaxBufferBytes)
		}
		names[b.Name] = true
	}
	return nil
}

type checker struct {
	ws       *Workspace
	fail     failer
	sessions map[int]bool
	windows  map[int]bool
	panes    map[int]bool
	uids     map[string]bool
}

// id checks a number that counts up and is never used again.
func (c *checker) id(id, next int, seen map[int]bool, p place) error {
	switch {
	case id < 0 || id >= MaxID:
		return c.fail(p.key("id"), "%d is out of range", id)
	case id >= next:
		return c.fail(p.key("id"), "%d is not below the next free number, %d", id, next)
	case seen[id]:
		return c.fail(p.key("id"), "%d is used twice", id)
	}
	seen[id] = true
	return nil
}

func (c *checker) session(s *Session, p place) error {
	if err := c.id(s.ID, c.ws.NextSession, c.sessions, p); err != nil {
		return err
	}
	if s.Name == "" {
		return c.fail(p.key("name"), "is missing")
	}
	if len(s.Windows) == 0 {
		return c.fail(p, "has no windows")
	}
	indexes := map[int]bool{}
	for i := range s.Windows {
		w := &s.Windows[i]
		at := p.key("window").at(i)
		if w.Index < 0 || w.Index >= MaxID {
			return c.fail(at.key("index"), "%d is out of range", w.Index)
		}
		if indexes[w.Index] {
			return c.fail(at.key("index"), "%d is used twice in this session", w.Index)
		}
		indexes[w.Index] = true
		if err := c.window(w, at); err != nil {
			return err
		}
	}
	return nil
}

func (c *checker) window(w *Window, p place) error {
	if w.Link {
		if !c.windows[w.ID] {
			return c.fail(p.key("id"), "links to window %d, which does not stand before it", w.ID)
		}
		if len(w.Panes) > 0 {
			return c.fail(p, "is a link and has panes")
		}
		return nil
	}
	if err := c.id(w.ID, c.ws.NextWindow, c.windows, p); err != nil {
		return err
	}
	if len(w.Panes) == 0 {
		return c.fail(p, "has no panes")
	}
	for i := range w.Panes {
		if err := c.pane(&w.Panes[i], p.key("pane").at(i)); err != nil {
			return err
		}
	}
	return c.layout(w, p.key("layout"))
}

// layout checks that the layout string names exactly the window's panes.
func (c *checker) layout(w *Window, p place) error {
	tree, err := layout.Parse(w.Layout, nil)
	if err != nil {
		return c.fail(p, "%v", err)
	}
	named := map[int]bool{}
	for _, id := range tree.Panes() {
		if named[id] {
			return c.fail(p, "names pane %d twice", id)
		}
		named[id] = true
	}
	for i := range w.Panes {
		if !named[w.Panes[i].ID] {
			return c.fail(p, "does not name pane %d of this window", w.Panes[i].ID)
		}
		delete(named, w.Panes[i].ID)
	}
	for id := range named {
		return c.fail(p, "names pane %d, which is not in this window", id)
	}
	return nil
}

func (c *checker) pane(q *Pane, p place) error {
	if err := c.id(q.ID, c.ws.NextPane, c.panes, p); err != nil {
		return err
	}
	if len(c.panes) > MaxPanes {
		return c.fail(p, "there are more than %d panes", MaxPanes)
	}
	if !ValidUID(q.UID) {
		return c.fail(p.key("uid"), "%q should be 1 to 64 lower-case letters, digits and '-', with no '-' in front", q.UID)
	}
	if c.uids[q.UID] {
		return c.fail(p.key("uid"), "%q is used twice", q.UID)
	}
	c.uids[q.UID] = true
	if err := checkSize(q.Cols, q.Rows, p, c.fail); err != nil {
		return err
	}
	if q.Screen != "" && FileNumber(q.Screen, "screen-", ".toml") == 0 {
		return c.fail(p.key("screen"), "%q is no screen file", q.Screen)
	}
	if q.Agent != nil && q.Agent.Name == "" {
		return c.fail(p.key("agent").key("name"), "is missing")
	}
	if q.HistoryFirst >= 1<<62 {
		return c.fail(p.key("history_first"), "%d is out of range", q.HistoryFirst)
	}
	for i, r := range q.History {
		at := p.key("history")
		switch {
		case FileNumber(r.Segment, "hist-", "") == 0:
			return c.fail(at, "%q is no history segment", r.Segment)
		case r.From < 0 || r.To < r.From:
			return c.fail(at, "part %d: bytes %d to %d are no range", i+1, r.From, r.To)
		case r.Lines < 0 || int64(r.Lines) > r.To-r.From:
			return c.fail(at, "part %d: %d lines cannot stand in %d bytes", i+1, r.Lines, r.To-r.From)
		case r.Skip < 0 || r.Skip > r.Lines:
			return c.fail(at, "part %d: cannot skip %d of %d lines", i+1, r.Skip, r.Lines)
		}
	}
	return nil
}

func checkSize(cols, rows int, p place, fail failer) error {
	if cols < 1 || cols > MaxCells {
		return fail(p.key("cols"), "%d should be 1 to %d", cols, MaxCells)
	}
	if rows < 1 || rows > MaxCells {
		return fail(p.key("rows"), "%d should be 1 to %d", rows, MaxCells)
	}
	return nil
}

func checkScreen(s *Screen, fail failer) error {
	root := place(nil)
	if !ValidUID(s.Pane) {
		return fail(root.key("pane"), "%q names no pane", s.Pane)
	}
	if err := checkSize(s.Cols, s.Rows, root, fail); err != nil {
		return err
	}
	if len(s.Main) > s.Rows {
		return fail(root.key("main"), "has %d rows, the screen %d", len(s.Main), s.Rows)
	}
	if len(s.Alternate) > s.Rows {
		return fail(root.key("alternate"), "has %d rows, the screen %d", len(s.Alternate), s.Rows)
	}
	if s.Cursor.X < 0 || s.Cursor.X > s.Cols || s.Cursor.Y < 0 || s.Cursor.Y >= s.Rows {
		return fail(root.key("cursor"), "%d,%d lies outside of the screen", s.Cursor.X, s.Cursor.Y)
	}
	if s.HistoryNext < s.HistoryFirst {
		return fail(root.key("history_next"), "lies before history_first")
	}
	for _, y := range s.Wrapped {
		if y < 0 || y >= s.Rows {
			return fail(root.key("wrapped"), "row %d lies outside of the screen", y)
		}
	}
	return nil
}

// ValidUID tells whether a pane's UID may name a directory: 1 to 64 lower-case
// letters, digits and '-', not beginning with '-'. Nothing in it can leave the
// state directory.
func ValidUID(uid string) bool {
	if uid == "" || len(uid) > 64 || uid[0] == '-' {
		return false
	}
	for i := range len(uid) {
		c := uid[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// FileNumber gives the number in names like screen-12.toml. It is 0 for any
// other name; numbers start at 1 and have no leading zeros.
func FileNumber(name, prefix, suffix string) uint64 {
	s, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return 0
	}
	if s, ok = strings.CutSuffix(s, suffix); !ok || s == "" || len(s) > 18 || s[0] == '0' {
		return 0
	}
	n := uint64(0)
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0
		}
		n = n*10 + uint64(s[i]-'0')
	}
	return n
}
