package server

import (
	"fmt"
	"net"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"stet/config/style"
	"stet/resurrect"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt"
	"stet/vt/key"
)

func TestHowProgramsEnd(t *testing.T) {
	for _, c := range []struct {
		status       int
		code, signal int
		failed       bool
		delay        time.Duration
		words        string
	}{
		{0, 0, 0, false, 0, "status 0"},
		{3 << 8, 3, 0, true, 0, "status 3"},
		{255 << 8, 255, 0, true, 0, "status 255"},
		{int(syscall.SIGTERM), 0, 15, true, provisional, "signal 15 (terminated)"},
		{int(syscall.SIGSEGV) | 0x80, 0, 11, true, provisional, "signal 11"}, // with a core
	} {
		e := exit(c.status)
		if e.code() != c.code || e.signal() != c.signal || e.failed() != c.failed || exitDelay(e) != c.delay || !strings.Contains(e.String(), c.words) {
			t.Errorf("%#x: code %d, signal %d, failed %v, %v, %s", c.status, e.code(), e.signal(), e.failed(), exitDelay(e), e)
		}
	}
}

func TestLinesOfCapture(t *testing.T) {
	const history, rows = 100, 24
	for _, c := range []struct {
		line int
		edge bool
		at   int // the edge
		want int
	}{
		{0, false, 0, 100}, // the first visible line
		{23, false, 0, 123},
		{24, false, 0, 123}, // below the screen
		{command.LastLine, false, 0, 123},
		{-1, false, 0, 99},
		{-100, false, 0, 0},
		{-101, false, 0, 0},
		{-1 << 31, false, 0, 0},
		{7, true, 0, 0},
		{7, true, 123, 123},
	} {
		if got := captureLine(command.CaptureRange{Line: c.line, Edge: c.edge}, c.at, history, rows); got != c.want {
			t.Errorf("line %d, edge %v: %d, want %d", c.line, c.edge, got, c.want)
		}
	}
}

func TestSegments(t *testing.T) {
	base := style.Style{FG: style.Color(1<<24 | 2)}
	red, bold := base, base
	red.FG = style.Color(1<<24 | 1)
	bold.Attr |= style.Bold
	for _, c := range []struct {
		text  string
		limit int
		want  []scene.Segment
	}{
		{"", 10, nil},
		{"plain", 10, []scene.Segment{{Text: "plain", Pen: penOf(base)}}},
		{"a#[fg=red]b#[default]c", 10, []scene.Segment{{Text: "a", Pen: penOf(base)}, {Text: "b", Pen: penOf(red)}, {Text: "c", Pen: penOf(base)}}},
		{"#[bold]bold", 2, []scene.Segment{{Text: "bo", Pen: penOf(bold)}}},
		{"ab#[bold]cd", 3, []scene.Segment{{Text: "ab", Pen: penOf(base)}, {Text: "c", Pen: penOf(bold)}}},
		{"文文文", 5, []scene.Segment{{Text: "文文", Pen: penOf(base)}}}, // no half of one
		{"abc", 0, nil},
	} {
		got := segments(c.text, base, c.limit)
		if len(got)+len(c.want) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q in %d: %+v, want %+v", c.text, c.limit, got, c.want)
		}
	}
}

func TestAnAlarmGoesOffAtItsEarliestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		a := newAlarm(func() {})
		wait := func(want time.Duration) {
			t.Helper()
			if at := <-a.timer.C; at.Sub(begun) != want {
				t.Errorf("after %v, want %v", at.Sub(begun), want)
			}
			a.goOff()
		}
		if a.armed {
			t.Error("armed from the beginning")
		}
		a.within(5 * time.Second)
		a.within(time.Second)
		a.within(3 * time.Second) // later: nothing changes
		wait(time.Second)
		if a.armed {
			t.Error("armed when it has gone off")
		}
		a.within(time.Second)
		wait(2 * time.Second)
		a.within(0)
		wait(2 * time.Second)
		time.Sleep(time.Hour)
		select {
		case <-a.timer.C:
			t.Error("it goes off by itself")
		default:
		}
	})
}

