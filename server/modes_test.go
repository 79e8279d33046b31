package server

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"stet/server/mode"
	"stet/server/model"
	"stet/server/scene"
	"stet/vt"
	"stet/vt/key"
)

// notes is a mode that writes down what it is told.
type notes struct {
	name, table string
	log         []string
	next        mode.Effect // of the next key or command
	wake        time.Time
}

func (n *notes) note(format string, args ...any) mode.Effect {
	n.log = append(n.log, fmt.Sprintf(format, args...))
	e := n.next
	n.next = mode.Effect{}
	return e
}

func (n *notes) Name() string  { return n.name }
func (n *notes) Table() string { return n.table }
func (n *notes) Key(e key.Event) mode.Effect {
	switch e.Kind {
	case key.KindPaste:
		return n.note("paste %s", e.Data)
	case key.KindMouse:
		return n.note("mouse %d,%d", e.X, e.Y)
	}
	return n.note("key %s", e.Name())
}
func (n *notes) Command(c mode.Command) (mode.Effect, error) {
	if c.Name == "nope" {
		return mode.Effect{}, errors.New("unknown command: nope")
	}
	return n.note("%s %q %d", c.Name, c.Args, c.Count), nil
}
func (n *notes) Resize(cols, rows int) { n.note("%dx%d", cols, rows) }
func (n *notes) Variable(name string) (string, bool) {
	return "yes", name == "scroll_position"
}
func (n *notes) Indicator() string                       { return "[" + n.name + "]" }
func (n *notes) View([]vt.RowInfo, uint64, int) *vt.View { return &vt.View{Cols: 1, Rows: 1} }
func (n *notes) Version() uint64                         { return 1 }
func (n *notes) Close()                                  { n.note("closed") }
func (n *notes) Wake() time.Time                         { return n.wake }
func (n *notes) Tick(time.Time) mode.Effect              { n.wake = time.Time{}; return n.note("tick") }
func (n *notes) got() string                             { s := strings.Join(n.log, "; "); n.log = nil; return s }
func (n *notes) want(t *testing.T, what string, want string) {
	t.Helper()
	wantText(t, what, n.got(), want)
}

