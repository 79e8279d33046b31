package torture

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

// TestCrashPoints: the server kills itself at the places where a death does the most harm, again and
// again, and nothing is lost.
func TestCrashPoints(t *testing.T) {
	t.Parallel()
	for _, p := range []struct {
		point string
		odds  int // one time in so many
	}{
		{"intent", 250}, {"read", 250}, {"copied", 250}, {"published", 250}, {"parsed", 250},
		{"checkpoint-mid", 8}, {"checkpoint-unpublished", 8}, {"checkpoint-published", 8},
		{"reply", 100}, {"resize", 6},
	} {
		t.Run(p.point, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, fmt.Sprintf("STET_CRASH=%s:%d", p.point, p.odds))
			r.start(800)
			r.generate("small", 80, 24, "-h")
			r.generate("large", 200, 60, "")
			r.asks("ask")
			r.goOnAll()
			deaths := size(3, 40)
			end := time.Now().Add(time.Duration(deaths) * 10 * time.Second)
			round := 0
			for from := r.deaths(); r.deaths() < from+deaths; round++ {
				if time.Now().After(end) {
					t.Fatalf("%d deaths in %d rounds\n%s", r.deaths()-from, round, r.Logs())
				}
				for range 3 {
					r.Try("resize-pane", "-t", r.gens[0].id, "-x", strconv.Itoa(20+r.rnd.IntN(110))) // it may meet a death
					r.nap(20 * time.Millisecond)
				}
				r.collectAll()
				if round%10 == 9 { // what differs now may not show any more at the end
					if r.checkAll(fmt.Sprintf("round %d", round)); t.Failed() {
						return
					}
					r.goOnAll()
				}
			}
			r.checkAll("at the end")
			r.checkPids("at the end")
			acc := r.checkAsker(r.askers[0], r.deaths())
			t.Logf("%d deaths in %d rounds, %d resizes, terminal answers: %d asked, %d told, %d late", r.deaths(), round, len(r.gens[0].log), acc.Asked, acc.Told, acc.Late)
		})
	}
}