func TestTheMailboxKeepsOrderAndNeverBlocks(t *testing.T) {
	l := newLoop()
	var got []int
	for i := range 1000 {
		l.post(func() { got = append(got, i) })
	}
	<-l.bell
	for _, f := range l.take() {
		f()
	}
	if len(got) != 1000 || !slices.IsSorted(got) {
		t.Errorf("%d came, sorted %v", len(got), slices.IsSorted(got))
	}
	if len(l.take()) > 0 {
		t.Error("delivered twice")
	}
	select {
	case <-l.bell:
		t.Error("rung for nothing")
	default:
	}
}

// A server that has ended has not begun what a client asks for, and must not let it believe so: the client goes to its successor then.
func TestAClientThatComesWhenTheLoopHasEndedIsNotWelcomed(t *testing.T) {
	for _, room := range []bool{true, false} {
		s := &Server{loop: newLoop()}
		s.loop.turn.Lock() // as the loop leaves it
		if room {
			close(s.loop.quit)
		} else {
			for range opsWaiting {
				s.loop.ops <- func() {}
			}
			time.AfterFunc(time.Millisecond, func() { close(s.loop.quit) })
		}
		ours, theirs := net.Pipe()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.serve(ours)
		}()
		w := wire.NewConn(theirs)
		lowest, highest := wire.Versions()
		if err := w.Send(wire.KindHello, wire.Hello{Min: lowest, Max: highest}); err != nil {
			t.Fatal(err)
		}
		if k, _, err := w.Receive(); err == nil {
			t.Errorf("room %v: got a message of kind %d", room, k)
		}
		theirs.Close()
		<-ended
	}
}

func TestWhatIsSeenFirstStartsFirst(t *testing.T) {
	var ids []int
	for _, s := range visibleFirst([]resurrect.Step{{PaneID: 1}, {PaneID: 2, Visible: true}, {PaneID: 3}, {PaneID: 4, Visible: true}}) {
		ids = append(ids, s.PaneID)
	}
	if !slices.Equal(ids, []int{2, 4, 1, 3}) {
		t.Errorf("order %v", ids)
	}
}

func TestReasonsAreJoined(t *testing.T) {
	for _, c := range [][3]string{{"", "", ""}, {"a", "", "a"}, {"", "b", "b"}, {"a", "b", "a; b"}} {
		if got := joinReason(c[0], c[1]); got != c[2] {
			t.Errorf("%q and %q: %q", c[0], c[1], got)
		}
	}
}

// TestKeyModesHasEveryMode sets each field of the emulator's modes that the encoder knows by the same name.
func TestKeyModesHasEveryMode(t *testing.T) {
	from := reflect.TypeFor[vt.Modes]()
	to := reflect.TypeFor[key.Modes]()
	for i := range to.NumField() {
		name := to.Field(i).Name
		if _, ok := from.FieldByName(name); !ok {
			t.Errorf("the emulator has no %s", name)
			continue
		}
		var m vt.Modes
		switch f := reflect.ValueOf(&m).Elem().FieldByName(name); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		default:
			f.SetInt(5)
		}
		if reflect.ValueOf(keyModes(m)).FieldByName(name).IsZero() {
			t.Errorf("%s is not passed on", name)
		}
	}
}

