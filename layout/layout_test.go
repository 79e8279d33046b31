package layout

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// verify checks the promises of the package comment.
func verify(t interface {
	Helper()
	Fatalf(string, ...any)
}, tree *Tree) {
	t.Helper()
	w, h := tree.Size()
	owner := make([]byte, w*h)
	mark := func(x, y int, b byte, what string) {
		if x < 0 || y < 0 || x >= w || y >= h {
			t.Fatalf("%s reaches outside the window at %d,%d: %s", what, x, y, tree)
		}
		if owner[y*w+x] != 0 {
			t.Fatalf("%s covers %d,%d twice: %s", what, x, y, tree)
		}
		owner[y*w+x] = b
	}
	seen := map[int]bool{}
	tree.Each(func(pane int, r Rect) {
		if seen[pane] {
			t.Fatalf("pane %d occurs twice: %s", pane, tree)
		}
		seen[pane] = true
		if r.W < 1 || r.H < 1 {
			t.Fatalf("pane %d is empty: %s", pane, tree)
		}
		for y := r.Y; y < r.Y+r.H; y++ {
			for x := r.X; x < r.X+r.W; x++ {
				mark(x, y, 1, fmt.Sprintf("pane %d", pane))
			}
		}
	})
	tree.root.lines(func(x, y int) { mark(x, y, 2, "border") })
	for i, b := range owner {
		if b == 0 {
			t.Fatalf("nothing covers %d,%d: %s", i%w, i/w, tree)
		}
	}
	var nodes func(c *cell)
	nodes = func(c *cell) {
		if c.axis != none && len(c.children) < 2 {
			t.Fatalf("node with %d children: %s", len(c.children), tree)
		}
		for _, k := range c.children {
			if k.parent != c {
				t.Fatalf("wrong parent: %s", tree)
			}
			nodes(k)
		}
	}
	nodes(tree.root)
	again, err := Parse(tree.String(), nil)
	if err != nil {
		t.Fatalf("%s does not parse: %v", tree, err)
	}
	if again.String() != tree.String() {
		t.Fatalf("parsed and printed: %s, was %s", again, tree)
	}
}

func TestRandomOperationsKeepTheWindowCovered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree := New(rapid.IntRange(1, 60).Draw(t, "w"), rapid.IntRange(1, 30).Draw(t, "h"), 0)
		next := 1
		pick := func() int { return rapid.SampledFrom(tree.Panes()).Draw(t, "pane") }
		// Each operation works on a copy; the tree it came from must not
		// change, whatever happens to the new one.
		step := func(n *Tree, err error) {
			if err != nil {
				if !errors.Is(err, ErrNoSpace) {
					t.Fatalf("unexpected error: %v", err)
				}
				return
			}
			tree = n
		}
		check := func() { verify(t, tree) }
		t.Repeat(map[string]func(*rapid.T){
			"": func(*rapid.T) { check() },
			"split": func(t *rapid.T) {
				before := tree.String()
				old := tree
				step(tree.Split(pick(), SplitOptions{
					New:        next,
					Horizontal: rapid.Bool().Draw(t, "horizontal"),
					Before:     rapid.Bool().Draw(t, "before"),
					Full:       rapid.Bool().Draw(t, "full"),
					Size:       rapid.IntRange(0, 20).Draw(t, "size"),
					Percent:    rapid.IntRange(0, 120).Draw(t, "percent"),
				}))
				next++
				if old.String() != before {
					t.Fatalf("split changed its tree from %s to %s", before, old)
				}
			},
			"remove": func(t *rapid.T) {
				if tree.Len() > 1 {
					step(tree.Remove(pick()))
				}
			},
			"resize": func(t *rapid.T) {
				w, h := tree.Size()
				n := tree.Resize(rapid.IntRange(-1, 80).Draw(t, "w"), rapid.IntRange(-1, 40).Draw(t, "h"))
				verify(t, n)
				back := n.Resize(w, h)
				verify(t, back)
				if bw, bh := back.Size(); bw != w || bh != h {
					t.Fatalf("resized back to %dx%d, want %dx%d", bw, bh, w, h)
				}
				tree = n
			},
			"move border": func(t *rapid.T) {
				d := Dir(rapid.IntRange(0, 3).Draw(t, "dir"))
				step(tree.ResizePane(pick(), d, rapid.IntRange(-5, 30).Draw(t, "cells")))
			},
			"set size": func(t *rapid.T) {
				step(tree.SetPaneSize(pick(), rapid.IntRange(0, 70).Draw(t, "w"), rapid.IntRange(0, 40).Draw(t, "h")))
			},
			"spread": func(t *rapid.T) { step(tree.Spread(pick())) },
			"drag": func(t *rapid.T) {
				w, h := tree.Size()
				at := func(label string, n int) int { return rapid.IntRange(-1, n).Draw(t, label) }
				tree, _ = tree.MoveBorder(at("x", w), at("y", h), at("toX", w), at("toY", h))
			},
			"swap": func(t *rapid.T) { step(tree.Swap(pick(), pick())) },
			"preset": func(t *rapid.T) {
				w, h := tree.Size()
				step(Preset(rapid.SampledFrom(Presets()).Draw(t, "name"), min(w, 60), min(h, 40), tree.Panes(),
					rapid.IntRange(0, 80).Draw(t, "mainW"), rapid.IntRange(0, 40).Draw(t, "mainH")))
			},
		})
	})
}

