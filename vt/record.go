package vt

import (
	"encoding/binary"
	"slices"
	"unicode/utf8"

	"stet/vt/width"
)

// A record is one row outside the screen: in the history, in a saved state.
// It holds characters as text and styles by value, so that it needs no table
// and pins none:
//
//	flags, 1 byte
//	length of the text, uvarint
//	columns, uvarint: only with recUnicode, else one a byte of text
//	length of the runs, uvarint: only with recRuns
//	text: a cell of one code point as that; any other cell as 1 or 2 (its
//	      width), a byte of length, and its characters
//	runs: columns (uvarint) and style each, together all columns; without
//	      recRuns all is in the default style
//
// A style is a byte of runFlags, then what these announce: colours as one byte
// (palette) or three (direct), the underline's colour as four, the attributes
// as two, the underline style as one, a link as its uvarint number in this
// record, where 0 is a new one whose ID and URL follow, each after its uvarint
// length.
//
// The format is stored in memory that outlives this program and in its saved
// states: it may only change together with stateVersion.
type recordFlags uint8

const (
	recContinues recordFlags = 1 << iota // of history: goes on from the record before
	recUnicode                           // not only ASCII
	recWide                              // holds cells of two columns
	recRuns
	recPrompt
	recOutput
	recWrapped // of screen rows: goes on in the next row
	recFiller  // of screen rows: rowFiller
)

const (
	runFG uint8 = 1 << iota
	runBG
	runUL
	runAttr
	runUnder
	runLink
	runFGDirect
	runBGDirect
)

func (f rowFlags) record() recordFlags {
	var r recordFlags
	if f&rowWrapped != 0 {
		r |= recWrapped
	}
	if f&rowFiller != 0 {
		r |= recFiller
	}
	if f&rowPrompt != 0 {
		r |= recPrompt
	}
	if f&rowOutput != 0 {
		r |= recOutput
	}
	return r
}

func (r recordFlags) row() rowFlags {
	var f rowFlags
	if r&recWrapped != 0 {
		f |= rowWrapped
	}
	if r&recFiller != 0 {
		f |= rowFiller
	}
	if r&recPrompt != 0 {
		f |= rowPrompt
	}
	if r&recOutput != 0 {
		f |= rowOutput
	}
	return f
}

// recorder writes records; it keeps its buffers from one to the next.
type recorder struct {
	text, runs []byte
	links      []uint32 // those of this record, in order
}

// append writes row as a record. Blank cells at its end are the caller's to
// cut off.
func (e *recorder) append(dst []byte, t *tables, row []Cell, flags recordFlags) []byte {
	text, runs := e.text[:0], e.runs[:0]
	e.links = e.links[:0]
	for i := 0; i < len(row); {
		style := row[i] & styleMask
		base := style | narrow
		from := i
		for i < len(row) && row[i]&styleMask == style {
			// Room for the rest of the row, but for clusters.
			text = slices.Grow(text, 4*(len(row)-i))
			n := len(text)
			out := text[n:cap(text)]
			src := row[i:]
			k := 0
			for len(src) > 0 {
				// One comparison tests ASCII, width and style together.
				if len(src) >= 4 && len(out)-k >= 4 {
					s, d := src[:4:4], out[k:k+4:k+4]
					a, b, c, e := s[0]^base, s[1]^base, s[2]^base, s[3]^base
					if a|b|c|e < 0x80 {
						d[0], d[1], d[2], d[3] = byte(a), byte(b), byte(c), byte(e)
						src, k = src[4:], k+4
						continue
					}
				}
				c := src[0]
				if x := c ^ base; x < 0x80 {
					out[k] = byte(x)
					src, k = src[1:], k+1
					continue
				}
				if c&styleMask != style || c&clusterFlag != 0 {
					break
				}
				// A character of its own that is not ASCII; most are wide.
				src = src[1:]
				if c&widthMask == 0 {
					continue
				}
				if c&widthMask == wide {
					flags |= recWide
				}
				flags |= recUnicode
				r := c & (clusterFlag - 1)
				if r >= 0x800 && r < 0x10000 {
					d := out[k : k+3 : k+3]
					d[0], d[1], d[2] = 0xe0|byte(r>>12), 0x80|byte(r>>6)&0xbf, 0x80|byte(r)&0xbf
					k += 3
				} else {
					k += utf8.EncodeRune(out[k:], rune(r))
				}
			}
			text = text[:n+k]
			if i = len(row) - len(src); i < len(row) && row[i]&clusterFlag != 0 && row[i]&styleMask == style {
				text, flags = e.cluster(text, t, row[i], flags)
				i++
			}
		}
		if style != 0 || from > 0 || i < len(row) {
			flags |= recRuns
			runs = binary.AppendUvarint(runs, uint64(i-from))
			runs = e.style(runs, t, &t.styles[style>>styleShift])
		}
	}
	e.text, e.runs = text[:0], runs[:0]
	dst = append(dst, byte(flags))
	dst = binary.AppendUvarint(dst, uint64(len(text)))
	if flags&recUnicode != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(row)))
	}
	if flags&recRuns != 0 {
		dst = binary.AppendUvarint(dst, uint64(len(runs)))
	}
	dst = append(dst, text...)
	return append(dst, runs...)
}

