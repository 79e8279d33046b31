// Package style reads tmux's style strings, "fg=red,bg=#112233,bold", as
// option values and inside "#[…]" in the text of status lines.
//
// It knows what styles mean, not how they are drawn: what comes out are plain
// values whose colours and attribute bits are numbered as the emulator's cells
// number them. The package keeps no state.
package style

import (
	"fmt"
	"strings"
)

// Attr is a set of text attributes.
type Attr uint16

// The attributes, in the order of the emulator's.
const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Blink
	Reverse
	Strike
	Conceal
	Overline
)

// Kinds of underline.
const (
	UnderNone uint8 = iota
	UnderSingle
	UnderDouble
	UnderCurly
	UnderDotted
	UnderDashed
)

// Style is how a cell looks. The zero value is the terminal's default.
type Style struct {
	FG, BG, UL Color // UL colours the underline; Default: as the text
	Attr       Attr
	Under      uint8
}

// maxLength is the longest style string read, in bytes.
const maxLength = 4096

// attrs are the names of the attributes. "acs" is accepted and means nothing:
// line drawing characters are characters here.
var attrs = [...]struct {
	name  string
	attr  Attr
	under uint8
}{
	{"bold", Bold, 0},
	{"dim", Dim, 0},
	{"italics", Italic, 0},
	{"blink", Blink, 0},
	{"reverse", Reverse, 0},
	{"strikethrough", Strike, 0},
	{"hidden", Conceal, 0},
	{"overline", Overline, 0},
	{"underscore", 0, UnderSingle},
	{"double-underscore", 0, UnderDouble},
	{"curly-underscore", 0, UnderCurly},
	{"dotted-underscore", 0, UnderDotted},
	{"dashed-underscore", 0, UnderDashed},
	{"bright", Bold, 0},
	{"italic", Italic, 0},
	{"acs", 0, 0},
}

// Parse reads a style string over the terminal's default.
func Parse(s string) (Style, error) { return Apply(Style{}, Style{}, s) }

// Apply reads a style string over the style cur: parts it does not name stay.
// The word "default" and the colour "default" stand for those of base. Parts
// that only mean something inside a line (align, list, range, fill and the
// like) are checked and otherwise ignored. On an error cur comes back.
func Apply(cur, base Style, s string) (Style, error) {
	l := line{style: cur, base: base}
	if err := l.apply(s); err != nil {
		return cur, err
	}
	return l.style, nil
}

// line is the state that style strings work on.
type line struct {
	style Style
	base  Style
	place
	push   int8 // push-default 1, pop-default -1
	ignore bool
}

// apply reads all parts; on an error some may have been applied.
func (l *line) apply(s string) error {
	if len(s) > maxLength {
		return fmt.Errorf("style of %d bytes is too long (at most %d)", len(s), maxLength)
	}
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' }) {
		if err := l.part(part); err != nil {
			return err
		}
	}
	return nil
}

func (l *line) part(p string) error {
	low := strings.ToLower(p)
	if name, value, ok := strings.Cut(p, "="); ok {
		return l.assign(strings.ToLower(name), value)
	}
	switch low {
	case "default":
		l.style = l.base
	case "none", "noattr":
		l.style.Attr, l.style.Under = 0, UnderNone
	case "ignore":
		l.ignore = true
	case "noignore":
		l.ignore = false
	case "push-default":
		l.push = 1
	case "pop-default":
		l.push = -1
	case "noalign":
		l.Align = AlignDefault
	case "nolist":
		l.List = ListOff
	case "norange":
		l.Range = Range{}
	default:
		return l.attribute(low)
	}
	return nil
}

// attribute adds, or with "no" before it takes away, attributes joined by |.
func (l *line) attribute(low string) error {
	if a, under, err := parseAttrs(low); err == nil {
		l.style.Attr |= a
		if under != UnderNone {
			l.style.Under = under
		}
		return nil
	}
	name, ok := strings.CutPrefix(low, "no")
	if !ok {
		_, _, err := parseAttrs(low)
		return err
	}
	a, under, err := parseAttrs(name)
	if err != nil {
		return err
	}
	l.style.Attr &^= a
	if under != UnderNone {
		l.style.Under = UnderNone
	}
	return nil
}

func parseAttrs(s string) (a Attr, under uint8, err error) {
next:
	for name := range strings.SplitSeq(s, "|") {
		for i := range attrs {
			if attrs[i].name == name {
				a |= attrs[i].attr
				if attrs[i].under != UnderNone {
					under = attrs[i].under
				}
				continue next
			}
		}
		return 0, 0, fmt.Errorf("invalid style %q: use fg=, bg= or us= with a colour, default, none, or attributes such as bold, dim, italics, underscore, reverse, each with \"no\" before it to end it", name)
	}
	return a, under, nil
}

func (l *line) assign(name, value string) error {
	switch name {
	case "fg":
		return setColour(&l.style.FG, l.base.FG, value)
	case "bg":
		return setColour(&l.style.BG, l.base.BG, value)
	case "us":
		return setColour(&l.style.UL, l.base.UL, value)
	case "fill":
		l.HasFill = true
		return setColour(&l.Fill, l.base.BG, value)
	case "align":
		return l.setAlign(value)
	case "list":
		return l.setList(value)
	case "range":
		return l.setRange(value)
	}
	return fmt.Errorf("invalid style %q: use fg=, bg=, us=, fill=, align=, list= or range=", name+"="+value)
}

func setColour(c *Color, base Color, value string) error {
	if strings.EqualFold(value, "default") {
		*c = base
		return nil
	}
	v, err := ParseColour(value)
	if err == nil {
		*c = v
	}
	return err
}

// String returns the style in a form Parse reads back, "default" for the zero
// value.
func (s Style) String() string {
	var parts []string
	for _, c := range [...]struct {
		name string
		c    Color
	}{{"fg=", s.FG}, {"bg=", s.BG}, {"us=", s.UL}} {
		if c.c != Default {
			parts = append(parts, c.name+c.c.String())
		}
	}
	left := s.Attr
	for _, a := range attrs {
		if a.attr != 0 && left&a.attr != 0 || a.under != 0 && a.under == s.Under {
			left &^= a.attr
			parts = append(parts, a.name)
		}
	}
	if len(parts) == 0 {
		return "default"
	}
	return strings.Join(parts, ",")
}
