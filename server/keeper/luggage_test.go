package keeper

import (
	"bytes"
	"strings"
	"testing"

	"stet/server/sock"
)

func TestLuggage(t *testing.T) {
	for _, want := range []string{"", "x", strings.Repeat("much ", 1<<20)} {
		l, err := NewLuggage()
		if err != nil {
			t.Fatal(err)
		}
		open := func() []byte {
			fd, err := sock.Duplicate(l.f)
			if err != nil {
				t.Fatal(err)
			}
			return unpack(fd)
		}
		if b := open(); b != nil {
			t.Errorf("before it was filled: %q", b)
		}
		if err := l.Fill([]byte(want)); err != nil {
			t.Fatal(err)
		}
		if b := open(); b == nil || !bytes.Equal(b, []byte(want)) {
			t.Errorf("%d bytes of %d", len(b), len(want))
		}
		if len(want) > 0 {
			if _, err := l.f.WriteAt([]byte("y"), luggageHead); err != nil {
				t.Fatal(err)
			}
			if b := open(); b != nil {
				t.Errorf("damaged: %d bytes", len(b))
			}
		}
		l.Close()
	}
}
