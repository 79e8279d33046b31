package torture

import (
	"io"
	"net"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"stet/tests/harness"
)

// line is a way to the server that can fall silent: what is sent on it neither arrives nor fails, and nobody hears of an end.
type line struct {
	path string
	l    net.Listener
	mu   sync.Mutex
	gate chan struct{} // closed while the line works
	all  []net.Conn
	wg   sync.WaitGroup
}

func (r *rig) line() *line {
	r.t.Helper()
	n := &line{path: filepath.Join(r.Dir, "line"), gate: make(chan struct{})}
	close(n.gate)
	var err error
	n.l, err = net.Listen("unix", n.path)
	r.must(err)
	n.wg.Add(1)
	go func() {
		defer n.wg.Done()
		for {
			c, err := n.l.Accept()
			if err != nil {
				return
			}
			s, err := net.Dial("unix", r.Paths.Socket)
			if err != nil {
				c.Close()
				continue
			}
			n.mu.Lock()
			n.all = append(n.all, c, s)
			n.mu.Unlock()
			n.wg.Add(2)
			go n.carry(c, s)
			go n.carry(s, c)
		}
	}()
	r.t.Cleanup(func() {
		n.l.Close()
		n.sound()
		n.mu.Lock()
		for _, c := range n.all {
			c.Close()
		}
		n.mu.Unlock()
		n.wg.Wait()
	})
	return n
}

func (n *line) carry(from, to net.Conn) {
	defer n.wg.Done()
	b := make([]byte, 32<<10)
	for {
		k, err := from.Read(b)
		n.mu.Lock()
		gate := n.gate
		n.mu.Unlock()
		<-gate
		if _, e := to.Write(b[:k]); err != nil || e != nil {
			if err == io.EOF {
				to.Close()
			}
			return
		}
	}
}

// hush makes the line silent, sound makes it work again.
func (n *line) hush() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.gate = make(chan struct{})
}

func (n *line) sound() {
	n.mu.Lock()
	defer n.mu.Unlock()
	select {
	case <-n.gate:
	default:
		close(n.gate)
	}
}

// along attaches a client that comes over a line.
func (r *rig) along(n *line, session string) *harness.Term {
	r.t.Helper()
	c := r.Cmd("attach-session", "-t", session)
	cmd := exec.Command(c.Path, "-S", n.path, "attach-session", "-t", session)
	cmd.Env, cmd.Dir, cmd.SysProcAttr = c.Env, c.Dir, c.SysProcAttr
	return harness.Start(r.t, 80, 25, cmd)
}

// halfOpen: a connection of which one side does not hear that the other has vanished. The server and everybody else go on as if nothing were, in
// bounded memory; whoever sits at the silent end is told and can leave; and what was typed there arrives once or never.
func halfOpen(r *rig) {
	r.start(1000)
	r.open("work", 80, 24, "cat")
	id := r.pane("work", 0).id
	n := r.line()
	here, leaves, stays := r.attach(80, 25, "work"), r.along(n, "work"), r.along(n, "work")
	for _, c := range []*harness.Term{here, leaves, stays} {
		c.WaitFor("[work]")
	}
	server := r.serverPid()
	n.hush()
	leaves.Type("into the void ")
	stays.Type("kept\r")
	r.ask("split-window", "-d", "-t", id, "seq 300000; echo 'the 'end; exec cat") // pictures that nobody takes
	here.WaitFor("the end")
	here.Type("here\r")
	r.waitFor(id, "here\nhere")
	for _, c := range []*harness.Term{leaves, stays} {
		c.WaitFor("does not answer")
	}
	leaves.Type("\x03\x03")
	if code := leaves.WaitExit(); code != 1 {
		r.t.Errorf("exit status %d", code)
	}
	if m := rss(server); m > maxRSS {
		r.t.Errorf("the server has %d MB resident", m>>20)
	}
	n.sound()
	stays.WaitGone("does not answer")
	r.waitFor(id, "kept\n")
	text := strings.Join(r.screen(id), "\n")
	if k := strings.Count(text, "kept"); k != 2 { // the echo, and what cat says
		r.t.Errorf("typed once, and %d times there:\n%s", k, text)
	}
	n.hush()
	other := r.attach(80, 25, "work")
	other.WaitFor("[work]")
	r.ask("detach-client", "-a", "-t", other.TTY) // the silent one cannot be told, and is let go all the same
	r.wait("the silent client to be dropped", func() bool { return r.ask("list-clients", "-F", "#{client_tty}") == other.TTY })
	if now := r.serverPid(); now != server {
		r.t.Errorf("the server is %d, it was %d", now, server)
	}
}
