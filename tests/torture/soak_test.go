package torture

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"stet/layout"
	"stet/tests/harness"
)

// A soak is one long session of somebody who does anything in any order, with what must always hold looked at
// after each step.
type soak struct {
	*rig
	gens  map[string]*generator // by pane; what lives must be exactly these
	outer *harness.Term         // nil while nobody is attached
	made  int
	done  map[string]int
}

// Bounds of what a soak has at once.
const (
	soakPanes   = 10
	soakWindows = 4
)

// TestSoak is for STET_SOAK, a time such as 30m.
func TestSoak(t *testing.T) {
	long, err := time.ParseDuration(os.Getenv("STET_SOAK"))
	if err != nil {
		t.Skip("a soak takes as long as STET_SOAK says, such as 30m: it is not part of the ordinary drills")
	}
	s := &soak{rig: newRig(t), gens: map[string]*generator{}, done: map[string]int{}}
	s.start(1500)
	s.ask("set-option", "-g", "status", "off")
	s.ask("set-option", "-g", "prefix-hint-time", "0")
	s.add("new-session", "-d", "-s", "soak", "-x", "100", "-y", "40")
	s.outer = s.attach(100, 40, "soak")
	steps := 0
	for end := time.Now().Add(long); time.Now().Before(end) && !t.Failed(); steps++ {
		s.step(steps)
	}
	s.quiet("at the end")
	t.Logf("%d steps: %v", steps, s.done)
}

// A soakStep is something that somebody does. It returns false where it cannot be done just now.
type soakStep struct {
	name   string
	weight int
	do     func(s *soak) bool
}

var soakSteps = []soakStep{
	{"split", 8, func(s *soak) bool {
		return len(s.gens) < soakPanes && s.add("split-window", []string{"-h", "-v"}[s.rnd.IntN(2)], "-t", s.anyPane())
	}},
	{"window", 3, func(s *soak) bool {
		return len(s.gens) < soakPanes && len(s.windows()) < soakWindows && s.add("new-window", "-t", "soak:")
	}},
	{"kill a pane", 4, func(s *soak) bool {
		if len(s.gens) < 3 {
			return false
		}
		id := s.anyPane()
		pid := s.gens[id].pid
		delete(s.gens, id)
		delete(s.pids, id)
		s.ask("kill-pane", "-t", id)
		s.wait("the end of the program of "+id, func() bool { return !harness.Alive(pid) })
		return true
	}},
	{"resize a pane", 8, func(s *soak) bool {
		return s.may("resize-pane", "-t", s.anyPane(), "-"+[]string{"L", "R", "U", "D"}[s.rnd.IntN(4)], strconv.Itoa(1+s.rnd.IntN(8)))
	}},
	{"resize the terminal", 6, func(s *soak) bool {
		if s.outer == nil {
			return false
		}
		s.outer.Resize(60+s.rnd.IntN(120), 20+s.rnd.IntN(40))
		return true
	}},
	{"layout", 4, func(s *soak) bool {
		return s.may("select-layout", "-t", s.anyPane(), layout.Presets()[s.rnd.IntN(len(layout.Presets()))])
	}},
	{"swap", 4, func(s *soak) bool { return s.may("swap-pane", "-s", s.anyPane(), "-t", s.anyPane()) }},
	{"rotate", 2, func(s *soak) bool { return s.may("rotate-window", "-t", s.anyPane()) }},
	{"break", 2, func(s *soak) bool {
		return len(s.windows()) < soakWindows && s.may("break-pane", "-d", "-s", s.anyPane())
	}},
	{"join", 3, func(s *soak) bool { return s.may("join-pane", "-d", "-s", s.anyPane(), "-t", s.anyPane()) }},
	{"zoom", 4, func(s *soak) bool { return s.may("resize-pane", "-Z", "-t", s.anyPane()) }},
	{"select", 6, func(s *soak) bool {
		id := s.anyPane()
		return s.may("select-window", "-t", id) && s.may("select-pane", "-t", id)
	}},
	{"look back", 3, func(s *soak) bool {
		id := s.anyPane()
		return s.may("copy-mode", "-t", id) && s.may("send-keys", "-t", id, "-X", "page-up") && s.may("send-keys", "-t", id, "-X", "cancel")
	}},
	{"detach", 2, func(s *soak) bool {
		if s.outer == nil {
			return false
		}
		s.ask("detach-client", "-s", "soak")
		s.outer.WaitExit()
		s.outer = nil
		return true
	}},
	{"attach", 4, func(s *soak) bool {
		if s.outer != nil {
			return false
		}
		s.outer = s.attach(60+s.rnd.IntN(120), 20+s.rnd.IntN(40), "soak")
		return true
	}},
	{"save", 2, func(s *soak) bool { s.ask("flush"); return true }},
	{"kill the server", 3, func(s *soak) bool { s.kill(s.serverPid()); return true }},
	{"kill the server twice", 1, func(s *soak) bool { s.killTwice(s.serverPid()); return true }},
}

