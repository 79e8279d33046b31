package torture

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// stream is an endless output that follows from its seed: numbered lines of noise with everything in
// it that programs send, in the proportions of a terminal's worst day.
type stream struct {
	r    *rand.Rand
	line int
	rest []byte // made, not taken
	at   uint64 // bytes taken
}

func newStream(seed uint64) *stream {
	return &stream{r: rand.New(rand.NewPCG(seed, 0x5eed))}
}

// take gives the next n bytes.
func (s *stream) take(n int) []byte {
	for len(s.rest) < n {
		s.rest = append(s.rest, s.piece()...)
	}
	b := s.rest[:n:n]
	s.rest = s.rest[n:]
	s.at += uint64(n)
	return b
}

var (
	wide   = []rune("日本語漢字中文한국어表計算、。「」ＡＢ")
	emoji  = []string{"😀", "👩\u200D💻", "👍🏽", "🇩🇪", "❤\uFE0F", "⌚\uFE0E", "👨\u200D👩\u200D👧\u200D👦", "🏴\u200D☠\uFE0F"}
	marks  = []string{"e\u0301", "n\u0303", "क\u093F", "\u1112\u1161\u11AB", "a\u0300\u0301\u0302", "\u200B", "\u00AD"}
	broken = []string{
		"\x1b[3\n1mred", "\x1b[12;\x18", "\x1b]0;no end\x18", "\x1b]2;cut\x1b[1m", "\x1bP1$q", "\x1b\\", "\x1b[", "\x1b[?", "\x1b[1;2;3",
		"\xff\xfe", "\xe6\x97", "\xf0\x9f\x91", "\xc2", "\xe0\x80\x80", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\x1a", "\x1b[999999999999999999999m",
		"\x1b[1:2:3:4:5:6:7:8:9:10:11:12:13:14:15:16:17:18m", "\x1b[38;2;300m", "\x1b[48;5m", "\x1b[5\r7C", "\x1b[2\bJ", "\x00\x7f", "\x1b_app\x1b\\", "\x1b^pm\x1b\\",
		"\x1b[4;\x1b[31m", "\x1b(%5", "\x1b#9", "\u009b31m", "\u0085", "\u009d2;eight bits\u009c",
	}
	edits = []string{
		"\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[1J", "\x1b[3X", "\x1b[2@", "\x1b[3P", "\x1b[L", "\x1b[2M", "\x1b[S", "\x1b[2T", "\x1b[5b",
		"\x1bM", "\x1bD", "\x1bE", "\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\t", "\x1b[Z", "\x1b[2I", "\b\b", "\v", "\f", "\x1b[3'}", "\x1b[2'~", "\x1b[ @", "\x1b[2 A",
		"\x1b[1;1;3;9$z", "\x1b[65;2;2;4;9$x", "\x1b[1;1;3;5;1;2;4$v", "\x1b[?2J", "\x1b[1\"q", "\x1b[\"q", "\x1b#8",
	}
	modes = []string{
		"\x1b[4h", "\x1b[4l", "\x1b[?6h", "\x1b[?6l", "\x1b[?7l", "\x1b[?7h", "\x1b[?7h", "\x1b[?25l", "\x1b[?25h", "\x1b[20h", "\x1b[20l", "\x1b[?1h", "\x1b[?1l",
		"\x1b[?1000;1006h", "\x1b[?1003l", "\x1b[?2004h", "\x1b[?2004l", "\x1b[?2026h", "\x1b[?2026l", "\x1b[?45h", "\x1b[?45l", "\x1b[?5h", "\x1b[?5l",
		"\x1b[>5u", "\x1b[<u", "\x1b[=3;2u", "\x1b[>4;2m", "\x1b[>4n", "\x1b[3 q", "\x1b[0 q", "\x1b=", "\x1b>", "\x1b(0", "\x1b(B", "\x0e", "\x0f",
		"\x1bH", "\x1b[g", "\x1b[3g", "\x1b[?69h", "\x1b[3;30s", "\x1b[?69l", "\x1b[!p", "\x1b[22t", "\x1b[23t", "\x1b[?1;7s", "\x1b[?1;7r",
	}
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

// piece makes the next few bytes of output.
func (s *stream) piece() string {
	r := s.r
	switch n := r.IntN(1000); {
	case n < 430:
		return s.number() + s.words(1+r.IntN(12)) + "\r\n"
	case n < 520:
		return s.number() + s.coloured(5+r.IntN(60)) + "\r\n"
	case n < 580:
		return s.number() + s.wide(5+r.IntN(50)) + "\r\n"
	case n < 590: // much denser than the scrollback's memory is laid out for
		return s.number() + s.coloured(200+r.IntN(300)) + "\r\n"
	case n < 610:
		return s.words(40 + r.IntN(400)) // no end of line: it wraps, and a resize folds it anew
	case n < 690:
		return fmt.Sprintf("\x1b[%d;%dH", r.IntN(90), r.IntN(260)) + s.words(1+r.IntN(3)) + pick(r, edits)
	case n < 760:
		return s.pen() + s.words(1) + pick(r, edits) + s.wide(2)
	case n < 810:
		return pick(r, broken) + s.words(1)
	case n < 850:
		return pick(r, modes)
	case n < 880: // scroll regions, and out again
		top := 1 + r.IntN(10)
		return fmt.Sprintf("\x1b[%d;%dr\x1b[%d;1H", top, top+r.IntN(20), top) + s.number() + strings.Repeat(s.words(2)+"\n", 1+r.IntN(8)) +
			strings.Repeat("\x1bM", r.IntN(6)) + "\x1b[r"
	case n < 883:
		return fmt.Sprintf("\x1b[%d;%dr", r.IntN(8), 5+r.IntN(30))
	case n < 891: // into the alternate screen, or out of it
		return pick(r, []string{"\x1b[?1049h", "\x1b[?1049l", "\x1b[?1049l", "\x1b[?47h", "\x1b[?47l", "\x1b[?1047l", "\x1b[?1048h", "\x1b[?1048l"})
	case n < 911:
		return s.osc()
	case n < 951: // a program that tidies up: or else nothing would ever reach the scrollback
		return "\x1b[r\x1b[?6l\x1b[?7h\x1b[4l\x1b[?69l\x1b[?1049l\x1b[m\x1b[999;1H"
	case n < 952 && r.IntN(6) == 0:
		return "\x1b[3J"
	case n < 956:
		return "\x1b[2J\x1b[H"
	case n < 957 && r.IntN(20) == 0:
		return "\x1bc"
	case n < 962:
		return pick(r, []string{"\x1b[c", "\x1b[>c", "\x1b[6n", "\x1b[5n", "\x1b[?2026$p", "\x1bP$qm\x1b\\", "\x1b[18t", "\x1b]11;?\x07"})
	case n < 990:
		return strings.Repeat("\r\n", 1+r.IntN(4))
	}
	return pick(r, emoji) + pick(r, marks) + s.wide(1)
}

func (s *stream) number() string {
	s.line++
	return fmt.Sprintf("%07d ", s.line)
}

func (s *stream) words(n int) string {
	var b strings.Builder
	for range n {
		for range 1 + s.r.IntN(9) {
			b.WriteByte(byte('a' + s.r.IntN(26)))
		}
		b.WriteByte(' ')
		if s.r.IntN(20) == 0 {
			b.WriteString(pick(s.r, emoji))
		}
	}
	return b.String()
}

func (s *stream) wide(n int) string {
	var b strings.Builder
	for range n {
		switch s.r.IntN(8) {
		case 0:
			b.WriteString(pick(s.r, emoji))
		case 1:
			b.WriteString(pick(s.r, marks))
		default:
			b.WriteRune(pick(s.r, wide))
		}
	}
	return b.String()
}

// coloured is n characters, each in a colour of its own.
func (s *stream) coloured(n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dm%c", s.r.IntN(256), s.r.IntN(256), s.r.IntN(256), 'A'+s.r.IntN(26))
	}
	return b.String() + "\x1b[m"
}

func (s *stream) pen() string {
	switch s.r.IntN(6) {
	case 0:
		return fmt.Sprintf("\x1b[48;2;%d;%d;%dm", s.r.IntN(256), s.r.IntN(256), s.r.IntN(256))
	case 1:
		return fmt.Sprintf("\x1b[38;5;%dm", s.r.IntN(256))
	case 2:
		return fmt.Sprintf("\x1b[%d;%dm", s.r.IntN(10), 30+s.r.IntN(8))
	case 3:
		return fmt.Sprintf("\x1b[4:%d;58:2::%d:8:7m", s.r.IntN(6), s.r.IntN(256))
	case 4:
		return "\x1b[0;53m"
	}
	return "\x1b[m"
}

func (s *stream) osc() string {
	n := s.r.IntN(1000)
	return pick(s.r, []string{
		fmt.Sprintf("\x1b]0;title %d\x07", n), fmt.Sprintf("\x1b]2;日本 %d\x1b\\", n), fmt.Sprintf("\x1b]8;id=%d;https://example.com/%d\x1b\\linked\x1b]8;;\x07", n%5, n),
		fmt.Sprintf("\x1b]7;file:///tmp/dir%%20%d\x07", n%9), "\x1b]133;A\x07", "\x1b]133;C\x07", fmt.Sprintf("\x1b]133;D;%d\x07", n%3),
		fmt.Sprintf("\x1b]4;%d;#%06x\x07", n%256, n*7919%(1<<24)), "\x1b]104\x07", "\x1b]11;rgb:1/2/3\x07", "\x1b]111\x07", "\x07", "\x1b]9;4;1;50\x07", "\x1b]1;icon\x07",
	})
}
