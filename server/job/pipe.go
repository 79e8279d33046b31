package job

import (
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Bounds of a pipe.
const (
	maxWaiting = 1 << 20 // bytes of output that wait for the program
	chunk      = 32 << 10
	// graceTime is how long a program may go on when its input has ended, before it is told to end; and
	// then again before it is made to.
	graceTime = 5 * time.Second
	flushTime = 500 * time.Millisecond // the same when the server ends
)

// PipeCommand is a program that runs beside a pane (pipe-pane).
type PipeCommand struct {
	Text string // for the shell's -c
	Dir  string
	Env  []string
	// In lets the program read what Write gives it; otherwise its input is empty.
	In bool
	// Said gets what the program prints, in pieces that are its own only until it returns; it may wait,
	// and then the program waits. nil drops what is printed.
	Said func(b []byte)
	// Dropped is called once, by Write, when the program does not keep up and something is left out.
	Dropped func()
	// Ended is called once, when the program has ended, or with why it could not be started.
	Ended func(error)
}

// Pipe is such a program. It may be used by any goroutine; nothing waits for the program.
type Pipe struct {
	c     PipeCommand
	jobs  *Jobs
	cmd   *exec.Cmd
	in    *os.File      // our end of its input, nil for none
	begun chan struct{} // closed when the program runs
	gone  chan struct{}
	end   chan struct{} // closed by Close

	mu      sync.Mutex
	waiting []byte
	bell    chan struct{} // size one
	dropped bool
	broken  bool // it does not read any more
	closed  bool
}

// Pipe starts a program without waiting. It counts as one of the jobs, and ends with them.
func (j *Jobs) Pipe(c PipeCommand) (*Pipe, error) {
	p := &Pipe{c: c, jobs: j, begun: make(chan struct{}), gone: make(chan struct{}), end: make(chan struct{}), bell: make(chan struct{}, 1)}
	p.cmd = exec.Command("/bin/sh", "-c", c.Text)
	p.cmd.Env = c.Env
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.closed:
		return nil, errClosed
	case len(j.running) >= MaxRunning:
		return nil, ErrTooMany
	}
	if j.running == nil {
		j.running = map[*exec.Cmd]int{}
	}
	if j.pipes == nil {
		j.pipes = map[*Pipe]bool{}
	}
	j.running[p.cmd], j.pipes[p] = 0, true
	j.wg.Add(1)
	go p.run()
	return p, nil
}

// run is the program's whole life.
func (p *Pipe) run() {
	defer p.jobs.wg.Done()
	err := p.begin()
	if err == nil {
		err = p.attend()
	}
	close(p.gone)
	p.jobs.mu.Lock()
	delete(p.jobs.running, p.cmd)
	delete(p.jobs.pipes, p)
	p.jobs.mu.Unlock()
	if p.c.Ended != nil {
		p.c.Ended(err)
	}
}

// begin starts the program with its ends of the pipes.
func (p *Pipe) begin() error {
	var theirs []*os.File
	defer func() {
		for _, f := range theirs {
			f.Close()
		}
	}()
	if p.c.In {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		p.cmd.Stdin, p.in = r, w
		theirs = append(theirs, r)
	}
	if p.c.Said != nil {
		p.cmd.Stdout = saying(p.c.Said)
		p.cmd.WaitDelay = graceTime // what it has left in the background may hold its output open
	}
	err := p.jobs.begin(p.cmd, p.c.Dir)
	if err != nil && p.in != nil {
		p.in.Close()
	}
	return err
}

// attend feeds the program, ends it when it is time, and waits for it.
func (p *Pipe) attend() error {
	var wg sync.WaitGroup
	if p.in != nil {
		wg.Add(1)
		go func() { defer wg.Done(); p.feed() }()
	}
	over := make(chan struct{})
	wg.Add(1)
	go func() { defer wg.Done(); p.escalate(over) }()
	p.jobs.mu.Lock()
	p.jobs.running[p.cmd] = 0 // Close ends it in its own way
	p.jobs.mu.Unlock()
	close(p.begun)
	err := p.cmd.Wait()
	close(over)
	if p.in != nil {
		p.in.Close() // a write that waits for a reader that is gone returns
	}
	p.mu.Lock()
	p.broken = true
	p.mu.Unlock()
	p.ring()
	wg.Wait()
	return err
}

// feed writes what waits, until the end, and then closes the program's input.
func (p *Pipe) feed() {
	defer p.in.Close()
	for {
		p.mu.Lock()
		b := p.waiting[:min(len(p.waiting), chunk)]
		over := p.broken || p.closed && len(b) == 0
		p.mu.Unlock()
		if over {
			return
		}
		if len(b) == 0 {
			<-p.bell
			continue
		}
		n, err := p.in.Write(b)
		p.mu.Lock()
		p.waiting = p.waiting[n:]
		if len(p.waiting) == 0 {
			p.waiting = nil
		}
		p.broken = p.broken || err != nil
		p.mu.Unlock()
	}
}

// escalate ends a program that goes on although its input has ended.
func (p *Pipe) escalate(over chan struct{}) {
	select {
	case <-over:
		return
	case <-p.end:
	}
	for _, s := range [...]syscall.Signal{syscall.SIGHUP, syscall.SIGKILL} {
		t := time.NewTimer(graceTime)
		select {
		case <-over:
			t.Stop()
			return
		case <-t.C:
		}
		_ = syscall.Kill(-p.cmd.Process.Pid, s) // it may just have ended
	}
	<-over
}

// hangUp tells the program to end now, where it runs.
func (p *Pipe) hangUp() {
	select {
	case <-p.gone:
		return
	default:
	}
	select {
	case <-p.begun:
		end(p.cmd.Process.Pid)
	default: // it is ended as soon as it has been started
	}
}

// Write gives the program bytes. It never waits: what a program that does not keep up cannot take is left
// out, as a whole.
func (p *Pipe) Write(b []byte) {
	p.mu.Lock()
	if p.closed || p.broken || !p.c.In {
		p.mu.Unlock()
		return
	}
	first := false
	if len(p.waiting)+len(b) > maxWaiting {
		first = !p.dropped
		p.dropped = true
	} else {
		p.waiting = append(p.waiting, b...)
	}
	p.mu.Unlock()
	p.ring()
	if first && p.c.Dropped != nil {
		p.c.Dropped()
	}
}

func (p *Pipe) ring() {
	select {
	case p.bell <- struct{}{}:
	default:
	}
}

// Close ends the program's input behind what waits; one that goes on nevertheless is ended a while later.
// It does not wait.
func (p *Pipe) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.closed {
		p.closed = true
		close(p.end)
		p.ring()
	}
}

// Gone is closed when the program has ended.
func (p *Pipe) Gone() <-chan struct{} { return p.gone }

// saying hands on what is printed.
type saying func([]byte)

func (f saying) Write(b []byte) (int, error) {
	f(b)
	return len(b), nil
}
