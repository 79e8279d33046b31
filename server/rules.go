package server

import (
	"slices"

	"stet/server/model"
	"stet/server/pane"
	"stet/server/wire"
	"stet/vt"
)

// ruleOptions are the options that say what programs may do to their terminal.
var ruleOptions = [...]string{"allow-passthrough", "alternate-screen", "scroll-on-clear"}

// rules are what a pane's options let its program do.
func (s *Server) rules(id model.PaneID) vt.Rules {
	t := ofPane(id)
	return vt.Rules{
		NoAlternate: !s.flag(t, "alternate-screen"), ClearLoses: !s.flag(t, "scroll-on-clear"),
		Passes: s.option(t, "allow-passthrough") != "off",
	}
}

// ruleOver makes a pane's options hold for its terminal. A change is a checkpoint, so where there is none nothing
// is done.
func (s *Server) ruleOver(id model.PaneID, p *pane.Pane) {
	if s.model.Panes[id] == nil {
		return // a popup has no options
	}
	if r, f := s.rules(id), p.Facts(); f == nil || f.Rules != r {
		p.SetRules(r, nil)
	}
}

// pass gives the outer terminals what a program has for them: those of the clients that show the pane, or with
// all those whose session has its window.
func (s *Server) pass(p *model.Pane, text string) {
	how := s.option(ofPane(p.ID), "allow-passthrough")
	if how == "off" || len(text) > wire.MaxPass {
		return
	}
	for _, c := range s.attached {
		if how == "all" && slices.ContainsFunc(s.model.LinksOf(p.Window), func(l model.Place) bool { return l.Session == c.info.Session }) ||
			s.sees(c, p) {
			c.say(wire.KindOuter, wire.Outer{Kind: wire.OuterPass, Data: []byte(text)})
		}
	}
}

// sees tells whether a client shows a pane's screen.
func (s *Server) sees(c *client, p *model.Pane) bool {
	w := s.windowOf(c)
	return w != nil && w.ID == p.Window && (!w.Zoomed || w.Active == p.ID) && s.modeOf(p.ID) == nil
}
