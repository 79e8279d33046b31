package client

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"stet/server/wire"
)

// outer is a fake outer terminal. It interprets what arrives as a strict xterm would, joins texts
// that stand together into clusters as modern terminals do, and notes every sequence it does not know.
type outer struct {
	w, h     int
	rows     [][]glyph
	x, y     int
	pending  bool // the cursor stands behind the last column
	pen      wire.Pen
	link     wire.Link
	top, bot int
	wrap     bool
	visible  bool
	shape    uint8
	color    uint32
	sync     bool
	alt      bool
	modes    map[int]bool
	kitty    []int
	modify   int
	titles   []string
	pushed   int // titles
	clip     []string
	bells    int
	notes    []string
	queries  int
	keypad   bool
	scrolled int // lines, up

	joinX, joinY int // where the text stands that the next one may join; joinX < 0: none
	last         string
	rest         []byte
	unknown      []string
	writes       int
	bytes        int
	byCodePoint  bool // adds up the widths of code points instead of joining them
}

// glyph is one cell: pen without link number, the link by value.
type glyph struct {
	text string
	w    int
	pen  wire.Pen
	link wire.Link
}

func newOuter(w, h int) *outer {
	o := &outer{wrap: true, visible: true, modes: map[int]bool{}, joinX: -1}
	o.resize(w, h)
	return o
}

// resize keeps what fits and fills the rest with rubbish, on which nobody may rely.
func (o *outer) resize(w, h int) {
	old, ow := o.rows, o.w
	o.w, o.h, o.top, o.bot = w, h, 0, h-1
	o.rows = nil
	for y := range h {
		row := make([]glyph, w)
		for x := range row {
			row[x] = glyph{text: "#", w: 1, pen: wire.Pen{FG: 1<<24 | 1}}
			if y < len(old) && x < ow {
				row[x] = old[y][x]
			}
		}
		if row[w-1].w == 2 {
			row[w-1] = glyph{text: "%", w: 1}
		}
		o.rows = append(o.rows, row)
	}
	o.x, o.y, o.pending, o.joinX = min(o.x, w-1), min(o.y, h-1), false, -1
}

func (o *outer) Write(p []byte) (int, error) {
	o.writes++
	o.bytes += len(p)
	b := append(o.rest, p...)
	for len(b) > 0 {
		n := o.step(b)
		if n == 0 {
			break
		}
		b = b[n:]
	}
	o.rest = append([]byte(nil), b...)
	return len(p), nil
}

func (o *outer) odd(format string, a ...any) {
	o.unknown = append(o.unknown, fmt.Sprintf(format, a...))
}

func (o *outer) step(b []byte) int {
	switch c := b[0]; {
	case c == 0x1b:
		return o.escape(b)
	case c == 7:
		o.bells++
	case c == '\r':
		o.x, o.pending, o.joinX = 0, false, -1
	case c == '\n':
		o.pending, o.joinX = false, -1
		o.lineFeed()
	case c == '\b':
		if !o.pending {
			o.x = max(o.x-1, 0)
		}
		o.pending, o.joinX = false, -1
	case c == 0x0f || c == 0x18 || c == '\t' && !o.alt: // tabs only in what a panic prints
	case c < 0x20 || c == 0x7f:
		o.odd("control %#x", c)
	default:
		if !utf8.FullRune(b) {
			return 0
		}
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError {
			o.odd("not UTF-8: %q", b[:n])
		}
		o.put(r)
		return n
	}
	return 1
}

func (o *outer) lineFeed() {
	switch {
	case o.y == o.bot:
		o.scroll(1)
	case o.y < o.h-1:
		o.y++
	}
}

func (o *outer) blank() glyph { return glyph{text: " ", w: 1, pen: wire.Pen{BG: o.pen.BG}} }

func (o *outer) blankRow() []glyph {
	row := make([]glyph, o.w)
	for x := range row {
		row[x] = o.blank()
	}
	return row
}

