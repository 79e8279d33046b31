package attach

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"stet/layout"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt"
	"stet/vt/key"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Everything here runs in a bubble of testing/synctest: its clock moves only when all goroutines
// wait, so that delays are exact and "nothing more comes" can be seen. The connection is a net.Pipe,
// in which a Write ends only when the other side has read all of it: a client that does not read
// stops its writer at the first byte.

// guest is a client as the package sees it, and the handler of its events.
type guest struct {
	t    *testing.T
	conn net.Conn
	wire *wire.Conn
	c    *Client // after the hello

	events []Event
	gone   int
	ended  atomic.Bool // Serve has returned

	mu  sync.Mutex
	got []received
	err error // of the last Receive
}

type received struct {
	kind  wire.Kind
	body  []byte
	frame *wire.Frame
	at    time.Time
}

func hello() wire.Hello {
	return wire.Hello{Min: wire.MinVersion, Max: wire.MaxVersion, Build: "client 1", Cols: 20, Rows: 4}
}

// serve starts Serve over a new connection. The events of the client are noted; on is called for
// each, too, where it is not nil.
func serve(t *testing.T, on func(*Client, Event)) *guest {
	ours, theirs := net.Pipe()
	g := &guest{t: t, conn: theirs, wire: wire.NewConn(theirs)}
	go func() {
		Serve(ours, "build 7", 42, func(c *Client, e Event) {
			if e.Kind == Hello {
				g.c = c
			}
			if g.gone > 0 {
				t.Errorf("event %d after Gone", e.Kind)
			}
			if e.Kind == Gone {
				g.gone++
			}
			g.events = append(g.events, e)
			if on != nil {
				on(c, e)
			}
		})
		g.ended.Store(true)
	}()
	return g
}

// connect is a client that was accepted and reads what comes.
func connect(t *testing.T, on func(*Client, Event)) *guest {
	t.Helper()
	g := serve(t, on)
	g.accept()
	go g.read()
	synctest.Wait()
	return g
}

func (g *guest) accept() {
	g.t.Helper()
	g.send(wire.KindHello, hello())
	k, body, err := g.wire.Receive()
	var w wire.Welcome
	if err != nil || k != wire.KindWelcome || wire.Decode(k, body, &w) != nil {
		g.t.Fatalf("answer to hello: kind %d, %v", k, err)
	}
	if want := (wire.Welcome{Version: wire.MaxVersion, Build: "build 7", Pid: 42}); w != want {
		g.t.Fatalf("welcome %+v", w)
	}
}

func (g *guest) send(k wire.Kind, v any) {
	g.t.Helper()
	if err := g.wire.Send(k, v); err != nil {
		g.t.Fatal(err)
	}
}

// read takes what comes until the connection ends, acknowledging nothing.
func (g *guest) read() {
	for {
		k, body, err := g.wire.Receive()
		g.mu.Lock()
		if err != nil {
			g.err = err
			g.mu.Unlock()
			return
		}
		r := received{kind: k, body: append([]byte(nil), body...), at: time.Now()}
		if k == wire.KindFrame {
			if r.frame, err = wire.DecodeFrame(r.body); err != nil {
				g.t.Error(err)
			}
		}
		g.got = append(g.got, r)
		g.mu.Unlock()
	}
}

// settle waits until nothing moves any more and returns what has come since the last time.
func (g *guest) settle() []received {
	synctest.Wait()
	g.mu.Lock()
	defer g.mu.Unlock()
	got := g.got
	g.got = nil
	return got
}

// kinds waits as settle and names what came.
func (g *guest) kinds() string { return names(g.settle()) }

func names(got []received) string {
	var out []string
	for _, r := range got {
		switch r.kind {
		case wire.KindFrame:
			out = append(out, "frame")
		case wire.KindInputAck:
			var a wire.InputAck
			_ = wire.Decode(r.kind, r.body, &a)
			out = append(out, fmt.Sprint("ack ", a.Seq))
		case wire.KindAttached:
			out = append(out, "attached")
		case wire.KindOutput:
			var o wire.Output
			_ = wire.Decode(r.kind, r.body, &o)
			out = append(out, string(o.Text))
		case wire.KindExit:
			out = append(out, "exit")
		case wire.KindOuter:
			out = append(out, "outer")
		default:
			out = append(out, fmt.Sprint("kind ", r.kind))
		}
	}
	return strings.Join(out, ", ")
}

