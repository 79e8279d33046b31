package server

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"syscall"

	"stet/config/format"
	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
	"stet/vt/key"
)

// policy is what a restore does with a pane's command: what was set for the pane or its window, else by the
// first pattern that matches, else for all.
func (s *Server) policy(saved *resurrect.Pane) resurrect.Policy {
	const name = "restore-command"
	id := model.PaneID(saved.ID)
	p := s.model.Panes[id]
	if p == nil {
		return resurrect.Never
	}
	for _, t := range [...]command.OptionTarget{ofPane(id), ofWindow(p.Window)} {
		if set := s.OptionSet(t); set.Has(name) {
			v, _ := set.Get(name)
			return resurrect.Policy(v)
		}
	}
	argv, _ := saved.Command()
	for _, item := range s.options.Set(serverScope).List("restore-commands") {
		if i := strings.LastIndexByte(item.Value, '='); i > 0 && commandIs(item.Value[:i], argv) {
			return resurrect.Policy(item.Value[i+1:])
		}
	}
	return resurrect.Policy(s.option(globalWindow, name))
}

// commandIs tells whether a pattern is that of a command: without a blank of its program, else of the whole.
func commandIs(pattern string, argv []string) bool {
	for _, name := range resurrect.CommandNames(argv) {
		if !strings.Contains(pattern, " ") {
			name, _, _ = strings.Cut(name, " ")
		}
		if format.Glob(pattern, name, false) {
			return true
		}
	}
	return false
}

// restoreCommand makes a restored pane ready for what its step says of its command.
func (s *Server) restoreCommand(p *model.Pane, step resurrect.Step, old *picture) {
	if p.Rerun = nil; len(step.Argv) == 0 || p.Agent != nil {
		return
	}
	p.Rerun = &model.Rerun{Argv: slices.Clone(step.Argv), Line: step.Line, State: model.RerunOffered}
	words := resurrect.Words(step.Argv)
	switch step.Action {
	case resurrect.Run:
		p.Rerun.State = model.RerunLaunching
		old.divider = agentDivider(old.saved, "started again: "+words)
	case resurrect.AskFirst:
		if old.saved.RunFailed {
			p.Rerun.State = model.RerunFailed
		}
		p.Empty = true
		p.Wait = &model.Wait{For: model.WaitCommand, Why: words}
		old.text.Below, old.divider = s.waitLines(p), agentDivider(old.saved, "nothing runs yet")
	}
}

// askLines are what stands in a pane that asks for its command.
func (s *Server) askLines(p *model.Pane) []string {
	what := "This ran here: "
	switch {
	case len(p.Was) > 0:
		what = "This pane was made for: "
	case p.Rerun != nil && resurrect.Remote(p.Rerun.Argv) != "":
		what = "It was connected to " + resurrect.Remote(p.Rerun.Argv) + ": "
	}
	lines := []string{model.CleanText(what + p.Wait.Why)}
	if p.Rerun != nil && p.Rerun.State == model.RerunFailed {
		lines = append(lines, "It failed when it was last started again.")
	}
	keys := "Any key gives a shell."
	if k := s.keyFor(keymap.Asking, "restore-pane --run"); k != "" {
		keys = k + " runs it again, with a shell beneath; any other key gives a shell."
	}
	return append(lines, keys)
}

// answered takes a key as the answer of a pane that asks whether its command is run again: it is no.
func (s *Server) answered(id model.PaneID, e key.Event) bool {
	p := s.model.Panes[id]
	if p == nil || !p.WaitsFor(model.WaitCommand) || e.Act != key.Press {
		return false
	}
	s.RestorePane(id, command.PaneAnswer{Shell: true}, func(err error) {
		if err != nil {
			s.tellViewers(p, err.Error())
		}
	})
	return true
}

// rerunFailed puts a shell where a command was to be started again and could not be.
func (s *Server) rerunFailed(p *model.Pane, row resurrect.Row, old *picture, err error, back func(resurrect.Row)) {
	r := p.Rerun
	if r == nil {
		s.broughtBack(p, row, old, err, back)
		return
	}
	r.State, r.Why = model.RerunFailed, fmt.Sprintf("%s was not started again: %v", resurrect.Words(r.Argv), err)
	s.shellInstead(p, row, old, r.Why, rerunNext(p.ID), back)
}

// rerunNext is what can be done about a command that does not run.
func rerunNext(id model.PaneID) string {
	return fmt.Sprintf("stet restore-pane --run -t %v tries again", id)
}

// rerunNotes say in a pane what has become of its command.
func rerunNotes(p *model.Pane) []string { return agentNotes(p.Rerun.Why, rerunNext(p.ID)) }

// rerunEnded deals with the end of a command that was started again. It says whether the pane goes on, with a
// shell beneath. What has failed is kept, so that the next restore asks; what was interrupted was ended on
// purpose.
func (s *Server) rerunEnded(p *model.Pane, st exit) (goesOn bool) {
	id, words := p.ID, resurrect.Words(p.Rerun.Argv)
	ended := fmt.Sprintf("%s: %s", words, st)
	var notes []string
	if st.failed() && st.signal() != int(syscall.SIGINT) && st.code() != 128+int(syscall.SIGINT) {
		p.Rerun.State, p.Rerun.Why = model.RerunFailed, ended
		notes = []string{"to do: " + rerunNext(id)} // the divider says why
		s.cameBack(p, resurrect.Failed, ended, rerunNext(id))
	} else {
		p.Rerun = nil
	}
	s.model.Touch()
	if goesOn = s.option(ofPane(id), "remain-on-exit") == "off"; goesOn {
		s.paneEvent("pane-exited", id)
		s.beneath(id, ended, notes, func(err error) { s.failedPane(id, err) })
	}
	delay := exitDelay(st)
	if st.failed() {
		delay = provisional
	}
	s.saves.soon(store.Structural, delay)
	return goesOn
}

// rerunNow runs a restored pane's command in the place of its idle shell.
func (s *Server) rerunNow(p *model.Pane, done func(error)) {
	id := p.ID
	fail := func(err error) { s.loop.post(func() { done(err) }) }
	switch {
	case p.Rerun == nil:
		fail(errors.New("no command is kept for that pane that could be run again"))
		return
	case p.Rerun.State == model.RerunRunning:
		fail(fmt.Errorf("%s runs in pane %v already", resurrect.Words(p.Rerun.Argv), id))
		return
	}
	if name := s.inShellNow(id); name != "" {
		fail(fmt.Errorf("%s runs in pane %v: end it first", name, id))
		return
	}
	r := p.Rerun
	before := r.State
	r.State, r.Why = model.RerunLaunching, ""
	s.beneath(id, "started again: "+resurrect.Words(r.Argv), nil, func(err error) {
		m := s.model.Panes[id]
		if m == nil || m.Rerun != r {
			done(err)
			return
		}
		if err != nil && m.State != model.Starting { // it goes on with what it had
			r.State = before
			done(err)
			return
		}
		if err != nil {
			r.State, r.Why = model.RerunFailed, fmt.Sprintf("%s was not started again: %v", resurrect.Words(r.Argv), err)
			s.cameBack(m, resurrect.Failed, r.Why, rerunNext(id))
			s.beneath(id, "a shell", rerunNotes(m), func(error) {})
			done(errors.New(r.Why))
			return
		}
		s.cameBack(m, resurrect.Restored, "started again: "+resurrect.Words(r.Argv)+", by restore-pane", "")
		done(nil)
	})
}
