package vt

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stet/vt/width"
)

func same(t *rapid.T, what string, a, b *Terminal) {
	if a.Digest() != b.Digest() {
		t.Fatalf("%s\n--- one\n%s\n--- other\n%s", what, a.Dump(), b.Dump())
	}
}

func sizes(t *rapid.T) (cols, rows int) {
	return rapid.IntRange(1, 30).Draw(t, "cols"), rapid.IntRange(1, 10).Draw(t, "rows")
}

func TestAnySplitGivesTheSameState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := sizes(t)
		data := stream(t, "data", 40)
		whole := New(Options{Cols: cols, Rows: rows, History: 20})
		bytewise := New(Options{Cols: cols, Rows: rows, History: 20})
		whole.Write(data)
		for i := range data {
			bytewise.Write(data[i : i+1])
		}
		if err := whole.check(); err != nil {
			t.Fatalf("%v\n%s", err, whole.Dump())
		}
		same(t, "whole and byte by byte", whole, bytewise)
		a, b := whole.TakeReplies(), bytewise.TakeReplies()
		if len(a) != len(b) {
			t.Fatalf("%d replies and %d", len(a), len(b))
		}
		for i := range a {
			if a[i].At != b[i].At || !bytes.Equal(a[i].Data, b[i].Data) {
				t.Fatalf("reply %d: %v and %v", i, a[i], b[i])
			}
		}
	})
}

// A crash: a checkpoint was published some time ago, blocks have been written
// and dropped since, and replay starts from it with the arena as it is now.
func TestReplayFromACheckpointGivesTheUninterruptedState(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := sizes(t)
		history := rapid.SampledFrom([]int{0, 1, 3, 30, 100000}).Draw(t, "history")
		arena := make([]byte, rapid.IntRange(0, 4).Draw(t, "blocks")*BlockSize)
		live := New(Options{Cols: cols, Rows: rows, History: history, Arena: arena})
		ref := New(Options{Cols: cols, Rows: rows, History: history, Arena: make([]byte, len(arena))})
		var state []byte
		var offset uint64
		var log []func(*Terminal)
		publish := func() {
			state, _ = live.AppendState(nil)
			if n := live.StateSize(); len(state) > n {
				t.Fatalf("state of %d bytes, %d were the bound", len(state), n)
			}
			offset = live.Offset()
			live.Published()
			log = nil
		}
		publish()
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			var f func(*Terminal)
			switch rapid.IntRange(0, 5).Draw(t, "step") {
			case 0:
				c, r := sizes(t)
				f = func(v *Terminal) { v.Resize(c, r) }
			case 1:
				publish()
				continue
			case 2:
				line := strings.Repeat(stringOf(t), rapid.SampledFrom([]int{1, 5, 50, 3000}).Draw(t, "repeat"))
				f = func(v *Terminal) { v.Write([]byte(line)) }
			default:
				data := stream(t, "data", 20)
				f = func(v *Terminal) { v.Write(data) }
			}
			f(live)
			f(ref)
			log = append(log, f)
			if rapid.Bool().Draw(t, "look") {
				live.View(nil, 0, rapid.IntRange(0, 20).Draw(t, "back"))
				live.HistoryText(live.HistoryRange())
			}
			if err := live.check(); err != nil {
				t.Fatalf("%v\n%s", err, live.Dump())
			}
		}
		same(t, "with and without checkpoints", live, ref)
		replayed, err := Load(state, Options{Arena: arena}, offset)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range log {
			f(replayed)
		}
		if err := replayed.check(); err != nil {
			t.Fatalf("%v\n%s", err, replayed.Dump())
		}
		same(t, "replayed and uninterrupted", replayed, ref)
		if replayed.Parsed() != ref.Parsed() {
			t.Fatalf("parsed %d and %d", replayed.Parsed(), ref.Parsed())
		}
	})
}

func stringOf(t *rapid.T) string {
	return rapid.SampledFrom([]string{"x", "line of text\r\n", "\x1b[31mred\x1b[m and 日本語\r\n", "\n", "\x1b[38;2;1;2;3mX"}).Draw(t, "line")
}

