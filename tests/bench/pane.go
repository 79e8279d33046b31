package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"time"
)

// pane is the program in a pane, seen from the bench: orders go to it over a socket, one line each, and
// each is answered by one line, "ok NUMBER" or "error TEXT".
type pane struct {
	ctx  context.Context
	conn net.Conn
	in   *bufio.Reader
	id   string
	pid  int
}

// accept waits for the program of a pane to report.
func (w *world) accept(id string) (*pane, error) {
	if t, ok := w.ctx.Deadline(); ok {
		w.listen.SetDeadline(minTime(t, time.Now().Add(15*time.Second)))
	}
	c, err := w.listen.Accept()
	if err != nil {
		return nil, fmt.Errorf("the program in the pane does not report: %w", err)
	}
	p := &pane{ctx: w.ctx, conn: c, in: bufio.NewReader(c), id: id}
	c.SetDeadline(time.Now().Add(15 * time.Second))
	line, err := p.in.ReadString('\n')
	f := strings.Fields(line)
	if err == nil && (len(f) != 3 || f[0] != "hello" || f[1] != id) {
		err = fmt.Errorf("it says %q", line)
	}
	if err == nil {
		p.pid, err = strconv.Atoi(f[2])
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("the program in pane %s reports: %w", id, err)
	}
	return p, nil
}

func minTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// order has the program do something, and waits until it is done. What the number of the answer means
// is told with the orders, in program.go.
func (p *pane) order(format string, args ...any) (int64, error) {
	what := fmt.Sprintf(format, args...)
	if t, ok := p.ctx.Deadline(); ok {
		p.conn.SetDeadline(t)
	}
	if _, err := fmt.Fprintln(p.conn, what); err != nil {
		return 0, fmt.Errorf("order %q: %w", what, err)
	}
	line, err := p.in.ReadString('\n')
	if err != nil {
		return 0, fmt.Errorf("order %q: no answer: %w", what, err)
	}
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	if word != "ok" {
		return 0, fmt.Errorf("order %q: %s", what, rest)
	}
	return strconv.ParseInt(rest, 10, 64)
}
