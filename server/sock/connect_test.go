package sock

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if path := os.Getenv("SOCK_TEST_LISTEN"); path != "" { // another user's server
		if _, err := net.Listen("unix", path); err != nil {
			os.Exit(1)
		}
		os.Chmod(path, 0o777)
		os.Stdout.WriteString("listening\n")
		os.Stdin.Read(make([]byte, 1))
		return
	}
	os.Exit(m.Run())
}

func paths(t *testing.T) Paths {
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	p := Paths{Name: "x", Socket: dir + "/run/x", Runtime: dir + "/run", State: dir + "/state"}
	if err := p.Make(); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestListen(t *testing.T) {
	p := paths(t)
	old := unix.Umask(0)
	l, err := Listen(p)
	unix.Umask(old)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	st, err := os.Lstat(p.Socket)
	if err != nil || st.Mode().Perm() != 0o600 || !l.InPlace() {
		t.Error(st.Mode(), err, l.InPlace())
	}
	if names, _ := os.ReadDir(p.Runtime); len(names) != 1 {
		t.Error(names)
	}
	c, err := Dial(p.Socket)
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	m, err := Listen(p) // in place of the old one
	if err != nil || l.InPlace() || !m.InPlace() {
		t.Fatal(err)
	}
	defer m.Close()
	l.Remove()
	if !m.InPlace() {
		t.Error("the name of another's socket was removed")
	}
	m.Remove()
	if _, err := os.Lstat(p.Socket); !os.IsNotExist(err) {
		t.Error(err)
	}
	if err := os.WriteFile(p.Socket, []byte("a file"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(p); err == nil {
		t.Error("a file was replaced")
	}
}

func TestConnectStartsOnceAndGivesUp(t *testing.T) {
	p := paths(t)
	starts := 0
	_, err := Connect(p, func() error { starts++; return nil })
	if err == nil || starts != maxStarts || !strings.Contains(err.Error(), "keeper.log") {
		t.Errorf("%d starts, %v", starts, err)
	}
	boom := errors.New("boom")
	if _, err := Connect(p, func() error { return boom }); !errors.Is(err, boom) {
		t.Error(err)
	}
	var l *Listener
	c, err := Connect(p, func() (err error) {
		l, err = Listen(p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
	l.Close()
}

func TestConnectDoesNotSignalAStranger(t *testing.T) {
	p := paths(t)
	stranger := exec.Command("sleep", "100") // the pid of a keeper that died, in use again
	if err := stranger.Start(); err != nil {
		t.Fatal(err)
	}
	defer stranger.Wait()
	defer stranger.Process.Kill()
	o := Self(p.Socket, "b")
	o.Pid, o.Start = stranger.Process.Pid, 1
	if err := os.WriteFile(filepath.Join(p.State, lockName), o.text(), 0o600); err != nil {
		t.Fatal(err)
	}
	var none *NotRunningError
	if _, err := Connect(p, nil); !errors.As(err, &none) || none.State.Kind != Lost {
		t.Error(err)
	}
	if err := stranger.Process.Signal(syscall.Signal(0)); err != nil {
		t.Error("it was signalled: ", err)
	}
}

func TestForeignSocketIsRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can be two users")
	}
	dir, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(dir, "other")
	b, err := os.ReadFile(exe)
	if err == nil {
		err = os.WriteFile(copied, b, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(copied)
	c.Env = []string{"SOCK_TEST_LISTEN=" + dir + "/x"}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 12345, Gid: 12345}}
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer in.Close()
	if n, _ := out.Read(make([]byte, 20)); n == 0 {
		t.Fatal("it does not listen")
	}
	if _, err := Dial(dir + "/x"); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
	started := false
	p := Paths{Name: "x", Socket: dir + "/x", Runtime: dir, State: dir, Explicit: true}
	if _, err := Connect(p, func() error { started = true; return nil }); !errors.Is(err, ErrForeign) || started {
		t.Error(err, started)
	}
}
