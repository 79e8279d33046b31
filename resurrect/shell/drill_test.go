package shell

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// drill is a real shell on a terminal, and all that it has said.
type drill struct {
	t    *testing.T
	home string
	tty  *os.File

	mu  sync.Mutex
	out bytes.Buffer
}

// program finds a shell, or skips the test and says so.
func program(t *testing.T, k Kind) string {
	t.Helper()
	path, err := exec.LookPath(string(k))
	if err != nil {
		t.Skipf("%s is not installed", k)
	}
	return path
}

// setting is how a drill begins.
type setting struct {
	files  map[string]string // startup files below the home
	env    []string
	plain  bool   // without the integration
	argv0  string // "" is that of a login shell
	recent string
}

const token = "c0ffee"

// newDrill starts a shell. Its home and its directory are a new, empty one.
func newDrill(t *testing.T, k Kind, s setting) *drill {
	t.Helper()
	path := program(t, k)
	home := t.TempDir()
	for name, text := range s.files {
		file := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// Without this directory fish would begin to make completions of all manual pages.
	if err := os.MkdirAll(filepath.Join(home, ".local/share/fish/generated_completions"), 0o700); err != nil {
		t.Fatal(err)
	}
	argv0 := "-" + string(k)
	if s.argv0 != "" {
		argv0 = s.argv0
	}
	env := append([]string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "STET=/s,1,0", "STET_PANE=%0", "USER=tester"}, s.env...)
	for i := range env {
		env[i] = strings.ReplaceAll(env[i], "~", home)
	}
	r := Request{Path: path, Argv: []string{argv0}, Env: env, Token: token, Recent: s.recent}
	if !s.plain {
		dir, err := Install(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		if !r.Start(k, dir) {
			t.Fatalf("%s cannot be started with its script", k)
		}
	}
	cmd := &exec.Cmd{Path: r.Path, Args: r.Argv, Env: r.Env, Dir: home}
	tty, err := open(40, 200)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(tty.slave, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = cmd.Start()
	slave.Close()
	if err != nil {
		t.Fatal(err)
	}
	d := &drill{t: t, home: home, tty: tty.File}
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 4096)
		for {
			n, err := tty.Read(b)
			d.mu.Lock()
			d.out.Write(b[:n])
			d.mu.Unlock()
			if bytes.Contains(b[:n], []byte("\x1b[0c")) || bytes.Contains(b[:n], []byte("\x1b[c")) {
				_, _ = tty.Write([]byte("\x1b[?62c")) // later versions of fish wait for it
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		tty.Close()
		<-done
	})
	return d
}

// master is one side of a terminal, which can be closed under a reader.
type master struct {
	*os.File
	slave string
}

func open(rows, cols uint16) (*master, error) {
	m, s, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer m.Close()
	defer s.Close()
	c, err := m.SyscallConn()
	if err != nil {
		return nil, err
	}
	fd := -1
	if e := c.Control(func(x uintptr) {
		if err = unix.IoctlSetWinsize(int(x), unix.TIOCSWINSZ, &unix.Winsize{Row: rows, Col: cols}); err == nil {
			fd, err = unix.FcntlInt(x, unix.F_DUPFD_CLOEXEC, 3)
		}
	}); e != nil {
		return nil, e
	}
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		return nil, err
	}
	return &master{os.NewFile(uintptr(fd), "ptmx"), s.Name()}, nil
}

func (d *drill) text() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.out.String()
}

// until waits for a condition on what was said.
func (d *drill) until(what string, ok func(text string) bool) {
	d.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		text := d.text()
		if ok(text) {
			return
		}
		if time.Now().After(end) {
			d.t.Fatalf("waited for %s; said so far:\n%q", what, text)
		}
	}
}

// mark is a sequence of ours.
type mark struct{ name, text string }

var markExpression = regexp.MustCompile(`\x1b\](133;([A-D])|7;|7727;)([^\x07\x1b]*)\x07`)

