package key

import "bytes"

// str decodes what begins like the answer to a query: OSC digits ; … and the
// DCS and APC answers of stringHead, up to ST (or BEL for an OSC). Anything else
// was Alt-], Alt-P or Alt-_, and the rest is typed text; unless strangers' answers
// may come, of whose heads nothing is known.
func (d *Decoder) str(b []byte, flush bool) (Event, int) {
	ok, more := stringHead(b[1:])
	switch {
	case ok:
	case d.Passing:
		return d.anyString(b, flush)
	case more && !flush:
		return Event{}, 0
	default:
		return alt(b[1])
	}
	for i := max(d.scan, 2); i < len(b); i++ {
		if i >= maxString {
			return Event{Kind: kindSkipString}, i
		}
		switch c := b[i]; {
		case c == bel && b[1] == ']':
			return Event{Kind: KindReply, Data: bytes.Clone(b[:i+1])}, i + 1
		case c == can || c == sub:
			return Event{Kind: KindUnknown}, i + 1
		case c != esc:
		case i+1 < len(b) && b[i+1] == '\\':
			return Event{Kind: KindReply, Data: bytes.Clone(b[:i+2])}, i + 2
		case i+1 < len(b) || flush:
			return Event{Kind: KindUnknown}, i // Cut off; the next sequence begins here.
		default:
			d.scan = i
			return Event{}, 0
		}
	}
	d.scan = len(b)
	if flush { // The tail may still come.
		return Event{Kind: kindSkipString}, len(b)
	}
	return Event{}, 0
}

// anyString decodes a string of any kind with printable text in it, up to its ST
// (or BEL for an OSC). Without an end in time it was typing.
func (d *Decoder) anyString(b []byte, flush bool) (Event, int) {
	for i := max(d.scan, 2); i < min(len(b), maxString); i++ {
		switch c := b[i]; {
		case c == bel && i > 2 && b[1] == ']':
			return Event{Kind: KindReply, Data: bytes.Clone(b[:i+1])}, i + 1
		case c == esc && i > 2 && i+1 < len(b) && b[i+1] == '\\':
			return Event{Kind: KindReply, Data: bytes.Clone(b[:i+2])}, i + 2
		case c == esc && i > 2 && i+1 == len(b) && !flush:
			d.scan = i
			return Event{}, 0
		case c < ' ' || c == del:
			return alt(b[1])
		}
	}
	if flush || len(b) >= maxString {
		return alt(b[1])
	}
	d.scan = len(b)
	return Event{}, 0
}

// stringHead reports whether b, which begins behind the ESC, is the head of an
// answer: OSC with a number, XTVERSION, DA3, XTGETTCAP, DECRQSS, kitty graphics.
// more means that it may yet become one.
func stringHead(b []byte) (ok, more bool) {
	switch b[0] {
	case ']':
		for i, c := range b[1:] {
			switch {
			case c == ';' && i > 0:
				return true, false
			case !digit(c) || i > 4:
				return false, false
			}
		}
		return false, true
	case 'P':
		for _, head := range [...]string{"P>|", "P!|", "P0+r", "P1+r", "P0$r", "P1$r"} {
			switch n := min(len(b), len(head)); {
			case string(b[:n]) != head[:n]:
			case n == len(head):
				return true, false
			default:
				more = true
			}
		}
		return false, more
	}
	return b[0] == '_' && len(b) > 1 && b[1] == 'G', b[0] == '_' && len(b) == 1
}

// skipString swallows the rest of a string and returns how much of b that is. An
// ESC at the end of b waits for the byte after it.
func (d *Decoder) skipString(b []byte) int {
	for i, c := range b {
		switch {
		case c == bel || c == can || c == sub:
			d.state = ground
			return i + 1
		case c != esc:
		case i+1 == len(b):
			return i
		default:
			d.state = ground
			if b[i+1] == '\\' {
				return i + 2
			}
			return i
		}
	}
	return len(b)
}

// skipCSI swallows the rest of a control sequence and returns how much of b that
// is.
func (d *Decoder) skipCSI(b []byte) int {
	for i, c := range b {
		switch {
		case c >= '@' && c <= '~':
			d.state = ground
			return i + 1
		case c < ' ' || c >= del:
			d.state = ground
			return i
		}
	}
	return len(b)
}
