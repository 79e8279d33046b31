package server

import (
	"stet/server/buffer"
	"stet/server/command"
	"stet/server/mode"
	"stet/server/model"
)

// What of the paste buffers fits beside the model into the memory that outlives a server, in bytes. A
// larger buffer is in the server's own memory only.
const (
	keptBuffers = 3 << 20
	keptBuffer  = 1 << 20
)

// Buffers are the paste buffers.
func (s *Server) Buffers() *buffer.Store { return &s.buffers }

// BuffersChanged makes a change of the buffers survive.
func (s *Server) BuffersChanged() {
	s.minor = true // they are checkpointed with the model
	s.saves.screensSoon()
}

// CopyText puts what a mode of a pane has picked out where it belongs.
func (s *Server) CopyText(client command.ClientID, id model.PaneID, c mode.Copy) {
	if c.Text == "" {
		return
	}
	if !c.NoBuffer {
		if err := s.copyToBuffer(c, s.unsaved(id)); err != nil {
			s.Fail(client, err.Error())
		}
	}
	p := s.model.Panes[id]
	if c.Pipe != "" && p != nil {
		s.pipeCopy(client, p, c)
	}
	if c.Clipboard && p != nil && s.option(serverScope, "set-clipboard") != "off" && !s.toClipboards(p, c.Text) {
		s.Message(client, tooMuch(c.Text), 0)
	}
}

// copyToBuffer makes a buffer of what was picked out, or adds it to one; withheld is not written to disk.
func (s *Server) copyToBuffer(c mode.Copy, withheld bool) error {
	old, text := s.buffers.Get(c.Name), []byte(c.Text)
	if c.Name == "" {
		old = s.buffers.Top()
	}
	if c.Append && old != nil {
		withheld = withheld || old.Withheld
		text = append(append(make([]byte, 0, len(old.Data)+len(text)), old.Data...), text...)
	}
	name := c.Name
	if name == "" && c.Append && old != nil {
		name = old.Name
	}
	defer s.BuffersChanged()
	var err error
	if name != "" {
		err = s.buffers.Set(name, text, s.Now())
	} else {
		name, err = s.buffers.Add(c.Prefix, text, command.BufferLimit(s), s.Now())
	}
	if err == nil && withheld {
		s.buffers.Withhold(name)
	}
	return err
}