// lastFrame is the newest frame of what came.
func lastFrame(t *testing.T, got []received) *wire.Frame {
	t.Helper()
	for i := len(got) - 1; i >= 0; i-- {
		if got[i].frame != nil {
			return got[i].frame
		}
	}
	t.Fatal("no frame came")
	return nil
}

// text is the letters of a frame's runs.
func text(f *wire.Frame) string {
	var b strings.Builder
	for _, r := range f.Runs {
		for _, c := range r.Cells {
			if c.Rune() != ' ' {
				b.WriteRune(c.Rune())
			}
		}
	}
	return b.String()
}

// leave ends the client and waits for Serve.
func (g *guest) leave() {
	g.t.Helper()
	g.send(wire.KindLeave, nil)
	synctest.Wait()
	g.over()
	g.conn.Close()
}

// over checks that Serve has returned, after one Gone.
func (g *guest) over() {
	g.t.Helper()
	synctest.Wait()
	if !g.ended.Load() {
		g.t.Fatal("Serve has not returned")
	}
	if g.gone != 1 {
		g.t.Fatalf("%d times gone", g.gone)
	}
}

func (g *guest) goneErr() error { return g.events[len(g.events)-1].Err }

// program is a source of pictures.
type program struct {
	mu   sync.Mutex
	term *vt.Terminal
}

func newProgram() *program { return &program{term: vt.New(vt.Options{Cols: 20, Rows: 4})} }

func (p *program) print(s string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.term.Write([]byte(s))
}

func (p *program) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.term.View(have, gen, back)
}

func spec(p *program) *scene.Spec {
	return &scene.Spec{
		W: 20, H: 4, Window: scene.Size{W: 20, H: 4}, Tree: layout.New(20, 4, 0),
		Panes: []scene.Pane{{ID: 0, Rect: layout.Rect{W: 20, H: 4}, Source: p, Active: true}},
	}
}

// attached is a client that shows a program and has acknowledged its first frame.
func attached(t *testing.T) (*guest, *program) {
	t.Helper()
	g, p := connect(t, nil), newProgram()
	g.c.Attach(wire.Attached{Session: "0"})
	g.c.Show(spec(p))
	f := lastFrame(t, g.settle())
	g.send(wire.KindAck, wire.Ack{Frame: f.Seq})
	time.Sleep(time.Second) // whatever interval the next frame keeps from the first is over
	if k := g.kinds(); k != "" {
		t.Fatalf("after the first frame came: %s", k)
	}
	return g, p
}

func input(seq uint64, text string) wire.Input {
	var b []byte
	for _, r := range text {
		b = key.Marshal(b, key.Event{Key: key.Key(r)})
	}
	return wire.Input{Seq: seq, Data: b}
}

func TestAClientThatSaysNothingIsLetGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := time.Now()
		g := serve(t, nil)
		if _, err := g.conn.Read(make([]byte, 1)); err != io.EOF {
			t.Fatalf("the silent connection was answered: %v", err)
		}
		synctest.Wait()
		if d := time.Since(begun); d != helloTime || !g.ended.Load() || len(g.events) > 0 {
			t.Fatalf("after %v: ended %v, events %v", d, g.ended.Load(), g.events)
		}
	})
}

func TestAClientThatBeginsWronglyIsLetGo(t *testing.T) {
	for name, begin := range map[string]func(*wire.Conn) error{
		"input first":     func(c *wire.Conn) error { return c.SendInput(input(1, "x")) },
		"an unknown kind": func(c *wire.Conn) error { return c.Send(200, nil) },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := serve(t, nil)
				if err := begin(g.wire); err != nil {
					t.Fatal(err)
				}
				if k, body, err := g.wire.Receive(); err == nil {
					t.Fatalf("it was answered: kind %d, %q", k, body)
				}
				synctest.Wait()
				if !g.ended.Load() || len(g.events) > 0 {
					t.Fatalf("ended %v, events %v", g.ended.Load(), g.events)
				}
			})
		})
	}
}

