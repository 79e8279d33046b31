package command

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"stet/config/format"
	"stet/config/option"
	"stet/config/syntax"
	"stet/layout"
	"stet/server/buffer"
	"stet/server/model"
)

// Variables are what #{…} can ask about: a place, a client, the server. Facts that cost something are
// found when they are asked for, and once.
type Variables struct {
	host    Host
	model   *model.Model
	target  Target
	client  ClientInfo // Session is -1 for none
	mouse   *MouseEvent
	running string                      // the command that asks
	buffer  *buffer.Buffer              // that a list is at
	job     func(command string) string // nil: #(…) gives nothing
	extra   map[string]string           // what one command adds, such as a line's number
	drawn   bool                        // see Drawn

	facts   *PaneFacts
	process *ProcessFacts
	server  *ServerInfo
}

// NewVariables returns what formats can ask about a place and a client; both may be empty.
func NewVariables(h Host, t Target, c ClientInfo) *Variables {
	if c.ID == 0 {
		c.Session = -1
	}
	return &Variables{host: h, model: h.Model(), target: t, client: c}
}

// RunJobs gives #(…) a meaning: what a shell command has said last. It is for what is drawn again and
// again; elsewhere nobody would see the answer.
func (v *Variables) RunJobs(job func(command string) string) { v.job = job }

// Drawn says that the styles in what is expanded are obeyed. So what programs and file names say is given as text that has none: a
// program must not make a part of the status line look, or be clicked, like another.
func (v *Variables) Drawn() { v.drawn = true }

// literal is a text that is the same when the styles in it are obeyed. Package style takes two "#" for one, and "#[" for a style.
func literal(s string) string {
	if !strings.Contains(s, "#") {
		return s
	}
	var b strings.Builder
	for s != "" {
		i := strings.IndexByte(s, '#')
		if i < 0 {
			i = len(s)
		}
		b.WriteString(s[:i])
		s = s[i:]
		n := len(s) - len(strings.TrimLeft(s, "#"))
		b.WriteString(s[:n])
		if s = s[n:]; n > 1 || s == "" || s[0] == '[' { // a single one elsewhere stands for itself
			b.WriteString(strings.Repeat("#", n))
		}
	}
	return b.String()
}

// foreign says that a variable's value is not of the user's making.
func (v *Variables) foreign(name string) bool {
	switch name {
	case "pane_title", "pane_current_command", "pane_current_path", "pane_path", "pane_start_path", "session_path", "buffer_sample",
		"pane_command", "pane_last_command", "pane_branch", "mouse_word", "mouse_line", "mouse_hyperlink", "client_termname", "client_termtype":
		return true
	case "window_name":
		return v.target.Window.AutoName
	}
	return false
}

// Job is the output of a shell command.
func (v *Variables) Job(command string) string {
	if v.job == nil {
		return ""
	}
	return v.job(command)
}

// variable is a row of the table of variables. needs says what must be there; without it the variable
// is empty.
type variable struct {
	name  string
	needs needs
	value func(v *Variables) string
}

type needs uint8

const (
	always needs = iota
	session
	window
	pane
	client
	mouse
	paste
)

func (v *Variables) has(n needs) bool {
	switch n {
	case session:
		return v.target.Session != nil
	case window:
		return v.target.Window != nil
	case pane:
		return v.target.Pane != nil
	case client:
		return v.client.ID != 0
	case mouse:
		return v.mouse != nil
	case paste: // of no particular one: the newest
		if v.buffer == nil {
			v.buffer = v.host.Buffers().Top()
		}
		return v.buffer != nil
	}
	return true
}

// Variable returns a value by name: one of the table, one that a command has added, an option in force
// for the place, or a variable of the session's environment. It is the format.Lookup of the server.
func (v *Variables) Variable(name string) (string, bool) {
	if s, ok := v.extra[name]; ok {
		return s, true
	}
	table := variables()
	if i, ok := slices.BinarySearchFunc(table, name, func(row variable, name string) int { return strings.Compare(row.name, name) }); ok {
		row := &table[i]
		if !v.has(row.needs) {
			return "", true
		}
		s := row.value(v)
		if v.drawn && v.foreign(name) {
			s = literal(s)
		}
		return s, true
	}
	if v.target.Pane != nil {
		if s, ok := v.host.ModeVariable(v.target.Pane.ID, name); ok {
			return s, true
		}
	}
	if s, ok := v.option(name); ok {
		return s, true
	}
	return v.environment(name)
}

