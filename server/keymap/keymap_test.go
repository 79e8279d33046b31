package keymap

import (
	"slices"
	"testing"
	"time"

	"stet/vt/key"
)

var (
	t0       = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	settings = Settings{Prefix: chord("C-b"), Repeat: 500 * time.Millisecond}
)

func chord(name string) key.Chord {
	c, err := key.ParseChord(name)
	if err != nil {
		panic(err)
	}
	return c
}

func press(name string) key.Event {
	e, err := key.Parse(name)
	if err != nil {
		panic(err)
	}
	return e
}

func TestDefaultsAreAllThere(t *testing.T) {
	tables := Defaults()
	n := 0
	for _, name := range tables.Names() {
		n += len(tables.List(name))
	}
	if n != len(defaults) {
		t.Errorf("%d of %d default bindings are reachable: a key is unknown or bound twice", n, len(defaults))
	}
	for _, d := range defaults {
		c := chord(d.key)
		if b, ok := tables.Lookup(d.table, c); !ok || b.Command != d.command {
			t.Errorf("%s %s is bound to %q", d.table, d.key, b.Command)
		}
		if c.Name() != d.key {
			t.Errorf("%s %s should be written %s", d.table, d.key, c.Name())
		}
	}
}

// step is one key at a time in milliseconds and what must come of it: the command run, "pass" or
// "swallow".
type step struct {
	at   int
	key  string
	want string
}

func TestKeys(t *testing.T) {
	for name, c := range map[string]struct {
		mode  string
		bind  []Binding // in the root table
		steps []step
	}{
		"ordinary keys pass": {steps: []step{{0, "a", "pass"}, {0, "C-c", "pass"}, {0, "Up", "pass"}}},
		"prefix, then a binding": {steps: []step{
			{0, "C-b", "swallow"}, {5000, "%", "split-window -h"}, {5000, "%", "pass"}}},
		"prefix twice sends it": {steps: []step{{0, "C-b", "swallow"}, {1, "C-b", "send-prefix"}, {2, "a", "pass"}}},
		"a key not bound behind the prefix is lost": {steps: []step{
			{0, "C-b", "swallow"}, {1, "F9", "swallow"}, {2, "%", "pass"}}},
		"a key bound in the root table works behind the prefix too": {
			bind:  []Binding{{Chord: chord("F9"), Command: "next"}},
			steps: []step{{0, "C-b", "swallow"}, {1, "F9", "next"}, {2, "F9", "next"}}},
		"repeat without prefix within its time": {steps: []step{
			{0, "C-b", "swallow"}, {10, "Up", "select-pane -U"}, {510, "Up", "select-pane -U"},
			{600, "C-Down", "resize-pane -D"}, {1101, "Up", "pass"}}},
		"a key that does not repeat ends repeating and reaches the program": {steps: []step{
			{0, "C-b", "swallow"}, {10, "Up", "select-pane -U"}, {20, "%", "pass"}, {30, "Up", "pass"}}},
		"the prefix works while repeating": {steps: []step{
			{0, "C-b", "swallow"}, {10, "Up", "select-pane -U"}, {20, "C-b", "swallow"}, {30, "%", "split-window -h"}}},
		"a mode has its own table and keeps other keys from the program": {mode: CopyMode, steps: []step{
			{0, "PPage", "send-keys -X page-up"}, {0, "x", "mode"}, {0, "C-b", "swallow"}, {0, "F9", "swallow"}, {0, "C-b", "swallow"}, {0, "%", "split-window -h"},
			{0, "q", "send-keys -X cancel"}}},
		"a mode lets root bindings through": {mode: CopyMode,
			bind:  []Binding{{Chord: chord("F9"), Command: "next"}},
			steps: []step{{0, "F9", "next"}}},
		"any": {bind: []Binding{{Chord: chord("Any"), Command: "rest"}, {Chord: chord("a"), Command: "mine"}},
			steps: []step{{0, "a", "mine"}, {0, "b", "rest"}}},
	} {
		t.Run(name, func(t *testing.T) {
			tables, s, set := Defaults(), State{}, settings
			set.Mode, set.InMode = c.mode, c.mode != ""
			for _, b := range c.bind {
				tables.Bind(Root, b)
			}
			for i, st := range c.steps {
				r := s.Key(tables, press(st.key), set, t0.Add(time.Duration(st.at)*time.Millisecond))
				if got := show(r); got != st.want {
					t.Fatalf("step %d, %s: %s, want %s", i, st.key, got, st.want)
				}
			}
		})
	}
}

func show(r Result) string {
	switch r.Action {
	case Pass:
		return "pass"
	case Swallow:
		return "swallow"
	case ToMode:
		return "mode"
	}
	return r.Binding.Command
}

func TestReleasesGoWhereTheirPressWent(t *testing.T) {
	tables, s := Defaults(), State{}
	shift := key.Event{Key: key.LeftShift}
	percent := key.Event{Key: '5', Shifted: '%', Mod: key.Shift, Text: "%"}
	a := key.Event{Key: 'a'}
	release := func(e key.Event) key.Event { e.Act, e.Text = key.Release, ""; return e }
	for i, st := range []struct {
		e    key.Event
		want string
	}{
		{a, "pass"}, {release(a), "pass"},
		{press("C-b"), "swallow"}, {release(press("C-b")), "swallow"},
		{shift, "pass"}, {percent, "split-window -h"}, {release(percent), "swallow"}, {release(shift), "pass"},
		{a, "pass"}, {release(a), "pass"},
		{key.Event{Kind: key.KindPaste, Data: []byte("x")}, "pass"},
	} {
		if got := show(s.Key(tables, st.e, settings, t0)); got != st.want {
			t.Fatalf("event %d: %s, want %s", i, got, st.want)
		}
	}
}

