package vt

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// pieces are what hostile and ordinary programs send, for the tests that want
// any stream at all.
var pieces = []string{
	"a", "hello world", strings.Repeat("x", 37), " ", "\r\n", "\n", "\r", "\b", "\t", "\v", "\f", "\x0e", "\x0f", "\x07", "\x00", "\x05", "\x7f",
	"日本語", "漢", "é", "e\u0301", "\u0301", "❤\uFE0F", "❤", "\uFE0F", "⌚\uFE0E", "👩\u200D💻", "👍🏽", "🇩🇪", "🇩", "क\u093F", "\u1112\u1161\u11AB", "각", "\u200B", "\u00AD", "\u2E3B",
	"\xff", "\xe6\x97", "\xf0\x9f\x91", "\xc2", "\xe0\x80", "\xed\xa0\x80", "\xf4\x90",
	"\u009b31m", "\u0085", "\u008d", "\u009d2;c1 title\u009c",
	"\x1b", "\x1b[", "\x1b[3", "\x1b[;", "\x18", "\x1a", "\x1b\\", "\x1b]", "\x1bP", "\x1b_", "\x1b^x\x1b\\", "\x1bkname\x1b\\", "\x1bk",
	"\x1b7", "\x1b8", "\x1bD", "\x1bE", "\x1bM", "\x1bH", "\x1bc", "\x1b=", "\x1b>", "\x1b6", "\x1b9", "\x1bN", "\x1bO", "\x1bn", "\x1bo", "\x1bZ", "\x1b#8", "\x1b#3", "\x1b#6", "\x1b#5",
	"\x1b(0", "\x1b(B", "\x1b)0", "\x1b*A", "\x1b(%5",
	"\x1b[m", "\x1b[1;3;4m", "\x1b[31;42m", "\x1b[38;5;200m", "\x1b[48;2;1;2;3m", "\x1b[4:3;58:2::9:8:7m", "\x1b[7m", "\x1b[0;53m", "\x1b[38:2:1:2:3m", "\x1b[38m", "\x1b[48;5m",
	"\x1b[H", "\x1b[5;5H", "\x1b[999;999H", "\x1b[A", "\x1b[3B", "\x1b[9C", "\x1b[2D", "\x1b[E", "\x1b[F", "\x1b[7G", "\x1b[3d", "\x1b[2e", "\x1b[2I", "\x1b[Z",
	"\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[3J", "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[?J", "\x1b[?2K", "\x1b[3X", "\x1b[2@", "\x1b[3P", "\x1b[L", "\x1b[2M", "\x1b[S", "\x1b[3S", "\x1b[T", "\x1b[2T", "\x1b[5b", "\x1b[999b",
	"\x1b[2;5r", "\x1b[r", "\x1b[3;3r", "\x1b[?69h", "\x1b[?69l", "\x1b[3;9s", "\x1b[s", "\x1b[u", "\x1b[ @", "\x1b[2 A", "\x1b['}", "\x1b[2'~",
	"\x1b[4h", "\x1b[4l", "\x1b[20h", "\x1b[20l", "\x1b[?1h", "\x1b[?5h", "\x1b[?6h", "\x1b[?6l", "\x1b[?7l", "\x1b[?7h", "\x1b[?25l", "\x1b[?40h", "\x1b[?3h", "\x1b[?45h", "\x1b[?45l", "\x1b[?1045h", "\x1b[?1000;1006h", "\x1b[?1003l", "\x1b[?2004h", "\x1b[?2026h", "\x1b[?2026l",
	"\x1b[?47h", "\x1b[?47l", "\x1b[?1047h", "\x1b[?1047l", "\x1b[?1048h", "\x1b[?1048l", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?1;7s", "\x1b[?1;7r",
	"\x1b[>5u", "\x1b[<u", "\x1b[=3;2u", "\x1b[?u", "\x1b[>4;2m", "\x1b[>4n", "\x1b[>4;1f", "\x1b[?4g", "\x1b[3 q", "\x1b[!p", "\x1b[\"q", "\x1b[1\"q", "\x1b[g", "\x1b[3g", "\x1b[22t", "\x1b[23t", "\x1b[>0t", "\x1b[>T",
	"\x1b[1;1;3;9$z", "\x1b[65;2;2;4;9$x", "\x1b[1;1;3;5;1;2;4$v", "\x1b[1;1;9;9;1;4$r", "\x1b[1;1;9;9;7$t", "\x1b[2*x", "\x1b[1;1;9;9${",
	"\x1b]0;title\x07", "\x1b]2;日本\x1b\\", "\x1b]8;id=a;http://x/\x1b\\", "\x1b]8;;https://example.com/a\x07", "\x1b]8;;\x07", "\x1b]7;file:///tmp/a%20b\x07", "\x1b]4;3;#123456\x07", "\x1b]104\x07", "\x1b]11;rgb:1/2/3\x07", "\x1b]111\x07", "\x1b]133;A\x07", "\x1b]133;C\x07", "\x1b]133;D;1\x07", "\x1b]52;c;aGk=\x07", "\x1b]9;4;1;50\x07",
	"\x1b[c", "\x1b[>c", "\x1b[=c", "\x1b[>q", "\x1b[6n", "\x1b[?6n", "\x1b[?2026$p", "\x1b[4$p", "\x1bP$qm\x1b\\", "\x1bP+q544e;00\x1b\\", "\x1b]10;?\x07", "\x1b[18t",
	"\x1b%@", "\x1b%G", "\x1b F", "\x1b G", "\x9b1m", "\x9d2;t\x9c", "\x90$qm\x9c", "\x85", "\xe9", "\x1bV", "\x1bW", "\x1b[61;1\"p", "\x1b[65\"p", "\x1b[?5W", "\x1b[?2048h", "\x1b[?95h", "\x1b[?80h",
	"\x1b[1;1;1;1;3;9*y", "\x1b[*y", "\x1b[23#y", "\x1b[#{", "\x1b[1;30#{", "\x1b[#}", "\x1b[1;1;2;2#|", "\x1b[#P", "\x1b[#Q", "\x1b[#R", "\x1b[1$w", "\x1b[2$w", "\x1b[x", "\x1b[?62n", "\x1b[?1m", "\x1bP+q6B75;4642\x1b\\", "\x1b[?63;7n", "\x1b[?1;1;0S", "\x1b[?4m",
	"\x1bPq\"1;1;20;30#0;2;0;0;0#0!20~-!20~-\x1b\\", "\x1bP0;1;q~~~-~~\u009c", "\x1bP7q!9", "\x1b_Ga=T,f=24,s=20,v=40;AAAA\x1b\\", "\x1b_Ga=T,i=3,f=100,m=1;iVBORw0KGgoAAAANSUhEUgAAABAAAAAgCAYAAACj\x1b\\", "\x1b_Gm=0;AAAA\x1b\\", "\x1b_Ga=p,i=3,C=1\x1b\\", "\x1b_Gi=1,a=q;AAAA\x1b\\",
	"\x1b]7727;main\x07", "\x1b]17;?\x07", "\x1b]4;1;?;2;?\x07",
	"\x1b[1;2;3;4;5;6;7;8;9;10;11;12;13;14;15;16;17;18;19;20;21;22;23;24;25;26;27;28;29;30;31;32;33;34;35m", "\x1b[99999999999H", "\x1b[1 !p", "\x1b[?1?h",
}

// stream draws a stream of such pieces.
func stream(t *rapid.T, label string, most int) []byte {
	var b strings.Builder
	for _, p := range rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(pieces), rapid.SampledFrom(pieces[:8]), rapid.Custom(drawn)), 0, most).Draw(t, label) {
		b.WriteString(p)
	}
	return []byte(b.String())
}

