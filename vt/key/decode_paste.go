package key

import (
	"bytes"
	"unicode/utf8"
)

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
)

// paste emits what b holds of a paste and returns how much of b that is. What
// may be the beginning of the end mark, of a character or of a CR LF is left for
// the next time, so that a piece can be made safe by itself.
func (d *Decoder) paste(b []byte, emit func(Event)) int {
	if n := bytes.Index(b, []byte(pasteEnd)); n >= 0 {
		data := b[:n]
		for len(data) > maxPiece {
			data = data[d.piece(data[:maxPiece-pasteTail(data[:maxPiece])], false, emit):]
		}
		d.piece(data, true, emit)
		d.state = ground
		return n + len(pasteEnd)
	}
	rest := b[:len(b)-pasteTail(b)]
	for len(rest) > 0 {
		n := min(len(rest), maxPiece)
		if n < len(rest) {
			n -= pasteTail(rest[:n])
		}
		rest = rest[d.piece(rest[:n], false, emit):]
	}
	return len(b) - pasteTail(b)
}

// piece emits one piece and returns its length.
func (d *Decoder) piece(data []byte, end bool, emit func(Event)) int {
	e := Event{Kind: KindPaste, Start: d.first, End: end}
	if len(data) > 0 {
		e.Data = bytes.Clone(data)
	}
	d.first = false
	emit(e)
	return len(data)
}

// pasteTail gives the number of bytes at the end of b that only what follows
// can explain.
func pasteTail(b []byte) int {
	for n := min(len(pasteEnd)-1, len(b)); n > 0; n-- {
		if string(b[len(b)-n:]) == pasteEnd[:n] {
			return n
		}
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			break
		}
	}
	return 0
}
