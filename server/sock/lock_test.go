package sock

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestLockHasOneHolder(t *testing.T) {
	dir := t.TempDir()
	a, err := Acquire(dir, Self("/run/s", "build 1"))
	if err != nil {
		t.Fatal(err)
	}
	if a.Before != nil || a.Unlocked || !held(dir) {
		t.Errorf("%+v", a)
	}
	if _, err := Acquire(dir, Self("/run/s", "build 2")); !errors.Is(err, ErrHeld) {
		t.Fatal(err)
	}
	o, err := readOwner(dir)
	if err != nil || o.Pid != os.Getpid() || o.Socket != "/run/s" || o.Build != "build 1" || !o.Alive() || !o.Ended.IsZero() {
		t.Errorf("%+v %v", o, err)
	}
	if err := a.End(); err != nil {
		t.Fatal(err)
	}
	b, err := Acquire(dir, Self("/run/s", "build 2"))
	if err != nil || b.Before == nil || b.Before.Build != "build 1" || b.Before.Ended.IsZero() {
		t.Fatalf("%+v %v", b, err)
	}
	if st, err := os.Stat(filepath.Join(dir, lockName)); err != nil || st.Mode().Perm() != 0o600 {
		t.Error(st, err)
	}
	b.f.Close()
}

func TestLookersDoNotKeepAKeeperOut(t *testing.T) {
	dir := t.TempDir()
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				held(dir)
			}
		}
	}()
	for range 20 {
		l, err := Acquire(dir, Self("/s", "b"))
		if err != nil {
			t.Fatal(err)
		}
		if err := l.End(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-done
}

func TestLossSurvivesAStartThatCameToNothing(t *testing.T) {
	dir := t.TempDir()
	p := Paths{Name: "x", State: dir, Socket: dir + "/s"}
	dead := Self("/s", "b")
	dead.Start++ // no such process
	file := filepath.Join(dir, lockName)
	if err := os.WriteFile(file, dead.text(), 0o600); err != nil {
		t.Fatal(err)
	}
	seen := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(file, seen, seen); err != nil {
		t.Fatal(err)
	}
	l, err := Acquire(dir, Self("/s", "b2"))
	if err != nil {
		t.Fatal(err)
	}
	if st, _ := Look(p); st.Kind != Running {
		t.Errorf("%+v", st)
	}
	if err := l.Abandon(); err != nil {
		t.Fatal(err)
	}
	st, err := Look(p)
	if err != nil || st.Kind != Lost || !st.Owner.Seen.Equal(seen) {
		t.Errorf("%+v %v", st, err)
	}
	saved := filepath.Join(dir, workspaceName)
	if err := os.WriteFile(saved, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, at := range []time.Time{seen.Add(-time.Minute), seen.Add(time.Minute)} { // a save is a sign of life
		if err := os.Chtimes(saved, at, at); err != nil {
			t.Fatal(err)
		}
		if at.Before(seen) {
			at = seen
		}
		if st, err := Look(p); err != nil || !st.Owner.Seen.Equal(at) {
			t.Errorf("last seen %v, want %v: %v", st.Owner.Seen, at, err)
		}
	}
}

func TestLook(t *testing.T) {
	dir := t.TempDir()
	p := Paths{Name: "x", State: dir, Socket: dir + "/s"}
	self := Self(p.Socket, "b")
	gone, ended, rebooted := self, self, self
	gone.Start++
	ended.Start++
	ended.Ended = time.Now()
	rebooted.Boot = "an earlier one"
	for name, c := range map[string]struct {
		text     string
		kind     Kind
		rebooted bool
		says     string
	}{
		"never":     {"", None, false, "no server running"},
		"goodbye":   {string(ended.text()), None, false, "no server running"},
		"died":      {string(gone.text()), Lost, false, "killed or crashed"},
		"rebooted":  {string(rebooted.text()), Lost, true, "restarted"},
		"torn":      {"pid \"12", Lost, false, "damaged"},
		"here":      {string(self.text()), Running, false, ""},
		"tomorrows": {string(self.text()) + "colour \"blue\"\n", Running, false, ""},
	} {
		if err := os.WriteFile(filepath.Join(dir, lockName), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		st, err := Look(p)
		if err != nil || st.Kind != c.kind || st.Rebooted != c.rebooted {
			t.Errorf("%s: %+v %v", name, st, err)
		}
		if c.says == "" {
			continue
		}
		var none *NotRunningError
		if _, err := Connect(p, nil); !errors.As(err, &none) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := readOwner(filepath.Join(dir, "nowhere")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func TestLockFileIsNotFollowedElsewhere(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target")
	if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, filepath.Join(dir, lockName)); err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(dir, Self("/s", "b")); err == nil {
		t.Error("a link was followed")
	}
	if b, _ := os.ReadFile(target); string(b) != "precious" {
		t.Errorf("%q", b)
	}
}

func FuzzOwner(f *testing.F) {
	f.Add(string(Self("/run/a\nb", "x \"y\"").text()))
	f.Add("pid \"1\"\nended \"2020-01-01T00:00:00Z\"\n")
	f.Add("pid 1\n")
	f.Fuzz(func(t *testing.T, s string) {
		o, err := parseOwner([]byte(s))
		if err != nil {
			return
		}
		again, err := parseOwner(o.text())
		if err != nil || again.Pid != o.Pid || again.Socket != o.Socket || !again.Ended.Equal(o.Ended) || !reflect.DeepEqual(again.Host, o.Host) {
			t.Errorf("%v\n%+v\n%+v", err, o, again)
		}
	})
}

// A state directory that is removed under its keeper is taken again, unless another keeper was faster.
func TestALockIsTakenAgainInADirectoryThatWasRemoved(t *testing.T) {
	p := paths(t)
	l, err := Acquire(p.State, Self(p.Socket, "b"))
	if err != nil {
		t.Fatal(err)
	}
	if !l.InPlace() {
		t.Error("it is not in place at first")
	}
	if err := os.RemoveAll(p.State); err != nil {
		t.Fatal(err)
	}
	if l.InPlace() {
		t.Error("it is in place in a directory that is gone")
	}
	if err := l.Renew(p.State); err != nil || !l.InPlace() {
		t.Fatal(err)
	}
	if o, err := OwnerOf(p.State); err != nil || o.Pid != os.Getpid() {
		t.Errorf("%+v %v", o, err)
	}
	if st, err := Look(p); err != nil || st.Kind != Running {
		t.Errorf("%+v %v", st, err)
	}
	if err := os.RemoveAll(p.State); err != nil {
		t.Fatal(err)
	}
	if err := p.Make(); err != nil {
		t.Fatal(err)
	}
	other, err := Acquire(p.State, Self(p.Socket, "other"))
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Renew(p.State); !errors.Is(err, ErrHeld) {
		t.Errorf("the lock of another was taken: %v", err)
	}
	if err := other.End(); err != nil {
		t.Error(err)
	}
}

// Who names the socket of the beginning still finds the server that had to move.
func TestAServerThatMovedIsFoundByItsFirstSocket(t *testing.T) {
	p := paths(t)
	l, err := Acquire(p.State, Self(p.Socket, "b"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.End()
	first := p.Socket
	for _, to := range []string{"/tmp/second", "/tmp/third"} {
		if err := l.Moved(to); err != nil {
			t.Fatal(err)
		}
	}
	now := p
	now.Socket = "/elsewhere"
	for socket, want := range map[string]bool{first: true, "/tmp/third": true, "/elsewhere": true, "/tmp/second": false, "": false} {
		if now.Belongs(socket) != want {
			t.Errorf("%q: %v", socket, !want)
		}
	}
	if other, ok := p.Elsewhere(); !ok || other.Socket == p.Socket || other.State != p.State {
		t.Errorf("%+v %v", other, ok)
	}
	if _, ok := (Paths{Explicit: true, Runtime: "/x", Socket: "/x/y"}).Elsewhere(); ok {
		t.Error("a socket that was named by hand moved")
	}
}

// TestAFileSystemWithoutLocks: some network file systems have none. Then it is the process that counts: as long as that lives nobody else
// is let in, and when it has died somebody is.
func TestAFileSystemWithoutLocks(t *testing.T) {
	lockFile = func(int, int) error { return unix.ENOLCK }
	defer func() { lockFile = unix.Flock }()
	dir := t.TempDir()
	other := exec.Command("sleep", "1000")
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer other.Wait()
	defer other.Process.Kill()
	o := Self("/run/s", "build 1")
	start, ok := startTime(other.Process.Pid)
	if !ok {
		t.Skip("the system does not tell when a process was started")
	}
	o.Pid, o.Start = other.Process.Pid, start
	a, err := Acquire(dir, o)
	if err != nil || !a.Unlocked {
		t.Fatalf("%+v %v", a, err)
	}
	defer a.f.Close()
	if _, err := Acquire(dir, Self("/run/s", "build 2")); !errors.Is(err, ErrHeld) || !held(dir) {
		t.Errorf("a second one beside a keeper that lives: %v", err)
	}
	other.Process.Kill()
	other.Wait()
	if held(dir) {
		t.Error("it is dead, and holds the directory")
	}
	b, err := Acquire(dir, Self("/run/s", "build 2"))
	if err != nil || b.Before == nil || b.Before.Build != "build 1" || !b.Unlocked {
		t.Fatalf("after its death: %+v %v", b, err)
	}
	b.f.Close()
}
