package conform

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"stet/vt"
)

// vttestScreen is what vttest wrote until it waited for a key.
type vttestScreen struct {
	data []byte
	rows []string
	cols int
}

// vttest runs a part of vttest, which is answered as we answer, until its menu comes back. The part is reached
// by these choices; the first of the screens is the way there, and the last the menu. Where it waits for
// something else than RETURN, there is no more to be seen: ok is false then.
func vttest(t *testing.T, path ...string) (screens []vttestScreen, ok bool) {
	f, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", "stty rows 24 cols 80; exec vttest")
	c.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	c.Stdin, c.Stdout, c.Stderr = tty, tty, tty
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = c.Start()
	tty.Close()
	if err != nil {
		f.Close()
		t.Fatal(err)
	}
	defer func() { c.Process.Kill(); c.Wait(); f.Close() }()
	v := vt.New(vt.Options{Cols: 80, Rows: 24, History: 100})
	var got []byte
	// settle reads until vttest waits for a key.
	settle := func() bool {
		late := time.AfterFunc(patience, func() { c.Process.Kill() })
		defer late.Stop()
		for seen := 0; !prompt.Match(got[seen:]); {
			var buf [64 << 10]byte
			n, err := f.Read(buf[:])
			if err != nil {
				return false
			}
			seen = max(0, len(got)-64)
			got = append(got, buf[:n]...)
			v.Write(buf[:n])
			for _, r := range v.TakeReplies() {
				f.Write(r.Data)
			}
		}
		return true
	}
	take := func() string {
		cols, _ := v.Size()
		screens = append(screens, vttestScreen{got, rowsOf(v), cols})
		got = nil
		return strings.Join(screens[len(screens)-1].rows, "\n")
	}
	ok = settle()
	for _, choice := range path[:len(path)-1] {
		f.WriteString(choice + "\r")
		seen := len(got)
		late := got
		got = nil
		ok = ok && settle()
		got = append(late[:seen:seen], got...)
	}
	take()
	f.WriteString(path[len(path)-1] + "\r")
	for range 200 {
		if !settle() {
			return screens, false
		}
		if strings.Contains(take(), "Enter choice number") {
			return screens, ok
		}
		f.WriteString("\r")
	}
	return screens, false
}

// prompt is what vttest writes before it waits for a key.
var prompt = regexp.MustCompile(`Push <RETURN>|Enter choice number \(`)

// patience is how long vttest may take for a screen. Where it waits for a key of its own, that is how long it
// is waited for.
var patience = 20 * time.Second

// deccolm is what xterm would take another size for. The size of a pane is not a program's to change, so that
// we do the rest of it only; xterm is told to do the same.
var deccolm = regexp.MustCompile(`\x1b\[\?3[hl]`)

// double is DECDWL and DECDHL.
var double = regexp.MustCompile(`\x1b#[346]`)

// TestVttestOnXterm gives what vttest writes to a real xterm, and compares what is to be read.
func TestVttestOnXterm(t *testing.T) {
	x := startXterm(t)
	if _, err := exec.LookPath("vttest"); err != nil {
		t.Skip(err)
	}
	for _, menu := range []string{"1", "2", "8"} {
		screens, ok := vttest(t, menu)
		if !ok {
			t.Errorf("menu %s does not come back", menu)
			continue
		}
		if err := x.begin(80, 24); err != nil {
			t.Fatal(err)
		}
		for i, s := range screens {
			x.Write(deccolm.ReplaceAll(s.data, []byte("\x1b[r\x1b[2J\x1b[H")))
			theirs, err := x.Screen()
			if err != nil {
				t.Errorf("menu %s, screen %d: %v", menu, i, err)
				break
			}
			if double.Match(s.data) {
				t.Logf("menu %s, screen %d has lines of double size, which are not implemented: xterm has half the columns for them", menu, i)
				continue
			}
			if strings.Join(theirs, "\n") != strings.Join(s.rows, "\n") {
				t.Errorf("menu %s, screen %d: %d columns\n%s\nxterm, %d columns\n%s", menu, i, s.cols, strings.Join(s.rows, "\n"), x.cols, strings.Join(theirs, "\n"))
			}
		}
		t.Logf("menu %s: %d screens", menu, len(screens))
		if len(screens) < 7 {
			t.Errorf("menu %s has shown %d screens only", menu, len(screens))
		}
	}
}
