package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"stet/vt"
)

func (t *Term) title() (s string) {
	t.Look(func(v *vt.Terminal) { s = v.Title() })
	return s
}

// through is a shell command that gives the outer terminal bytes, as printf writes them.
func through(bytes string) string {
	return `printf '\033Ptmux;` + strings.ReplaceAll(bytes, `\033`, `\033\033`) + `\033\\'`
}

func TestAProgramPassesSequencesThrough(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	say := func(what, done string) {
		c.Type("clear; " + what + "; echo " + done[:1] + "''" + done[1:] + "\r")
		c.WaitFor(done)
	}
	say(through(`\033]2;early\007`), "swallowed")
	if got := c.title(); got == "early" {
		t.Error("it is let through by default")
	}
	w.Run("set-option", "-p", "allow-passthrough", "on")
	say(through(`\033]2;one\007\033]8;;\007`), "passed")
	c.Wait("the title", func(string) bool { return c.title() == "one" })

	// What is left unfinished takes nothing with it of what stet draws.
	say(through(`\033]2;two`), "unfinished")
	c.Wait("the title", func(string) bool { return c.title() == "two" })
	say(through(`\033[3`), "a sequence")
	say(through(`\033[10;10H\033[41m\033P$q`), "moved")
	c.Look(func(v *vt.Terminal) {
		view := v.View(nil, 0, 0)
		for y, row := range view.Cells[:23] {
			for x, cell := range row {
				if view.Styles[cell.Style()].BG != 0 {
					t.Fatalf("cell %d,%d is drawn with a program's pen", x, y)
				}
			}
		}
	})

	// A window that nobody sees passes nothing, but with all.
	w.Run("new-window", "-d", "-n", "hidden", "read x; "+through(`\033]2;hidden\007`)+"; echo said; read x; "+through(`\033]2;all\007`)+"; cat")
	w.Run("set-option", "-w", "-t", ":hidden", "allow-passthrough", "on")
	w.Run("send-keys", "-t", ":hidden", "Enter")
	w.Wait("the hidden program", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", ":hidden"), "said") })
	say(through(`\033]2;three\007`), "after that")
	c.Wait("the title", func(string) bool {
		if c.title() == "hidden" {
			t.Error("it is not seen")
		}
		return c.title() == "three"
	})
	w.Run("set-option", "-w", "-t", ":hidden", "allow-passthrough", "all")
	w.Run("send-keys", "-t", ":hidden", "Enter")
	c.Wait("the title", func(string) bool { return c.title() == "all" })

	// The next server reads it all again, and says nothing of it again.
	c.Look(func(v *vt.Terminal) { v.Write([]byte("\x1b]2;untouched\a")) })
	w.KillServer()
	c.WaitFor("after that")
	say("true", "recovered")
	if got := c.title(); got != "untouched" {
		t.Errorf("a replay says %q", got)
	}
	w.Run("set-option", "-pu", "allow-passthrough")
	say(through(`\033]2;late\007`), "taken back")
	if got := c.title(); got != "untouched" {
		t.Errorf("taken back, and yet %q", got)
	}
}

// What the outer terminal answers to a program's own query reaches no pane: the program that reads by then may be a shell.
func TestAnswersToWhatWasPassedThroughAreNotTyped(t *testing.T) {
	w := New(t)
	path := filepath.Join(w.Dir, "heard")
	c := w.Attach(80, 24, "new-session", "-s", "work", "stty raw -echo; echo listening; exec cat >"+path)
	c.WaitFor("listening")
	w.Run("set-option", "-g", "allow-passthrough", "on")
	pass := func(n int) {
		w.Run("split-window", "-d", "-t", "work:", through(fmt.Sprintf(`\033]2;query %d\007`, n)))
		c.Wait("the query to be passed on", func(string) bool { return c.title() == fmt.Sprintf("query %d", n) })
	}
	n := 0
	for _, answer := range []string{
		"\x1b]lrm -rf x\x1b\\", "\x1b]Lrm -rf x\x1b\\", "\x1bP1!~ABCD\x1b\\", "\x1bP1$s\x1b\\", "\x1bP9~secret\x1b\\", "\x1b^secret\x1b\\", "\x1bXsecret\x1b\\", "\x1b_secret\x1b\\",
		"\x1b[1;5R", "\x1b[?64;1;2c", "\x1b[12;40R", "\x1bP>|term 1\x1b\\", "\x1bP1$r0m\x1b\\", "\x1b]52;c;aGVsbG8=\a", "\x1b]11;rgb:0000/0000/0000\x1b\\", "\x1b_Gi=31;OK\x1b\\", "\x1b[4;600;800t",
	} {
		for tries := 0; ; tries++ {
			before, _ := os.ReadFile(path)
			n++
			begun := time.Now()
			pass(n)
			c.Type(answer + "Q")
			late := time.Since(begun) > time.Second // a machine this slow may have let the time for an answer pass
			var typed string
			w.Wait("what is typed behind an answer", func() bool {
				b, _ := os.ReadFile(path)
				typed = string(b[min(len(before), len(b)):])
				return strings.HasSuffix(typed, "Q")
			})
			if typed == "Q" {
				break
			}
			if !late || tries == 10 {
				t.Fatalf("%q is typed: %q", answer, typed)
			}
		}
	}
}