// drawn is a piece with free numbers.
func drawn(t *rapid.T) string {
	n := rapid.IntRange(0, 30)
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return fmt.Sprintf("\x1b[%d;%dH", n.Draw(t, "y"), n.Draw(t, "x"))
	case 1:
		return fmt.Sprintf("\x1b[%d%c", n.Draw(t, "n"), rapid.SampledFrom([]rune("@ABCDEFGIJKLMPSTXZabdegmr")).Draw(t, "final"))
	case 2:
		return fmt.Sprintf("\x1b[38;2;%d;0;%dm", n.Draw(t, "r"), n.Draw(t, "b"))
	}
	return rapid.StringN(0, 12, -1).Draw(t, "text")
}

// check holds a terminal to what must always be so.
func (t *Terminal) check() error {
	if t.cur.x < 0 || t.cur.x >= t.cols || t.cur.y < 0 || t.cur.y >= t.rows {
		return fmt.Errorf("cursor %d,%d outside %dx%d", t.cur.x, t.cur.y, t.cols, t.rows)
	}
	if t.cur.x >= t.edge() {
		return fmt.Errorf("cursor in column %d of %d", t.cur.x, t.edge())
	}
	if t.top < 0 || t.top > t.bottom || t.bottom >= t.rows || t.left < 0 || t.left > t.right || t.right >= t.cols {
		return fmt.Errorf("margins %d-%d, %d-%d", t.top, t.bottom, t.left, t.right)
	}
	if t.lastY >= t.rows || t.lastY >= 0 && t.row(t.lastY)[t.lastX]&widthMask == 0 {
		return fmt.Errorf("last cell %d,%d is none", t.lastX, t.lastY)
	}
	for name, s := range map[string]*screen{"main": &t.main, "alt": &t.alt} {
		seen := make(map[int32]bool)
		for y := range s.rows {
			if p := s.rows[y]; seen[p] || int(p) >= t.rows {
				return fmt.Errorf("%s row %d: physical row %d twice", name, y, p)
			}
			seen[s.rows[y]] = true
			row := s.row(y, t.cols)
			for x, c := range row {
				if c.Style() >= len(t.tab.styles) {
					return fmt.Errorf("%s %d,%d: style %d of %d", name, x, y, c.Style(), len(t.tab.styles))
				}
				if c.IsCluster() && c.Cluster() >= len(t.tab.clusters) {
					return fmt.Errorf("%s %d,%d: cluster %d of %d", name, x, y, c.Cluster(), len(t.tab.clusters))
				}
				if c.Width() == 3 || c.Width() == 0 && (x == 0 || row[x-1].Width() != 2) || c.Width() == 2 && (x+1 == len(row) || row[x+1].Width() != 0) {
					return fmt.Errorf("%s %d,%d: half a wide character", name, x, y)
				}
				if c.Width() == 0 && c.Style() != row[x-1].Style() {
					return fmt.Errorf("%s %d,%d: two styles in a wide character", name, x, y)
				}
				if !c.IsCluster() && c.Width() > 0 && (c.Rune() < 0x20 || c.Rune() >= 0x7f && c.Rune() < 0xa0) {
					return fmt.Errorf("%s %d,%d: control %q in a cell", name, x, y, c.Rune())
				}
			}
		}
	}
	for _, s := range t.tab.styles {
		if int(s.Link) >= len(t.tab.links) {
			return fmt.Errorf("link %d of %d", s.Link, len(t.tab.links))
		}
	}
	for _, s := range t.tab.clusters {
		if len(s) > maxClusterBytes || len([]rune(s)) > maxClusterRunes {
			return fmt.Errorf("cluster of %d bytes", len(s))
		}
	}
	return t.hist.check()
}

