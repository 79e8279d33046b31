package server

import (
	"stet/config/style"
	"stet/server/command"
	"stet/server/overlay"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt/key"
	"stet/vt/width"
)

// prompt is what an attached client's keys go to instead of its panes.
type prompt struct {
	overlay.Overlay
	done func(overlay.Answer)
	line *overlay.Prompt // where it is one that asks for a line
	command.PromptRequest
	dirs map[string]*listing // where it asks for a directory: what was looked into
}

// picture is the prompt for the scene.
func (p *prompt) picture(cells int, pen wire.Pen) *scene.Prompt {
	v := p.View(cells)
	out := &scene.Prompt{Text: v.Text, Cursor: len(v.Text), Pen: pen}
	if v.Label != "" {
		out.Label = []scene.Segment{{Text: v.Label, Pen: pen}}
	}
	col := v.Cursor - width.String(v.Label)
	for i := range v.Text {
		if width.String(v.Text[:i]) >= col {
			out.Cursor = i
			break
		}
	}
	return out
}

// Prompt asks an attached client for a line.
func (s *Server) Prompt(id command.ClientID, r command.PromptRequest, done func(string, bool)) {
	h := s.historyOf(r.History)
	s.withHistory(func() {})
	p := overlay.NewPrompt(s.promptOptions(id, r, h))
	s.open(id, p, func(a overlay.Answer) {
		if a.OK && a.Text != "" && !r.OneKey && !r.KeyName {
			s.saveHistory()
		}
		done(a.Text, a.OK)
	})
	if c := s.clients[id]; c != nil && c.prompt != nil && c.prompt.Overlay == overlay.Overlay(p) {
		c.prompt.line, c.prompt.PromptRequest = p, r
		if r.Incremental && r.Changed != nil {
			r.Changed("=")
		}
	}
}

// promptOptions are how a client's prompt behaves.
func (s *Server) promptOptions(id command.ClientID, r command.PromptRequest, h *overlay.History) overlay.PromptOptions {
	of := globalSession
	if c := s.clients[id]; c != nil && c.info.Attached() {
		of = ofSession(c.info.Session)
	}
	return overlay.PromptOptions{
		Label: r.Label, Text: r.Text, OneKey: r.OneKey, KeyName: r.KeyName, History: h,
		Vi: s.option(of, "status-keys") == "vi", Separators: s.option(of, "word-separators"),
		Paste: func() string {
			if b := s.buffers.Top(); b != nil {
				return string(b.Data[:min(len(b.Data), maxPromptPaste)])
			}
			return ""
		},
		Complete: func(text string, at int) overlay.Completion {
			if r.History == command.DirectoryPrompt {
				return s.completeDirectory(id, text, at)
			}
			c := command.Complete(s, id, r.History, text, at)
			out := overlay.Completion{From: c.From, To: c.To, Usage: c.Usage}
			for _, n := range c.Candidates {
				out.Candidates = append(out.Candidates, overlay.Candidate(n))
			}
			return out
		},
	}
}

// maxPromptPaste is as much of a paste buffer as a prompt looks at.
const maxPromptPaste = 64 << 10

// promptPen is how a client's prompt looks: with vi's commands otherwise than with its insertions.
func (s *Server) promptPen(c *client, usual wire.Pen) wire.Pen {
	if l := c.prompt.line; l == nil || !l.Commands() {
		return usual
	}
	return penOf(s.clientLook(c, style.Style{}, "message-command-style"))
}

// messageLine is the status line in whose place a client's prompts and messages stand.
func (s *Server) messageLine(c *client) int {
	return s.number(ofSession(c.info.Session), "message-line", 0)
}

// promptMenu is what may be typed next, as a box above the client's prompt.
func (s *Server) promptMenu(c *client) (scene.Overlay, bool) {
	if c.prompt == nil || c.prompt.line == nil {
		return scene.Overlay{}, false
	}
	row, n := c.rows-1, s.statusRows(c)
	switch line := min(s.messageLine(c), n-1); {
	case n == 0:
	case s.statusTop(c) > 0:
		row = line
	default:
		row = c.rows - n + line
	}
	looks := overlay.Looks{Selected: s.clientLook(c, style.Style{}, "mode-style"), Lines: s.borderLines(c)}
	d, ok := c.prompt.line.Menu(overlay.Screen{Cols: c.cols, Rows: c.rows, Looks: looks}, row)
	return sceneOverlay(d), ok
}

// Confirm asks for a yes.
func (s *Server) Confirm(id command.ClientID, q command.Question, done func(bool)) {
	s.open(id, overlay.NewConfirm(q.Label, q.Key, q.Enter), func(a overlay.Answer) { done(a.OK) })
}

// open shows an overlay; one that was there before is left unanswered.
func (s *Server) open(id command.ClientID, o overlay.Overlay, done func(overlay.Answer)) {
	c := s.clients[id]
	if c == nil || !c.info.Attached() {
		s.loop.post(func() { done(overlay.Answer{}) })
		return
	}
	s.dropPrompt(c)
	c.prompt, c.message, c.stale = &prompt{Overlay: o, done: done}, "", true
}

// promptKey gives a key or a paste to the client's prompt. False: the prompt is answered, and the key is
// still to be done.
func (s *Server) promptKey(c *client, e key.Event) bool {
	c.stale = true
	p := c.prompt
	if p.Numeric && !digit(e) {
		if e.Kind != key.KindKey || e.Act == key.Release || isModifier(e.Key) {
			return true
		}
		c.prompt = nil
		p.done(overlay.Answer{OK: true, Text: p.text()})
		return false
	}
	before := p.text()
	if p.Incremental && p.again(e) {
		return true
	}
	done, a := p.HandleKey(e)
	if done {
		c.prompt = nil
		p.done(a)
		return true
	}
	if now := p.text(); now != before && p.Changed != nil {
		if p.Incremental {
			now = "=" + now
		}
		p.Changed(now)
	}
	return true
}

// again takes the keys that look for the next match while its text is typed.
func (p *prompt) again(e key.Event) bool {
	way := map[string]string{"C-s": "+", "C-r": "-"}[e.Name()]
	if e.Kind != key.KindKey || e.Act == key.Release || way == "" || p.Changed == nil || p.line == nil {
		return false
	}
	if p.text() == "" {
		p.line.SetText(p.Last)
		way = "="
	}
	p.Changed(way + p.text())
	return true
}

// digit tells what a prompt for a number takes.
func digit(e key.Event) bool {
	c := e.Chord()
	return e.Kind == key.KindKey && e.Act != key.Release && c.Mod == 0 && c.Key >= '0' && c.Key <= '9'
}

// isModifier tells keys that only change others.
func isModifier(k key.Key) bool {
	return k >= key.LeftShift && k <= key.Level5Shift || k >= key.CapsLock && k <= key.NumLock
}

// text is what stands in a prompt that asks for a line.
func (p *prompt) text() string {
	if p.line == nil {
		return ""
	}
	return p.line.Text()
}

// dropPrompt leaves a prompt unanswered.
func (s *Server) dropPrompt(c *client) {
	if p := c.prompt; p != nil {
		c.prompt = nil
		s.loop.post(func() { p.done(overlay.Answer{}) })
	}
}
