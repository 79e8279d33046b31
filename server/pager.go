package server

import (
	"strings"

	"stet/layout"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt/key"
	"stet/vt/width"
)

// pager shows an attached client a command's text that is too much for the status line.
type pager struct {
	lines []string
	top   int
}

// maxPager bounds the lines that are kept for reading.
const maxPager = 10000

func (s *Server) openPager(c *client, text string) {
	lines := strings.Split(text, "\n")
	c.pager, c.message, c.stale = &pager{lines: lines[:min(len(lines), maxPager)]}, "", true
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
	}
	p.top = max(0, min(p.top, last))
	return false
}

// overlay is the view over the whole window, with what leaves it in the last row.
func (p *pager) overlay(cols, rows int, pen, hint wire.Pen) scene.Overlay {
	o := scene.Overlay{Rect: layout.Rect{W: cols, H: max(rows-1, 1)}, Pen: pen}
	end := min(p.top+p.page(rows), len(p.lines))
	for _, l := range p.lines[p.top:end] {
		o.Lines = append(o.Lines, []scene.Segment{{Text: width.Printable(l), Pen: pen}})
	}
	for len(o.Lines) < o.Rect.H-1 {
		o.Lines = append(o.Lines, nil)
	}
	text := "(q leaves)"
	if end < len(p.lines) || p.top > 0 {
		text = "(PgUp, PgDn; q leaves)"
	}
	o.Lines = append(o.Lines, []scene.Segment{{Text: text, Pen: hint}})
	return o
}
