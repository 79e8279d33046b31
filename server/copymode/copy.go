package copymode

import (
	"strings"
	"unicode/utf8"

	"stet/server/mode"
	"stet/vt/width"
)

// copying is one of the commands that copy: which text, where to, and what comes then.
type copying struct {
	what  what
	pipe  bool // the first argument is a shell command
	only  bool // to that command only
	add   bool // append
	keep  bool // the selection stays
	leave bool
}

// what is the text that is copied.
type what uint8

const (
	theSelection what = iota
	theLine
	toEndOfLine
)

// copies are the commands that copy, under tmux's names.
var copies = map[string]copying{
	"copy-selection":            {},
	"copy-selection-no-clear":   {keep: true},
	"copy-selection-and-cancel": {leave: true},

	"copy-pipe":            {pipe: true},
	"copy-pipe-no-clear":   {pipe: true, keep: true},
	"copy-pipe-and-cancel": {pipe: true, leave: true},

	"pipe":            {pipe: true, only: true},
	"pipe-no-clear":   {pipe: true, only: true, keep: true},
	"pipe-and-cancel": {pipe: true, only: true, leave: true},

	"append-selection":            {add: true},
	"append-selection-and-cancel": {add: true, leave: true},

	"copy-line":                 {what: theLine},
	"copy-line-and-cancel":      {what: theLine, leave: true},
	"copy-pipe-line":            {what: theLine, pipe: true},
	"copy-pipe-line-and-cancel": {what: theLine, pipe: true, leave: true},

	"copy-end-of-line":                 {what: toEndOfLine},
	"copy-end-of-line-and-cancel":      {what: toEndOfLine, leave: true},
	"copy-pipe-end-of-line":            {what: toEndOfLine, pipe: true},
	"copy-pipe-end-of-line-and-cancel": {what: toEndOfLine, pipe: true, leave: true},
}

func (k copying) command() command {
	most := 1 // the buffer's prefix
	if k.pipe && !k.only {
		most = 2
	}
	if k.add {
		most = 0
	}
	return command{0, most, clearsAlways, func(m *Mode, c *call) mode.Effect { return k.run(m, c) }}
}

func (k copying) run(m *Mode, c *call) mode.Effect {
	cx, cy, oy := m.cx, m.cy, m.oy
	switch k.what {
	case theLine:
		m.sel.unit = unitChar
		m.startOfLine()
		m.lines(c.n)
	case toEndOfLine:
		m.lines(c.n)
	}
	e := mode.Effect{Leave: k.leave}
	if text := m.selected(); text != "" {
		e.Copy = k.copy(m, c, text)
	}
	switch {
	case k.what != theSelection:
		m.clearSelection()
		m.cx, m.cy, m.oy = cx, cy, oy
	case !k.keep:
		dropSelection(m)
	}
	return e
}

// lines selects from the cursor to the end of the n-th line.
func (m *Mode) lines(n int) {
	m.begin()
	for range n - 1 {
		m.down(false)
	}
	m.endOfLine()
}

func (k copying) copy(m *Mode, c *call, text string) *mode.Copy {
	out := &mode.Copy{Text: text, Append: k.add, NoBuffer: k.only, Clipboard: !k.only}
	args := c.Args
	if k.pipe {
		out.Pipe = m.set.CopyCommand
		if len(args) > 0 {
			if args[0] != "" {
				out.Pipe = args[0]
			}
			args = args[1:]
		}
	}
	if len(args) > 0 {
		out.Prefix = strings.ToValidUTF8(args[0], "")
	}
	return out
}

// firstChar is the first character of a text.
func firstChar(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	for n < len(s) {
		r, k := utf8.DecodeRuneInString(s[n:])
		if width.Rune(r) > 0 {
			break
		}
		n += k
	}
	return s[:n]
}
