package wire

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

func genFrame(t *rapid.T) *Frame {
	f := &Frame{
		Seq: rapid.Uint64Range(0, 1<<62).Draw(t, "seq"), Reset: rapid.Bool().Draw(t, "reset"), NoAck: rapid.Bool().Draw(t, "no ack"),
		W: rapid.IntRange(1, 60).Draw(t, "w"), H: rapid.IntRange(1, 20).Draw(t, "h"),
		Cursor: Cursor{X: rapid.IntRange(0, 59).Draw(t, "cx"), Y: 3, Visible: rapid.Bool().Draw(t, "cv"), Shape: uint8(rapid.IntRange(0, 6).Draw(t, "shape"))},
		Want:   Want{Mouse: rapid.SampledFrom([]int{0, 1000, 1002, 1003}).Draw(t, "mouse"), Focus: rapid.Bool().Draw(t, "focus"), Kitty: rapid.IntRange(0, 31).Draw(t, "kitty")},
	}
	for range rapid.IntRange(0, 3).Draw(t, "pens") {
		f.Pens = append(f.Pens, Pen{FG: rapid.Uint32().Draw(t, "fg"), Attr: 3, Under: 2, Link: 1})
		f.Clusters = append(f.Clusters, rapid.StringN(1, 8, 40).Draw(t, "cluster"))
		f.Links = append(f.Links, Link{"id", rapid.StringN(0, 20, 80).Draw(t, "url")})
	}
	if f.H > 2 {
		f.Scrolls = append(f.Scrolls, Scroll{0, f.H - 1, rapid.IntRange(-2, 2).Draw(t, "n")})
	}
	for range rapid.IntRange(0, 4).Draw(t, "runs") {
		r := Run{X: rapid.IntRange(0, f.W-1).Draw(t, "x"), Y: rapid.IntRange(0, f.H-1).Draw(t, "y")}
		room := f.W - r.X
		r.Cells = []Cell{}
		for len(r.Cells) < room && rapid.IntRange(0, 9).Draw(t, "more") > 0 {
			pen := Cell(rapid.IntRange(0, 2).Draw(t, "pen")) << CellPen
			switch k := rapid.IntRange(0, 3).Draw(t, "kind"); {
			case k == 1 && len(r.Cells)+2 <= room:
				r.Cells = append(r.Cells, 0x4e00|2<<CellWidth|pen, pen)
			case k == 2:
				r.Cells = append(r.Cells, 5|CellCluster|1<<CellWidth|pen)
			case k == 3:
				r.Cells = append(r.Cells, 0xe9|1<<CellWidth|pen)
			default:
				r.Cells = append(r.Cells, 'a'|1<<CellWidth|pen)
			}
		}
		f.Runs = append(f.Runs, r)
	}
	return f
}

func TestFrameComesBackEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := genFrame(t)
		got, err := DecodeFrame(AppendFrame(nil, f))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, f) {
			t.Fatalf("got %+v\nwant %+v", got, f)
		}
	})
}

func FuzzDecodeFrame(f *testing.F) {
	f.Add(AppendFrame(nil, &Frame{W: 3, H: 2, Runs: []Run{{0, 1, []Cell{'a' | 1<<CellWidth, 0x4e00 | 2<<CellWidth, 0}}}}))
	f.Add(AppendFrame(nil, &Frame{Reset: true, W: 80, H: 24, Pens: []Pen{{FG: 1}}, Links: []Link{{"a", "b"}}, Scrolls: []Scroll{{0, 3, 1}}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		fr, err := DecodeFrame(b)
		if err != nil {
			return
		}
		again, err := DecodeFrame(AppendFrame(nil, fr))
		if err != nil || !reflect.DeepEqual(fr, again) {
			t.Fatalf("a decoded frame does not survive encoding: %v", err)
		}
	})
}

func TestMessagesOverAStream(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b)
	want := Hello{Min: 1, Max: 2, Argv: []string{"new-session", "-d"}, Terminal: true, Cols: 80}
	if err := c.Send(KindHello, want); err != nil {
		t.Fatal(err)
	}
	if err := c.SendInput(Input{7, []byte("xyz")}); err != nil {
		t.Fatal(err)
	}
	if err := c.Send(KindSuspend, nil); err != nil {
		t.Fatal(err)
	}
	k, body, err := c.Receive()
	var got Hello
	if err != nil || k != KindHello || Decode(k, body, &got) != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v %v %+v", k, err, got)
	}
	k, body, err = c.Receive()
	in, err2 := DecodeInput(body)
	if err != nil || err2 != nil || k != KindInput || in.Seq != 7 || string(in.Data) != "xyz" {
		t.Fatalf("%v %v %+v", k, err, in)
	}
	if k, body, err = c.Receive(); err != nil || k != KindSuspend || len(body) != 0 {
		t.Fatalf("%v %v", k, err)
	}
	if _, _, err = c.Receive(); !errors.Is(err, io.EOF) {
		t.Fatalf("want EOF, got %v", err)
	}
}

func TestOversizedAndCutMessages(t *testing.T) {
	c := NewConn(bytes.NewBuffer([]byte{0xff, 0xff, 0xff, 0x7f, 1, 2, 3}))
	if _, _, err := c.Receive(); !errors.Is(err, ErrTooLarge) {
		t.Fatalf("want ErrTooLarge, got %v", err)
	}
	c = NewConn(bytes.NewBuffer([]byte{0, 0, 0x10, 0, 1, 2, 3}))
	if _, _, err := c.Receive(); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("want an unexpected end, got %v", err)
	}
	if cap(c.in) > 128<<10 {
		t.Fatalf("%d bytes allocated for a message that never came", cap(c.in))
	}
}

func TestStringsNeedNotBeUTF8(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b)
	want := Hello{Argv: []string{"send-keys", "-l", "a\xffb"}, Cwd: "/d\xff\xfe", Env: []string{"X=\x80"}}
	if err := c.Send(KindHello, want); err != nil {
		t.Fatal(err)
	}
	k, body, err := c.Receive()
	var got Hello
	if err == nil {
		err = Decode(k, body, &got)
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("%v %+v", err, got)
	}
}

func TestALongCommandLine(t *testing.T) {
	var b bytes.Buffer
	c := NewConn(&b)
	want := Hello{Argv: make([]string, 1<<20)} // two megabytes with their ends, the most that Linux takes by default
	for i := range want.Argv {
		want.Argv[i] = "a"
	}
	if err := c.Send(KindHello, want); err != nil {
		t.Fatal(err)
	}
	k, body, err := c.Receive()
	var got Hello
	if err == nil {
		err = Decode(k, body, &got)
	}
	if err != nil || len(got.Argv) != len(want.Argv) {
		t.Fatalf("%v %d", err, len(got.Argv))
	}
}
