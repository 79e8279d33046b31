package pane

import (
	"sync/atomic"
	"time"
)

// Times of Courtesy.
const (
	// courtesyTime is how long floods wait after a key. A key's whole way takes a third of a millisecond to a
	// millisecond on a machine with nothing else to do.
	courtesyTime = 3 * time.Millisecond
	// courtesyEvery is how soon they may be held up again: whoever types faster than any person leaves a
	// quarter of the time to them.
	courtesyEvery = 4 * time.Millisecond
)

// Courtesy lets the panes that flood wait for a moment when a person types into another one. Their programs
// then stand still before full terminals, and the few processes that a key and its echo go through find a
// processor free. It may be used from any goroutine; the zero value holds up nobody.
//
// A pane whose output the keeper reads is not slowed down by it.
type Courtesy struct {
	began atomic.Int64 // on the clock of now, 0 for never
	to    atomic.Uint64

	clock func() time.Duration // a test's
}

var bootTime = time.Now()

// now has an origin of its own, since a moment must fit into one word.
func (c *Courtesy) now() time.Duration {
	if c.clock != nil {
		return c.clock()
	}
	return time.Since(bootTime)
}

// Typed says that keys of a person are on their way to the pane with this ID, 0 where it is none's.
func (c *Courtesy) Typed(id uint64) {
	now, began := c.now(), c.began.Load()
	if began != 0 && now-time.Duration(began) < courtesyEvery {
		return
	}
	c.to.Store(id)
	c.began.Store(max(1, int64(now)))
}

// left is for how long the pane with this ID is to wait, if at all.
func (c *Courtesy) left(id uint64) time.Duration {
	if c == nil {
		return 0
	}
	began := c.began.Load()
	if began == 0 || c.to.Load() == id {
		return 0
	}
	return max(0, courtesyTime-(c.now()-time.Duration(began)))
}

// giveWay is for the reader of a pane that prints more than a little, before it takes more.
func (p *Pane) giveWay() {
	for {
		d := p.hooks.Courtesy.left(p.ID)
		if d == 0 {
			return
		}
		select {
		case <-time.After(d):
		case <-p.quit:
			return
		}
	}
}