// environment is a variable of the session's environment, else of the global one.
func (v *Variables) environment(name string) (string, bool) {
	if s := v.target.Session; s != nil {
		if e, ok := SessionEnviron(s).Find(name); ok {
			return e.Value, !e.Cleared
		}
	}
	if env := v.host.GlobalEnviron(); env != nil {
		e, ok := env.Find(name)
		return e.Value, ok && !e.Cleared
	}
	return "", false
}

// Loop goes over all sessions, the session's windows or the window's panes.
func (v *Variables) Loop(k format.Kind, f func(item format.Lookup, current bool) bool) bool {
	for _, t := range v.items(k) {
		item := &Variables{host: v.host, model: v.model, target: t, client: v.client, mouse: v.mouse, server: v.server, job: v.job, drawn: v.drawn}
		current := false
		switch k {
		case format.Sessions:
			current = t.Session == v.target.Session
		case format.Windows:
			current = item.isCurrent()
		case format.Panes:
			current = t.Window.Active == t.Pane.ID
		}
		if !f(item, current) {
			break
		}
	}
	return true
}

// items lists the places a loop goes over.
func (v *Variables) items(k format.Kind) []Target {
	f := &finder{host: v.host, model: v.model}
	var list []Target
	switch {
	case k == format.Sessions:
		for _, s := range v.model.SortedSessions() {
			list = append(list, f.ofSession(s))
		}
	case k == format.Windows && v.target.Session != nil:
		list = f.windowsOf(v.target.Session)
	case k == format.Panes && v.target.Window != nil:
		list = f.panesOf(v.target)
	}
	return list
}

// HasName tells whether a session, or a window of the session, has a name.
func (v *Variables) HasName(k format.Kind, name string) bool {
	if k == format.Sessions {
		return v.model.SessionNamed(name) != nil
	}
	if k == format.Windows && v.target.Session != nil {
		for _, l := range v.target.Session.Links {
			if w := v.model.Windows[l.Window]; w != nil && w.Name == name {
				return true
			}
		}
	}
	return false
}

// option finds an option by its full name in the set it belongs to, a user's own in the pane's,
// window's, session's and server's sets.
func (v *Variables) option(name string) (string, bool) {
	place := OptionTarget{Scope: ScopeGlobalWindow}
	if v.target.Window != nil {
		place.Scope, place.Window = ScopeWindow, v.target.Window.ID
	}
	if v.target.Pane != nil {
		place.Scope, place.Pane = ScopePane, v.target.Pane.ID
	}
	session := OptionTarget{Scope: ScopeGlobalSession}
	if v.target.Session != nil {
		session = OptionTarget{Scope: ScopeSession, Session: v.target.Session.ID}
	}
	server := OptionTarget{Scope: ScopeServer}
	if !strings.HasPrefix(name, "@") {
		base, _, err := option.Cut(name)
		if err != nil {
			return "", false
		}
		row := option.Lookup(base) // no Find: a shortened name is none here, and most names that come by are no options
		if row == nil {
			return "", false
		}
		switch {
		case row.Scope&option.Server != 0:
			place = server
		case row.Scope&option.Session != 0:
			place = session
		}
		s, ok := v.host.OptionSet(place).Get(name)
		if row.Type == option.Flag { // in formats flags are numbers, so that they can be conditions
			s = map[bool]string{true: "1", false: "0"}[s == "on"]
		}
		return s, ok
	}
	for _, t := range [...]OptionTarget{place, session, server} {
		if s, ok := v.host.OptionSet(t).Get(name); ok {
			return s, true
		}
	}
	return "", false
}

func (v *Variables) options() *option.Set {
	if v.target.Window == nil {
		return v.host.OptionSet(OptionTarget{Scope: ScopeGlobalWindow})
	}
	return v.host.OptionSet(OptionTarget{Scope: ScopeWindow, Window: v.target.Window.ID})
}

func (v *Variables) paneFacts() *PaneFacts {
	if v.facts == nil {
		f := v.host.Facts(v.target.Pane.ID)
		v.facts = &f
	}
	return v.facts
}

func (v *Variables) processFacts() *ProcessFacts {
	if v.process == nil {
		f := v.host.Process(v.target.Pane.ID)
		v.process = &f
	}
	return v.process
}

func (v *Variables) serverInfo() *ServerInfo {
	if v.server == nil {
		s := v.host.Server()
		v.server = &s
	}
	return v.server
}

