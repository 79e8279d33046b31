// Package client attaches the user's terminal to a server and runs one-shot commands.
//
// Run says what it wants in a Hello, prints what the server answers and ends with the server's exit
// status. When the server answers that the client is attached, it becomes a screen: frames come in
// and are written to the outer terminal by an encoder of its own; the terminal's bytes are read raw,
// decoded by vt/key and sent as numbered events.
//
// tcell draws where what the outer terminal shows is in doubt: after a change of its size, when it is
// taken again (C-z, SIGSTOP), and for refresh-client. Everywhere else the cells that change are known
// exactly, as differences, scrolls or the first frame on a terminal that we have just cleared, and then
// tcell has nothing to decide: it drew the same cells in the same order, in the same number of bytes, and
// took more than half of the time. Measured at 200x50 with tcell for frames of more than 32 cells and
// without: attaching 14-20 ms of processor time against 6-11 (a tcell screen of that size had to be set
// up first), 1000 scrolling lines 152-200 ms against 89-111, a key's echo beside a flood 3.5-6.4 ms
// against 1.2-2.0, because nothing is acknowledged while tcell looks at 10,000 cells. So tcell is started
// when it is needed first and given up again soon after; see canvas.
//
// It promises that the outer terminal is given back as it was on every way out that a process can
// act on (detach, end, lost server, signals, a panic of its own); that a terminal or a server that
// stops never holds up the other side; that no key reaches a program twice; that no reply of the
// terminal becomes a key; and that nothing a program wrote acts on the terminal but through a frame.
// A lost server is waited for, and the session continued when it is back; keys typed meanwhile are
// sent then.
//
// It keeps no state that matters: what is lost with a client is its screen. Who owns what inside: input,
// connection and life cycle are under one mutex (session.mu), held by the main goroutine while it acts
// and by the one that reads the terminal while it decodes and sends; the screen and the terminal's output
// are under another (drawer.own), held by the goroutine of a connection while it draws a frame that the
// terminal takes at once, and by the drawer's for everything that may have to wait. So the echo of a key
// passes two goroutines, which is a third less of processor time than four.
package client

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path"
	"strings"
	"syscall"
	"time"

	"stet/server/sock"
	"stet/server/wire"
	"stet/vt/width"
)

// Config is what a client needs to know. Dial and the three files are required.
type Config struct {
	// Name is the program's name in messages, such as "stet".
	Name  string
	Build string
	// Argv is the command line behind the global flags; empty attaches or creates.
	Argv []string
	// Dial makes the first connection, and may start a server for it: then started is true and lost
	// says why the one before is gone ("" unknown or none).
	Dial func(ctx context.Context) (conn net.Conn, started bool, lost string, err error)
	// Redial makes a connection after the server was lost. It never starts one. Nil: no reconnect. An
	// error that is ErrNoServer ends the search.
	Redial func(ctx context.Context) (net.Conn, error)

	Stdin, Stdout, Stderr *os.File
	// Env names the variables of the environment that the server is told, as patterns of package
	// path: "HOME", "LC_*", "*".
	Env []string
	// ReadOnly asks for a client whose keys change nothing.
	ReadOnly bool
	// RetryFor is how long a lost server is waited for; 0 is 30 s.
	RetryFor time.Duration
}

// ErrNoServer says that there will be no server to come back to: its keeper is gone, and every program.
var ErrNoServer = errors.New("the keeper is gone, and every program with it")

// Run runs one client to its end and returns the exit status of the process: the server's word, 1 for
// trouble of the client's own, 2 after a panic, 128 and the number for a signal that ended it.
func Run(ctx context.Context, cfg Config) int {
	code, err := run(ctx, &cfg)
	if err != nil {
		cfg.complain(err)
		return max(code, 1)
	}
	return code
}

func (c *Config) complain(err error) {
	fmt.Fprintf(c.Stderr, "%s: %s\n", c.Name, Words(err.Error()))
}

