package command

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stet/config"
	"stet/config/option"
	"stet/config/style"
	"stet/config/syntax"
	"stet/resurrect"
	"stet/resurrect/agent"
	"stet/resurrect/store"
	"stet/server/buffer"
	"stet/server/keymap"
	"stet/server/mode"
	"stet/server/model"
	"stet/vt/key"
)

// fakeHost is a server without programs. What takes time waits in later until step or drain.
type fakeHost struct {
	shelf         []store.Shelved
	t             testing.TB
	model         *model.Model
	options       *OptionSets
	keys          *keymap.Tables
	clients       []ClientInfo // all connections, attached or not
	facts         map[model.PaneID]PaneFacts
	unread        map[model.PaneID]Unread
	process       map[model.PaneID]ProcessFacts
	modes         map[model.PaneID][]mode.Mode // the one shown first
	now           time.Time
	uids          int
	later         []func()
	configuration Configuration
	declared      []config.Session

	out, errs map[ClientID][]string
	log       []string // what was asked of the host
	spawnErr  error
	lines     []string // what Capture gives
	answers   []string // what prompts are answered with; "\x00" leaves
	save      SaveInfo
	report    []ReportRow
	told      []string
	flushErr  error

	environ  Environ
	jobs     map[string]JobResult // what shell commands come to
	picture  mode.Picture         // of every pane; nil: nothing
	survival Survival
	status   int // exit status asked for

	buffers buffer.Store
	files   map[string]string
	raw     strings.Builder // what was written to standard output as it is
	help    []HelpRow
	menu    MenuRequest
	popup   PopupRequest
	popups  map[string]ClientID // by their terminal or number
	said    []LogEntry
}

var started = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func newHost(t testing.TB) *fakeHost {
	return &fakeHost{
		t: t, model: model.New(), options: NewOptionSets(false), keys: keymap.Defaults(),
		jobs:  map[string]JobResult{"bad": {Code: 3}, "killed": {Signal: 9}, "said": {Output: "one\ntwo\n"}},
		facts: map[model.PaneID]PaneFacts{}, process: map[model.PaneID]ProcessFacts{},
		modes: map[model.PaneID][]mode.Mode{},
		now:   started, out: map[ClientID][]string{}, errs: map[ClientID][]string{},
		clients: []ClientInfo{{ID: 1, Name: "/dev/pts/1", TTY: "/dev/pts/1", Cwd: "/home/u", Session: -1, LastSession: -1, Terminal: true, W: 80, H: 24}},
	}
}

func (h *fakeHost) note(format string, args ...any) {
	h.log = append(h.log, fmt.Sprintf(format, args...))
}

// step lets the next thing that takes time happen.
func (h *fakeHost) step() bool {
	if len(h.later) == 0 {
		return false
	}
	f := h.later[0]
	h.later = h.later[1:]
	f()
	return true
}

func (h *fakeHost) drain() {
	for h.step() {
	}
}

func (h *fakeHost) wait(f func()) { h.later = append(h.later, f) }

func (h *fakeHost) Model() *model.Model { return h.model }
func (h *fakeHost) Now() time.Time      { h.now = h.now.Add(time.Millisecond); return h.now }
func (h *fakeHost) UID() string         { h.uids++; return fmt.Sprint("uid", h.uids) }
func (h *fakeHost) Server() ServerInfo {
	host, _ := os.Hostname()
	return ServerInfo{Pid: 77, Socket: "/run/stet", Version: "0.1", Host: host, Started: started, Shell: "/bin/sh", Uid: 1000, User: "u"}
}
func (h *fakeHost) Removed(r model.Removed) {
	h.options.Forget(r)
	Renumber(h, r)
	for _, s := range r.Sessions {
		h.note("session %s gone", s.Name)
		for i := range h.clients {
			if h.clients[i].Session == s.ID {
				h.clients[i].Session = -1
			}
		}
	}
}

