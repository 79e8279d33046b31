package torture

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// addressSpace is what a process has of it, in bytes.
func (r *rig) addressSpace(pid int) (n int) {
	r.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	r.must(err)
	fmt.Sscan(string(b), &n)
	return n * os.Getpagesize()
}

// limitSpace sets how much of it a process may have; 0 is no limit.
func (r *rig) limitSpace(pid, n int) {
	r.t.Helper()
	what := "unlimited"
	if n > 0 {
		what = strconv.Itoa(n)
	}
	if out, err := exec.Command("prlimit", "--pid", strconv.Itoa(pid), "--as="+what+":").CombinedOutput(); err != nil {
		r.t.Fatalf("prlimit: %v\n%s", err, out)
	}
}

// outOfReach: a server cannot map one pane's memory. It costs that pane, which says so and comes back as soon as there is room.
func outOfReach(r *rig) {
	if !r.has("prlimit") {
		r.t.Skip("prlimit sets the limit")
	}
	r.start(100)
	r.open("small", 80, 24, "sh", "-c", "echo small is here; exec cat")
	small := r.pane("small", 0).id
	r.ask("set-option", "-g", "history-limit", "1000000")
	r.open("large", 400, 24, "sh", "-c", "echo large is here; exec cat")
	large := r.pane("large", 0)
	r.waitFor(small, "small is here")
	r.waitFor(large.id, "large is here")
	r.kill(r.serverPid())
	little := r.addressSpace(r.serverPid()) - 100<<20 // less than what the large one takes
	r.limitSpace(r.keepers, little)
	was := r.dump(small)
	r.kill(r.serverPid())
	if now := r.dump(small); now.Digest != was.Digest {
		r.t.Errorf("the pane that can be reached is another")
	}
	c := r.attach(100, 25, "large")
	c.WaitFor("stet cannot reach this pane")
	r.ask("send-keys", "-t", small, "hello", "Enter")
	r.waitFor(small, "hello\nhello")
	r.checkPids("while one pane is out of reach")
	r.ask("flush")
	r.kill(r.serverPid()) // and the next is in the same place
	c.WaitFor("stet cannot reach this pane")
	r.limitSpace(r.keepers, 0)
	r.limitSpace(r.serverPid(), 0)
	r.wait("the pane", func() bool {
		c.Type("x")
		return strings.Contains(r.ask("capture-pane", "-p", "-t", large.id), "large is here")
	})
	r.ask("send-keys", "-t", large.id, "Enter", "and again", "Enter")
	r.waitScreen(large.id, "an echo and an answer", func(l []string) bool { return strings.Count(strings.Join(l, "\n"), "and again") == 2 })
	r.checkPids("once it is back")

	r.limitSpace(r.keepers, little)
	r.kill(r.serverPid())
	r.ask("kill-pane", "-t", large.id) // it can be closed all the same
	r.wait("its end", func() bool { return syscall.Kill(large.pid, 0) != nil })
	delete(r.pids, large.id)
	r.limitSpace(r.keepers, 0)
	r.checkPids("at the end")
}

// shared is a piece of shared memory as a process has it mapped.
type shared struct {
	pid  int
	at   int64
	size int64
}

// mapped are the pieces of shared memory of a name.
func (r *rig) mapped(pid int, name string) (out []shared) {
	r.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	r.must(err)
	for _, l := range strings.Split(string(b), "\n") {
		if !strings.Contains(l, "/memfd:"+name) {
			continue
		}
		var from, to int64
		if _, err := fmt.Sscanf(l, "%x-%x", &from, &to); err == nil {
			out = append(out, shared{pid, from, to - from})
		}
	}
	return out
}

func (m shared) file(r *rig, write bool) *os.File {
	r.t.Helper()
	how := os.O_RDONLY
	if write {
		how = os.O_RDWR
	}
	f, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", m.pid), how, 0)
	if err != nil {
		r.t.Skipf("no look into the memory of a process: %v", err)
	}
	return f
}

func (m shared) read(r *rig, at, n int64) []byte {
	r.t.Helper()
	f := m.file(r, false)
	defer f.Close()
	b := make([]byte, n)
	if _, err := f.ReadAt(b, m.at+at); err != nil {
		r.t.Skipf("no look into the memory of a process: %v", err)
	}
	return b
}

