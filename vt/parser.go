package vt

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// Bounds of sequences.
const (
	maxParams = 32
	maxParam  = 65535
	maxOSC    = 1 << 20 // bytes of an OSC kept; a longer one is dropped whole
	maxDCS    = 4 << 10 // bytes of a DCS kept: only short requests are understood
	dcsHead   = 64      // bytes of a DCS that tell what it is
	maxName   = 4 << 10 // bytes of a name for the window
)

// The states of the parser, after P. Williams' diagram of DEC's.
type state uint8

const (
	ground state = iota
	escape
	escapeMiddle // after an intermediate character
	csiEntry
	csiParam
	csiMiddle
	csiIgnore
	oscString
	dcsString
	skipString // SOS, PM
	sixelString
	apcString
	nameString // ESC k
	passString // DCS tmux;, in which ESC is doubled
	passEscape // behind an ESC there
	lastState  = passEscape
)

// passPrefix begins a DCS that is for the outer terminal.
const passPrefix = "tmux;"

// parser is everything known of an unfinished sequence or character. All of it
// is part of the saved state.
type parser struct {
	state  state
	prefix byte    // private marker of a CSI: < = > ?
	middle [2]byte // intermediate characters
	n      int     // parameters begun, 0 none
	params [maxParams]uint16
	sub    uint32 // bit i: parameter i came after a colon
	str    []byte // the string so far
	over   bool   // the string is longer than it may be
	c2     bool   // the last byte of a string was 0xC2: U+009C may follow
	latin  bool   // bytes are ISO 8859-1 with C1 controls, not UTF-8

	// An unfinished UTF-8 character: how many bytes are missing, the bits so
	// far, and what the next byte may be.
	need   uint8
	lo, hi byte
	acc    rune
}

// Write takes the program's output. It never fails; the result is always
// len(p), nil.
func (t *Terminal) Write(p []byte) (int, error) {
	base := t.parsed
	for i := 0; i < len(p); {
		b := p[i]
		if t.p.state == ground {
			switch {
			case b-0x20 < 0x5f:
				if t.p.need > 0 {
					t.broken()
				}
				n := printable(p[i:])
				t.ascii(p[i : i+n])
				i += n
			case b >= 0x80 && !t.p.latin:
				t.at = base + uint64(i)
				i += t.utf8(p[i:])
			case b >= 0xa0:
				i++
				t.print(t.eighth(b))
			case b >= 0x80:
				i++
				t.at = base + uint64(i)
				t.c1(b)
				t.fit()
			case b == 0x1b && i+1 < len(p) && p[i+1] == '[' && t.p.need == 0:
				i += 2
				t.startCSI()
			default:
				if t.p.need > 0 {
					t.broken()
				}
				i++
				t.at = base + uint64(i)
				t.control(b)
				t.fit()
				continue
			}
			if t.p.state == ground || i == len(p) {
				continue
			}
		}
		if t.p.state == csiEntry || t.p.state == csiParam {
			i += t.numbers(p[i:])
			if i == len(p) {
				break
			}
			if b = p[i]; b >= 0x40 && b < 0x7f {
				i++
				t.at = base + uint64(i)
				t.p.state = ground
				t.csi(b)
				t.fit()
				continue
			}
		}
		b = p[i]
		if t.p.state >= oscString {
			n := t.gather(p[i:])
			i += n
			if n > 0 {
				continue
			}
		}
		i++
		t.at = base + uint64(i)
		if !t.sequence(b) {
			i-- // the byte broke the sequence off and is text
		}
		t.fit()
	}
	t.parsed = base + uint64(len(p))
	return len(p), nil
}

// printable is the length of the run of 0x20-0x7E that p begins with, tested
// eight bytes at a time.
func printable(p []byte) int {
	const high, low = 0x8080808080808080, 0x0101010101010101
	n := 0
	for len(p)-n >= 8 {
		v := binary.LittleEndian.Uint64(p[n:])
		// Wrong are bytes from 0x80 on, and those that become so when 0x20 is
		// taken off or one is added; a borrow or carry comes from such only.
		if bad := (v | (v - 0x20*low) | (v + low)) & high; bad != 0 {
			return n + bits.TrailingZeros64(bad)/8
		}
		n += 8
	}
	for n < len(p) && p[n]-0x20 < 0x5f {
		n++
	}
	return n
}

// numbers takes the digits and separators of a control sequence's parameters
// that p begins with.
func (t *Terminal) numbers(p []byte) int {
	q := &t.p
	n := q.n
	v := 0
	if n > 0 && n <= maxParams {
		v = int(q.params[n-1])
	}
	i := 0
	for ; i < len(p); i++ {
		b := p[i]
		if b-'0' > ';'-'0' {
			break
		}
		if n == 0 {
			n, v = 1, 0
		}
		if b <= '9' {
			v = min(v*10+int(b-'0'), maxParam)
			continue
		}
		if n > maxParams {
			continue
		}
		q.params[n-1] = uint16(v)
		n++
		v = 0
		if b == ':' && n <= maxParams {
			q.sub |= 1 << (n - 1)
		}
	}
	if i == 0 {
		return 0
	}
	q.state = csiParam
	q.n = n
	if n <= maxParams {
		q.params[n-1] = uint16(v)
	}
	return i
}

