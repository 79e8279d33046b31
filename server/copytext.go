package server

import (
	"stet/server/command"
	"stet/server/mode"
	"stet/server/model"
	"stet/server/wire"
)

// CopyText puts text that was copied where it belongs. There is no store of buffers in this build yet:
// the text goes to the clipboards of the clients that see the pane, as set-clipboard allows.
func (s *Server) CopyText(_ command.ClientID, id model.PaneID, c mode.Copy) {
	p := s.model.Panes[id]
	if p == nil || !c.Clipboard || c.Text == "" || s.option(serverScope, "set-clipboard") == "off" {
		return
	}
	for _, cl := range s.attached {
		if w := s.windowOf(cl); w != nil && w.ID == p.Window {
			cl.say(wire.KindOuter, wire.Outer{Kind: wire.OuterClipboard, Text: c.Text})
		}
	}
}