func (m shared) write(r *rig, at int64, b []byte) {
	r.t.Helper()
	f := m.file(r, true)
	defer f.Close()
	if _, err := f.WriteAt(b, m.at+at); err != nil {
		r.t.Skipf("no way into the memory of a process: %v", err)
	}
}

// spoiltMemory: a server that was out of its mind has written nonsense over what it shares with the keeper. What that was about is said to be
// lost; every program goes on, every other pane is exact, and there is a server.
func spoiltMemory(r *rig) {
	const page = 4096
	r.start(1000)
	// Where the parts of a pane's memory are: see server/ring.
	sizes := func(m shared) (ring, slot int64) {
		h := m.read(r, 0, page)
		return int64(binary.LittleEndian.Uint64(h[16:])), int64(binary.LittleEndian.Uint64(h[24:]))
	}
	damage := []struct {
		name  string
		spoil func(m shared)
		exact bool // nothing is lost
		blind bool // nobody can tell
	}{
		{"label", func(m shared) { m.write(r, 0, bytes.Repeat([]byte{0xA5}, 64)) }, true, false},
		{"words", func(m shared) { m.write(r, 0, bytes.Repeat([]byte{0xA5}, page)) }, false, false},
		{"zeros", func(m shared) { m.write(r, 0, make([]byte, page)) }, false, false},
		{"slots", func(m shared) {
			ring, slot := sizes(m)
			m.write(r, page+ring, bytes.Repeat([]byte{0x5A}, 16<<10))
			m.write(r, page+ring+slot, bytes.Repeat([]byte{0x5A}, 16<<10))
		}, false, false},
		{"output", func(m shared) {
			ring, _ := sizes(m)
			m.write(r, page, bytes.Repeat([]byte{0xA5}, int(ring)))
		}, false, true},
	}
	r.open("good", 80, 24, "sh", "-c", "echo this one is good; exec cat")
	good := r.pane("good", 0).id
	r.waitFor(good, "this one is good")
	for _, d := range damage {
		r.open(d.name, 80, 24, "sh", "-c", "echo marked-"+d.name+"; exec cat")
		p := r.pane(d.name, 0)
		r.waitFor(p.id, "marked-"+d.name)
		was, mine := r.dump(good), r.dump(p.id)
		server := r.serverPid()
		r.must(syscall.Kill(server, syscall.SIGSTOP))
		found := false
		for _, m := range r.mapped(server, "stet-pane") {
			if bytes.Contains(m.read(r, page, page), []byte("marked-"+d.name)) {
				d.spoil(m)
				found = true
			}
		}
		if !found {
			r.t.Fatalf("%s: the pane's memory was not found", d.name)
		}
		r.kill(server)
		now, then := r.dump(p.id), r.dump(good)
		if d.exact && now.Digest != mine.Digest {
			r.t.Errorf("%s: it is not what it was; damage %q", d.name, now.Damage)
		}
		if !d.exact && !d.blind && now.Digest != mine.Digest && now.Damage == "" {
			r.t.Errorf("%s: it is not what it was, and nothing is said", d.name)
		}
		if then.Digest != was.Digest || then.Damage != "" {
			r.t.Errorf("%s: another pane is not what it was; damage %q", d.name, then.Damage)
		}
		r.ask("send-keys", "-t", p.id, "it goes on", "Enter")
		r.waitFor(p.id, "it goes on\nit goes on")
		r.checkPids("after " + d.name)
	}
	for _, d := range []struct {
		name  string
		spoil func(m shared)
	}{
		{"label of the model", func(m shared) { m.write(r, 0, bytes.Repeat([]byte{0xA5}, 8)) }},
		{"the model", func(m shared) {
			m.write(r, 0, bytes.Repeat([]byte{0xA5}, 64<<10))
			m.write(r, m.size/2, bytes.Repeat([]byte{0xA5}, 64<<10))
		}},
	} {
		was := r.dump(good)
		server := r.serverPid()
		r.must(syscall.Kill(server, syscall.SIGSTOP))
		for _, m := range r.mapped(server, "stet-model") {
			d.spoil(m)
		}
		r.kill(server)
		if now := r.dump(good); now.Digest != was.Digest {
			r.t.Errorf("%s: a pane is not what it was", d.name)
		}
		r.checkPids("after " + d.name)
	}
	r.ask("has-session", "-t", "recovered")
}