// logical gives all text as lines, whatever the width. Blanks at the end of a
// line are not text.
func logical(v *Terminal) string {
	lines := v.Text(0, v.HistoryLen()+v.rows, TextOptions{Join: true, Escapes: true})
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func TestNarrowAndWideAgainGivesTheSameText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols := rapid.IntRange(2, 40).Draw(t, "cols")
		rows := rapid.IntRange(1, 10).Draw(t, "rows")
		v := New(Options{Cols: cols, Rows: rows, History: 10000})
		for _, s := range rapid.SliceOfN(rapid.SampledFrom([]string{"word ", "\r\n", "日本", "x", "\x1b[31mred\x1b[m", "e\u0301", "  ", "カ가ｶ", "㐀\uffe6日", strings.Repeat("日本語の文章", 8), strings.Repeat("long", 20), "👩\u200D💻", "\x1b]8;;http://x/\x07l\x1b]8;;\x07"}), 0, 60).Draw(t, "text") {
			v.Write([]byte(s))
		}
		v.Write([]byte("|")) // a blank behind the text is not text
		before, digest := logical(v), v.Dump()
		for range rapid.IntRange(1, 4).Draw(t, "times") {
			v.Resize(rapid.IntRange(2, 60).Draw(t, "c"), rapid.IntRange(1, 14).Draw(t, "r"))
			if err := v.check(); err != nil {
				t.Fatalf("%v\n%s", err, v.Dump())
			}
			if got := logical(v); got != before {
				t.Fatalf("text at %dx%d:\n%s\nwant\n%s\nfrom\n%s\nnow\n%s", v.cols, v.rows, got, before, digest, v.Dump())
			}
			x := v.cur.offset() - 1
			if x < 0 {
				x = 0
			}
			if c := v.row(v.cur.y)[x]; c.Rune() != '|' {
				t.Fatalf("the cursor left its text\nfrom\n%s\nnow\n%s", digest, v.Dump())
			}
		}
		v.Resize(cols, rows)
		if got := logical(v); got != before {
			t.Fatalf("text:\n%s\nwant\n%s\nfrom\n%s\nnow\n%s", got, before, digest, v.Dump())
		}
	})
}

// What leaves as a reply is made of numbers and fixed text.
var replyGrammar = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`\x1b\[\?65;1;2;6;9;15;16;17;18;21;22;28;29c`, `\x1b\[>64;390;0c`, `\x1bP!\|73746574\x1b\\`, `\x1bP>\|stet\x1b\\`, `\x1b/Z`,
	`\x1b\[0n`, `\x1b\[\??\d+;\d+(;1)?R`, `\x1b\[\?(0|13|21|53|57;0|70|83|27;1(;0;0)?|997;[12])n`, `\x1b\[0000\*\{`,
	`\x1b\[\??\d+;[0-4]\$y`, `\x1b\[[0-9;]+[txm]`, `\x1b\[0[0-9;:]*m`, `\x1b\[\?\d+u`, `\x1b\[>[0-4];[012]m`, `\x1b\[>4;[01]f`, `\x1b\[\?\d+;\d+(#Q|S)`,
	`\x1bP\d+!~[0-9A-F]{4}\x1b\\`, `\x1bP1\$u\d+;\d+;1;[@-O];[@A];[@-O];[0-3];[0-3];O;([%"&]?[0-~]){4}\x1b\\`, `\x1bP2\$u(\d+(/\d+)*)?\x1b\\`,
	`\x1bP[01]\$r[0-9;:]*(m|r|s|t| q|"p|"q|\*x|\$\||\*\||\$\}|\$~)?\x1b\\`, `\x1bP[01]\+r[0-9A-F=]*\x1b\\`,
	`\x1b\]([45];\d+|1[0-9]);rgb:[0-9a-f]{4}/[0-9a-f]{4}/[0-9a-f]{4}(\x1b\\|\x07)`,
}, "|") + `)+$`)

// sevenBit puts ESC and a letter for C1 controls of one byte.
func sevenBit(data []byte) (out []byte) {
	for _, b := range data {
		if b >= 0x80 && b < 0xa0 {
			out = append(out, 0x1b, b-0x40)
			continue
		}
		out = append(out, b)
	}
	return out
}

func TestRepliesHoldNothingOfTheProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := New(Options{Cols: 20, Rows: 5})
		v.Write(stream(t, "data", 40))
		for _, r := range v.TakeReplies() {
			if !replyGrammar.Match(sevenBit(r.Data)) {
				t.Fatalf("reply %q", r.Data)
			}
		}
	})
}

