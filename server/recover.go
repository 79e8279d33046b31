package server

import (
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/fxamacker/cbor/v2"

	"stet/resurrect"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/pane"
)

// image is what survives a crash of the server besides the panes: it lies in memory that the keeper holds.
type image struct {
	Model       []byte
	Attachments map[string]int         // clients by the name they gave themselves
	Options     []command.OptionChange // set by hand
	Keys        []keymap.Change        // bindings changed by hand
	Untouched   map[int]untouchedPane  // restored panes that nobody has typed into
	Notes       map[int]string         // why panes could not be started
	Report      *resurrect.Report      // of the restore this keeper began with
	Greeted     bool
	HadSession  bool // a server that has lost its last session is about to end, one that never had any waits
}

type untouchedPane struct {
	Saved   resurrect.Pane
	Divider string
}

// checkpoint writes the model into the keeper's memory. Whoever takes over after a SIGKILL goes on from
// there, so what clients are told comes after it.
func (s *Server) checkpoint() {
	s.revision = s.model.Revision()
	m, err := s.model.Encode()
	if err != nil {
		s.log.Printf("checkpoint of the model: %v", err)
		return
	}
	im := image{Model: m, Attachments: map[string]int{}, Untouched: map[int]untouchedPane{}, Notes: map[int]string{}, Report: s.report, Greeted: s.greeted, HadSession: s.hadSession}
	for k, id := range s.attachments {
		im.Attachments[k] = int(id)
	}
	for id, p := range s.untouched {
		im.Untouched[int(id)] = untouchedPane{p.saved, p.divider}
	}
	for id, why := range s.note {
		im.Notes[int(id)] = why
	}
	im.Options, im.Keys = s.options.Changes(), s.keys.Changes()
	b, err := cbor.Marshal(im)
	if err == nil {
		err = s.slots.Checkpoint(func(dst []byte) (int, error) {
			if len(b) > len(dst) {
				return 0, fmt.Errorf("%d bytes do not fit into %d", len(b), len(dst))
			}
			return copy(dst, b), nil
		})
	}
	if err != nil {
		s.log.Printf("checkpoint of the model: %v", err)
	}
}

// recover takes over from a server that died. crashed is false when there was none: nothing is in the
// keeper's memory.
func (s *Server) recover(w *keeper.Welcome) (crashed bool, err error) {
	b, err := s.slots.Load()
	if err != nil {
		s.log.Printf("the model's checkpoint cannot be read: %v", err)
	}
	if b == nil && len(w.Panes) == 0 {
		return false, nil
	}
	var im image
	if b != nil {
		if err := cbor.Unmarshal(b, &im); err != nil {
			s.log.Printf("the model's checkpoint cannot be read: %v", err)
		} else if m, err := model.Decode(im.Model); err != nil {
			s.log.Printf("the model's checkpoint cannot be read: %v", err)
		} else {
			s.model = m
		}
	}
	s.report, s.greeted = im.Report, im.Greeted
	for k, id := range im.Attachments {
		s.attachments[k] = model.SessionID(id)
	}
	for id, u := range im.Untouched {
		s.untouched[model.PaneID(id)] = &picture{saved: u.Saved, divider: u.Divider}
	}
	for id, why := range im.Notes {
		s.note[model.PaneID(id)] = why
	}
	s.options.Apply(im.Options)
	s.keys.Apply(im.Keys)
	s.recoverPanes(w)
	s.stillsAgain()
	s.hadSession = im.HadSession || len(w.Panes) > 0
	return true, nil
}

// recoverPanes replays what every pane has printed since its checkpoint. What is seen first comes first,
// and panes whose replay killed a server come last.
func (s *Server) recoverPanes(w *keeper.Welcome) {
	infos := slices.Clone(w.Panes)
	visible := s.visible()
	rank := func(p *keeper.PaneInfo) int {
		switch {
		case p.Ring.Suspect():
			return 2
		case visible[modelID(p.ID)]:
			return 0
		}
		return 1
	}
	sort.SliceStable(infos, func(i, j int) bool { return rank(infos[i]) < rank(infos[j]) })
	var back []*pane.Pane
	for _, info := range infos {
		id := modelID(info.ID)
		if s.model.Panes[id] == nil { // its end was decided, and the last server died before it could kill it
			s.log.Printf("pane %v is in no window: ending it", id)
			s.link.Kill(info.ID, keeper.Escalate)
			s.link.Forget(info.ID)
			continue
		}
		p := pane.New(info, s.historyLimit(id), s.hooks())
		if why := p.Recover(); why != "" {
			s.log.Printf("pane %v: %s", id, why)
			s.notes = append(s.notes, fmt.Sprintf("pane %v: %s", id, why))
		}
		back = append(back, p)
		s.panes[id] = p
	}
	for _, p := range back { // all replays are over: see pane.Start
		id := modelID(p.ID)
		if s.model.Panes[id].State == model.Starting {
			s.model.Started(id)
		}
		s.adopt(id, p)
		if p.Info().Exited {
			s.exited(id, exit(p.Info().Status))
		}
	}
	s.missing()
}

// missing deals with panes that the model has and the keeper does not: those whose start had been asked
// for are started now, dead ones stay dead.
func (s *Server) missing() {
	for _, id := range slices.Sorted(maps.Keys(s.model.Panes)) {
		p := s.model.Panes[id]
		if s.panes[id] != nil || p.State == model.Dead {
			continue
		}
		if p.State != model.Starting {
			s.log.Printf("pane %v: the keeper does not know it", id)
			s.remove(id)
			continue
		}
		s.spawn(id, nil, func(err error) {
			if err != nil {
				s.failedPane(id, err)
			}
		})
	}
}

// visible are the panes that somebody sees who attaches.
func (s *Server) visible() map[model.PaneID]bool {
	out := map[model.PaneID]bool{}
	for _, ses := range s.model.Sessions {
		l, ok := ses.Link(ses.Current)
		if !ok {
			continue
		}
		for _, id := range s.model.Windows[l.Window].Panes() {
			out[id] = true
		}
	}
	return out
}