func (h *history) check() error {
	recs, starts, used, last := 0, 0, 0, -1
	for i := range h.extents {
		e := &h.extents[i]
		if !e.check(h.blocks.mem(e.block)) {
			return fmt.Errorf("extent %d %+v is not what it says", i, *e)
		}
		recs += e.recs
		starts += e.starts
		if e.block != last {
			last = e.block
			used++
		}
	}
	if h.open >= 0 && h.open != last {
		used++
	}
	if recs != h.recs || starts != h.starts || used != h.blocks.used || recs > h.limit {
		return fmt.Errorf("history of %d records, %d starts in %d blocks counts %d, %d, %d; limit %d", recs, starts, used, h.recs, h.starts, h.blocks.used, h.limit)
	}
	if h.counted && !h.uniform() {
		n, col := h.count, h.col
		h.counted = false
		if h.rows() != n || h.col != col {
			return fmt.Errorf("%d rows of history ending at %d, counted anew %d, %d", n, col, h.count, h.col)
		}
	}
	n := 0
	tab := newTables()
	var half error
	h.view(&tab, 0, h.rows(), func(row []Cell, _ rowFlags) {
		for x, c := range row {
			if half == nil && (c.Width() == 3 || c.Width() == 0 && (x == 0 || row[x-1].Width() != 2) || c.Width() == 2 && (x+1 == len(row) || row[x+1].Width() != 0)) {
				half = fmt.Errorf("row %d of the history has half a wide character at %d", n, x)
			}
		}
		n++
	})
	if half != nil {
		return half
	}
	if n != h.rows() {
		return fmt.Errorf("%d rows of history come as %d", h.rows(), n)
	}
	return nil
}