func (v *Variables) rect() layout.Rect {
	r, _ := v.model.Rect(v.target.Pane.ID)
	return r
}

// place is the pane's part of the layout, the line at the rim with it.
func (v *Variables) place() layout.Rect {
	r, _ := v.target.Window.Layout.Rect(int(v.target.Pane.ID))
	return r
}

// command is the name of the program in the foreground, or of the one that was started.
func (v *Variables) command() string {
	if v.target.Pane.Empty {
		return ""
	}
	if c := v.processFacts().Command; c != "" {
		return c
	}
	file, argv := v.target.Pane.Command()
	if len(argv) == 3 && argv[1] == "-c" {
		if words := strings.Fields(argv[2]); len(words) > 0 {
			file = words[0]
		}
	}
	return path.Base(file)
}

func (v *Variables) windowName() string {
	w := v.target.Window
	if w.Name != "" || !w.AutoName {
		return w.Name
	}
	// A new window has no name until the server has looked at its program.
	active := *v
	active.target.Pane = v.model.Panes[w.Active]
	active.facts, active.process = nil, nil
	if active.target.Pane == nil {
		return ""
	}
	return active.command()
}

// alerts are what the window has to tell in the session.
func (v *Variables) alerts() model.Alert {
	if v.target.Session == nil {
		return 0
	}
	l, _ := v.target.Session.Link(v.target.Index)
	return l.Alerts
}

func alertSigns(a model.Alert) string {
	text := ""
	for _, sign := range []struct {
		alert model.Alert
		text  string
	}{{model.AlertActivity, "#"}, {model.AlertBell, "!"}, {model.AlertSilence, "~"}} {
		if a&sign.alert != 0 {
			text += sign.text
		}
	}
	return text
}

// sessionAlerts are the indexes of the windows with alerts, each with its signs.
func (v *Variables) sessionAlerts() string {
	var all []string
	for _, l := range v.target.Session.Links {
		if l.Alerts != 0 {
			all = append(all, num(l.Index)+alertSigns(l.Alerts))
		}
	}
	return strings.Join(all, ",")
}

// windowFlags are tmux's: # ! ~ activity, a bell, silence, * current, - last, Z zoomed, M holds the marked pane.
func (v *Variables) windowFlags() string {
	var b strings.Builder
	s, w := v.target.Session, v.target.Window
	b.WriteString(alertSigns(v.alerts()))
	if s != nil && v.target.Index == s.Current {
		b.WriteByte('*')
	}
	if s != nil && len(s.Last) > 0 && s.Last[0] == v.target.Index {
		b.WriteByte('-')
	}
	if p := v.model.Panes[v.model.Marked]; p != nil && p.Window == w.ID {
		b.WriteByte('M')
	}
	if w.Zoomed {
		b.WriteByte('Z')
	}
	return b.String()
}

func (v *Variables) paneIndex() int {
	for i, id := range v.target.Window.Panes() {
		if id == v.target.Pane.ID {
			return i + v.options().Number("pane-base-index")
		}
	}
	return 0
}

// attachedClients are the names of the clients that show the session.
func (v *Variables) attachedClients() []string {
	var names []string
	for _, c := range v.host.Clients() {
		if c.Session == v.target.Session.ID {
			names = append(names, c.Name)
		}
	}
	return names
}

func flagText(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

func unix(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return strconv.FormatInt(t.Unix(), 10)
}

func num(n int) string { return strconv.Itoa(n) }

// number of the pane's mouse modes, as tmux names them.
func paneFlag(get func(*PaneFacts) bool) func(*Variables) string {
	return func(v *Variables) string { return flagText(get(v.paneFacts())) }
}

func paneNumber(get func(*PaneFacts) int) func(*Variables) string {
	return func(v *Variables) string { return num(get(v.paneFacts())) }
}

// startCommand is the command as it was given, its words quoted; "" for the shell.
func startCommand(p *model.Pane) string {
	words := make([]string, len(p.Argv))
	for i, w := range p.Argv {
		words[i] = syntax.Quote(w)
	}
	return strings.Join(words, " ")
}

// zoomedLayout is the layout of a window that shows one pane alone.
func zoomedLayout(w *model.Window) string { return layout.New(w.W, w.H, int(w.Active)).String() }

// ofMode is a variable of the mode that the pane is in, empty in others and outside of modes.
func ofMode(name string) func(v *Variables) string {
	return func(v *Variables) string {
		s, _ := v.host.ModeVariable(v.target.Pane.ID, name)
		return s
	}
}
