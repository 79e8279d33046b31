// Command stet is a terminal multiplexer whose panes outlive the client, the server and a reboot.
//
// One binary has three roles. Called by a person it is a client: it connects to the server of the user,
// starting it where needed, and either attaches the terminal or runs one command. Called by a client
// it is the keeper, which is the parent of every pane's program; called by the keeper it is the server.
//
//	stet                       attach to the last session, restore it, or make one
//	stet COMMAND [FLAGS]       run a command; their names, flags and targets are tmux's
//	stet -L NAME …             use the server of that name
//	stet -S PATH …             use the server with that socket
//	stet -f FILE …             start the server with that file in place of config.toml
//	stet -V                    print the version
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/term"

	"stet/client"
	"stet/server"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/login"
	"stet/server/sock"
)

func main() { os.Exit(run(os.Args)) }

// run turns argv into a role and runs it.
func run(argv []string) int {
	if len(argv) > 1 && argv[1] == completeVerb {
		return complete(argv[2:], os.Stdout)
	}
	if err := sock.CheckUser(); err != nil {
		return fail(err)
	}
	if len(argv) > 1 {
		switch argv[1] {
		case keeper.RoleKeeper:
			cfg, err := keeper.ParseArgs(argv[2:])
			if err != nil {
				return fail(err)
			}
			cfg.Leave = func() (string, error) { return leaveLogin(cfg.Paths.Name) }
			return keeper.Main(cfg)
		case keeper.RoleAgain:
			return keeper.Again(argv[2:])
		case keeper.RoleServer:
			return server.Main(server.Config{Build: keeper.Build()})
		case server.RoleTrial:
			return server.Trial(os.Stdin, os.Stdout, os.Stderr)
		}
	}
	return runClient(argv)
}

// leaveLogin moves the keeper into a scope of its own where systemd manages the login. Elsewhere there is nothing to leave.
func leaveLogin(name string) (string, error) {
	unit, err := login.System{}.Leave(name, os.Getpid())
	if errors.Is(err, login.ErrNone) {
		return "", nil
	}
	return unit, err
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "stet:", client.Words(command.ShortWords(err.Error())))
	return 1
}

// help is for somebody who sees stet for the first time.
const help = `usage: stet [-V] [-f file] [-L name] [-S path] [command [flags]]

  stet                 attach to the last workspace, bring back the saved one, or make a new one
  stet list-commands   every command with its flags; names, flags and targets are tmux's
  stet list-keys -N    what the keys do (or C-b ? inside)
  stet doctor          what survives what on this machine; stet survive: of each pane
  stet config default  a configuration to begin with; stet config check, show: what is wrong with it, what is in force
  stet service install have systemd bring the workspace back when the machine starts
  stet report          how the panes came back after a restore
  stet kill-server     save, and end everything; stet restore brings it back

  -L name   use the server of that name      -S path   use the server with that socket
  -f file   start the server with that file in place of config.toml: in tmux's language, or TOML if it ends in .toml

Inside: C-b % and C-b " split, C-b arrows move, C-b z zooms, C-b [ scrolls back, C-b d detaches.
`

// environment names the variables that the server is told: what sessions and panes may take over.
var environment = []string{"*"}

func runClient(argv []string) int {
	o, err := parse(argv[1:])
	if err != nil {
		fmt.Fprintf(os.Stderr, "stet: %s\nusage: stet [-V] [-f file] [-L name] [-S path] [command [flags]]\n", client.Words(command.ShortWords(err.Error())))
		return 1
	}
	if o.help {
		fmt.Print(help)
		return 0
	}
	if o.version {
		fmt.Println("stet", keeper.Build())
		return 0
	}
	if text := commandHelp(o.argv); text != "" {
		fmt.Print(text)
		return 0
	}
	if code, done := agentHere(o.argv); done {
		return code
	}
	if code, done := configHere(o); done {
		return code
	}
	if len(o.argv) == 2 && o.argv[0] == "completion" {
		return completion(o.argv[1], os.Stdout)
	}
	if code, done := shellScriptHere(o.argv, os.Stdout); done {
		return code
	}
	paths, err := resolve(o)
	if err != nil {
		return fail(err)
	}
	if len(o.argv) > 0 && o.argv[0] == "doctor" {
		return doctor(paths, o.argv[1:], os.Stdout)
	}
	if code, done := serviceHere(paths, o.argv, os.Stdout); done {
		return code
	}
	starts, err := command.CheckLine(o.argv)
	var first *command.FirstWordError
	if errors.As(err, &first) {
		fmt.Fprint(os.Stderr, command.ShortWords(first.Text()))
		return 1
	}
	if err != nil && !isAlias(err, paths) {
		fmt.Fprintln(os.Stderr, client.Words(command.ShortWords(err.Error()))) // in tmux's words, which begin with what is wrong
		return 1
	}
	if o.argv, err = upgradeTo(o.argv); err != nil {
		return fail(err)
	}
	if o.argv, err = nested(o, paths.Socket); err != nil {
		fmt.Fprintln(os.Stderr, client.Words(command.ShortWords(err.Error())))
		return 1
	}
	runtime.GOMAXPROCS(1) // a client does nothing in parallel, and a second thread to wake costs more than what it would do
	return client.Run(context.Background(), client.Config{
		Name: "stet", Build: keeper.Build(), Argv: o.argv,
		Dial: func(context.Context) (net.Conn, bool, string, error) {
			return dial(paths, starts, o.files)
		},
		Redial: func(context.Context) (net.Conn, error) {
			return redial(paths)
		},
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Env: environment,
	})
}