func (h *fakeHost) OptionSet(t OptionTarget) *option.Set      { return h.options.Set(t) }
func (h *fakeHost) OptionChanged(t OptionTarget, name string) { h.note("option %s", name) }
func (h *fakeHost) Keys() *keymap.Tables                      { return h.keys }
func (h *fakeHost) KeysChanged()                              { h.note("keys") }
func (h *fakeHost) Detach(id ClientID, o DetachOptions) {
	h.note("detach %d%s", id, map[bool]string{true: " hang up"}[o.Kill]+o.Exec)
	h.client(id).Session = -1
}
func (h *fakeHost) Suspend(id ClientID)         { h.note("suspend %d", id) }
func (h *fakeHost) Refresh(id ClientID)         { h.note("refresh %d", id) }
func (h *fakeHost) Restyle(id ClientID)         { h.note("restyle %d", id) }
func (h *fakeHost) Pan(id ClientID, dx, dy int) { h.note("pan %d %d %d", id, dx, dy) }
func (h *fakeHost) Follow(id ClientID)          { h.note("follow %d", id) }
func (h *fakeHost) SetFlags(id ClientID, flags []ClientFlag) {
	for _, f := range flags {
		f.Apply(h.client(id))
	}
}
func (h *fakeHost) Message(id ClientID, s string, d time.Duration) { h.note("message %d %s", id, s) }
func (h *fakeHost) ShowMessage(id ClientID, m Message) {
	h.note("message %d %s for %v, ignoring keys %v", id, m.Text, m.For, m.IgnoreKeys)
}
func (h *fakeHost) SwitchTable(id ClientID, table string) { h.note("table %d %s", id, table) }
func (h *fakeHost) Print(id ClientID, s string)           { h.out[id] = append(h.out[id], s) }
func (h *fakeHost) Fail(id ClientID, s string)            { h.errs[id] = append(h.errs[id], s) }
func (h *fakeHost) PaneColours(model.PaneID) (fg, bg style.Color) {
	return style.Default, style.Palette(4)
}
func (h *fakeHost) Facts(id model.PaneID) PaneFacts                 { return h.facts[id] }
func (h *fakeHost) Process(id model.PaneID) ProcessFacts            { return h.process[id] }
func (h *fakeHost) Reset(id model.PaneID)                           { h.note("reset %v", id) }
func (h *fakeHost) Save() SaveInfo                                  { return h.save }
func (h *fakeHost) AdoptAgent(_ model.PaneID, done func(error))     { done(nil) }
func (h *fakeHost) CancelAgents([]model.PaneID) (int, error)        { return 0, nil }
func (h *fakeHost) Agents() *agent.Set                              { return agent.Load("") }
func (h *fakeHost) Report() []ReportRow                             { return h.report }
func (h *fakeHost) Notes() []string                                 { return h.told }
func (h *fakeHost) WaitSaved(_ time.Duration, done func(error))     { h.wait(func() { done(h.flushErr) }) }
func (h *fakeHost) Flush(done func(error))                          { h.wait(func() { done(h.flushErr) }) }
func (h *fakeHost) Restore(o RestoreOptions, done func(int, error)) { h.wait(func() { done(3, nil) }) }

func (h *fakeHost) RestorePane(id model.PaneID, a PaneAnswer, done func(error)) {
	h.wait(func() { done(nil) })
}

func (h *fakeHost) Generations(done func([]store.Generation, error)) {
	h.wait(func() { done(nil, nil) })
}
func (h *fakeHost) Survival(done func(Survival)) { h.wait(func() { done(h.survival) }) }

func (h *fakeHost) PrepareAgent(in model.SessionID, r AgentRequest, done func(*model.Agent, error)) {
	h.later = append(h.later, func() {
		if h.Agents().Find(r.Name) == nil {
			done(nil, UnknownAgent(h.Agents(), r.Name))
			return
		}
		done(&model.Agent{Name: r.Name, Cwd: r.Cwd, Exe: "/bin/" + r.Name, State: model.AgentLaunching, Launch: append([]string{r.Name}, r.Args...)}, nil)
	})
}

func (h *fakeHost) ReportAgent(from ClientID, data []byte, done func(error)) {
	h.log = append(h.log, fmt.Sprintf("report %d %s", from, data))
	h.later = append(h.later, func() { done(nil) })
}

func (h *fakeHost) RetryAgents(force bool, done func(int, error)) {
	h.log = append(h.log, fmt.Sprintf("retry all %v", force))
	h.later = append(h.later, func() { done(1, nil) })
}

