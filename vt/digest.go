package vt

import (
	"encoding/hex"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// Digest is a hash of the complete state: both screens, every line of the
// history, cursors, modes, parser and all. It does not depend on the numbering
// of tables or on where the history lies, so two terminals that show and do the
// same have the same.
func (t *Terminal) Digest() string {
	e := encoder{t: t}
	e.screens()
	h := &t.hist
	e.num(h.limit)
	e.flags(h.goesOn)
	e.long(h.first)
	e.num(h.recs)
	sum := fnv.New128a()
	sum.Write(e.buf)
	h.each(func(r *record) bool {
		sum.Write([]byte{byte(r.flags), byte(r.cols), byte(r.cols >> 8), byte(len(r.text)), byte(len(r.text) >> 8)})
		sum.Write(r.text)
		sum.Write(r.runs)
		return true
	})
	return hex.EncodeToString(sum.Sum(nil))
}

// Dump is the state for a person to read when a test fails: history and rows
// with escapes, quoted, and the rest as a list.
func (t *Terminal) Dump() string {
	var b strings.Builder
	fmt.Fprintf(&b, "size %dx%d parsed %d digest %s\n", t.cols, t.rows, t.parsed, t.Digest())
	fmt.Fprintf(&b, "cursor %+v\nmain saved %+v\nalt saved %+v\n", t.cur, t.main.saved, t.alt.saved)
	fmt.Fprintf(&b, "margins %d-%d %d-%d modes %#x saved %#x mouse %d/%d keys %d shape %d shift %d\n",
		t.top, t.bottom, t.left, t.right, t.modes, t.savedModes, t.mouse, t.mouseEnc, t.modifyKeys, t.shape, t.shift)
	fmt.Fprintf(&b, "keyboard %v %v last %d,%d %q breaker %d\n", t.main.kbd, t.alt.kbd, t.lastX, t.lastY, t.lastRune, t.breaker)
	fmt.Fprintf(&b, "parser state %d prefix %q middle %q params %v sub %#x string %q over %v need %d\n",
		t.p.state, t.p.prefix, t.p.middle, t.p.params[:t.p.count()], t.p.sub, t.p.str, t.p.over, t.p.need)
	fmt.Fprintf(&b, "title %q icon %q stack %q cwd %q colors %v tabs %x\n", t.title, t.icon, t.titles, t.cwd, t.colors, t.tabs)
	fmt.Fprintf(&b, "sums %d sixel %+v kitty %+v pens %v colours pushed %d latin %v\n", t.sums, t.sixel, t.kitty, t.pens, len(t.colorStack), t.p.latin)
	h := &t.hist
	fmt.Fprintf(&b, "history %d of %d, lines %d-%d, goes on %v\n", h.recs, h.limit, h.first, h.next(), h.goesOn)
	n := h.rows()
	for i, s := range t.Text(0, n-1, TextOptions{Escapes: true, KeepTrailing: true}) {
		if i < n {
			fmt.Fprintf(&b, "%5d %s\n", i-n, strconv.Quote(strings.TrimRight(s, " ")))
		}
	}
	for _, s := range []struct {
		name string
		s    *screen
	}{{"main", &t.main}, {"alt", &t.alt}} {
		for y := range s.s.rows {
			w := textWriter{escapes: true}
			row := s.s.peek(y, t.cols)
			w.begin()
			w.cells(&t.tab, row[:trimmed(row)])
			fmt.Fprintf(&b, "%s %3d %02x %s\n", s.name, y, s.s.info[s.s.rows[y]].flags, strconv.Quote(w.end()))
		}
	}
	return b.String()
}
