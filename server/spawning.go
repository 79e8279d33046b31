package server

import (
	"errors"
	"fmt"

	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/ring"
	"stet/vt"
)

// Spawn starts the program of a pane that the model has. The model is checkpointed first: a server that
// takes over in between asks the keeper again, which does it once.
func (s *Server) Spawn(id model.PaneID, done func(error)) {
	s.recorded(id, func() { s.spawn(id, nil, done) })
}

// SpawnKept is Spawn, but a pane whose program does not start stays, and shows why.
func (s *Server) SpawnKept(id model.PaneID, done func(error)) {
	s.recorded(id, func() {
		s.spawn(id, nil, func(err error) {
			if p := s.model.Panes[id]; err != nil && p != nil {
				p.Agent = nil // of one that never started
				s.failedPane(id, err)
			}
			done(err)
		})
	})
}

// spawn starts a program; with a picture, under the restored screen of an old one.
func (s *Server) spawn(id model.PaneID, old *picture, done func(error)) {
	p := s.model.Panes[id]
	if p == nil {
		s.loop.post(func() { done(fmt.Errorf("can't find pane: %v", id)) })
		return
	}
	s.ownTemp(p)
	s.fitWindows()
	s.checkpoint()
	req := s.request(p)
	s.pane(id).asked = [2]int{req.Cols, req.Rows}
	ring.Crash("pane-known")
	w := s.keeperAnswers(done)
	as, other := *p, s.shell
	shell := !req.Empty && (p.Agent == nil || p.Agent.Launch == nil)
	if r := p.Rerun; r != nil && r.State == model.RerunLaunching {
		as.Argv = r.Argv
		shell = shell && r.Line
	}
	script := s.scripting(p, old)
	go func() {
		why, history := "", ""
		if shell {
			why = withShell(&req, as, other)
		}
		if shell && len(as.Argv) == 0 {
			var err error
			if history, err = script.give(&req); err != nil {
				s.log.Printf("pane %v: shell integration: %v", id, err)
			}
		}
		info, err := s.link.Spawn(req)
		ring.Crash("pane-begun")
		s.loop.post(func() {
			if why != "" {
				s.log.Print(why)
				s.tellViewers(&as, why)
			}
			if err != nil && info != nil { // the keeper has it, and we cannot: nobody would ever see it
				s.unwanted(info)
			}
			if history != "" {
				s.ownHistory(id, history)
			}
			if w.inTime() {
				s.spawned(id, info, err, old, done)
			} else if err == nil {
				s.unwanted(info)
			}
		})
	}()
}

// request describes the pane's program for the keeper.
func (s *Server) request(p *model.Pane) keeper.SpawnRequest {
	r, _ := s.model.Rect(p.ID)
	limit := s.historyLimit(p.ID)
	sizes := ring.DefaultSizes()
	sizes.Arena = vt.ArenaSize(limit, max(r.W, 80))
	req := keeper.SpawnRequest{ID: s.keeperID(p.ID), Cols: max(r.W, 1), Rows: max(r.H, 1), Sizes: sizes, Empty: p.Empty}
	if !p.Empty {
		req.Path, req.Argv = p.Command()
		if r := p.Rerun; r != nil && r.State == model.RerunLaunching {
			as := *p
			if as.Argv = r.Argv; r.Line {
				req.Path, req.Argv = as.Command()
			} else {
				req.Path, req.Argv = r.Argv[0], r.Argv
			}
		}
		if p.Agent != nil && p.Agent.Launch != nil {
			req.Path, req.Argv = p.Agent.Exe, p.Agent.Launch
		}
		req.Dir, req.Env = p.Cwd, s.environment(p)
	}
	return req
}

func (s *Server) spawned(id model.PaneID, info *keeper.PaneInfo, err error, old *picture, done func(error)) {
	if err == nil && (s.model.Panes[id] == nil || info.ID != s.keeperID(id)) { // closed while it was being started
		s.unwanted(info)
		err = fmt.Errorf("pane %v was closed", id)
	}
	if err != nil {
		done(err)
		return
	}
	p := pane.New(info, s.historyLimit(id), s.hooks())
	p.Rule(s.rules(id))
	if err := s.begin(id, p, info, old); err != nil {
		s.log.Printf("pane %v: %v", id, err)
	}
	s.adopt(id, p)
	m := s.model.Panes[id]
	s.pane(id).reading.fresh = !info.Existed && !m.Empty && (len(m.Argv) == 0 || m.Agent != nil)
	s.begun(id)
	s.names.within(nameDelay) // it may never print anything
	state := s.pane(id)
	if b := state.early; len(b) > 0 {
		state.early = nil
		if err := s.input(id, p, b); err != nil {
			s.log.Printf("pane %v: %v", id, err)
		}
	}
	done(nil)
}

// begun notes that the keeper has a pane: its program runs, or it is one that has none.
func (s *Server) begun(id model.PaneID) {
	var err error
	if s.model.Panes[id].Empty {
		err = s.model.Exited(id, 0, 0, s.Now())
	} else {
		err = s.model.Started(id)
		s.agentBegun(id)
		if r := s.model.Panes[id].Rerun; r != nil && r.State == model.RerunLaunching {
			r.State = model.RerunRunning
		}
	}
	if err != nil {
		s.log.Print(err)
	}
}

// begin gives a pane its first picture.
func (s *Server) begin(id model.PaneID, p *pane.Pane, info *keeper.PaneInfo, old *picture) error {
	if info.Existed { // a server before us had it started and died before it heard
		if old != nil && old.text != nil {
			p.Under(old.text, old.divider)
			s.pane(id).untouched, old.text = old, nil
		}
		if why := p.Recover(); why != "" {
			return errors.New(why)
		}
		return nil
	}
	size := s.pane(id).asked
	if info.Empty {
		var text *pane.Text
		divider := ""
		if old != nil {
			text, old.text, s.pane(id).untouched = old.text, nil, old
		}
		if old != nil && s.model.Panes[id].Wait != nil {
			divider = old.divider
		}
		return p.BeginEmpty(size[0], size[1], text, divider)
	}
	if old == nil {
		return p.Begin(size[0], size[1])
	}
	if err := p.Restore(size[0], size[1], old.text, old.divider); err != nil {
		return errors.Join(err, p.Begin(size[0], size[1]))
	}
	old.text = nil
	s.pane(id).untouched = old
	return nil
}

// adopt takes a pane with its terminal into the running server.
func (s *Server) adopt(id model.PaneID, p *pane.Pane) {
	s.take(id, p)
	p.Start(s.link.Reader(p.Info()))
}

// take makes a pane with its terminal that of the model's pane; it has yet to be started.
func (s *Server) take(id model.PaneID, p *pane.Pane) {
	state := s.pane(id)
	state.live = p
	s.beginReading(id)
	if pipe, m := state.pipe, s.model.Lookup(id); pipe != nil && m != nil && m.Piped != "" {
		p.SetTap(pipe.Write) // it goes on with the pane's next program
	}
	if s.colours != ([2]uint32{}) {
		p.SetColours(s.colours[0], s.colours[1])
	}
	if s.cells != ([2]int{}) {
		p.SetCellSize(s.cells[0], s.cells[1])
	}
	s.ruleOver(id, p)
	if usual := s.usualPalette(id); usual != nil {
		p.SetPalette(usual)
	}
	s.rewatch = true
	if e, ok := s.exits[p.ID]; ok {
		delete(s.exits, p.ID)
		s.exited(p.ID, e)
	}
}
