package torture

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// TestPoison: one pane prints what no emulator survives: it fails, or takes the server with it, and the next one when that meets the
// same bytes again. It costs that pane its picture, once and said; its program goes on, and so does everything else, exactly.
func TestPoison(t *testing.T) {
	for _, how := range []string{"panic-by", "death-by"} {
		t.Run(how, func(t *testing.T) {
			r := newRig(t, "STET_CRASH="+how+":POISON")
			r.start(1000)
			r.generate("good", 80, 24, "-h")
			r.open("bad", 80, 24, "echo as before; while read -r x; do echo \"$x\" | tr a-z A-Z; done")
			bad := r.pane("bad", 0)
			r.waitFor(bad.id, "as before")
			c := r.attach(80, 25, "bad")
			c.WaitFor("as before")
			shown := "as before"
			r.goOnAll()
			for round := range size(2, 5) {
				when := fmt.Sprintf("round %d", round)
				from, server := r.deaths(), r.serverPid()
				r.Try("send-keys", "-t", bad.id, "poison", "Enter") // the server may die of it before it has told
				var s state
				r.wait("the death of it", func() bool { return how == "panic-by" || r.deaths() > from })
				r.wait("another picture", func() bool { return !strings.Contains(strings.Join(r.screen(bad.id), "\n"), shown) })
				if s = r.dump(bad.id); !strings.Contains(s.Damage, "skipped") && !strings.Contains(s.Damage, "reset") {
					t.Fatalf("%s: the damage is said to be %q\n%s", when, s.Damage, r.Logs())
				}
				switch died := r.deaths() - from; {
				case how == "panic-by" && (died > 0 || r.serverPid() != server):
					t.Fatalf("%s: an emulator that failed took the server with it\n%s", when, r.Logs())
				case how == "death-by" && (died == 0 || died > 4):
					t.Fatalf("%s: %d servers died of it\n%s", when, died, r.Logs())
				}
				r.ask("send-keys", "-t", bad.id, fmt.Sprintf("after %d", round), "Enter")
				shown = fmt.Sprintf("AFTER %d", round)
				c.WaitFor(shown)
				from = r.deaths()
				r.kill(r.serverPid()) // nobody meets it again
				r.waitFor(bad.id, shown)
				if n := r.deaths() - from; n != 1 {
					t.Fatalf("%s: %d deaths where one server was killed\n%s", when, n, r.Logs())
				}
				if s = r.dump(bad.id); s.Damage == "" {
					t.Errorf("%s: the next server does not say what is missing", when)
				}
				r.checkPids(when)
				r.checkAll(when)
				r.goOnAll()
			}
			for _, g := range r.gens {
				r.signal(&g.paused, syscall.SIGUSR1)
			}
		})
	}
}
