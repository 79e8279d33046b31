package main

import (
	"bytes"
	"os/exec"
	"strconv"
	"syscall"
)

// plainRead times the same cat on a terminal of our own, whose other end we read as fast as it goes and throw away: what the kernel, cat and
// one reader cost without any multiplexer. What a multiplexer adds is told as a multiple of it.
func plainRead(w *world, file string) (int64, error) {
	m, s, err := openPty(cols, rows)
	if err != nil {
		return 0, err
	}
	defer m.Close()
	id := "plain" + strconv.Itoa(len(w.panes))
	cmd := exec.CommandContext(w.ctx, w.b.self, paneRole, w.listen.Addr().String(), id)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s, s, s
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = cmd.Start()
	s.Close()
	if err != nil {
		return 0, err
	}
	defer cmd.Wait()
	p, err := w.accept(id)
	if err != nil {
		cmd.Process.Kill()
		return 0, err
	}
	defer p.conn.Close() // with which the program ends
	read := make(chan struct{})
	defer func() { <-read }()
	defer m.Close()
	go func() {
		defer close(read)
		question, answer := []byte("\x1b[6n"), []byte("\x1b[1;1R")
		var tail []byte // a question may come in two reads
		for buf := make([]byte, 64<<10); ; {
			n, err := m.Read(buf)
			if err != nil {
				return
			}
			tail = append(tail, buf[max(0, n-len(question)):n]...)
			tail = tail[max(0, len(tail)-len(question)):]
			if bytes.Equal(tail, question) { // the last thing that it writes
				if _, err := m.Write(answer); err != nil {
					return
				}
			}
		}
	}()
	return p.order("cat %s", file)
}
