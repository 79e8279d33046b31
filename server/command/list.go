package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stet/config/format"
	"stet/server/model"
)

func listCommands() []Command {
	return []Command{
		{
			Name: "list-sessions", Alias: "ls", Flags: "F:f:", Long: []string{"json"}, Min: 0, Max: 0,
			Usage: "[--json] [-F format] [-f filter]", Help: "List the sessions.", ReadOnly: true, Exec: listSessions,
		},
		{
			Name: "list-windows", Alias: "lsw", Flags: "aF:f:t:", Long: []string{"json"}, Min: 0, Max: 0,
			Usage: "[-a] [--json] [-F format] [-f filter] [-t target-session]", Help: "List a session's windows, -a of all sessions.",
			Target: SessionTarget, ReadOnly: true, Exec: listWindows,
		},
		{
			Name: "list-panes", Alias: "lsp", Flags: "aF:f:st:", Long: []string{"json"}, Min: 0, Max: 0,
			Usage: "[-as] [--json] [-F format] [-f filter] [-t target-window]", Help: "List a window's panes, -s of the session, -a of all.",
			Target: WindowTarget, ReadOnly: true, Exec: listPanes,
		},
		{
			Name: "list-clients", Alias: "lsc", Flags: "F:f:t:", Long: []string{"json"}, Min: 0, Max: 0,
			Usage: "[--json] [-F format] [-f filter] [-t target-session]", Help: "List the attached clients, -t of one session.",
			ReadOnly: true, Exec: listClients,
		},
		{
			Name: "list-commands", Alias: "lscm", Flags: "F:", Long: []string{"json"}, Min: 0, Max: 1,
			Usage: "[--json] [-F format] [command]", Help: "List the commands.", ReadOnly: true, Exec: listTable,
		},
		{
			Name: "display-message", Alias: "display", Flags: "ac:d:F:IlNpt:v", Min: 0, Max: 1,
			Usage: "[-aIlNpv] [-c target-client] [-d delay] [-F format] [-t target-pane] [message]",
			Help:  "Show a message to a client, or print it with -p; formats are expanded, with -l the text is shown as it is. It goes after -d milliseconds (0: with a key) or with a key, which -N ignores. -a lists all variables, -v shows how a format is expanded. -I shows the standard input in a pane that has no program (split-window '').", Target: PaneTarget,
			Options: CanFail, ClientFlag: "c", ReadOnly: true, Exec: displayMessage,
		},
	}
}

// Default formats, as in tmux.
const (
	sessionFormat = "#{session_name}: #{session_windows} windows (created #{t:session_created})" +
		"#{?session_grouped, (group #{session_group}),}#{?session_ephemeral, (ephemeral),}#{?session_attached, (attached),}"
	windowFormat = "#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) " +
		"[#{window_width}x#{window_height}] [layout #{window_layout}] #{window_id}#{?window_active, (active),}"
	windowAllFormat = "#{session_name}:#{window_index}: #{window_name}#{window_raw_flags} (#{window_panes} panes) " +
		"[#{window_width}x#{window_height}] "
	paneFormat = "[#{pane_width}x#{pane_height}] [history #{history_size}/#{history_limit}, #{history_bytes} bytes] " +
		"#{pane_id}#{?pane_active, (active),}#{?pane_dead, (dead),}"
	clientFormat = "#{client_name}: #{session_name} [#{client_width}x#{client_height} #{client_termname}] " +
		"#{?#{!=:#{client_uid},#{uid}},[user #{?client_user,#{client_user},#{client_uid},}] ,}" +
		"#{?client_flags,(,}#{client_flags}#{?client_flags,),}"
	messageFormat = "[#{session_name}] #{window_index}:#{window_name}, current pane #{pane_index} - (%H:%M %d-%b-%y)"
)

// rows prints one line for each item, or all of them as JSON. Items the filter is not true for are
// left out.
func rows[T any](c *Context, items []T, usual string, look func(T) *Variables, object func(T) any) error {
	text := withDefault(c.Args.Get("F"), usual)
	filter := c.Args.Get("f")
	objects := []any{}
	for i, item := range items {
		v := look(item)
		if v.extra == nil {
			v.extra = map[string]string{}
		}
		v.extra["line"] = strconv.Itoa(i)
		o := format.Options{Now: c.Host.Now()}
		if filter != "" && !format.True(format.Expand(filter, v, o)) {
			continue
		}
		if c.Args.Has("json") {
			objects = append(objects, object(item))
			continue
		}
		c.Print(format.Expand(text, v, o))
	}
	if c.Args.Has("json") {
		return c.printJSON(objects)
	}
	return nil
}

func (c *Context) printJSON(v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	c.Print(string(b))
	return nil
}

func (c *Context) placeVariables(t Target) *Variables { return NewVariables(c.Host, t, ClientInfo{}) }