func TestAnotherVersionIsRefusedInWords(t *testing.T) {
	for _, v := range [][2]int{{wire.MaxVersion + 1, wire.MaxVersion + 5}, {-3, wire.MinVersion - 1}} {
		try := "stet upgrade"
		if v[0] < 0 {
			exe, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			try = exe
		}
		synctest.Test(t, func(t *testing.T) {
			g := serve(t, nil)
			h := hello()
			h.Min, h.Max = v[0], v[1]
			g.send(wire.KindHello, h)
			k, body, err := g.wire.Receive()
			var r wire.Refusal
			if err != nil || k != wire.KindRefusal || wire.Decode(k, body, &r) != nil {
				t.Fatalf("kind %d, %v", k, err)
			}
			for _, want := range []string{"build 7", "pid 42", "client 1", try, fmt.Sprintf("%d to %d", v[0], v[1])} {
				if !strings.Contains(r.Reason, want) {
					t.Errorf("%q does not name %q", r.Reason, want)
				}
			}
			if r.Min != wire.MinVersion || r.Max != wire.MaxVersion || r.Build != "build 7" {
				t.Errorf("%+v", r)
			}
			synctest.Wait()
			if !g.ended.Load() || len(g.events) > 0 {
				t.Fatalf("ended %v, events %v", g.ended.Load(), g.events)
			}
		})
	}
}

func TestWhoUpgradesIsServedWhateverItsVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := serve(t, nil)
		h := hello()
		h.Min, h.Max, h.Argv = wire.MaxVersion+1, wire.MaxVersion+1, []string{"upgrade", "--binary=/new"}
		g.send(wire.KindHello, h)
		k, body, err := g.wire.Receive()
		var w wire.Welcome
		if err != nil || k != wire.KindWelcome || wire.Decode(k, body, &w) != nil || w.Version != wire.MaxVersion {
			t.Fatalf("kind %d, %+v, %v", k, w, err)
		}
		g.conn.Close()
		synctest.Wait()
	})
}

func TestAGreetingThatCannotBeReadIsRefusedInWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := serve(t, nil)
		if err := g.wire.SendRaw(wire.KindHello, []byte("\xff\x00nonsense")); err != nil {
			t.Fatal(err)
		}
		k, body, err := g.wire.Receive()
		var r wire.Refusal
		if err != nil || k != wire.KindRefusal || wire.Decode(k, body, &r) != nil || !strings.Contains(r.Reason, "greeting") {
			t.Fatalf("kind %d, %+v, %v", k, r, err)
		}
		synctest.Wait()
		if !g.ended.Load() || len(g.events) > 0 {
			t.Fatalf("ended %v, events %v", g.ended.Load(), g.events)
		}
	})
}

func TestANewerClientThatSpeaksOursIsWelcome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := serve(t, nil)
		h := hello()
		h.Max = wire.MaxVersion + 9
		h.Cols, h.Rows = 1<<30, -7
		g.send(wire.KindHello, h)
		k, body, err := g.wire.Receive()
		var w wire.Welcome
		if err != nil || k != wire.KindWelcome || wire.Decode(k, body, &w) != nil || w.Version != wire.MaxVersion {
			t.Fatalf("kind %d, %+v, %v", k, w, err)
		}
		synctest.Wait()
		if g.c.Hello.Cols != wire.MaxSide || g.c.Hello.Rows != 0 {
			t.Errorf("size %dx%d was believed", g.c.Hello.Cols, g.c.Hello.Rows)
		}
		g.leave()
	})
}

// A client that was not welcomed comes again, so what it wants must not have been begun by then.
func TestAWelcomeGoesOutBeforeAnythingIsBegun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begun := make(chan bool)
		g := serve(t, func(c *Client, e Event) {
			if e.Kind == Hello {
				c.Exit(wire.Exit{Code: 3})
				if begun <- c.Welcome(); c.Welcome() != true {
					t.Error("welcomed and then not")
				}
			}
		})
		g.accept() // while the handler has yet to return
		if !<-begun {
			t.Error("welcomed in vain")
		}
		go g.read()
		if got := g.kinds(); got != "exit" {
			t.Errorf("after the welcome: %s", got)
		}
		g.over()
	})
	synctest.Test(t, func(t *testing.T) {
		g := serve(t, func(c *Client, e Event) {
			if e.Kind == Hello {
				if c.Close(); c.Welcome() {
					t.Error("a client that is closed was welcomed")
				}
			}
		})
		g.send(wire.KindHello, hello())
		go g.read()
		if got := g.settle(); len(got) != 0 {
			t.Errorf("a client that was closed in place of a welcome was told %v", names(got))
		}
		g.over()
	})
}

func TestEventsComeInOrderAndInputOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := connect(t, nil)
		sendInput := func(seq uint64, text string) {
			t.Helper()
			if err := g.wire.SendInput(input(seq, text)); err != nil {
				t.Fatal(err)
			}
		}
		sendInput(1, "ab")
		sendInput(2, "c")
		sendInput(1, "ab") // sent again
		sendInput(2, "c")
		g.send(wire.KindResize, wire.Resize{Cols: 100000, Rows: -1, XPixel: 3})
		g.send(99, "a kind of a later version")
		sendInput(5, "d") // numbers may have gaps
		g.send(wire.KindFeatures, wire.Features{Name: "xterm", Sync: true})
		g.send(wire.KindResumed, nil)
		g.leave()
		var told []string
		for _, e := range g.events {
			s := ""
			for _, k := range e.Keys {
				s += string(rune(k.Key))
			}
			told = append(told, fmt.Sprint(e.Kind, " ", e.Seq, " ", s))
		}
		want := []string{
			fmt.Sprint(Hello, " 0 "), fmt.Sprint(Input, " 1 ab"), fmt.Sprint(Input, " 2 c"), fmt.Sprint(Resize, " 0 "),
			fmt.Sprint(Input, " 5 d"), fmt.Sprint(Features, " 0 "), fmt.Sprint(Resumed, " 0 "), fmt.Sprint(Gone, " 0 "),
		}
		if !reflect.DeepEqual(told, want) {
			t.Fatalf("events\n%q, want\n%q", told, want)
		}
		if r := g.events[3].Resize; r != (wire.Resize{Cols: wire.MaxSide, Rows: 0, XPixel: 3}) {
			t.Errorf("resize %+v", r)
		}
		if f := g.events[5].Features; f != (wire.Features{Name: "xterm", Sync: true}) {
			t.Errorf("features %+v", f)
		}
		if g.goneErr() != nil {
			t.Errorf("an orderly leave is told as %v", g.goneErr())
		}
	})
}

func TestGoneTellsWhyOnce(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*guest)
		want error // nil: any
	}{
		"hung up":                 {func(g *guest) { g.conn.Close() }, io.EOF},
		"input without a number":  {func(g *guest) { g.wire.SendRaw(wire.KindInput, nil) }, nil},
		"input that is no events": {func(g *guest) { g.wire.SendRaw(wire.KindInput, []byte("\x01\xff\xff\xff")) }, nil},
		"a broken resize":         {func(g *guest) { g.wire.SendRaw(wire.KindResize, []byte("\xff")) }, nil},
		"a broken ack":            {func(g *guest) { g.wire.SendRaw(wire.KindAck, []byte("\xff")) }, nil},
		"broken features":         {func(g *guest) { g.wire.SendRaw(wire.KindFeatures, []byte("\xff")) }, nil},
		"too large":               {func(g *guest) { g.conn.Write([]byte{255, 255, 255, 255, 2}) }, wire.ErrTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := connect(t, nil)
				c.do(g)
				g.over()
				if err := g.goneErr(); err == nil || c.want != nil && !errors.Is(err, c.want) {
					t.Errorf("gone with %v", err)
				}
				g.conn.Close()
			})
		})
	}
}

func TestInputIsAcknowledgedWithTheNextFrame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := attached(t)
		g.c.AckInput(7)
		p.print("echo")
		g.c.Ring(true)
		got := g.settle()
		if k := names(got); k != "ack 7, frame" {
			t.Fatalf("came: %s", k)
		}
		if s := text(got[1].frame); s != "echo" {
			t.Errorf("the frame shows %q", s)
		}
		time.Sleep(time.Second)
		if k := g.kinds(); k != "" {
			t.Errorf("and then: %s", k)
		}
		g.leave()
	})
}

