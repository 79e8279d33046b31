package keeper

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// Luggage is what a server that makes room for another leaves to it beside what is checkpointed anyway. The keeper holds it, without looking, until
// the next server serves. It may be filled after it was handed over; what was not filled to the end is not there.
type Luggage struct{ f *os.File }

// maxLuggage bounds what is read, in bytes.
const maxLuggage = 256 << 20

// luggageHead is the length and the checksum in front of the content.
const luggageHead = 16

// NewLuggage makes an empty one.
func NewLuggage() (*Luggage, error) {
	f, err := anonymousFile("stet-luggage")
	if err != nil {
		return nil, fmt.Errorf("memory for the next server: %w", err)
	}
	return &Luggage{f}, nil
}

// Fill puts the content in, once. The head comes last.
func (l *Luggage) Fill(b []byte) error {
	if len(b) > maxLuggage {
		return fmt.Errorf("%d bytes for the next server are more than %d", len(b), maxLuggage)
	}
	if _, err := l.f.WriteAt(b, luggageHead); err != nil {
		return fmt.Errorf("memory for the next server: %w", err)
	}
	var head [luggageHead]byte
	binary.LittleEndian.PutUint64(head[:], uint64(len(b)))
	binary.LittleEndian.PutUint64(head[8:], luggageSum(b))
	if _, err := l.f.WriteAt(head[:], 0); err != nil {
		return fmt.Errorf("memory for the next server: %w", err)
	}
	return nil
}

// Close lets go of it here.
func (l *Luggage) Close() error { return l.f.Close() }

func luggageSum(b []byte) uint64 {
	return uint64(crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli))) + 1 // never that of an empty file
}

// unpack reads what Fill has written, nil if it was not filled to the end. It takes over fd.
func unpack(fd int) []byte {
	f := os.NewFile(uintptr(fd), "luggage")
	if f == nil {
		return nil
	}
	defer f.Close()
	var head [luggageHead]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil
	}
	n := binary.LittleEndian.Uint64(head[:])
	st, err := f.Stat()
	if err != nil || n > maxLuggage || int64(n) > st.Size() {
		return nil
	}
	b := make([]byte, n)
	if _, err := f.ReadAt(b, luggageHead); err != nil && !(errors.Is(err, io.EOF) && n == 0) {
		return nil
	}
	if luggageSum(b) != binary.LittleEndian.Uint64(head[8:]) {
		return nil
	}
	return b
}

// drop lets go of the luggage, with the mutex held.
func (c *change) drop() {
	if c.luggage > 0 {
		unix.Close(c.luggage)
	}
	c.luggage = 0
}
