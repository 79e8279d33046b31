// Package ring is the shared memory of one pane, and the exact way to fill it.
//
// The keeper creates one [Ring] a pane and hands its descriptor to every server that comes and goes. It holds
//
//	header | ring of raw output | state slot 0 | state slot 1 | scrollback arena
//
// and whatever a server needs to go on where another one was killed: how far output was read (W), how
// far a checkpoint covers it (S), up to where queries were answered, which resizes happened where, whether output is
// known to be damaged, and how often a replay died at one place. Positions are absolute stream offsets: bytes
// since the pane began. They never wrap.
//
// Promised: a reader that uses [Stage] may be killed at any instruction and no byte is lost or comes twice; a checkpoint is there as a
// whole or not at all; no word that the other process writes makes this one fault or read outside the mapping.
// Not promised: that such a word makes sense. Whoever holds the descriptor can write nonsense into a pane's output.
//
// Each word has one writer at a time: W, EOF and the damage marks belong to whoever reads the PTY, S, the slots, the arena, the
// resize log, the answered mark and the guard to the server. The keeper sees to it that there is one server, and that it
// reads itself only while that server does not.
package ring

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Bounds of what a pane's memory may be asked to be, in bytes.
const (
	MinRing  = 4 << 10
	MaxRing  = 64 << 20
	MinSlot  = 4 << 10
	MaxSlot  = 64 << 20
	MaxArena = 1 << 30
)

const (
	pageSize = 4096 // the unit of all sizes here; the system's own page may be larger and only punching cares
	hdrSize  = pageSize

	ringMagic = 0x31474e5254455453 // "STETRNG1": the number at the end is the layout's version
)

// Offsets of the header's words. What different processes write lies in different cache lines.
const (
	hMagic     = 0
	hRingSize  = 16
	hSlotSize  = 24
	hArenaSize = 32

	hW         = 64  // bytes published
	hS         = 128 // bytes that the published checkpoint covers
	hAnswered  = 192 // queries below it were answered
	hActive    = 256 // published slot + 1; 0 = none
	hEOF       = 320 // 1 = all output has been read
	hBell      = 384 // 1 = the server sleeps and wants the doorbell
	hFull      = 448 // 1 = a reader waits for room
	hTries     = 512 // replays in a row that ended in death at the same place
	hTryAt     = 520 // where the present replay is
	hTryOld    = 528 // where the one before it died
	hDamage    = 576 // times that output was lost
	hDamageAt  = 584 // where first
	hSkipped   = 592 // times that output was left out on purpose
	hSkippedAt = 600 // where last
	hSizes     = 640 // resizes recorded, ever

	hSizeLog = 1024 // MaxLog entries of 16 bytes
)

// Sizes are the parts of a pane's memory in bytes, multiples of 4096. Only pages that are touched cost memory.
type Sizes struct {
	Ring  int // raw output kept for replay; bounds how long a recovery takes
	Slot  int // one state slot; the longest possible checkpoint
	Arena int // scrollback blocks; may be 0
}

// DefaultSizes suits an ordinary pane: 512 KiB of ring, slots for the largest screens, an arena of 16 MiB.
func DefaultSizes() Sizes { return Sizes{Ring: 512 << 10, Slot: 4 << 20, Arena: 16 << 20} }

// Check reports a size that is out of range or not a multiple of 4096.
func (s Sizes) Check() error {
	for _, x := range [...]struct {
		what        string
		v, min, max int
	}{{"ring", s.Ring, MinRing, MaxRing}, {"state slot", s.Slot, MinSlot, MaxSlot}, {"arena", s.Arena, 0, MaxArena}} {
		if x.v < x.min || x.v > x.max || x.v%pageSize != 0 {
			return fmt.Errorf("pane memory: %s of %d bytes (want a multiple of %d from %d to %d)", x.what, x.v, pageSize, x.min, x.max)
		}
	}
	return nil
}

func (s Sizes) total() int64 {
	return hdrSize + int64(s.Ring) + 2*int64(s.Slot) + int64(s.Arena)
}

// Ring is a mapping of one pane's memory. Methods may be used by several goroutines as long as each word keeps its one
// writer; Close only after all of them have stopped, since it takes the memory away.
type Ring struct {
	m    []byte // the mapping
	data []byte // the ring's part of it
	size uint64 // len(data)
	s    Sizes  // private copies, taken once: the peer could change the words later
	fd   int    // -1 in a mapping that does not own one

	// reading is held around each read into the ring by this process, and by PunchRing.
	reading sync.Mutex

	pair    pair
	resizes atomic.Uint64 // count of resizes in the published checkpoint, as this process knows it
}

// Create makes a pane's memory and maps what the keeper needs of it: header and ring. The Ring owns the descriptor.
func Create(s Sizes) (*Ring, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	fd, err := sealedMemory("stet-pane", s.total(), hdrSize)
	if err != nil {
		return nil, fmt.Errorf("pane memory of %d bytes: %w", s.total(), err)
	}
	r, err := mapRing(fd, s, int(hdrSize)+s.Ring)
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	r.fd = fd
	for _, w := range r.label() {
		r.store(int(w[0]), w[1])
	}
	return r, nil
}

