package torture

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"stet/tests/harness"
)

// TestServerKills: the server is killed at any moment, while eight kinds of programs are at work and
// panes are resized. Nothing is lost and nothing comes twice.
func TestServerKills(t *testing.T) {
	t.Parallel()
	kills(t, newRig(t), size(15, 100))
}

// TestKeeperReads is the same where the server must not read the terminals itself.
func TestKeeperReads(t *testing.T) {
	t.Parallel()
	kills(t, newRig(t, "STET_NO_EXACT=1"), size(5, 40))
}

func kills(t *testing.T, r *rig, rounds int) {
	r.start(1500)
	r.ask("set-option", "-wg", "remain-on-exit", "on")
	r.generate("small", 80, 24, "-h")
	r.generate("large", 250, 80, "-v")
	r.asks("ask")
	people := r.people()
	r.goOnAll()
	outer := []*harness.Term{r.attach(161, 25, "small")}
	if full() {
		outer = append(outer, r.attach(250, 162, "large"))
	}
	for round := 1; round <= rounds; round++ {
		when := fmt.Sprintf("round %d", round)
		child := r.child(round)
		server := r.serverPid()
		var resizing sync.WaitGroup
		resizing.Add(1)
		steps := r.resizes(outer)
		go func() {
			defer resizing.Done()
			for _, f := range steps {
				f()
			}
		}()
		r.nap(25 * time.Millisecond)
		if round%2 == 0 { // the child ends while nobody can notice
			syscall.Kill(server, syscall.SIGSTOP)
			child.release()
		}
		if round%4 == 3 {
			r.killTwice(server)
		} else {
			r.kill(server)
		}
		if round%2 == 1 {
			child.release()
		}
		resizing.Wait()
		r.checkPids(when)
		r.collectAll()
		child.check()
		r.wait("the clients to be back", func() bool {
			return strings.Count(r.ask("list-clients", "-F", "x"), "x") == len(outer)
		})
		if round%5 == 0 || round == rounds {
			r.checkAll(when)
			for _, f := range people {
				f(round)
			}
			if t.Failed() {
				return
			}
			r.goOnAll()
		}
	}
	r.checkAll("at the end")
	r.kill(r.serverPid())
	for _, g := range r.gens {
		s := r.dump(g.id)
		r.collect(g, s)
		r.compare(g, s, "after a kill at rest")
	}
	acc := r.checkAsker(r.askers[0], r.deaths())
	r.checkPids("at the end")
	var bytes uint64
	var resizes int
	for _, g := range r.gens {
		bytes += g.src.at
		resizes += len(g.log)
	}
	t.Logf("%d kills, %d bytes compared, %d resizes, terminal answers: %d asked, %d told, %d late", r.deaths(), bytes, resizes, acc.Asked, acc.Told, acc.Late)
}

// resizes are a few changes of panes' sizes at random moments. What is to come is drawn here, since it
// is done in another goroutine.
func (r *rig) resizes(outer []*harness.Term) (steps []func()) {
	for range 1 + r.rnd.IntN(4) {
		pause := time.Duration(r.rnd.IntN(15)) * time.Millisecond
		steps = append(steps, func() { time.Sleep(pause) })
		switch r.rnd.IntN(3) {
		case 0:
			x := strconv.Itoa(20 + r.rnd.IntN(110))
			steps = append(steps, func() { r.Try("resize-pane", "-t", r.gens[0].id, "-x", x) }) // it may meet the kill
		case 1:
			y := strconv.Itoa(5 + r.rnd.IntN(90))
			steps = append(steps, func() { r.Try("resize-pane", "-t", r.gens[2].id, "-y", y) })
		case 2:
			o := outer[r.rnd.IntN(len(outer))]
			cols, rows := 60+r.rnd.IntN(120), 10+r.rnd.IntN(25)
			if o != outer[0] {
				cols, rows = 100+r.rnd.IntN(200), 40+r.rnd.IntN(130)
			}
			steps = append(steps, func() { o.Resize(cols, rows) })
		}
	}
	return steps
}