func (e *recorder) cluster(text []byte, t *tables, c Cell, flags recordFlags) ([]byte, recordFlags) {
	if c&widthMask == wide {
		flags |= recWide
	}
	s := t.clusters[c.Cluster()]
	text = append(text, byte(c.Width()), byte(len(s)))
	return append(text, s...), flags | recUnicode
}

func (e *recorder) style(dst []byte, t *tables, s *Style) []byte {
	at := len(dst)
	dst = append(dst, 0)
	if *s == (Style{}) {
		return dst
	}
	var f uint8
	color := func(c Color, flag, direct uint8) {
		switch c >> 24 {
		case 1:
			f |= flag
			dst = append(dst, byte(c))
		case 2:
			f |= flag | direct
			dst = append(dst, byte(c>>16), byte(c>>8), byte(c))
		}
	}
	color(s.FG, runFG, runFGDirect)
	color(s.BG, runBG, runBGDirect)
	if s.UL != 0 {
		f |= runUL
		dst = binary.LittleEndian.AppendUint32(dst, uint32(s.UL))
	}
	if s.Attr != 0 {
		f |= runAttr
		dst = binary.LittleEndian.AppendUint16(dst, uint16(s.Attr))
	}
	if s.Under != 0 {
		f |= runUnder
		dst = append(dst, s.Under)
	}
	if s.Link != 0 {
		f |= runLink
		dst = e.link(dst, t, s.Link)
	}
	dst[at] = f
	return dst
}

func (e *recorder) link(dst []byte, t *tables, n uint32) []byte {
	for i, m := range e.links {
		if m == n {
			return binary.AppendUvarint(dst, uint64(i+1))
		}
	}
	e.links = append(e.links, n)
	l := t.links[n]
	dst = append(dst, 0)
	dst = binary.AppendUvarint(dst, uint64(len(l.ID)))
	dst = append(dst, l.ID...)
	dst = binary.AppendUvarint(dst, uint64(len(l.URL)))
	return append(dst, l.URL...)
}

// record is one that has been taken apart; text and runs lie in the memory it
// was read from.
type record struct {
	flags      recordFlags
	cols, size int
	text, runs []byte
}

// header reads the first record of b; ok is false when there is none whole.
func header(b []byte) (r record, ok bool) {
	if len(b) < 2 {
		return r, false
	}
	r.flags = recordFlags(b[0])
	n := int(b[1])
	at := 2
	if n >= 0x80 {
		v, k := binary.Uvarint(b[1:])
		if k <= 0 || v > uint64(len(b)) {
			return r, false
		}
		n, at = int(v), 1+k
	}
	r.cols = n
	if r.flags&recUnicode != 0 {
		v, k := binary.Uvarint(b[at:])
		if k <= 0 || v > uint64(2*n) {
			return r, false
		}
		r.cols = int(v)
		at += k
	}
	runs := 0
	if r.flags&recRuns != 0 {
		v, k := binary.Uvarint(b[at:])
		if k <= 0 || v > uint64(len(b)) {
			return r, false
		}
		runs = int(v)
		at += k
	}
	r.size = at + n + runs
	if r.size > len(b) {
		return r, false
	}
	r.text, r.runs = b[at:at+n], b[at+n:r.size]
	return r, true
}

