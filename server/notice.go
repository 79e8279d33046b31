package server

import (
	"fmt"
	"strings"
	"time"

	"stet/server/model"
	"stet/server/wire"
	"stet/vt/width"
)

// Bounds of notices: how many may come at once to one client, how long until one more may, and how long
// the same words of one pane are not repeated. A loop of programs that want attention must not bury a desk.
const (
	noticeBurst = 5
	noticeEvery = 10 * time.Second
	noticeAgain = 10 * time.Second
	maxNotice   = 160 // bytes of what there is, and of where
)

// notices bounds what a client is told.
type notices struct {
	spent int       // of the burst
	since time.Time // when the last of it was given back
}

// take says whether one more may be told now.
func (n *notices) take(now time.Time) bool {
	if back := int(now.Sub(n.since) / noticeEvery); back > 0 || n.spent == 0 {
		n.spent, n.since = max(n.spent-max(back, 0), 0), now
	}
	if n.spent >= noticeBurst {
		return false
	}
	n.spent++
	return true
}

// notice tells clients what there is in a pane: by a notification of the outer terminal, by the bell, or by a
// message, as the option notify of their session says. to are those whom it concerns; nil is everybody who
// does not look at the pane. what is a short phrase; where it happened is added. It is cleaned here, whoever
// it is from.
func (s *Server) notice(p *model.Pane, what string, to func(*client) bool) {
	if to == nil {
		to = func(c *client) bool { return !s.watches(c, p) }
	}
	text := s.noticeText(p, what)
	state, now := s.pane(p.ID), s.Now()
	if text == state.noticed && now.Sub(state.noticedAt) < noticeAgain {
		return
	}
	told := false
	for _, c := range s.attached {
		how := s.option(ofSession(c.info.Session), "notify")
		if how == "off" || !to(c) || !c.notices.take(now) {
			continue
		}
		told = true
		switch how {
		case "bell":
			c.say(wire.KindOuter, wire.Outer{Kind: wire.OuterBell})
		case "message":
			s.Message(c.id, text, newsTime)
		default:
			c.say(wire.KindOuter, wire.Outer{Kind: wire.OuterNotify, Text: text, Ring: true})
		}
	}
	if told {
		state.noticed, state.noticedAt = text, now
	}
}

// noticeText is a phrase with the place of its pane.
func (s *Server) noticeText(p *model.Pane, what string) string {
	t := s.placeOf(p)
	if t.Session == nil || t.Window == nil {
		return shortText(what)
	}
	return fmt.Sprintf("%s (%s)", shortText(what), shortText(fmt.Sprintf("%s:%d %s", t.Session.Name, t.Index, t.Window.Name)))
}

// shortText is a text that fits into a notice, on one line.
func shortText(s string) string {
	s = width.Printable(strings.ReplaceAll(strings.TrimSpace(s), "\n", ": "))
	if len(s) > maxNotice {
		s = strings.ToValidUTF8(s[:maxNotice], "") + "…"
	}
	return s
}

// watches says that somebody looks at a pane: a client shows its screen, and the client's outer terminal has the
// focus, as far as it has said.
func (s *Server) watches(c *client, p *model.Pane) bool {
	return c.info.Attached() && c.info.Focused && !c.suspended && s.sees(c, p)
}