func wantText(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func press(t *testing.T, name string) key.Event {
	t.Helper()
	e, err := key.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestAModeTakesWhatIsMeantForThePane(t *testing.T) {
	s, ses, w := house(t)
	c := visitor(s, ses, 80, 24, time.Time{})
	m := &notes{name: "test-mode"}
	s.EnterMode(c.id, w.Active, m)
	r, _ := s.model.Rect(w.Active)
	m.want(t, "entered", fmt.Sprintf("%dx%d", r.W, r.H))
	s.keysFrom(c, []key.Event{press(t, "x"), {Kind: key.KindKey, Key: 'x', Act: key.Release}, {Kind: key.KindPaste, Data: []byte("text"), End: true}})
	m.want(t, "typed", "key x; paste text")
	if n := len(s.pane(w.Active).early); n != 0 {
		t.Errorf("the program got %d bytes", n)
	}
	s.keysFrom(c, []key.Event{press(t, "C-b"), press(t, "F9")})
	m.want(t, "a key behind the prefix", "")
	s.sendMouse(c, w.Active, key.Event{Kind: key.KindMouse, X: 3, Y: 4})
	m.want(t, "the mouse", "mouse 3,4")
	s.leaveAndCheck(t, w.Active, m)
	s.keysFrom(c, []key.Event{press(t, "y")})
	wantText(t, "the program behind the mode", string(s.pane(w.Active).early), "y")
}

func (s *Server) leaveAndCheck(t *testing.T, id model.PaneID, m *notes) {
	t.Helper()
	s.LeaveModes(id)
	m.want(t, "left", "closed")
	if len(s.Modes(id)) != 0 || s.Facts(id).Mode != "" {
		t.Errorf("modes are left over: %v", s.Modes(id))
	}
}

func TestModesLieOverEachOther(t *testing.T) {
	s, ses, w := house(t)
	c := visitor(s, ses, 80, 24, time.Time{})
	a, b, again := &notes{name: "a-mode"}, &notes{name: "b-mode"}, &notes{name: "a-mode"}
	s.EnterMode(c.id, w.Active, a)
	s.EnterMode(c.id, w.Active, b)
	if f := s.Facts(w.Active); f.Mode != "b-mode" || f.Modes != 2 {
		t.Errorf("%+v", f)
	}
	s.EnterMode(c.id, w.Active, again)
	wantText(t, "the second of a name", again.got(), "closed")
	if s.modeOf(w.Active) != mode.Mode(a) {
		t.Error("the first one is not back in front")
	}
	var p scene.Pane
	if p = s.describePane(w, w.Active, p); p.Source != scene.Source(a) || !p.Mode || p.Indicator != "[a-mode]" {
		t.Errorf("shown is %+v", p)
	}
	s.LeaveMode(w.Active)
	if s.modeOf(w.Active) != mode.Mode(b) {
		t.Error("what lay beneath is not back")
	}
	b.got()
	s.drop(w.Active)
	b.want(t, "the pane has ended", "closed")
}

func TestCommandsOfAModeAndWhatComesOfThem(t *testing.T) {
	s, ses, w := house(t)
	c := visitor(s, ses, 80, 24, time.Time{})
	if err := s.ModeCommand(c.id, w.Active, mode.Command{Name: "x"}); err == nil {
		t.Error("a pane in no mode takes commands")
	}
	m := &notes{name: "test-mode"}
	s.EnterMode(c.id, w.Active, m)
	m.got()
	s.queue.RunText(c.id, "send-keys -X -N 3 go here 'or there'", nil, nil)
	m.want(t, "send-keys -X", `go ["here" "or there"] 3`)
	s.queue.RunText(c.id, "send-keys -X nope", nil, nil)
	wantText(t, "an unknown one", c.message, "unknown command: nope")
	s.queue.RunText(c.id, "display-message -p '#{pane_in_mode} #{pane_mode} #{scroll_position}'", nil, nil)
	wantText(t, "variables", c.message, "1 test-mode yes")

	m.next = mode.Effect{Message: "said", Prompt: &mode.Prompt{
		Label:   "what? ",
		Changed: func(text string) mode.Effect { return m.note("so far %s", text) },
		Answer:  func(text string) mode.Effect { return m.note("answer %s", text) },
	}}
	s.queue.RunText(c.id, "send-keys -X ask", nil, nil)
	s.keysFrom(c, []key.Event{press(t, "o"), press(t, "k"), press(t, "Left"), press(t, "Enter")})
	m.want(t, "a prompt", `ask [] 0; so far o; so far ok; answer ok`)

	m.next = mode.Effect{Run: "select-pane -T named", Leave: true}
	s.queue.RunText(c.id, "send-keys -X end", nil, nil)
	m.want(t, "the last one", "end [] 0; closed")
	wantText(t, "the command line run", s.model.Panes[w.Active].Title, "named")
}

func TestAModeIsWokenOnlyWhenItWantsToBe(t *testing.T) {
	s, ses, w := house(t)
	c := visitor(s, ses, 80, 24, time.Time{})
	m := &notes{name: "test-mode"}
	s.EnterMode(c.id, w.Active, m)
	if s.wakes.armed {
		t.Error("a timer runs for nobody")
	}
	m.got()
	m.wake = time.Now().Add(-time.Second)
	if err := s.ModeKey(c.id, w.Active, press(t, "x")); err != nil || !s.wakes.armed {
		t.Errorf("%v, the timer is armed: %v", err, s.wakes.armed)
	}
	s.wakes.goOff()
	m.want(t, "woken", "key x; tick")
	if s.wakes.armed {
		t.Error("the timer goes on")
	}
}

// A mode that has work to do at once is ticked, and the timer does not run for nothing.
func TestAModeThatIsNeverIdleIsTickedEachTime(t *testing.T) {
	s, ses, w := house(t)
	c := visitor(s, ses, 80, 24, time.Time{})
	m := &busy{notes: notes{name: "test-mode"}, left: 3}
	s.EnterMode(c.id, w.Active, m)
	m.got()
	for range 3 {
		if !s.wakes.armed {
			t.Fatal("the timer is not armed")
		}
		s.wakes.goOff()
	}
	m.want(t, "ticked", "tick; tick; tick")
	if s.wakes.armed {
		t.Error("the timer goes on")
	}
}

// busy is a mode that wants to be woken at once a few times.
type busy struct {
	notes
	left int
}

func (b *busy) Wake() time.Time {
	if b.left == 0 {
		return time.Time{}
	}
	return time.Now()
}

func (b *busy) Tick(time.Time) mode.Effect { b.left--; return b.note("tick") }
