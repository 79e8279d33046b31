package harness

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"stet/server/mode/tree"
	"stet/vt"
	"stet/vt/key"
)

// A treeRow is a key of a mode to choose from, pressed at a client in that mode, and what then must be.
type treeRow struct {
	key    string // the first of the row in the table; all of them are pressed
	kinds  tree.Kind
	before string // commands ahead of the mode
	ready  string // what is typed in the mode first; VICTIM selects another client
	at     string // a text in the selected line
	shows  string // a text that must come on the screen
	hides  string // a text that must go from it
	then   string // what is typed when shows is there
	asks   string // a command whose output must become want
	want   string
	victim string // a text that must come where another client was
	after  string // commands that put things back
}

const (
	end    = "\x1b[F"
	choice = tree.Sessions | tree.Clients | tree.Buffers
	trees  = tree.Sessions | tree.Options
	every  = choice | tree.Options
)

// find searches a tree by name, and selects what it finds.
func find(what string) string { return "\x13\x15" + what + "\r" }

var treeRows = []treeRow{
	{key: "Up", kinds: choice, ready: end, at: "(1)"},
	{key: "Up", kinds: tree.Options, ready: "jj", at: "(1)"},
	{key: "Down", kinds: every, at: "(1)"},
	{key: "PPage", kinds: every, ready: end, at: "(0)"},
	{key: "NPage", kinds: choice, at: "(2)"},
	{key: "NPage", kinds: tree.Options, at: "Key Table - waiting-pane"},
	{key: "Home", kinds: every, ready: end, at: "(0)"},
	{key: "End", kinds: choice, at: "(2)"},
	{key: "End", kinds: tree.Options, at: "Key Table - waiting-pane"},
	{key: "t", kinds: tree.Sessions, shows: "t*: "},
	{key: "t", kinds: tree.Clients, shows: "*: session"},
	{key: "t", kinds: tree.Buffers, shows: "b3*: "},
	{key: "t", kinds: tree.Options, ready: find("mouse"), shows: "mouse*: "},
	{key: "C-t", kinds: tree.Sessions, shows: "a*: "},
	{key: "C-t", kinds: tree.Clients, ready: "j", shows: "*: session"},
	{key: "C-t", kinds: tree.Buffers, shows: "b1*: "},
	{key: "C-t", kinds: tree.Options, ready: "l", shows: "buffer-limit*: "},
	{key: "T", kinds: tree.Sessions, ready: "tt", hides: "*: 1"},
	{key: "T", kinds: tree.Clients, ready: "tt", hides: "*: session"},
	{key: "T", kinds: tree.Buffers, ready: "tt", hides: "*: "},
	{key: "T", kinds: tree.Options, ready: "lj\x14", hides: "*: "},
	{key: ":", kinds: tree.Sessions, ready: "j", shows: "(current)", then: "set -g @ran 'on %%'\r", asks: "show-options -gv @ran", want: "on =z:"},
	{key: ":", kinds: tree.Clients, ready: "VICTIM", shows: "(current)", then: "set -g @ran 'on %%'\r", asks: "show-options -gv @ran", want: "on VICTIM"},
	{key: ":", kinds: tree.Buffers, ready: "j", shows: "(current)", then: "set -g @ran 'on %%'\r", asks: "show-options -gv @ran", want: "on b2"},
	{key: ":", kinds: tree.Options, ready: find("mouse"), shows: "(current)", then: "set -g @ran 'on %%'\r", asks: "show-options -gv @ran", want: "on mouse"},
	{key: "C-s", kinds: tree.Sessions, shows: "(search)", then: "\x15a\r", at: "(2)"},
	{key: "C-s", kinds: tree.Clients, ready: "VICTIM\x1b[B", shows: "(search)", then: "\x15session zz\r", at: "zz"},
	{key: "C-s", kinds: tree.Buffers, shows: "(search)", then: "\x15one\r", at: "(2)"},
	{key: "C-s", kinds: tree.Options, shows: "(search)", then: "\x15mouse\r", at: "mouse: "},
	{key: "n", kinds: tree.Sessions, ready: find("windows"), at: "(2)"},
	{key: "n", kinds: tree.Clients, ready: find("session"), at: "(2)"},
	{key: "n", kinds: tree.Buffers, ready: find("b"), at: "(2)"},
	{key: "n", kinds: tree.Options, ready: find("status-left"), at: "status-left-length: "},
	{key: "N", kinds: tree.Sessions, ready: find("windows"), at: "(0)"},
	{key: "N", kinds: tree.Clients, ready: find("session"), at: "(0)"},
	{key: "N", kinds: tree.Buffers, ready: find("b"), at: "(0)"},
	{key: "N", kinds: tree.Options, ready: find("status-left") + "n", at: "status-left: "},
	{key: "f", kinds: tree.Sessions, shows: "(filter)", then: "\x15#{==:#{session_name},a}\r", hides: "(1)"},
	{key: "f", kinds: tree.Clients, shows: "(filter)", then: "\x15#{==:#{client_session},zz}\r", hides: "(1)"},
	{key: "f", kinds: tree.Buffers, shows: "(filter)", then: "\x15#{==:#{buffer_name},b2}\r", hides: "(1)"},
	{key: "f", kinds: tree.Options, shows: "(filter)", then: "\x15#{==:#{option_name},mouse}\r", hides: "(1)"},
	{key: "O", kinds: tree.Sessions, shows: "sort: name", at: "(1)"},
	{key: "O", kinds: tree.Clients, shows: "sort: size"},
	{key: "O", kinds: tree.Buffers, shows: "sort: name", at: "(2)"},
	{key: "r", kinds: choice, shows: ", reversed", at: "(2)"},
	{key: "v", kinds: every, hides: "┌"},
	{key: "F1", kinds: tree.Sessions, shows: " Keys of choose-tree ", then: "q"},
	{key: "F1", kinds: tree.Clients, shows: " Keys of choose-client ", then: "q"},
	{key: "F1", kinds: tree.Buffers, shows: " Keys of choose-buffer ", then: "q"},
	{key: "F1", kinds: tree.Options, shows: " Keys of customize-mode ", then: "q"},
	{key: "q", kinds: every, asks: "display-message -p -t t:0 #{pane_in_mode}", want: "0"},

	{key: "+", kinds: tree.Sessions, shows: "2: three"},
	{key: "-", kinds: tree.Sessions, ready: "+", hides: "2: three"},
	{key: "M-+", kinds: tree.Sessions, ready: "j", shows: "- z: "},
	{key: "M--", kinds: tree.Sessions, ready: "+j", hides: "├─> "},
	{key: "+", kinds: tree.Options, shows: "buffer-limit: "},
	{key: "-", kinds: tree.Options, ready: "+", hides: "buffer-limit: "},
	{key: "M-+", kinds: tree.Options, ready: "j", shows: "- Session Options"},
	{key: "M--", kinds: tree.Options, ready: "+j", hides: "buffer-limit: "},

	{key: "Enter", kinds: tree.Sessions, ready: "j", asks: "list-clients -F #{client_session} -f #{!=:#{client_session},zz}", want: "z", after: "switch-client -c OWN -t t"},
	{key: "x", kinds: tree.Sessions, ready: end, shows: "Kill session a? (y/n)", then: "y", asks: "has-session -t =a", want: "can't find session: a", after: "new-session -d -s a cat"},
	{key: "X", kinds: tree.Sessions, ready: end + "t", shows: "Kill 1 tagged? (y/n)", then: "y", asks: "has-session -t =a", want: "can't find session: a", after: "new-session -d -s a cat"},
	{key: "m", kinds: tree.Sessions, ready: "j", asks: "display-message -p -t z: #{pane_marked}", want: "1", after: "select-pane -M"},
	{key: "M", kinds: tree.Sessions, before: "select-pane -m -t z:", asks: "display-message -p #{pane_marked_set}", want: "0"},
	{key: "<", kinds: tree.Sessions, ready: ">", shows: " 0:one "},
	{key: ">", kinds: tree.Sessions, hides: " 0:one "},
	{key: "H", kinds: tree.Sessions, ready: "jj", at: "(0)"},

	{key: "Enter", kinds: tree.Clients, ready: "VICTIM", victim: "[detached (from session zz)]"},
	{key: "d", kinds: tree.Clients, ready: "VICTIM", victim: "[detached (from session zz)]"},
	{key: "D", kinds: tree.Clients, ready: "VICTIMt", victim: "[detached (from session zz)]"},
	{key: "x", kinds: tree.Clients, ready: "VICTIM", victim: "HUPPED"},
	{key: "X", kinds: tree.Clients, ready: "VICTIMt", victim: "HUPPED"},
	{key: "z", kinds: tree.Clients, ready: "VICTIM", victim: "Stopped"},
	{key: "Z", kinds: tree.Clients, ready: "VICTIMt", victim: "Stopped"},

	{key: "Enter", kinds: tree.Buffers, asks: pasted, want: "0 5", after: anew},
	{key: "p", kinds: tree.Buffers, ready: "j", asks: pasted, want: "0 3", after: anew},
	{key: "P", kinds: tree.Buffers, ready: "jtt", asks: pasted, want: "0 6", after: anew},
	{key: "d", kinds: tree.Buffers, asks: "list-buffers -F #{buffer_name}", want: "b2\nb1", after: "set-buffer -b b3 three"},
	{key: "D", kinds: tree.Buffers, ready: "tt", asks: "list-buffers -F #{buffer_name}", want: "b1", after: "set-buffer -b b2 two ; set-buffer -b b3 three"},
	{key: "e", kinds: tree.Buffers, before: `set-environment -g EDITOR "printf changed >"`, asks: "show-buffer -b b3", want: "changed", after: "set-buffer -b b3 three"},

	{key: "Enter", kinds: tree.Options, before: "set-option -g mouse off", ready: find("mouse"), asks: "show-options -v -t t: mouse", want: "on", after: "set-option -u -t t: mouse ; set-option -g mouse on"},
	{key: "s", kinds: tree.Options, ready: find("status-left-length"), shows: "(status-left-length, for session t)", then: "\x1533\r", asks: "show-options -v -t t: status-left-length", want: "33", after: "set-option -u -t t: status-left-length"},
	{key: "S", kinds: tree.Options, ready: find("status-left-length"), shows: "(status-left-length, global)", then: "\x1534\r", asks: "show-options -gv status-left-length", want: "34", after: "set-option -gu status-left-length"},
	{key: "w", kinds: tree.Options, ready: find("remain-on-exit"), asks: "show-options -wv -t t:0 remain-on-exit", want: "on", after: "set-option -wu -t t:0 remain-on-exit"},
	{key: "d", kinds: tree.Options, before: "set-option -g status-left-length 50", ready: find("status-left-length"), shows: "Reset status-left-length to default?", then: "y", asks: "show-options -gv status-left-length", want: "10"},
	{key: "D", kinds: tree.Options, before: "set-option -g status-left-length 50", ready: find("status-left-length") + "t", shows: "Reset 1 tagged?", then: "y", asks: "show-options -gv status-left-length", want: "10"},
	{key: "u", kinds: tree.Options, before: "set-option -t t: mouse off", ready: find("mouse"), shows: "Unset mouse?", then: "y", asks: "show-options -v -t t: mouse", want: ""},
	{key: "U", kinds: tree.Options, before: "set-option -t t: mouse off", ready: find("mouse") + "t", shows: "Unset 1 tagged?", then: "y", asks: "show-options -v -t t: mouse", want: ""},
	{key: "H", kinds: tree.Options, ready: "j+", hides: "base-index"},
}

