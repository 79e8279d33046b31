package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"

	"stet/config/option"
	"stet/resurrect/agent"
	"stet/server/command"
	"stet/server/model"
	"stet/server/proc"
	"stet/vt"
	"stet/vt/key"
)

const (
	// judgeDelay is how long what an agent prints may change before it is judged: titles spin.
	judgeDelay = 300 * time.Millisecond
	// stateEvery is how often an agent's state file is read while the agent prints, and how long after it has
	// printed last it is read once more.
	stateEvery = time.Second
	// maxIgnored bounds what is kept of what did not count.
	maxIgnored = 8
	// maxEarlyEvents bounds what an agent says before it is known how to read it.
	maxEarlyEvents = 32
)

// agentFacts are what the server has for a pane's agent besides the model; they end with its pane, or with
// its program.
type agentFacts struct {
	parsed   uint64    // how much its terminal had printed when it was looked at last
	printed  time.Time // when that was different from the time before
	reading  bool      // its state file is being read
	readAt   time.Time // when that was begun last
	fileWhy  string    // why that says nothing
	ignored  []command.IgnoredReport
	early    []vt.Event // what it has said before the integrations were read
	dirty    bool       // what it has printed has yet to be judged
	progress bool       // a progress bar is shown
	heard    uint64     // when the process was started that has reported last, in clock ticks
}

// integration is what is known of a pane's agent, nil while that has yet to be read.
func (s *Server) integration(a *model.Agent) *agent.Integration {
	if s.knownAgents == nil {
		s.learnAgents()
		return nil
	}
	return s.knownAgents.Find(a.Name)
}

// learnAgents reads the integrations beside the loop, and then judges what has been waiting for them.
func (s *Server) learnAgents() {
	if s.learning {
		return
	}
	s.learning = true
	go func() {
		set := agent.Load(AgentsDir(os.Getenv))
		s.loop.post(func() {
			s.learning = false
			s.useAgents(set)
		})
	}()
}

// useAgents takes the integrations that have been read last.
func (s *Server) useAgents(set *agent.Set) {
	first := s.knownAgents == nil
	s.knownAgents = set
	if !first {
		return
	}
	for id, p := range s.model.Panes {
		if p.Agent != nil {
			s.titleAgain(p)
			f := &s.pane(id).agent
			for _, e := range f.early {
				s.agentShows(p, e)
			}
			f.early = nil
			s.judge(id)
		}
	}
}

// titleAgain looks at the title that an agent's terminal has, where nothing was heard of it: by a server that
// takes over.
func (s *Server) titleAgain(p *model.Pane) {
	if live := s.live(p.ID); live != nil && p.Agent.State == model.AgentRunning && p.Agent.Word(model.FromTitle) != "" {
		s.agentShows(p, vt.Event{Kind: vt.EventTitle, Text: live.Facts().Title})
	}
}

// hears notes what a source says of a pane's agent, and judges it.
func (s *Server) hears(p *model.Pane, source model.StatusSource, word agent.Word, detail string) {
	p.Agent.Hear(source, model.StatusWord(word), detail, s.Now())
	s.minor = true
	if source == model.FromHook || source == model.FromFile {
		s.judge(p.ID)
		return
	}
	s.pane(p.ID).agent.dirty = true
	s.judging.within(judgeDelay)
}

// agentShows looks at what an agent's terminal says besides text.
func (s *Server) agentShows(p *model.Pane, e vt.Event) {
	a := p.Agent
	if a == nil || a.State != model.AgentRunning {
		return
	}
	in := s.integration(a)
	if f := &s.pane(p.ID).agent; s.knownAgents == nil && len(f.early) < maxEarlyEvents {
		f.early = append(f.early, e)
	}
	if in == nil {
		return
	}
	st := &in.Status
	switch e.Kind {
	case vt.EventTitle:
		if w := st.Title.Word(e.Text); w != "" {
			s.hears(p, model.FromTitle, w, e.Text)
		}
	case vt.EventNotify:
		if w := st.Notify.Word(e.Text); w != "" {
			s.hears(p, model.FromNotify, w, e.Text)
		}
	case vt.EventBell:
		if st.Bell != "" {
			s.hears(p, model.FromBell, agent.Word(st.Bell), "")
		}
	case vt.EventProgress:
		facts := &s.pane(p.ID).agent
		switch state := e.Arg >> 8; {
		case !st.Progress:
		case state == 1 || state == 3:
			facts.progress = true
			s.hears(p, model.FromProgress, agent.Working, fmt.Sprintf("%d%%", e.Arg&0xff))
		case state == 2:
			facts.progress = true
			s.hears(p, model.FromProgress, agent.Failed, "")
		case state == 0 && facts.progress:
			facts.progress = false
			s.hears(p, model.FromProgress, agent.Idle, "")
		}
	}
}

