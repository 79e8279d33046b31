package server

import (
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestMemoryIsGivenBackOnceItIsQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gave atomic.Int32 // the timer has a goroutine of its own
		g := &giver{give: func() { gave.Add(1) }}
		start := time.Now()
		for range 10 { // no pause is long enough
			g.use()
			time.Sleep(quietTime * 3 / 5)
			synctest.Wait()
		}
		if gave.Load() > 0 {
			t.Errorf("given back %v after the start, while there was activity", time.Since(start))
		}
		time.Sleep(2 * quietTime)
		synctest.Wait()
		if gave.Load() != 1 {
			t.Errorf("given back %d times when it had become quiet", gave.Load())
		}
		time.Sleep(time.Hour)
		synctest.Wait()
		if gave.Load() != 1 {
			t.Errorf("given back %d times although nothing happened", gave.Load())
		}
		g.use()
		time.Sleep(2 * quietTime)
		synctest.Wait()
		if gave.Load() != 2 {
			t.Errorf("given back %d times after two bursts", gave.Load())
		}
	})
}

func TestActivityWhileMemoryIsGivenBackCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var gave atomic.Int32
		g := &giver{}
		g.give = func() {
			if gave.Add(1) == 1 {
				g.use()
			}
		}
		g.use()
		time.Sleep(time.Hour)
		synctest.Wait()
		if gave.Load() != 2 {
			t.Errorf("given back %d times", gave.Load())
		}
	})
}

func TestABurstLeavesNoFreeMemoryBehind(t *testing.T) {
	free := func() int64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapIdle - m.HeapReleased)
	}
	g := newGiver()
	g.give()
	burst := make([]byte, 16<<20)
	for i := range burst {
		burst[i] = 1
	}
	runtime.KeepAlive(burst)
	g.give()
	if n := free(); n > 8<<20 {
		t.Errorf("%d bytes are held for nothing", n)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	g.give() // there is nothing to give
	if runtime.ReadMemStats(&after); after.NumForcedGC != before.NumForcedGC {
		t.Error("a collection for nothing")
	}
}
