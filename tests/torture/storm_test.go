package torture

import (
	"strings"
	"testing"
	"time"
)

// TestResizeStorm: the outer terminal changes its size as fast as it can. The last size is the one that
// stays, for every program too, and no output is lost.
func TestResizeStorm(t *testing.T) {
	r := newRig(t)
	r.start(1000)
	r.generate("storm", 80, 24, "-h")
	path := r.file("size")
	r.wait("a third pane", func() bool {
		if len(r.list("storm")) == 3 {
			return true
		}
		r.Try(append([]string{"split-window", "-d", "-v", "-t", "storm"}, r.role("size", path)...)...)
		return false
	})
	sized := ""
	for _, p := range r.list("storm") {
		if p.id != r.gens[0].id && p.id != r.gens[1].id {
			sized = p.id
		}
	}
	r.goOnAll()
	c := r.attach(161, 25, "storm")
	r.wait("the client", func() bool { return r.ask("list-clients", "-F", "x") == "x" })
	for i := range 1000 {
		c.Resize(20+r.rnd.IntN(250), 3+r.rnd.IntN(80))
		if i%50 == 0 {
			r.nap(5 * time.Millisecond)
		}
		if i == 500 {
			r.kill(r.serverPid())
		}
	}
	c.Resize(131, 43)
	r.wait("the last size of the window", func() bool {
		return r.ask("display-message", "-p", "-t", "storm", "#{window_width}x#{window_height}") == "131x42"
	})
	var want listed
	r.wait("the last size of the program's terminal", func() bool {
		for _, p := range r.list("storm") {
			if p.id == sized {
				want = p
			}
		}
		a, ok := r.read(path)
		return ok && a.Cols == want.cols && a.Rows == want.rows
	})
	c.Wait("a picture of the last size", func(s string) bool { return strings.Count(s, "\n") == 42 })
	for _, g := range r.gens {
		s := r.allParsed(g)
		for _, p := range r.list("storm") {
			if last := s.Log[len(s.Log)-1]; p.id == g.id && (last.Cols != p.cols || last.Rows != p.rows) {
				t.Errorf("pane %s: is %dx%d in the layout, %dx%d in its emulator", g.id, p.cols, p.rows, last.Cols, last.Rows)
			}
		}
	}
	before := map[string]state{}
	for _, g := range r.gens {
		before[g.id] = r.dump(g.id)
	}
	r.kill(r.serverPid())
	for id, s := range before {
		if now := r.dump(id); now.Digest != s.Digest && now.Resizes == s.Resizes {
			t.Errorf("pane %s: differs after a kill at rest", id)
		}
	}
	r.checkPids("at the end")
}