// marks are all sequences that were said, in order.
func (d *drill) marks() []mark { return marksIn(d.text()) }

func marksIn(text string) (out []mark) {
	for _, m := range markExpression.FindAllStringSubmatch(text, -1) {
		name := m[2]
		if name == "" {
			name = strings.TrimSuffix(m[1], ";")
		}
		out = append(out, mark{name, m[3]})
	}
	return out
}

func (d *drill) count(name string) int { return countIn(d.text(), name) }

func countIn(text, name string) (n int) {
	for _, m := range marksIn(text) {
		if m.name == name {
			n++
		}
	}
	return n
}

// endedIn says whether more than done commands have ended, and next came behind the end of the last. All of it is asked of one text: more
// may have been said since.
func endedIn(text string, done int, next string) bool {
	return countIn(text, "D") > done && strings.Contains(text[strings.LastIndex(text, "\x1b]133;D"):], next)
}

// last is what the last mark of a name says.
func (d *drill) last(name string) string {
	text := ""
	for _, m := range d.marks() {
		if m.name == name {
			text = m.text
		}
	}
	return text
}

// prompts waits for the nth prompt.
func (d *drill) prompts(n int) {
	d.t.Helper()
	d.until(fmt.Sprintf("prompt %d", n), func(text string) bool {
		return strings.Count(text, "\x1b]133;B\x07") >= n && countIn(text, "A") >= n
	})
}

// run types a line and waits for the end of the command. It returns what the D mark says.
func (d *drill) run(line string) string {
	d.t.Helper()
	n, done := strings.Count(d.text(), "\x1b]133;B\x07"), d.count("D")
	d.write(line + "\r")
	d.until("the end of "+line, func(text string) bool {
		return endedIn(text, done, "\x1b]133;B\x07") && strings.Count(text, "\x1b]133;B\x07") > n
	})
	return d.last("D")
}

func (d *drill) write(s string) {
	d.t.Helper()
	if _, err := d.tty.Write([]byte(s)); err != nil {
		d.t.Fatal(err)
	}
}

// status is the exit status of a D mark.
func status(text string) string {
	code, _, _ := strings.Cut(strings.TrimPrefix(text, ";"), ";")
	return code
}

func (d *drill) expectStatus(line, want string) {
	d.t.Helper()
	if got := status(d.run(line)); got != want {
		d.t.Errorf("%s: status %q, want %q", line, got, want)
	}
}

// each runs a test with every shell.
func each(t *testing.T, f func(t *testing.T, k Kind)) {
	for _, k := range Kinds {
		t.Run(string(k), func(t *testing.T) { f(t, k) })
	}
}

// rc is the startup file of a login shell that most people put things in.
func rc(k Kind, text string) map[string]string {
	switch k {
	case Bash:
		return map[string]string{".bash_profile": text}
	case Zsh:
		return map[string]string{".zshrc": text}
	}
	return map[string]string{".config/fish/config.fish": text}
}

func none(k Kind) map[string]string { return rc(k, "\n") }

func TestMarksOfACommand(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		d := newDrill(t, k, setting{files: none(k)})
		d.prompts(1)
		d.expectStatus("true", "0")
		d.expectStatus("sh -c 'exit 7'", "7")
		if got := d.last("C"); !strings.Contains(got, "aid="+token) || !strings.Contains(got, "cmdline_url=sh") {
			t.Errorf("C%s", got)
		}
		took := regexp.MustCompile(`took=(\d+)`).FindStringSubmatch(d.run("sleep 0.2"))
		if took == nil || len(took[1]) < 3 {
			t.Errorf("D of sleep 0.2: %q", took)
		}
		var order []string
		for _, m := range d.marks() {
			if strings.Contains("ABCD", m.name) {
				order = append(order, m.name)
			}
		}
		if got := strings.Join(slices.Compact(order), ""); !regexp.MustCompile(`^AB(CDAB)+$`).MatchString(got) {
			t.Errorf("order of the marks: %s", got)
		}
	})
}
