package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"golang.org/x/term"

	"stet/server/command"
)

// errNested is tmux's word for a client inside of a pane.
var errNested = errors.New("sessions should be nested with care, unset $STET to force")

// nesting is what a person inside of a pane is asked.
type nesting struct {
	same bool // the pane belongs to the server that is to be attached to
	argv []string
	in   *bufio.Reader
	out  io.Writer
}

// nested looks whether a command line would attach a client inside of a pane, and asks what is meant. It
// returns the command line to run. Nothing is asked where $STET is merely left over: the pane that it
// names must have our terminal.
func nested(o options, socket string) (argv []string, err error) {
	own, _, inside := strings.Cut(os.Getenv("STET"), ",")
	if !inside || !attaches(o.argv) || !inPane(own, os.Getenv("STET_PANE")) {
		return o.argv, nil
	}
	if !term.IsTerminal(0) || !term.IsTerminal(2) {
		return nil, errNested
	}
	n := nesting{same: own == socket, argv: o.argv, in: bufio.NewReader(os.Stdin), out: os.Stderr}
	argv, force, err := n.ask()
	if force {
		os.Unsetenv("STET") // the server takes it for the wish to nest
		os.Unsetenv("STET_PANE")
	}
	return argv, err
}

// attaches says that a command line gives the terminal to a session.
func attaches(argv []string) bool {
	if len(argv) == 0 {
		return true
	}
	row, err := command.Commands().Find(argv[0])
	if err != nil || row.Name != "attach-session" && row.Name != "new-session" {
		return false
	}
	for _, a := range argv[1:] {
		if a == ";" || !strings.HasPrefix(a, "-") {
			continue
		}
		if row.Name == "new-session" && strings.HasPrefix(strings.TrimLeft(a, "-AEPX"), "d") {
			return false // new-session -d
		}
	}
	return true
}

// askTime bounds how long the server of the pane is asked.
const askTime = 3 * time.Second

// inPane asks the server of a pane whether the pane has our terminal.
func inPane(socket, pane string) bool {
	tty, err := os.Readlink("/proc/self/fd/0")
	if err != nil { // no such file system: take the word of the environment
		return true
	}
	self, err := os.Executable()
	if err != nil {
		return true
	}
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, self, "-S", socket, "display-message", "-p", "-t", pane, "#{pane_tty}").Output()
	return err == nil && strings.TrimSpace(string(out)) == tty
}

// ask asks until there is an answer. force: nest nevertheless.
func (n *nesting) ask() (argv []string, force bool, err error) {
	choices := "[n]est anyway, [q]uit"
	if n.same && len(n.argv) > 0 {
		choices = "[s]witch this client to the session, " + choices
	}
	for {
		fmt.Fprintf(n.out, "you are inside stet: %s? ", choices)
		line, err := n.in.ReadString('\n')
		if err != nil {
			return nil, false, errNested
		}
		switch strings.ToLower(strings.TrimSpace(line)) {
		case "n":
			return n.argv, true, nil
		case "q", "":
			return nil, false, errNested
		case "s":
			if n.same && len(n.argv) > 0 {
				return n.switched(), false, nil
			}
		}
	}
}

// switched is the command line that shows the session in the client that is there already.
func (n *nesting) switched() []string {
	row, _ := command.Commands().Find(n.argv[0])
	if row.Name == "new-session" {
		return append(append([]string{"new-session", "-d"}, n.argv[1:]...), ";", "switch-client")
	}
	out := []string{"switch-client"}
	for i, a := range n.argv[1:] {
		if v, ok := strings.CutPrefix(a, "-t"); ok {
			if v == "" && i+2 < len(n.argv) {
				v = n.argv[i+2]
			}
			return append(out, "-t", v)
		}
	}
	return out
}
