// Package job runs shell commands for the server: run-shell, if-shell, #(…) in formats, what copied text
// is piped to, and what runs beside a pane (pipe-pane).
//
// A job is a process group of its own, with a goroutine that waits for it and nothing else. Its output is
// bounded: what is beyond is read and thrown away, so that the program goes on. How many run at a time is
// bounded, too. A job ends with the server's orderly end; one whose server was killed goes on without it.
//
// Jobs may be used by any goroutine. The package starts programs and does nothing else: it knows no
// panes, sessions or clients.
package job

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"time"

	"stet/server/direct"
)

// Bounds of jobs.
const (
	MaxRunning = 256
	MaxOutput  = 1 << 20 // bytes that are kept of one job's output
)

// Command is what to run.
type Command struct {
	Text  string // for the shell's -c
	Dir   string // "" or one that is gone: the home directory, or /
	Env   []string
	Input []byte // standard input; nil for none
	// Errors keeps what is written to standard error with the rest; otherwise it is dropped.
	Errors bool
	Limit  int // bytes of output that are kept; 0 none, at most MaxOutput
}

// Result is how it went.
type Result struct {
	Output  []byte
	Dropped bool  // there was more output
	Code    int   // exit status, meaningful without Err and Signal
	Signal  int   // that ended it, 0 none
	Err     error // it could not be started
}

// Jobs are the running jobs. The zero value is ready for use.
type Jobs struct {
	mu      sync.Mutex        // held for moments: the server's loop takes it
	running map[*exec.Cmd]int // value: the process group to end with the jobs, 0 none
	pipes   map[*Pipe]bool
	closed  bool
	wg      sync.WaitGroup
}

// ErrTooMany is returned where MaxRunning jobs run.
var ErrTooMany = errors.New("too many shell commands are running")

var errClosed = errors.New("the server is ending")

// Run starts a job without waiting. done is called once, from the job's goroutine, when the program has
// ended and its output is closed; it may be nil. With an error nothing was started.
func (j *Jobs) Run(c Command, done func(Result)) error {
	cmd := exec.Command("/bin/sh", "-c", c.Text)
	cmd.Env = c.Env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if c.Input != nil {
		cmd.Stdin = bytes.NewReader(c.Input)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	switch {
	case j.closed:
		return errClosed
	case len(j.running) >= MaxRunning:
		return ErrTooMany
	}
	if j.running == nil {
		j.running = map[*exec.Cmd]int{}
	}
	j.running[cmd] = 0
	j.wg.Add(1)
	go func() {
		defer j.wg.Done()
		r := j.wait(cmd, c)
		j.mu.Lock()
		delete(j.running, cmd)
		j.mu.Unlock()
		if done != nil {
			done(r)
		}
	}()
	return nil
}

// wait runs a job to its end.
func (j *Jobs) wait(cmd *exec.Cmd, c Command) Result {
	out := &head{limit: min(c.Limit, MaxOutput)}
	cmd.Stdout = out
	if c.Errors {
		cmd.Stderr = out
	}
	if err := j.begin(cmd, c.Dir); err != nil {
		return Result{Err: err}
	}
	err := cmd.Wait()
	r := Result{Output: out.b, Dropped: out.dropped}
	if ws, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		r.Signal = int(ws.Signal())
	}
	var ended *exec.ExitError
	if r.Code = cmd.ProcessState.ExitCode(); err != nil && !errors.As(err, &ended) && r.Code != 0 {
		r.Err = err
	}
	return r
}

// begin starts the program, unless the end has come meanwhile. It looks at the directory and forks in the
// job's goroutine and without the mutex: both can take long.
func (j *Jobs) begin(cmd *exec.Cmd, dir string) error {
	if j.isClosed() {
		return errClosed
	}
	cmd.Dir = directory(dir)
	var err error
	if direct.Ordinarily(func() { err = cmd.Start() }); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running[cmd] = cmd.Process.Pid
	if j.closed {
		end(cmd.Process.Pid)
	}
	return nil
}

// Running are the texts and the processes of the commands that run, the oldest process first.
func (j *Jobs) Running() []Running {
	j.mu.Lock()
	defer j.mu.Unlock()
	var list []Running
	for cmd, group := range j.running {
		if group != 0 {
			list = append(list, Running{cmd.Args[len(cmd.Args)-1], group})
		}
	}
	slices.SortFunc(list, func(a, b Running) int { return a.Pid - b.Pid })
	return list
}

// Running is a command that runs.
type Running struct {
	Text string
	Pid  int
}

func (j *Jobs) isClosed() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.closed
}

// end tells a process group to end. It may just have done so.
func end(group int) {
	_ = syscall.Kill(-group, syscall.SIGHUP)
	_ = syscall.Kill(-group, syscall.SIGTERM)
}

// Close ends every job and lets none begin. It does not wait.
func (j *Jobs) Close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.closed = true
	for _, group := range j.running {
		if group != 0 {
			end(group)
		}
	}
	for p := range j.pipes { // they may have something to write down yet
		p.Close()
		time.AfterFunc(flushTime, p.hangUp)
	}
}

// Wait waits for the goroutines of all jobs.
func (j *Jobs) Wait() { j.wg.Wait() }

// directory is where a job runs: never one that is gone, or it could not be started.
func directory(dir string) string {
	for _, d := range []string{dir, os.Getenv("HOME")} {
		if st, err := os.Stat(d); err == nil && st.IsDir() {
			return d
		}
	}
	return "/"
}

// head keeps the beginning of what is written, up to a limit.
type head struct {
	b       []byte
	limit   int
	dropped bool
}

func (t *head) Write(p []byte) (int, error) {
	n := min(len(p), t.limit-len(t.b))
	t.b = append(t.b, p[:n]...)
	t.dropped = t.dropped || n < len(p)
	return len(p), nil
}

var _ io.Writer = (*head)(nil)
