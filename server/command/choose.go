package command

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stet/config/format"
	"stet/config/style"
	"stet/server/mode/tree"
	"stet/server/model"
	"stet/vt"
)

func chooseCommands() []Command {
	return []Command{
		{
			Name: "choose-tree", Flags: "F:f:GK:NO:rst:wZ", Min: 0, Max: 1,
			Usage: "[-GNrswZ] [-F format] [-f filter] [-K key-format] [-O sort-order] [-t target-pane] [template]",
			Help:  "Choose a session, window or pane from a tree with previews; -s and -w begin with sessions or windows closed, -G shows all sessions of a group instead of one.", Target: PaneTarget, Exec: chooseTree,
		},
		{
			Name: "choose-client", Flags: "F:f:K:NO:rt:Z", Min: 0, Max: 1,
			Usage: "[-NrZ] [-F format] [-f filter] [-K key-format] [-O sort-order] [-t target-pane] [template]",
			Help:  "Choose a client from a list, to detach it or something else.", Target: PaneTarget, Exec: chooseClient,
		},
		{
			Name: "choose-buffer", Flags: "F:f:K:NO:rt:Z", Min: 0, Max: 1,
			Usage: "[-NrZ] [-F format] [-f filter] [-K key-format] [-O sort-order] [-t target-pane] [template]",
			Help:  "Choose a paste buffer from a list, to paste it or something else.", Target: PaneTarget, Exec: chooseBuffer,
		},
	}
}

// The texts of lines, as in tmux.
const (
	treeText = `#{?pane_format,#{?pane_marked,#[reverse],}#{pane_current_command}#{?pane_active,*,}#{?pane_marked,M,}` +
		`#{?agent_status, #{agent_symbol} #{agent_name} #{agent_status},}#{?pane_unread, (unread),}` +
		`#{?#{&&:#{pane_title},#{!=:#{pane_title},#{host_short}}},: "#{pane_title}",},` +
		`#{?window_format,#{?window_marked_flag,#[reverse],}#{window_name}#{window_flags}` +
		`#{?window_agent_status, #{window_agent_symbol} #{window_agent_status},}#{?#{!=:#{window_unread},0}, (#{window_unread} unread),}` +
		`#{?#{&&:#{==:#{window_panes},1},#{&&:#{pane_title},#{!=:#{pane_title},#{host_short}}}},: "#{pane_title}",},` +
		`#{session_windows} windows#{?session_grouped, (group #{session_group}),}#{?session_attached, (attached),}` +
		`#{?session_agent_status, #{session_agent_symbol} #{session_agent_status},}#{?#{!=:#{session_unread},0}, (#{session_unread} unread),}}}`
	clientText = `session #{session_name} #{client_width}x#{client_height} (#{t:client_activity})`
	bufferText = `#{t/p:buffer_created}: #{buffer_sample}`
)

// chooser is what the three lists have in common. It outlives the command: the list is made anew as
// things change.
type chooser struct {
	host   Host
	client ClientInfo
	text   string
	place  model.SessionID // of the pane that it covers
	groups bool            // every session of a group is an item
}