// child is a short-lived program that ends when it is told to.
type child struct {
	r      *rig
	name   string
	fifo   string
	status int
	pane   listed
}

func (r *rig) child(n int) *child {
	r.t.Helper()
	c := &child{r: r, name: fmt.Sprintf("child%d", n), fifo: r.file(fmt.Sprintf("fifo%d", n)), status: n%250 + 1}
	if err := syscall.Mkfifo(c.fifo, 0o600); err != nil {
		r.t.Fatal(err)
	}
	script := fmt.Sprintf("read x < %s; printf bye%d; exit %d", c.fifo, n, c.status)
	r.open(c.name, 40, 10, "sh", "-c", script)
	c.pane = r.pane(c.name, 0)
	delete(r.pids, c.pane.id) // it is to end
	return c
}

// release lets it end, and waits until it has.
func (c *child) release() {
	c.r.t.Helper()
	f, err := os.OpenFile(c.fifo, os.O_RDWR, 0) // so that opening does not wait for the other end
	if err != nil {
		c.r.t.Fatal(err)
	}
	defer f.Close()
	f.WriteString("go\n")
	c.r.wait("the end of "+c.name, func() bool { return !harness.Alive(c.pane.pid) })
}

// check holds that its end, its status and its last words were noticed.
func (c *child) check() {
	c.r.t.Helper()
	want := fmt.Sprintf("1 %d", c.status)
	got := ""
	c.r.wait(c.name+" to be seen as dead", func() bool {
		got = c.r.ask("list-panes", "-t", c.name, "-F", "#{pane_dead} #{pane_dead_status}")
		return got == want
	})
	if s := c.r.screen(c.pane.id); !strings.Contains(strings.Join(s, "\n"), "bye"+strings.TrimPrefix(c.name, "child")) {
		c.r.t.Errorf("%s: its last words are missing: %q", c.name, s)
	}
	c.r.ask("kill-session", "-t", c.name)
	os.Remove(c.fifo)
}

// people opens what people use, as far as it is there. Each function holds that a program still answers.
func (r *rig) people() (alive []func(round int)) {
	if r.has("bash") {
		r.open("bash", 80, 24, "bash", "--norc", "--noprofile", "-i")
		p := r.pane("bash", 0)
		alive = append(alive, func(round int) {
			r.ask("send-keys", "-t", p.id, fmt.Sprintf("echo answer=$((%d*7+1))x", round), "Enter")
			r.waitFor(p.id, fmt.Sprintf("\nanswer=%dx", round*7+1))
		})
	}
	if r.has("vim") {
		r.open("vim", 80, 24, "vim", "-u", "NONE", "-N", "-i", "NONE")
		p := r.pane("vim", 0)
		r.waitFor(p.id, "~")
		alive = append(alive, func(round int) {
			r.ask("send-keys", "-t", p.id, "Escape")
			r.ask("send-keys", "-t", p.id, fmt.Sprintf("Govimtext%d", round), "Escape")
			r.waitFor(p.id, fmt.Sprintf("vimtext%d", round))
		})
	}
	if r.has("less") {
		var b strings.Builder
		for i := range 5000 {
			fmt.Fprintf(&b, "line %d of the book\n", i+1)
		}
		if err := os.WriteFile(r.file("book"), []byte(b.String()), 0o600); err != nil {
			r.t.Fatal(err)
		}
		r.open("less", 80, 24, "less", r.file("book"))
		p := r.pane("less", 0)
		r.waitFor(p.id, "line 1 of")
		alive = append(alive, func(round int) {
			r.ask("send-keys", "-t", p.id, fmt.Sprintf("%dg", round*10))
			r.waitScreen(p.id, "the line in less", func(l []string) bool {
				return len(l) > 0 && strings.HasPrefix(l[0], fmt.Sprintf("line %d of", round*10))
			})
		})
	}
	return alive
}
