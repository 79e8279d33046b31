package conform

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/hinshun/vt10x"

	"stet/vt"
)

// The speed aims (ASCII 200, SGR 60, CJK 80, motion 110) are for these inputs on a
// screen of 200 by 50 with 10,000 lines of history, in MB a second on one core.
// `go test -bench . ./tests/conform` measures them; Baseline is vt10x, which
// has neither wide characters nor history.
const (
	benchCols, benchRows = 200, 50
	benchHistory         = 10000
	benchBytes           = 4 << 20
	benchWrite           = 32 << 10
)

type input struct {
	name string
	make func() []byte
}

// inputs are made when first asked for, always the same.
var inputs = []input{
	{"ASCII", sync.OnceValue(asciiLines)},
	{"SGR", sync.OnceValue(denseSGR)},
	{"CJK", sync.OnceValue(wideText)},
	{"Motion", sync.OnceValue(motion)},
}

// perCPU reports megabytes a second of CPU time, which a busy machine changes
// less than those a second on the clock.
func perCPU(b *testing.B, size int) func() {
	b.SetBytes(int64(size))
	before := cpuTime()
	return func() {
		b.ReportMetric(float64(size)*float64(b.N)/1e6/(cpuTime()-before).Seconds(), "MB/cpu-s")
	}
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func source() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// asciiLines is text in lines of 20 to 180 columns.
func asciiLines() []byte {
	r := source()
	var b []byte
	for len(b) < benchBytes {
		for n := 20 + r.IntN(160); n > 0; n-- {
			b = append(b, "abcdefghijklmnopqrstuvwxyz    0123456789.,/-_()"[r.IntN(47)])
		}
		b = append(b, "\r\n"...)
	}
	return b
}

// denseSGR changes the style every few characters; a third of the colours are
// direct ones, the worst case for interned styles.
func denseSGR() []byte {
	r := source()
	var b []byte
	for len(b) < benchBytes {
		for n := 4 + r.IntN(12); n > 0; n-- {
			switch r.IntN(3) {
			case 0:
				b = fmt.Appendf(b, "\x1b[38;2;%d;%d;%dm", r.IntN(256), r.IntN(256), r.IntN(256))
			case 1:
				b = fmt.Appendf(b, "\x1b[%d;%dm", r.IntN(8), 30+r.IntN(8))
			default:
				b = fmt.Appendf(b, "\x1b[48;5;%dm", r.IntN(256))
			}
			for k := 1 + r.IntN(10); k > 0; k-- {
				b = append(b, byte('a'+r.IntN(26)))
			}
		}
		b = append(b, "\x1b[m\r\n"...)
	}
	return b
}

// wideText is mostly Chinese, with emoji of all kinds.
func wideText() []byte {
	r := source()
	emoji := []string{"👩\u200D💻", "👍🏽", "🇩🇪", "🚀", "❤\uFE0F", "🙂", "e\u0301"}
	var b []byte
	for len(b) < benchBytes {
		for n := 10 + r.IntN(80); n > 0; n-- {
			if r.IntN(12) == 0 {
				b = append(b, emoji[r.IntN(len(emoji))]...)
			} else {
				b = append(b, string(rune(0x4e00+r.IntN(0x5000)))...)
			}
		}
		b = append(b, "\r\n"...)
	}
	return b
}

// motion is what full-screen programs send: positions, regions, edits.
func motion() []byte {
	r := source()
	var b []byte
	for len(b) < benchBytes {
		b = fmt.Appendf(b, "\x1b[%d;%dH", 1+r.IntN(benchRows), 1+r.IntN(benchCols))
		switch r.IntN(10) {
		case 0:
			top := 1 + r.IntN(20)
			b = fmt.Appendf(b, "\x1b[%d;%dr\x1b[%d;1H\n\x1b[r", top, top+10+r.IntN(15), top+10)
		case 1:
			b = fmt.Appendf(b, "\x1b[%dL", 1+r.IntN(3))
		case 2:
			b = fmt.Appendf(b, "\x1b[%dM", 1+r.IntN(3))
		case 3:
			b = fmt.Appendf(b, "\x1b[%d@", 1+r.IntN(8))
		case 4:
			b = fmt.Appendf(b, "\x1b[%dP", 1+r.IntN(8))
		case 5:
			b = append(b, "\x1b[K"...)
		default:
			b = append(b, strings.Repeat("text ", 1+r.IntN(8))...)
		}
	}
	return b
}

func BenchmarkWrite(b *testing.B) {
	for _, in := range inputs {
		b.Run(in.name, func(b *testing.B) {
			data := in.make()
			arena := make([]byte, vt.ArenaSize(benchHistory, benchCols))
			term := vt.New(vt.Options{Cols: benchCols, Rows: benchRows, History: benchHistory, Arena: arena})
			feed(term, data, benchWrite)
			term.Published()
			defer perCPU(b, len(data))()
			for b.Loop() {
				for p := data; len(p) > 0; p = p[min(benchWrite, len(p)):] {
					term.Write(p[:min(benchWrite, len(p))])
					if term.NeedsCheckpoint() {
						term.Published()
					}
				}
			}
		})
	}
}

func BenchmarkBaseline(b *testing.B) {
	for _, in := range inputs {
		b.Run(in.name, func(b *testing.B) {
			data := in.make()
			data = data[:len(data)/4]
			term := vt10x.New(vt10x.WithSize(benchCols, benchRows))
			defer perCPU(b, len(data))()
			for b.Loop() {
				for p := data; len(p) > 0; p = p[min(benchWrite, len(p)):] {
					term.Write(p[:min(benchWrite, len(p))])
				}
			}
		})
	}
}

func BenchmarkAppendState(b *testing.B) {
	term := vt.New(vt.Options{Cols: 250, Rows: 80, History: benchHistory, Arena: make([]byte, vt.ArenaSize(benchHistory, 250))})
	paint := func() {
		r := source()
		for range 80 * 250 {
			fmt.Fprintf(term, "\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm▀", r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256))
		}
	}
	paint()
	term.Write([]byte("\x1b[?1049h"))
	paint()
	var state []byte
	for b.Loop() {
		state, _ = term.AppendState(state[:0])
	}
	b.ReportMetric(float64(len(state)), "bytes")
}

func BenchmarkResize(b *testing.B) {
	term := vt.New(vt.Options{Cols: 200, Rows: 50, History: 100000})
	for term.HistoryLen() < 100000 {
		term.Write(inputs[0].make())
	}
	cols := 100
	for b.Loop() {
		term.Resize(cols, 50)
		term.HistoryLen()
		cols = 300 - cols
	}
}
