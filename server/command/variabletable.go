package command

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"stet/server/model"
)

// variables is the table, in the order of names. Names and meanings are tmux's; those beginning with
// stet_ are our own.
var variables = sync.OnceValue(func() []variable {
	return []variable{
		{"active_window_index", session, func(v *Variables) string { return num(v.target.Session.Current) }},
		{"agent_name", pane, func(v *Variables) string { return v.agent(func(a *model.Agent) string { return a.Name }) }},
		{"agent_status", pane, func(v *Variables) string { return statusText(v.target.Pane.Agent) }},
		{"agent_status_age", pane, func(v *Variables) string {
			return v.agent(func(a *model.Agent) string { return statusAge(a, v.host.Now()) })
		}},
		{"agent_status_source", pane, func(v *Variables) string {
			return v.agent(func(a *model.Agent) string { return string(a.Status.Source) })
		}},
		{"agent_symbol", pane, func(v *Variables) string { return v.symbol(v.target.Pane.Agent) }},
		{"alternate_on", pane, paneFlag(func(f *PaneFacts) bool { return f.AlternateOn })},
		{"alternate_saved_x", pane, paneNumber(func(f *PaneFacts) int { return f.AlternateSavedX })},
		{"alternate_saved_y", pane, paneNumber(func(f *PaneFacts) int { return f.AlternateSavedY })},
		{"buffer_created", paste, func(v *Variables) string { return unix(v.buffer.Created) }},
		{"buffer_name", paste, func(v *Variables) string { return v.buffer.Name }},
		{"buffer_sample", paste, func(v *Variables) string { return v.buffer.Sample() }},
		{"buffer_size", paste, func(v *Variables) string { return num(len(v.buffer.Data)) }},
		{"client_activity", client, func(v *Variables) string { return unix(v.client.Activity) }},
		{"client_cell_height", client, func(v *Variables) string { return num(v.client.CellH) }},
		{"client_cell_width", client, func(v *Variables) string { return num(v.client.CellW) }},
		{"client_control_mode", client, func(v *Variables) string { return "0" }}, // there is none
		{"client_created", client, func(v *Variables) string { return unix(v.client.Created) }},
		{"client_discarded", client, func(v *Variables) string { return num(int(v.client.Discarded)) }},
		{"client_flags", client, clientFlags},
		{"client_height", client, func(v *Variables) string { return num(v.client.H) }},
		{"client_key_table", client, func(v *Variables) string { return v.client.KeyTable }},
		{"client_last_session", client, func(v *Variables) string { return sessionName(v, v.client.LastSession) }},
		{"client_name", client, func(v *Variables) string { return v.client.Name }},
		{"client_pid", client, func(v *Variables) string { return num(v.client.Pid) }},
		{"client_prefix", client, func(v *Variables) string { return flagText(v.client.Prefix) }},
		{"client_readonly", client, func(v *Variables) string { return flagText(v.client.ReadOnly) }},
		{"client_session", client, func(v *Variables) string { return sessionName(v, v.client.Session) }},
		{"client_termfeatures", client, func(v *Variables) string { return v.client.Features }},
		{"client_termname", client, func(v *Variables) string { return v.client.Term }},
		{"client_termtype", client, func(v *Variables) string { return v.client.TermType }},
		{"client_tty", client, func(v *Variables) string { return v.client.TTY }},
		{"client_uid", client, func(v *Variables) string { return num(v.client.Uid) }},
		{"client_user", client, func(v *Variables) string { return v.client.User }},
		{"client_utf8", client, func(v *Variables) string { return "1" }}, // a client always speaks UTF-8
		{"client_width", client, func(v *Variables) string { return num(v.client.W) }},
		{"client_written", client, func(v *Variables) string { return num(int(v.client.Written)) }},
		{"command", always, func(v *Variables) string { return v.running }},
		{"config_files", always, func(v *Variables) string { return strings.Join(v.serverInfo().Files, ",") }},
		{"cursor_character", pane, func(v *Variables) string { return v.paneFacts().CursorCharacter }},
		{"cursor_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.CursorVisible })},
		{"cursor_x", pane, paneNumber(func(f *PaneFacts) int { return f.CursorX })},
		{"cursor_y", pane, paneNumber(func(f *PaneFacts) int { return f.CursorY })},
		{"history_bytes", pane, func(v *Variables) string { return num(int(v.paneFacts().HistoryBytes)) }},
		{"history_limit", pane, paneNumber(func(f *PaneFacts) int { return f.HistoryLimit })},
		{"history_size", pane, paneNumber(func(f *PaneFacts) int { return f.HistorySize })},
		{"host", always, func(v *Variables) string { return v.serverInfo().Host }},
		{"host_short", always, func(v *Variables) string {
			name, _, _ := strings.Cut(v.serverInfo().Host, ".")
			return name
		}},
		{"insert_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.Insert })},
		{"keypad_cursor_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.KeypadCursor })},
		{"keypad_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.Keypad })},
		{"last_window_index", session, func(v *Variables) string {
			return num(v.target.Session.Links[len(v.target.Session.Links)-1].Index)
		}},
		{"mouse_all_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.MouseAll })},
		{"mouse_any_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.MouseAny })},
		{"mouse_button_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.MouseButton })},
		{"mouse_hyperlink", mouse, func(v *Variables) string { return v.mouse.Spot.Link }},
		{"mouse_line", mouse, func(v *Variables) string { return v.mouse.Spot.Line }},
		{"mouse_sgr_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.MouseSGR })},
		{"mouse_standard_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.MouseStandard })},
		{"mouse_status_line", mouse, func(v *Variables) string {
			if v.mouse.StatusLine == 0 {
				return ""
			}
			return num(v.mouse.StatusLine - 1)
		}},
		{"mouse_status_range", mouse, func(v *Variables) string { return statusRange(v.mouse.Range) }},
		{"mouse_utf8_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.MouseUTF8 })},
		{"mouse_word", mouse, func(v *Variables) string { return v.mouse.Spot.Word }},
		{"mouse_x", mouse, mouseX},
		{"mouse_y", mouse, mouseY},
		{"next_session_id", always, func(v *Variables) string { return v.model.NextSession.String() }},
		{"origin_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.Origin })},
		{"pane_active", pane, func(v *Variables) string { return flagText(v.target.Window.Active == v.target.Pane.ID) }},
		{"pane_agent", pane, func(v *Variables) string { return v.agent(func(a *model.Agent) string { return a.Name }) }},
		{"pane_agent_conversation", pane, func(v *Variables) string { return v.agent(func(a *model.Agent) string { return a.Conversation }) }},
		{"pane_agent_reason", pane, func(v *Variables) string { return v.agent(func(a *model.Agent) string { return a.Why }) }},
		{"pane_agent_state", pane, func(v *Variables) string { return v.agent(func(a *model.Agent) string { return string(a.State) }) }},
		{"pane_at_bottom", pane, func(v *Variables) string {
			_, h := v.target.Window.Layout.Size()
			return flagText(v.zoomed() || v.place().Y+v.place().H >= h)
		}},
		{"pane_at_left", pane, func(v *Variables) string { return flagText(v.rect().X == 0) }},
		{"pane_at_right", pane, func(v *Variables) string {
			w, _ := v.target.Window.Layout.Size()
			return flagText(v.zoomed() || v.rect().X+v.rect().W >= w)
		}},
		{"pane_at_top", pane, func(v *Variables) string { return flagText(v.zoomed() || v.place().Y == 0) }},
		{"pane_bg", pane, func(v *Variables) string { _, bg := v.host.PaneColours(v.target.Pane.ID); return bg.String() }},
		{"pane_bottom", pane, func(v *Variables) string { return num(v.rect().Y + v.rect().H - 1) }},
		{"pane_branch", pane, func(v *Variables) string { return v.paneFacts().Branch }},
		{"pane_command", pane, func(v *Variables) string { return commandText(v.paneFacts().Running) }},
		{"pane_command_running", pane, paneFlag(func(f *PaneFacts) bool { return f.Running.Known })},
		{"pane_command_started", pane, func(v *Variables) string {
			if t := v.paneFacts().RunningSince; !t.IsZero() {
				return num(int(t.Unix()))
			}
			return ""
		}},
		{"pane_current_command", pane, (*Variables).command},
		{"pane_current_path", pane, currentPath},
		{"pane_dead", pane, func(v *Variables) string { return flagText(v.target.Pane.Ended()) }},
		{"pane_dead_signal", pane, func(v *Variables) string { return deadNumber(v.target.Pane, v.target.Pane.Signal, true) }},
		{"pane_dead_status", pane, func(v *Variables) string { return deadNumber(v.target.Pane, v.target.Pane.Status, false) }},
		{"pane_dead_time", pane, func(v *Variables) string { return unix(v.target.Pane.ExitedAt) }},
		{"pane_fg", pane, func(v *Variables) string { fg, _ := v.host.PaneColours(v.target.Pane.ID); return fg.String() }},
		{"pane_format", always, func(v *Variables) string { return flagText(v.target.Pane != nil) }},
		{"pane_height", pane, func(v *Variables) string { return num(v.rect().H) }},
		{"pane_id", pane, func(v *Variables) string { return v.target.Pane.ID.String() }},
		{"pane_in_mode", pane, func(v *Variables) string { return flagText(v.paneFacts().Mode != "") }},
		{"pane_index", pane, func(v *Variables) string { return num(v.paneIndex()) }},
		{"pane_input_off", pane, func(v *Variables) string { return flagText(v.target.Pane.InputOff) }},
		{"pane_last", pane, func(v *Variables) string {
			last, ok := v.target.Window.LastPane()
			return flagText(ok && last == v.target.Pane.ID)
		}},
		{"pane_last_command", pane, func(v *Variables) string { return commandText(v.paneFacts().Last) }},
		{"pane_last_duration", pane, func(v *Variables) string {
			if c := v.paneFacts().Last; c.Timed {
				return num(int(c.Took.Milliseconds()))
			}
			return ""
		}},
		{"pane_last_status", pane, func(v *Variables) string {
			if c := v.paneFacts().Last; c.Known && c.Status >= 0 {
				return num(c.Status)
			}
			return ""
		}},
		{"pane_left", pane, func(v *Variables) string { return num(v.rect().X) }},
		{"pane_marked", pane, func(v *Variables) string { return flagText(v.model.Marked == v.target.Pane.ID) }},
		{"pane_marked_set", always, func(v *Variables) string { return flagText(v.model.Marked >= 0) }},
		{"pane_mode", pane, func(v *Variables) string { return v.paneFacts().Mode }},
		{"pane_output", pane, func(v *Variables) string { return strconv.FormatUint(v.unread().Number, 10) }},
		{"pane_path", pane, func(v *Variables) string { return v.paneFacts().Path }},
		{"pane_pid", pane, paneNumber(func(f *PaneFacts) int { return f.Pid })},
		{"pane_pipe", pane, func(v *Variables) string { return flagText(v.target.Pane.Piped != "") }},
		{"pane_right", pane, func(v *Variables) string { return num(v.rect().X + v.rect().W - 1) }},
		{"pane_start_command", pane, func(v *Variables) string { return startCommand(v.target.Pane) }},
		{"pane_start_path", pane, func(v *Variables) string { return v.target.Pane.Cwd }},
		{"pane_synchronized", pane, func(v *Variables) string { return flagText(v.options().Flag("synchronize-panes")) }},
		{"pane_tabs", pane, paneTabs},
		{"pane_title", pane, paneTitle},
		{"pane_top", pane, func(v *Variables) string { return num(v.rect().Y) }},
		{"pane_tty", pane, func(v *Variables) string { return v.paneFacts().TTY }},
		{"pane_unread", pane, func(v *Variables) string { return flagText(v.unread().Is()) }},
		{"pane_waiting", pane, func(v *Variables) string { return v.waiting(func(w *model.Wait) string { return string(w.For) }) }},
		{"pane_waiting_path", pane, func(v *Variables) string { return v.waiting(func(w *model.Wait) string { return w.Dir }) }},
		{"pane_width", pane, func(v *Variables) string { return num(v.rect().W) }},
		{"pid", always, func(v *Variables) string { return num(v.serverInfo().Pid) }},
		{"scroll_position", pane, ofMode("scroll_position")},
		{"scroll_region_lower", pane, paneNumber(func(f *PaneFacts) int { return f.ScrollLower })},
		{"scroll_region_upper", pane, paneNumber(func(f *PaneFacts) int { return f.ScrollUpper })},
		{"server_sessions", always, func(v *Variables) string { return num(len(v.model.Sessions)) }},
		{"session_activity", session, func(v *Variables) string { return unix(v.target.Session.Activity) }},
		{"session_agent_status", session, func(v *Variables) string { return statusText(v.sessionAgent()) }},
		{"session_agent_symbol", session, func(v *Variables) string { return v.symbol(v.sessionAgent()) }},
		{"session_alerts", session, (*Variables).sessionAlerts},
		{"session_attached", session, func(v *Variables) string { return num(v.target.Session.Attached) }},
		{"session_attached_list", session, func(v *Variables) string { return strings.Join(v.attachedClients(), ",") }},
		{"session_created", session, func(v *Variables) string { return unix(v.target.Session.Created) }},
		{"session_ephemeral", session, func(v *Variables) string { return flagText(v.target.Session.Ephemeral) }},
		{"session_format", always, func(v *Variables) string {
			return flagText(v.target.Session != nil && v.target.Window == nil)
		}},
		{"session_group", session, func(v *Variables) string { return v.target.Session.Group }},
		{"session_group_attached", session, func(v *Variables) string {
			if v.target.Session.Group == "" {
				return ""
			}
			return num(len(v.groupClients()))
		}},
		{"session_group_attached_list", session, func(v *Variables) string { return strings.Join(v.groupClients(), ",") }},
		{"session_group_list", session, func(v *Variables) string { return strings.Join(v.groupNames(), ",") }},
		{"session_group_many_attached", session, func(v *Variables) string { return flagText(len(v.groupClients()) > 1) }},
		{"session_group_size", session, func(v *Variables) string {
			if v.target.Session.Group == "" {
				return ""
			}
			return num(len(v.groupNames()))
		}},
		{"session_grouped", session, func(v *Variables) string { return flagText(v.target.Session.Group != "") }},
		{"session_id", session, func(v *Variables) string { return v.target.Session.ID.String() }},
		{"session_last_attached", session, func(v *Variables) string { return unix(v.target.Session.LastAttached) }},
		{"session_many_attached", session, func(v *Variables) string { return flagText(v.target.Session.Attached > 1) }},
		{"session_marked", session, func(v *Variables) string {
			p := v.model.Panes[v.model.Marked]
			if p == nil {
				return "0"
			}
			_, ok := v.target.Session.LinkOf(p.Window)
			return flagText(ok)
		}},
		{"session_name", session, func(v *Variables) string { return v.target.Session.Name }},
		{"session_path", session, func(v *Variables) string { return v.target.Session.Cwd }},
		{"session_stack", session, sessionStack},
		{"session_unread", session, func(v *Variables) string { return v.countUnread(v.sessionPanes()) }},
		{"session_windows", session, func(v *Variables) string { return num(len(v.target.Session.Links)) }},
		{"socket_path", always, func(v *Variables) string { return v.serverInfo().Socket }},
		{"start_time", always, func(v *Variables) string { return unix(v.serverInfo().Started) }},
		{"stet_restored", pane, func(v *Variables) string { return v.target.Pane.Restored.State }},
		{"stet_saved", always, func(v *Variables) string { return saveWord(v.host.Save()) }},
		{"stet_saved_generation", always, func(v *Variables) string { return num(int(v.host.Save().Generation)) }},
		{"stet_saved_time", always, func(v *Variables) string { return savedClock(v.host.Save()) }},
		{"stet_version", always, func(v *Variables) string { return v.serverInfo().Version }},
		{"uid", always, func(v *Variables) string { return num(v.serverInfo().Uid) }},
		{"user", always, func(v *Variables) string { return v.serverInfo().User }},
		{"version", always, func(v *Variables) string { return v.serverInfo().Version }},
		{"window_active", window, func(v *Variables) string { return flagText(v.isCurrent()) }},
		{"window_active_clients", window, func(v *Variables) string { return num(len(v.windowClients())) }},
		{"window_active_clients_list", window, func(v *Variables) string { return strings.Join(v.windowClients(), ",") }},
		{"window_active_sessions", window, func(v *Variables) string { return num(len(v.activeSessions())) }},
		{"window_active_sessions_list", window, func(v *Variables) string { return strings.Join(v.activeSessions(), ",") }},
		{"window_activity", window, func(v *Variables) string { return unix(v.target.Window.Activity) }},
		{"window_activity_flag", window, alertFlag(model.AlertActivity)},
		{"window_agent_status", window, func(v *Variables) string { return statusText(v.windowAgent()) }},
		{"window_agent_symbol", window, func(v *Variables) string { return v.symbol(v.windowAgent()) }},
		{"window_bell_flag", window, alertFlag(model.AlertBell)},
		{"window_bigger", client, func(v *Variables) string { return flagText(v.client.WindowBigger) }},
		{"window_cell_height", window, func(v *Variables) string { _, h := windowCells(v); return num(h) }},
		{"window_cell_width", window, func(v *Variables) string { w, _ := windowCells(v); return num(w) }},
		{"window_end_flag", window, func(v *Variables) string {
			links := v.target.Session.Links
			return flagText(links[len(links)-1].Index == v.target.Index)
		}},
		{"window_flags", window, func(v *Variables) string { return strings.ReplaceAll(v.windowFlags(), "#", "##") }},
		{"window_format", always, func(v *Variables) string { return flagText(v.target.Window != nil && v.target.Pane == nil) }},
		{"window_height", window, func(v *Variables) string { return num(v.target.Window.H) }},
		{"window_id", window, func(v *Variables) string { return v.target.Window.ID.String() }},
		{"window_index", window, func(v *Variables) string { return num(v.target.Index) }},
		{"window_last_flag", window, func(v *Variables) string {
			s := v.target.Session
			return flagText(len(s.Last) > 0 && s.Last[0] == v.target.Index)
		}},
		{"window_layout", window, func(v *Variables) string { return v.target.Window.Layout.String() }},
		{"window_linked", window, func(v *Variables) string {
			places := 1 // a group counts as one session
			if s := v.target.Session; s != nil && s.Group != "" {
				places = len(v.groupNames())
			}
			return flagText(len(v.model.LinksOf(v.target.Window.ID)) > places)
		}},
		{"window_linked_sessions", window, func(v *Variables) string { return num(len(v.linkedSessions())) }},
		{"window_linked_sessions_list", window, func(v *Variables) string { return strings.Join(v.linkedSessions(), ",") }},
		{"window_marked_flag", window, func(v *Variables) string { return flagText(strings.Contains(v.windowFlags(), "M")) }},
		{"window_name", window, (*Variables).windowName},
		{"window_offset_x", client, func(v *Variables) string { return viewNumber(v, v.client.ViewX) }},
		{"window_offset_y", client, func(v *Variables) string { return viewNumber(v, v.client.ViewY) }},
		{"window_panes", window, func(v *Variables) string { return num(v.target.Window.Layout.Len()) }},
		{"window_raw_flags", window, (*Variables).windowFlags},
		{"window_silence_flag", window, alertFlag(model.AlertSilence)},
		{"window_stack_index", window, stackIndex},
		{"window_start_flag", window, func(v *Variables) string {
			return flagText(v.target.Session.Links[0].Index == v.target.Index)
		}},
		{"window_unread", window, func(v *Variables) string { return v.countUnread(v.target.Window.Panes()) }},
		{"window_visible_layout", window, visibleLayout},
		{"window_width", window, func(v *Variables) string { return num(v.target.Window.W) }},
		{"window_zoomed_flag", window, func(v *Variables) string { return flagText(v.target.Window.Zoomed) }},
		{"wrap_flag", pane, paneFlag(func(f *PaneFacts) bool { return f.Wrap })},
	}
})

// groupNames are the sessions of the session's group by name.
func (v *Variables) groupNames() []string {
	var names []string
	for _, s := range v.model.SortedSessions() {
		if g := v.target.Session.Group; g != "" && s.Group == g {
			names = append(names, s.Name)
		}
	}
	return names
}

// groupClients are the names of the clients that show a session of the group.
func (v *Variables) groupClients() []string {
	var names []string
	for _, c := range v.host.Clients() {
		if s, g := v.model.Sessions[c.Session], v.target.Session.Group; s != nil && g != "" && s.Group == g {
			names = append(names, c.Name)
		}
	}
	return names
}

func alertFlag(a model.Alert) func(*Variables) string {
	return func(v *Variables) string { return flagText(v.alerts()&a != 0) }
}

func (v *Variables) zoomed() bool {
	return v.target.Window.Zoomed && v.target.Window.Active == v.target.Pane.ID
}

func (v *Variables) isCurrent() bool {
	return v.target.Session != nil && v.target.Index == v.target.Session.Current
}

// windowClients are the clients whose current window this is.
func (v *Variables) windowClients() []string {
	var names []string
	for _, c := range v.host.Clients() {
		s := v.model.Sessions[c.Session]
		if s == nil {
			continue
		}
		if l, ok := s.Link(s.Current); ok && l.Window == v.target.Window.ID {
			names = append(names, c.Name)
		}
	}
	return names
}

// activeSessions are the sessions whose current window this is.
func (v *Variables) activeSessions() []string {
	var names []string
	for _, s := range v.model.SortedSessions() {
		if l, ok := s.Link(s.Current); ok && l.Window == v.target.Window.ID {
			names = append(names, s.Name)
		}
	}
	return names
}

// sessionStack are the session's windows, the one shown last first.
func sessionStack(v *Variables) string {
	list := []string{num(v.target.Session.Current)}
	for _, i := range v.target.Session.Last {
		list = append(list, num(i))
	}
	return strings.Join(list, ",")
}

// stackIndex is the window's place in sessionStack; 0 also for one that was never shown.
func stackIndex(v *Variables) string {
	if v.target.Session == nil {
		return ""
	}
	return num(slices.Index(v.target.Session.Last, v.target.Index) + 1)
}

func (v *Variables) linkedSessions() []string {
	var names []string
	for _, p := range v.model.LinksOf(v.target.Window.ID) {
		if name := v.model.Sessions[p.Session].Name; len(names) == 0 || names[len(names)-1] != name {
			names = append(names, name)
		}
	}
	return names
}

// visibleLayout is the layout as shown: of a zoomed window one pane.
func visibleLayout(v *Variables) string {
	w := v.target.Window
	if !w.Zoomed {
		return w.Layout.String()
	}
	return zoomedLayout(w)
}

func clientFlags(v *Variables) string {
	var flags []string
	if v.client.Attached() {
		flags = append(flags, "attached")
	}
	for _, f := range [...]struct {
		on   bool
		name string
	}{{v.client.Focused, "focused"}, {v.client.IgnoreSize, "ignore-size"}, {v.client.NoDetach, "no-detach-on-destroy"}, {v.client.ReadOnly, "read-only"}} {
		if f.on {
			flags = append(flags, f.name)
		}
	}
	flags = append(flags, "UTF-8")
	return strings.Join(flags, ",")
}

func sessionName(v *Variables, id model.SessionID) string {
	if s := v.model.Sessions[id]; s != nil {
		return s.Name
	}
	return ""
}

// currentPath is the directory of the program in the foreground: what the system says, else what the
// shell last announced, else where the pane was started.
func currentPath(v *Variables) string {
	if v.target.Pane.State == model.Dead {
		return v.target.Pane.Cwd
	}
	if p := v.processFacts().Path; p != "" {
		return p
	}
	if p := v.paneFacts().Path; p != "" {
		return p
	}
	return v.target.Pane.Cwd
}

// paneTitle is the title the program has set; before, the machine's name, as in tmux.
func paneTitle(v *Variables) string {
	if t := v.paneFacts().Title; t != "" {
		return t
	}
	if t := v.target.Pane.Title; t != "" {
		return t
	}
	return v.serverInfo().Host
}

// paneTabs are the columns with a tab stop.
func paneTabs(v *Variables) string {
	var list []string
	for i, w := range v.paneFacts().Tabs {
		for ; w != 0; w &= w - 1 {
			list = append(list, num(64*i+bits.TrailingZeros64(w)))
		}
	}
	return strings.Join(list, ",")
}

// windowCells is the size of a cell in pixels at the client used last of those that show the window; 0 where
// nobody shows it, or none knows.
func windowCells(v *Variables) (w, h int) {
	var last time.Time
	for _, c := range v.host.Clients() {
		s := v.model.Sessions[c.Session]
		if s == nil || c.CellW == 0 || c.Activity.Before(last) {
			continue
		}
		if l, ok := s.Link(s.Current); ok && l.Window == v.target.Window.ID {
			w, h, last = c.CellW, c.CellH, c.Activity
		}
	}
	return w, h
}

// deadNumber is the exit status of a dead pane, or the signal that ended it, and empty for the other.
func deadNumber(p *model.Pane, n int, signal bool) string {
	if p.State != model.Dead || p.Empty || signal != (p.Signal != 0) {
		return ""
	}
	return num(n)
}

func saveWord(s SaveInfo) string {
	switch {
	case s.Off:
		return "off"
	case s.Pending:
		return "pending"
	case s.Changed:
		return "changed"
	}
	return "saved"
}

// viewNumber is a part of the place that a client sees of a larger window; "" of one that fits.
func viewNumber(v *Variables, n int) string {
	if !v.client.WindowBigger {
		return ""
	}
	return num(n)
}

// statusRange is the kind of a range, or the name of a user's own.
func statusRange(text string) string {
	kind, name, _ := strings.Cut(text, "|")
	if kind == "user" {
		return name
	}
	return kind
}

// mouseX is the column of the pane that the mouse is over, or of the status line.
func mouseX(v *Variables) string {
	switch {
	case v.mouse.StatusLine > 0:
		return num(v.mouse.ScreenX)
	case v.mouse.Pane >= 0:
		return num(v.mouse.PaneX)
	}
	return num(v.mouse.X)
}

// mouseY is the row of the pane that the mouse is over, or the status line's number.
func mouseY(v *Variables) string {
	switch {
	case v.mouse.StatusLine > 0:
		return num(v.mouse.StatusLine - 1)
	case v.mouse.Pane >= 0:
		return num(v.mouse.PaneY)
	}
	return num(v.mouse.Y)
}

// savedClock is when the last save was, in hours and minutes; "" while there is none, or it is not the last word.
func savedClock(s SaveInfo) string {
	if s.SavedAt.IsZero() || s.Off || s.Pending {
		return ""
	}
	return s.SavedAt.Local().Format("15:04")
}

// commandText is a command in one line.
func commandText(c CommandFacts) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(c.Text)
}