// commandHelp is the answer to --help behind a command's name; "" where nobody asks.
func commandHelp(argv []string) string {
	if !slices.Contains(argv, "--help") {
		return ""
	}
	var usage *command.UsageError
	var first *command.FirstWordError
	_, err := command.CheckLine(argv)
	switch {
	case errors.As(err, &usage) && usage.Help:
		return usage.Text()
	case errors.As(err, &first):
		return first.Text()
	}
	return ""
}

// isAlias says that what the table does not know may be an alias: the server that runs knows.
func isAlias(err error, p sock.Paths) bool {
	var unknown *command.UnknownError
	if !errors.As(err, &unknown) {
		return false
	}
	st, err := sock.Look(p)
	return err == nil && st.Kind == sock.Running
}

// resolve finds the server's paths. Without -L and -S a command in a pane is about the server that the
// pane belongs to, which $STET names.
func resolve(o options) (sock.Paths, error) {
	socket, _, inside := strings.Cut(os.Getenv("STET"), ",")
	if !inside || o.name != "" || o.socket != "" {
		return sock.Resolve(sock.Options{Name: o.name, Socket: o.socket})
	}
	if p, err := sock.Resolve(sock.Options{Name: filepath.Base(socket)}); err == nil && p.Belongs(socket) {
		return p, nil
	}
	return sock.Resolve(sock.Options{Socket: socket})
}

// dial connects, and starts a keeper for a command that makes sense without one. What became of the
// one before is told: a lost server is never silently replaced by an empty one.
func dial(p sock.Paths, starts bool, files []string) (conn net.Conn, started bool, lost string, err error) {
	if !starts {
		c, err := sock.Connect(p, nil)
		if err != nil {
			return nil, false, "", explain(err)
		}
		return c, false, "", nil
	}
	state, err := sock.Look(p)
	if err == nil && state.Kind == sock.Lost {
		lost = (&sock.NotRunningError{Paths: p, State: state}).Error()
	}
	c, err := sock.Connect(p, func() error { started = true; return startWith(p, files) })
	if err != nil {
		return nil, false, "", explain(err)
	}
	if started && lost != "" && term.IsTerminal(2) {
		fmt.Fprintf(os.Stderr, "stet: %s; stet report tells what came back\n", client.Words(lost))
	}
	return c, started, lost, nil
}

// startWith starts a keeper whose servers read these files.
func startWith(p sock.Paths, files []string) error {
	var all []string
	for _, f := range files {
		full, err := filepath.Abs(f)
		if err != nil {
			return err
		}
		if strings.Contains(full, "\n") {
			return fmt.Errorf("%q: a line break in a file's name is not taken", f)
		}
		all = append(all, full)
	}
	// Also without files: what a program inside has in its environment means nothing.
	if err := os.Setenv(server.FilesVariable, strings.Join(all, "\n")); err != nil {
		return err
	}
	defer os.Unsetenv(server.FilesVariable)
	return keeper.Start(p)
}

// redial finds the server again that was lost. Where the keeper is gone too, it is told so at once.
func redial(p sock.Paths) (net.Conn, error) {
	c, err := sock.Connect(p, nil)
	var none *sock.NotRunningError
	if errors.As(err, &none) {
		return nil, fmt.Errorf("%w: %w", client.ErrNoServer, err)
	}
	if err != nil {
		return nil, err // not a typed nil
	}
	return c, nil
}

// explain adds what to try.
func explain(err error) error {
	var none *sock.NotRunningError
	if errors.As(err, &none) && none.State.Kind == sock.Lost {
		return fmt.Errorf("%w; run stet to restore the workspace", err)
	}
	return err
}