// agentsPrinted notes which agents have printed, and has their state files read.
func (s *Server) agentsPrinted() {
	now := s.Now()
	for id, p := range s.model.Panes {
		live := s.live(id)
		if p.Agent == nil || p.Agent.State != model.AgentRunning || live == nil {
			continue
		}
		f := &s.pane(id).agent
		if n := live.Facts().Parsed; n != f.parsed {
			f.parsed, f.printed = n, now
			if p.Agent.Status.Word == model.StatusUnknown {
				f.dirty = true // it may have been thought to be at rest
				s.judging.within(judgeDelay)
			}
			s.stateFile(id)
		}
	}
}

// judge finds out what a pane's agent does, and tells of a change.
func (s *Server) judge(id model.PaneID) {
	p := s.model.Panes[id]
	if p == nil || p.Agent == nil {
		return
	}
	a, old := p.Agent, p.Agent.Status
	now, printed, quiet := s.Now(), s.pane(id).agent.printed, s.quietTime(a)
	s.pane(id).agent.dirty = false
	changed := a.Judge(now, printed, quiet)
	if a.Status.Word == model.StatusWorking {
		last := printed
		for _, w := range a.Words {
			if w.At.After(last) {
				last = w.At
			}
		}
		s.judging.within(max(quiet-now.Sub(last), judgeDelay) + time.Millisecond)
	}
	if changed {
		s.agentTurned(p, old)
	}
}

func (s *Server) quietTime(a *model.Agent) time.Duration {
	n := agent.DefaultQuiet
	if in := s.integration(a); in != nil {
		n = in.Status.QuietTime()
	}
	return time.Duration(n) * time.Second
}

// judgeAgents judges those that have no words of their own: they are being started, were not resumed, or have
// ended.
func (s *Server) judgeAgents() {
	for id, p := range s.model.Panes {
		if a := p.Agent; a != nil && (a.State != model.AgentRunning || a.Status.Word == "") {
			s.judge(id)
		}
	}
}

// judgeDue judges what agents have printed, and those that have said to work for a while.
func (s *Server) judgeDue() {
	for id, p := range s.model.Panes {
		if a := p.Agent; a != nil && (s.pane(id).agent.dirty || a.Status.Word == model.StatusWorking) {
			s.judge(id)
		}
		s.stateFile(id)
	}
}

// agentTurned tells of another status: status lines, hooks, and whoever does not look.
func (s *Server) agentTurned(p *model.Pane, old model.AgentStatus) {
	s.minor, s.restyle = true, true
	a := p.Agent
	if a.Status.Word == old.Word {
		return
	}
	if !s.stopping {
		s.paneEventWith("agent-status-changed", p.ID, map[string]string{
			"hook_agent": a.Name, "hook_status": string(a.Status.Word), "hook_status_source": string(a.Status.Source), "hook_old_status": string(old.Word),
		})
	}
	if a.Status.Word.WantsPerson() {
		s.happened(p)
	}
	if s.listed(ofPane(p.ID), "agent-notify", string(a.Status.Word)) {
		s.notice(p, a.Name+" "+phrases[a.Status.Word], nil)
	}
}

// phrases are what is said of an agent.
var phrases = map[model.StatusWord]string{
	model.StatusBlocked: "waits for your answer",
	model.StatusError:   "was ended by an error",
	model.StatusDone:    "is done",
	model.StatusWorking: "works",
	model.StatusIdle:    "waits for a prompt",
	model.StatusUnknown: "does nothing that is known",
}

// listed says that an option's list has a word.
func (s *Server) listed(t command.OptionTarget, name, word string) bool {
	return slices.ContainsFunc(s.OptionSet(t).List(name), func(i option.Item) bool { return i.Value == word })
}

// typedTo notes of an agent that keys were typed that may answer its question, or interrupt it.
func (s *Server) typedTo(id model.PaneID, keys []key.Event) {
	p := s.model.Panes[id]
	if p == nil || p.Agent == nil || p.Agent.State != model.AgentRunning {
		return
	}
	answers, interrupts := false, false
	for _, e := range keys {
		switch {
		case e.Kind == key.KindPaste:
			answers = true
		case e.Kind != key.KindKey || e.Act == key.Release || moves(e.Key):
		case e.Key == key.Escape, e.Key == 'c' && e.Mod == key.Ctrl:
			answers, interrupts = true, true
		default:
			answers = true
		}
	}
	s.touchedAgent(p, answers, interrupts)
}

// moves says that a key moves about in a question, and answers none.
func moves(k key.Key) bool {
	switch k {
	case key.Up, key.Down, key.Left, key.Right, key.Home, key.End, key.PageUp, key.PageDown, key.Tab:
		return true
	}
	return false
}

func (s *Server) touchedAgent(p *model.Pane, answers, interrupts bool) {
	now, word := s.Now(), p.Agent.Status.Word
	if answers {
		p.Agent.Touched.Answered = now
	}
	if interrupts {
		p.Agent.Touched.Interrupted = now
	}
	if answers && word == model.StatusBlocked {
		s.judge(p.ID)
	}
}