func TestInputIsAcknowledgedAloneWhenNothingIsDrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := attached(t)
		g.c.AckInput(1)
		if k := g.kinds(); k != "" {
			t.Fatalf("at once: %s", k) // a frame with the echo will most likely take it along
		}
		time.Sleep(ackDelay / 2)
		g.c.AckInput(2)
		time.Sleep(ackDelay/2 - 1)
		if k := g.kinds(); k != "" {
			t.Fatalf("too early: %s", k)
		}
		time.Sleep(time.Nanosecond)
		if k := g.kinds(); k != "ack 2" {
			t.Fatalf("after %v: %s", ackDelay, k)
		}
		time.Sleep(time.Minute)
		if k := g.kinds(); k != "" {
			t.Fatalf("more than once: %s", k)
		}
		for seq := range uint64(ackEvery) {
			g.c.AckInput(3 + seq)
		}
		if k := g.kinds(); k != fmt.Sprint("ack ", 2+ackEvery) {
			t.Fatalf("after %d batches: %s", ackEvery, k)
		}
		g.leave()
	})
}

func TestInputIsAcknowledgedBeforeAttach(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := connect(t, nil)
		g.c.AckInput(1)
		time.Sleep(ackDelay)
		if k := g.kinds(); k != "ack 1" {
			t.Fatalf("came: %s", k)
		}
		g.leave()
	})
}

func TestMessagesKeepTheirOrderWithFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := connect(t, nil), newProgram()
		p.print("x")
		g.c.Show(spec(p))
		g.c.Ring(true)
		if k := g.kinds(); k != "" {
			t.Fatalf("before it attached: %s", k)
		}
		g.c.Send(wire.KindOutput, wire.Output{Text: []byte("one")})
		g.c.Send(wire.KindOutput, wire.Output{Text: []byte("two")})
		g.c.Attach(wire.Attached{Session: "s"})
		if k := g.kinds(); k != "one, two, attached, frame" {
			t.Fatalf("came: %s", k)
		}
		time.Sleep(time.Second)
		p.print("y")
		g.c.Ring(true)
		g.kinds()
		g.c.Send(wire.KindOuter, wire.Outer{Kind: wire.OuterBell})
		g.c.Exit(wire.Exit{Reason: wire.ExitDetached, Text: "bye"})
		g.c.Send(wire.KindOutput, wire.Output{Text: []byte("behind the exit")})
		g.c.Redraw()
		if k := g.kinds(); k != "outer, exit" && k != "outer, frame, exit" { // the writer may have looked before the exit came
			t.Fatalf("at the end: %s", k)
		}
		g.over()
		if g.goneErr() != nil {
			t.Errorf("an orderly end is told as %v", g.goneErr())
		}
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.err != io.EOF {
			t.Errorf("the connection is not closed: %v", g.err)
		}
	})
}

func TestTwoFramesAtMostAreOnTheirWay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := connect(t, nil), newProgram()
		g.c.Attach(wire.Attached{})
		g.c.Show(spec(p))
		var got []received
		for i := range 50 {
			p.print(fmt.Sprintf("\x1b[H%02d", i))
			g.c.Ring(true)
			time.Sleep(scene.DefaultInterval)
			got = append(got, g.settle()...)
		}
		if k := names(got); k != "attached, frame, frame" {
			t.Fatalf("unacknowledged: %s", k)
		}
		last := lastFrame(t, got)
		// One acknowledgement makes room for one frame, of the newest state.
		g.send(wire.KindAck, wire.Ack{Frame: last.Seq - 1})
		got = g.settle()
		if k := names(got); k != "frame" || text(got[0].frame) != "49" {
			t.Fatalf("after one acknowledgement: %s, %q", k, text(lastFrame(t, got)))
		}
		time.Sleep(time.Minute)
		if k := g.kinds(); k != "" {
			t.Fatalf("without a change: %s", k)
		}
		if n := g.c.Frames(); n != 3 {
			t.Errorf("%d frames counted", n)
		}
		g.leave()
	})
}

func TestTheNewestSpecWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := serve(t, nil)
		g.accept()
		synctest.Wait()
		a, b := newProgram(), newProgram()
		a.print("old")
		b.print("new")
		g.c.Attach(wire.Attached{})
		synctest.Wait() // the writer stands at the first message: nobody reads
		for range 100 {
			g.c.Show(spec(a))
		}
		g.c.Show(spec(b))
		go g.read()
		got := g.settle()
		time.Sleep(time.Second)
		got = append(got, g.settle()...)
		if k := names(got); k != "attached, frame" {
			t.Fatalf("came: %s", k)
		}
		if s := text(got[1].frame); s != "new" {
			t.Fatalf("shown: %q", s)
		}
		g.leave()
	})
}

