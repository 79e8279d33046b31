package key

import "bytes"

// User0 is the first of the keys that a person names: sequences of the outer terminal that are no other key. They
// follow each other. Programs never get them.
const User0 Key = 0x130000

// MaxUser is how many there are, MaxUserBytes bounds a sequence.
const (
	MaxUser      = 1000
	MaxUserBytes = 64
)

// UserKey is a sequence of bytes that is User<Number>.
type UserKey struct {
	Number   int
	Sequence []byte
}

func (k Key) isUser() bool { return k >= User0 && k < User0+MaxUser }

// user takes a key of the person's own off b. more says that b may be the beginning of one.
func (d *Decoder) user(b []byte) (e Event, n int, more bool) {
	for _, u := range d.User {
		switch {
		case u.Number < 0 || u.Number >= MaxUser || len(u.Sequence) == 0 || len(u.Sequence) > MaxUserBytes:
		case len(u.Sequence) > n && bytes.HasPrefix(b, u.Sequence):
			e, n = Event{Key: User0 + Key(u.Number)}, len(u.Sequence)
		case len(u.Sequence) > len(b) && bytes.HasPrefix(u.Sequence, b):
			more = true
		}
	}
	return e, n, more
}
