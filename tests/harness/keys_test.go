package harness

import (
	"strings"
	"testing"

	"stet/server/keymap"
	"stet/vt/key"
)

// A keyRow is a default binding, typed at a client, and what then must be.
type keyRow struct {
	table, key string
	before     string // commands that make ready
	ready      string // a target and a format, which they make 1 sooner or later
	typed      string // what is typed instead of the key; for the mouse
	says       string // a format that must become want
	want       string
	shows      string // a text that must come on the screen
	hides      string // a text that must go from it
	more       bool   // more must be drawn
	lists      string // a command whose output must become want
	then       string // what is typed afterwards
	after      string // commands that put things back
}

// A keyGroup is a server with a client on it.
type keyGroup struct {
	name  string
	size  [2]int // of the client
	setup string
	rows  []keyRow
}

// unpressed are default bindings without a row, each with the reason.
var unpressed = map[string]string{
	"prefix ~": "show-messages is run by scripts",
}

func TestEveryDefaultKeyDoesWhatItSays(t *testing.T) {
	pressed := map[string]bool{}
	for _, g := range keyGroups {
		for _, r := range g.rows {
			pressed[r.table+" "+r.key] = true
		}
	}
	tables := keymap.Defaults()
	for _, table := range []string{keymap.Prefix, keymap.Root} {
		for _, b := range tables.List(table) {
			name := table + " " + b.Chord.Name()
			if pressed[name] == (unpressed[name] != "") {
				t.Errorf("%s: a binding has either a row or a reason: %s", name, b.Command)
			}
			delete(pressed, name)
		}
	}
	for name := range pressed {
		t.Errorf("%s is bound to nothing", name)
	}
	for _, g := range keyGroups {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			g.play(t)
		})
	}
}

func (g keyGroup) play(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "t", "-n", "one", "-x", "80", "-y", "23", "echo READY; cat")
	w.Run("set-option", "-g", "display-time", "0")
	w.Run("set-option", "-g", "prefix-hint-time", "0")
	w.do(g.setup)
	c := w.Attach(g.size[0], g.size[1], "attach-session", "-t", "t")
	c.status("[t]")
	for _, r := range g.rows {
		if !t.Run(strings.ReplaceAll(r.table+" "+r.key, "/", "slash"), func(t *testing.T) { r.play(t, w, c) }) {
			return // what follows would tell nothing
		}
	}
}

func (r keyRow) play(t *testing.T, w *World, c *Term) {
	w.T, c.T = t, t
	defer func() {
		if t.Failed() {
			t.Logf("the screen:\n%s", c.Screen())
		}
	}()
	w.do(r.before)
	if r.ready != "" {
		w.WaitOutput("1", append([]string{"display-message", "-p"}, strings.Fields(r.ready)...)...)
	}
	ask := []string{"display-message", "-p", "-c", c.TTY, r.says}
	if r.lists != "" {
		ask = strings.Fields(r.lists)
	}
	w.Wait("the opposite, or the row proves nothing", func() bool {
		return !(r.shows != "" && strings.Contains(c.Screen(), r.shows) || r.says+r.lists != "" && w.Run(ask...) == r.want)
	})
	if r.hides != "" {
		c.WaitFor(r.hides)
	}
	drawn := c.Bytes()
	c.Type(r.strokes(t))
	if r.more {
		w.Wait("the screen to be drawn anew", func() bool { return c.Bytes() > drawn+50 })
	}
	if r.says+r.lists != "" {
		w.WaitOutput(r.want, ask...)
	}
	if r.shows != "" {
		c.WaitFor(r.shows)
	}
	if r.hides != "" {
		c.WaitGone(r.hides)
	}
	if r.then != "" {
		c.Type(r.then)
		if r.shows != "" {
			c.WaitGone(r.shows)
		}
	}
	w.do(r.after)
}

// strokes are the bytes of the row's key, behind the prefix where it belongs there.
func (r keyRow) strokes(t *testing.T) string {
	if r.typed != "" {
		return r.typed
	}
	e, err := key.Parse(r.key)
	if err != nil {
		t.Fatal(err)
	}
	prefix := ""
	if r.table == keymap.Prefix {
		prefix = "\x02"
	}
	return string(key.Append([]byte(prefix), e, key.Modes{}))
}

// do runs commands in the command language.
func (w *World) do(text string) {
	if text != "" {
		w.Run("run-shell", "-t", "t:", "-C", text)
	}
}
