package ring

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"
)

// pair is two state slots and the word that tells which one counts. A checkpoint is written to the other one in full and
// published by one atomic store, so a kill at any instruction leaves the old or the new one.
type pair struct {
	active *uint64
	slot   [2][]byte
}

// A slot starts with this head: two words of the caller, length, checksum.
const (
	slotHead = 64

	sMeta  = 0 // and 8
	sLen   = 16
	sSum   = 24
	noPair = "this mapping has no state slots"
)

// ErrTooLarge is returned by a checkpoint whose state does not fit a slot.
var ErrTooLarge = errors.New("state does not fit its slot")

func (p *pair) idle() []byte {
	if atomic.LoadUint64(p.active) == 1 {
		return p.slot[1]
	}
	return p.slot[0]
}

func (p *pair) checkpoint(meta [2]uint64, write func([]byte) (int, error)) error {
	if p.active == nil {
		return errors.New(noPair)
	}
	s := p.idle()
	body := s[slotHead:]
	n, err := write(body)
	if err != nil {
		return err
	}
	if n < 0 || n > len(body) {
		return fmt.Errorf("%d bytes: %w", n, ErrTooLarge)
	}
	crash("checkpoint-mid")
	binary.LittleEndian.PutUint64(s[sMeta:], meta[0])
	binary.LittleEndian.PutUint64(s[sMeta+8:], meta[1])
	binary.LittleEndian.PutUint64(s[sLen:], uint64(n))
	binary.LittleEndian.PutUint64(s[sSum:], slotSum(s, n))
	crash("checkpoint-unpublished")
	which := uint64(1)
	if &s[0] == &p.slot[1][0] {
		which = 2
	}
	atomic.StoreUint64(p.active, which)
	crash("checkpoint-published")
	return nil
}

// load gives the published state, nil if there never was one. The slice is memory of the slot; it stays as it is until the
// checkpoint after the next.
func (p *pair) load() (meta [2]uint64, state []byte, err error) {
	if p.active == nil {
		return meta, nil, errors.New(noPair)
	}
	a := atomic.LoadUint64(p.active)
	if a == 0 {
		return meta, nil, nil
	}
	if a > 2 {
		return meta, nil, fmt.Errorf("checkpoint: slot %d does not exist", a)
	}
	s := p.slot[a-1]
	n := binary.LittleEndian.Uint64(s[sLen:])
	if n > uint64(len(s)-slotHead) {
		return meta, nil, fmt.Errorf("checkpoint: length %d is more than its slot", n)
	}
	if binary.LittleEndian.Uint64(s[sSum:]) != slotSum(s, int(n)) {
		return meta, nil, errors.New("checkpoint: checksum differs")
	}
	meta = [2]uint64{binary.LittleEndian.Uint64(s[sMeta:]), binary.LittleEndian.Uint64(s[sMeta+8:])}
	return meta, s[slotHead:][:n:n], nil
}

// slotSum covers the words of the head before the sum, and the state.
func slotSum(s []byte, n int) uint64 {
	t := crc32.MakeTable(crc32.Castagnoli) // made once by the library; the processor has an instruction for it
	return uint64(crc32.Update(crc32.Checksum(s[:sSum], t), t, s[slotHead:][:n]))
}

// Slots is a two-slot checkpoint in memory of its own, for the server's model. The keeper holds it, the server writes it.
type Slots struct {
	m    []byte
	size int
	fd   int
	pair pair
}

const (
	slotsMagic = 0x31544c5354455453 // "STETSLT1"
	lMagic     = 0
	lActive    = 64
)

// CreateSlots makes the memory, with two slots of size bytes (a multiple of 4096, at most MaxSlot). The Slots own the descriptor.
func CreateSlots(size int) (*Slots, error) {
	if size < MinSlot || size > MaxSlot || size%pageSize != 0 {
		return nil, fmt.Errorf("slots of %d bytes", size)
	}
	fd, err := sealedMemory("stet-model", hdrSize+2*int64(size), hdrSize)
	if err != nil {
		return nil, fmt.Errorf("model memory: %w", err)
	}
	s, err := MapSlots(fd)
	if err != nil {
		unix.Close(fd)
		return nil, err
	}
	s.fd = fd
	s.Relabel()
	return s, nil
}

// Relabel puts right what MapSlots goes by, for who created the memory, and says whether it was wrong; see [Ring.Relabel].
func (s *Slots) Relabel() (wrong bool) {
	return atomic.SwapUint64(word(s.m, lMagic), slotsMagic) != slotsMagic
}

// MapSlots maps memory made by CreateSlots. The size of the slots follows from the sealed size alone. The descriptor stays the caller's.
func MapSlots(fd int) (*Slots, error) {
	n, err := sealedSize(fd)
	if err != nil {
		return nil, fmt.Errorf("model memory: %w", err)
	}
	size := (n - hdrSize) / 2
	if size < MinSlot || size > MaxSlot || hdrSize+2*size != n {
		return nil, fmt.Errorf("model memory: odd size %d", n)
	}
	m, err := unix.Mmap(fd, 0, int(n), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("model memory: %w", err)
	}
	if magic := atomic.LoadUint64(word(m, lMagic)); magic != slotsMagic && magic != 0 {
		unix.Munmap(m)
		return nil, fmt.Errorf("model memory: unknown layout %#x", magic)
	}
	return &Slots{m: m, size: int(size), fd: -1, pair: pair{
		active: word(m, lActive),
		slot:   [2][]byte{m[hdrSize:][:size:size], m[hdrSize+size:][:size:size]},
	}}, nil
}

// AdoptSlots maps memory that CreateSlots has made in a program before this one in the same process. The Slots own the descriptor.
func AdoptSlots(fd int) (*Slots, error) {
	s, err := MapSlots(fd)
	if err == nil {
		s.fd = fd
	}
	return s, err
}

// Checkpoint lets write fill a slot and publishes it. One caller at a time.
func (s *Slots) Checkpoint(write func(dst []byte) (int, error)) error {
	return s.pair.checkpoint([2]uint64{}, write)
}

// Load gives what was published last, nil and no error if nothing was. The slice stays as it is until the second Checkpoint from now.
func (s *Slots) Load() ([]byte, error) {
	_, b, err := s.pair.load()
	return b, err
}

// Capacity is the longest state that fits, in bytes.
func (s *Slots) Capacity() int { return s.size - slotHead }

// Punch gives the memory of the idle slot back.
func (s *Slots) Punch() { punch(s.pair.idle()) }

// Descriptor is the file descriptor that CreateSlots made, -1 after MapSlots.
func (s *Slots) Descriptor() int { return s.fd }

// Close takes the mapping away, and the descriptor if it is owned.
func (s *Slots) Close() error {
	m, fd := s.m, s.fd
	s.m, s.pair, s.fd = nil, pair{}, -1
	err := unix.Munmap(m)
	if fd >= 0 {
		err = errors.Join(err, unix.Close(fd))
	}
	return err
}

func address(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