func (o *outer) scroll(n int) {
	o.scrolled += n
	for ; n > 0; n-- {
		copy(o.rows[o.top:o.bot], o.rows[o.top+1:o.bot+1])
		o.rows[o.bot] = o.blankRow()
	}
	for ; n < 0; n++ {
		copy(o.rows[o.top+1:o.bot+1], o.rows[o.top:o.bot])
		o.rows[o.top] = o.blankRow()
	}
}

func textWidth(s string) int {
	_, _, w, _ := uniseg.FirstGraphemeClusterInString(s, -1)
	return w
}

func (o *outer) put(r rune) {
	s := string(r)
	if o.joinX >= 0 && !o.byCodePoint {
		g := &o.rows[o.joinY][o.joinX]
		joined := g.text + s
		if first, _, w, _ := uniseg.FirstGraphemeClusterInString(joined, -1); first == joined {
			g.text = joined
			o.last = joined
			if w == 2 && g.w == 1 && o.joinX+1 < o.w {
				o.set(o.joinX+1, o.joinY, glyph{pen: g.pen})
				g.w = 2
				o.advance(1)
			}
			return
		}
	}
	w := textWidth(s)
	if w == 0 {
		if !o.byCodePoint {
			o.odd("a mark alone: %q", s)
		}
		return
	}
	o.draw(s, w)
}

func (o *outer) draw(s string, w int) {
	if o.pending && o.wrap {
		o.x = 0
		o.lineFeed()
	}
	o.pending = false
	if o.x+w > o.w {
		if o.wrap {
			o.x = 0
			o.lineFeed()
		} else {
			o.x = max(o.w-w, 0)
		}
	}
	if w > o.w {
		return
	}
	o.set(o.x, o.y, glyph{s, w, o.pen, o.link})
	if w == 2 {
		o.set(o.x+1, o.y, glyph{pen: o.pen})
		o.rows[o.y][o.x] = glyph{s, w, o.pen, o.link}
	}
	o.joinX, o.joinY, o.last = o.x, o.y, s
	o.advance(w)
}

func (o *outer) advance(n int) {
	if o.x += n; o.x >= o.w {
		o.x, o.pending = o.w-1, true
	}
}

// set overwrites one column; what is cut in two becomes rubbish.
func (o *outer) set(x, y int, g glyph) {
	row := o.rows[y]
	if row[x].w == 0 && g.w != 0 && x > 0 && row[x-1].w == 2 {
		row[x-1] = glyph{text: "%", w: 1}
	}
	if row[x].w == 2 && x+1 < o.w && row[x+1].w == 0 {
		row[x+1] = glyph{text: "%", w: 1}
	}
	row[x] = g
}

func (o *outer) erase(y, from, to int) {
	for x := from; x < to; x++ {
		o.set(x, y, o.blank())
	}
}

func (o *outer) escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	o.joinX = -1
	switch b[1] {
	case '[':
		for i := 2; i < len(b); i++ {
			if b[i] >= 0x40 && b[i] < 0x7f {
				o.csi(string(b[2:i]), b[i])
				return i + 1
			}
		}
		return 0
	case ']':
		for i := 2; i < len(b); i++ {
			switch {
			case b[i] == 7:
				o.osc(string(b[2:i]))
				return i + 1
			case b[i] == 0x1b && i+1 < len(b):
				o.osc(string(b[2:i]))
				return i + 2
			}
		}
		return 0
	case '(':
		if len(b) < 3 {
			return 0
		}
		return 3
	case '>', '=':
		o.keypad = b[1] == '='
		return 2
	case '\\':
		return 2
	}
	o.odd("ESC %c", b[1])
	return 2
}

func (o *outer) osc(s string) {
	kind, rest, _ := strings.Cut(s, ";")
	switch kind {
	case "8":
		params, url, _ := strings.Cut(rest, ";")
		o.link = wire.Link{ID: strings.TrimPrefix(params, "id="), URL: url}
	case "2":
		o.titles = append(o.titles, rest)
	case "9", "99", "777":
		o.notes = append(o.notes, s)
	case "12":
		v, err := strconv.ParseUint(strings.TrimPrefix(rest, "#"), 16, 24)
		if err != nil {
			o.odd("OSC 12 %s", rest)
		}
		o.color = 2<<24 | uint32(v)
	case "112":
		o.color = 0
	case "52":
		o.clip = append(o.clip, rest)
	case "10", "11":
		o.queries++
	default:
		o.odd("OSC %s", s)
	}
}

