package command

import (
	"fmt"
	"strings"

	"stet/server/model"
	"stet/vt"
)

// Target is a place in the workspace: a session, one of its windows, one of that window's panes. All
// three are set, or none is, except that a target found with WindowIndex can be an Index at which there is
// no window; it is -1 where no window was named, and Window is then the session's current one.
type Target struct {
	Session *model.Session
	Index   int // of the window in the session
	Window  *model.Window
	Pane    *model.Pane
}

// Valid says that there is something behind the target.
func (t Target) Valid() bool { return t.Session != nil }

// MouseEvent is the mouse event a binding was run by. X and Y are cells of the window, LastX and LastY
// where the drag was before.
type MouseEvent struct {
	Session      model.SessionID
	Window       model.WindowID
	Pane         model.PaneID // -1: not on a pane
	X, Y         int
	LastX, LastY int
	PaneX, PaneY int // cell of the pane; outside of it while a button is held down that was pressed in it
	// StatusLine is the status line it happened on, counted from 1, 0 for none; Range what the piece
	// of text there stands for, such as window|3 or user|clock; ScreenX and ScreenY the cell of the screen.
	StatusLine       int
	Range            string
	ScreenX, ScreenY int
	// Spot is the text that the mouse is over in a pane, where the binding asks for it.
	Spot vt.Spot
	// Send gives the event to the program of the pane it happened in, as far as that asked for it.
	Send func()
}

// finder resolves targets. It has what a target may refer to: the model, the clients, the mouse, and
// the current place, from which everything not said is taken.
type finder struct {
	host    Host
	model   *model.Model
	client  ClientID
	current Target
	mouse   *MouseEvent
}

// targetError is a target that names nothing, in tmux's words.
type targetError struct{ what, name string }

func (e *targetError) Error() string { return "can't find " + e.what + ": " + e.name }

// find turns the text of a target into a place. kind says how a plain word is meant. It is the one
// place where targets are resolved and follows tmux's cmd_find_target.
func (f *finder) find(text string, kind Kind, o TargetOptions) (Target, error) {
	current := f.current
	if o&DefaultMarked != 0 {
		if t, ok := f.ofPane(f.model.Marked, nil); ok {
			current = t
		}
	}
	if !f.alive(current) {
		current = f.fromClient(f.client, o)
	}
	switch text {
	case "":
		if !current.Valid() {
			return Target{}, fmt.Errorf("no current target")
		}
		return o.unnamed(current), nil
	case "{mouse}", "=":
		return f.fromMouse(kind)
	case "{marked}", "~":
		if t, ok := f.ofPane(f.model.Marked, nil); ok {
			return t, nil
		}
		return Target{}, fmt.Errorf("no marked target")
	case "{active}", "{current}":
		if c, ok := f.host.Client(f.client); ok && c.Attached() {
			return f.ofSession(f.model.Sessions[c.Session]), nil
		}
	}
	if len(text) > maxTarget {
		return Target{}, &targetError{"target", strings.ToValidUTF8(text[:40], "") + "…"}
	}
	r := resolver{finder: f, current: current, options: o}
	return r.resolve(splitTarget(text, kind))
}

// maxTarget bounds the text of a target.
const maxTarget = 4 * model.MaxName

// parts are the three parts of a target's text; has tells which are there.
type parts struct {
	session, window, pane          string
	exactSession, exactWindow      bool
	windowOnly, paneOnly           bool // the separator says that it cannot be a session
	hasSession, hasWindow, hasPane bool
}

// splitTarget cuts at the first colon and the first point behind it. A word alone is what its sign
// says ($ @ %), or else what the command takes.
func splitTarget(text string, kind Kind) parts {
	var p parts
	before, after, colon := strings.Cut(text, ":")
	if colon {
		p.session, p.window, p.windowOnly = before, after, true
		p.window, p.pane, p.paneOnly = strings.Cut(after, ".")
	} else if w, pane, point := strings.Cut(text, "."); point {
		p.window, p.pane, p.paneOnly = w, pane, true
	} else {
		switch {
		case text[0] == '$':
			kind = SessionTarget
		case text[0] == '@':
			kind = WindowTarget
		case text[0] == '%':
			kind = PaneTarget
		}
		switch kind {
		case WindowTarget:
			p.window = text
		case PaneTarget:
			p.pane = text
		default:
			p.session = text
		}
	}
	p.session, p.exactSession = cutExact(p.session)
	p.window, p.exactWindow = cutExact(p.window)
	p.window = mapped(p.window, "{start}", "^", "{last}", "!", "{end}", "$", "{next}", "+", "{previous}", "-")
	p.pane = mapped(p.pane, "{last}", "!", "{next}", "+", "{previous}", "-")
	p.hasSession, p.hasWindow, p.hasPane = p.session != "", p.window != "", p.pane != ""
	return p
}

// cutExact takes off the = that asks for an exact name.
func cutExact(s string) (string, bool) {
	if rest, ok := strings.CutPrefix(s, "="); ok {
		return rest, true
	}
	return s, false
}

func mapped(s string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if s == pairs[i] {
			return pairs[i+1]
		}
	}
	return s
}

// unnamed is a place whose window was not named: a new window is put where there is room.
func (o TargetOptions) unnamed(t Target) Target {
	if o&WindowIndex != 0 {
		t.Index = -1
	}
	return t
}
