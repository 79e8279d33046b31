package harness

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// Clock is the clock on the wall as every process of a world sees it. It can be set, while the clock by which timers run goes on evenly, as it is
// when somebody sets a machine's clock. Times that the system itself notes, as those of files, are not moved.
type Clock struct {
	w    *World
	file *os.File
}

// Where package time asks for the time, and what the build for this adds behind it. Nothing of stet is changed.
const (
	asksForTime = "	sec, nsec, mono := runtimeNow()\n	if mono == 0 {\n"
	addsShift   = "	sec, nsec, mono := runtimeNow()\n	if Shift != nil {\n		sec += *Shift\n	}\n	if mono == 0 {\n"
	sharesShift = `package main

import (
	"os"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func init() {
	f, err := os.Open(os.Getenv("STET_TEST_CLOCK"))
	if err != nil {
		panic(err)
	}
	defer f.Close()
	b, err := unix.Mmap(int(f.Fd()), 0, 8, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		panic(err)
	}
	time.Shift = (*int64)(unsafe.Pointer(&b[0]))
}
`
)

var clocked struct {
	sync.Mutex
	path string
}

// clockedBinary builds stet with a package time whose wall clock can be set, once per test process.
func clockedBinary(t testing.TB) string {
	t.Helper()
	dir := filepath.Dir(Binary(t))
	if os.Getenv("STET_TEST_BINARY") != "" {
		t.Skip("a build whose clock can be set is made from source")
	}
	clocked.Lock()
	defer clocked.Unlock()
	if clocked.path != "" {
		return clocked.path
	}
	output := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("go", args...).CombinedOutput()
		if err != nil {
			t.Fatalf("go %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	source := filepath.Join(output("env", "GOROOT"), "src", "time", "time.go")
	b, err := os.ReadFile(source)
	must(err)
	if strings.Count(string(b), asksForTime) != 1 {
		t.Fatalf("%s asks for the time in another way than this test knows", source)
	}
	text := strings.Replace(string(b), asksForTime, addsShift, 1) + "\n// Shift is what the clock on the wall is ahead, in seconds.\nvar Shift *int64\n"
	patched, shares, overlay := filepath.Join(dir, "time.go"), filepath.Join(dir, "shift.go"), filepath.Join(dir, "overlay.json")
	must(os.WriteFile(patched, []byte(text), 0o600))
	must(os.WriteFile(shares, []byte(sharesShift), 0o600))
	replace := map[string]string{source: patched, filepath.Join(output("list", "-f", "{{.Dir}}", "stet/cmd/stet"), "shift.go"): shares}
	b, err = json.Marshal(map[string]any{"Replace": replace})
	must(err)
	must(os.WriteFile(overlay, b, 0o600))
	path := filepath.Join(dir, "stet-clock")
	args := []string{"build", "-overlay", overlay, "-o", path}
	if raceEnabled {
		args = append(args, "-race")
	}
	output(append(args, "stet/cmd/stet")...)
	clocked.path = path
	return path
}

// Clock gives a world a clock that can be set. Call it before anything runs there.
func (w *World) Clock() *Clock {
	w.T.Helper()
	w.Use(clockedBinary(w.T))
	f, err := os.Create(filepath.Join(w.Dir, "clock"))
	if err != nil {
		w.T.Fatal(err)
	}
	w.T.Cleanup(func() { f.Close() })
	c := &Clock{w, f}
	c.Set(0)
	w.Env = append(w.Env, "STET_TEST_CLOCK="+f.Name())
	return c
}

// Set sets the clock this much ahead of what it is on the machine, or behind; whole seconds.
func (c *Clock) Set(ahead time.Duration) {
	c.w.T.Helper()
	if _, err := c.file.WriteAt(binary.NativeEndian.AppendUint64(nil, uint64(ahead/time.Second)), 0); err != nil {
		c.w.T.Fatal(err)
	}
}
