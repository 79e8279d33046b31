package ring

import "fmt"

// Checkpoint lets write fill the idle slot with the state that all output below offset leads to, publishes it, and
// releases the ring below offset. resizes is how many of the recorded resizes that state contains: the position alone could not tell
// on which side of a resize it stands. offset must lie between S and W.
//
// On an error of write or ErrTooLarge nothing has changed. The owner of the scrollback may use retired blocks again once this returned nil.
// If [Ring.RoomWanted], a reader waits: tell it.
func (r *Ring) Checkpoint(offset, resizes uint64, write func(dst []byte) (int, error)) error {
	w, s := r.load(hW), r.load(hS)
	if offset > w || offset < s {
		return fmt.Errorf("checkpoint at %d: outside the ring, which holds %d to %d", offset, s, w)
	}
	if n := r.load(hSizes); resizes > n {
		return fmt.Errorf("checkpoint with %d resizes of %d", resizes, n)
	}
	if err := r.pair.checkpoint([2]uint64{offset, resizes}, write); err != nil {
		return err
	}
	r.resizes.Store(resizes)
	r.store(hS, offset)
	return nil
}

// Load gives the published checkpoint: the state, the offset at which the replay goes on, and how many resizes it contains. No checkpoint
// at all is state nil at offset 0 with 0 resizes. An error means that the state is lost and the bytes that led to it are gone:
// go on at W with an empty screen, and mark the damage. The state is memory of the slot and stays until the second Checkpoint from now.
//
// A server may have died after publishing and before releasing; Load makes up for that.
func (r *Ring) Load() (offset, resizes uint64, state []byte, err error) {
	meta, state, err := r.pair.load()
	if err != nil {
		return 0, 0, nil, err
	}
	offset, resizes = meta[0], meta[1]
	w, s := r.load(hW), r.load(hS)
	switch {
	case offset > w || offset < s || w-offset > r.size:
		return 0, 0, nil, fmt.Errorf("checkpoint at %d: outside the ring, which holds %d to %d", offset, s, w)
	case resizes > r.load(hSizes):
		return 0, 0, nil, fmt.Errorf("checkpoint with %d resizes of %d", resizes, r.load(hSizes))
	}
	r.resizes.Store(resizes)
	r.store(hS, offset)
	return offset, resizes, state, nil
}

// Abandon is the way on where Load failed: all output so far counts as seen. Mark the damage and take a checkpoint at W, with all
// resizes, before reading on.
func (r *Ring) Abandon() {
	w := r.load(hW)
	if s := r.load(hS); s > w { // nonsense: a reader only ever adds
		r.store(hW, s)
		w = s
	}
	r.store(hS, w)
	r.resizes.Store(r.load(hSizes))
}

// StateCapacity is the longest state that fits a slot, in bytes.
func (r *Ring) StateCapacity() int { return r.s.Slot - slotHead }

// PunchRing gives back the pages of the ring that hold only released bytes. It is for a quiet pane (under load the pages are wanted again at
// once, and faulting them in costs more than everything else) and only for the process that reads the terminal at present: its
// reader waits meanwhile, another process's would write into pages that are just being thrown away.
func (r *Ring) PunchRing() {
	r.reading.Lock()
	defer r.reading.Unlock()
	w, s := r.load(hW), r.load(hS)
	if s > w || w-s > r.size {
		return
	}
	for from, to := w, s+r.size; from < to; {
		b := r.Bytes(from, to)
		punch(b)
		from += uint64(len(b))
	}
}

// PunchIdle gives back the state slot that is not published; it is written in full before it counts.
func (r *Ring) PunchIdle() {
	if r.pair.active != nil {
		punch(r.pair.idle())
	}
}

// PunchArena gives back n bytes of the arena from byte at on, as a free block.
func (r *Ring) PunchArena(at, n int) {
	a := r.Arena()
	if at >= 0 && n > 0 && at <= len(a) && n <= len(a)-at {
		punch(a[at:][:n])
	}
}
