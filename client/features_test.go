package client

import (
	"reflect"
	"strings"
	"testing"

	"stet/server/wire"
	"stet/vt/width"
)

func TestAnswersOfTheTerminal(t *testing.T) {
	f := guess("xterm-256color")
	for _, c := range []struct {
		answer string
		news   bool
	}{
		{"\x1bP>|foot(1.16.2)\x1b\\", true},
		{"\x1bP>|foot(1.16.2)\x1b\\", false},
		{"\x1b[?5u", true},
		{"\x1b[?2026;2$y", true},
		{"\x1b[?2027;4$y", false}, // for ever off
		{"\x1b[?2031;0$y", false},
		{"\x1b[?9999;1$y", false},
		{"\x1b]11;rgb:0000/1111/2222\x07", true},
		{"\x1b]11;?\x07", true}, // not a colour
		{"\x1b]10;rgb:1/2/3\x1b\\", true},
		{"\x1b[?997;2n", true},
		{"\x1b[?62;22c", true},
		{"\x1b[3;4R", false},
		{"\x1b]52;c;c2VjcmV0\x07", false},
	} {
		if got := f.answer([]byte(c.answer)); got != c.news {
			t.Errorf("%q: news %v", c.answer, got)
		}
	}
	want := wire.Features{Name: "foot(1.16.2)", Sync: true, Kitty: true, Foreground: "rgb:1/2/3", Dark: 2}
	if !reflect.DeepEqual(f.Features, want) || !f.done || !f.REP || f.Caps.Clusters {
		t.Errorf("%+v", f)
	}
}

// TestUnderlineStylesAreForThoseThatHaveThem: xterm and rxvt make something else of "4:3".
func TestUnderlineStylesAreForThoseThatHaveThem(t *testing.T) {
	for _, c := range []struct {
		term, name string
		want       bool
	}{
		{"xterm-256color", "", false}, {"rxvt-unicode-256color", "", false}, {"st-256color", "", false}, {"linux", "", false}, {"", "", false},
		{"alacritty", "", true}, {"xterm-kitty", "", true}, {"tmux-256color", "", true},
		{"xterm-256color", "VTE(7006)", true}, {"xterm-256color", "XTerm(379)", false}, {"xterm-256color", "Nobody(1)", false},
	} {
		f := guess(c.term)
		if c.name != "" {
			f.answer([]byte("\x1bP>|" + c.name + "\x1b\\"))
		}
		if f.Under != c.want {
			t.Errorf("TERM=%s %s: %v", c.term, c.name, f.Under)
		}
	}
}

func TestNameOfTheTerminalIsPrintable(t *testing.T) {
	f := guess("")
	f.answer([]byte("\x1bP>|evil\x1b]2;x\x07\u009b1m" + strings.Repeat("y", 100) + "\x1b\\"))
	if f.Name != width.Printable(f.Name) || len(f.Name) > 64 {
		t.Errorf("%q", f.Name)
	}
}

func TestAlacrittyIsKnownByItsModel(t *testing.T) {
	for answer, want := range map[string]bool{"0;1101;1": true, "0;10500;1": true, "0;1000;1": false, "0;10;1": false, "41;390;0": false, "1;4000;26": false, "0;1101": false, "": false, "0;x;1": false} {
		f := guess("xterm-256color")
		f.answer([]byte("\x1b[>" + answer + "c"))
		if f.Under != want || f.done {
			t.Errorf("%q: underline styles %v", answer, f.Under)
		}
	}
}

func TestModesThereAndBack(t *testing.T) {
	o := newOuter(10, 2)
	f := guess("xterm")
	f.Kitty = true
	all := []modes{
		{}, {mouse: 1000}, {mouse: 1003, focus: true}, {kitty: 1}, {kitty: 31, mouse: 1002}, {modify: 2}, {modify: 1, scheme: true},
		{mouse: 1003, pixels: true}, {mouse: 1000, pixels: true, focus: true}, {keypad: true}, {keypad: true, kitty: 1},
	}
	for _, from := range all {
		for _, to := range all {
			o.Write(appendModes(nil, modes{}, from))
			o.Write(appendModes(nil, from, to))
			mouse := 0
			for _, m := range []int{1000, 1002, 1003} {
				if o.modes[m] {
					mouse = m
				}
			}
			flags := 0
			if len(o.kitty) > 0 {
				flags = o.kitty[0]
			}
			got := modes{mouse: mouse, focus: o.modes[1004], kitty: flags, modify: o.modify, scheme: o.modes[2031], pixels: o.modes[1016], keypad: o.keypad}
			if got != to || o.modes[1006] != (mouse != 0 && !to.pixels) || len(o.kitty) > 1 {
				t.Errorf("from %+v to %+v the terminal is at %+v", from, to, got)
			}
			o.Write(appendModes(nil, to, modes{}))
			if len(o.kitty) > 0 || o.modify != 0 || o.modes[1006] || o.modes[1016] || o.keypad || len(o.unknown) > 0 {
				t.Errorf("from %+v something stays: %+v %q", to, o.modes, o.unknown)
			}
		}
	}
}