// next takes the first cell's characters off text: its characters and its
// width. Damaged text gives a U+FFFD, never a panic.
func nextCell(text []byte) (s []byte, w int, rest []byte) {
	switch b := text[0]; {
	case b >= 0x20 && b < 0x80:
		return text[:1], 1, text[1:]
	case b == 1 || b == 2:
		if len(text) > 2 && int(text[1]) <= min(len(text)-2, maxClusterBytes) && text[1] > 0 {
			n := 2 + int(text[1])
			return text[2:n], int(b), text[n:]
		}
		return replacement, 1, nil
	}
	r, n := utf8.DecodeRune(text)
	if w := width.Rune(r); w > 0 {
		return text[:n], w, text[n:]
	}
	return replacement, 1, text[n:]
}

var replacement = []byte("\uFFFD")

// appendCells appends the record's cells, as many as its columns, with numbers
// of t.
func (r *record) appendCells(dst []Cell, t *tables) []Cell {
	d := styles{t: t, runs: r.runs, left: r.cols}
	if len(r.runs) > 0 {
		d.left = 0
	}
	end := len(dst) + r.cols
	text := r.text
	for len(text) > 0 && len(dst) < end {
		if d.left <= 0 {
			d.next()
		}
		if b := text[0]; b >= 0x20 && b < 0x80 {
			dst = append(dst, d.style|narrow|Cell(b))
			d.left--
			text = text[1:]
			continue
		}
		var s []byte
		var w int
		s, w, text = nextCell(text)
		if len(dst)+w > end {
			break
		}
		c := d.style | Cell(w)<<22
		if ru, n := utf8.DecodeRune(s); n == len(s) {
			c |= Cell(ru)
		} else {
			id, ok := t.clusterOf[string(s)]
			if !ok {
				id = t.cluster(string(s))
			}
			c |= clusterFlag | Cell(id)
		}
		dst = append(dst, c)
		if w == 2 {
			dst = append(dst, d.style)
		}
		d.left -= w
	}
	for len(dst) < end {
		dst = append(dst, BlankCell)
	}
	return dst
}

// styles reads the runs of a record one by one.
type styles struct {
	t     *tables
	runs  []byte
	left  int // columns of the run still to come
	style Cell
	links []uint32
}

// next begins the following run. Damaged runs end in the default style.
func (d *styles) next() {
	n, k := binary.Uvarint(d.runs)
	if k <= 0 || n == 0 || n > maxCols || len(d.runs) == k {
		d.runs, d.left, d.style = nil, maxCols, 0
		return
	}
	d.left = int(n)
	s, rest, ok := d.read(d.runs[k:])
	if !ok {
		d.runs, d.style = nil, 0
		return
	}
	d.runs = rest
	d.style = Cell(d.t.style(&s)) << styleShift
}

// read takes one style.
func (d *styles) read(b []byte) (s Style, rest []byte, ok bool) {
	f := b[0]
	b = b[1:]
	take := func(n int) []byte {
		if len(b) < n {
			b, ok = nil, false
			return make([]byte, n)
		}
		p := b[:n]
		b = b[n:]
		return p
	}
	ok = true
	color := func(flag, direct uint8) Color {
		switch {
		case f&flag == 0:
			return 0
		case f&direct == 0:
			return Indexed(take(1)[0])
		}
		p := take(3)
		return RGB(p[0], p[1], p[2])
	}
	s.FG = color(runFG, runFGDirect)
	s.BG = color(runBG, runBGDirect)
	if f&runUL != 0 {
		s.UL = Color(binary.LittleEndian.Uint32(take(4)))
	}
	if f&runAttr != 0 {
		s.Attr = Attr(binary.LittleEndian.Uint16(take(2)))
	}
	if f&runUnder != 0 {
		s.Under = take(1)[0]
	}
	if f&runLink != 0 {
		n, k := binary.Uvarint(b)
		if k <= 0 {
			return s, nil, false
		}
		b = b[k:]
		if n > uint64(len(d.links)) {
			return s, nil, false
		}
		if n > 0 {
			s.Link = d.links[n-1]
			return s, b, ok
		}
		str := func(limit uint64) string {
			n, k := binary.Uvarint(b)
			if k <= 0 || n > limit || n > uint64(len(b)-k) {
				ok = false
				return ""
			}
			p := b[k : k+int(n)]
			b = b[k+int(n):]
			return string(p)
		}
		l := Link{ID: str(maxLinkID), URL: str(maxURL)}
		if !ok {
			return s, nil, false
		}
		s.Link = d.t.link(l)
		d.links = append(d.links, s.Link)
	}
	return s, b, ok
}
