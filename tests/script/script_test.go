// Package script runs the command line as a person or a script would: txtar files of commands and what
// they must print. Each has a server of its own.
//
// Besides testscript's own commands there are
//
//	stet ARGS          run stet (with exec's meaning of ! and ?)
//	until REGEXP ARGS  run stet again and again until its output matches
//	crash              SIGKILL the server and wait for the next one
//	reboot             SIGKILL keeper and server and wait for their end
//
// and for what concerns clients, terminals of a size played by our own emulator:
//
//	attach NAME 80x24 ARGS  run stet on one; $NAME is then the client's name
//	type NAME KEYS          type at it, escapes as in Go
//	screen NAME REGEXP      wait until it shows a text, with ! until it does not
//	clipboard NAME TEXT     wait until it was given a text to copy
//	exits NAME STATUS       wait until its program has ended
package script

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"stet/server/sock"
	"stet/tests/harness"
)

func TestMain(m *testing.M) {
	os.Exit(harness.Main(m))
}

func TestScripts(t *testing.T) {
	bin := harness.Binary(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			dir, err := os.MkdirTemp("", "stet") // the path of a socket must be short
			if err != nil {
				return err
			}
			e.Defer(func() { os.RemoveAll(dir) })
			for _, d := range []string{"run", "state"} {
				if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
					return err
				}
			}
			e.Vars = append(e.Vars,
				"STET_RUNTIME_DIR="+filepath.Join(dir, "run"), "STET_STATE_DIR="+filepath.Join(dir, "state"),
				"STET_BIN="+bin, "SHELL=/bin/sh", "PS1=$ ", "TERM=xterm-256color", "LANG=C.UTF-8", "TZ=UTC",
				"USER=tester", "LOGNAME=tester",
			)
			for i, v := range e.Vars {
				if strings.HasPrefix(v, "HOME=") {
					e.Vars[i] = "HOME=" + e.WorkDir
				}
			}
			e.Defer(func() { end(bin, e.Vars) })
			e.Values["terminals"] = terminals{}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"stet": stet, "until": until, "crash": crash, "reboot": reboot,
			"attach": attach, "type": typed, "screen": screen, "clipboard": clipboard, "exits": exits,
		},
	})
}

// end takes down whatever server the script has left.
func end(bin string, vars []string) {
	cmd := exec.Command(bin, "kill-server", "--force")
	cmd.Env = vars
	_ = cmd.Run() // there may be none
}

func stet(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec(ts.Getenv("STET_BIN"), args...)
	if (err != nil) != neg {
		if neg {
			ts.Fatalf("stet %q succeeded", args)
		}
		ts.Fatalf("stet %q: %v", args, err)
	}
}

// environment is what stet runs in.
func environment(ts *testscript.TestScript) (env []string) {
	for _, k := range []string{"STET_RUNTIME_DIR", "STET_STATE_DIR", "HOME", "SHELL", "PATH", "TERM", "LANG", "TZ", "PS1", "USER", "LOGNAME"} {
		env = append(env, k+"="+ts.Getenv(k))
	}
	if d := ts.Getenv("DISPLAY"); d != "" {
		env = append(env, "DISPLAY="+d)
	}
	return env
}

// ask runs stet and returns its output.
func ask(ts *testscript.TestScript, args ...string) string {
	cmd := exec.Command(ts.Getenv("STET_BIN"), args...)
	cmd.Env = environment(ts)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	_ = cmd.Run() // what it prints is what is looked at
	return out.String()
}

func wait(ts *testscript.TestScript, what string, cond func() bool) {
	end := time.Now().Add(harness.Patience)
	for pause := time.Millisecond; !cond(); pause = min(2*pause, 50*time.Millisecond) {
		if time.Now().After(end) {
			ts.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(pause)
	}
}

func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: until REGEXP ARGS")
	}
	re, err := regexp.Compile("(?m)" + args[0])
	ts.Check(err)
	last := ""
	defer func() { ts.Logf("last: %s", last) }()
	wait(ts, args[0], func() bool {
		last = ask(ts, args[1:]...)
		return re.MatchString(last)
	})
}

func pids(ts *testscript.TestScript) (server, keeper int) {
	server, err := strconv.Atoi(strings.TrimSpace(ask(ts, "display-message", "-p", "#{pid}")))
	ts.Check(err)
	p, err := sock.Resolve(sock.Options{Getenv: ts.Getenv})
	ts.Check(err)
	st, err := sock.Look(p)
	ts.Check(err)
	return server, st.Owner.Pid
}

func crash(ts *testscript.TestScript, neg bool, args []string) {
	old, _ := pids(ts)
	ts.Check(syscall.Kill(old, syscall.SIGKILL))
	wait(ts, "another server", func() bool {
		s := strings.TrimSpace(ask(ts, "display-message", "-p", "#{pid}"))
		now, err := strconv.Atoi(s)
		return err == nil && now != old
	})
}

func reboot(ts *testscript.TestScript, neg bool, args []string) {
	server, keeper := pids(ts)
	for _, pid := range []int{keeper, server} {
		ts.Check(syscall.Kill(pid, syscall.SIGKILL))
	}
	for _, pid := range []int{keeper, server} {
		wait(ts, "the end of a killed process", func() bool { return !harness.Alive(pid) })
	}
}
