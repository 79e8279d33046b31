package compat

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"stet/tests/harness"
)

func TestMain(m *testing.M) {
	os.Exit(harness.Main(m))
}

// least is how many cases there must be, so that a broken file does not go unnoticed.
const least = 150

// patience bounds the wait for two programs to agree. Those that differ on purpose, or are switched
// off, need not wait long: what they print is there.
const (
	patience = 8 * time.Second
	settle   = 700 * time.Millisecond
)

func TestLikeTmux(t *testing.T) {
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed")
	}
	cases, err := load("testdata")
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, c := range cases {
		if c.differs == "" {
			counted++
		}
	}
	if counted < least {
		t.Errorf("only %d cases", counted)
	}
	page, err := os.ReadFile("../../docs/tmux.md")
	if err != nil {
		t.Fatal(err)
	}
	stet := harness.Binary(t)
	if os.Getenv("STET_COMPAT_SELF") != "" {
		stet = tmux // are the cases themselves sound?
	}
	script := t.TempDir()
	if err := writeScript(script); err != nil {
		t.Fatal(err)
	}
	p := programs{tmux, stet, script}
	for _, c := range cases {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			t.Parallel()
			c.run(t, p, string(page))
		})
	}
}

// programs are the two to compare, and the directory of the command mux.
type programs struct{ tmux, stet, script string }

func (c *testCase) run(t *testing.T, p programs, page string) {
	var off *outcome // what it comes out as with the tested line switched off
	if c.differs == "" && os.Getenv("STET_COMPAT_PROVE") != "" {
		o := c.play(t, p, true, nil)
		off = &o
	}
	on := c.play(t, p, false, off)
	if c.differs != "" {
		if !strings.Contains(page, c.differs) {
			t.Errorf("docs/tmux.md does not say %q", c.differs)
		}
		if on.differ == "" {
			t.Error("differs from tmux on purpose, but does not differ any more")
		}
		return
	}
	if on.differ != "" { // seen twice it counts: tmux has races of its own
		t.Logf("%s:%d differed once: %s", c.file, c.line, on.differ)
		on = c.play(t, p, false, off)
	}
	if on.differ != "" {
		t.Fatalf("%s:%d %s", c.file, c.line, on.differ)
	}
	if off != nil && off.stet == on.stet {
		t.Errorf("%s:%d the case proves nothing: switched off, it comes out the same\n%s", c.file, c.line, on.stet)
	}
}

// outcome is what both programs have shown.
type outcome struct {
	stet   string
	differ string // where they differed first, "" nowhere
}

// play runs a case in both programs, step by step. Two programs that have not begun yet agree, so the last
// look waits for more than what was there with the case switched off; nil: for nothing. Switched off it is
// played in stet alone: all it is for is to come out otherwise.
func (c *testCase) play(t *testing.T, p programs, off bool, without *outcome) outcome {
	var out outcome
	var both [2]*mux
	if !off {
		both[0] = newMux(t, "tmux", p.tmux, p.script)
		defer both[0].end()
	}
	both[1] = newMux(t, "stet", p.stet, p.script)
	defer both[1].end()
	wait := patience
	if off || c.differs != "" {
		wait = settle
	}
	said := ""
	steps := c.switched(off)
	var before [2]string // the screens when something was begun that nobody has looked at yet
	for i, s := range steps {
		news := func(got string) bool {
			if before[1] != "" {
				if now := each(both, (*mux).screen); now[0] == before[0] || now[1] == before[1] {
					return false // what runs in the background has not begun
				}
			}
			if c.differs != "" && i == len(steps)-1 {
				return false // they agree for as long as neither has begun
			}
			return without == nil || i < len(steps)-1 || line(said, got) != without.stet
		}

		var got [2]string
		switch s.verb {
		case "run":
			if both[1].term != nil && strings.HasSuffix(s.arg, "&") {
				before = each(both, (*mux).screen)
			}
			got = each(both, func(m *mux) string { return shown(m.sh(s.arg)) })
		case "ready":
			got = each(both, func(m *mux) string {
				m.until("a prompt", func() bool { return strings.TrimSpace(m.sh("mux capture-pane -p "+s.arg).Out) != "" })
				return ""
			})
		case "attach":
			got = each(both, func(m *mux) string { m.attach(s.arg); return "" })
		case "keys":
			got = each(both, func(m *mux) string { m.keys(s.arg); return "" })
		case "see":
			got = agree(both, wait, news, func(m *mux) string { return shown(m.sh(s.arg)) })
		case "rows":
			got = agree(both, wait, news, func(m *mux) string { return m.rows(s.arg) })
		case "screen":
			got = agree(both, wait, news, func(m *mux) string { return m.screen() })
		}
		if s.verb == "see" || s.verb == "rows" || s.verb == "screen" {
			before = [2]string{}
		}
		said = line(said, got[1])
		if got[0] != got[1] && out.differ == "" {
			out.differ = fmt.Sprintf("line %d: %s %s\n--- tmux\n%s\n--- stet\n%s", s.line, s.verb, s.arg, got[0], got[1])
			break
		}
	}
	out.stet = said
	return out
}

// line adds what a step has shown; one that says nothing is no difference from no step.
func line(said, got string) string {
	if got == "" {
		return said
	}
	return said + got + "\n"
}

// shown is what counts of a command line: its output and its status. What it says when it fails may be
// put in other words, but not be missing.
func shown(r harness.Result) string {
	s := r.Out
	if r.Err != "" {
		s += "(says why)\n"
	}
	if r.Code != 0 {
		s += fmt.Sprintf("(status %d)\n", r.Code)
	}
	return s
}

// each asks both, or stet alone for both.
func each(both [2]*mux, f func(*mux) string) (got [2]string) {
	if both[0] == nil {
		got[1] = f(both[1])
		got[0] = got[1]
		return got
	}
	done := make(chan struct{})
	go func() { got[0] = f(both[0]); close(done) }()
	got[1] = f(both[1])
	<-done
	return got
}

// agree asks until both say the same, twice in a row.
func agree(both [2]*mux, wait time.Duration, enough func(got string) bool, f func(*mux) string) [2]string {
	var last [2]string
	same := 0
	for end := time.Now().Add(wait); ; time.Sleep(25 * time.Millisecond) {
		got := each(both, f)
		if got[0] == got[1] && got == last {
			same++
		} else {
			same = 0
		}
		if last = got; same >= 1 && enough(got[1]) || time.Now().After(end) {
			return last
		}
	}
}
