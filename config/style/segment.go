package style

import (
	"fmt"
	"strconv"
	"strings"
)

// Align is where a piece of a status line goes.
type Align uint8

// The places. AlignDefault is where text goes that says nothing: left.
const (
	AlignDefault Align = iota
	AlignLeft
	AlignCentre
	AlignRight
	AlignAbsoluteCentre // the middle of the whole line, not of the space left
)

// List says what part of the window list a piece is. The list is the part of a
// line that is cut to fit around its focus, with markers where something is
// left out.
type List uint8

// The parts of a list.
const (
	ListOff List = iota
	ListOn
	ListFocus
	ListLeftMarker
	ListRightMarker
)

// RangeKind says what a click on a piece means.
type RangeKind uint8

// The kinds of range.
const (
	RangeNone RangeKind = iota
	RangeLeft
	RangeRight
	RangePane
	RangeWindow
	RangeSession
	RangeUser
)

// Range is what the mouse points at over a piece of a line.
type Range struct {
	Kind RangeKind
	ID   int    // pane or session id, or window index
	User string // the name of a RangeUser, at most 15 bytes
}

// place is where a piece of text goes and what it stands for.
type place struct {
	Align   Align
	List    List
	Range   Range
	Fill    Color // colour of what the line leaves empty
	HasFill bool  // Fill was given
}

// Segment is a run of text in one style and place.
type Segment struct {
	Text    string // without "#[…]"; "##" is already "#"
	Style   Style
	Align   Align
	List    List
	Range   Range
	Fill    Color // colour for the cells that the line leaves empty
	HasFill bool  // whether a fill was given
}

// maxSegments bounds the pieces of one line.
const maxSegments = 4096

// Segments takes a line apart at its "#[…]". The text begins in the style
// base, and "default" returns to it. A wrong "#[…]" is passed over, as tmux
// does; text behind one that does not end is dropped. Behind "#[ignore]" all others are text. Before "#[" and
// elsewhere each two "#" stand for one, so "##[" is a literal "#[". An empty
// segment is kept only at the end, when it is what brings a fill.
func Segments(text string, base Style) []Segment {
	l := line{style: base, base: base}
	var out []Segment
	var run strings.Builder
	flush := func(keep bool) {
		if run.Len() == 0 && !keep || len(out) >= maxSegments {
			return
		}
		out = append(out, Segment{run.String(), l.style, l.Align, l.List, l.Range, l.Fill, l.HasFill})
		run.Reset()
	}
	for text != "" {
		i := strings.IndexByte(text, '#')
		if i < 0 {
			i = len(text)
		}
		run.WriteString(text[:i])
		text = text[i:]
		if text == "" {
			break
		}
		n := len(text) - len(strings.TrimLeft(text, "#"))
		opens := n < len(text) && text[n] == '['
		hashes := (n + 1) / 2
		if opens && !l.ignore {
			hashes = n / 2
		}
		run.WriteString(text[:hashes])
		text = text[n:]
		if !opens || n%2 == 0 || l.ignore {
			continue // the bracket, if any, is text
		}
		end := styleEnd(text)
		if end < 0 {
			break
		}
		next := l
		next.push = 0
		if next.apply(text[1:end]) == nil {
			flush(false)
			next.settle(base)
			l = next
		}
		text = text[end+1:]
	}
	flush(l.HasFill && (len(out) == 0 || out[len(out)-1].Fill != l.Fill || !out[len(out)-1].HasFill))
	return out
}

// settle carries out push-default and pop-default.
func (l *line) settle(base Style) {
	switch l.push {
	case 1:
		l.base = l.style
	case -1:
		l.base = base
	}
}

// styleEnd returns the index of the "]" that ends the "[" at the beginning of
// s, or -1. Formats left inside have brackets of their own kind.
func styleEnd(s string) int {
	depth := 0
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '#' && i+1 < len(s) && s[i+1] == '{':
			depth++
			i++
		case s[i] == '}' && depth > 0:
			depth--
		case s[i] == ']' && depth == 0:
			return i
		}
	}
	return -1
}

func (p *place) setAlign(v string) error {
	switch strings.ToLower(v) {
	case "left":
		p.Align = AlignLeft
	case "centre", "center":
		p.Align = AlignCentre
	case "right":
		p.Align = AlignRight
	case "absolute-centre", "absolute-center":
		p.Align = AlignAbsoluteCentre
	default:
		return fmt.Errorf("invalid alignment %q: use left, centre, right or absolute-centre", v)
	}
	return nil
}

func (p *place) setList(v string) error {
	switch strings.ToLower(v) {
	case "on":
		p.List = ListOn
	case "focus":
		p.List = ListFocus
	case "left-marker":
		p.List = ListLeftMarker
	case "right-marker":
		p.List = ListRightMarker
	default:
		return fmt.Errorf("invalid list %q: use on, focus, left-marker or right-marker", v)
	}
	return nil
}

func (p *place) setRange(v string) error {
	kind, arg, given := strings.Cut(v, "|")
	bad := fmt.Errorf("invalid range %q: use left, right, pane|%%N, window|N, session|$N or user|NAME", v)
	r := Range{}
	number := func(prefix string) error {
		n, err := strconv.ParseUint(strings.TrimPrefix(arg, prefix), 10, 31)
		if err != nil || !strings.HasPrefix(arg, prefix) {
			return bad
		}
		r.ID = int(n)
		return nil
	}
	err := error(nil)
	switch strings.ToLower(kind) {
	case "left", "right":
		r.Kind = RangeLeft
		if strings.EqualFold(kind, "right") {
			r.Kind = RangeRight
		}
		if given {
			err = bad
		}
	case "pane":
		r.Kind, err = RangePane, number("%")
	case "window":
		r.Kind, err = RangeWindow, number("")
	case "session":
		r.Kind, err = RangeSession, number("$")
	case "user":
		r.Kind, r.User = RangeUser, arg
		if arg == "" || len(arg) > 15 {
			err = bad
		}
	default:
		err = bad
	}
	if err == nil {
		p.Range = r
	}
	return err
}