// The shapes of --json. Fields are added, never renamed.
type (
	sessionJSON struct {
		ID       string `json:"id"`
		Name     string `json:"name"`
		Windows  int    `json:"windows"`
		Attached int    `json:"attached"`
		Created  int64  `json:"created"` // seconds since 1970
		Activity int64  `json:"activity"`
		Cwd      string `json:"cwd"`
	}
	windowJSON struct {
		ID      string `json:"id"`
		Session string `json:"session"`
		Index   int    `json:"index"`
		Name    string `json:"name"`
		Active  bool   `json:"active"`
		Zoomed  bool   `json:"zoomed"`
		Panes   int    `json:"panes"`
		Width   int    `json:"width"`
		Height  int    `json:"height"`
		Layout  string `json:"layout"`
	}
	paneJSON struct {
		ID          string `json:"id"`
		Session     string `json:"session"`
		Window      int    `json:"window"`
		Index       int    `json:"index"`
		Active      bool   `json:"active"`
		Title       string `json:"title"`
		Command     string `json:"command"`
		Path        string `json:"path"`
		Pid         int    `json:"pid"`
		TTY         string `json:"tty"`
		Left        int    `json:"left"`
		Top         int    `json:"top"`
		Width       int    `json:"width"`
		Height      int    `json:"height"`
		HistorySize int    `json:"history_size"`
		Dead        bool   `json:"dead"`
		Status      *int   `json:"status,omitempty"` // of a dead pane
		Signal      int    `json:"signal,omitempty"`
		Restored    string `json:"restored,omitempty"`
		Agent       string `json:"agent,omitempty"`
		AgentState  string `json:"agent_state,omitempty"`
	}
	clientJSON struct {
		Name     string `json:"name"`
		TTY      string `json:"tty"`
		Pid      int    `json:"pid"`
		Session  string `json:"session"`
		Width    int    `json:"width"`
		Height   int    `json:"height"`
		Term     string `json:"term"`
		ReadOnly bool   `json:"read_only"`
		Created  int64  `json:"created"`
		Activity int64  `json:"activity"`
	}
	commandJSON struct {
		Name  string `json:"name"`
		Alias string `json:"alias,omitempty"`
		Usage string `json:"usage"`
		Help  string `json:"help"`
	}
)

func listSessions(c *Context) error {
	var all []Target
	for _, s := range c.Model.SortedSessions() {
		all = append(all, c.finder().ofSession(s))
	}
	return rows(c, all, sessionFormat, c.placeVariables, func(t Target) any {
		s := t.Session
		return sessionJSON{s.ID.String(), s.Name, len(s.Links), s.Attached, s.Created.Unix(), s.Activity.Unix(), s.Cwd}
	})
}

func listWindows(c *Context) error {
	usual, sessions := windowFormat, []*model.Session{c.Target.Session}
	if c.Args.Has("a") {
		usual, sessions = windowAllFormat, c.Model.SortedSessions()
	}
	var all []Target
	for _, s := range sessions {
		all = append(all, c.finder().windowsOf(s)...)
	}
	return rows(c, all, usual, c.placeVariables, func(t Target) any {
		v, w := c.placeVariables(t), t.Window
		return windowJSON{
			ID: w.ID.String(), Session: t.Session.Name, Index: t.Index, Name: v.windowName(), Active: v.isCurrent(),
			Zoomed: w.Zoomed, Panes: w.Layout.Len(), Width: w.W, Height: w.H, Layout: w.Layout.String(),
		}
	})
}

func listPanes(c *Context) error {
	usual, windows := "#{pane_index}: "+paneFormat, []Target{c.Target}
	switch f := c.finder(); {
	case c.Args.Has("a"):
		usual, windows = "#{session_name}:#{window_index}.#{pane_index}: "+paneFormat, nil
		for _, s := range c.Model.SortedSessions() {
			windows = append(windows, f.windowsOf(s)...)
		}
	case c.Args.Has("s"):
		usual, windows = "#{window_index}.#{pane_index}: "+paneFormat, f.windowsOf(c.Target.Session)
	}
	var all []Target
	for _, w := range windows {
		all = append(all, c.finder().panesOf(w)...)
	}
	return rows(c, all, usual, c.placeVariables, func(t Target) any { return c.paneJSON(t) })
}

func (c *Context) paneJSON(t Target) paneJSON {
	v, p := c.placeVariables(t), t.Pane
	f, r := v.paneFacts(), v.rect()
	j := paneJSON{
		ID: p.ID.String(), Session: t.Session.Name, Window: t.Index, Index: v.paneIndex(), Active: t.Window.Active == p.ID,
		Title: paneTitle(v), Command: v.command(), Path: currentPath(v), Pid: f.Pid, TTY: f.TTY,
		Left: r.X, Top: r.Y, Width: r.W, Height: r.H, HistorySize: f.HistorySize,
		Dead: p.Ended(), Signal: p.Signal, Restored: p.Restored.State,
		Agent: v.agent(func(a *model.Agent) string { return a.Name }), AgentState: v.agent(func(a *model.Agent) string { return string(a.State) }),
	}
	if j.Dead {
		status := p.Status
		j.Status = &status
	}
	return j
}

