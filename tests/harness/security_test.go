package harness

import (
	"bytes"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/server/wire"
	"stet/vt"
)

// nobody is a user that no test runs as.
const nobody = 65534

// asRoot skips a test that needs another user, and says so.
func asRoot(t *testing.T, what string) {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("this needs root: ", what)
	}
}

// filesWith lists the files below a directory that hold a text, by name or by content.
func filesWith(t *testing.T, dir, text string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil // it may just have gone
		}
		b, err := os.ReadFile(path)
		if err == nil && (bytes.Contains(b, []byte(text)) || strings.Contains(path, text)) {
			found = append(found, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// What the option saving is off for leaves nothing on disk that its program has said, neither as text nor as a title, also after
// a restore; and what is in the environment is never written.
func TestNothingIsWrittenOfAPaneThatIsNotSaved(t *testing.T) {
	w := New(t)
	w.Env = append(w.Env, "TOKEN=planted-environment")
	say := func(word string) string { // the command line must not hold the word itself
		return fmt.Sprintf(`stty raw -echo; printf '\033]2;planted-%%s\007planted-%%s\r\n' %s %s; seq 100; exec cat`, word, word)
	}
	w.Run("new-session", "-d", "-s", "work", "-e", "KEY=planted-session", "-x", "80", "-y", "24")
	w.Run("set-option", "-p", "-t", "work:0.0", "saving", "off")
	w.Run("respawn-pane", "-k", "-t", "work:0.0", say("quiet"))
	w.Run("split-window", "-d", "-t", "work:", say("saved"))
	for pane, word := range map[string]string{"work:0.0": "planted-quiet", "work:0.1": "planted-saved"} {
		w.WaitOutput(word, "display-message", "-p", "-t", pane, "#{pane_title}")
		w.Wait("the last line of "+pane, func() bool {
			return strings.HasSuffix(strings.TrimSpace(w.Run("capture-pane", "-p", "-t", pane)), "100")
		})
	}
	w.Run("flush")
	if len(filesWith(t, w.Dir, "planted-saved")) == 0 {
		t.Error("nothing is saved of the pane that is to be: the test sees nothing")
	}
	holds := func(when string) {
		t.Helper()
		for _, word := range []string{"planted-quiet", "planted-environment", "planted-session"} {
			if in := filesWith(t, w.Dir, word); len(in) > 0 {
				t.Errorf("%s: %q is in %q", when, word, in)
			}
		}
	}
	holds("saved")
	w.KillServer()
	w.Run("flush")
	holds("saved by the next server")
	w.KillBoth()
	w.Run("start-server")
	w.WaitOutput("off", "show-options", "-pqv", "-t", "work:0.0", "saving")
	w.Run("respawn-pane", "-k", "-t", "work:0.0", say("quiet"))
	w.WaitOutput("planted-quiet", "display-message", "-p", "-t", "work:0.0", "#{pane_title}")
	w.Run("flush")
	holds("saved after a restore")
}

// While the option saving is off globally nothing is written, and whoever asks is told.
func TestSavingCanBeSwitchedOffAndOn(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	w.Run("flush")
	file := filepath.Join(w.Paths.State, "workspace.toml")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	w.Run("set-option", "-gw", "saving", "off")
	w.Run("split-window", "-d", "-t", "work:", "exec sleep 1000")
	if r := w.Try("flush"); r.Code == 0 || !strings.Contains(r.Err, "saving is off") {
		t.Errorf("flush: exit %d %q", r.Code, r.Err)
	}
	w.Run("kill-pane", "-t", "work:0.1") // it does not wait for a save that never comes
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(after, before) {
		t.Errorf("the saved workspace changed: %v", err)
	}
	w.Run("set-option", "-gw", "saving", "on")
	w.Run("split-window", "-d", "-t", "work:", "exec sleep 1000")
	w.Run("flush")
	if after, err := os.ReadFile(file); err != nil || bytes.Equal(after, before) {
		t.Errorf("nothing is saved since it is on again: %v", err)
	}
}

// A copy that somebody has made set-uid gives nobody its owner's rights.
func TestASetUidCopyRefusesToRun(t *testing.T) {
	asRoot(t, "a file that belongs to another user")
	w := New(t)
	copied := filepath.Join(w.Dir, "stet")
	b, err := os.ReadFile(w.bin)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, b, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(copied, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	for mode, what := range map[os.FileMode]string{0o755: "", 0o755 | os.ModeSetuid: "set-uid", 0o755 | os.ModeSetgid: "set-gid"} {
		if err := os.Chmod(copied, mode); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(copied, "-V")
		cmd.Env = w.vars()
		out, err := cmd.CombinedOutput()
		code := cmd.ProcessState.ExitCode()
		if what == "" && (err != nil || code != 0) {
			t.Errorf("an ordinary copy: exit %d %s", code, out)
		}
		if what != "" && (code != 1 || !strings.Contains(string(out), "refusing to run set-uid or set-gid")) {
			t.Errorf("%s: exit %d %s", what, code, out)
		}
	}
}

// The terminal of a pane is as the kernel makes it: its user's, and nobody else may read it.
func TestTheTerminalOfAPaneIsItsUsersAlone(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	check := func() {
		t.Helper()
		var st syscall.Stat_t
		tty := w.Run("display-message", "-p", "-t", "work:", "#{pane_tty}")
		if err := syscall.Stat(tty, &st); err != nil {
			t.Fatal(err)
		}
		if mode := st.Mode & 0o777; int(st.Uid) != os.Getuid() || mode != 0o620 && mode != 0o600 {
			t.Errorf("%s has mode %03o and belongs to user %d", tty, mode, st.Uid)
		}
	}
	check()
	w.KillServer()
	check()
}

// The directory of the socket is used only if it is the user's own, and nothing is put into another.
func TestADirectoryOfSomebodyElseIsNotUsed(t *testing.T) {
	target := t.TempDir()
	cases := map[string]func(t *testing.T, run string) (want string){
		"a link": func(t *testing.T, run string) string {
			if err := os.Symlink(target, run); err != nil {
				t.Fatal(err)
			}
			return "symbolic link"
		},
		"open to others": func(t *testing.T, run string) string {
			if err := os.Mkdir(run, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(run, 0o777); err != nil {
				t.Fatal(err)
			}
			return "open to others"
		},
		"another user's": func(t *testing.T, run string) string {
			asRoot(t, "a directory of another user")
			if err := os.Mkdir(run, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Chown(run, nobody, nobody); err != nil {
				t.Fatal(err)
			}
			return "belongs to user 65534"
		},
	}
	for name, plant := range cases {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			run := filepath.Join(w.Dir, "run")
			if err := os.Remove(run); err != nil {
				t.Fatal(err)
			}
			want := plant(t, run)
			r := w.Try("new-session", "-d", "-s", "work", "exec sleep 1000")
			if r.Code == 0 || !strings.Contains(r.Err, want) {
				t.Errorf("exit %d: %s", r.Code, r.Err)
			}
			if names, _ := os.ReadDir(run); len(names) > 0 {
				t.Errorf("%v was put into it", names)
			}
		})
	}
}

// Where the rights of socket and directory have been opened, the server still asks the kernel who is calling.
func TestAConnectionOfAnotherUserIsRefused(t *testing.T) {
	asRoot(t, "to be another user")
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	for _, open := range []string{w.Dir, w.Paths.Runtime, w.Paths.Socket} {
		if err := os.Chmod(open, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	answered := func(uid int) bool {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		become(t, uid)
		c, err := net.Dial("unix", w.Paths.Socket)
		become(t, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.SetDeadline(time.Now().Add(Patience)); err != nil {
			t.Fatal(err)
		}
		conn := wire.NewConn(c)
		_ = conn.Send(wire.KindHello, wire.Hello{Min: 9999, Max: 9999, Argv: []string{"list-sessions"}}) // which is refused in words
		_, _, err = conn.Receive()
		return err == nil
	}
	if !answered(0) {
		t.Error("its own user gets no answer: the test sees nothing")
	}
	if answered(nobody) {
		t.Error("another user was answered")
	}
}

// Links that somebody has planted in the state directory are not written through, whatever their names.
func TestPlantedLinksAreNotFollowed(t *testing.T) {
	const precious = "precious\n"
	for _, name := range []string{"lock", "keeper.log", "server.log", "workspace.toml", "generations", "panes", "report.json"} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			if err := os.Mkdir(w.Paths.State, 0o700); err != nil {
				t.Fatal(err)
			}
			away := filepath.Join(w.Dir, "away")
			victim := filepath.Join(away, "victim")
			if err := os.Mkdir(away, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(victim, []byte(precious), 0o600); err != nil {
				t.Fatal(err)
			}
			to := victim
			if name == "generations" || name == "panes" {
				to = away
			}
			if err := os.Symlink(to, filepath.Join(w.Paths.State, name)); err != nil {
				t.Fatal(err)
			}
			if r := w.Try("new-session", "-d", "-s", "work", "echo said; exec sleep 1000"); r.Code == 0 {
				w.Run("split-window", "-d", "-t", "work:", "exec sleep 1000")
				w.Try("flush") // refused, or not: the link is what matters
				w.KillServer()
				w.Run("rename-session", "-t", "work", "other")
				w.Try("flush")
			} else if !strings.Contains(r.Err, name) {
				t.Errorf("refused without naming %s: %s", name, r.Err)
			}
			if b, err := os.ReadFile(victim); err != nil || string(b) != precious {
				t.Errorf("%q %v", b, err)
			}
			if names, _ := os.ReadDir(away); len(names) != 1 {
				t.Errorf("%v are behind the link", names)
			}
		})
	}
}

// A restore starts shells. The commands that a file names are shown and never run, and a file of another user is not read.
func TestARestoreRunsNoStoredCommand(t *testing.T) {
	w := New(t)
	ran := filepath.Join(w.Dir, "ran")
	w.Run("new-session", "-d", "-s", "work")
	w.Run("split-window", "-d", "-t", "work:", "echo x >> "+ran+"; exec sleep 1000")
	w.Wait("the command", func() bool { _, err := os.Stat(ran); return err == nil })
	w.Run("flush")
	w.KillBoth()
	if len(filesWith(t, w.Paths.State, ran)) == 0 {
		t.Fatal("the command is not in the saved workspace: the test sees nothing")
	}
	w.Run("start-server")
	w.WaitOutput("sh\nsh", "list-panes", "-a", "-F", "#{pane_current_command}")
	if b, err := os.ReadFile(ran); err != nil || string(b) != "x\n" {
		t.Errorf("it was run again: %q %v", b, err)
	}
	if os.Getuid() != 0 {
		t.Log("not run as root: a file of another user is left out")
		return
	}
	w.KillBoth()
	if err := os.RemoveAll(filepath.Join(w.Paths.State, "generations")); err != nil { // an older one would stand in
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(w.Paths.State, "workspace.toml"), nobody, nobody); err != nil {
		t.Fatal(err)
	}
	if r := w.Try("start-server"); !strings.Contains(r.Err, "belongs to user 65534") {
		t.Errorf("exit %d: %s", r.Code, r.Err)
	}
	if out := w.Try("list-panes", "-a").Out; out != "" {
		t.Errorf("a file of another user was restored:\n%s", out)
	}
}

// What programs call themselves is shown, and never evaluated: neither by formats, nor by the outer terminal.
func TestNamesAreShownAndNotEvaluated(t *testing.T) {
	w := New(t)
	ran := filepath.Join(w.Dir, "ran")
	evil := "#(touch " + ran + ")#{pid}#[fg=red]"
	c := w.Attach(200, 20, "new-session", "-s", "work", "sh")
	c.prompt()
	for name, value := range map[string]string{
		"status-right": "T #T", "status-right-length": "150", "status-interval": "1", "set-titles": "on", "set-titles-string": "outer #T",
	} {
		w.Run("set-option", "-g", name, value)
	}
	for name, value := range map[string]string{"allow-rename": "on", "pane-border-status": "top", "pane-border-format": "B #T"} {
		w.Run("set-option", "-gw", name, value)
	}
	say := func(text string) {
		t.Helper()
		w.Run("respawn-pane", "-k", "-t", "work:", fmt.Sprintf(`printf '\033]2;%s\007\033k%s\033\\\033]7;file:///%s\007'; exec sleep 1000`, text, text, text))
	}
	say(evil)
	c.WaitFor("T " + evil)
	c.WaitFor("B " + evil)
	w.WaitOutput(evil, "display-message", "-p", "#{window_name}")
	for _, f := range []string{"#{T:pane_title}", "#{E:window_name}"} { // who asks for it has it expanded, but no shell
		w.Run("display-message", "-p", f)
	}
	w.WaitOutput(evil, "display-message", "-p", "#{pane_title}")
	if _, err := os.Stat(ran); err == nil {
		t.Error("a name was run as a command")
	}
	say(`a\233\033]52;c;eHg=\177z`) // cut by the emulator where the sequence ends; what stays is text
	w.Wait("a name without control characters", func() bool {
		name := w.Run("display-message", "-p", "#{window_name}|#{pane_title}")
		return strings.HasPrefix(name, "a") && strings.Contains(name, "|a") && !strings.ContainsAny(name, "\x1b\x07\x7f\u009b")
	})
	if got := c.Copied(); got != "" {
		t.Errorf("the outer terminal was given %q to copy", got)
	}
}

// Unless the user lets them, no program's sequences pass to the outer terminal as they are, whatever they are wrapped in.
func TestNothingPassesThrough(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 20, "new-session", "-s", "work", "sh")
	c.prompt()
	title := func() (s string) {
		c.Look(func(v *vt.Terminal) { s = v.Title() })
		return s
	}
	before := title()
	w.Run("respawn-pane", "-k", "-t", "work:", `printf '\033Ptmux;\033\033]2;passed\007\033\\\033P\033]2;passed\007\033\\\033]2;passed\007behind'; exec sleep 1000`)
	c.WaitFor("behind")
	if got := title(); got != before {
		t.Errorf("the outer terminal's title is %q, it was %q", got, before)
	}
	w.Run("set-option", "-g", "set-titles-string", "ours")
	w.Run("set-option", "-g", "set-titles", "on")
	c.Wait("a title of ours", func(string) bool { return title() == "ours" }) // which proves that one would be seen
}

// A program's copy is taken from the active pane only, and people are told; what is on the clipboard is told to no program.
func TestTheClipboardIsWrittenVisiblyAndNeverRead(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 20, "new-session", "-s", "work", "sh")
	c.prompt()
	w.Run("split-window", "-d", "-t", "work:", `printf '\033]52;c;aGlkZGVu\007'; exec sleep 1000`)
	w.Run("set-buffer", "secret")
	out := filepath.Join(w.Dir, "answers")
	w.Run("respawn-pane", "-k", "-t", "work:.0", `stty raw -echo; printf '\033]52;c;dGFrZW4=\007\033]52;c;?\007\033[c'; dd bs=1 count=5 of=`+out+` 2>/dev/null; exec sleep 1000`)
	c.WaitFor("its program has put 5 characters on the clipboard")
	c.Wait("the copy", func(string) bool { return c.Copied() == "taken" })
	w.Wait("an answer", func() bool { b, _ := os.ReadFile(out); return len(b) == 5 })
	if b, _ := os.ReadFile(out); !strings.HasPrefix(string(b), "\x1b[?6") { // the answer to DA comes first: there was none before it
		t.Errorf("%q was answered to a question for the clipboard", b)
	}
}

// With set-clipboard ask a program's copy waits for a person, and what the person says yes to is what was asked about.
func TestAProgramsCopyIsAskedFor(t *testing.T) {
	w := New(t)
	c := w.Attach(100, 20, "new-session", "-s", "work", "sh")
	c.prompt()
	w.Run("set-option", "-s", "set-clipboard", "ask")
	w.Run("respawn-pane", "-k", "-t", "work:", `printf '\033]52;c;Zmlyc3Q=\007'; read x; printf '\033]52;c;c2Vjb25kIG9uZQ==\007later'; exec sleep 1000`)
	c.WaitFor("put 5 characters of its program's on the clipboard? (y/n)")
	w.Run("send-keys", "-t", "work:", "Enter") // it goes on and copies another while the question is open
	w.Wait("the second copy", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "work:"), "later") })
	if got := c.Copied(); got != "" {
		t.Errorf("%q was copied without an answer", got)
	}
	c.Type("y")
	c.Wait("the copy", func(string) bool { return c.Copied() == "first" })

	w.Run("respawn-pane", "-k", "-t", "work:", `printf '\033]52;c;dGhpcmQ=\007'; read x; printf '\033]52;c;Zm91cnRo\007later'; exec sleep 1000`)
	c.WaitFor("put 5 characters of its program's on the clipboard? (y/n)")
	c.Type("n")
	c.WaitGone("(y/n)")
	c.Type("\r")
	c.WaitFor("later")
	if got := c.Copied(); got != "first" {
		t.Errorf("%q was copied against a no", got)
	}
}

