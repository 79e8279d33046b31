package pane

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A file full of queries is printed: the answers must not pile up for whoever reads next.
func TestQueriesThatNobodyAskedAreAnsweredSparingly(t *testing.T) {
	r := begin(t)
	c, err := r.tty.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	local := func(flags uint32) {
		t.Helper()
		c.Control(func(fd uintptr) {
			tio, e := unix.IoctlGetTermios(int(fd), unix.TCGETS)
			if err = e; err == nil {
				tio.Lflag = flags
				err = unix.IoctlSetTermios(int(fd), unix.TCSETS, tio)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	local(unix.ICANON)
	r.print(strings.Repeat("\x1b[c", 1000))
	local(0)
	const answer = "\x1b[?65;1;2;6;9;15;16;17;18;21;22;28;29c"
	var waits int
	until(t, "the first answers", func() bool { // the kernel hands them over in its own time
		c.Control(func(fd uintptr) { waits, err = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
		return err != nil || waits >= repliesUnasked*len(answer)
	})
	if err != nil || waits > 2000 {
		t.Errorf("%d bytes of answers wait, %v", waits, err)
	}
	// Who has set its terminal to raw mode gets every answer.
	r.typed(waits)
	r.print(strings.Repeat("\x1b[5n", 1000))
	got := r.typed(4000)
	for strings.HasPrefix(got, answer) { // one more became due meanwhile
		got = got[len(answer):] + r.typed(len(answer))
	}
	if got != strings.Repeat("\x1b[0n", 1000) {
		t.Errorf("%d bytes, beginning %.60q", len(got), got)
	}
}
