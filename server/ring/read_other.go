//go:build !linux

package ring

import (
	"errors"
	"os"
	"syscall"
)

// Supported tells whether this system could have the exact read at all. Here it is not proved that a read moves what was announced,
// so the keeper reads.
const Supported = false

// ErrUnsupported is what everything about the exact read says here.
var ErrUnsupported = errors.New("no exact read on this system")

// ExactReader is a pane's exact read.
type ExactReader struct{}

// Reader exists so that callers need not tell systems apart; its Read fails.
func (t *Stage) Reader(syscall.RawConn, *Ring, uint64) *ExactReader { return &ExactReader{} }

// Read fails with ErrUnsupported.
func (x *ExactReader) Read() (int, error) { return 0, ErrUnsupported }

// Read fails with ErrUnsupported.
func (t *Stage) Read(syscall.RawConn, *Ring, uint64) (int, error) { return 0, ErrUnsupported }

// Probe fails with ErrUnsupported.
func (t *Stage) Probe(func() (master, slave *os.File, err error)) error { return ErrUnsupported }

// PacketMode does nothing: masters are read by the keeper without it.
func PacketMode(int, bool) error { return nil }
