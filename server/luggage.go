package server

import (
	"fmt"

	"stet/server/buffer"
	"stet/server/model"
	"stet/server/overlay"
)

// luggage is what a server that makes room for another leaves to it, and a crash loses: what is not checkpointed because it may be large, or changes
// with everything that is said.
type luggage struct {
	Buffers  []*buffer.Buffer // all of them, the newest first
	Messages messageLog
	Prompts  map[string][]string // what was typed at prompts, the oldest first, where no file keeps it
	Marked   model.PaneID        // -1 none
	Input    map[uint64][]byte   // what programs have not read yet, by the keeper's numbers
}

// pack takes all but the panes' input, which comes when they are left. In the core loop.
func (s *Server) pack() *luggage {
	l := &luggage{Buffers: s.buffers.All(), Messages: append(messageLog(nil), s.messages...), Prompts: map[string][]string{}, Marked: s.model.Marked, Input: map[uint64][]byte{}}
	for kind, h := range s.prompts.lists {
		for n := h.Len(); n > 0 && s.historyPath() == ""; n-- {
			l.Prompts[kind] = append(l.Prompts[kind], h.Entry(n))
		}
	}
	return l
}

// unpack takes over what the server before has left, where it has left anything.
func (s *Server) unpack(b []byte) error {
	if b == nil {
		return nil
	}
	dec, err := imageDecoding()
	var l luggage
	if err == nil {
		err = dec.Unmarshal(b, &l)
	}
	if err != nil {
		return fmt.Errorf("what the server before has left cannot be read: %w", err)
	}
	s.buffers = buffer.Store{}
	s.buffers.Restore(l.Buffers)
	s.messages = l.Messages
	for kind, list := range l.Prompts {
		h := &overlay.History{}
		h.Limit(s.number(serverScope, "prompt-history-limit", 100))
		for _, text := range list {
			h.Add(text)
		}
		s.prompts.lists[kind] = h
	}
	if s.model.Panes[l.Marked] != nil {
		s.model.Marked = l.Marked
	}
	for kid, input := range l.Input {
		id := s.modelID(kid)
		if p := s.live(id); p != nil && p.ID == kid {
			s.recovered.starts = append(s.recovered.starts, func() {
				if err := p.Input(input); err != nil {
					s.log.Printf("pane %v: %d bytes of input: %v", id, len(input), err)
				}
			})
		}
	}
	return nil
}
