package vt

import (
	"bytes"
	"strconv"
)

// Unfinished is the beginning of the control sequence or string that the program has not ended yet; nothing
// where there is none. The parser keeps what a sequence means instead of its bytes, so this is the shortest
// form that means the same: of numbers it has no leading zeros, and none that is 0. What the parser does not
// keep is missing: the text of PM and SOS, of pictures and of strings that are too long, and what came behind a
// byte that no sequence has there.
func (t *Terminal) Unfinished() []byte {
	p := &t.p
	switch p.state {
	case ground:
		return nil
	case escape, escapeMiddle:
		return p.middles([]byte{0x1b})
	case oscString:
		return append([]byte("\x1b]"), p.str...)
	case dcsString:
		return append([]byte("\x1bP"), p.str...)
	case passString:
		return p.passed()
	case passEscape:
		return append(p.passed(), 0x1b)
	case apcString:
		return append([]byte("\x1b_"), p.str...)
	case nameString:
		return append([]byte("\x1bk"), p.str...)
	case sixelString: // drawn as it came
		return []byte("\x1bP")
	case skipString:
		return p.middles([]byte{0x1b})
	}
	out := []byte("\x1b[")
	if p.prefix != 0 {
		out = append(out, p.prefix)
	}
	for i := range p.count() {
		switch {
		case i == 0:
		case p.isSub(i):
			out = append(out, ':')
		default:
			out = append(out, ';')
		}
		if v := p.params[i]; v != 0 {
			out = strconv.AppendUint(out, uint64(v), 10)
		}
	}
	return p.middles(out)
}

// passed is what there is so far of a string for the outer terminal.
func (p *parser) passed() []byte {
	return append([]byte("\x1bP"+passPrefix), bytes.ReplaceAll(p.str, []byte{0x1b}, []byte{0x1b, 0x1b})...)
}

// middles adds the intermediate characters.
func (p *parser) middles(out []byte) []byte {
	for _, b := range p.middle {
		if b != 0 {
			out = append(out, b)
		}
	}
	return out
}