func (h *fakeHost) RetryAgent(id model.PaneID, force bool, done func(error)) {
	h.log = append(h.log, fmt.Sprintf("retry %v %v", id, force))
	h.later = append(h.later, func() { done(nil) })
}

func (h *fakeHost) Unread(id model.PaneID) Unread { return h.unread[id] }

func (h *fakeHost) MarkRead(id model.PaneID, number uint64) error {
	h.log = append(h.log, fmt.Sprintf("read %v %d", id, number))
	return nil
}

func (h *fakeHost) AgentStatus(id model.PaneID) AgentKnown {
	if p := h.Model().Panes[id]; p != nil && p.Agent != nil {
		return AgentKnown{Verdicts: p.Agent.Verdicts(h.Now(), time.Time{}, time.Minute), Quiet: time.Minute}
	}
	return AgentKnown{}
}

func (h *fakeHost) DropAgent(id model.PaneID) error {
	h.log = append(h.log, fmt.Sprintf("drop %v", id))
	return nil
}

func (h *fakeHost) SendBytes(id model.PaneID, data []byte) error {
	h.note("bytes %v %q", id, data)
	return nil
}
func (h *fakeHost) EnterMode(client ClientID, id model.PaneID, m mode.Mode) {
	h.note("enter %v %s", id, m.Name())
	h.modes[id] = append([]mode.Mode{m}, h.modes[id]...)
	h.mode(id, m.Name())
}
func (h *fakeHost) Modes(id model.PaneID) []mode.Mode { return h.modes[id] }
func (h *fakeHost) LeaveMode(id model.PaneID)         { h.note("leave mode %v", id); h.mode(id, "") }
func (h *fakeHost) LeaveModes(id model.PaneID)        { h.note("leave modes %v", id); h.mode(id, "") }
func (h *fakeHost) ModeCommand(client ClientID, id model.PaneID, c mode.Command) error {
	if c.Name == "nope" {
		return errors.New("unknown command: nope")
	}
	h.note("mode %v %s %q %d", id, c.Name, c.Args, c.Count)
	return nil
}
func (h *fakeHost) ModeKey(client ClientID, id model.PaneID, e key.Event) error {
	h.note("mode key %v %s", id, e.Name())
	return nil
}
func (h *fakeHost) ModeVariable(id model.PaneID, name string) (string, bool) {
	if len(h.modes[id]) > 0 {
		return h.modes[id][0].Variable(name)
	}
	return "", false
}
func (h *fakeHost) CopyText(client ClientID, id model.PaneID, c mode.Copy) {
	h.note("copy %v %q", id, c.Text)
}
func (h *fakeHost) CopyMode(client ClientID, id model.PaneID, o CopyModeOptions, done func(error)) {
	h.note("copy mode %v %s", id, copyFlags(o))
	h.mode(id, "copy-mode")
	f := h.facts[id]
	f.ModeTable = keymap.CopyMode
	if h.options.Set(OptionTarget{Scope: ScopeWindow, Window: h.model.Panes[id].Window}).String("mode-keys") == "vi" {
		f.ModeTable = keymap.CopyModeVi
	}
	h.facts[id] = f
	h.wait(func() { done(nil) })
}

// copyFlags are the flags that say the same.
func copyFlags(o CopyModeOptions) string {
	out := "-"
	for _, f := range []struct {
		on   bool
		flag string
	}{{o.PageUp, "u"}, {o.PageDown, "d"}, {o.ExitAtBottom, "e"}, {o.HidePosition, "H"}, {o.Mouse != nil, "M"}} {
		if f.on {
			out += f.flag
		}
	}
	if o.HasSource {
		out += fmt.Sprint(" -s ", o.Source)
	}
	return out
}

func (h *fakeHost) mode(id model.PaneID, mode string) {
	f := h.facts[id]
	f.Mode = mode
	h.facts[id] = f
}

func (h *fakeHost) SendKeys(id model.PaneID, keys []key.Event) error {
	for _, k := range keys {
		h.note("key %v %s", id, k.Name())
	}
	return nil
}