// pasted is how far the cursor of the mode's pane has come, once the mode is over; anew begins it again.
const (
	pasted = "display-message -p -t t:0 '#{pane_in_mode} #{cursor_x}'"
	anew   = "respawn-pane -k -t t:0 cat"
)

// TestEveryKeyOfTheTreesDoesWhatItSays presses every key of server/mode/tree's table in every mode it holds in.
func TestEveryKeyOfTheTreesDoesWhatItSays(t *testing.T) {
	t.Parallel()
	for _, k := range tree.Kinds() {
		t.Run(k.Command(), func(t *testing.T) {
			t.Parallel()
			g := newGrove(t, k)
			var known []string
			for _, r := range tree.Rows(k) {
				known = append(known, r.Keys[0])
				i := slices.IndexFunc(treeRows, func(c treeRow) bool { return c.key == r.Keys[0] && c.kinds&k != 0 })
				if i < 0 {
					t.Errorf("nothing checks %s: %s", r.Keys[0], r.Help(k))
					continue
				}
				for _, name := range r.Keys {
					t.Run(strings.ReplaceAll(name, "/", "slash"), func(t *testing.T) { g.play(t, treeRows[i], name) })
				}
			}
			for _, r := range treeRows {
				if r.kinds&k != 0 && !slices.Contains(known, r.key) {
					t.Errorf("%s is no key", r.key)
				}
			}
			for n := range 3 { // the keys in front of the lines
				r := treeRow{asks: "display-message -p -t t:0 #{pane_in_mode}", want: "0"}
				if k == tree.Options {
					r = treeRow{ready: "jjj", at: "- " + []string{"Server", "Session", "Window"}[n]}
				}
				r.after = "switch-client -c OWN -t t ; " + anew
				if k != tree.Clients { // who leaves would be this client
					t.Run(fmt.Sprint(n), func(t *testing.T) { g.play(t, r, fmt.Sprint(n)) })
				}
			}
		})
	}
}

