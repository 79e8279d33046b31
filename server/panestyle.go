package server

import (
	"cmp"
	"slices"

	"stet/config/option"
	"stet/config/style"
	"stet/server/command"
	"stet/server/model"
	"stet/server/scene"
	"stet/vt"
)

// paneColours gives a pane the colours that window-style and, for the active one, window-active-style say
// in place of the default ones. Their attributes do not count, as in tmux.
func (s *Server) paneColours(id model.PaneID, out *scene.Pane) {
	usual := s.paneStyle(id, "window-style")
	if out.Active {
		active := s.paneStyle(id, "window-active-style")
		usual.FG, usual.BG = cmp.Or(active.FG, usual.FG), cmp.Or(active.BG, usual.BG)
	}
	out.Text, out.Ground = uint32(usual.FG), uint32(usual.BG)
}

// palette is what stands for the numbered colours in a pane: what its program has set, else what pane-colours says;
// nil where both say nothing.
func (s *Server) palette(id model.PaneID) *scene.Palette {
	usual := s.usualPalette(id)
	var own map[uint8]uint32
	if p := s.live(id); p != nil {
		own = p.Facts().Palette
	}
	if usual == nil && own == nil {
		return nil
	}
	out := new(scene.Palette)
	for n, rgb := range usual {
		out[n] = 2<<24 | rgb
	}
	for n, rgb := range own {
		out[n] = 2<<24 | rgb
	}
	return out
}

// usualPalette is what pane-colours says, 0xRRGGBB by number; nil for nothing.
func (s *Server) usualPalette(id model.PaneID) map[uint8]uint32 {
	var out map[uint8]uint32
	for _, it := range s.OptionSet(ofPane(id)).List("pane-colours") {
		c, err := style.ParseColour(it.Value)
		if err != nil || c == style.Default || it.Index > 255 {
			continue
		}
		rgb := uint32(c) & 0xffffff
		if n, ok := c.Index(); ok {
			rgb = vt.PaletteColor(n)
		}
		if out == nil {
			out = map[uint8]uint32{}
		}
		out[uint8(it.Index)] = rgb
	}
	return out
}

// paneCursor gives a pane the cursor that cursor-style and cursor-colour say, for where its program sets none.
func (s *Server) paneCursor(id model.PaneID, out *scene.Pane) {
	out.Shape, out.Colour = s.cursorOf(ofPane(id), "cursor-style", "cursor-colour")
}

// cursorOf is a cursor as two options say it: DECSCUSR's number and a colour of wire.Pen, 0 for the terminal's own.
func (s *Server) cursorOf(t command.OptionTarget, shape, colour string) (uint8, uint32) {
	shapes := option.Lookup(shape).Choices // in the order of DECSCUSR
	c, err := style.ParseColour(s.option(t, colour))
	if n, ok := c.Index(); ok { // OSC 12 knows colours by their parts only
		c = style.Color(2<<24 | vt.PaletteColor(n))
	}
	if err != nil {
		c = style.Default
	}
	return uint8(max(slices.Index(shapes, s.option(t, shape)), 0)), uint32(c)
}

// PaneColours are the colours of a pane's text and ground where its program names none.
func (s *Server) PaneColours(id model.PaneID) (fg, bg style.Color) {
	m := s.model.Panes[id]
	if m == nil {
		return style.Default, style.Default
	}
	w := s.model.Windows[m.Window]
	out := scene.Pane{Active: w != nil && w.Active == id}
	s.paneColours(id, &out)
	fg, bg = style.Color(out.Text), style.Color(out.Ground)
	if p := s.live(id); p != nil {
		f := p.Facts()
		fg, bg = cmp.Or(fg, style.Color(f.FG)), cmp.Or(bg, style.Color(f.BG))
	}
	return fg, bg
}

func (s *Server) paneStyle(id model.PaneID, name string) style.Style {
	t := ofPane(id)
	if s.option(t, name) == "default" {
		return style.Style{}
	}
	return s.look(style.Style{}, command.NewVariables(s, s.placeOf(s.model.Panes[id]), command.ClientInfo{}), t, name)
}
