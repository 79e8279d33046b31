package torture

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestACommandIsDoneOnceWhateverDies: the server dies before it welcomes who brings a command, while it does the command, and when it has done it and
// has told nobody. The command is done once and says so, or it says that the server went away and was done once or never: a
// client that comes again by itself brings nothing that was begun.
func TestACommandIsDoneOnceWhateverDies(t *testing.T) {
	for _, point := range []string{"hello", "pane-known", "pane-begun", "command-done"} {
		t.Run(point, func(t *testing.T) {
			r := newRig(t, fmt.Sprintf("STET_CRASH=%s:4", point))
			r.open("work", 80, 24, "cat >"+r.file("typed"))
			ran := r.file("ran")
			lines := func(path string) int {
				b, err := os.ReadFile(path)
				if err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
				return strings.Count(string(b), "\n")
			}
			commands := []struct {
				argv []string
				done func() int // how often it was done
			}{
				{[]string{"new-window", "-d", "-t", "work:", "exec cat"}, func() int {
					return len(strings.Fields(r.ask("list-windows", "-t", "work", "-F", "#{window_index}"))) - 1
				}},
				{[]string{"send-keys", "-t", "work:0", "x", "Enter"}, func() int { return lines(r.file("typed")) }},
				{[]string{"run-shell", "echo done >>" + ran}, func() int { return lines(ran) }},
			}
			from, said, unsaid := r.deaths(), 0, 0
			enough := func() bool {
				return r.deaths() >= from+size(6, 40) && said >= size(6, 40) && (unsaid >= size(3, 20) || point == "hello")
			}
			for round := 0; !enough(); round++ {
				if round == size(300, 3000) {
					t.Fatalf("%d deaths in %d rounds", r.deaths()-from, round)
				}
				c := commands[round%len(commands)]
				before := c.done()
				res := r.Try(c.argv...)
				if res.Code != 0 {
					unsaid++
					if !strings.Contains(res.Err, "the server went away before it was done or could say so") {
						t.Fatalf("round %d: %q: exit %d, %q\n%s", round, c.argv, res.Code, res.Err, r.Logs())
					}
					r.ask("start-server")
					if n := c.done() - before; n > 1 {
						t.Fatalf("round %d: %q was done %d times and not said\n%s", round, c.argv, n, r.Logs())
					}
					continue
				}
				said++
				n := 0
				r.wait(fmt.Sprintf("round %d: %q to be done", round, c.argv), func() bool { n = c.done() - before; return n > 0 })
				if n != 1 {
					t.Fatalf("round %d: %q was done %d times\n%s", round, c.argv, n, r.Logs())
				}
			}
			if point == "hello" && unsaid > 0 { // nothing was begun, so it can be begun again
				t.Errorf("%d commands did not say that they were done", unsaid)
			}
			t.Logf("%d deaths, %d commands done and said, %d in doubt", r.deaths()-from, said, unsaid)
		})
	}
}
