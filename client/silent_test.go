package client

import (
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stet/server/wire"
)

// TestAServerThatNeverGreetsIsGivenUp: the deadline has to be on the connection that is read.
func TestAServerThatNeverGreetsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, b := net.Pipe()
		go io.Copy(io.Discard, b)
		begun := time.Now()
		_, err := greet(t.Context(), a, wire.Hello{})
		if err == nil || !strings.Contains(err.Error(), "does not answer within 15s") {
			t.Errorf("%v", err)
		}
		if d := time.Since(begun); d != handshakeTime {
			t.Errorf("after %v", d)
		}
		b.Close()
	})
}

// TestAServerThatOnlyEndsIsGivenUp: one that goes away without a word is tried again, for a while.
func TestAServerThatOnlyEndsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dials := 0
		c := Config{Dial: func(context.Context) (net.Conn, bool, string, error) {
			dials++
			a, b := net.Pipe()
			b.Close()
			return a, false, "", nil
		}}
		begun := time.Now()
		_, err := c.connect(t.Context(), &wire.Hello{})
		if err == nil || !strings.Contains(err.Error(), "does not answer within 10s") {
			t.Errorf("%v", err)
		}
		if d := time.Since(begun); d < comeFor || d > comeFor+time.Second || dials < 10 {
			t.Errorf("after %v, %d times", d, dials)
		}
	})
}