// reportIgnored notes what did not count.
func (s *Server) reportIgnored(id model.PaneID, what, why string) {
	f := &s.pane(id).agent
	f.ignored = append(f.ignored, command.IgnoredReport{At: s.Now(), What: model.CleanText(what), Why: model.CleanText(why)})
	if over := len(f.ignored) - maxIgnored; over > 0 {
		f.ignored = slices.Delete(f.ignored, 0, over)
	}
}

// statusReport takes what a report, whose origin is known, says of the agent's status.
func (s *Server) statusReport(p *model.Pane, in *agent.Integration, data []byte) {
	word, event := in.Event(data)
	subject := in.Subject(data)
	switch {
	case event == "":
		s.reportIgnored(p.ID, "a report of its hook", "it is of a helper, or of a conversation that is not kept")
	case word == "":
		s.reportIgnored(p.ID, "hook event "+event, "it says nothing of the status")
	case subject != "" && p.Agent.Conversation != "" && subject != p.Agent.Conversation:
		s.reportIgnored(p.ID, "hook event "+event, "it is about conversation "+subject)
	default:
		s.hears(p, model.FromHook, word, event)
	}
}

// stateFile has the state file of a pane's agent read, unless that has just been done.
func (s *Server) stateFile(id model.PaneID) {
	p, live := s.model.Panes[id], s.live(id)
	if p == nil || p.Agent == nil || p.Agent.State != model.AgentRunning || live == nil || live.Info().Exited {
		return
	}
	in, f, now := s.integration(p.Agent), &s.pane(id).agent, s.Now()
	if in == nil || in.Status.File.Path == "" || f.reading || !f.readAt.IsZero() && !f.printed.Add(stateEvery).After(f.readAt) {
		return
	}
	if wait := stateEvery - now.Sub(f.readAt); wait > 0 {
		s.judging.within(wait)
		return
	}
	f.reading, f.readAt = true, now
	if now.Before(f.printed.Add(stateEvery)) {
		s.judging.within(stateEvery + time.Millisecond) // once more when it has come to rest
	}
	pid, env, run := live.Info().Pid, p.Agent.Env, p.Run
	if p.Agent.Adopted {
		pid = p.Agent.Pid
	}
	go func() {
		home, _ := os.UserHomeDir()
		data, started, err := readState(&in.Status.File, pid, env, home)
		var word agent.Word
		if err == nil {
			word, err = in.Status.File.Read(data, started)
		}
		conversation := in.Running(data, started)
		s.loop.post(func() { s.stateRead(id, run, pid, word, conversation, err) })
	}()
}

func (s *Server) stateRead(id model.PaneID, run uint64, pid int, word agent.Word, conversation string, err error) {
	p := s.model.Panes[id]
	if p == nil || p.Run != run || p.Agent == nil || p.Agent.State != model.AgentRunning {
		return
	}
	if p.Agent.Adopted && conversation != "" && p.Agent.Pid == pid {
		s.adoptedSays(p, conversation)
	}
	f := &s.pane(id).agent
	f.reading, f.fileWhy = false, ""
	switch {
	case err != nil:
		f.fileWhy = err.Error()
	case word == "":
		f.fileWhy = "it says nothing that is known"
	default:
		s.hears(p, model.FromFile, word, "")
	}
}

// readState reads the state file of an agent's process. started is when that was started, 0 unknown.
func readState(f *agent.StateFile, pid int, env []string, home string) (data []byte, started uint64, err error) {
	name, err := f.Place(pid, env, home)
	if err != nil {
		return nil, 0, err
	}
	file, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, errors.New("none yet at " + name)
	}
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	st, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	if sys, ok := st.Sys().(*syscall.Stat_t); !st.Mode().IsRegular() || ok && int(sys.Uid) != os.Getuid() {
		return nil, 0, errors.New(name + " is no plain file of this user")
	}
	data, err = io.ReadAll(io.LimitReader(file, agent.MaxStateFile))
	if err != nil {
		return nil, 0, err
	}
	started, err = proc.Started(pid)
	if err != nil && f.Started != "" {
		return nil, 0, err
	}
	return data, started, nil
}

// AgentStatus is what is known of the status of a pane's agent, and why.
func (s *Server) AgentStatus(id model.PaneID) command.AgentKnown {
	p := s.model.Panes[id]
	if p == nil || p.Agent == nil {
		return command.AgentKnown{}
	}
	f := &s.pane(id).agent
	quiet := s.quietTime(p.Agent)
	return command.AgentKnown{
		Verdicts: p.Agent.Verdicts(s.Now(), f.printed, quiet), Printed: f.printed, Quiet: quiet, File: f.fileWhy, Ignored: slices.Clone(f.ignored),
	}
}