// bounded holds what a program can make grow to what this package promises.
func (t *Terminal) bounded() error {
	p := &t.p
	for _, b := range []struct {
		what       string
		got, limit int
	}{
		{"bytes of a string", len(p.str), maxOSC},
		{"bytes kept for strings", cap(p.str), 2*maxOSC + 4096},
		{"replies", len(t.replies), maxReplies},
		{"bytes of replies", t.replyBytes, maxReplyBytes},
		{"events", len(t.events), maxEvents},
		{"bytes of events", t.eventBytes, maxEventBytes},
		{"titles pushed", len(t.titles), maxTitles},
		{"bytes of the title", len(t.title), maxTitle},
		{"bytes of the directory", len(t.cwd), 3 * maxTitle},
		{"colours", len(t.colors.palette), 256},
		{"looks pushed", len(t.pens), maxStack},
		{"palettes pushed", len(t.colorStack), maxStack},
		{"pictures known", len(t.kitty.known), maxKitty},
		{"styles", len(t.tab.styles), max(baseStyles, 4*t.cols*t.rows) + 2*baseStyles},
		{"clusters", len(t.tab.clusters), max(baseClusters, 4*t.cols*t.rows) + 2*baseClusters},
		{"links", len(t.tab.links), maxLinks},
		{"lines of history", t.hist.recs, t.hist.limit},
		{"bytes of the state", t.StateSize(), 1<<20 + len(p.str) + t.cols*t.rows*(64+maxURL+maxClusterBytes) + BlockSize*(t.hist.blocks.used+1)},
	} {
		if b.got > b.limit {
			return fmt.Errorf("%d %s, %d are the bound", b.got, b.what, b.limit)
		}
	}
	return nil
}

// FuzzWrite: whatever a program prints, the terminal is sound and bounded, any
// split gives the same, the terminal saved and loaded in the middle is the same,
// and answers hold nothing of the text. A resize comes in the middle.
func FuzzWrite(f *testing.F) {
	f.Add([]byte(strings.Join(pieces, "")), uint8(13), uint8(4), uint16(100))
	f.Add([]byte("\x1b]11;rgb:0/0/1\x1b]111\x1b\x1b[#P00"), uint8(13), uint8(24), uint16(100)) // a colour that was taken back, pushed
	f.Add([]byte("\x1b[?2l\x1bZ000"), uint8(90), uint8(64), uint16(7))                         // what a VT52 says that it is
	for i := 0; i < len(pieces); i += 16 {
		f.Add([]byte(strings.Join(pieces[i:min(i+16, len(pieces))], "ab")), uint8(80), uint8(24), uint16(7))
	}
	f.Fuzz(func(t *testing.T, data []byte, cols, rows uint8, cut uint16) {
		at := int(cut) % (len(data) + 1)
		run := func(write func(v *Terminal, p []byte) *Terminal) *Terminal {
			v := New(Options{Cols: int(cols), Rows: int(rows), History: 50})
			v = write(v, data[:at])
			v.Resize(int(rows)+3, int(cols)/2+1)
			return write(v, data[at:])
		}
		whole := run(func(v *Terminal, p []byte) *Terminal { v.Write(p); return v })
		bytewise := run(func(v *Terminal, p []byte) *Terminal {
			for i := range p {
				v.Write(p[i : i+1])
			}
			return v
		})
		reloaded := run(func(v *Terminal, p []byte) *Terminal {
			half := len(p) / 2
			v.Write(p[:half])
			state, err := v.AppendState(nil)
			if err != nil || len(state) > v.StateSize() {
				t.Fatalf("a state of %d bytes, %d were the bound: %v", len(state), v.StateSize(), err)
			}
			w, err := Load(state, Options{}, v.Offset())
			if err != nil {
				t.Fatal(err)
			}
			w.Write(p[half:])
			return w
		})
		for _, v := range []*Terminal{whole, bytewise, reloaded} {
			if err := v.check(); err != nil {
				t.Fatal(err)
			}
			if err := v.bounded(); err != nil {
				t.Fatal(err)
			}
			if whole.Digest() != v.Digest() {
				t.Fatalf("at once:\n%s\nin pieces, or loaded in between:\n%s", whole.Dump(), v.Dump())
			}
		}
		answers := bytewise.TakeReplies()
		for i, r := range whole.TakeReplies() {
			if !replyGrammar.Match(sevenBit(r.Data)) {
				t.Fatalf("reply %q", r.Data)
			}
			if i >= len(answers) || !bytes.Equal(answers[i].Data, r.Data) || answers[i].At != r.At {
				t.Fatalf("reply %d: %q at %d; byte by byte they are %v", i, r.Data, r.At, answers)
			}
		}
	})
}

