package main

import (
	"encoding/json"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"
)

// order is a hook that a client has the server in the background run.
type order struct{ Command, Input string }

type answer struct{ Out, Err string }

// background finds or starts the server in the background, and stays connected: it ends when nobody is. The first who comes starts it, with
// its own variables and as its own child.
func (a *agent) background() (socket string, conn net.Conn) {
	dir := filepath.Join(a.below("CODEX_HOME", ".codex"), "packages", "app-server-daemon")
	must(os.MkdirAll(dir, 0o700))
	socket = filepath.Join(dir, "sock")
	conn, err := net.Dial("unix", socket)
	if err == nil {
		return socket, conn
	}
	self, err := os.Executable()
	must(err)
	cmd := exec.Command(self, "app-server", "--listen", "unix://"+socket)
	cmd.Args[0] = "codex"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	must(cmd.Start())
	go func() { _ = cmd.Wait() }()
	for range 1000 {
		if conn, err = net.Dial("unix", socket); err == nil {
			return socket, conn
		}
		time.Sleep(10 * time.Millisecond)
	}
	must(err)
	return "", nil
}

// serve is the server in the background.
func serve(socket string) {
	_ = os.Remove(socket)
	l, err := net.Listen("unix", socket)
	must(err)
	var clients atomic.Int32
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		clients.Add(1)
		go func() {
			e, d := json.NewEncoder(conn), json.NewDecoder(conn)
			for {
				var o order
				if d.Decode(&o) != nil {
					break
				}
				out, err := shell(o.Command, o.Input, nil, true)
				r := answer{Out: out}
				if err != nil {
					r.Err = err.Error()
				}
				_ = e.Encode(r)
			}
			conn.Close()
			if clients.Add(-1) == 0 {
				l.Close()
			}
		}()
	}
}

type daemonError string

func (e daemonError) Error() string { return string(e) }

func viaDaemon(socket, command, input string) (string, error) {
	conn, err := net.Dial("unix", socket)
	if err != nil {
		return "", err
	}
	defer conn.Close()
	if err := json.NewEncoder(conn).Encode(order{command, input}); err != nil {
		return "", err
	}
	var r answer
	if err := json.NewDecoder(conn).Decode(&r); err != nil {
		return "", err
	}
	if r.Err != "" {
		return r.Out, daemonError(r.Err)
	}
	return r.Out, nil
}