func (r *Ring) label() [4][2]uint64 {
	return [...][2]uint64{{hRingSize, uint64(r.s.Ring)}, {hSlotSize, uint64(r.s.Slot)}, {hArenaSize, uint64(r.s.Arena)}, {hMagic, ringMagic}}
}

// Relabel puts right what Map goes by, from what only this process can change, and says whether it was wrong. It is for who created the memory,
// before it is handed to a server: another one may have written over the header, and a pane that cannot be mapped is lost to every server from then
// on. What else stood in the header is not to be believed then, so the pane is marked as damaged.
func (r *Ring) Relabel() (wrong bool) {
	for _, w := range r.label() {
		wrong = wrong || r.load(int(w[0])) != w[1]
		r.store(int(w[0]), w[1])
	}
	if wrong {
		r.MarkDamage(r.load(hW))
	}
	return wrong
}

// Map maps all of a pane's memory for a server. The descriptor stays the caller's and may be closed afterwards.
// The sizes come from the header and are believed only if they add up to the size of the sealed file.
func Map(fd int) (*Ring, error) {
	n, err := sealedSize(fd)
	if err != nil {
		return nil, fmt.Errorf("pane memory: %w", err)
	}
	if n < hdrSize {
		return nil, fmt.Errorf("pane memory: only %d bytes", n)
	}
	h, err := unix.Mmap(fd, 0, hdrSize, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("pane memory: map header: %w", err)
	}
	magic := atomic.LoadUint64(word(h, hMagic))
	w := [3]uint64{atomic.LoadUint64(word(h, hRingSize)), atomic.LoadUint64(word(h, hSlotSize)), atomic.LoadUint64(word(h, hArenaSize))}
	unix.Munmap(h)
	if magic != ringMagic {
		return nil, fmt.Errorf("pane memory: unknown layout %#x", magic)
	}
	if max(w[0], w[1], w[2]) > MaxArena {
		return nil, fmt.Errorf("pane memory: impossible sizes %v", w)
	}
	s := Sizes{int(w[0]), int(w[1]), int(w[2])}
	if err := s.Check(); err != nil {
		return nil, err
	}
	if s.total() != n {
		return nil, fmt.Errorf("pane memory: sizes %v do not fit %d bytes", w, n)
	}
	return mapRing(fd, s, int(n))
}

// Adopt maps memory that Create has made in a program before this one in the same process, as Create does: header and ring. The sizes are those
// that were private to that program; the header, which others can write, is not asked. The Ring owns the descriptor.
func Adopt(fd int, s Sizes) (*Ring, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	n, err := sealedSize(fd)
	if err != nil {
		return nil, fmt.Errorf("pane memory: %w", err)
	}
	if s.total() != n {
		return nil, fmt.Errorf("pane memory: sizes %v do not fit %d bytes", s, n)
	}
	r, err := mapRing(fd, s, int(hdrSize)+s.Ring)
	if err != nil {
		return nil, err
	}
	r.fd = fd
	return r, nil
}

func mapRing(fd int, s Sizes, n int) (*Ring, error) {
	m, err := unix.Mmap(fd, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("pane memory: map %d bytes: %w", n, err)
	}
	r := &Ring{m: m, data: m[hdrSize:][:s.Ring:s.Ring], size: uint64(s.Ring), s: s, fd: -1}
	if at := hdrSize + s.Ring; n > at {
		r.pair = pair{active: word(m, hActive), slot: [2][]byte{m[at:][:s.Slot:s.Slot], m[at+s.Slot:][:s.Slot:s.Slot]}}
	}
	return r, nil
}

// Whole gives a second, complete mapping of memory that this process created, as a server would map it.
func (r *Ring) Whole() (*Ring, error) { return Map(r.fd) }

// Close takes the mapping away, and the descriptor if the Ring owns one. Nobody may use the Ring or any slice of it any more.
func (r *Ring) Close() error {
	m, fd := r.m, r.fd
	r.m, r.data, r.size, r.pair, r.fd = nil, nil, 1, pair{}, -1
	err := unix.Munmap(m)
	if fd >= 0 {
		err = errors.Join(err, unix.Close(fd))
	}
	return err
}

// Descriptor is the file descriptor that Create made, -1 for a Ring that came from Map.
func (r *Ring) Descriptor() int { return r.fd }

// Sizes tells how large the parts are.
func (r *Ring) Sizes() Sizes { return r.s }

// Arena is the memory for scrollback blocks; nil in the keeper's mapping.
func (r *Ring) Arena() []byte {
	at := hdrSize + r.s.Ring + 2*r.s.Slot
	if len(r.m) < at+r.s.Arena {
		return nil
	}
	return r.m[at:][:r.s.Arena:r.s.Arena]
}