func FuzzLoad(f *testing.F) {
	for _, n := range []int{0, 3, len(pieces)} {
		v := New(Options{Cols: 20, Rows: 4, History: 10})
		v.Write([]byte(strings.Join(pieces[:n], "\r\n")))
		s, _ := v.AppendState(nil)
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, state []byte) {
		v, err := Load(state, Options{Arena: make([]byte, 2*BlockSize)}, 0)
		if err != nil {
			return
		}
		if err := v.check(); err != nil {
			t.Fatalf("loaded: %v", err)
		}
		again, err := v.AppendState(nil)
		if err != nil || len(again) > v.StateSize() {
			t.Fatalf("a state of %d bytes, %d were the bound: %v", len(again), v.StateSize(), err)
		}
		w, err := Load(again, Options{Arena: v.hist.blocks.arena}, 0)
		if err != nil {
			t.Fatalf("what was loaded and saved is no state: %v", err)
		}
		if v.Digest() != w.Digest() {
			t.Fatalf("loaded:\n%s\nsaved and loaded again:\n%s", v.Dump(), w.Dump())
		}
		v.Write([]byte(strings.Join(pieces, "")))
		v.Resize(7, 3)
		v.Dump()
		v.View(nil, 0, 3)
		if err := v.check(); err != nil {
			t.Fatal(err)
		}
		if err := v.bounded(); err != nil {
			t.Fatal(err)
		}
		for _, r := range v.TakeReplies() {
			if !replyGrammar.Match(sevenBit(r.Data)) {
				t.Fatalf("reply %q", r.Data)
			}
		}
	})
}

// joins tells the characters that bring columns of their own and may yet be part of a cluster, and those
// that change how many columns it has.
func joins(r rune) bool {
	class := width.Class(r)
	switch width.Property(class >> 2) {
	case width.Other, width.Control, width.Pict:
		return false
	case width.ZWJ:
		return true
	}
	return class&3 > 0 || r == width.TextSelector || r == width.EmojiSelector
}

// The snapshot holds rows as text with SGR and OSC 8: written into a fresh
// terminal, they are the same cells. What SGR cannot say (protection, double size) does not
// come back; and characters that were put side by side in two steps and would
// be one cluster when written in one are not drawn here. Nor do the looks of a
// column that is only filled, because a wide character did not fit there.
func TestTheTextOfAScreenBringsItBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := sizes(t)
		v := New(Options{Cols: cols, Rows: rows, History: 10})
		for _, p := range rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.Custom(drawn)), 0, 40).Draw(t, "data") {
			if !strings.ContainsFunc(p, joins) && !strings.HasPrefix(p, "\x1b#") {
				v.Write([]byte(p))
			}
		}
		v.Write([]byte("\x18\x1b[?1049l"))
		text, _ := v.MainText(TextOptions{Escapes: true, KeepTrailing: true})
		w := New(Options{Cols: cols, Rows: rows, History: 10})
		w.Write([]byte("\x1b[?7l"))
		for y, row := range text {
			fmt.Fprintf(w, "\x1b[%d;1H%s\x1b[m\x1b]8;;\x1b\\", y+1, row)
		}
		a, b := v.View(nil, 0, 0), w.View(nil, 0, 0)
		looks := func(v *View, c Cell) (Style, Link) {
			s := v.Styles[c.Style()]
			l := v.Links[s.Link]
			s.Link, s.Attr = 0, s.Attr&^Protected
			return s, l
		}
		for y := range rows {
			if rowText(a, y) != rowText(b, y) {
				t.Fatalf("row %d: %q comes back as %q, from %q", y, rowText(a, y), rowText(b, y), text[y])
			}
			for x := range cols {
				if x == cols-1 && v.main.info[v.main.rows[y]].flags&rowFiller != 0 {
					continue // the column that a wide character did not fit in is no text
				}
				one, oneLink := looks(a, a.Cells[y][x])
				other, otherLink := looks(b, b.Cells[y][x])
				if one != other || oneLink != otherLink {
					t.Fatalf("cell %d,%d: %+v %v comes back as %+v %v, from %q", x, y, one, oneLink, other, otherLink, text[y])
				}
			}
		}
	})
}
