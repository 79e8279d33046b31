package client

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stet/server/wire"
)

// step is a write of a program in a pane, and how long after the one before it comes.
type step struct {
	wait time.Duration
	out  string
}

// workload is what programs do that people look at. The names are those of the table in
// TestBytesToTheTerminal.
func workload(name string, w, h int) (s []step) {
	const frame = time.Second / 60
	words := strings.Fields("the quick brown fox jumps over a lazy dog while building package net/http error: cannot use value of type int ok pass 0.25s")
	line := func(i, n int) string {
		b := fmt.Sprintf("%06d ", i)
		for k := i * 7; len(b) < n; k += 3 + i%5 {
			b += " " + words[k*k%len(words)]
		}
		return b[:n]
	}
	screen := func(k int) string {
		var b strings.Builder
		for y := range h {
			fmt.Fprintf(&b, "\x1b[%d;1H%s", y+1, strings.Repeat(string(rune('A'+(k+y)%26))+string(rune('a'+(k+2*y)%26)), w/2))
		}
		return b.String()
	}
	each := func(n int, wait time.Duration, f func(i int) string) {
		for i := range n {
			s = append(s, step{wait, f(i)})
		}
	}
	switch name {
	case "echo":
		each(20, 40*time.Millisecond, func(i int) string { return string(rune('a' + i)) })
	case "spinner":
		each(100, 25*time.Millisecond, func(i int) string { return "\r" + `|/-\`[i%4:i%4+1] + " building" })
	case "unchanged":
		each(60, frame, func(int) string { return screen(0) })
	case "all changed":
		each(60, frame, func(i int) string { return screen(i + 1) })
	case "all changed, colours":
		each(60, frame, func(i int) string {
			var b strings.Builder
			for y := range h {
				fmt.Fprintf(&b, "\x1b[%d;1H", y+1)
				for x := 0; x < w; x += 10 {
					fmt.Fprintf(&b, "\x1b[0;38;5;%d;%dm%s ", (x+y*7+i*3)%256, 1+(x/10+i)%4, strings.Repeat(string(rune('a'+(x+y+i)%26)), 9))
				}
			}
			return b.String()
		})
	case "scroll":
		each(1000, time.Millisecond, func(i int) string { return line(i, 138) + "\r\n" })
	case "scroll, alike":
		each(1000, time.Millisecond, func(i int) string {
			return fmt.Sprintf("%06d  ", i) + strings.Repeat("the quick brown fox jumps over the lazy dog ", 5)[:130] + "\r\n"
		})
	case "scroll, half width":
		each(1000, time.Millisecond, func(i int) string { return line(i, 55) + "\r\n" })
	case "CJK typed":
		each(40, 25*time.Millisecond, func(i int) string { return string(rune(0x4e00 + i*37)) })
	}
	return s
}

// replay plays a workload in a pane at 60 frames a second on a clock of its own and counts what
// reaches the terminal, comparing it with the pane after each frame.
func replay(t testing.TB, name string, caps Caps) (bytes, frames int) {
	const w, h = 200, 50
	s := newShown(t, w, h, caps)
	pane := newOuter(w, h)
	if strings.HasSuffix(name, "half width") {
		pane.resize(w/2, h)
	}
	pane.Write([]byte("\x1b[2J"))
	if name == "unchanged" {
		pane.Write([]byte(workload(name, w, h)[0].out))
	}
	pane.scrolled = 0
	var prev *picture
	p := newPicture(w, h)
	paint := func() {
		for y, row := range pane.rows {
			copy(p.cells[y*w:], row)
			if pane.w < w {
				p.cells[y*w+pane.w] = glyph{text: "│", w: 1}
			}
		}
		var scrolls []wire.Scroll
		if n := pane.scrolled; pane.w == w && n > 0 && n < h {
			scrolls = append(scrolls, wire.Scroll{Bottom: h - 1, N: n})
		}
		pane.scrolled = 0
		p.cursor = wire.Cursor{X: pane.x, Y: pane.y, Visible: true}
		writes := s.o.writes
		s.frame(t, p.frame(prev, scrolls...))
		frames += s.o.writes - writes
		if d := s.o.diff(p); d != "" {
			t.Fatalf("%s: %s", name, d)
		}
		prev = p.clone()
	}
	paint()
	s.o.bytes, frames = 0, 0
	const period = time.Second / 60
	now, last, dirty := time.Duration(0), -time.Second, false
	due := func() {
		if dirty && now-last >= period {
			last, dirty = now, false
			paint()
		}
	}
	for _, st := range workload(name, w, h) {
		now += st.wait
		due()
		pane.Write([]byte(st.out))
		dirty = true
		due()
	}
	paint()
	return s.o.bytes, frames
}

// TestBytesToTheTerminal holds the bytes of typical loads. The clock is virtual, so the figures are
// exact: one above its bound is a regression, and one well below it should become the new bound.
func TestBytesToTheTerminal(t *testing.T) {
	probed := Caps{Sync: true, Under: true, BCE: true, REP: true}
	for _, c := range []struct {
		name          string
		probed, plain int // with everything probed, and with nothing
	}{
		{"echo", 20, 20},
		{"spinner", 604, 604},
		{"unchanged", 0, 0},
		{"all changed", 607_377, 607_137},
		{"all changed, colours", 1_163_353, 1_403_113},
		{"scroll", 141_293, 141_058},
		{"scroll, alike", 22_796, 22_561},
		{"scroll, half width", 158_493, 158_258},
		{"CJK typed", 120, 120},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && (strings.HasPrefix(c.name, "scroll") || strings.HasPrefix(c.name, "all changed")) {
				t.Skip("a thousand lines, and hundreds of whole screens, take seconds: not with -short")
			}
			got, frames := replay(t, c.name, probed)
			if got > c.probed {
				t.Errorf("%d bytes in %d frames on a probed terminal, the bound is %d", got, frames, c.probed)
			}
			plain, _ := replay(t, c.name, guess("xterm-256color").Caps)
			if plain > c.plain {
				t.Errorf("%d bytes in %d frames on an unknown terminal, the bound is %d", plain, frames, c.plain)
			}
			t.Logf("%d bytes probed, %d not, %d frames", got, plain, frames)
		})
	}
}
