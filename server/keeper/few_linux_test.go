package keeper

import (
	"os"
	"strings"
	"testing"
)

// TestAPaneThatCannotBeReached: a server that has descriptors for some panes only serves those, and keeps enough for itself. Nothing happens to the
// others, and the next server has them again.
func TestAPaneThatCannotBeReached(t *testing.T) {
	limit := t.TempDir() + "/limit"
	g := newRig(t, "TEST_SERVER_DESCRIPTORS", limit)
	const panes = 20
	pids := map[uint64]int{}
	for id := uint64(1); id <= panes; id++ {
		pids[id] = g.spawn(id, "sh", "-c", "while read x; do echo got $x; done").Pid
	}
	if err := os.WriteFile(limit, []byte("32"), 0o600); err != nil {
		t.Fatal(err)
	}
	g.killServer()
	r := g.list()
	if len(r.Panes) == 0 || len(r.Beyond) == 0 || len(r.Panes)+len(r.Beyond) != panes {
		t.Fatalf("%d panes are reached, %d are not", len(r.Panes), len(r.Beyond))
	}
	for id, why := range r.Beyond {
		if !strings.Contains(why, "too many open files") {
			t.Errorf("pane %d: %s", id, why)
		}
	}
	one := r.Panes[0].ID
	g.ask(request{Op: "input", ID: one, Text: "through\n"})
	g.until(one, "an answer", func(p paneReply) bool { return strings.Contains(p.Text, "got through") })
	if err := os.Remove(limit); err != nil {
		t.Fatal(err)
	}
	g.killServer()
	if r = g.list(); len(r.Panes) != panes || len(r.Beyond) != 0 {
		t.Fatalf("%d panes are reached, %d are not", len(r.Panes), len(r.Beyond))
	}
	for _, p := range r.Panes {
		if p.Pid != pids[p.ID] || p.Exited || p.Damage != 0 {
			t.Errorf("pane %d: %+v, its program was %d", p.ID, p, pids[p.ID])
		}
	}
}