func (h *fakeHost) Upgrade(client ClientID, file string, keeper bool, done func(error)) {
	h.note("upgrade %d %q %v", client, file, keeper)
	h.wait(func() { done(h.flushErr) })
}

func (h *fakeHost) UpgradeStatus(id uint64) (string, error) {
	if id == 7 {
		return "", errors.New("it has failed")
	}
	return fmt.Sprintf("upgrade %d", id), nil
}

func (h *fakeHost) KillServer(_ ClientID, force bool, done func(error)) {
	if !force && h.flushErr != nil {
		h.wait(func() { done(h.flushErr) })
		return
	}
	h.note("killed")
}

func (h *fakeHost) client(id ClientID) *ClientInfo {
	for i := range h.clients {
		if h.clients[i].ID == id {
			return &h.clients[i]
		}
	}
	return &ClientInfo{Session: -1}
}

func (h *fakeHost) Client(id ClientID) (ClientInfo, bool) {
	c := h.client(id)
	return *c, c.ID != 0
}

func (h *fakeHost) Clients() []ClientInfo {
	var all []ClientInfo
	for _, c := range h.clients {
		if c.Attached() {
			all = append(all, c)
		}
	}
	return all
}

func (h *fakeHost) Attach(id ClientID, s model.SessionID, o AttachOptions) error {
	h.note("attach %d %v %+v", id, s, o)
	c := h.client(id)
	c.LastSession, c.Session, c.Activity = c.Session, s, h.Now()
	h.model.Sessions[s].Attached++
	h.model.Sessions[s].Activity = h.Now()
	return nil
}

func (h *fakeHost) Prompt(id ClientID, p PromptRequest, done func(string, bool)) {
	h.note("prompt %d %q %q", id, p.Label, p.Text)
	h.wait(func() {
		answer := "\x00"
		if len(h.answers) > 0 {
			answer, h.answers = h.answers[0], h.answers[1:]
		}
		done(strings.TrimPrefix(answer, "\x00"), answer != "\x00")
	})
}

func (h *fakeHost) Confirm(id ClientID, q Question, done func(bool)) {
	h.Prompt(id, PromptRequest{Label: q.Label}, func(s string, ok bool) {
		done(ok && (s == string(q.Key) || s == "" && q.Enter))
	})
}

func (h *fakeHost) Spawn(id model.PaneID, done func(error)) {
	p := h.model.Panes[id]
	h.note("spawn %v in %s: %q", id, p.Cwd, p.Argv)
	h.wait(func() {
		if h.spawnErr == nil {
			if err := h.model.Started(id); err != nil {
				h.t.Error(err)
			}
		}
		done(h.spawnErr)
	})
}

func (h *fakeHost) SpawnKept(id model.PaneID, done func(error)) {
	h.Spawn(id, func(err error) {
		if err != nil {
			if err := h.model.Exited(id, 1, 0, h.Now()); err != nil {
				h.t.Error(err)
			}
		}
		done(err)
	})
}

func (h *fakeHost) Declared() []config.Session { return h.declared }

func (h *fakeHost) Configuration() Configuration { return h.configuration }

func (h *fakeHost) CheckConfig(path string, done func(string, *config.Config, error)) {
	c, err := config.Load(path, config.Options{Check: Check})
	done(path, c, err)
}

func (h *fakeHost) Close(ids []model.PaneID, done func(error)) {
	h.note("close %v", ids)
	ids = slices.Clone(ids)
	h.wait(func() {
		for _, id := range ids {
			r, err := h.model.RemovePane(id)
			if err != nil {
				h.t.Error(err)
			}
			h.Removed(r)
		}
		done(nil)
	})
}

func (h *fakeHost) DumpPane(id model.PaneID, verbose bool, done func(string, error)) {
	done(fmt.Sprintf(`{"pane":"%v"}`, id), nil)
}

func (h *fakeHost) Output(id model.PaneID, n int, escapes bool, done func(CommandOutput, error)) {
	h.note("output %v %d %v", id, n, escapes)
	h.wait(func() {
		done(CommandOutput{Command: CommandFacts{Known: true, Text: "ls", Status: 2, Took: 1500 * time.Millisecond, Timed: true}, Lines: slices.Clone(h.lines), Lost: 3}, nil)
	})
}