func listClients(c *Context) error {
	clients := slices.Clone(c.Host.Clients())
	if name := c.Args.Get("t"); name != "" {
		t, err := c.Find(name, SessionTarget, 0)
		if err != nil {
			return err
		}
		clients = slices.DeleteFunc(clients, func(i ClientInfo) bool { return i.Session != t.Session.ID })
	}
	look := func(i ClientInfo) *Variables {
		return NewVariables(c.Host, c.finder().ofSession(c.Model.Sessions[i.Session]), i)
	}
	return rows(c, clients, clientFormat, look, func(i ClientInfo) any {
		return clientJSON{
			Name: i.Name, TTY: i.TTY, Pid: i.Pid, Session: sessionName(look(i), i.Session), Width: i.W, Height: i.H,
			Term: i.Term, ReadOnly: i.ReadOnly, Created: i.Created.Unix(), Activity: i.Activity.Unix(),
		}
	})
}

func listTable(c *Context) error {
	all := c.queue.table.All()
	if name := c.Args.Arg(0); name != "" {
		row, err := c.queue.table.Find(name)
		if err != nil {
			return err
		}
		all = []*Command{row}
	}
	usual := "#{command_list_name}#{?command_list_alias, (#{command_list_alias}),} #{command_list_usage}"
	text := withDefault(c.Args.Get("F"), usual)
	var objects []any
	for _, r := range all {
		if c.Args.Has("json") {
			objects = append(objects, commandJSON{r.Name, r.Alias, r.Usage, r.Help})
			continue
		}
		v := NewVariables(c.Host, Target{}, ClientInfo{})
		v.extra = map[string]string{
			"command_list_name": r.Name, "command_list_alias": r.Alias, "command_list_usage": r.Usage, "command_list_help": r.Help,
		}
		c.Print(strings.TrimRight(format.Expand(text, v, format.Options{Now: c.Host.Now()}), " "))
	}
	if c.Args.Has("json") {
		return c.printJSON(objects)
	}
	return nil
}

func displayMessage(c *Context) error {
	a := c.Args
	if a.Has("F") && a.Len() > 0 {
		return errorString("only one of -F or argument must be given")
	}
	if name := a.Get("t"); name != "" && !c.Target.Valid() {
		// Without a pane the message has nothing to say, so a wrong name is an error although none is not.
		_, err := c.Find(name, PaneTarget, 0)
		return err
	}
	if a.Has("I") && c.Target.Valid() {
		return c.pourInput()
	}
	delay, timed, err := a.Number("d", "delay", 0, 1<<31-1)
	if err != nil {
		return err
	}
	if a.Has("a") {
		c.printVariables()
		return nil
	}
	text := withDefault(withDefault(a.Arg(0), a.Get("F")), messageFormat)
	switch {
	case a.Has("l"):
	case a.Has("v"):
		text = c.expandTraced(text)
	default:
		text = c.ExpandTime(text, c.Target)
	}
	if a.Has("p") {
		c.Print(text)
		return nil
	}
	if !c.HasClient {
		if c.Client != 0 {
			c.Print(text) // nobody is attached who could see it
		}
		return nil
	}
	if !timed {
		delay = c.Host.OptionSet(OptionTarget{Scope: ScopeSession, Session: c.TargetClient.Session}).Number("display-time")
	}
	c.Host.ShowMessage(c.TargetClient.ID, Message{Text: text, For: milliseconds(delay), IgnoreKeys: a.Has("N")})
	return nil
}

// pourInput is display-message -I.
func (c *Context) pourInput() error {
	p := c.Target.Pane
	if !p.Empty || p.Wait != nil {
		return errorString("pane is not empty (split-window '' makes one that is)")
	}
	if !c.hasInput() {
		return nil
	}
	return c.Await(func(done func(error)) { c.Host.PourInput(c.Client, p.ID, done) })
}

// expandTraced expands a message's format and prints what became of each part.
func (c *Context) expandTraced(text string) string {
	trace := func(depth int, step string) { c.Print("# " + strings.Repeat("  ", depth-1) + step) }
	o := format.Options{Now: c.Host.Now(), Strftime: true, Trace: trace}
	return format.Expand(text, c.Variables(c.Target), o)
}

func (c *Context) printVariables() {
	v := c.Variables(c.Target)
	for _, row := range variables() {
		if v.has(row.needs) {
			c.Print(row.name + "=" + row.value(v))
		}
	}
}