// A grove is a server with three of everything that there is to choose from.
type grove struct {
	*World
	c      *Term
	kind   tree.Kind
	victim *Term // another client, where the mode is about these
}

func newGrove(t *testing.T, k tree.Kind) *grove {
	w := New(t)
	w.Run("new-session", "-d", "-s", "t", "-n", "one", "-x", "60", "-y", "39", "cat")
	w.Run("set-option", "-g", "display-time", "0")
	w.Run("set-option", "-g", "mode-style", "bg=magenta")
	w.Run("set-option", "-g", "prefix", "None")
	w.do("new-window -d -n two cat ; split-window -d -t t:1 cat ; new-window -d -n three cat ; new-session -d -s z cat ; new-session -d -s a cat")
	w.do("set-buffer -b b1 one ; set-buffer -b b2 two ; set-buffer -b b3 three")
	g := &grove{World: w, kind: k, c: g0(w)}
	if k == tree.Clients {
		w.Run("new-session", "-d", "-s", "zz", "cat")
		w.Attach(50, 20, "attach-session", "-t", "a")
	}
	return g
}

func g0(w *World) *Term {
	attach := w.Cmd("attach-session", "-t", "t")
	stay := exec.Command(attach.Path, attach.Args[1:]...) // without the time limit of an ordinary command
	stay.Env, stay.Dir = attach.Env, attach.Dir
	c := Start(w.T, 60, 40, stay)
	c.WaitFor("0:one*")
	return c
}

