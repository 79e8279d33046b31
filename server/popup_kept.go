package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"stet/layout"
	"stet/server/command"
	"stet/server/model"
	"stet/server/overlay"
)

// keptPopup is a popup in the checkpoint: its program outlives the server, and so its box comes back to the
// client that it belongs to.
type keptPopup struct {
	Pane    model.PaneID
	Owner   string
	Pid     int
	Request command.PopupRequest
	Box     layout.Rect
	Bare    bool
}

// keptPopups are the popups as the checkpoint has them.
func (s *Server) keptPopups() []keptPopup {
	var out []keptPopup
	for _, id := range slices.Sorted(maps.Keys(s.popups)) {
		p := s.popups[id]
		out = append(out, keptPopup{p.id, p.owner, p.pid, p.req, p.box.Want, p.box.Bare})
	}
	return out
}

// recallPopups takes the popups of the server before this one over. Their clients are still to come.
func (s *Server) recallPopups(kept []keptPopup) {
	for _, k := range kept {
		if s.model.Lookup(k.Pane) == nil && k.Pane >= 0 && k.Pane < s.model.NextPane {
			s.popups[k.Pane] = &popup{id: k.Pane, owner: k.Owner, pid: k.Pid, req: k.Request, box: overlay.Popup{Want: k.Box, Bare: k.Bare}}
		}
	}
}

// popupsAgain starts what had been asked for and was not heard of, and waits for the clients.
func (s *Server) popupsAgain() {
	if len(s.popups) == 0 {
		return
	}
	for _, id := range slices.Sorted(maps.Keys(s.popups)) {
		p := s.popups[id]
		if s.live(id) != nil {
			p.started = true
		} else {
			s.spawnPopup(p)
		}
	}
	time.AfterFunc(popupLook, func() { s.loop.post(func() { s.popupsDue(false) }) })
	time.AfterFunc(popupWait, func() { s.loop.post(func() { s.popupsDue(true) }) })
}

// popupFor gives a client that has come back its popup, if it had one.
func (s *Server) popupFor(c *client) {
	for _, p := range s.popups {
		if p.client == nil && p.owner == c.key && c.key != "" && c.popup == nil {
			s.showPopup(c, p)
		}
	}
}

// forsakePopups ends the popups that wait for a client which does not have them any more.
func (s *Server) forsakePopups(owner, why string) {
	for _, id := range slices.Sorted(maps.Keys(s.popups)) {
		p := s.popups[id]
		if p.client != nil || p.owner != owner {
			continue
		}
		what := strings.Join(p.req.Argv, " ")
		if what == "" {
			what = p.req.Shell
		}
		note := fmt.Sprintf("popup ended, %s: %s", why, what)
		s.note(note)
		s.news.told = false
		for _, c := range s.attached {
			s.Message(c.id, note, newsTime)
		}
		s.Remember(0, "server", note)
		s.endPopup(p)
	}
}

// popupsDue ends popups whose clients have not come back: those that do not run any more, or all.
func (s *Server) popupsDue(all bool) {
	for _, id := range slices.Sorted(maps.Keys(s.popups)) {
		if p := s.popups[id]; p != nil && p.client == nil && (all || syscall.Kill(p.pid, 0) == syscall.ESRCH) {
			s.forsakePopups(p.owner, "its client did not come back")
		}
	}
}
