package server

import (
	"fmt"
	"time"
	"unicode/utf8"

	"stet/server/command"
	"stet/server/mode"
	"stet/server/model"
	"stet/server/wire"
)

// copies are what programs have copied (OSC 52) and what has not been taken yet, of each pane the newest.
type copies struct {
	text map[model.PaneID]string
	last time.Time // when some were taken

	asked map[model.PaneID]*prompt   // what a person is asked about a pane's copy, answered or not
	no    map[model.PaneID]time.Time // when somebody has said no to one
}

// copyEvery bounds how often copies of programs are taken: each is sent to the outer terminals and kept for
// the next server, and a program can copy as fast as it can print.
const copyEvery = 100 * time.Millisecond

// clipboard takes a program's copy, from an active pane that a person looks at only; soon, where there was
// another just now.
func (s *Server) clipboard(p *model.Pane, text string) {
	how := s.option(serverScope, "set-clipboard")
	w := s.model.Windows[p.Window]
	if how != "on" && how != "ask" || w == nil || w.Active != p.ID {
		return
	}
	if how == "ask" {
		s.askForCopy(p, text)
		return
	}
	s.copies.text[p.ID] = text
	s.copiesDue()
}

// noTime is how long a program is not asked about again when somebody has said no.
const noTime = 10 * time.Second

// askForCopy asks somebody who looks at a pane whether its program may copy: the text that came then, and no other. One question at a
// time: what is copied meanwhile is dropped, or the answer would be to another text than the question.
func (s *Server) askForCopy(p *model.Pane, text string) {
	id := p.ID
	if len(text) > wire.MaxClipboard || time.Since(s.copies.no[id]) < noTime {
		return
	}
	for _, c := range s.attached {
		if q := s.copies.asked[id]; q != nil && c.prompt == q {
			return
		}
	}
	for _, c := range s.attached {
		if w := s.windowOf(c); w == nil || w.ID != p.Window || c.prompt != nil || c.info.ReadOnly {
			continue
		}
		q := command.Question{Key: 'y', Label: fmt.Sprintf("pane %v: put %d characters of its program's on the clipboard? (y/n) ", id, utf8.RuneCountInString(text))}
		s.Confirm(c.id, q, func(yes bool) {
			delete(s.copies.asked, id)
			if now := s.model.Panes[id]; !yes {
				s.copies.no[id] = time.Now()
			} else if now != nil {
				s.copies.text[id] = text
				s.copiesDue()
			}
		})
		s.copies.asked[id] = c.prompt
		return
	}
}

// forgetCopies drops what there is of a pane that is gone.
func (s *Server) forgetCopies(id model.PaneID) {
	delete(s.copies.asked, id)
	delete(s.copies.no, id)
}

// copiesDue takes what programs have copied when its time has come.
func (s *Server) copiesDue() {
	if len(s.copies.text) == 0 {
		return
	}
	if wait := copyEvery - s.Now().Sub(s.copies.last); wait > 0 && wait <= copyEvery {
		s.clock.within(wait)
		return
	}
	for id, text := range s.copies.text {
		if p := s.model.Panes[id]; p != nil && s.toClipboards(p, text) {
			// Said, so that no program fills it unseen with what a person then pastes into a shell.
			s.tellViewers(p, fmt.Sprintf("pane %v: its program has put %d characters on the clipboard", id, utf8.RuneCountInString(text)))
		}
		if err := s.copyToBuffer(mode.Copy{Text: text}, s.unsaved(id)); err == nil && text != "" {
			s.paneEvent("pane-set-clipboard", id)
		}
	}
	clear(s.copies.text)
	s.copies.last = s.Now()
}

// toClipboards puts text on the clipboards of the outer terminals that show a pane's window; false where it
// is too much for them.
func (s *Server) toClipboards(p *model.Pane, text string) bool {
	if len(text) > wire.MaxClipboard {
		return false
	}
	for _, c := range s.attached {
		if w := s.windowOf(c); w != nil && w.ID == p.Window {
			c.say(wire.KindOuter, wire.Outer{Kind: wire.OuterClipboard, Text: text})
		}
	}
	return true
}

// SetClipboard puts text on the clipboard of a client's outer terminal; when the client shows nothing, as
// a script does not, on those of all that do.
func (s *Server) SetClipboard(id command.ClientID, text string) {
	if s.option(serverScope, "set-clipboard") == "off" {
		return
	}
	if len(text) > wire.MaxClipboard {
		s.Fail(id, tooMuch(text))
		return
	}
	one := s.clients[id]
	for _, c := range s.attached {
		if one == nil || !one.info.Attached() || c == one {
			c.say(wire.KindOuter, wire.Outer{Kind: wire.OuterClipboard, Text: text})
		}
	}
}

// tooMuch says that the outer terminals' clipboards do not get a text: a piece of it would be worse than
// nothing.
func tooMuch(text string) string {
	return fmt.Sprintf("%.1f MiB are too much for the terminal's clipboard, which gets %d MiB at most; they are in a buffer", float64(len(text))/(1<<20), wire.MaxClipboard>>20)
}
