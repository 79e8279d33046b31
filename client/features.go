package client

import (
	"bytes"
	"strconv"
	"strings"

	"stet/server/wire"
	"stet/vt/width"
)

// queries ask the outer terminal what it can do: its name and version (XTVERSION, DA2), the kitty keyboard
// protocol, modes 2026 (synchronised updates), 2027 (grapheme clusters), 2031 (dark or light) and 1016
// (mouse in pixels, off whoever had it on), its colours, and DA1 last, which every terminal answers and which therefore ends the answers.
const queries = "\x1b[>q\x1b[>c\x1b[?u\x1b[?2026$p\x1b[?2027$p\x1b[?2031$p\x1b[?1016l" + askPixels + "\x1b]10;?\x1b\\\x1b]11;?\x1b\\\x1b[c"

// features are what is known of the outer terminal: a cautious start from TERM, raised by its answers.
type features struct {
	wire.Features
	Caps
	scheme bool // mode 2031 is known
	pixels bool // and 1016
	done   bool // DA1 has come
}

// guess is what is assumed of a terminal before it has answered.
func guess(term string) features {
	f := features{Caps: Caps{BCE: true}}
	switch {
	case strings.HasPrefix(term, "screen"):
		f.BCE = false // GNU screen takes the parts of an RGB colour for attributes
	case term == "" || term == "dumb" || strings.HasPrefix(term, "vt"):
		f.BCE = false
	}
	f.setColors(colorsOf(term))
	// Underline styles are for terminals known by name only: rxvt takes "4:3" for a background, xterm
	// shows nothing for it. "xterm-256color" says least of all, everybody uses it.
	for _, known := range [...]string{"alacritty", "contour", "foot", "tmux", "vte", "wezterm", "xterm-ghostty", "xterm-kitty"} {
		if strings.HasPrefix(term, known) {
			f.Under, f.Holds = true, true
		}
	}
	return f
}

// setColors notes how many colours the terminal has.
func (f *features) setColors(n int) {
	f.Caps.Colors, f.Features.Colors, f.Indexed = n, n, n == indexed256
}

// answer takes one reply of the terminal, whenever it comes, and says whether anything became
// different. A reply that is none of ours changes nothing.
func (f *features) answer(b []byte) bool {
	old := *f
	switch {
	case bytes.HasPrefix(b, []byte("\x1b[?")) && len(b) > 3:
		f.csi(string(b[3:len(b)-1]), b[len(b)-1])
	case bytes.HasPrefix(b, []byte("\x1b[>")) && b[len(b)-1] == 'c':
		f.model(string(b[3 : len(b)-1]))
	case bytes.HasPrefix(b, []byte("\x1bP>|")):
		f.name(width.Printable(string(b[4:])))
	case bytes.HasPrefix(b, []byte("\x1b]10;")):
		f.Foreground = colorAnswer(b[5:])
	case bytes.HasPrefix(b, []byte("\x1b]11;")):
		f.Background = colorAnswer(b[5:])
	}
	return *f != old
}

// csi takes an answer that begins with CSI ?.
func (f *features) csi(params string, final byte) {
	switch {
	case final == 'u':
		f.Kitty = true
	case final == 'c':
		f.done = true
	case final == 'n' && params == "997;1":
		f.Dark = 1
	case final == 'n' && params == "997;2":
		f.Dark = 2
	case final == 'y':
		mode, state, _ := strings.Cut(strings.TrimSuffix(params, "$"), ";")
		set := state == "1" || state == "3" // 3 and 4: for ever
		known := set || state == "2"
		switch mode {
		case "2026":
			f.Caps.Sync, f.Features.Sync = known, known
		case "2027":
			f.Caps.Clusters, f.Features.Clusters = set, set
		case "2031":
			f.scheme = known
		case "1016":
			f.pixels = known
		}
	}
}

// name takes the answer to XTVERSION. The terminals listed are known to erase with the background, to
// keep text in its row and, but for one each, to do underline styles and REP.
func (f *features) name(s string) {
	s = strings.TrimSuffix(s, "\\") // what is left of the string terminator
	f.Name = bounded(s, 64)
	for _, known := range [...]string{"XTerm", "kitty", "foot", "WezTerm", "ghostty", "VTE", "iTerm2", "Konsole", "contour", "tmux", "stet"} {
		if strings.HasPrefix(s, known) {
			f.BCE, f.Holds = true, true
			f.setColors(0)
			f.Under = known != "XTerm" // it parses them, and shows none but the double one, by its older number
			f.Double = known == "XTerm"
			f.REP = known != "tmux" // it repeats ASCII only
		}
	}
}

// model takes the answer to DA2. It names Alacritty, which answers nothing else that does, and says TERM is
// xterm-256color where its own terminfo is not installed: its version as one number, from 0.11 (1100) on with
// underline styles, between 0 and 1.
func (f *features) model(params string) {
	kind, rest, _ := strings.Cut(params, ";")
	version, last, _ := strings.Cut(rest, ";")
	if n, err := strconv.Atoi(version); err == nil && kind == "0" && last == "1" && n >= 1100 && f.Name == "" {
		f.BCE, f.Holds, f.Under, f.REP = true, true, true, true
	}
}

// colorAnswer is the colour in an answer to OSC 10 or 11, "" if it is none. The answer ends with BEL
// or ST.
func colorAnswer(b []byte) string {
	s := strings.TrimRight(string(b), "\x07\x1b\\")
	if len(s) > 32 || !strings.HasPrefix(s, "rgb") || s != width.Printable(s) {
		return ""
	}
	return s
}
