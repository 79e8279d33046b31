package torture

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/term"
)

// faults are the drills in which something around stet fails. Each has a world of its own.
var faults = []struct {
	name string
	run  func(*rig)
}{
	{"paste-breakout", pasteBreakout},
	{"wiped-runtime", wipedRuntime},
	{"wiped-session", wipedSession},
	{"readonly-home", readonlyHome},
	{"no-home", noHome},
	{"shared-home", sharedHome},
	{"state-gone", stateGone},
	{"state-emptied", stateEmptied},
	{"sleep-wake", sleepWake},
	{"clock-jumps", clockJumps},
	{"full-disk", fullDisk},
	{"slow-disk", slowDisk},
	{"torn-files", tornFiles},
	{"few-descriptors", fewDescriptors},
	{"few-ptys", fewPTYs},
	{"fork-fails", forkFails},
	{"stopped-client", stoppedClient},
	{"stalled-terminal", stalledTerminal},
	{"half-open", halfOpen},
	{"garbage", garbage},
	{"many-panes", manyPanes},
	{"no-memory", noMemory},
	{"out-of-reach", outOfReach},
	{"spoilt-memory", spoiltMemory},
}

// TestFaults runs them.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			f.run(newRig(t))
		})
	}
}

// hear writes what is typed at it to a file, as it comes: PATH, and what to print before.
func hear(args []string) int {
	if _, err := term.MakeRaw(1); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	f, err := os.OpenFile(args[0], os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	fmt.Print(args[1] + "listening")
	b := make([]byte, 4096)
	for {
		n, err := os.Stdin.Read(b)
		if err != nil {
			return 0
		}
		if _, err := f.Write(b[:n]); err != nil {
			return 1
		}
	}
}

// heard waits until a file has a text, and gives all of it.
func (r *rig) heard(path, end string) string {
	r.t.Helper()
	var b []byte
	r.wait("what was typed", func() bool {
		b, _ = os.ReadFile(path)
		return strings.Contains(string(b), end)
	})
	return string(b)
}

// pasteBreakout: what is pasted cannot end the paste and go on as typing, wherever it comes from.
func pasteBreakout(r *rig) {
	r.start(1000)
	const evil = "a\x1b[201~\nrm -rf x\r\x9b201~\x03\x7fz"
	for name, brackets := range map[string]string{"brackets": "\x1b[?2004h", "plain": ""} {
		path := r.file("heard-" + name)
		r.open(name, 80, 24, r.role("hear", path, brackets)...)
		id := r.pane(name, 0).id
		r.waitFor(id, "listening")
		c := r.attach(80, 25, name)
		c.WaitFor("listening")
		c.Type("\x1b[200~" + strings.ReplaceAll(evil, "\x1b[201~", "\x1b\x1b[201;1~") + "\x1b[201~Q") // from the outer terminal
		first := r.heard(path, "Q")
		r.ask("set-buffer", evil)
		r.ask("paste-buffer", "-p", "-t", id)
		r.ask("send-keys", "-t", id, "W")
		all := r.heard(path, "W")
		for _, paste := range []string{first, all[len(first):]} {
			inside := paste
			if brackets != "" {
				if strings.Count(paste, "\x1b[200~") != 1 || strings.Count(paste, "\x1b[201~") != 1 {
					r.t.Errorf("%s: the brackets are not one pair: %q", name, paste)
				}
				inside = strings.NewReplacer("\x1b[200~", "", "\x1b[201~", "").Replace(paste)
			}
			if strings.ContainsAny(inside, "\x1b\x03\x7f") || strings.Contains(inside, "\x9b") && !strings.Contains(inside, "\u009b") {
				r.t.Errorf("%s: control characters in a paste: %q", name, inside)
			}
			if !strings.Contains(inside, "rm -rf x") || !strings.HasPrefix(inside, "a") {
				r.t.Errorf("%s: the text is not whole: %q", name, inside)
			}
		}
	}
}