func TestAStoppedClientCostsABoundedAmountAndIsDropped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := serve(t, nil)
		g.accept() // and reads no more
		synctest.Wait()
		big := wire.Output{Text: make([]byte, 4<<20)}
		sent := 0
		for !g.ended.Load() {
			g.c.Send(wire.KindOutput, big)
			synctest.Wait()
			if sent += len(big.Text); sent > 2*maxOutbox {
				t.Fatalf("%d bytes wait", sent)
			}
		}
		if sent < maxOutbox {
			t.Errorf("dropped after %d bytes", sent)
		}
		g.over()
		if err := g.goneErr(); err == nil || !strings.Contains(err.Error(), "does not read") {
			t.Errorf("gone with %v", err)
		}
		g.c.Send(wire.KindOutput, big) // a late message harms nobody
		g.c.Ring(true)
		g.c.Close()
		g.conn.Close()
	})
}

func TestAnExitThatIsNotReadWaitsALittleOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := serve(t, nil)
		g.accept()
		synctest.Wait()
		begun := time.Now()
		g.c.Exit(wire.Exit{Text: "bye"})
		for !g.ended.Load() {
			time.Sleep(10 * time.Millisecond)
			synctest.Wait()
			if time.Since(begun) > 2*exitTime {
				t.Fatal("Serve does not end")
			}
		}
		g.over()
		if d := time.Since(begun); d < exitTime {
			t.Errorf("given up after %v", d)
		}
		g.conn.Close()
	})
}

func TestResumedAndRedrawGiveACompleteFrame(t *testing.T) {
	for name, ask := range map[string]func(*guest){
		"resumed": func(g *guest) { g.send(wire.KindResumed, nil) },
		"redraw":  func(g *guest) { g.c.Redraw() },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g, p := attached(t)
				p.print("all of it")
				g.c.Ring(true)
				f := lastFrame(t, g.settle())
				if f.Reset {
					t.Fatal("an ordinary frame is complete")
				}
				// Not acknowledged: what is on the way to a client that lost its screen does not count.
				ask(g)
				f = lastFrame(t, g.settle())
				if !f.Reset || text(f) != "allofit" {
					t.Fatalf("reset %v, %q", f.Reset, text(f))
				}
				g.leave()
			})
		})
	}
}

func TestAStormOfRingsGivesPacedFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := attached(t)
		const storm = time.Second
		var frames []received
		for begun := time.Now(); time.Since(begun) < storm; {
			p.print(fmt.Sprintf("\x1b[H%d", time.Since(begun).Microseconds()))
			g.c.Ring(false)
			time.Sleep(100 * time.Microsecond)
			for _, r := range g.settle() {
				if r.frame == nil {
					t.Fatalf("kind %d", r.kind)
				}
				frames = append(frames, r)
				g.send(wire.KindAck, wire.Ack{Frame: r.frame.Seq})
			}
		}
		p.print("\x1b[2J\x1b[Hend")
		g.c.Ring(false)
		time.Sleep(storm)
		rest := g.settle()
		if s := text(lastFrame(t, rest)); s != "end" {
			t.Errorf("the last frame shows %q", s)
		}
		frames = append(frames, rest...)
		for i := 1; i < len(frames); i++ {
			if d := frames[i].at.Sub(frames[i-1].at); d < scene.DefaultInterval {
				t.Fatalf("frame %d comes %v after the one before", i, d)
			}
			if frames[i].frame.Seq != frames[i-1].frame.Seq+1 {
				t.Fatalf("frame %d after %d", frames[i].frame.Seq, frames[i-1].frame.Seq)
			}
		}
		if n, least := len(frames), int(storm/scene.DefaultInterval)-2; n < least {
			t.Errorf("%d frames in %v, want at least %d", n, storm, least)
		}
		g.leave()
	})
}

func TestAnEchoIsNotPaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var p *program
		g := connect(t, func(c *Client, e Event) {
			if e.Kind == Input {
				p.print("k")
				c.Ring(true)
				c.AckInput(e.Seq)
			}
		})
		p = newProgram()
		g.c.Attach(wire.Attached{})
		g.c.Show(spec(p))
		f := lastFrame(t, g.settle())
		g.send(wire.KindAck, wire.Ack{Frame: f.Seq})
		// Right behind a frame: a change nobody waits for would have to wait for the interval.
		begun := time.Now()
		if err := g.wire.SendInput(input(1, "k")); err != nil {
			t.Fatal(err)
		}
		got := g.settle()
		if len(got) == 0 || !got[0].at.Equal(begun) || text(lastFrame(t, got)) != "k" {
			t.Fatalf("came: %s", names(got))
		}
		g.leave()
	})
}

// Another pane's output between a key and its echo draws frames of its own; the echo must not wait for
// the interval behind those.
func TestAnEchoIsNotPacedBehindAnotherPane(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := attached(t)
		if err := g.wire.SendInput(input(1, "k")); err != nil {
			t.Fatal(err)
		}
		g.settle()
		time.Sleep(20 * time.Millisecond) // a pause, so that the next change is drawn at once
		for _, other := range "ab" {      // and the one behind it paced
			p.print(string(other))
			g.c.Ring(false)
		}
		if got := g.settle(); len(got) != 1 {
			t.Fatalf("before the echo came: %s", names(got))
		}
		begun := time.Now()
		p.print("k")
		g.c.Ring(true)
		if got := g.settle(); len(got) != 1 || !got[0].at.Equal(begun) {
			t.Fatalf("came: %s", names(got))
		}
		g.leave()
	})
}

func TestTheViewportIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := connect(t, nil)
		p := &program{term: vt.New(vt.Options{Cols: 60, Rows: 30})}
		p.print("\x1b[30;60H")
		s := spec(p)
		s.Window, s.Tree = scene.Size{W: 60, H: 30}, layout.New(60, 30, 0)
		s.Panes[0].Rect = layout.Rect{W: 60, H: 30}
		if x, y := g.c.Viewport(); x != 0 || y != 0 {
			t.Fatalf("viewport at %d,%d before a frame", x, y)
		}
		g.c.Attach(wire.Attached{})
		g.c.Show(s)
		g.kinds()
		if x, y := g.c.Viewport(); x != 40 || y != 26 {
			t.Errorf("viewport at %d,%d", x, y)
		}
		g.leave()
	})
}

func TestCloseEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, _ := attached(t)
		g.c.Close()
		g.c.Close()
		g.over()
		g.conn.Close()
	})
}

// A letter now and then must not cost an acknowledgement each, and a client that has stopped must still
// be noticed.
func TestSmallFramesAskSeldomForAnAcknowledgement(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := attached(t)
		var asked, all int
		for i := range 100 {
			p.print(fmt.Sprintf("\x1b[H%02d", i))
			g.c.Ring(true)
			time.Sleep(20 * time.Millisecond)
			for _, r := range g.settle() {
				all++
				if !r.frame.NoAck {
					asked++
					g.send(wire.KindAck, wire.Ack{Frame: r.frame.Seq})
				}
			}
		}
		if all != 100 || asked < 100/20 || asked > 100/5 {
			t.Errorf("%d frames, %d acknowledgements", all, asked)
		}
		n := 0
		for i := range 100 { // it acknowledges no more
			p.print(fmt.Sprintf("\x1b[2H%02d", i))
			g.c.Ring(true)
			time.Sleep(20 * time.Millisecond)
			n += len(g.settle())
		}
		if n > 12 {
			t.Errorf("%d frames to a client that does not acknowledge", n)
		}
		g.leave()
	})
}

func TestTheTimerForAcknowledgementsIsLeftToRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g, p := attached(t)
		g.c.AckInput(1)
		p.print("a")
		g.c.Ring(true) // takes it along
		time.Sleep(ackDelay / 2)
		g.c.AckInput(2) // under the timer that runs
		g.settle()
		time.Sleep(ackDelay / 2)
		if k := g.kinds(); k != "ack 2" {
			t.Errorf("came: %s", k)
		}
		time.Sleep(time.Minute)
		if k := g.kinds(); k != "" {
			t.Errorf("and then: %s", k)
		}
		g.leave()
	})
}
