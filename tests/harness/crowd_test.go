package harness

import (
	"net"
	"strings"
	"testing"

	"stet/server/sock"
)

// More connections than the server serves: one more is refused in words, and when they are gone all is
// well again.
func TestTooManyConnections(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "a")
	var crowd []net.Conn
	leave := func() {
		for _, c := range crowd {
			c.Close()
		}
	}
	defer leave()
	for range 256 {
		c, err := sock.Dial(w.Paths.Socket)
		if err != nil {
			t.Fatal(err)
		}
		crowd = append(crowd, c)
	}
	if r := w.Try("list-sessions"); r.Code == 0 || !strings.Contains(r.Err, "takes no more") {
		t.Errorf("%d %q %q", r.Code, r.Out, r.Err)
	}
	leave()
	w.Wait("room", func() bool { return w.Try("list-sessions").Code == 0 })
}
