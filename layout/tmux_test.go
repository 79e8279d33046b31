package layout

import (
	"fmt"
	"math/rand"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// tmuxServer is a tmux of its own with one window; the differential tests do
// the same to it and to a Tree and compare.
type tmuxServer struct {
	t    *testing.T
	name string
}

func startTmux(t *testing.T, w, h int) *tmuxServer {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: nothing to compare with")
	}
	s := &tmuxServer{t: t, name: "stet-layout-" + strings.ReplaceAll(t.Name(), "/", "-")}
	t.Setenv("TMUX", "")
	t.Setenv("TMUX_TMPDIR", t.TempDir())
	s.do("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(w), "-y", strconv.Itoa(h), "exec sleep 1000")
	t.Cleanup(func() { exec.Command("tmux", "-L", s.name, "kill-server").Run() })
	return s
}

// do runs a tmux command and returns its output; the error is the message.
func (s *tmuxServer) try(args ...string) (string, error) {
	out, err := exec.Command("tmux", append([]string{"-L", s.name}, args...)...).CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil {
		return "", fmt.Errorf("tmux %s: %s", strings.Join(args, " "), text)
	}
	return text, nil
}

func (s *tmuxServer) do(args ...string) string {
	s.t.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.t.Fatal(err)
	}
	return out
}

func (s *tmuxServer) layout() string {
	s.t.Helper()
	return s.do("display-message", "-p", "#{window_layout}")
}

func paneArg(id int) string { return "%" + strconv.Itoa(id) }

// compare is called after each step.
func (s *tmuxServer) compare(step string, tree *Tree) {
	s.t.Helper()
	if got, want := tree.String(), s.layout(); got != want {
		s.t.Fatalf("after %s:\n got %s\nwant %s", step, got, want)
	}
	verify(s.t, tree)
}

// split does the same split on both; it returns the old tree when both refuse.
func (s *tmuxServer) split(tree *Tree, pane int, o SplitOptions) (*Tree, bool) {
	s.t.Helper()
	args := []string{"split-window", "-d", "-P", "-F", "#{pane_id}", "-t", paneArg(pane)}
	if o.Horizontal {
		args = append(args, "-h")
	}
	if o.Before {
		args = append(args, "-b")
	}
	if o.Full {
		args = append(args, "-f")
	}
	if o.Size > 0 {
		args = append(args, "-l", strconv.Itoa(o.Size))
	} else if o.Percent > 0 {
		args = append(args, "-l", strconv.Itoa(o.Percent)+"%")
	}
	out, theirs := s.try(append(args, "exec sleep 1000")...)
	if theirs == nil {
		o.New, _ = strconv.Atoi(strings.TrimPrefix(out, "%"))
	} else {
		o.New = 1 << 20
	}
	n, ours := tree.Split(pane, o)
	if o.Full && ours == nil && theirs != nil {
		return tree, false // tmux gives up where proportions are a cell short
	}
	if (ours == nil) != (theirs == nil) {
		s.t.Fatalf("split %+v of %s:\n ours: %v\ntmux: %v", o, tree, ours, theirs)
	}
	if ours != nil {
		return tree, false
	}
	return n, true
}

// The seeds are ones at which tmux 3.3a does not make panes of no height (and
// dies of them), which it does now and then when a window is very full.
func TestSameAsTmux(t *testing.T) {
	for seed := int64(1); seed <= 4; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewSource(seed))
			w, h := 40+rnd.Intn(60), 15+rnd.Intn(30)
			s := startTmux(t, w, h)
			tree := New(w, h, 0)
			wantW, wantH := w, h
			s.compare("start", tree)
			flags := [...]string{Up: "-U", Down: "-D", Left: "-L", Right: "-R"}
			for i := range 70 {
				panes := tree.Panes()
				pane := panes[rnd.Intn(len(panes))]
				n := rnd.Intn(12)
				step, err := "", error(nil)
				switch op := rnd.Intn(10); {
				case op < 3 && len(panes) < 14:
					o := SplitOptions{Horizontal: rnd.Intn(2) == 0, Before: rnd.Intn(3) == 0, Full: rnd.Intn(4) == 0}
					switch rnd.Intn(3) {
					case 0:
						o.Size = 1 + rnd.Intn(20)
						// Not larger than the pane when going before: see Split.
						r, _ := tree.Rect(pane)
						o.Size = min(o.Size, max(min(r.W, r.H)-2, 1))
					case 1:
						o.Percent = 5 + rnd.Intn(95)
					}
					step = fmt.Sprintf("split of %d %+v", pane, o)
					tree, _ = s.split(tree, pane, o)
				case op < 4 && len(panes) > 4:
					step = fmt.Sprintf("kill-pane %d", pane)
					s.do("kill-pane", "-t", paneArg(pane))
					// tmux comes back to the size wanted when there is space again.
					if tree, err = tree.Remove(pane); err == nil {
						tree = tree.Resize(wantW, wantH)
					}
				case op < 6:
					d := Dir(rnd.Intn(4))
					step = fmt.Sprintf("resize-pane %s %d of %d", flags[d], n+1, pane)
					s.do("resize-pane", "-t", paneArg(pane), flags[d], strconv.Itoa(n+1))
					tree, err = tree.ResizePane(pane, d, n+1)
				case op < 7:
					x, y := 1+rnd.Intn(w), 1+rnd.Intn(h)
					step = fmt.Sprintf("resize-pane -x %d -y %d of %d", x, y, pane)
					s.do("resize-pane", "-t", paneArg(pane), "-x", strconv.Itoa(x), "-y", strconv.Itoa(y))
					tree, err = tree.SetPaneSize(pane, x, y)
				case op < 8:
					x, y := 20+rnd.Intn(90), 8+rnd.Intn(50)
					step = fmt.Sprintf("resize-window %dx%d", x, y)
					s.do("resize-window", "-x", strconv.Itoa(x), "-y", strconv.Itoa(y))
					tree, wantW, wantH = tree.Resize(x, y), x, y
				case op < 9:
					if !evenFits(tree, pane) {
						continue
					}
					step = fmt.Sprintf("select-layout -E at %d", pane)
					s.do("select-layout", "-t", paneArg(pane), "-E")
					tree, err = tree.Spread(pane)
				default:
					other := panes[rnd.Intn(len(panes))]
					step = fmt.Sprintf("swap-pane %d %d", pane, other)
					s.do("swap-pane", "-d", "-s", paneArg(pane), "-t", paneArg(other))
					tree, err = tree.Swap(pane, other)
				}
				if err != nil {
					t.Fatalf("%s: %v", step, err)
				}
				s.compare(fmt.Sprintf("step %d, %s", i, step), tree)
			}
		})
	}
}

