package vt

import (
	"strconv"
	"strings"
)

// restorePresentation is DECRSPS: what DECRQPSR told comes back, the cursor (DECCIR) or the tab stops (DECTABSR).
func (t *Terminal) restorePresentation(kind, s string) {
	if t.level < 3 {
		return
	}
	switch kind {
	case "1":
		t.restoreInformation(strings.Split(s, ";"))
	case "2":
		clear(t.tabs)
		for s != "" {
			var stop string
			stop, s, _ = strings.Cut(s, "/")
			if n, err := strconv.Atoi(stop); err == nil && n > 1 && n <= t.cols {
				t.tabs[(n-1)/64] |= 1 << ((n - 1) % 64)
			}
		}
	}
}

// restoreInformation takes the ten fields of DECCIR: line, column, page, looks, protection, flags, the sets in
// use, their sizes, and the sets. A report that is not whole changes nothing.
func (t *Terminal) restoreInformation(f []string) {
	if len(f) != 10 {
		return
	}
	line, err1 := strconv.Atoi(f[0])
	column, err2 := strconv.Atoi(f[1])
	if err1 != nil || err2 != nil || line < 1 || column < 1 {
		return
	}
	for _, i := range []int{3, 4, 5, 6, 7} {
		if len(f[i]) != 1 {
			return
		}
	}
	c, s := &t.cur, &t.cur.style
	bit := func(field, n int) bool { return f[field][0]>>n&1 != 0 }
	set := func(a Attr, on bool) {
		if s.Attr &^= a; on {
			s.Attr |= a
		}
	}
	set(Bold, bit(3, 0))
	set(Blink, bit(3, 2))
	set(Reverse, bit(3, 3))
	if s.Under = UnderNone; bit(3, 1) {
		s.Under = UnderSingle
	}
	set(Protected, bit(4, 0))
	t.setPen()
	c.gl, c.gr = f[6][0]&3, f[7][0]&3
	t.restoreSets(f[9])
	c.origin = bit(5, 0)
	t.moveTo(min(column, t.cols)-1, min(line, t.rows)-1)
	if t.shift = 0; bit(5, 1) {
		t.shift = 2
	} else if bit(5, 2) {
		t.shift = 3
	}
	c.pending = bit(5, 3) && c.x == t.edge()-1
}

// restoreSets designates G0 to G3 by the designators that stand one behind the other. Whether a set has 94
// or 96 characters is not told apart, as in xterm; those of 94 are meant first.
func (t *Terminal) restoreSets(s string) {
	for n := range 4 {
		end := 1
		if s != "" && s[0] < 0x30 {
			end = 2
		}
		if len(s) < end {
			return
		}
		designator := s[:end]
		s = s[end:]
		if _, ok := sets94[designator]; ok {
			t.designate(n, sets94, designator)
		} else {
			t.designate(n, sets96, designator)
		}
	}
}