func run(ctx context.Context, cfg *Config) (int, error) {
	if cfg.RetryFor == 0 {
		cfg.RetryFor = 30 * time.Second
	}
	h := cfg.hello()
	l, err := cfg.connect(ctx, &h)
	if err != nil {
		return 1, err
	}
	defer l.close()
	stop := context.AfterFunc(ctx, l.close)
	defer stop()
	files := files{stdin: cfg.Stdin, link: l, open: map[int]*os.File{}}
	var again []string
	for {
		k, body, err := l.wire.Receive()
		if err != nil {
			if ctx.Err() != nil {
				return 1, ctx.Err()
			}
			if len(again) > 0 {
				return cfg.askNext(ctx, again)
			}
			return 1, fmt.Errorf("the server went away before it was done or could say so; look before you run it again: %w", err)
		}
		switch k {
		case wire.KindAgain:
			var a wire.Again
			if err := wire.Decode(k, body, &a); err != nil {
				return 1, err
			}
			again = a.Argv
		case wire.KindOutput:
			var o wire.Output
			if err := wire.Decode(k, body, &o); err != nil {
				return 1, err
			}
			if err := cfg.print(o); err != nil {
				return 1, err
			}
		case wire.KindFile:
			var f wire.File
			if err := wire.Decode(k, body, &f); err != nil {
				return 1, err
			}
			files.take(f)
		case wire.KindExit:
			var e wire.Exit
			if err := wire.Decode(k, body, &e); err != nil {
				return 1, err
			}
			return e.Code, cfg.printExit(e)
		case wire.KindAttached:
			var a wire.Attached
			if err := wire.Decode(k, body, &a); err != nil {
				return 1, err
			}
			if !h.Terminal {
				return 1, errors.New("the server attached a client that has no terminal")
			}
			if !stop() { // the session closes its links itself
				return 1, ctx.Err()
			}
			return attach(ctx, cfg, h, l, a)
		}
	}
}

// askNext runs the command line that a server has left for its successor.
func (c *Config) askNext(ctx context.Context, argv []string) (int, error) {
	next := *c
	next.Argv = argv
	code, err := run(ctx, &next)
	if err != nil {
		err = fmt.Errorf("the server has ended as it was asked to, and this is what became of the next one: %w", err)
	}
	return code, err
}

// comeFor is how long a server that is just ending, or whose successor is just starting, is tried again.
const comeFor = 10 * time.Second

// connect makes the first connection. A server that goes away without a word before its Welcome has not
// seen the command, or has not begun it: it is asked again, or its successor is.
func (c *Config) connect(ctx context.Context, h *wire.Hello) (*link, error) {
	until := time.Now().Add(comeFor)
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		conn, started, lost, err := c.Dial(ctx)
		if err != nil {
			return nil, err
		}
		h.Starter, h.Lost = h.Starter || started, cmp.Or(h.Lost, lost)
		keeper := keeperOf(conn)
		l, err := greet(ctx, conn, *h)
		if err == nil || !wentAway(err) || ctx.Err() != nil {
			return l, err
		}
		if time.Now().After(until) {
			return nil, errors.New(sock.Silent(keeper, comeFor))
		}
		time.Sleep(pause)
	}
}

// wentAway says that the other end closed the connection.
func wentAway(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

func (c *Config) print(o wire.Output) error {
	f := c.Stdout
	if o.Err {
		f = c.Stderr
	}
	text := o.Text
	if o.Words && isTerminal(f) {
		text = []byte(Words(string(text)))
	}
	_, err := f.Write(text)
	return err
}

// printExit prints the last words of a one-shot command.
func (c *Config) printExit(e wire.Exit) error {
	text := strings.TrimRight(Words(e.Text), "\n")
	if text == "" {
		return nil
	}
	f := c.Stdout
	if e.Code != 0 {
		f = c.Stderr
	}
	_, err := fmt.Fprintln(f, text)
	return err
}

// Words makes text with foreign names, titles and paths in it fit for a terminal: lines and tabs stay, nothing else controls anything.
func Words(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		columns := strings.Split(strings.TrimSuffix(l, "\r"), "\t")
		for j := range columns {
			columns[j] = width.Printable(columns[j])
		}
		lines[i] = strings.Join(columns, "\t")
	}
	return strings.Join(lines, "\n")
}

// hello gathers what the server is told of this client.
func (c *Config) hello() wire.Hello {
	lowest, highest := wire.Versions()
	h := wire.Hello{
		Min: lowest, Max: highest, Build: c.Build, Argv: c.Argv,
		Env: c.environment(), Pid: os.Getpid(), Term: os.Getenv("TERM"), ReadOnly: c.ReadOnly, Client: newID(), Files: true,
	}
	h.Cwd, _ = os.Getwd() // a directory that is gone is the server's to replace
	if isTerminal(c.Stdin) && isTerminal(c.Stdout) {
		h.Terminal = true
		h.TTY = terminalName(descriptor(c.Stdin))
		h.Cols, h.Rows, h.XPixel, h.YPixel = terminalSize(descriptor(c.Stdout))
	}
	return h
}

// environment is the allowed part of the environment.
func (c *Config) environment() []string {
	var env []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		for _, p := range c.Env {
			if ok, err := path.Match(p, name); ok && err == nil {
				env = append(env, kv)
				break
			}
		}
	}
	return env
}

// newID names a client for as long as it runs.
func newID() string {
	var b [12]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}
