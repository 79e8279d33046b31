package job

import (
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func run(t *testing.T, c Command) Result {
	t.Helper()
	var j Jobs
	done := make(chan Result, 1)
	if err := j.Run(c, func(r Result) { done <- r }); err != nil {
		t.Fatal(err)
	}
	r := <-done
	j.Wait()
	return r
}

func TestJobs(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := t.TempDir()
	for _, c := range []struct {
		name   string
		c      Command
		out    string
		code   int
		signal int
	}{
		{"output", Command{Text: "echo one; echo two", Limit: 100}, "one\ntwo\n", 0, 0},
		{"exit status", Command{Text: "exit 3"}, "", 3, 0},
		{"signal", Command{Text: "kill -9 $$"}, "", -1, 9},
		{"input", Command{Text: "cat", Input: []byte("in"), Limit: 100}, "in", 0, 0},
		{"input that nobody reads", Command{Text: "exit 0", Input: []byte(strings.Repeat("x", 1<<20))}, "", 0, 0},
		{"no input", Command{Text: "cat; echo end", Limit: 100}, "end\n", 0, 0},
		{"errors dropped", Command{Text: "echo x >&2", Limit: 100}, "", 0, 0},
		{"errors kept", Command{Text: "echo x >&2", Limit: 100, Errors: true}, "x\n", 0, 0},
		{"directory and environment", Command{Text: `echo "$PWD $A"`, Dir: dir, Env: []string{"A=b"}, Limit: 1000}, dir + " b\n", 0, 0},
		{"a directory that is gone", Command{Text: "echo x", Dir: dir + "/gone", Limit: 10}, "x\n", 0, 0},
		{"more than is kept", Command{Text: "echo 123456789", Limit: 5}, "12345", 0, 0},
		{"a process group of its own", Command{Text: "kill -9 0"}, "", -1, 9},
	} {
		r := run(t, c.c)
		if string(r.Output) != c.out || r.Code != c.code || r.Signal != c.signal || r.Err != nil {
			t.Errorf("%s: %q, status %d, signal %d, %v", c.name, r.Output, r.Code, r.Signal, r.Err)
		}
		if r.Dropped != (c.name == "more than is kept") {
			t.Errorf("%s: dropped %v", c.name, r.Dropped)
		}
	}
}

func TestCloseEndsJobs(t *testing.T) {
	defer goleak.VerifyNone(t)
	var j Jobs
	done := make(chan Result, 1)
	began := make(chan Result, 1)
	if err := j.Run(Command{Text: "sleep 1000 & sleep 1000"}, func(r Result) { done <- r }); err != nil {
		t.Fatal(err)
	}
	if err := j.Run(Command{Text: "true"}, func(r Result) { began <- r }); err != nil {
		t.Fatal(err)
	}
	<-began
	j.Close()
	if r := <-done; r.Signal != 15 && r.Signal != 1 && r.Err == nil {
		t.Errorf("ended with %+v", r)
	}
	if err := j.Run(Command{Text: "true"}, nil); err == nil {
		t.Error("a job began after the end")
	}
	j.Wait()
}

func TestJobsAreBounded(t *testing.T) {
	var j Jobs
	for range MaxRunning {
		if err := j.Run(Command{Text: "exec sleep 1000"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := j.Run(Command{Text: "true"}, nil); err != ErrTooMany {
		t.Errorf("one more: %v", err)
	}
	j.Close()
	j.Wait()
}

// board is a cache whose jobs end when the test says so.
type board struct {
	Cache
	began   []string
	ends    []func(string, bool)
	changed int
}

func newBoard() *board {
	b := &board{}
	b.Start = func(text, place string, done func(string, bool)) error {
		b.began = append(b.began, place+":"+text)
		b.ends = append(b.ends, done)
		return nil
	}
	return b
}

func (b *board) get(every time.Duration, now time.Time) string {
	return b.Get("date", "1", every, now, func() { b.changed++ })
}

func TestAJobInAStatusLineIsRunWhenItIsOld(t *testing.T) {
	b, now := newBoard(), time.Now()
	if b.get(0, now) != "" || b.get(0, now.Add(time.Hour)) != "" || len(b.began) != 1 {
		t.Fatalf("while it runs it was begun again: %q", b.began)
	}
	b.ends[0]("early\nlast line\n", true)
	if got := b.get(time.Minute, now); got != "last line" || b.changed != 1 || len(b.began) != 1 {
		t.Errorf("%q, changed %d times, %d runs", got, b.changed, len(b.began))
	}
	now = time.Now()
	b.get(0, now)
	b.get(time.Minute, now.Add(59*time.Second))
	if len(b.began) != 1 {
		t.Error("an output that was not old was asked for again")
	}
	b.get(time.Minute, now.Add(61*time.Second))
	if len(b.began) != 2 {
		t.Fatal("an old output was not asked for again")
	}
	b.ends[1]("last line\n", true)
	if b.changed != 1 {
		t.Error("the same output is told as a change")
	}
	b.get(0, time.Now().Add(2*time.Second))
	b.ends[2]("failed", false)
	if got := b.get(time.Hour, time.Now()); got != "last line" {
		t.Errorf("a job that could not be started has said %q", got)
	}
}

func TestWhatIsExpiredIsRunAgain(t *testing.T) {
	b, now := newBoard(), time.Now()
	b.get(time.Hour, now)
	b.ends[0]("one", true)
	b.Expire("2")
	if b.get(time.Hour, now); len(b.began) != 1 {
		t.Error("another place's was run again")
	}
	b.Expire("1")
	if b.get(time.Hour, now); len(b.began) != 2 {
		t.Error("it was not run again")
	}
}

func TestTheCacheIsBounded(t *testing.T) {
	b, now := newBoard(), time.Now()
	for i := range 2 * maxSaid {
		b.Get(strings.Repeat("x", i), "", 0, now, func() {})
	}
	if len(b.said) != maxSaid {
		t.Errorf("%d outputs are kept", len(b.said))
	}
	for _, end := range b.ends {
		end("x", true)
	}
	b.get(0, now.Add(time.Hour))
	if len(b.said) != 1 {
		t.Errorf("%d outputs are kept that nobody asks for", len(b.said)-1)
	}
}
