package main

import (
	"bufio"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 4 && os.Args[1] == paneRole {
		os.Exit(paneMain(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

// TestProgramObeysItsOrders runs the program of a pane straight on an outer terminal, which answers
// where its cursor is as a multiplexer would.
func TestProgramObeysItsOrders(t *testing.T) {
	dir, err := os.MkdirTemp("", "stb")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(dir, "panes"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	w := &world{ctx: ctx, listen: l}
	o, _, err := startOuter(exec.Command(os.Args[0], paneRole, l.Addr().String(), "1"), 80, 24, "MARK7")
	if err != nil {
		t.Fatal(err)
	}
	defer o.close()
	p, err := w.accept("1")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("some text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		order string
		min   int64
	}{{"cat " + file, 1}, {"fill rgb 10", 0}, {"redraw 2 0", 2 * 24 * 79}, {"spinner 3 1", 30}, {"lines 5 1", 5 * 78}, {"flood", 0}, {"stop", 0}} {
		if n, err := p.order("%s", c.order); err != nil || n < c.min {
			t.Errorf("%s: %d, %v", c.order, n, err)
		}
	}
	if _, err := p.order("dance"); err == nil || !strings.Contains(err.Error(), "unknown order") {
		t.Errorf("dance: %v", err)
	}
	if _, err := p.order("mark MARK7"); err != nil {
		t.Fatal(err)
	}
	if _, err := o.await(ctx); err != nil {
		t.Error(err)
	}
	if _, err := p.order("echo"); err != nil {
		t.Fatal(err)
	}
	if d, err := o.press('Q', keyLimit); err != nil || d <= 0 || d >= keyLimit {
		t.Errorf("the echo of a key took %v, %v", d, err)
	}
	p.conn.Close()
	select {
	case <-o.exited: // it ends with its socket
	case <-ctx.Done():
		t.Error("the program outlives its bench")
	}
}

func TestOrderReportsRefusals(t *testing.T) {
	a, b := net.Pipe()
	defer a.Close()
	go func() {
		defer b.Close()
		in := bufio.NewReader(b)
		for _, answer := range []string{"ok 12\n", "error no such file\n"} {
			in.ReadString('\n')
			b.Write([]byte(answer))
		}
		in.ReadString('\n')
	}()
	p := &pane{ctx: t.Context(), conn: a, in: bufio.NewReader(a)}
	if n, err := p.order("one"); n != 12 || err != nil {
		t.Errorf("%d, %v", n, err)
	}
	if _, err := p.order("two"); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("%v", err)
	}
	if _, err := p.order("three"); err == nil {
		t.Error("no answer is no error")
	}
}
