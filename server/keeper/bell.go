package keeper

import (
	"os"
	"sync"
)

// bellWaiter is the server's side of the doorbell, where the keeper reads: one goroutine sleeps on it and wakes the readers that were
// rung for. A ring's bell word says who: the keeper takes the wish back when it rings.
type bellWaiter struct {
	f  *os.File
	mu sync.Mutex
	rs map[*Reader]struct{}
	wg sync.WaitGroup
}

func (l *Link) startBell(fd int) {
	b := &bellWaiter{f: os.NewFile(uintptr(fd), "doorbell"), rs: map[*Reader]struct{}{}}
	b.wg.Add(1)
	go b.run()
	l.bell = b
}

func (l *Link) dropBell() {
	if l.bell != nil {
		l.bell.close()
	}
}

func (b *bellWaiter) run() {
	defer b.wg.Done()
	buf := make([]byte, 512) // a counter of 8 bytes, or a pipe with a byte a ring
	for {
		if _, err := b.f.Read(buf); err != nil {
			return // closed
		}
		b.mu.Lock()
		for r := range b.rs {
			if !r.p.Ring.BellWanted() {
				poke(r.wake)
			}
		}
		b.mu.Unlock()
	}
}

func (b *bellWaiter) close() {
	b.f.Close()
	b.wg.Wait()
}

func (l *Link) watch(r *Reader) {
	l.bell.mu.Lock()
	l.bell.rs[r] = struct{}{}
	l.bell.mu.Unlock()
}

// unwatch returns when the bell's goroutine does not touch the reader's ring any more.
func (l *Link) unwatch(r *Reader) {
	l.bell.mu.Lock()
	delete(l.bell.rs, r)
	l.bell.mu.Unlock()
}
