package ring

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// Stage is the pool of staging slots for the exact read. One serves all panes: a reader holds a slot only around its two system calls.
//
// The PTY master is in packet mode, so the kernel puts a status byte (0..0x7F) in front of what it hands out. A read is
//
//  1. k = how many bytes the terminal holds. On Linux that counts only what a read will give, and nobody else reads.
//  2. The intent {pane, base = W, k} goes into a slot, with the status byte 0xFF.
//  3. One read(2) of 1+k bytes into the slot. Any other status byte afterwards proves that it happened.
//  4. The bytes are copied to the ring at base, W = base+k is stored, the intent cleared.
//
// If the reader is killed, [Stage.Settle] does step 4 for every intent whose status byte is 0. Both of its parts may be done twice: base is
// fixed and W is absolute.
//
// Not into the ring directly: its pages are not always resident, and SIGKILL breaks a copy off that waits for a page. The slots are touched
// and locked. Not by readv: before Linux 5.10.20 each piece was a packet of its own.
//
// Second line of defence: before the read the last bytes of the k are random. The kernel copies upwards, so if they are still there afterwards,
// the copy was broken off; then the pane is marked as damaged, never silently.
type Stage struct {
	m     []byte
	fd    int
	slots [stageSlots]slot
	avail chan *slot
}

const (
	stageSlots = 8    // reads in flight; more readers wait for a moment
	slotLen    = 4096 // status byte and 4095 bytes: all that a Linux PTY gives at once; and one page, so nothing faults half way
	stageSize  = pageSize + stageSlots*slotLen
	maxRead    = slotLen - 1
	notRead    = 0xff
	tailLen    = 16
	intentLen  = 64

	iPane = 0 // stored last, cleared last: the intent stands while this is not 0
	iBase = 8
	iLen  = 16
	iTail = 24 // a copy of the random tail
)

// probePane is the number that the probe reads under; no pane has it.
const probePane = 1<<64 - 1

// slot is one intent and the page that it reads into.
type slot struct{ intent, data []byte }

// CreateStage makes and locks the pool. An error means that this system does not allow it (RLIMIT_MEMLOCK below 36 KiB, say): then the keeper reads.
func CreateStage() (*Stage, error) {
	fd, err := sealedMemory("stet-stage", stageSize, stageSize)
	if err != nil {
		return nil, fmt.Errorf("staging slots: %w", err)
	}
	t, err := MapStage(fd)
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	t.fd = fd
	return t, nil
}

// MapStage maps and locks the pool that the keeper made. The descriptor stays the caller's.
func MapStage(fd int) (*Stage, error) {
	n, err := sealedSize(fd)
	if err != nil {
		return nil, fmt.Errorf("staging slots: %w", err)
	}
	if n != stageSize {
		return nil, fmt.Errorf("staging slots: %d bytes", n)
	}
	m, err := unix.Mmap(fd, 0, stageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("staging slots: map: %w", err)
	}
	if err := unix.Mlock(m); err != nil { // it touches every page, too
		unix.Munmap(m)
		return nil, fmt.Errorf("staging slots: lock: %w", err)
	}
	t := &Stage{m: m, fd: -1, avail: make(chan *slot, stageSlots)}
	for i := range t.slots {
		t.slots[i] = slot{m[i*intentLen:][:intentLen], m[pageSize+i*slotLen:][:slotLen]}
		t.avail <- &t.slots[i]
	}
	return t, nil
}

// AdoptStage maps and locks a pool that CreateStage has made in a program before this one in the same process. The Stage owns the descriptor.
func AdoptStage(fd int) (*Stage, error) {
	t, err := MapStage(fd)
	if err == nil {
		t.fd = fd
	}
	return t, err
}

// Descriptor is the file descriptor that CreateStage made, -1 after MapStage.
func (t *Stage) Descriptor() int { return t.fd }

// Close takes the mapping away, and the descriptor if it is owned. No read may be going on.
func (t *Stage) Close() error {
	m, fd := t.m, t.fd
	t.m, t.slots, t.fd = nil, [stageSlots]slot{}, -1
	err := unix.Munmap(m)
	if fd >= 0 {
		err = errors.Join(err, unix.Close(fd))
	}
	return err
}

func (s *slot) load(off int) uint64     { return atomic.LoadUint64(word(s.intent, off)) }
func (s *slot) store(off int, v uint64) { atomic.StoreUint64(word(s.intent, off), v) }

// arm writes the intent to read k bytes, 1..maxRead.
func (s *slot) arm(pane, base uint64, k int) {
	s.store(iBase, base)
	s.store(iLen, uint64(k))
	s.data[0] = notRead
	if k >= tailLen { // fewer come in one copy together with the status byte
		s.store(iTail, rand.Uint64())
		s.store(iTail+8, rand.Uint64())
		copy(s.data[1+k-tailLen:], s.intent[iTail:][:tailLen])
	}
	s.store(iPane, pane)
}

// brokenOff tells that the last bytes are still what arm put there.
func (s *slot) brokenOff(k int) bool {
	return k >= tailLen && bytes.Equal(s.data[1+k-tailLen:][:tailLen], s.intent[iTail:][:tailLen])
}

// commit is step 4 but for the clearing. It may be done again while the intent stands.
func (s *slot) commit(r *Ring, base uint64, k int) {
	r.put(base, s.data[1:1+k])
	crash("copied")
	r.store(hW, base+uint64(k))
	crash("published")
}

// Settle decides about reads of this pane that were in flight when their reader died. It must have been done for every pane
// before anyone reads again, since a new read takes the next best slot. Doing it twice, by two processes in turn, is harmless.
func (t *Stage) Settle(pane uint64, r *Ring) {
	t.SettleAll(func(p uint64) *Ring {
		if p == pane {
			return r
		}
		return nil
	}, false)
}

// SettleAll settles the intents of all panes that find knows. With rest, the intents that it does not know (find gave nil) are dropped, too: their
// panes are gone.
func (t *Stage) SettleAll(find func(pane uint64) *Ring, rest bool) {
	for i := range t.slots {
		s := &t.slots[i]
		pane := s.load(iPane)
		if pane == 0 {
			continue
		}
		r := find(pane)
		if r != nil {
			s.settle(r)
		}
		if r != nil || rest {
			s.store(iPane, 0)
		}
	}
}

// settle believes nothing that a reader could not have written.
func (s *slot) settle(r *Ring) {
	base, k, w := s.load(iBase), s.load(iLen), r.load(hW)
	switch {
	case k < 1 || k > maxRead || w != base && w != base+k:
		r.MarkDamage(w)
	case s.data[0] != 0: // not read, or a status byte, which comes alone
	case w == base && uint64(r.Free()) < k: // it would have overwritten what is not released
		r.MarkDamage(w)
	case s.brokenOff(int(k)):
		r.MarkDamage(base)
	default:
		s.commit(r, base, int(k))
	}
}