// step does one thing at random and looks at what must hold.
func (s *soak) step(n int) {
	s.t.Helper()
	total := 0
	for _, a := range soakSteps {
		total += a.weight
	}
	for did := false; !did; {
		pick := s.rnd.IntN(total)
		i := slices.IndexFunc(soakSteps, func(a soakStep) bool { pick -= a.weight; return pick < 0 })
		if did = soakSteps[i].do(s); did {
			s.done[soakSteps[i].name]++
			s.holds(fmt.Sprintf("step %d, %s", n, soakSteps[i].name))
		}
	}
	if n%15 == 14 {
		s.quiet(fmt.Sprintf("step %d", n))
		s.goOnAll()
	}
}

// add makes a pane with a generator in it. There may be no room.
func (s *soak) add(argv ...string) bool {
	s.t.Helper()
	s.made++
	seed, path := s.seed+uint64(100*s.made), s.file("soak"+strconv.Itoa(s.made))
	argv = append(append(argv, "-P", "-F", "#{pane_id}"), s.role("generate", path, strconv.FormatUint(seed, 10), "600", "3000")...)
	res := s.Try(argv...)
	if strings.Contains(res.Err, "no space for new pane") {
		return false
	}
	if res.Code != 0 {
		s.t.Fatalf("%q: exit %d, %s", argv, res.Code, res.Err)
	}
	id := strings.TrimSpace(res.Out)
	var p listed
	s.wait("the program of "+id, func() bool {
		fmt.Sscan(s.ask("display-message", "-p", "-t", id, "#{pane_id} #{pane_pid} #{pane_width} #{pane_height}"), &p.id, &p.pid, &p.cols, &p.rows)
		_, ok := s.read(path)
		return p.pid > 0 && ok
	})
	g := &generator{paused: paused{listed: p, path: path}, src: newStream(seed), ref: s.reference(p.cols, p.rows)}
	s.gens[id], s.pids[id] = g, p.pid
	if st := s.dump(id); st.Resizes > 0 { // it has had another size since it began
		g.ref.Resize(p.cols, p.rows)
		g.log = append(g.log, st.Log...)
		g.done = len(g.log)
	}
	s.goOn(&g.paused)
	return true
}

// may runs a command that need not make sense just now; it must say so.
func (s *soak) may(argv ...string) bool {
	s.t.Helper()
	res := s.Try(argv...)
	if res.Code != 0 && strings.TrimSpace(res.Err) == "" {
		s.t.Errorf("%q fails without a word: exit %d, %s", argv, res.Code, res.Out)
	}
	return res.Code == 0
}

func (s *soak) anyPane() string {
	ids := make([]string, 0, len(s.gens))
	for id := range s.gens {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids[s.rnd.IntN(len(ids))]
}

func (s *soak) windows() []string {
	s.t.Helper()
	return strings.Split(s.ask("list-windows", "-t", "soak", "-F", "#{window_id}"), "\n")
}

// holds is what must be so after each step: the panes are those that were made, with their programs, and each
// window's layout is whole and has the window's size.
func (s *soak) holds(when string) {
	s.t.Helper()
	s.checkPids(when)
	seen := 0
	for _, id := range s.windows() {
		var w, h int
		var text string
		fmt.Sscan(s.ask("display-message", "-p", "-t", id, "#{window_width} #{window_height} #{window_layout}"), &w, &h, &text)
		var panes []int
		for _, p := range strings.Fields(s.ask("list-panes", "-t", id, "-F", "#{pane_id}")) {
			n, _ := strconv.Atoi(strings.TrimPrefix(p, "%"))
			if panes = append(panes, n); s.gens[p] == nil {
				s.t.Errorf("%s: pane %s is there, which nobody has made, or which was closed", when, p)
			}
			seen++
		}
		tree, err := layout.Parse(text, panes)
		if err != nil {
			s.t.Errorf("%s: window %s: layout %q: %v", when, id, text, err)
			continue
		}
		if gotW, gotH := tree.Size(); gotW != w || gotH != h {
			s.t.Errorf("%s: window %s is %dx%d, its layout %dx%d", when, id, w, h, gotW, gotH)
		}
	}
	if seen != len(s.gens) {
		s.t.Errorf("%s: %d panes are there, %d were made", when, seen, len(s.gens))
	}
	s.rig.gens = slices.Collect(maps.Values(s.gens))
	s.collectAll()
}

// quiet pauses every program and compares each pane's state with that of an emulator that nobody has
// interrupted, and what the client's terminal shows with the same drawn anew.
func (s *soak) quiet(when string) {
	s.t.Helper()
	s.checkAll(when)
	if s.outer == nil {
		return
	}
	if s.outer.Over() {
		s.t.Fatalf("%s: the client has ended", when)
	}
	was := s.settled()
	drawn := s.outer.Bytes()
	s.ask("refresh-client", "-t", s.outer.TTY)
	s.wait("the terminal to be drawn anew", func() bool { return s.outer.Bytes() > drawn+50 })
	if is := s.settled(); is != was {
		s.t.Errorf("%s: the terminal shows, drawn step by step:\n%s\nand drawn at once:\n%s", when, was, is)
	}
}

// settled is what the terminal shows once nothing comes any more.
func (s *soak) settled() (screen string) {
	s.t.Helper()
	const quiet = 300 * time.Millisecond
	last, since := -1, time.Now()
	s.wait("the terminal to be quiet", func() bool {
		if n := s.outer.Bytes(); n != last {
			last, since = n, time.Now()
		}
		return time.Since(since) > quiet
	})
	return s.outer.Screen()
}
