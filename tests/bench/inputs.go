package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"unicode/utf8"
)

// input is a stream that a program writes into a pane. The same name and size give the same bytes
// everywhere and always: the generators draw from a seeded source and nothing else.
type input struct {
	name string
	size int // bytes, roughly: the last line is finished
	line func(dst []byte, r *rand.Rand) []byte
}

// inputs are the four kinds of work that an emulator has: plain lines, colours, wide characters, and
// cursor motion with scroll regions. The sizes take tmux about half a second to a second each.
func inputs() []input {
	return []input{
		{"ascii", 24 << 20, asciiLine},
		{"sgr", 8 << 20, sgrLine},
		{"utf8", 4 << 20, utf8Line},
		{"motion", 6 << 20, motionLine},
	}
}

// generate makes the stream of an input. It ends with everything reset, so that what follows in the
// same pane starts from a known state.
func (in input) generate() []byte {
	r := rand.New(rand.NewPCG(1, uint64(len(in.name)))) // any fixed seed will do
	data := make([]byte, 0, in.size+4096)
	for len(data) < in.size {
		data = in.line(data, r)
	}
	return append(data, "\x1b[r\x1b[m\x1b[H\x1b[2J"...)
}

// write puts the stream into a file below dir, once, and returns the file's path and size.
func (in input) write(dir string) (path string, size int64, err error) {
	path = filepath.Join(dir, in.name+".input")
	if st, err := os.Stat(path); err == nil {
		return path, st.Size(), nil
	}
	data := in.generate()
	return path, int64(len(data)), os.WriteFile(path, data, 0o600)
}

// word appends a word of 2 to 10 small letters.
func word(dst []byte, r *rand.Rand) []byte {
	for range 2 + r.IntN(9) {
		dst = append(dst, byte('a'+r.IntN(26)))
	}
	return dst
}

// asciiLine is a line as in a log or a listing: words up to 40 to 160 columns.
func asciiLine(dst []byte, r *rand.Rand) []byte {
	end := len(dst) + 40 + r.IntN(120)
	for len(dst) < end {
		dst = append(word(dst, r), ' ')
	}
	return append(dst, '\n')
}

// sgrLine has a change of attributes or colours before every word: the sixteen colours, the palette
// and RGB by turns, as coloured compilers and listings of pictures do.
func sgrLine(dst []byte, r *rand.Rand) []byte {
	for range 12 {
		switch r.IntN(6) {
		case 0:
			dst = fmt.Appendf(dst, "\x1b[%dm", 30+r.IntN(8))
		case 1:
			dst = fmt.Appendf(dst, "\x1b[1;%d;%dm", 30+r.IntN(8), 40+r.IntN(8))
		case 2:
			dst = fmt.Appendf(dst, "\x1b[38;5;%dm", r.IntN(256))
		case 3:
			dst = fmt.Appendf(dst, "\x1b[38;2;%d;%d;%dm", r.IntN(256), r.IntN(256), r.IntN(256))
		case 4:
			dst = fmt.Appendf(dst, "\x1b[48;2;%d;%d;%d;4m", r.IntN(256), r.IntN(256), r.IntN(256))
		default:
			dst = append(dst, "\x1b[0m"...)
		}
		dst = append(word(dst, r), ' ')
	}
	return append(dst, "\x1b[0m\n"...)
}

// clusters are emoji of one and of several code points, and letters with marks.
func clusters() []string {
	return []string{"😀", "🚀", "🎉", "👍🏽", "👩‍💻", "❤️", "🇩🇪", "é", "한", "ñ"}
}

// utf8Line is CJK text with kana, some emoji and some Latin between.
func utf8Line(dst []byte, r *rand.Rand) []byte {
	list := clusters()
	for range 6 {
		for range 4 + r.IntN(8) {
			dst = utf8.AppendRune(dst, rune(0x4e00+r.IntN(0x5000)))
		}
		for range r.IntN(4) {
			dst = utf8.AppendRune(dst, rune(0x3041+r.IntN(80)))
		}
		if r.IntN(2) == 0 {
			dst = append(dst, list[r.IntN(len(list))]...)
		}
		dst = append(word(append(dst, ' '), r), ' ')
	}
	return append(dst, '\n')
}

// motionLine is what a full-screen program sends: text put here and there, erasing, lines inserted and
// deleted, a scroll region that scrolls both ways. It is made for 200 by 49 cells and more.
func motionLine(dst []byte, r *rand.Rand) []byte {
	top := 1 + r.IntN(20)
	dst = fmt.Appendf(dst, "\x1b[%d;%dr", top, top+5+r.IntN(20))
	for range 8 {
		dst = fmt.Appendf(dst, "\x1b[%d;%dH", 1+r.IntN(49), 1+r.IntN(180))
		switch r.IntN(8) {
		case 0:
			dst = append(dst, "\x1b[K"...)
		case 1:
			dst = append(dst, "\x1b[L"...)
		case 2:
			dst = append(dst, "\x1b[M"...)
		case 3:
			dst = append(dst, "\x1bM"...)
		case 4:
			dst = fmt.Appendf(dst, "\x1b[%dP", 1+r.IntN(5))
		case 5:
			dst = append(dst, "\x1b[1K"...)
		}
		dst = word(dst, r)
		dst = fmt.Appendf(dst, "\x1b[%dC\x1b[%dD", 1+r.IntN(9), 1+r.IntN(9))
		dst = word(dst, r)
	}
	dst = fmt.Appendf(dst, "\x1b[%d;1H", top+5)
	return append(dst, "\n\n"...)
}
