package client

import (
	"bytes"
	"testing"
	"time"

	"stet/server/wire"
)

// BenchmarkEcho is the way of a key through a client in a process of its own: from the terminal to the
// server, which answers at once with a frame of one cell, and back. Besides the time it tells the
// processor time of the client.
func BenchmarkEcho(b *testing.B) {
	s := newFakeServer(b)
	tt := newTerminal(b, 200, 50)
	tt.start(s, "")
	p := s.accept()
	p.send(wire.KindAttached, wire.Attached{Session: "0", EscapeTime: 20})
	pic := newPicture(200, 50)
	pic.ascii(0, 0, "hello", wire.Pen{})
	if err := p.wire.SendFrame(0, wire.AppendFrame(nil, pic.frame(nil))); err != nil {
		b.Fatal(err)
	}
	tt.shows("hello")
	for features := false; !features; {
		k, _, err := p.wire.Receive()
		if err != nil {
			b.Fatal(err)
		}
		features = k == wire.KindFeatures
	}
	tt.master.SetReadDeadline(time.Unix(1, 0)) // from here on the terminal is ours
	tt.wait("the reader's end", func(*outer) bool { return tt.ended })
	tt.master.SetReadDeadline(time.Time{})

	buf := make([]byte, 4096)
	var out []byte
	cell := []wire.Cell{0}
	b.ResetTimer()
	for i := range b.N {
		c := byte('A' + i%26)
		if _, err := tt.master.Write([]byte{c}); err != nil {
			b.Fatal(err)
		}
		for {
			k, body, err := p.wire.Receive()
			if err != nil {
				b.Fatal(err)
			}
			if k != wire.KindInput {
				continue
			}
			in, err := wire.DecodeInput(body)
			if err != nil {
				b.Fatal(err)
			}
			cell[0] = wire.Cell(c) | widthOne
			x := i % 190
			out = wire.AppendFrame(out[:0], &wire.Frame{Seq: uint64(i + 2), W: 200, H: 50,
				Runs: []wire.Run{{X: x, Y: 3, Cells: cell}}, Cursor: wire.Cursor{Visible: true, X: x + 1, Y: 3}})
			if err := p.wire.SendFrame(in.Seq, out); err != nil {
				b.Fatal(err)
			}
			break
		}
		for {
			n, err := tt.master.Read(buf)
			if err != nil {
				b.Fatal(err)
			}
			if bytes.IndexByte(buf[:n], c) >= 0 {
				break
			}
		}
	}
	b.StopTimer()
	p.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
	<-tt.exited
	cpu := tt.cmd.ProcessState.UserTime() + tt.cmd.ProcessState.SystemTime()
	b.ReportMetric(float64(cpu.Microseconds())/float64(b.N), "client-cpu-µs/op")
}