// grid draws a layout by its pane ids, for tests that a person can read.
func grid(tree *Tree) string {
	var b strings.Builder
	w, h := tree.Size()
	for y := range h {
		for x := range w {
			if id, ok := tree.PaneAt(x, y); ok {
				fmt.Fprintf(&b, "%d", id)
			} else {
				b.WriteByte('+')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// must returns the tree of an operation that has to succeed.
func must(t *testing.T) func(*Tree, error) *Tree {
	return func(tree *Tree, err error) *Tree {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return tree
	}
}

func TestSplitHalvesAndRemoveGivesBack(t *testing.T) {
	tree := New(9, 5, 1)
	tree = must(t)(tree.Split(1, SplitOptions{New: 2, Horizontal: true}))
	tree = must(t)(tree.Split(2, SplitOptions{New: 3}))
	if got, want := grid(tree), "1111+2222\n1111+2222\n1111+++++\n1111+3333\n1111+3333\n"; got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	tree = must(t)(tree.Remove(1))
	if got, want := grid(tree), "222222222\n222222222\n+++++++++\n333333333\n333333333\n"; got != want {
		t.Errorf("after removing 1:\n%swant\n%s", got, want)
	}
	tree = must(t)(tree.Remove(2))
	if tree, err := tree.Remove(3); tree != nil || err != nil {
		t.Errorf("removing the last pane: %v, %v", tree, err)
	}
}

func TestSplitWithoutSpace(t *testing.T) {
	if _, err := New(2, 5, 1).Split(1, SplitOptions{New: 2, Horizontal: true}); !errors.Is(err, ErrNoSpace) {
		t.Errorf("two columns: %v", err)
	}
	tree := must(t)(New(3, 5, 1).Split(1, SplitOptions{New: 2, Horizontal: true}))
	if _, err := tree.Split(1, SplitOptions{New: 3, Horizontal: true, Full: true}); !errors.Is(err, ErrNoSpace) {
		t.Errorf("full split of a full window: %v", err)
	}
}

func TestUnknownAndDuplicatePanes(t *testing.T) {
	tree := must(t)(New(20, 10, 1).Split(1, SplitOptions{New: 2}))
	for name, op := range map[string]func() error{
		"split":       func() error { _, err := tree.Split(9, SplitOptions{New: 3}); return err },
		"remove":      func() error { _, err := tree.Remove(9); return err },
		"replace":     func() error { _, err := tree.Replace(9, 3); return err },
		"swap":        func() error { _, err := tree.Swap(1, 9); return err },
		"resize pane": func() error { _, err := tree.ResizePane(9, Up, 1); return err },
		"pane size":   func() error { _, err := tree.SetPaneSize(9, 1, 1); return err },
		"spread":      func() error { _, err := tree.Spread(9); return err },
	} {
		if err := op(); !errors.Is(err, ErrNoPane) {
			t.Errorf("%s of an unknown pane: %v", name, err)
		}
	}
	for name, op := range map[string]func() error{
		"split":   func() error { _, err := tree.Split(1, SplitOptions{New: 2}); return err },
		"replace": func() error { _, err := tree.Replace(1, 2); return err },
		"assign":  func() error { _, err := tree.Assign([]int{4, 4}); return err },
		"preset":  func() error { _, err := Preset("tiled", 9, 9, []int{1, 1}, 0, 0); return err },
	} {
		if err := op(); !errors.Is(err, ErrDuplicate) {
			t.Errorf("%s with a pane that is there: %v", name, err)
		}
	}
}

func TestSwapReplaceAssignKeepTheGeometry(t *testing.T) {
	tree := must(t)(New(5, 1, 1).Split(1, SplitOptions{New: 2, Horizontal: true}))
	if got := grid(must(t)(tree.Swap(1, 2))); got != "22+11\n" {
		t.Errorf("swap: %s", got)
	}
	if got := grid(must(t)(tree.Replace(1, 7))); got != "77+22\n" {
		t.Errorf("replace: %s", got)
	}
	if got := grid(must(t)(tree.Assign([]int{8, 9}))); got != "88+99\n" {
		t.Errorf("assign: %s", got)
	}
	if _, err := tree.Assign([]int{8}); err == nil {
		t.Error("assigning one id to two panes did not fail")
	}
}

func TestWindowTooSmallForItsPanesStaysLarger(t *testing.T) {
	tree, err := Preset("even-horizontal", 20, 3, []int{1, 2, 3, 4}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := grid(tree.Resize(3, 1)); got != "1+2+3+4\n" {
		t.Errorf("got %s", got)
	}
}

func TestParseAssignsPanesAndClosesSurplusLeaves(t *testing.T) {
	const text = "c49d,80x24,0,0{40x24,0,0,1,39x24,41,0[39x12,41,0,2,39x11,41,13,3]}"
	with := func(s string) string { return fmt.Sprintf("%04x,%s", checksum(s), s) }
	valid := with(text[5:])
	tree := must(t)(Parse(valid, nil))
	if tree.String() != valid {
		t.Errorf("got %s, want %s", tree, valid)
	}
	tree = must(t)(Parse(valid, []int{7, 8}))
	if want := with("80x24,0,0{40x24,0,0,7,39x24,41,0,8}"); tree.String() != want {
		t.Errorf("two panes into three places: %s, want %s", tree, want)
	}
	if _, err := Parse(valid, []int{1, 2, 3, 4}); err == nil {
		t.Error("four panes into three places did not fail")
	}
	for _, bad := range []string{
		"", "c49d", "c49d,", "0000,80x24,0,0,1", with(""), with("80x24"), with("80x24,0,0,1x"), with("0x5,0,0,1"),
		with("80x24,0,0[80x12,0,0,0,80x11,0,13{40x11,0,13,1,40x11,41,13,2}]"), with("80x24,0,0{40x24,0,0,1,39x23,41,0,2}"),
		with("80x24,0,0{40x24,0,0,1,39x24,41,0,2]"), with("80x24,0,0{40x24,0,0,1"), with("99999x1,0,0,1"),
		with("80x24,0,0{40x24,0,0,1,39x24,41,0,1}"), with("80x24,0,0{}"), with("80x24,0,0{40x24,0,0,1}"),
		with(strings.Repeat("1x1,0,0{", 1000)), strings.Repeat("a", maxText+1),
	} {
		if tree, err := Parse(bad, nil); err == nil {
			t.Errorf("%.40q parsed as %s", bad, tree)
		}
	}
	old := with("80x24,0,0{40x24,0,0,39x24,41,0}")
	if tree, err := Parse(old, []int{1, 2}); err != nil || tree.Len() != 2 {
		t.Errorf("layout without pane ids: %v, %v", tree, err)
	}
}

func TestPresetNames(t *testing.T) {
	for in, want := range map[string]string{
		"even-h": "even-horizontal", "t": "tiled", "main-vertical": "main-vertical",
		"main-h": "main-horizontal", "main-vertical-m": "main-vertical-mirrored", "main": "", "even": "", "": "", "x": "",
	} {
		got, err := PresetName(in)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("PresetName(%q) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestMirroredPresetsPutTheMainPaneLast(t *testing.T) {
	tree := must(t)(Preset("main-vertical-mirrored", 7, 3, []int{1, 2, 3}, 3, 0))
	if got, want := grid(tree), "222+111\n++++111\n333+111\n"; got != want {
		t.Errorf("vertical:\n%swant\n%s", got, want)
	}
	tree = must(t)(Preset("main-horizontal-mirrored", 5, 5, []int{1, 2, 3}, 0, 3))
	if got, want := grid(tree), "22+33\n+++++\n11111\n11111\n11111\n"; got != want {
		t.Errorf("horizontal:\n%swant\n%s", got, want)
	}
}

func TestBordersReuseTheirMemory(t *testing.T) {
	large := must(t)(Preset("tiled", 200, 50, []int{1, 2, 3, 4, 5, 6}, 0, 0))
	small := must(t)(Preset("tiled", 200, 50, []int{1, 2}, 0, 0))
	lines := large.Borders(nil)
	if n := testing.AllocsPerRun(5, func() { lines = large.Borders(lines) }); n > 0 || !reflect.DeepEqual(lines, large.Borders(nil)) {
		t.Errorf("%v allocations for lines that have room", n)
	}
	again := small.Borders(lines)
	if !reflect.DeepEqual(again, small.Borders(nil)) || cap(again) > 4*len(again) {
		t.Errorf("%d lines in room for %d", len(again), cap(again))
	}
}

func TestBordersJoin(t *testing.T) {
	tree := must(t)(Preset("tiled", 5, 5, []int{1, 2, 3, 4}, 0, 0))
	draw := func(tree *Tree) string {
		w, h := tree.Size()
		rows := make([][]rune, h)
		for y := range rows {
			rows[y] = []rune(strings.Repeat(" ", w))
		}
		for _, b := range tree.Borders(nil) {
			r := '?'
			switch b.Arms {
			case ArmUp | ArmDown:
				r = '│'
			case ArmLeft | ArmRight:
				r = '─'
			case ArmUp | ArmDown | ArmLeft:
				r = '┤'
			case ArmUp | ArmDown | ArmRight:
				r = '├'
			case ArmLeft | ArmRight | ArmUp:
				r = '┴'
			case ArmLeft | ArmRight | ArmDown:
				r = '┬'
			case ArmUp | ArmDown | ArmLeft | ArmRight:
				r = '┼'
			}
			rows[b.Y][b.X] = r
		}
		var s strings.Builder
		for _, row := range rows {
			s.WriteString(string(row) + "\n")
		}
		return s.String()
	}
	if got, want := draw(tree), "  │  \n  │  \n──┼──\n  │  \n  │  \n"; got != want {
		t.Errorf("four panes:\n%swant\n%s", got, want)
	}
	if got, want := draw(must(t)(tree.Remove(2))), "     \n     \n──┬──\n  │  \n  │  \n"; got != want {
		t.Errorf("three panes:\n%swant\n%s", got, want)
	}
	for _, b := range tree.Borders(nil) {
		if b.X == 2 && b.Y == 2 && len(b.Panes()) != 4 {
			t.Errorf("panes at the crossing: %v", b.Panes())
		}
		if b.X == 2 && b.Y == 0 && (len(b.Panes()) != 2 || !b.Touches(1) || !b.Touches(2)) {
			t.Errorf("panes at the top: %v", b.Panes())
		}
	}
}

func TestTheLineBetweenTwoPanesIsHalfEach(t *testing.T) {
	tree := must(t)(New(5, 5, 1).Split(1, SplitOptions{New: 2, Horizontal: true}))
	got := ""
	for _, b := range tree.Borders(nil) {
		first, second := tree.Marks(1, &b), tree.Marks(2, &b)
		if first == second {
			t.Errorf("row %d belongs to both or none", b.Y)
		}
		if first {
			got += "1"
		} else {
			got += "2"
		}
	}
	if got != "11122" {
		t.Errorf("owners from the top: %s", got)
	}
	tree = must(t)(tree.Split(2, SplitOptions{New: 3}))
	for _, b := range tree.Borders(nil) {
		if b.X == 2 && !tree.Marks(1, &b) {
			t.Errorf("row %d is not the border of pane 1, among three", b.Y)
		}
	}
}

func TestMoveBorderByMouse(t *testing.T) {
	tree := must(t)(Preset("tiled", 11, 11, []int{1, 2, 3, 4}, 0, 0))
	moved, ok := tree.MoveBorder(5, 2, 7, 2)
	if r, _ := moved.Rect(1); !ok || r.W != 7 {
		t.Errorf("vertical line: %v, %v", ok, moved)
	}
	if r, _ := moved.Rect(3); r.W != 5 {
		t.Errorf("the line of the other row moved too: %v", moved)
	}
	moved, ok = tree.MoveBorder(5, 4, 7, 8)
	if r, _ := moved.Rect(1); !ok || r.W != 7 || r.H != 9 {
		t.Errorf("beside the crossing: %v, %v", ok, moved)
	}
	if moved, ok := tree.MoveBorder(2, 2, 4, 4); ok || moved != tree {
		t.Errorf("inside a pane: %v, %v", ok, moved)
	}
	moved, ok = tree.MoveBorder(5, 2, 50, 2)
	if r, _ := moved.Rect(2); !ok || r.W != 1 {
		t.Errorf("beyond the window: %v, %v", ok, moved)
	}
}

func TestNeighborWrapsAndPrefersTheRecent(t *testing.T) {
	// 1 | 2     1 spans both rows at the left.
	//   | 3
	tree := must(t)(New(5, 5, 1).Split(1, SplitOptions{New: 2, Horizontal: true}))
	tree = must(t)(tree.Split(2, SplitOptions{New: 3}))
	lastUsed := map[int]int{1: 9, 2: 1, 3: 2}
	recent := func(a, b int) bool { return lastUsed[a] > lastUsed[b] }
	for _, c := range []struct {
		from   int
		d      Dir
		recent func(a, b int) bool
		want   int
	}{
		{1, Right, nil, 2}, {1, Right, recent, 3}, {1, Left, recent, 3}, {2, Left, recent, 1}, {2, Right, recent, 1},
		{2, Down, recent, 3}, {3, Down, recent, 2}, {2, Up, recent, 3}, {1, Up, recent, -1}, {7, Up, recent, -1},
	} {
		got, ok := tree.Neighbor(c.from, c.d, c.recent)
		if !ok {
			got = -1
		}
		if got != c.want {
			t.Errorf("%s of %d: %d, want %d", c.d, c.from, got, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("c49d,80x24,0,0{40x24,0,0,1,39x24,41,0[39x12,41,0,2,39x11,41,13,3]}")
	f.Add("80x24,0,0,1")
	f.Add("3x3,0,0{1x3,0,0,1,1x3,2,0}")
	f.Fuzz(func(t *testing.T, s string) {
		Parse(s, nil)
		// Most inputs fail at the checksum; give the body its own.
		tree, err := Parse(fmt.Sprintf("%04x,%s", checksum(s), s), nil)
		if err != nil {
			return
		}
		if w, h := tree.Size(); w*h < 100000 {
			verify(t, tree)
		}
	})
}
