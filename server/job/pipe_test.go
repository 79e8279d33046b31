package job

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func pipe(t *testing.T, c PipeCommand) (*Jobs, *Pipe, chan error) {
	t.Helper()
	j, ended := &Jobs{}, make(chan error, 1)
	c.Ended = func(err error) { ended <- err }
	p, err := j.Pipe(c)
	if err != nil {
		t.Fatal(err)
	}
	return j, p, ended
}

func TestAPipeGetsEverythingUpToItsEnd(t *testing.T) {
	defer goleak.VerifyNone(t)
	file := filepath.Join(t.TempDir(), "log")
	j, p, ended := pipe(t, PipeCommand{Text: "cat > " + file, In: true})
	want := strings.Repeat("line\n", 20000)
	for i := 0; i < len(want); i += 500 {
		p.Write([]byte(want[i : i+500]))
	}
	p.Close()
	p.Write([]byte("too late"))
	if err := <-ended; err != nil {
		t.Error(err)
	}
	j.Wait()
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%d bytes, want %d (%v)", len(got), len(want), err)
	}
}

func TestAPipeSpeaks(t *testing.T) {
	defer goleak.VerifyNone(t)
	var mu sync.Mutex
	said := ""
	j, p, ended := pipe(t, PipeCommand{Text: "tr a-z A-Z", In: true, Said: func(b []byte) { mu.Lock(); said += string(b); mu.Unlock() }})
	p.Write([]byte("hello"))
	p.Close()
	<-ended
	j.Wait()
	if said != "HELLO" {
		t.Errorf("said %q", said)
	}
}

// A program that does not read costs a bounded amount of memory, holds nobody up, and is ended.
func TestAPipeThatDoesNotRead(t *testing.T) {
	defer goleak.VerifyNone(t)
	told := make(chan bool, 10)
	j, p, ended := pipe(t, PipeCommand{Text: "sleep 1000", In: true, Dropped: func() { told <- true }})
	for range 3 {
		for range maxWaiting / chunk {
			p.Write(make([]byte, chunk))
		}
	}
	<-told
	p.mu.Lock()
	if len(p.waiting) > maxWaiting {
		t.Errorf("%d bytes wait", len(p.waiting))
	}
	p.mu.Unlock()
	j.Close()
	if err := <-ended; err == nil {
		t.Error("it went on")
	}
	j.Wait()
	if len(told) != 0 {
		t.Error("told more than once")
	}
}

func TestAPipeWhoseProgramEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	j, p, ended := pipe(t, PipeCommand{Text: "exit 0", In: true})
	if err := <-ended; err != nil {
		t.Error(err)
	}
	<-p.Gone()
	for range 2 * maxWaiting / chunk {
		p.Write(make([]byte, chunk))
	}
	p.Close()
	j.Wait()
	if len(p.waiting) != 0 {
		t.Errorf("%d bytes wait for nobody", len(p.waiting))
	}
	_, _, ended = pipe(t, PipeCommand{Text: "cat", In: false})
	select {
	case <-ended: // its input is empty
	case <-time.After(time.Minute):
		t.Error("a program without input waits for some")
	}
}

// The end of the server may come while the program has not been started yet.
func TestAPipeIsHungUpBeforeItHasBegun(t *testing.T) {
	p := &Pipe{cmd: exec.Command("true"), begun: make(chan struct{}), gone: make(chan struct{})}
	p.hangUp()
	if p.cmd.Process != nil {
		t.Error("it was started")
	}
}