// enter shows the list over the target pane.
func (c *Context) enter(text string, sorts []string, cfg tree.Config, list func(*chooser, tree.Query) []*tree.Item) error {
	a := c.Args
	ch := &chooser{c.Host, c.clientFor(c.Target), withDefault(a.Get("F"), text), c.Target.Session.ID, a.Has("G")}
	cfg.Sorts, cfg.Query = sorts, tree.Query{Reverse: a.Has("r"), Filter: a.Get("f")}
	if len(sorts) > 0 {
		cfg.Query.Sort = sorts[0]
	}
	if o := a.Get("O"); o != "" {
		if !slices.Contains(sorts, o) {
			return fmt.Errorf("unknown sort order: %s (there are: %s)", o, strings.Join(sorts, ", "))
		}
		cfg.Query.Sort = o
	}
	cfg.NoPreview = a.Has("N")
	cfg.Template = withDefault(a.Word(0).Text, cfg.Template)
	cfg.List = func(q tree.Query) ([]*tree.Item, bool) {
		items := list(ch, q)
		if len(items) == 0 && q.Filter != "" {
			q.Filter = ""
			return list(ch, q), true
		}
		return items, false
	}
	if k := a.Get("K"); k != "" {
		cfg.Keys = func(n int) string {
			return ch.expand(k, Target{}, map[string]string{"line": strconv.Itoa(n)})
		}
	}
	cfg.Selected = c.modeStyle("mode-style")
	cfg.Border = c.modeStyle("pane-border-style")
	if items, _ := cfg.List(cfg.Query); len(items) == 0 {
		return errorString("there is nothing to choose from")
	}
	if w := c.Target.Window; a.Has("Z") && !w.Zoomed && len(w.Panes()) > 1 {
		if _, err := c.Model.SelectPane(c.Target.Pane.ID, false); err != nil {
			return err
		}
		if err := c.Model.Zoom(w.ID, true); err != nil {
			return err
		}
		cfg.Unzoom = true
	}
	c.Host.EnterMode(c.clientFor(c.Target).ID, c.Target.Pane.ID, tree.New(cfg))
	return nil
}

// modeStyle is a style option of the target window, for a mode's picture.
func (c *Context) modeStyle(name string) vt.Style {
	text := c.Expand(c.Host.OptionSet(OptionTarget{Scope: ScopeWindow, Window: c.Target.Window.ID}).String(name), c.Target)
	s, err := style.Parse(text)
	if err != nil {
		return vt.Style{Attr: vt.Reverse}
	}
	return vt.Style{FG: vt.Color(s.FG), BG: vt.Color(s.BG), UL: vt.Color(s.UL), Attr: vt.Attr(s.Attr), Under: s.Under}
}

func (ch *chooser) expand(text string, t Target, extra map[string]string) string {
	v := NewVariables(ch.host, t, ch.client)
	v.extra = extra
	return format.Expand(text, v, format.Options{Now: ch.host.Now()})
}

// label is the text of an item, whose styles are obeyed.
func (ch *chooser) label(t Target, extra map[string]string) string {
	v := NewVariables(ch.host, t, ch.client)
	v.extra = extra
	v.Drawn()
	return format.Expand(ch.text, v, format.Options{Now: ch.host.Now()})
}

// fits tells whether a filter lets something through.
func (ch *chooser) fits(filter string, t Target, extra map[string]string) bool {
	return filter == "" || format.True(ch.expand(filter, t, extra))
}

// order sorts by the comparison of an order, reversed where that is asked for; equal ones stay by name.
func order[T any](list []T, q tree.Query, by map[string]func(a, b T) int) {
	slices.SortStableFunc(list, func(a, b T) int {
		n := 0
		if f := by[q.Sort]; f != nil {
			n = f(a, b)
		}
		if n == 0 && by["name"] != nil {
			n = by["name"](a, b)
		}
		if q.Reverse {
			n = -n
		}
		return n
	})
}

func chooseTree(c *Context) error {
	cfg := tree.Config{Kind: tree.Sessions, Template: "switch-client -Zt '%%'", Collapsed: 2}
	t := c.Target
	cfg.Start = paneKey(t)
	switch {
	case c.Args.Has("s"):
		cfg.Collapsed, cfg.Start = 0, sessionKey(t.Session)
	case c.Args.Has("w"):
		cfg.Collapsed, cfg.Start = 1, windowKey(t)
	case len(t.Window.Panes()) == 1:
		cfg.Start = windowKey(t)
	}
	return c.enter(treeText, []string{"index", "name", "time"}, cfg, (*chooser).sessions)
}

func sessionKey(s *model.Session) string { return s.ID.String() }
func windowKey(t Target) string          { return fmt.Sprintf("%v:%v", t.Session.ID, t.Window.ID) }
func paneKey(t Target) string            { return fmt.Sprintf("%v:%v", t.Session.ID, t.Pane.ID) }

