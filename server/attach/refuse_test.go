package attach

import (
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"stet/server/wire"
)

func TestRefuse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		go Refuse(ours, "b", "no room")
		w := wire.NewConn(theirs)
		if err := w.Send(wire.KindHello, wire.Hello{Min: wire.MinVersion, Max: wire.MaxVersion}); err != nil {
			t.Fatal(err)
		}
		k, body, err := w.Receive()
		var r wire.Refusal
		if err != nil || k != wire.KindRefusal || wire.Decode(k, body, &r) != nil || r.Reason != "no room" {
			t.Errorf("kind %d %q %v", k, body, err)
		}
		if _, _, err := w.Receive(); err != io.EOF {
			t.Errorf("behind the refusal: %v", err)
		}
	})
}

func TestRefuseDoesNotWaitForTheSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, _ := net.Pipe()
		begun := time.Now()
		Refuse(ours, "b", "no room")
		if d := time.Since(begun); d != helloTime {
			t.Errorf("after %v", d)
		}
	})
}
