package harness

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"stet/server/keymap"
	"stet/vt/key"
)

// A modeRow is a default binding of a table that a pane has while it is in a mode or dead, pressed at a client, and
// what then must be. It is pressed twice: first while it is bound to nothing, which must not do.
type modeRow struct {
	key   string
	ready string // commands behind the table's start
	typed string // what is typed instead of the key; for the mouse
	shows string // a text that must come on the screen; what follows is typed only then
	then  string // what is typed behind the key
	says  string // a format that must become want
	want  string
	hides string // a text that must go from the screen
	last  string // what is typed at the end, in any case
	after string // commands that put things back
}

// A modeTable is a key table with a row for each of its bindings.
type modeTable struct {
	table string
	start string // commands before each row
	rows  []modeRow
}

// lines are what copy mode is tried on: a hundred lines, each tenth empty.
const lines = `for n in $(seq 100); do if [ $((n % 10)) = 0 ]; then echo; else printf "  %02d alpha (beta) ga-mma; delta\n" $n; fi; done; exec cat`

func TestEveryDefaultKeyOfAModeDoesWhatItSays(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-s", "t", "-x", "80", "-y", "23", lines)
	for _, set := range []string{"prefix None", "mouse on", "escape-time 200", "buffer-limit 1", "display-time 1"} {
		w.Run(append([]string{"set-option", "-g"}, strings.Fields(set)...)...)
	}
	w.do("set-environment -g EDITOR 'tail -f' ; split-window -h -d -t t: cat")
	// What a mode's table does not bind is looked up in root, which must not do the same.
	w.Run("unbind-key", "-a", "-T", keymap.Root)
	attach := w.Cmd("attach-session", "-t", "t")
	stay := exec.Command(attach.Path, attach.Args[1:]...) // without the time limit of an ordinary command
	stay.Env, stay.Dir = attach.Env, attach.Dir
	c := Start(t, 80, 24, stay)
	c.WaitFor("  99 alpha")
	defaults := keymap.Defaults()
	for _, table := range modeTables {
		for _, at := range []string{keymap.Root, table.table} {
			w.Run("bind-key", "-T", at, "F12", "wait-for -S seen")
		}
		rows := map[string]bool{}
		for _, r := range table.rows {
			rows[r.key] = true
		}
		bound := map[string]keymap.Binding{}
		for _, b := range defaults.List(table.table) {
			bound[b.Chord.Name()] = b
			if !rows[b.Chord.Name()] {
				t.Errorf("%s %s has no row: %s", table.table, b.Chord.Name(), b.Command)
			}
		}
		for _, r := range table.rows {
			b, ok := bound[r.key]
			if !ok {
				t.Errorf("%s %s is bound to nothing", table.table, r.key)
				continue
			}
			t.Run(strings.ReplaceAll(table.table+" "+r.key, "/", "slash"), func(t *testing.T) {
				w.T, c.T = t, t
				defer func() {
					if t.Failed() {
						t.Logf("the screen:\n%s", c.Screen())
					}
				}()
				r.play(w, c, table, b)
			})
		}
	}
}

func (r modeRow) play(w *World, c *Term, table modeTable, b keymap.Binding) {
	w.T.Helper()
	name := strings.ReplaceAll(r.key, ";", `\;`)
	ready := []string{";", "run-shell", "-t", "t:.0", "-C", table.start + " ; " + r.ready}
	ask := []string{"display-message", "-p", "-t", "t:.0", r.says}
	// Few processes, as their start is what takes time.
	run := func(parts ...[]string) string { return w.Run(slices.Concat(parts...)...) }
	strokes := r.strokes(w.T)

	w.Started() // the row before may have made a pane
	run([]string{"unbind-key", "-T", table.table, name}, ready)
	if r.hides != "" {
		c.WaitFor(r.hides)
	}
	if r.shows != "" {
		c.WaitGone(r.shows)
	}
	c.Type(strokes)
	if r.key == "Escape" {
		w.Run("run-shell", "-d", "0.4", "true") // not the beginning of what follows
	}
	if r.shows == "" {
		c.Type(r.then)
	}
	c.Type("\x1b[24~" + r.last) // F12
	got := run([]string{"wait-for", "seen", ";"}, ask)
	screen := c.Screen()
	if (r.says == "" || got == r.want) && strings.Contains(screen, r.shows) && (r.hides == "" || !strings.Contains(screen, r.hides)) {
		w.T.Errorf("bound to nothing, the key does the same: %q", got)
	}

	run([]string{"bind-key", "-T", table.table, name, b.Command}, ready)
	c.Type(strokes)
	if r.shows != "" {
		c.WaitFor(r.shows)
	}
	c.Type(r.then)
	if r.says != "" {
		w.WaitOutput(r.want, ask...)
	}
	if r.hides != "" {
		c.WaitGone(r.hides)
	}
	c.Type(r.last)
	w.do(r.after)
}

// strokes are the bytes of the row's key.
func (r modeRow) strokes(t testing.TB) string {
	if r.typed != "" {
		return r.typed
	}
	e, err := key.Parse(r.key)
	if err != nil {
		t.Fatal(err)
	}
	return string(key.Append(nil, e, key.Modes{}))
}