// sessions are the sessions with their windows and panes.
func (ch *chooser) sessions(q tree.Query) []*tree.Item {
	m := ch.host.Model()
	f := &finder{host: ch.host, model: m}
	list := m.SortedSessions()
	order(list, q, map[string]func(a, b *model.Session) int{
		"index": func(a, b *model.Session) int { return int(a.ID) - int(b.ID) },
		"name":  func(a, b *model.Session) int { return cmp.Compare(a.Name, b.Name) },
		"time":  func(a, b *model.Session) int { return b.Activity.Compare(a.Activity) },
	})
	var out []*tree.Item
	for _, s := range list {
		t := f.ofSession(s)
		if !t.Valid() || !ch.shows(s) {
			continue
		}
		i := &tree.Item{ID: sessionKey(s), Name: s.Name, Target: "=" + s.Name + ":", Pane: int(t.Pane.ID),
			Text: ch.label(t, kindOf("session"))}
		i.Do = ch.marking(t, fmt.Sprintf("kill-session -t '%v'", s.ID))
		i.Ask = map[tree.Act]string{tree.Kill: "Kill session " + s.Name + "?"}
		i.Children = ch.windows(f, s, q)
		if len(i.Children) == 0 {
			continue // a filter has left nothing of it
		}
		for _, w := range f.windowsOf(s) {
			i.Pictures = append(i.Pictures, ch.picture(w, fmt.Sprintf("%d:%s", w.Index, w.Window.Name)))
		}
		out = append(out, i)
	}
	return out
}

// marking are what can be done with a line of the tree: killing it, and marking its pane.
func (ch *chooser) marking(t Target, kill string) map[tree.Act]string {
	return map[tree.Act]string{tree.Kill: kill, tree.Mark: fmt.Sprintf("select-pane -m -t '%v'", t.Pane.ID), tree.Unmark: "select-pane -M"}
}

// shows tells whether a session is an item: of a group it is the one that the list was asked for in, else
// the first, since they have the same windows.
func (ch *chooser) shows(s *model.Session) bool {
	group := ch.host.Model().Group(s.Group)
	if ch.groups || len(group) < 2 {
		return true
	}
	for _, g := range group {
		if g.ID == ch.place {
			return s == g
		}
	}
	return s == group[0]
}

// kindOf tells a format which kind of line it is for: without that a session is a pane, too.
func kindOf(kind string) map[string]string {
	m := map[string]string{"session_format": "", "window_format": "", "pane_format": ""}
	m[kind+"_format"] = "1"
	return m
}

func (ch *chooser) picture(t Target, name string) tree.Picture {
	return tree.Picture{Name: name, Pane: int(t.Pane.ID), Image: ch.host.PanePicture(t.Pane.ID)}
}

func (ch *chooser) windows(f *finder, s *model.Session, q tree.Query) []*tree.Item {
	list := f.windowsOf(s)
	order(list, q, map[string]func(a, b Target) int{
		"index": func(a, b Target) int { return a.Index - b.Index },
		"name":  func(a, b Target) int { return cmp.Or(cmp.Compare(a.Window.Name, b.Window.Name), a.Index-b.Index) },
	})
	var out []*tree.Item
	for _, t := range list {
		i := &tree.Item{ID: windowKey(t), Name: strconv.Itoa(t.Index), Target: fmt.Sprintf("=%s:%d.", s.Name, t.Index), Pane: int(t.Pane.ID),
			Text: ch.label(t, kindOf("window"))}
		i.Do = ch.marking(t, fmt.Sprintf("kill-window -t '%v:%d'", s.ID, t.Index))
		i.Ask = map[tree.Act]string{tree.Kill: fmt.Sprintf("Kill window %d?", t.Index)}
		panes := f.panesOf(t)
		kept := 0
		for n, p := range panes {
			i.Pictures = append(i.Pictures, ch.picture(p, strconv.Itoa(n)))
			if !ch.fits(q.Filter, p, kindOf("pane")) {
				continue
			}
			if kept++; len(panes) > 1 {
				i.Children = append(i.Children, ch.paneItem(p, n))
			}
		}
		if kept > 0 {
			out = append(out, i)
		}
	}
	return out
}