// evenFits tells whether each part of the rows around a pane can take its even
// share: otherwise tmux lets the layout run over, and we do not.
func evenFits(tree *Tree, pane int) bool {
	for p := tree.root.find(pane).parent; p != nil; p = p.parent {
		for _, k := range p.children {
			if k.least(p.axis) > (p.size(p.axis)+1)/len(p.children)-1 {
				return false
			}
		}
	}
	return true
}

func TestPresetsAsTmux(t *testing.T) {
	for _, size := range [][2]int{{120, 40}, {81, 23}, {37, 60}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			s := startTmux(t, size[0], size[1])
			s.do("set-option", "-gw", "main-pane-width", "50")
			s.do("set-option", "-gw", "main-pane-height", "15")
			tree := New(size[0], size[1], 0)
			for len(tree.Panes()) < 11 {
				n, ok := s.split(tree, 0, SplitOptions{})
				if !ok {
					t.Fatal("no space to split")
				}
				tree = n
				for _, name := range Presets() {
					if strings.HasSuffix(name, "mirrored") {
						continue // newer than the oldest tmux compared with
					}
					s.do("select-layout", name)
					n, err := Preset(name, size[0], size[1], tree.Panes(), 50, 15)
					if err != nil {
						t.Fatal(err)
					}
					tree = n
					s.compare(name, tree)
				}
			}
		})
	}
}

func TestSelectLayoutAsTmux(t *testing.T) {
	s := startTmux(t, 100, 40)
	tree := New(100, 40, 0)
	for i := range 5 {
		panes := tree.Panes()
		tree, _ = s.split(tree, panes[len(panes)-1], SplitOptions{Horizontal: i%2 == 0})
	}
	kept := tree.String()
	for len(tree.Panes()) > 2 {
		last := tree.Panes()[0]
		s.do("kill-pane", "-t", paneArg(last))
		var err error
		if tree, err = tree.Remove(last); err != nil {
			t.Fatal(err)
		}
		s.do("select-layout", kept)
		if tree, err = Parse(kept, tree.Panes()); err != nil {
			t.Fatal(err)
		}
		s.compare("select-layout", tree)
	}
}

func TestSelectPaneAsTmux(t *testing.T) {
	s := startTmux(t, 90, 37)
	tree := New(90, 37, 0)
	rnd := rand.New(rand.NewSource(7))
	for len(tree.Panes()) < 9 {
		panes := tree.Panes()
		tree, _ = s.split(tree, panes[rnd.Intn(len(panes))], SplitOptions{Horizontal: rnd.Intn(2) == 0})
	}
	used := map[int]int{}
	active, clock := 0, 1
	used[0] = clock
	recent := func(a, b int) bool { return used[a] > used[b] }
	flags := [...]string{Up: "-U", Down: "-D", Left: "-L", Right: "-R"}
	for i := range 120 {
		d := Dir(rnd.Intn(4))
		want := s.do("select-pane", flags[d], ";", "display-message", "-p", "#{pane_id}")
		if to, ok := tree.Neighbor(active, d, recent); ok {
			active = to
			clock++
			used[to] = clock
		}
		if got := paneArg(active); got != want {
			t.Fatalf("step %d, %s: at %s, tmux at %s\n%s", i, d, got, want, tree)
		}
	}
}