func (h *fakeHost) Pending(id model.PaneID, done func([]byte, error)) {
	h.note("pending %v", id)
	h.wait(func() { done([]byte("\x1b[3"), nil) })
}

func (h *fakeHost) Capture(id model.PaneID, o CaptureOptions, done func([]string, error)) {
	h.note("capture %v %+v", id, o)
	h.wait(func() {
		if o.Alternate {
			done(nil, ErrNoAlternate)
			return
		}
		done(slices.Clone(h.lines), nil)
	})
}

func (h *fakeHost) BeginHook()              { h.note("hook") }
func (h *fakeHost) EndHook()                {}
func (h *fakeHost) GlobalEnviron() *Environ { return &h.environ }
func (h *fakeHost) EnvironChanged()         { h.note("environment") }
func (h *fakeHost) RunJob(j Job, done func(JobResult)) {
	h.note("job %v in %s: %s", j.Session, j.Dir, j.Text)
	h.wait(func() { done(h.jobs[j.Text]) })
}
func (h *fakeHost) After(d time.Duration, f func()) {
	h.note("after %v", d)
	h.wait(f)
}
func (h *fakeHost) ShowOutput(id model.PaneID, text string) { h.note("show %v %q", id, text) }
func (h *fakeHost) ExitStatus(id ClientID, code int)        { h.status = code }
func (h *fakeHost) Buffers() *buffer.Store                  { return &h.buffers }
func (h *fakeHost) BuffersChanged()                         { h.note("buffers") }
func (h *fakeHost) SetClipboard(id ClientID, text string)   { h.note("clipboard %d %q", id, text) }
func (h *fakeHost) Write(id ClientID, data []byte)          { h.raw.Write(data) }
func (h *fakeHost) ReadFile(id ClientID, path string, limit int, done func([]byte, error)) {
	h.wait(func() {
		text, ok := h.files[path]
		if !ok {
			done(nil, errors.New("no such file or directory"))
			return
		}
		done([]byte(text), nil)
	})
}
func (h *fakeHost) PourInput(id ClientID, into model.PaneID, done func(error)) {
	h.note("pour %v", into)
	h.wait(func() { done(nil) })
}
func (h *fakeHost) MatchFiles(pattern string, limit int, done func([]string, error)) {
	h.wait(func() {
		list, err := filepath.Glob(pattern)
		done(list[:min(len(list), limit)], err)
	})
}
func (h *fakeHost) WriteFile(id ClientID, path string, data []byte, more bool, done func(error)) {
	h.wait(func() {
		if strings.HasPrefix(path, "/nope/") {
			done(errors.New("no such file or directory"))
			return
		}
		if h.files == nil {
			h.files = map[string]string{}
		}
		if !more {
			h.files[path] = ""
		}
		h.files[path] += string(data)
		done(nil)
	})
}

// shell runs command lines as client 1 and collects what came out.
type shell struct {
	*fakeHost
	queue *Queue
}

func newShell(t testing.TB) *shell {
	h := newHost(t)
	return &shell{h, NewQueue(h)}
}

// run runs one command line in the command language and returns its output and errors together.
func (s *shell) run(line string) string {
	s.t.Helper()
	list, err := syntax.Parse(line, "")
	if err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
	return s.runCommands(list)
}

func (s *shell) argv(argv ...string) string {
	s.t.Helper()
	list, err := syntax.ParseArgv(argv)
	if err != nil {
		s.t.Fatalf("%q: %v", argv, err)
	}
	return s.runCommands(list)
}

func (s *shell) runCommands(list []syntax.Command) string {
	s.t.Helper()
	s.out, s.errs = map[ClientID][]string{}, map[ClientID][]string{}
	done := false
	s.queue.Run(Request{Client: 1, Commands: list, Done: func(bool) { done = true }})
	s.drain()
	if !done {
		s.t.Errorf("%s is not done", syntax.Text(list))
	}
	if err := s.model.Check(); err != nil {
		s.t.Fatalf("%s: %v", syntax.Text(list), err)
	}
	return strings.Join(append(s.out[1], s.errs[1]...), "\n")
}

