// Package buffer keeps the paste buffers of a server: pieces of text with a name, the newest first.
//
// Names, order and limits are tmux's: a buffer that nobody named gets the next free "buffer0",
// "buffer1", …, is called automatic, and goes when there are more of these than the option
// buffer-limit allows; one that somebody named stays. Count and bytes are bounded beside that.
//
// A Store has one owner, the server's core loop, and no locks. What it gives out is never changed
// afterwards, so it may be kept and read anywhere. It does no input or output.
package buffer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Bounds of a store. They keep a flood of copies from growing it without end.
const (
	MaxBytes = 16 << 20 // of one buffer
	MaxTotal = 64 << 20 // of all; the oldest automatic ones go first
	MaxCount = 1024     // buffers, named ones too
	MaxName  = 256      // bytes of a name
)

// Buffer is one piece of text. Its data is never changed; a change makes another Buffer.
type Buffer struct {
	Name      string
	Data      []byte
	Created   time.Time
	Automatic bool // named by the store
	Withheld  bool `cbor:",omitempty"` // it comes out of a pane of which nothing is written to disk, so it is not, either
}

// Store is all buffers. The zero value is empty and ready for use.
type Store struct {
	list  []*Buffer // newest first
	bytes int
	next  int // number that the next automatic name tries first
}

// Len is how many buffers there are, Bytes how much they hold.
func (s *Store) Len() int   { return len(s.list) }
func (s *Store) Bytes() int { return s.bytes }

// All returns the buffers, the newest first.
func (s *Store) All() []*Buffer { return slices.Clone(s.list) }

// Top is the newest buffer, nil when there is none.
func (s *Store) Top() *Buffer {
	if len(s.list) == 0 {
		return nil
	}
	return s.list[0]
}

// Get returns a buffer by name, or nil.
func (s *Store) Get(name string) *Buffer {
	if i := s.index(name); i >= 0 {
		return s.list[i]
	}
	return nil
}

func (s *Store) index(name string) int {
	return slices.IndexFunc(s.list, func(b *Buffer) bool { return b.Name == name })
}

// Add makes an automatic buffer named after a prefix, "buffer" when that is empty, and drops the oldest
// automatic ones beyond limit. Empty text makes none. It returns the name.
func (s *Store) Add(prefix string, data []byte, limit int, now time.Time) (string, error) {
	if len(data) == 0 {
		return "", nil
	}
	if prefix == "" {
		prefix = "buffer"
	}
	if len(prefix) > MaxName-16 {
		return "", errors.New("buffer name is too long")
	}
	for s.automatic() >= max(limit, 1) && s.dropOldest() {
	}
	name := fmt.Sprint(prefix, s.next)
	for s.next++; s.Get(name) != nil; s.next++ {
		name = fmt.Sprint(prefix, s.next)
	}
	return name, s.put(&Buffer{Name: name, Data: slices.Clone(data), Created: now, Automatic: true})
}

// Set gives a named buffer its text, which makes it the newest; it is not automatic from then on. Empty
// text changes nothing.
func (s *Store) Set(name string, data []byte, now time.Time) error {
	switch {
	case name == "":
		return errors.New("empty buffer name")
	case len(name) > MaxName || strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return fmt.Errorf("a buffer's name has at most %d bytes and no control characters", MaxName)
	case len(data) == 0:
		return nil
	case len(data) > MaxBytes:
		return s.tooLarge(data)
	}
	s.Delete(name)
	return s.put(&Buffer{Name: name, Data: slices.Clone(data), Created: now})
}

// Delete takes a buffer away and tells whether it was there.
func (s *Store) Delete(name string) bool {
	i := s.index(name)
	if i < 0 {
		return false
	}
	s.bytes -= len(s.list[i].Data)
	s.list = slices.Delete(s.list, i, i+1)
	return true
}

// Rename gives a buffer another name, in place of one that had it. It keeps its place in the order.
func (s *Store) Rename(from, to string) error {
	i := s.index(from)
	switch {
	case to == "":
		return errors.New("new name is empty")
	case i < 0:
		return fmt.Errorf("no buffer %s", from)
	case len(to) > MaxName:
		return errors.New("buffer name is too long")
	}
	renamed := *s.list[i]
	renamed.Name, renamed.Automatic = to, false
	s.list[i] = &renamed
	if j := slices.IndexFunc(s.list, func(b *Buffer) bool { return b.Name == to && b != &renamed }); j >= 0 {
		s.bytes -= len(s.list[j].Data)
		s.list = slices.Delete(s.list, j, j+1)
	}
	return nil
}

// Replace gives a buffer another text; it keeps its name and its place in the order. Empty text changes nothing.
func (s *Store) Replace(name string, data []byte) error {
	i := s.index(name)
	switch {
	case i < 0:
		return fmt.Errorf("no buffer %s", name)
	case len(data) == 0:
		return nil
	case len(data) > MaxBytes:
		return s.tooLarge(data)
	}
	old := s.list[i]
	if rest := s.bytes - len(old.Data); rest+len(data) > MaxTotal {
		return fmt.Errorf("the paste buffers are full (%d bytes): delete-buffer makes room", s.bytes)
	}
	changed := *old
	changed.Data = slices.Clone(data)
	s.list[i] = &changed
	s.bytes += len(data) - len(old.Data)
	return nil
}

// Withhold notes that a buffer is not to be written to disk.
func (s *Store) Withhold(name string) {
	if i := s.index(name); i >= 0 {
		b := *s.list[i]
		b.Withheld = true
		s.list[i] = &b
	}
}

// put makes room for a buffer and puts it first.
func (s *Store) put(b *Buffer) error {
	if len(b.Data) > MaxBytes {
		return s.tooLarge(b.Data)
	}
	for s.bytes+len(b.Data) > MaxTotal || len(s.list) >= MaxCount {
		if !s.dropOldest() {
			return fmt.Errorf("the paste buffers are full (%d buffers, %d bytes): delete-buffer makes room", len(s.list), s.bytes)
		}
	}
	s.list = slices.Insert(s.list, 0, b)
	s.bytes += len(b.Data)
	return nil
}

func (s *Store) tooLarge(data []byte) error {
	return fmt.Errorf("a paste buffer holds at most %d bytes, not %d", MaxBytes, len(data))
}

func (s *Store) automatic() int {
	n := 0
	for _, b := range s.list {
		if b.Automatic {
			n++
		}
	}
	return n
}

// dropOldest drops the oldest automatic buffer, and says whether there was one.
func (s *Store) dropOldest() bool {
	for _, b := range slices.Backward(s.list) {
		if b.Automatic {
			return s.Delete(b.Name)
		}
	}
	return false
}
