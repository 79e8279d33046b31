package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// outer is an outer terminal with a client on it. A goroutine reads all that comes, counts it, answers
// queries, and looks for what somebody waits for. It is no emulator: that would take the machine's time.
type outer struct {
	cmd    *exec.Cmd
	master *os.File
	exited chan struct{}

	mu    sync.Mutex
	bytes int64
	last  time.Time // of the last output
	tail  []byte    // the end of the text so far, to find texts that come in pieces
	wants []string  // texts not yet seen
	found chan time.Time
	key   byte // waited for, 0: none
	keyed chan time.Time
}

// openPty makes a pair whose master can be closed under a reader: the library leaves it blocking.
func openPty(cols, rows int) (master, slave *os.File, err error) {
	m, s, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	fd := -1
	c, err := m.SyscallConn()
	if err == nil {
		cerr := c.Control(func(x uintptr) {
			if fd, err = unix.FcntlInt(x, unix.F_DUPFD_CLOEXEC, 3); err != nil {
				return
			}
			if err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(cols), Row: uint16(rows)}); err == nil {
				err = unix.SetNonblock(fd, true)
			}
		})
		if err == nil {
			err = cerr
		}
	}
	if err != nil {
		if fd >= 0 {
			unix.Close(fd)
		}
		s.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), "ptmx"), s, nil
}

// startOuter runs cmd on a terminal of its own. The texts are waited for from the first byte on; the
// time is the one just before the program was started.
func startOuter(cmd *exec.Cmd, cols, rows int, texts ...string) (*outer, time.Time, error) {
	m, s, err := openPty(cols, rows)
	if err != nil {
		return nil, time.Time{}, err
	}
	o := &outer{
		cmd: cmd, master: m, exited: make(chan struct{}), last: time.Now(), wants: texts,
		found: make(chan time.Time, 1), keyed: make(chan time.Time, 1),
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s, s, s
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	start := time.Now()
	err = cmd.Start()
	s.Close()
	if err != nil {
		m.Close()
		return nil, time.Time{}, err
	}
	go o.read()
	go func() { cmd.Wait(); close(o.exited) }()
	return o, start, nil
}

func (o *outer) read() {
	sc := scanner{text: o.saw, answer: func(s string) { o.master.WriteString(s) }}
	buf := make([]byte, 64<<10)
	for {
		n, err := o.master.Read(buf)
		if n > 0 {
			o.mu.Lock()
			o.bytes += int64(n)
			o.last = time.Now()
			sc.write(buf[:n])
			o.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

// saw looks at a piece of text. It runs with the lock held.
func (o *outer) saw(p []byte) {
	if o.key != 0 && bytes.IndexByte(p, o.key) >= 0 {
		o.key = 0
		o.keyed <- o.last
	}
	if len(o.wants) == 0 {
		return
	}
	o.tail = append(o.tail, p...)
	kept := o.wants[:0:0]
	for _, t := range o.wants {
		if !bytes.Contains(o.tail, []byte(t)) {
			kept = append(kept, t)
		}
	}
	o.wants = kept
	if len(kept) == 0 {
		o.tail = nil
		o.found <- o.last
		return
	}
	const longest = 64 // no text waited for is longer
	if n := len(o.tail); n > longest {
		o.tail = append(o.tail[:0], o.tail[n-longest:]...)
	}
}

// await waits until all texts given to startOuter were seen.
func (o *outer) await(ctx context.Context) (time.Time, error) {
	select {
	case t := <-o.found:
		return t, nil
	case <-o.exited:
		return time.Time{}, fmt.Errorf("the client ended (%v) before it had drawn the screen", o.cmd.ProcessState)
	case <-ctx.Done():
		o.mu.Lock()
		defer o.mu.Unlock()
		return time.Time{}, fmt.Errorf("the client drew %d bytes, but not %q: %w", o.bytes, o.wants, ctx.Err())
	}
}

// press types a key that the program in the pane echoes, and returns how long the echo took. After
// limit it is given up: limit is returned.
func (o *outer) press(key byte, limit time.Duration) (time.Duration, error) {
	o.mu.Lock()
	o.key = key
	o.mu.Unlock()
	start := time.Now()
	if _, err := o.master.Write([]byte{key}); err != nil {
		return 0, fmt.Errorf("type a key: %w", err)
	}
	select {
	case t := <-o.keyed:
		return t.Sub(start), nil
	case <-o.exited:
		return 0, fmt.Errorf("the client ended while a key was typed: %v", o.cmd.ProcessState)
	case <-time.After(limit):
	}
	o.mu.Lock()
	o.key = 0
	o.mu.Unlock()
	select { // it may have come just now
	case <-o.keyed:
	default:
	}
	return limit, nil
}

// count is how many bytes have come so far.
func (o *outer) count() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.bytes
}

// quiet waits until nothing came for a while, and returns the count.
func (o *outer) quiet(ctx context.Context, d time.Duration) (int64, error) {
	for {
		o.mu.Lock()
		n, rest := o.bytes, d-time.Since(o.last)
		o.mu.Unlock()
		if rest <= 0 {
			return n, nil
		}
		select {
		case <-time.After(rest):
		case <-o.exited:
			return n, fmt.Errorf("the client ended: %v", o.cmd.ProcessState)
		case <-ctx.Done():
			return n, fmt.Errorf("wait for silence: %w", ctx.Err())
		}
	}
}

// close hangs up, and waits for the client's end; one that does not take the hint is killed.
func (o *outer) close() {
	o.master.Close()
	select {
	case <-o.exited:
		return
	case <-time.After(3 * time.Second):
	}
	o.cmd.Process.Kill()
	<-o.exited
}
