package torture

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/term"

	"stet/tests/harness"
)

// TestMain is either the tests or, with a role as the first argument, a program in a pane.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && strings.HasPrefix(os.Args[1], "role-") {
		os.Exit(program(os.Args[1], os.Args[2:]))
	}
	os.Exit(harness.Main(m))
}

func program(role string, args []string) int {
	switch role {
	case "role-generate":
		return generate(args)
	case "role-ask":
		return askOverAndOver(args)
	case "role-lines":
		return printLines(args)
	case "role-flood":
		return flood(args)
	case "role-hear":
		return hear(args)
	case "role-size":
		return tellSize(args)
	}
	fmt.Fprintln(os.Stderr, "no such role:", role)
	return 2
}

// account is what a program tells the test through a file.
type account struct {
	Paused  bool
	Bytes   uint64 // written
	Asked   int    // cursor positions asked for
	Told    int    // answers that came in time
	Late    int    // answers to a question that was given up
	Doubled int    // answers to a question that had been answered
	Strange int    // answers to nothing
	Cols    int
	Rows    int
}

// write replaces the file as a whole: the test never sees half of it.
func (a *account) write(path string) {
	b, _ := json.Marshal(a)
	if os.WriteFile(path+".new", b, 0o600) == nil {
		os.Rename(path+".new", path)
	}
}

// pausing is how a program is stopped and sent on: by SIGUSR1 and SIGUSR2. It starts paused, and writes
// its account whenever that changes: the next signal may be sent only then, since different ones may
// overtake each other.
type pausing struct {
	path string
	acc  account
	sig  chan os.Signal
	off  bool
}

func newPausing(path string) *pausing {
	p := &pausing{path: path, sig: make(chan os.Signal, 16), off: true}
	p.acc.Paused = true
	signal.Notify(p.sig, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGTERM)
	p.acc.write(path)
	return p
}

// end says whether the program is to end; it waits while the program is paused.
func (p *pausing) end() bool {
	for {
		var s os.Signal
		if p.off {
			s = <-p.sig
		} else {
			select {
			case s = <-p.sig:
			default:
				return false
			}
		}
		switch s {
		case syscall.SIGUSR1, syscall.SIGUSR2:
			p.off = s == syscall.SIGUSR1
			p.acc.Paused = p.off
			p.acc.write(p.path)
		case syscall.SIGTERM:
			p.acc.write(p.path)
			return true
		}
	}
}

// generate writes the stream of a seed: PATH SEED MOST PAUSE, where each write has 1 to MOST bytes and
// PAUSE µs follow it. Its exit status is 7.
func generate(args []string) int {
	seed, _ := strconv.ParseUint(args[1], 10, 64)
	most, _ := strconv.Atoi(args[2])
	pause, _ := strconv.Atoi(args[3])
	if _, err := term.MakeRaw(1); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	go io.Copy(io.Discard, os.Stdin) // answers to the queries in the noise
	s, sizes := newStream(seed), rand.New(rand.NewPCG(seed, 2))
	p := newPausing(args[0])
	for !p.end() {
		b := s.take(1 + sizes.IntN(most))
		if most > 1000 && sizes.IntN(3) > 0 {
			b = append(b, s.take(most/2)...) // often enough more than the terminal takes at once
		}
		n, err := os.Stdout.Write(b)
		p.acc.Bytes += uint64(n)
		if err != nil {
			return 1
		}
		time.Sleep(time.Duration(pause) * time.Microsecond)
	}
	return 7
}

// askOverAndOver asks for the cursor's position, each time from another place, so that an answer names
// its question: PATH. What never comes is given up after a while.
func askOverAndOver(args []string) int {
	if _, err := term.MakeRaw(1); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	const across, down = 70, 20 // the pane must be larger
	answers := make(chan int, 1000)
	var strange atomic.Int64
	go func() {
		var have []byte
		b := make([]byte, 4096)
		for {
			n, err := os.Stdin.Read(b)
			if err != nil {
				return
			}
			for _, c := range b[:n] {
				if have = append(have, c); c != 'R' {
					continue
				}
				var y, x int
				if k, err := fmt.Sscanf(string(have), "\x1b[%d;%dR", &y, &x); err == nil && k == 2 {
					answers <- (y-1)*across + x - 1
				} else {
					strange.Add(1)
				}
				have = have[:0]
			}
		}
	}()
	const giveUp = 3 * time.Second
	const open, told, late = 1, 2, 3
	state := make([]int, across*down) // of each place: its last question
	p := newPausing(args[0])
	took := func(got, now int) {
		switch {
		case got < 0 || got >= len(state) || state[got] == 0:
			p.acc.Strange++
		case state[got] != open:
			p.acc.Doubled++
		case got == now:
			p.acc.Told++
			state[got] = told
		default:
			p.acc.Late++
			state[got] = late
		}
	}
	for i := 0; !p.end(); i++ {
		now := i % len(state)
		state[now] = open
		q := fmt.Sprintf("\x1b[%d;%dH\x1b[6n", now/across+1, now%across+1)
		n, err := os.Stdout.WriteString(q)
		p.acc.Bytes += uint64(n)
		if err != nil {
			return 1
		}
		p.acc.Asked++
		for timeout := time.After(giveUp); state[now] == open; {
			select {
			case got := <-answers:
				took(got, now)
				continue
			case <-timeout:
			}
			break
		}
		for more := true; more; { // a second answer would come at once
			select {
			case got := <-answers:
				took(got, now)
			case <-time.After(200 * time.Microsecond):
				more = false
			}
		}
		p.acc.Strange += int(strange.Swap(0))
	}
	return 7
}

// tellSize keeps a file up to date with the size of its terminal: PATH.
func tellSize(args []string) int {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGWINCH)
	var a account
	for {
		if w, h, err := term.GetSize(1); err == nil {
			a.Cols, a.Rows = w, h
			a.write(args[0])
		}
		<-ch
	}
}
