package server

import (
	"fmt"

	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/proc"
)

// unreached is a pane whose program runs in the keeper and whose terminal or memory this server could not have: there is no address
// space, or no descriptor left. It costs that pane its picture and its keys as long as it lasts. A server that ended instead would be followed by
// one that fails in the same way, for ever.
type unreached struct {
	info   *keeper.PaneInfo
	why    error
	trying bool // an attempt is under way
}

// outOfReach leaves a pane without a terminal. Its program is not touched.
func (s *Server) outOfReach(id model.PaneID, info *keeper.PaneInfo) {
	s.note(fmt.Sprintf("pane %v is out of reach: %v; its program runs on", id, info.Unreached))
	s.news.told = false
	state := s.pane(id)
	state.beyond = &unreached{info: info, why: info.Unreached}
	if m := s.model.Panes[id]; m != nil && m.State == model.Starting {
		s.begun(id)
	}
	if info.Exited {
		s.exited(info.ID, exit(info.Status))
	}
}

// beyondNote says why a pane has no picture.
func (s *Server) beyondNote(u *unreached) string {
	return fmt.Sprintf("stet cannot reach this pane: %v\nIts program (pid %d) runs on. Any key tries again", u.why, u.info.Pid)
}

// reach tries once more to get a pane's terminal and memory.
func (s *Server) reach(id model.PaneID) {
	u, m := s.pane(id).beyond, s.model.Panes[id]
	if u == nil || u.trying || m == nil {
		return
	}
	u.trying = true
	req := s.request(m)
	go func() {
		info, err := s.link.Spawn(req) // it exists, so this only asks for it
		s.loop.post(func() { s.reached(id, u, info, err) })
	}()
}

func (s *Server) reached(id model.PaneID, u *unreached, info *keeper.PaneInfo, err error) {
	u.trying = false
	if s.pane(id).beyond != u { // closed meanwhile
		if err == nil {
			info.Close()
		}
		return
	}
	s.restyle = true
	if err != nil {
		u.why = err
		return
	}
	s.pane(id).beyond = nil
	p := pane.New(info, s.historyLimit(id), s.hooks())
	p.Rule(s.rules(id))
	if why := p.Recover(); why != "" {
		s.log.Printf("pane %v: %s", id, why)
	}
	s.adopt(id, p)
	s.refit = true
	if status, ended := s.link.Exited(info.ID); ended {
		s.exited(info.ID, exit(status))
	}
}

// process is what the system tells of the program.
func (u *unreached) process() (proc.Info, bool) {
	in, err := proc.Lookup(u.info.Pid)
	return in, err == nil
}