// gather takes the bytes of a string that have no effect yet.
func (t *Terminal) gather(p []byte) int {
	n := 0
	if t.p.latin {
		for n < len(p) && p[n] >= 0x20 && (p[n] < 0x80 || p[n] >= 0xa0) {
			n++
		}
	} else {
		for n < len(p) && p[n] >= 0x20 && (p[n] != 0x9c || !(t.p.c2 && n == 0 || n > 0 && p[n-1] == 0xc2)) {
			n++
		}
	}
	if n == 0 {
		return 0
	}
	limit := 0
	switch t.p.state {
	case oscString, passString:
		limit = maxOSC
	case passEscape:
		return 0
	case dcsString:
		limit = maxDCS
		if head := dcsHead - len(t.p.str); head > 0 {
			n = min(n, head) // what it begins with decides how much of it is kept
		}
	case nameString:
		limit = maxName
	}
	t.p.c2 = p[n-1] == 0xc2 && !t.p.latin
	switch t.p.state {
	case sixelString:
		t.sixel.feed(p[:n])
		return n
	case apcString: // only the head matters
		t.p.str = append(t.p.str, p[:min(n, maxAPC-len(t.p.str))]...)
		return n
	}
	if len(t.p.str)+n > limit {
		t.p.over = true
		t.p.str = t.p.str[:0]
	}
	if !t.p.over {
		t.p.str = append(t.p.str, p[:n]...)
		if at, ok := beginsSixel(t.p.str); ok && t.p.state == dcsString {
			t.p.state = sixelString
			t.sixel = sixel{repeat: 1}
			t.sixel.feed(t.p.str[at:])
			t.p.str = t.p.str[:0]
		}
		if t.p.state == dcsString && bytes.HasPrefix(t.p.str, []byte(passPrefix)) {
			t.p.state = passString
			t.p.str = append(t.p.str[:0], t.p.str[len(passPrefix):]...)
		}
	}
	return n
}

// sequence takes one byte inside an escape sequence or a string. It returns
// false when the byte does not belong to it: the state is then ground.
func (t *Terminal) sequence(b byte) bool {
	switch {
	case b == 0x18 || b == 0x1a: // CAN, SUB
		t.endString(false)
		t.p.state = ground
		t.endRun()
		return true
	case t.p.state == passString && b < 0x20:
		t.passing(b)
		return true
	case t.p.state == passEscape && b == 0x1b:
		t.p.state = passString
		t.pass(b)
		return true
	case t.p.state == passEscape:
		t.p.state = passString
		t.endString(b == '\\') // any other sequence breaks it off
		t.startEscape()
		return t.sequence(b)
	case b == 0x1b:
		t.endString(true)
		t.startEscape()
		return true
	case t.p.state >= oscString:
		switch {
		case b == 0x07 && t.p.state == oscString:
			t.bell = true // who ends a question so wants an answer that ends so
			t.endString(true)
			t.bell = false
			t.p.state = ground
		case b == 0x9c && t.p.c2:
			if n := len(t.p.str); n > 0 && t.p.str[n-1] == 0xc2 {
				t.p.str = t.p.str[:n-1]
			}
			t.endString(true)
			t.p.state = ground
		case b >= 0x80 && t.p.latin:
			t.endString(true)
			t.p.state = ground
			t.c1(b)
		}
		t.p.c2 = false
		return true
	case b < 0x20:
		t.control(b)
		return true
	case b >= 0x80 && b < 0xa0 && t.p.latin:
		t.p.state = ground
		t.c1(b)
		return true
	case b >= 0x80:
		t.p.state = ground
		return false
	case b == 0x7f:
		return true
	}
	switch t.p.state {
	case escape, escapeMiddle:
		if t.modes&modeVT52 != 0 {
			t.escape52(b)
			return true
		}
		if b < 0x30 {
			t.intermediate(b)
			t.p.state = escapeMiddle
			return true
		}
		t.p.state = ground
		t.escape(b)
	default:
		t.parameter(b)
	}
	return true
}

// passing takes a control character of what is for the outer terminal.
func (t *Terminal) passing(b byte) {
	if b == 0x1b {
		t.p.state = passEscape
		return
	}
	t.pass(b)
}

// pass adds one byte to what is for the outer terminal.
func (t *Terminal) pass(b byte) {
	t.p.c2 = false
	if len(t.p.str) >= maxOSC {
		t.p.over, t.p.str = true, t.p.str[:0]
	}
	if !t.p.over {
		t.p.str = append(t.p.str, b)
	}
}

// startEscape begins anew after ESC.
func (t *Terminal) startEscape() {
	t.p.state = escape
	t.p.middle = [2]byte{}
}