// W is the published offset: how many bytes the pane has put out, as far as they were read.
func (r *Ring) W() uint64 { return r.load(hW) }

// S is the released offset: what is below it may be overwritten. S <= W.
func (r *Ring) S() uint64 { return r.load(hS) }

// Used is how many bytes lie between S and W, at most the ring's size.
func (r *Ring) Used() int { return int(r.size - r.room()) }

// Free is how many bytes can be put in at W. Nonsense in the words means none.
func (r *Ring) Free() int { return int(r.room()) }

func (r *Ring) room() uint64 {
	w, s := r.load(hW), r.load(hS)
	if s > w || w-s > r.size {
		return 0
	}
	return r.size - (w - s)
}

// Bytes is the output from offset from on, up to to or to the place where the ring starts again from its beginning: call it once
// more for the rest. It is memory of the ring: only what lies between S and W stays as it is. Offsets in the wrong order give nil.
func (r *Ring) Bytes(from, to uint64) []byte {
	if to <= from || r.m == nil {
		return nil
	}
	o := from % r.size
	n := min(r.size-o, to-from)
	return r.data[o:][:n:n]
}

// Append puts bytes in at W and publishes them; it returns how many had room. It is how tests and a reader that nobody kills write, and who shows
// text in a pane that has no program.
func (r *Ring) Append(p []byte) int {
	w := r.load(hW)
	p = p[:min(len(p), r.Free())]
	r.put(w, p)
	r.store(hW, w+uint64(len(p)))
	return len(p)
}

// put copies to the ring at pos without publishing.
func (r *Ring) put(pos uint64, p []byte) {
	for len(p) > 0 {
		n := copy(r.Bytes(pos, pos+uint64(len(p))), p)
		if n == 0 {
			return
		}
		pos, p = pos+uint64(n), p[n:]
	}
}

// EOF tells whether the pane's last byte has been read: the program and all its children have closed the terminal.
func (r *Ring) EOF() bool { return r.load(hEOF) == 1 } // nonsense there must not end the reading

// SetEOF is for whoever reads the PTY.
func (r *Ring) SetEOF() { r.store(hEOF, 1) }

// Answered is the offset below which terminal queries have been answered: a replay must not answer them again.
func (r *Ring) Answered() uint64 { return r.load(hAnswered) }

// SetAnswered raises the mark. It comes before the reply is written, so that a reply is sent at most once: a lost one makes a
// program wait for its time-out, a second one would be typed into whatever reads by then.
func (r *Ring) SetAnswered(at uint64) {
	if at > r.load(hAnswered) {
		r.store(hAnswered, at)
	}
}

// Damage tells how often output was lost, and at which offset for the first time.
func (r *Ring) Damage() (count, at uint64) { return r.load(hDamage), r.load(hDamageAt) }

// MarkDamage records that output at this offset is not what the program wrote. It stays for the life of the pane.
func (r *Ring) MarkDamage(at uint64) {
	if r.load(hDamage) == 0 {
		r.store(hDamageAt, at)
	}
	r.store(hDamage, r.load(hDamage)+1)
}

// Skipped tells how often output was left out because it killed the server, and where last.
func (r *Ring) Skipped() (count, at uint64) { return r.load(hSkipped), r.load(hSkippedAt) }

// MarkSkipped records that output from this offset on was left out. Take a checkpoint behind it at once, or the next
// server meets the same bytes.
func (r *Ring) MarkSkipped(at uint64) {
	r.store(hSkippedAt, at)
	r.store(hSkipped, r.load(hSkipped)+1)
}

// WantBell asks whoever reads to ring the doorbell at the next output. Look at W again after it and before sleeping.
func (r *Ring) WantBell() { r.store(hBell, 1) }

// TakeBell tells whether the bell is wanted, and takes the wish back: of several askers one is told.
func (r *Ring) TakeBell() bool { return r.load(hBell) != 0 && r.swap(hBell, 0) != 0 }

// BellWanted tells whether a wish for the bell stands.
func (r *Ring) BellWanted() bool { return r.load(hBell) != 0 }

// WantRoom records that a reader found the ring full. Look at Free again after it and before sleeping.
func (r *Ring) WantRoom() { r.store(hFull, 1) }

// TakeWantRoom tells whether a reader waits for room, and takes the wish back.
func (r *Ring) TakeWantRoom() bool { return r.load(hFull) != 0 && r.swap(hFull, 0) != 0 }

// RoomWanted tells whether a reader waits for room: the owner should take a checkpoint even if half the ring is not used.
func (r *Ring) RoomWanted() bool { return r.load(hFull) != 0 }

func word(m []byte, off int) *uint64              { return (*uint64)(unsafe.Pointer(&m[off])) }
func (r *Ring) load(off int) uint64               { return atomic.LoadUint64(word(r.m, off)) }
func (r *Ring) store(off int, v uint64)           { atomic.StoreUint64(word(r.m, off), v) }
func (r *Ring) swap(off int, v uint64) (o uint64) { return atomic.SwapUint64(word(r.m, off), v) }