func TestWantedModes(t *testing.T) {
	w := wire.Want{Mouse: 1002, Kitty: 5, Modify: 2}
	f := guess("xterm")
	if got := wanted(w, &f); got != (modes{mouse: 1002}) {
		t.Errorf("before the answers: %+v", got)
	}
	f.done = true
	if got := wanted(w, &f); got != (modes{mouse: 1002, modify: 2}) {
		t.Errorf("without the kitty protocol: %+v", got)
	}
	f.Kitty = true
	if got := wanted(w, &f); got != (modes{mouse: 1002, kitty: 5}) {
		t.Errorf("with it: %+v", got)
	}
	if got := wanted(wire.Want{Mouse: 1002, Pixels: true}, &f); got != (modes{mouse: 1002}) {
		t.Errorf("pixels from a terminal that has none: %+v", got)
	}
	f.answer([]byte("\x1b[?1016;2$y"))
	if got := wanted(wire.Want{Mouse: 1002, Pixels: true}, &f); got != (modes{mouse: 1002, pixels: true}) {
		t.Errorf("pixels: %+v", got)
	}
	if got := wanted(wire.Want{Keypad: true}, &f); got != (modes{keypad: true}) {
		t.Errorf("the keypad: %+v", got)
	}
	if got := wanted(wire.Want{Mouse: 1006}, &f); got != (modes{}) {
		t.Errorf("1006 is no mouse mode: %+v", got)
	}
}

// TestMessagesInOrder: what waits between two frames is bounded, and the latest of a kind wins.
func TestMessagesInOrder(t *testing.T) {
	d := &drawer{wake: make(chan struct{}, 1), slots: make(chan struct{}, maxFrames), quit: make(chan struct{})}
	title := func(s string) job { return job{outer: &wire.Outer{Kind: wire.OuterTitle, Text: s}} }
	d.push(title("one"))
	d.push(job{outer: &wire.Outer{Kind: wire.OuterBell}})
	d.push(job{outer: &wire.Outer{Kind: wire.OuterBell}})
	d.push(title("two"))
	d.push(job{do: func(*drawer) error { return nil }})
	d.push(title("three"))
	for range 100 {
		d.push(job{outer: &wire.Outer{Kind: wire.OuterNotify}})
	}
	if len(d.jobs) > 4+maxOuters {
		t.Errorf("%d jobs wait", len(d.jobs))
	}
	if d.jobs[0].outer.Text != "two" || d.jobs[1].outer.Kind != wire.OuterBell || d.jobs[2].do == nil || d.jobs[3].outer.Text != "three" {
		t.Errorf("%+v", d.jobs[:4])
	}
}

// FuzzAnswer: nothing a terminal says makes the client panic or keep something that is not printable.
func FuzzAnswer(f *testing.F) {
	for _, s := range strings.SplitAfter(answers, "\x1b\\") {
		f.Add([]byte(s))
	}
	f.Add([]byte("\x1b[?"))
	f.Add([]byte("\x1b[?997;1n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		ft := guess("xterm")
		ft.answer(b)
		for _, s := range []string{ft.Name, ft.Foreground, ft.Background} {
			if s != width.Printable(s) || len(s) > 64 {
				t.Fatalf("%q", s)
			}
		}
	})
}

// FuzzApply: whatever frames a server sends, the terminal gets nothing but what the encoder means.
func FuzzApply(f *testing.F) {
	p := newPicture(12, 4)
	p.ascii(0, 0, "some text", wire.Pen{FG: 1<<24 | 3})
	p.set(3, 1, "👩‍👩‍👧", 2, wire.Pen{}, wire.Link{URL: "https://a.example"})
	f.Add(wire.AppendFrame(nil, p.frame(nil)), wire.AppendFrame(nil, &wire.Frame{W: 12, H: 4, Scrolls: []wire.Scroll{{Bottom: 3, N: 1}}}))
	f.Add(wire.AppendFrame(nil, &wire.Frame{W: 3, H: 1, Clusters: []string{"\x1b[2J"}, Runs: []wire.Run{{Cells: []wire.Cell{wire.CellCluster | widthOne}}}}), []byte{})
	f.Fuzz(func(t *testing.T, first, second []byte) {
		s := NewScreen(12, 4, Caps{Under: true})
		defer s.Close()
		o := newOuter(12, 4)
		o.Write([]byte(enterSequence))
		for _, b := range [][]byte{first, second} {
			fr, err := wire.DecodeFrame(b)
			if err != nil || fr.W > 200 || fr.H > 200 {
				return
			}
			out, err := s.Apply(fr)
			if err != nil {
				return
			}
			o.Write(out)
			if len(o.unknown) > 0 || len(o.rest) > 0 {
				t.Fatalf("%q %q", o.unknown, o.rest)
			}
			if s.tcell != nil && s.tcell.missed > 0 {
				t.Fatal("tcell wrote something else than it was given")
			}
		}
	})
}
