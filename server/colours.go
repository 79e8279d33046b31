package server

import (
	"strconv"
	"strings"

	"stet/server/wire"
)

// coloursFrom takes the outer terminal's default colours from what it has said about itself, so that
// programs in panes that ask (OSC 10, 11) hear whether they stand on a light or a dark ground. With
// several clients the last one that said something counts.
func (s *Server) coloursFrom(f wire.Features) {
	fg, okFG := colour(f.Foreground)
	bg, okBG := colour(f.Background)
	if !okBG {
		return
	}
	if !okFG { // a ground without a pen: the one that can be read on it
		fg = 0xe5e5e5
		if light(bg) {
			fg = 0
		}
	}
	s.colours = [2]uint32{fg, bg}
	for _, p := range s.eachLive() {
		p.SetColours(fg, bg)
	}
}

// cellsFrom takes the size of the outer terminal's cells, for the programs in panes that ask (XTWINOPS 14 and
// 16), or want the mouse in pixels. With several clients the last one that said something counts.
func (s *Server) cellsFrom(c *client) {
	cells := [2]int{c.info.CellW, c.info.CellH}
	if cells[0] == 0 || cells[1] == 0 || cells == s.cells {
		return
	}
	s.cells = cells
	for _, p := range s.eachLive() {
		p.SetCellSize(cells[0], cells[1])
	}
}

// light says that dark text can be read on a ground better than light text (Rec. 601 luma).
func light(rgb uint32) bool {
	return 299*(rgb>>16&255)+587*(rgb>>8&255)+114*(rgb&255) > 127500
}

// colour reads an X11 colour of the form rgb:R/G/B with one to four hexadecimal digits each.
func colour(text string) (rgb uint32, ok bool) {
	body, ok := strings.CutPrefix(text, "rgb:")
	parts := strings.Split(body, "/")
	if !ok || len(parts) != 3 {
		return 0, false
	}
	for _, p := range parts {
		n, err := strconv.ParseUint(p, 16, 16)
		if err != nil || len(p) > 4 {
			return 0, false
		}
		full := uint64(1)<<(4*len(p)) - 1
		rgb = rgb<<8 | uint32((n*255+full/2)/full)
	}
	return rgb, true
}
