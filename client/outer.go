package client

import (
	"encoding/base64"
	"strings"

	"stet/server/wire"
	"stet/vt/width"
)

// Bounds of what is passed to the outer terminal besides cells, in bytes.
const (
	maxTitle  = 1024
	maxNotify = 1024
)

// appendOuter appends the sequence for o, nothing if the terminal has none for it. Text is cleaned
// here once more: a title comes from whatever program runs in a pane.
func appendOuter(b []byte, o wire.Outer, f *features, term string) []byte {
	if o.Kind == wire.OuterBell || o.Kind == wire.OuterNotify && o.Ring && !notifies(f.Name) {
		b = append(b, 7)
	}
	if o.Kind == wire.OuterBell {
		return b
	}
	if strings.HasPrefix(term, "linux") || term == "dumb" { // they would show the rest
		return b
	}
	switch o.Kind {
	case wire.OuterTitle:
		b = append(append(append(b, "\x1b]2;"...), bounded(width.Printable(o.Text), maxTitle)...), 7)
	case wire.OuterClipboard:
		if len(o.Text) <= wire.MaxClipboard { // a piece of it would be worse than nothing
			b = base64.StdEncoding.AppendEncode(append(b, "\x1b]52;c;"...), []byte(o.Text))
			b = append(b, 7)
		}
	case wire.OuterPass:
		b = appendPass(b, o.Data)
	case wire.OuterNotify:
		b = appendNotify(b, bounded(width.Printable(o.Text), maxNotify), f.Name)
	}
	return b
}

// appendPass appends what a program has for the outer terminal, whatever it is: the ST behind it ends what it leaves
// unfinished, and cursor and pen are put back for what is drawn next.
func appendPass(b, data []byte) []byte {
	if len(data) > wire.MaxPass {
		return b
	}
	b = append(append(b, "\x1b7"...), data...)
	return append(b, "\x1b\\\x1b8"...)
}

// notifies tells whether a terminal shows notifications, by its name. Of the others some may, and ignore
// the sequence if not.
func notifies(name string) bool {
	for _, known := range [...]string{"kitty", "foot", "VTE", "contour", "iTerm2", "WezTerm", "ghostty", "stet"} {
		if strings.HasPrefix(name, known) {
			return true
		}
	}
	return false
}

// appendNotify chooses among the three sequences in use by the terminal's name.
func appendNotify(b []byte, text, name string) []byte {
	switch {
	case strings.HasPrefix(name, "kitty"):
		b = append(append(b, "\x1b]99;;"...), text...)
	case strings.HasPrefix(name, "foot"), strings.HasPrefix(name, "VTE"), strings.HasPrefix(name, "contour"):
		b = append(append(b, "\x1b]777;notify;stet;"...), text...)
	default:
		b = append(b, "\x1b]9;"...)
		if text != "" && text[0] >= '0' && text[0] <= '9' {
			b = append(b, ' ') // "4;…" would be a progress report
		}
		b = append(b, text...)
	}
	return append(b, "\x1b\\"...)
}

// bounded cuts s at n bytes, not within a character.
func bounded(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}