func TestPasteAndFocusLeaveThePrefixWaiting(t *testing.T) {
	tables, s := Defaults(), State{}
	s.Key(tables, press("C-b"), settings, t0)
	s.Key(tables, key.Event{Kind: key.KindFocus}, settings, t0)
	if r := s.Mouse(tables, chord("MouseMovePane"), settings, t0); r.Action != Pass {
		t.Errorf("a mouse move is bound to %q", r.Binding.Command)
	}
	if table, _ := s.Waiting(t0); table != Prefix {
		t.Fatalf("waits in table %q", table)
	}
	if got := show(s.Key(tables, press("d"), settings, t0)); got != "detach-client" {
		t.Fatal(got)
	}
}

// What the table of a mode does not bind is looked up in the root table, also for the mouse: a click on the
// status line while a pane is in copy mode.
func TestMouseInAMode(t *testing.T) {
	tables, s := Defaults(), State{}
	set := settings
	set.Mode, set.InMode = CopyMode, true
	for name, want := range map[string]string{"MouseDown1Status": "switch-client -t =", "MouseDrag1Border": "resize-pane -M", "MouseDown1Pane": "select-pane"} {
		if got := show(s.Mouse(tables, chord(name), set, t0)); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

func TestAmbiguousTabIsCtrlIWhereOnlyThatIsBound(t *testing.T) {
	tables, s := Defaults(), State{}
	tables.Bind(Root, Binding{Chord: chord("C-i"), Command: "here"})
	if got := show(s.Key(tables, key.Event{Key: key.Tab, Ambiguous: true}, settings, t0)); got != "here" {
		t.Error(got)
	}
	if got := show(s.Key(tables, key.Event{Key: key.Tab}, settings, t0)); got != "pass" {
		t.Error(got)
	}
}

func TestRepeatEndsByItself(t *testing.T) {
	tables, s := Defaults(), State{}
	s.Key(tables, press("C-b"), settings, t0)
	s.Key(tables, press("Up"), settings, t0)
	end, ok := s.Deadline()
	if !ok || !end.Equal(t0.Add(settings.Repeat)) {
		t.Fatalf("deadline %v %v", end, ok)
	}
	if table, repeating := s.Waiting(end); table != Prefix || !repeating {
		t.Errorf("at the deadline: %q %v", table, repeating)
	}
	if table, repeating := s.Waiting(end.Add(1)); table != "" || repeating {
		t.Errorf("behind the deadline: %q %v", table, repeating)
	}
	if _, ok := s.Deadline(); ok {
		t.Error("a deadline remains")
	}
}

func TestChanges(t *testing.T) {
	tables := Defaults()
	if c := tables.Changes(); len(c) != 0 {
		t.Fatalf("the defaults differ from themselves: %v", c)
	}
	tables.Bind(Prefix, Binding{Chord: chord("%"), Command: "split-window -v", Note: "n"})
	tables.Bind("mine", Binding{Chord: chord("M-x"), Command: "list-keys", Repeat: true})
	tables.Unbind(Prefix, chord("d"))
	tables.UnbindAll(CopyModeVi)
	changes := tables.Changes()
	again := Defaults()
	again.Apply(changes)
	again.Apply([]Change{{Table: Prefix, Key: "Nonsense", Command: "x"}})
	if got := again.Changes(); !slices.Equal(got, changes) {
		t.Errorf("changes %v came back as %v", changes, got)
	}
	if _, ok := again.Lookup(Prefix, chord("d")); ok {
		t.Error("an unbound key is back")
	}
}

func TestChangesAreComparedOnlyAfterAChange(t *testing.T) {
	tables := Defaults()
	for i, change := range []func(){
		func() { tables.Bind(Root, Binding{Chord: chord("F1"), Command: "x"}) },
		func() { tables.Unbind(Prefix, chord("d")) },
		func() { tables.UnbindAll(CopyMode) },
	} {
		before := slices.Clone(tables.Changes())
		if n := testing.AllocsPerRun(5, func() { tables.Changes() }); n != 0 {
			t.Errorf("step %d: asking again costs %v allocations", i, n)
		}
		change()
		if slices.Equal(before, tables.Changes()) {
			t.Errorf("step %d is not seen", i)
		}
	}
}

func TestNoteAloneKeepsTheCommand(t *testing.T) {
	tables := Defaults()
	tables.Bind(Prefix, Binding{Chord: chord("Up"), Note: "north"})
	b, _ := tables.Lookup(Prefix, chord("Up"))
	if b.Command != "select-pane -U" || !b.Repeat || b.Note != "north" {
		t.Errorf("%+v", b)
	}
}

func TestBindingsAreBounded(t *testing.T) {
	tables := Defaults()
	for i := range maxBindings {
		tables.Bind("many", Binding{Chord: key.Chord{Key: key.Key('a' + i)}, Command: "x"})
	}
	if tables.Bind("many", Binding{Chord: chord("F35"), Command: "x"}) {
		t.Error("no bound")
	}
	tables.UnbindAll("many")
	if !tables.Bind("many", Binding{Chord: chord("F35"), Command: "x"}) {
		t.Error("space was not given back")
	}
}