func (ch *chooser) paneItem(p Target, n int) *tree.Item {
	return &tree.Item{ID: paneKey(p), Name: strconv.Itoa(n), Target: fmt.Sprintf("=%s:%d.%v", p.Session.Name, p.Index, p.Pane.ID), Pane: int(p.Pane.ID),
		Text: ch.label(p, kindOf("pane")), Pictures: []tree.Picture{ch.picture(p, "")},
		Do:  ch.marking(p, fmt.Sprintf("kill-pane -t '%v'", p.Pane.ID)),
		Ask: map[tree.Act]string{tree.Kill: fmt.Sprintf("Kill pane %d?", n)}}
}

func chooseClient(c *Context) error {
	cfg := tree.Config{Kind: tree.Clients, Template: "detach-client -t '%%'"}
	cfg.Start = c.clientFor(c.Target).Name
	return c.enter(clientText, []string{"name", "size", "creation", "activity"}, cfg, (*chooser).clients)
}

// clients are the attached clients, each with the picture of what it shows.
func (ch *chooser) clients(q tree.Query) []*tree.Item {
	list := slices.Clone(ch.host.Clients())
	order(list, q, map[string]func(a, b ClientInfo) int{
		"name":     func(a, b ClientInfo) int { return cmp.Compare(a.Name, b.Name) },
		"size":     func(a, b ClientInfo) int { return cmp.Or(a.W-b.W, a.H-b.H) },
		"creation": func(a, b ClientInfo) int { return a.Created.Compare(b.Created) },
		"activity": func(a, b ClientInfo) int { return b.Activity.Compare(a.Activity) },
	})
	f := &finder{host: ch.host, model: ch.host.Model()}
	var out []*tree.Item
	for _, in := range list {
		t := f.ofSession(ch.host.Model().Sessions[in.Session])
		own := &chooser{host: ch.host, client: in, text: ch.text}
		if !t.Valid() || !own.fits(q.Filter, t, nil) {
			continue
		}
		out = append(out, &tree.Item{ID: in.Name, Name: in.Name, Target: in.Name, Pane: -1, Text: own.label(t, nil),
			Pictures: []tree.Picture{ch.picture(t, "")},
			Do:       map[tree.Act]string{tree.Detach: "detach-client -t '" + in.Name + "'", tree.HangUp: "detach-client -P -t '" + in.Name + "'", tree.Suspend: "suspend-client -t '" + in.Name + "'"}})
	}
	return out
}

func chooseBuffer(c *Context) error {
	cfg := tree.Config{Kind: tree.Buffers, Template: "paste-buffer -p -b '%%'"}
	return c.enter(bufferText, []string{"time", "name", "size"}, cfg, (*chooser).bufferItems)
}

// maxSample bounds what is shown of a buffer.
const maxSample = 16 << 10

// bufferItems are the paste buffers with the beginning of their text.
func (ch *chooser) bufferItems(q tree.Query) []*tree.Item {
	type entry struct {
		name string
		size int
		item *tree.Item
	}
	var list []entry
	for _, b := range ch.host.Buffers().All() {
		v := NewVariables(ch.host, Target{}, ch.client)
		v.buffer = b
		expand := func(text string) string { return format.Expand(text, v, format.Options{Now: ch.host.Now()}) }
		if q.Filter != "" && !format.True(expand(q.Filter)) {
			continue
		}
		v.Drawn()
		lines := strings.Split(string(b.Data[:min(len(b.Data), maxSample)]), "\n")
		list = append(list, entry{b.Name, len(b.Data), &tree.Item{ID: b.Name, Name: b.Name, Target: b.Name, Pane: -1, Text: expand(ch.text), Lines: lines,
			Do: map[tree.Act]string{tree.Delete: quoted("delete-buffer", "-b", b.Name), tree.Paste: quoted("paste-buffer", "-p", "-b", b.Name), tree.Edit: quoted("edit-buffer", "-b", b.Name)}}})
	}
	by := map[string]func(a, b entry) int{"size": func(a, b entry) int { return b.size - a.size }}
	if q.Sort != "time" {
		by["name"] = func(a, b entry) int { return cmp.Compare(a.name, b.name) }
	}
	order(list, q, by)
	if q.Sort == "time" && q.Reverse {
		slices.Reverse(list)
	}
	var out []*tree.Item
	for _, e := range list {
		out = append(out, e.item)
	}
	return out
}
