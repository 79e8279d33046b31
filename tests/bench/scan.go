package main

import (
	"bytes"
	"strings"
)

// scanner takes the stream that a client sends to its terminal apart, just far enough to know which
// bytes are text and which escape sequences ask for an answer. Any split of the stream gives the same.
// It understands nothing of what the sequences do; its buffer is bounded.
type scanner struct {
	state scanState
	seq   []byte // the sequence so far, without its ESC; its end is dropped when it is too long
	// text is called with pieces of what is neither control character nor sequence.
	text func(p []byte)
	// answer is called with what a terminal would send back.
	answer func(s string)
}

type scanState uint8

const (
	scanGround scanState = iota
	scanEscape           // after ESC
	scanInter            // after ESC and an intermediate: one more byte
	scanCSI
	scanString    // OSC, DCS, APC, PM, SOS until ST or BEL
	scanStringEsc // after ESC within a string
)

// maxSeq bounds what is kept of one sequence. No query is longer.
const maxSeq = 128

func (s *scanner) write(p []byte) {
	for len(p) > 0 {
		if s.state == scanGround {
			n := bytes.IndexByte(p, 0x1b)
			if n < 0 {
				n = len(p)
			}
			s.plain(p[:n])
			if n == len(p) {
				return
			}
			p, s.state = p[n+1:], scanEscape
			s.seq = s.seq[:0]
			continue
		}
		s.step(p[0])
		p = p[1:]
	}
}

// plain hands on text, without the control characters in it.
func (s *scanner) plain(p []byte) {
	for len(p) > 0 {
		n := 0
		for n < len(p) && p[n] >= ' ' {
			n++
		}
		if n > 0 {
			s.text(p[:n])
		}
		for n < len(p) && p[n] < ' ' {
			n++
		}
		p = p[n:]
	}
}

func (s *scanner) step(c byte) {
	if c == 0x1b && s.state != scanString {
		if s.state == scanStringEsc { // ESC ESC in a string: the string was cut off
			s.seq = s.seq[:0]
		}
		s.state = scanEscape
		s.seq = s.seq[:0]
		return
	}
	switch s.state {
	case scanEscape:
		s.escape(c)
	case scanInter:
		if c < 0x20 || c > 0x2f {
			s.state = scanGround
		}
	case scanCSI:
		s.keep(c)
		if c >= 0x40 && c <= 0x7e {
			s.state = scanGround
			s.reply()
		}
	case scanString:
		switch c {
		case 0x07:
			s.state = scanGround
			s.reply()
		case 0x1b:
			s.state = scanStringEsc
		default:
			s.keep(c)
		}
	case scanStringEsc:
		if c == '\\' {
			s.state = scanGround
			s.reply()
			return
		}
		s.seq = s.seq[:0]
		s.escape(c) // the string was cut off by another sequence
	}
}

func (s *scanner) escape(c byte) {
	switch {
	case c == '[':
		s.state = scanCSI
		s.keep(c)
	case strings.IndexByte("]P_^X", c) >= 0:
		s.state = scanString
		s.keep(c)
	case c >= 0x20 && c <= 0x2f:
		s.state = scanInter
	default:
		s.state = scanGround
	}
}

func (s *scanner) keep(c byte) {
	if len(s.seq) < maxSeq {
		s.seq = append(s.seq, c)
	}
}

// reply answers a complete sequence as a modern terminal with xterm's sequences does, and stays silent
// to everything that is no query.
func (s *scanner) reply() {
	if a := answerTo(string(s.seq)); a != "" {
		s.answer(a)
	}
}

// answerTo gives the answer to a sequence without its ESC and string terminator.
func answerTo(seq string) string {
	switch seq {
	case "[c", "[0c": // DA1
		return "\x1b[?62;22c"
	case "[>c", "[>0c": // DA2
		return "\x1b[>0;276;0c"
	case "[=c": // DA3
		return "\x1bP!|00000000\x1b\\"
	case "[>q", "[>0q": // XTVERSION
		return "\x1bP>|bench 1\x1b\\"
	case "[?u": // kitty keyboard flags
		return "\x1b[?0u"
	case "[5n":
		return "\x1b[0n"
	case "[6n": // DSR, cursor position
		return "\x1b[1;1R"
	case "]10;?":
		return "\x1b]10;rgb:cccc/cccc/cccc\x1b\\"
	case "]11;?":
		return "\x1b]11;rgb:0000/0000/0000\x1b\\"
	}
	mode, ok := strings.CutPrefix(seq, "[?") // DECRQM: CSI ? mode $ p
	if ok {
		mode, ok = strings.CutSuffix(mode, "$p")
	}
	if !ok {
		return ""
	}
	if mode == "2026" { // synchronised output: known and off
		return "\x1b[?2026;2$y"
	}
	return "\x1b[?" + mode + ";0$y"
}
