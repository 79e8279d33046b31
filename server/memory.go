package server

import (
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

const (
	// gcPercent makes the collector run when the heap has grown by half. Little of it lives long, so a
	// collection is cheap, and what the usual 100 would let pile up (4 MiB at least) is a multiple of that.
	gcPercent = 50
	// quietTime is how long nothing must happen before memory is given back.
	quietTime = 500 * time.Millisecond
	// worthwhile is how many bytes there must be to give back, since a collection takes a millisecond or
	// two: this many, and a quarter of what is in use.
	worthwhile = 1 << 20
)

// giver gives memory back to the system when the server has become quiet. What a burst has needed would
// stay with the process otherwise: where nothing is allocated any more, nothing is collected either.
//
// Its timer is set by activity, once, and again only while activity goes on, so it never wakes an idle
// server. The work is done on the timer's goroutine; the core loop does not wait for it.
type giver struct {
	give func()

	mu    sync.Mutex
	timer *time.Timer // nil before the first use
	armed bool        // the timer is set, or give runs
	used  bool        // since the timer was set
}

// use says that something has happened. It is called after every turn of the core loop.
func (g *giver) use() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.used = true; !g.armed {
		g.set()
	}
}

// set makes the timer go off, with the mutex held.
func (g *giver) set() {
	g.armed, g.used = true, false
	if g.timer == nil {
		g.timer = time.AfterFunc(quietTime, g.due)
	} else {
		g.timer.Reset(quietTime)
	}
}

func (g *giver) due() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.used {
		g.mu.Unlock()
		g.give()
		g.mu.Lock()
		g.armed = false
	}
	if g.used {
		g.set()
	}
}

// newGiver returns a giver that collects what is worth it.
//
// The first collection makes the runtime set up half a megabyte of its own, which a server with few panes
// never needs; so does runtime.ReadMemStats, which is why the figures are taken from runtime/metrics.
func newGiver() *giver {
	asked := [...]metrics.Sample{
		{Name: "/gc/heap/allocs:bytes"},           // ever allocated
		{Name: "/memory/classes/heap/free:bytes"}, // neither used nor returned
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
	}
	// What was allocated, and what could not be returned, when memory was given back last.
	var before, left uint64
	return &giver{give: func() {
		metrics.Read(asked[:])
		allocated, free, used := asked[0].Value.Uint64(), asked[1].Value.Uint64(), asked[2].Value.Uint64()
		enough := worthwhile + used/4
		if cycles := asked[3].Value.Uint64(); cycles == 0 {
			enough *= 2
		}
		if free-min(left, free)+allocated-before < enough {
			return
		}
		debug.FreeOSMemory()
		metrics.Read(asked[:])
		before, left = asked[0].Value.Uint64(), asked[1].Value.Uint64()
	}}
}