// startCSI begins a control sequence.
func (t *Terminal) startCSI() {
	if t.modes&modeVT52 != 0 { // there ESC [ is a sequence of its own, for holding the screen
		t.startEscape()
		t.escape52('[')
		return
	}
	t.p.state = csiEntry
	t.p.prefix, t.p.middle, t.p.n, t.p.sub = 0, [2]byte{}, 0, 0
}

// startString begins an OSC, DCS or one of the strings that are skipped.
func (t *Terminal) startString(s state) {
	t.p.state = s
	t.p.str, t.p.over, t.p.c2 = t.p.str[:0], false, false
}

// endString acts on a complete string, if one was being gathered. The bell, ST
// and any other escape sequence complete it; CAN and SUB drop it.
func (t *Terminal) endString(complete bool) {
	s := t.p.state
	if s < oscString {
		return
	}
	if complete && !t.p.over {
		switch s {
		case oscString:
			t.osc(t.p.str)
		case dcsString:
			t.dcs(t.p.str)
		case sixelString:
			t.sixelDone()
		case apcString:
			t.applicationCommand(t.p.str)
		case passString:
			if t.modes&modePasses != 0 && len(t.p.str) > 0 {
				t.event(Event{Kind: EventPass, Text: string(t.p.str)})
			}
		case nameString:
			t.event(Event{Kind: EventName, Text: clean(string(t.p.str))})
		}
	}
	t.p.str = t.p.str[:0]
	if cap(t.p.str) > 64<<10 {
		t.p.str = nil
	}
}

func (t *Terminal) intermediate(b byte) {
	switch {
	case t.p.middle[0] == 0:
		t.p.middle[0] = b
	default: // no sequence has three: two that match none
		t.p.middle[1] = b
	}
}

// parameter takes a byte 0x20-0x7E of a control sequence that is not for
// numbers.
func (t *Terminal) parameter(b byte) {
	p := &t.p
	switch {
	case b >= 0x40:
		ignored := p.state == csiIgnore
		p.state = ground
		if !ignored {
			t.csi(b)
		}
	case p.state == csiIgnore:
	case b < 0x30:
		t.intermediate(b)
		p.state = csiMiddle
	case p.state == csiMiddle:
		p.state = csiIgnore
	case b >= 0x3c:
		if p.state != csiEntry {
			p.state = csiIgnore
			return
		}
		p.prefix = b
		p.state = csiParam
	}
}

// count is how many parameters there are.
func (p *parser) count() int { return min(p.n, maxParams) }

// param gives parameter i, or def when it is missing or 0.
func (p *parser) param(i, def int) int {
	if i >= p.count() || p.params[i] == 0 {
		return def
	}
	return int(p.params[i])
}

// isSub tells that parameter i belongs to the one before it.
func (p *parser) isSub(i int) bool { return i < p.count() && p.sub>>i&1 != 0 }

// broken ends an unfinished character: one U+FFFD for the bytes so far.
func (t *Terminal) broken() {
	t.p.need = 0
	t.print(0xFFFD)
}

// utf8 takes bytes from a run of bytes that are not ASCII (p[0] is one) and
// returns how many it took; t.at is the offset of p[0]. What cannot be decoded gives one U+FFFD for each maximal
// subpart (Unicode 3.9, W3C's practice).
func (t *Terminal) utf8(p []byte) int {
	i := 0
	for i < len(p) && p[i] >= 0x80 {
		b := p[i]
		if t.p.need > 0 {
			if b < t.p.lo || b > t.p.hi {
				t.broken()
				continue
			}
			i++
			t.p.acc = t.p.acc<<6 | rune(b&0x3f)
			t.p.lo, t.p.hi = 0x80, 0xbf
			if t.p.need--; t.p.need > 0 {
				continue
			}
			if t.p.acc < 0xa0 {
				t.at += uint64(i)
				t.c1(byte(t.p.acc))
				t.fit()
				return i
			}
			t.print(t.p.acc)
			continue
		}
		// The common case at once: a whole character of three bytes.
		if q := p[i:]; len(q) >= 3 && b > 0xe0 && b < 0xf0 && b != 0xed && q[1]&0xc0 == 0x80 && q[2]&0xc0 == 0x80 {
			i += 3
			t.print(rune(b&15)<<12 | rune(q[1]&63)<<6 | rune(q[2]&63))
			continue
		}
		i++
		t.lead(b)
	}
	return i
}

// lead begins a character of more than one byte.
func (t *Terminal) lead(b byte) {
	p := &t.p
	p.lo, p.hi = 0x80, 0xbf
	switch {
	case b < 0xc2 || b > 0xf4:
		t.print(0xFFFD)
	case b < 0xe0:
		p.need, p.acc = 1, rune(b&0x1f)
	case b < 0xf0:
		p.need, p.acc = 2, rune(b&0x0f)
		if b == 0xe0 {
			p.lo = 0xa0
		} else if b == 0xed {
			p.hi = 0x9f
		}
	default:
		p.need, p.acc = 3, rune(b&0x07)
		if b == 0xf0 {
			p.lo = 0x90
		} else if b == 0xf4 {
			p.hi = 0x8f
		}
	}
}