func (o *outer) csi(s string, final byte) {
	private := ""
	if s != "" && strings.ContainsRune("?><=", rune(s[0])) {
		private, s = s[:1], s[1:]
	}
	if final != 'm' && final != 'h' && final != 'l' {
		o.pending = false
	}
	params := strings.Split(s, ";")
	arg := func(i, otherwise int) int {
		if i < len(params) {
			if n, err := strconv.Atoi(params[i]); err == nil && n > 0 {
				return n
			}
		}
		return otherwise
	}
	switch private + string(final) {
	case "H":
		o.y, o.x = min(arg(0, 1), o.h)-1, min(arg(1, 1), o.w)-1
	case "G":
		o.x = min(arg(0, 1), o.w) - 1
	case "A":
		o.y = max(o.y-arg(0, 1), 0)
	case "B":
		o.y = min(o.y+arg(0, 1), o.h-1)
	case "C":
		o.x = min(o.x+arg(0, 1), o.w-1)
	case "D":
		o.x = max(o.x-arg(0, 1), 0)
	case "K":
		if s != "" {
			o.odd("EL %s", s)
		}
		o.erase(o.y, o.x, o.w)
	case "X":
		o.erase(o.y, o.x, min(o.x+arg(0, 1), o.w))
	case "J":
		if s != "2" {
			o.odd("ED %s", s)
		}
		for y := range o.h {
			o.rows[y] = o.blankRow()
		}
	case "b":
		for range arg(0, 1) {
			o.draw(o.last, textWidth(o.last))
		}
	case "S":
		o.scroll(arg(0, 1))
	case "T":
		o.scroll(-arg(0, 1))
	case "r":
		o.top, o.bot = arg(0, 1)-1, min(arg(1, o.h), o.h)-1
		o.x, o.y = 0, 0
	case "m":
		o.sgr(s)
	case ">m":
		o.modify = arg(1, 0)
	case "q":
		if !strings.HasSuffix(s, " ") {
			o.odd("CSI %s q", s)
		}
		n, _ := strconv.Atoi(strings.TrimSuffix(s, " "))
		o.shape = uint8(n)
	case "?h", "?l":
		o.mode(s, final == 'h')
	case "t":
		switch params[0] {
		case "22":
			o.pushed++
		case "23":
			o.pushed--
		default:
			o.odd("CSI %s t", s)
		}
	case "?u", "c", ">c", ">q", "?p":
		o.queries++
	case ">u":
		o.kitty = append(o.kitty, arg(0, 0))
	case "=u":
		o.kitty[len(o.kitty)-1] = arg(0, 0)
	case "<u":
		o.kitty = o.kitty[:len(o.kitty)-1]
	default:
		o.odd("CSI %s%s%c", private, s, final)
	}
}

func (o *outer) mode(s string, on bool) {
	n, err := strconv.Atoi(s)
	if err != nil {
		o.odd("mode %s", s)
	}
	switch n {
	case 7:
		o.wrap = on
	case 25:
		o.visible = on
	case 2026:
		o.sync = on
	case 1049:
		o.alt = on
	case 1, 1000, 1002, 1003, 1004, 1006, 1016, 2004, 2031:
		if n == 1016 {
			o.modes[1006] = !on && o.modes[1006] // one encoding takes the other's place, as in xterm
		}
		o.modes[n] = on
	default:
		o.odd("mode %d", n)
	}
}