// newVictim starts a client from a shell, which sees how it ends.
func (g *grove) newVictim(t *testing.T) {
	if g.victim != nil && !g.victim.Over() && strings.Contains(g.Run("list-clients", "-F", "#{client_tty} "), g.victim.TTY+" ") {
		g.victim.T = t
		return
	}
	attach := g.Cmd("attach-session", "-t", "zz")
	shell := exec.Command("/bin/sh", "-i")
	shell.Env, shell.Dir = attach.Env, attach.Dir
	outer := g.c.T // the shell lives on for the rows that do it no harm
	g.victim = Start(outer, 50, 20, shell)
	g.victim.Type("trap 'echo HUP''PED' HUP; " + strings.Join(attach.Args, " ") + "\r")
	g.victim.WaitFor("[zz]")
	g.victim.T = t
}

// line is the text of the selected line.
func (g *grove) line() (text string) {
	g.c.Look(func(v *vt.Terminal) {
		view := v.View(nil, 0, 0)
		for y, row := range view.Cells {
			if view.Styles[row[0].Style()].BG == vt.Indexed(5) {
				n := v.HistoryLen() + y
				text = v.Text(n, n, vt.TextOptions{})[0]
				return
			}
		}
	})
	return text
}

// ask is the output of a command, or why it fails.
func (g *grove) ask(line string) string {
	if line == "" {
		return ""
	}
	var words []string
	for n, part := range strings.Split(line, "'") {
		if n%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	r := g.Try(words...)
	return strings.TrimSpace(r.Out + r.Err)
}

func (g *grove) play(t *testing.T, r treeRow, name string) {
	outer := g.c.T
	g.World.T, g.c.T = t, t
	defer func() {
		if t.Failed() {
			t.Logf("the screen:\n%s", g.c.Screen())
		}
		g.World.T, g.c.T = outer, outer
	}()
	if g.kind == tree.Clients {
		g.c.T = outer
		g.newVictim(t)
		g.c.T = t
		names := strings.Fields(g.Run("list-clients", "-F", "#{client_name}"))
		slices.Sort(names)
		r.ready = strings.ReplaceAll(r.ready, "VICTIM", "g"+strings.Repeat("j", slices.Index(names, g.victim.TTY)))
		r.want = strings.ReplaceAll(r.want, "VICTIM", g.victim.TTY)
	}
	g.do("copy-mode -q -t t:0")
	g.do(r.before)
	enter := g.kind.Command() + " -t t:0"
	if g.kind == tree.Sessions {
		enter += " -s"
	}
	g.Run(strings.Fields(enter)...)
	g.c.WaitFor("(1)")
	g.c.Type("g")
	g.c.Wait("the first line to be selected", func(string) bool { return strings.Contains(g.line(), "(0)") })
	// What was typed has been seen to when a search that is typed behind it has been begun.
	g.c.Type(r.ready + "f")
	g.c.WaitFor("(filter)")
	g.c.Type("\x07")
	g.c.WaitGone("(filter)")
	if r.at != "" && strings.Contains(g.line(), r.at) || r.shows != "" && strings.Contains(g.c.Screen(), r.shows) || r.asks != "" && g.ask(r.asks) == r.want {
		t.Fatalf("it is so before the key: line %q", g.line())
	}
	if r.hides != "" {
		g.c.WaitFor(r.hides)
	}
	e, err := key.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	g.c.Type(string(key.Append(nil, e, key.Modes{})))
	if r.shows != "" {
		g.c.WaitFor(r.shows)
		g.c.Type(r.then)
		if r.then != "" {
			g.c.WaitGone(r.shows)
		}
	}
	if r.at != "" {
		g.c.Wait(r.at+" to be selected", func(string) bool { return strings.Contains(g.line(), r.at) })
	}
	if r.hides != "" {
		g.c.WaitGone(r.hides)
	}
	if r.asks != "" {
		g.Wait(fmt.Sprintf("%q from %s", r.want, r.asks), func() bool { return g.ask(r.asks) == r.want })
	}
	if r.victim != "" {
		g.victim.WaitFor(r.victim)
		g.victim.Close() // one that is stopped is still a client
		g.Wait("the client to go", func() bool { return !strings.Contains(g.Run("list-clients", "-F", "#{client_tty} "), g.victim.TTY+" ") })
		g.victim = nil
	}
	g.do(strings.ReplaceAll(r.after, "OWN", g.c.TTY))
}

// TestTheMenuOfATree picks from the menu of the right mouse button.
func TestTheMenuOfATree(t *testing.T) {
	t.Parallel()
	g := newGrove(t, tree.Sessions)
	g.Run("choose-tree", "-s", "-t", "t:0")
	x, y := g.c.find("z: 1 windows")
	g.c.Type(press(2, x, y))
	g.c.WaitFor("Kill Tagged (X)")
	g.c.Type(release(2, x, y) + "t")
	g.c.WaitFor("z*: 1 windows")
	g.c.WaitGone("Kill Tagged (X)")
	g.c.Type(click(2, x, y))
	x, y = g.c.find("Kill        (x)")
	g.c.Type(click(left, x, y))
	g.c.WaitFor("Kill session z? (y/n)")
	g.c.Type("y")
	g.c.WaitGone("z*: ")
	g.c.Type("g")
	g.c.WaitFor(" 0:one ")
	g.c.Type(click(2, 30, 30))
	g.c.WaitFor("Scroll Right (>)")
	g.c.Type(">")
	g.c.WaitGone("Scroll Right (>)")
	g.c.WaitGone(" 0:one ")
	g.c.Type(click(2, 30, 30))
	g.c.WaitFor("Cancel       (q)")
	g.c.Type("\x1b")
	g.c.WaitGone("Cancel       (q)")
	g.c.WaitFor("(1)") // Escape closes the menu only
	g.c.Type(click(2, 30, 30))
	g.c.WaitFor("Cancel       (q)")
	g.c.Type("q")
	g.c.WaitGone("(1)")
}