// TestNothingIsKeptOfTheTerminalOfTheStart: keeper and server hold no descriptor of the terminal at which they were started, so that
// whatever the system does to those who do, as when the line is secured, does not reach them.
func TestNothingIsKeptOfTheTerminalOfTheStart(t *testing.T) {
	asRoot(t, "a look into the keeper")
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	look := func(pid int) (seen bool) {
		t.Helper()
		fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		if err != nil || len(fds) == 0 {
			t.Fatalf("the descriptors of process %d: %v", pid, err)
		}
		for _, fd := range fds {
			to, _ := os.Readlink(fd)
			seen = seen || to == c.TTY
		}
		return seen
	}
	if !look(c.Cmd.Process.Pid) {
		t.Errorf("the client has no descriptor of %s: the test sees nothing", c.TTY)
	}
	for name, pid := range map[string]int{"keeper": w.KeeperPid(), "server": w.ServerPid()} {
		if look(pid) {
			t.Errorf("the %s holds %s", name, c.TTY)
		}
	}
	w.KillServer()
	if look(w.ServerPid()) {
		t.Errorf("the next server holds %s", c.TTY)
	}
}

// Nobody but root can look into the keeper: not by /proc, not by a debugger, not by a core file.
func TestTheKeeperCannotBeLookedInto(t *testing.T) {
	asRoot(t, "a server of another user")
	w := New(t)
	w.As(nobody)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	owner := func(pid int) int {
		var st syscall.Stat_t
		if err := syscall.Stat("/proc/"+strconv.Itoa(pid)+"/environ", &st); err != nil {
			t.Fatal(err)
		}
		return int(st.Uid)
	}
	pane, err := strconv.Atoi(w.Run("display-message", "-p", "-t", "work:", "#{pane_pid}"))
	if err != nil {
		t.Fatal(err)
	}
	if owner(pane) != nobody {
		t.Error("the program is not that user's: the test sees nothing")
	}
	if owner(w.KeeperPid()) != 0 {
		t.Error("the keeper's files in /proc are its user's")
	}
	cmd := exec.Command("cat", fmt.Sprintf("/proc/%d/environ", w.KeeperPid()))
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if cmd.Run() == nil {
		t.Error("the keeper's environment can be read")
	}
}