func (o *outer) sgr(s string) {
	f := strings.Split(s, ";")
	num := func(i int) uint32 {
		if i >= len(f) {
			o.odd("SGR %s", s)
			return 0
		}
		n, _ := strconv.Atoi(f[i])
		return uint32(n)
	}
	for i := 0; i < len(f); i++ {
		if parts := strings.Split(f[i], ":"); len(parts) > 1 {
			o.sgrColons(parts)
			continue
		}
		p, n := &o.pen, num(i)
		extended := func() uint32 {
			switch num(i + 1) {
			case 5:
				i += 2
				return 1<<24 | num(i)
			case 2:
				i += 4
				return 2<<24 | num(i-2)<<16 | num(i-1)<<8 | num(i)
			}
			o.odd("SGR %s", s)
			return 0
		}
		switch {
		case n == 0:
			*p = wire.Pen{}
		case n == 1:
			p.Attr |= bold
		case n == 2:
			p.Attr |= dim
		case n == 3:
			p.Attr |= italic
		case n == 4:
			p.Under = 1
		case n == 5:
			p.Attr |= blink
		case n == 7:
			p.Attr |= reverse
		case n == 8:
			p.Attr |= conceal
		case n == 9:
			p.Attr |= strike
		case n == 21:
			p.Under = 2
		case n == 22:
			p.Attr &^= bold | dim
		case n == 23:
			p.Attr &^= italic
		case n == 24:
			p.Under = 0
		case n == 25:
			p.Attr &^= blink
		case n == 27:
			p.Attr &^= reverse
		case n == 28:
			p.Attr &^= conceal
		case n == 29:
			p.Attr &^= strike
		case n == 53:
			p.Attr |= overline
		case n == 55:
			p.Attr &^= overline
		case n >= 30 && n < 38:
			p.FG = 1<<24 | (n - 30)
		case n >= 90 && n < 98:
			p.FG = 1<<24 | (n - 82)
		case n >= 40 && n < 48:
			p.BG = 1<<24 | (n - 40)
		case n >= 100 && n < 108:
			p.BG = 1<<24 | (n - 92)
		case n == 38:
			p.FG = extended()
		case n == 48:
			p.BG = extended()
		case n == 39:
			p.FG = 0
		case n == 49:
			p.BG = 0
		case n == 59:
			p.UL = 0
		default:
			o.odd("SGR %s", s)
		}
	}
}

func (o *outer) sgrColons(parts []string) {
	n := make([]uint32, len(parts))
	for i, p := range parts {
		v, _ := strconv.Atoi(p)
		n[i] = uint32(v)
	}
	switch {
	case n[0] == 4 && len(n) == 2:
		o.pen.Under = uint8(n[1])
	case n[0] == 58 && n[1] == 5 && len(n) == 3:
		o.pen.UL = 1<<24 | n[2]
	case n[0] == 58 && n[1] == 2 && len(n) == 6:
		o.pen.UL = 2<<24 | n[3]<<16 | n[4]<<8 | n[5]
	default:
		o.odd("SGR %v", parts)
	}
}

// text is the rows as text, for failures and for conditions to wait for.
func (o *outer) text() string {
	var b strings.Builder
	for _, row := range o.rows {
		line := ""
		for _, g := range row {
			line += g.text
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// TestNotificationsByTerminal: each terminal has its own sequence, and one that is not known to have any is rung,
// too, where somebody must be told.
func TestNotificationsByTerminal(t *testing.T) {
	for _, c := range []struct{ name, term, want string }{
		{"kitty(0.35)", "xterm-kitty", "\x1b]99;;done\x1b\\"},
		{"foot(1.16)", "foot", "\x1b]777;notify;stet;done\x1b\\"},
		{"VTE(7400)", "xterm-256color", "\x1b]777;notify;stet;done\x1b\\"},
		{"WezTerm 2024", "xterm-256color", "\x1b]9;done\x1b\\"},
		{"ghostty 1.1", "xterm-ghostty", "\x1b]9;done\x1b\\"},
		{"", "xterm-256color", "\a\x1b]9;done\x1b\\"},
		{"XTerm(390)", "xterm", "\a\x1b]9;done\x1b\\"},
		{"", "linux", "\a"},
		{"", "dumb", "\a"},
	} {
		f := features{}
		f.Name = c.name
		if got := string(appendOuter(nil, wire.Outer{Kind: wire.OuterNotify, Text: "done", Ring: true}, &f, c.term)); got != c.want {
			t.Errorf("%s on %s: %q, want %q", c.name, c.term, got, c.want)
		}
	}
	if got := appendOuter(nil, wire.Outer{Kind: wire.OuterNotify, Text: "done"}, &features{}, "linux"); len(got) > 0 {
		t.Errorf("%q", got)
	}
}
