package client

import (
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"stet/server/wire"
)

// TestFrameWhileTheShellHasTheTerminal: one that comes between leaving the terminal and stopping is not
// written into what the shell shows, and stands there when the terminal is taken again.
func TestFrameWhileTheShellHasTheTerminal(t *testing.T) {
	tt := newTerminal(t, 40, 6)
	dev, err := openDevice(tt.slave, tt.slave)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.close()
	if err := dev.raw(); err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe()
	go io.Copy(io.Discard, there)
	l := newLink(here)
	defer there.Close()
	defer l.close()
	d := newDrawer(dev, "xterm", func(any) {})
	defer func() {
		d.stop(leaveTime)
		d.screen.Close()
	}()
	d.enter(true)
	go d.run()
	p := newPicture(40, 6)
	p.ascii(0, 0, "before", wire.Pen{})
	d.pushFrame(p.frame(nil), l, true)
	tt.shows("before")
	d.leave(10 * time.Second)
	q := p.clone()
	q.ascii(0, 1, "meanwhile", wire.Pen{Attr: bold})
	d.pushFrame(q.frame(p), l, false)
	d.enter(false)
	tt.wait("the picture", func(o *outer) bool { return o.diff(q) == "" })
	tt.mu.Lock()
	defer tt.mu.Unlock()
	_, after, _ := strings.Cut(string(tt.raw), "\x1b[?1049l")
	if shell, _, ok := strings.Cut(after, "\x1b[?1049h"); !ok || strings.Contains(shell, "meanwhile") {
		t.Errorf("in the shell's hands the terminal got %q", shell)
	}
}