// house is a server with a session of a window of two panes, of which none has a program.
func house(t *testing.T) (*Server, *model.Session, *model.Window) {
	t.Helper()
	s := idle(t)
	ses, w, p, err := s.model.NewSession(model.SessionSpec{Name: "work"}, model.PaneSpec{UID: "a", Shell: "/bin/sh"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.model.SplitPane(p.ID, model.Split{}, model.PaneSpec{UID: "b"}, time.Time{}); err != nil {
		t.Fatal(err)
	}
	return s, ses, w
}

func TestTheEnvironmentOfAProgram(t *testing.T) {
	s, ses, w := house(t)
	s.environ = command.ParseEnviron([]string{"BASE=1", "OVER=base", "GONE=1", "HOME=/h", "TMUX=x", "TMUX_PANE=%9", "LINES=5", "COLUMNS=6", "TERMCAP=x", "STET=old", "STET_PANE=%7", "STET_CRASH=x:1", "TERM=dumb", "nonsense"})
	ses.Env, ses.Hidden = []string{"OVER=session", "GONE", "SESSION=1", "EQUALS=a=b"}, []string{"HIDDEN=1"}
	p := s.model.Panes[w.Panes()[1]]
	p.Env = []string{"OVER=pane", "SESSION"}
	env := map[string]string{}
	list := s.environment(p)
	if !slices.IsSorted(list) {
		t.Errorf("not in order: %q", list)
	}
	for _, e := range list {
		k, v, _ := strings.Cut(e, "=")
		if _, twice := env[k]; twice {
			t.Errorf("%s comes twice", k)
		}
		env[k] = v
	}
	for k, want := range map[string]string{
		"BASE": "1", "OVER": "pane", "HOME": "/h", "EQUALS": "a=b", "COLORTERM": "truecolor", "TERM_PROGRAM": "stet", "TERM_PROGRAM_VERSION": "build",
		"STET": fmt.Sprintf("/run/s,%d,0", s.pid), "STET_PANE": "%1", "TERM": s.option(serverScope, "default-terminal"),
	} {
		if env[k] != want {
			t.Errorf("%s=%q, want %q", k, env[k], want)
		}
	}
	for _, k := range []string{"GONE", "SESSION", "TMUX", "TMUX_PANE", "LINES", "COLUMNS", "TERMCAP", "STET_CRASH", "nonsense"} {
		if v, ok := env[k]; ok {
			t.Errorf("%s=%q is passed on", k, v)
		}
	}
}

func TestAnOptionIsLookedUpWhereItIsKept(t *testing.T) {
	s, ses, w := house(t)
	pane := w.Panes()[0]
	set := func(target command.OptionTarget, name, value string) {
		t.Helper()
		if err := s.OptionSet(target).Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	set(serverScope, "escape-time", "11")
	set(ofSession(ses.ID), "history-limit", "22")
	set(ofWindow(w.ID), "mode-keys", "vi")
	set(globalSession, "display-time", "33")
	for _, c := range []struct {
		target command.OptionTarget
		name   string
		want   string
	}{
		{ofPane(pane), "escape-time", "11"}, {ofWindow(w.ID), "escape-time", "11"}, {globalWindow, "escape-time", "11"}, {globalSession, "escape-time", "11"},
		{ofPane(pane), "history-limit", "22"}, {ofWindow(w.ID), "history-limit", "22"}, {ofSession(ses.ID), "history-limit", "22"},
		{ofPane(pane), "mode-keys", "vi"}, {ofWindow(w.ID), "mode-keys", "vi"},
		{ofPane(pane), "display-time", "33"}, {serverScope, "display-time", "33"}, {globalWindow, "display-time", "33"}, {ofSession(ses.ID), "display-time", "33"},
	} {
		if got := s.option(c.target, c.name); got != c.want {
			t.Errorf("%s of %+v: %q, want %q", c.name, c.target, got, c.want)
		}
	}
	if s.option(globalSession, "history-limit") == "22" || s.option(globalWindow, "mode-keys") == "vi" {
		t.Error("an option of one is that of all")
	}
	if s.option(serverScope, "no-such-option") != "" || s.number(serverScope, "no-such-option", 5) != 5 || s.flag(serverScope, "no-such-option") {
		t.Error("an option that does not exist has a value")
	}
}

// visitor is an attached client without a connection.
func visitor(s *Server, ses *model.Session, cols, rows int, used time.Time) *client {
	s.nextClient++
	c := &client{id: s.nextClient, cols: cols, rows: rows}
	c.info = command.ClientInfo{ID: c.id, Session: ses.ID, Activity: used, Terminal: true}
	s.clients[c.id] = c
	s.attached = append(s.attached, c)
	return c
}

func TestWindowsFollowTheClientUsedLast(t *testing.T) {
	s, ses, w := house(t)
	now := time.Now()
	size := func(cols, rows int) {
		t.Helper()
		s.fitWindows()
		if w.W != cols || w.H != rows {
			t.Errorf("%dx%d, want %dx%d", w.W, w.H, cols, rows)
		}
	}
	size(80, 24) // nobody looks
	a := visitor(s, ses, 100, 31, now)
	size(100, 30) // less its status line
	b := visitor(s, ses, 60, 21, now.Add(time.Second))
	size(60, 20)
	a.info.Activity = now.Add(2 * time.Second)
	size(100, 30)
	a.info.ReadOnly = true // somebody who only looks does not decide
	size(60, 20)
	a.info.ReadOnly, a.cols = false, 0 // nor one of no size
	size(60, 20)
	b.cols, b.rows = 5, 1 // no row is left for a status line
	size(5, 1)
	if err := s.OptionSet(ofSession(ses.ID)).Set("status", "off"); err != nil {
		t.Fatal(err)
	}
	b.cols, b.rows = 60, 20
	size(60, 20)
}

func TestWindowSizePolicies(t *testing.T) {
	s, ses, w := house(t)
	now := time.Now()
	large := visitor(s, ses, 100, 21, now)
	small := visitor(s, ses, 60, 31, now.Add(time.Second))
	for _, c := range []struct {
		policy  string
		prepare func()
		w, h    int
	}{
		{"latest", nil, 60, 30},
		{"largest", nil, 100, 30},
		{"smallest", nil, 60, 20},
		{"latest", func() { large.info.Activity = now.Add(time.Minute) }, 100, 20},
		{"manual", func() { _ = s.model.ResizeWindow(w.ID, 33, 11) }, 33, 11},
		{"smallest", func() { small.info.IgnoreSize = true }, 100, 20},
		{"smallest", func() { large.info.IgnoreSize = true }, 60, 20}, // nobody is left who could decide
		{"smallest", func() { small.suspended = true }, 100, 20},
		{"largest", func() { small.suspended, large.info.ReadOnly = false, true }, 60, 30},
	} {
		if c.prepare != nil {
			c.prepare()
		}
		if err := s.OptionSet(ofWindow(w.ID)).Set("window-size", c.policy); err != nil {
			t.Fatal(err)
		}
		s.fitWindows()
		if w.W != c.w || w.H != c.h {
			t.Fatalf("%s: %dx%d, want %dx%d", c.policy, w.W, w.H, c.w, c.h)
		}
	}
}

func TestDraggingKeepsThePlaceOfThePress(t *testing.T) {
	c := &client{}
	m := &command.MouseEvent{Pane: 3, X: 10, Y: 5}
	type want struct {
		g     key.Gesture
		place key.Place
		ok    bool
	}
	step := func(name string, e key.Event, at scene.PlaceKind, w want) {
		t.Helper()
		g, place, ok := c.gesture(e, scene.Place{Kind: at}, m, time.Time{})
		if ok != w.ok || ok && (g != w.g || place != w.place) {
			t.Errorf("%s: %v %v %v, want %v", name, g, place, ok, w)
		}
	}
	motion := key.Event{Kind: key.KindMouse, Act: key.Motion}
	step("a motion", motion, scene.PlacePane, want{key.GestureMove, key.PlacePane, true})
	step("the wheel", key.Event{Button: key.WheelUp, Act: key.Press}, scene.PlacePane, want{key.GestureWheelUp, key.PlacePane, true})
	if c.drag != nil {
		t.Error("the wheel is held down")
	}
	step("a press", key.Event{Act: key.Press}, scene.PlaceBorder, want{key.GestureDown, key.PlaceBorder, true})
	m.X = 14
	step("a drag into a pane", motion, scene.PlacePane, want{key.GestureDrag, key.PlaceBorder, true})
	if c.drag.x != 10 {
		t.Errorf("the last place was %d", c.drag.x)
	}
	c.dragged(m)
	if c.drag.x != 14 {
		t.Errorf("the last place is %d", c.drag.x)
	}
	step("the release", key.Event{Act: key.Release}, scene.PlacePane, want{key.GestureDragEnd, key.PlaceBorder, true})
	step("a motion again", motion, scene.PlaceNone, want{})
	c.dragged(m)
	step("a click on nothing", key.Event{Act: key.Press}, scene.PlaceNone, want{})
}

func TestTheNoteOfANarrowDeadPane(t *testing.T) {
	s, _, w := house(t)
	p := s.model.Panes[w.Panes()[0]]
	p.State = model.Dead
	s.pane(p.ID).why = "no such file"
	if got := s.deadNote(p, 40); got != "no such file\nEnter starts it again, C-c closes it" {
		t.Errorf("%q", got)
	}
}

func TestTheNoteOfADeadPane(t *testing.T) {
	s, _, w := house(t)
	p := s.model.Panes[w.Panes()[0]]
	p.ExitedAt = time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local)
	p.State, p.Status = model.Dead, 2
	const keys = " — C-c closes it"
	s.keys.Unbind(keymap.DeadPane, key.Chord{Key: key.Enter})
	for _, c := range []struct {
		change func()
		want   string
	}{
		{func() {}, "Pane is dead (status 2, Sun Mar  1 12:00:00 2026)" + keys},
		{func() { p.Signal = 9 }, "Pane is dead (signal 9, Sun Mar  1 12:00:00 2026)" + keys},
		{func() {
			s.OptionSet(ofPane(p.ID)).Set("remain-on-exit-format", "#[bold]over#[default] after #{pane_dead_signal}")
		}, "over after 9" + keys},
		{func() { s.OptionSet(ofPane(p.ID)).Set("remain-on-exit-format", "") }, ""},
		{func() { s.pane(p.ID).why = "no such file" }, "no such file" + keys},
	} {
		c.change()
		if got := s.deadNote(p, 80); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestBytesForAPaneThatIsNotThere(t *testing.T) {
	s, _, w := house(t)
	s.Reset(w.Active)
	if err := s.SendBytes(99, []byte("x")); err == nil {
		t.Error("they are taken")
	}
}

func TestInputForAProgramThatIsBeingStartedWaits(t *testing.T) {
	s, _, w := house(t)
	if err := s.SendBytes(w.Active, make([]byte, maxEarly)); err != nil || len(s.pane(w.Active).early) != maxEarly {
		t.Errorf("%v, %d bytes wait", err, len(s.pane(w.Active).early))
	}
	if err := s.SendBytes(w.Active, []byte("x")); err == nil {
		t.Error("input without end is kept for a program that does not start")
	}
}

func TestUIDsAreFitForFiles(t *testing.T) {
	s := idle(t)
	seen := map[string]bool{}
	for range 1000 {
		uid := s.UID()
		if seen[uid] || !resurrect.ValidUID(uid) {
			t.Fatalf("%q", uid)
		}
		seen[uid] = true
	}
}

// What is typed is written in runs, but never past a command that stands between.
func TestTypedKeysKeepTheirPlaceBetweenCommands(t *testing.T) {
	s, ses, w := house(t)
	c := visitor(s, ses, 80, 24, time.Time{})
	first := w.Active
	var keys []key.Event
	for _, name := range []string{"a", "b", "C-b", "C-b", "c", "C-b", "o", "d", "e", "C-b", "o", "f"} {
		e, err := key.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, e)
	}
	s.keysFrom(c, keys)
	var other model.PaneID
	for _, id := range w.Panes() {
		if id != first {
			other = id
		}
	}
	if a, b := string(s.pane(first).early), string(s.pane(other).early); a != "ab\x02cf" || b != "de" {
		t.Errorf("the panes got %q and %q", a, b)
	}
}

func TestClicksAreCounted(t *testing.T) {
	t0 := time.Unix(1000, 0)
	press := func(k *clicks, pane model.PaneID, ms int) key.Gesture {
		return k.press(key.Event{Act: key.Press}, key.PlacePane, &command.MouseEvent{Pane: pane}, t0.Add(time.Duration(ms)*time.Millisecond))
	}
	for name, c := range map[string]struct {
		at   []int // milliseconds
		pane []model.PaneID
		want []key.Gesture
	}{
		"a triple click":        {[]int{0, 100, 200}, []model.PaneID{1, 1, 1}, []key.Gesture{key.GestureDown, key.GestureSecondClick, key.GestureTripleClick}},
		"too slow":              {[]int{0, 300, 600}, []model.PaneID{1, 1, 1}, []key.Gesture{key.GestureDown, key.GestureDown, key.GestureDown}},
		"another place":         {[]int{0, 100, 200}, []model.PaneID{1, 2, 2}, []key.Gesture{key.GestureDown, key.GestureDown, key.GestureSecondClick}},
		"a fourth begins again": {[]int{0, 100, 200, 250}, []model.PaneID{1, 1, 1, 1}, []key.Gesture{key.GestureDown, key.GestureSecondClick, key.GestureTripleClick, key.GestureDown}},
	} {
		var k clicks
		for i := range c.at {
			if g := press(&k, c.pane[i], c.at[i]); g != c.want[i] {
				t.Errorf("%s, click %d: %v, want %v", name, i, g, c.want[i])
			}
		}
	}
	var k clicks
	press(&k, 1, 0)
	if _, waits := k.due(); waits {
		t.Error("one click waits for being a double one")
	}
	press(&k, 1, 100)
	if at, waits := k.due(); !waits || !at.Equal(t0.Add(400*time.Millisecond)) {
		t.Errorf("double click due %v %v", at, waits)
	}
}
