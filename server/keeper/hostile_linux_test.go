package keeper

import (
	"strings"
	"testing"
)

// TestNonsenseInSharedMemory: a server that writes anything at all over a pane's words costs that pane its output, and nobody else anything.
func TestNonsenseInSharedMemory(t *testing.T) {
	for _, exact := range []string{"0", "1"} {
		t.Run("STET_NO_EXACT="+exact, func(t *testing.T) {
			g := newRig(t, "STET_NO_EXACT", exact)
			a := g.list()
			g.spawn(1, "sh", "-c", "while read x; do echo got $x; done")
			for round := range 20 {
				id := uint64(10 + round)
				g.spawn(id, "sh", "-c", "while :; do echo noise; sleep 0.001; done")
				if _, err := g.try(request{Op: "vandal", ID: id}); err == nil {
					t.Fatal("it was to die")
				}
				if b := g.list(); b.Keeper != a.Keeper {
					t.Fatalf("another keeper in round %d", round)
				}
				g.ask(request{Op: "kill", ID: id})
				g.until(id, "its end", func(p paneReply) bool { return p.Exited })
				if r := g.ask(request{Op: "forget", ID: id}); r.Err != "" {
					t.Error(r.Err)
				}
			}
			g.ask(request{Op: "input", ID: 1, Text: "through\n"})
			g.until(1, "an answer", func(p paneReply) bool { return strings.Contains(p.Text, "got through") && p.Damage == 0 })
		})
	}
}

func TestServerThatCannotLockLeavesReadingToTheKeeper(t *testing.T) {
	g := newRig(t, "TEST_SERVER_CANNOT_LOCK", "1")
	if r := g.list(); r.Mode != KeeperReads.String() {
		t.Fatalf("mode %q", r.Mode)
	}
	counts := map[uint64]int{1: 600_000}
	g.generate(1, counts[1])
	g.killServer()
	checkStreams(g, counts, nil)
}

// TestOtherVersions are refused in words.
func TestOtherVersions(t *testing.T) {
	a, b := pair(t)
	k := &keeper{panes: map[uint64]*pane{}}
	if err := a.send(&message{kind: kHello, min: protoMax + 1, max: protoMax + 5}); err != nil {
		t.Fatal(err)
	}
	if err := k.talk(b); err == nil || !strings.Contains(err.Error(), "protocol") {
		t.Error(err)
	}
	if m, _, err := a.recv(); err != nil || m.kind != kRefuse || m.min != protoMin || m.max != protoMax || m.errText == "" {
		t.Error(m, err)
	}
}