// attached is a shell whose client 1 shows a new session named work, of that many panes.
func attached(t testing.TB, panes int) *shell {
	s := newShell(t)
	s.run("new-session -s work")
	for range panes - 1 {
		s.run("split-window -h")
	}
	s.log = nil
	return s
}

func (h *fakeHost) Respawn(id model.PaneID, p model.PaneSpec, done func(error)) {
	h.note("respawn %v in %q: %q %q", id, p.Cwd, p.Argv, p.Env)
	if err := h.model.Respawn(id, p); err != nil {
		h.t.Error(err)
	}
	h.Spawn(id, done)
}

func (h *fakeHost) ClearHistory(id model.PaneID, links bool, done func(error)) {
	h.note("clear %v %v", id, links)
	h.wait(func() { done(nil) })
}

func (h *fakeHost) Trim(id model.PaneID, done func(error)) {
	h.note("trim %v", id)
	h.wait(func() { done(nil) })
}

func (h *fakeHost) Press(id ClientID, keys []key.Event) {
	for _, k := range keys {
		h.note("press %d %s", id, k.Name())
	}
}

func (h *fakeHost) Shelve(ids []model.PaneID, done func(error)) {
	h.note("shelve %v", ids)
	ids = slices.Clone(ids)
	h.wait(func() {
		_, _, err := h.model.Close(ids, h.now.Add(time.Minute), h.now, func(c *model.Closed) string { return "vim" })
		done(err)
	})
}

func (h *fakeHost) Reopen(in model.SessionID) (back []model.PaneID, err error) {
	for _, c := range h.model.Last(in) {
		if err := h.model.Reopen(c, in, false); err != nil {
			return back, err
		}
		for _, p := range c.Panes {
			back = append(back, p.ID)
		}
	}
	if len(back) == 0 {
		err = model.ErrNothingClosed
	}
	return back, err
}

func (h *fakeHost) PipePane(id model.PaneID, o PipeOptions) error {
	h.note("pipe %v %+v", id, o)
	return h.model.SetPiped(id, o.Text)
}

func (h *fakeHost) DisplayPanes(id ClientID, o DisplayPanesOptions, done func(model.PaneID, bool)) {
	h.note("numbers %d %+v", id, o)
	h.wait(func() { done(0, len(h.answers) > 0) })
}

func (h *fakeHost) Remember(id ClientID, what, text string) {
	h.said = append(h.said, LogEntry{At: time.Unix(0, 0), Text: what + ": " + text})
}
func (h *fakeHost) Messages() []LogEntry      { return h.said }
func (h *fakeHost) RunningJobs() []RunningJob { return []RunningJob{{"sleep 1", 77}} }
func (h *fakeHost) PromptHistory(kind string, done func([]string)) {
	h.wait(func() { done([]string{"one " + kind, "two"}) })
}
func (h *fakeHost) ClearPromptHistory(kinds []string, done func()) {
	h.note("clear history %q", kinds)
	h.wait(done)
}

func (h *fakeHost) ShelveSession(_ model.SessionID, _ ShelveOptions, done func(store.Shelved, error)) {
	h.wait(func() { done(store.Shelved{}, errors.New("no disk")) })
}

func (h *fakeHost) ShelveWhenIdle(model.SessionID, *ShelveOptions) bool { return false }

func (h *fakeHost) Shelf(done func([]store.Shelved, error)) { h.wait(func() { done(h.shelf, nil) }) }

func (h *fakeHost) Shelved(_ string, done func(store.Shelved, *resurrect.Workspace, []store.Note, error)) {
	h.wait(func() { done(store.Shelved{}, nil, nil, errors.New("no disk")) })
}

func (h *fakeHost) ResumeShelved(_, _ string, done func(store.Shelved, model.SessionID, int, error)) {
	h.wait(func() { done(store.Shelved{}, -1, 0, errors.New("no disk")) })
}

func (h *fakeHost) ChangeShelved(_ string, _ func(*resurrect.Shelf), done func(store.Shelved, error)) {
	h.wait(func() { done(store.Shelved{}, errors.New("no disk")) })
}

func (h *fakeHost) ForgetShelved(_ string, done func(store.Shelved, error)) {
	h.wait(func() { done(store.Shelved{}, errors.New("no disk")) })
}
