package server

import (
	"strings"

	"stet/layout"
	"stet/server/keymap"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt/key"
	"stet/vt/width"
)

// pager shows an attached client a command's text that is too much for the status line.
type pager struct {
	text  []string // lines as they came
	lines []string // the same in rows of the client
	of    []int    // the line in text that each of them belongs to
	cols  int      // the width that they are made for
	top   int
	brief bool // any key leaves it that does not scroll
}

// maxPager bounds the lines that are kept for reading.
const maxPager = 10000

func (s *Server) openPager(c *client, text string) {
	lines := strings.Split(text, "\n")
	c.pager, c.message, c.stale = &pager{text: lines[:min(len(lines), maxPager)]}, "", true
	c.pager.fit(c.cols)
}

// fit breaks lines that are too long for a client. The line that was at the top stays there.
func (p *pager) fit(cols int) {
	if p.cols == cols {
		return
	}
	first := 0
	if p.top < len(p.of) {
		first = p.of[p.top]
	}
	p.lines, p.of, p.cols, p.top = nil, nil, cols, 0
	for i, l := range p.text {
		if i == first {
			p.top = len(p.lines)
		}
		rest := width.Printable(l)
		for len(p.lines) < maxPager {
			row := firstColumns(rest, cols)
			p.lines, p.of = append(p.lines, row), append(p.of, i)
			if rest = rest[len(row):]; rest == "" || row == "" {
				break
			}
		}
	}
}

// page is how many lines a client sees at a time.
func (p *pager) page(rows int) int { return max(rows-2, 1) }

// key handles a key; true closes the view.
func (p *pager) key(e key.Event, rows int) bool {
	if e.Kind != key.KindKey || e.Act == key.Release {
		return false
	}
	page, last := p.page(rows), len(p.lines)-p.page(rows)
	switch e.Chord().Key {
	case key.Up, 'k':
		p.top--
	case key.Down, 'j':
		p.top++
	case key.PageUp:
		p.top -= page
	case key.PageDown, ' ':
		p.top += page
	case key.Home, 'g':
		p.top = 0
	case key.End, 'G':
		p.top = last
	case 'q', key.Escape, key.Enter:
		return true
	default:
		if p.brief && !keymap.IsModifier(e.Key) {
			return true
		}
	}
	p.top = max(0, min(p.top, last))
	return false
}

// overlay is the view over the whole window, with what leaves it in the last row.
func (p *pager) overlay(cols, rows int, pen, hint wire.Pen) scene.Overlay {
	p.fit(cols)
	o := scene.Overlay{Rect: layout.Rect{W: cols, H: max(rows-1, 1)}, Pen: pen}
	end := min(p.top+p.page(rows), len(p.lines))
	for _, l := range p.lines[p.top:end] {
		o.Lines = append(o.Lines, []scene.Segment{{Text: l, Pen: pen}})
	}
	for len(o.Lines) < o.Rect.H-1 {
		o.Lines = append(o.Lines, nil)
	}
	leave := "q"
	if p.brief {
		leave = "Escape"
	}
	text := "(" + leave + " leaves)"
	if end < len(p.lines) || p.top > 0 {
		text = "(PgUp, PgDn; " + leave + " leaves)"
	}
	o.Lines = append(o.Lines, []scene.Segment{{Text: text, Pen: hint}})
	return o
}
