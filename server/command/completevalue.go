package command

import (
	"strconv"
	"strings"

	"stet/config/option"
	"stet/layout"
	"stet/resurrect"
	"stet/server/model"
)

// value is what a flag or an argument of a name may be.
func (co *completer) value(name, word string, p position) []Candidate {
	name = strings.TrimSuffix(name, "...")
	switch name {
	case "target-session", "src-session", "dst-session", "group-name":
		return co.sessions(word, false)
	case "target-window", "src-window", "dst-window":
		return co.places(word, false)
	case "target-pane", "src-pane", "dst-pane", "target":
		return co.places(word, true)
	case "target-client":
		return co.clients(word)
	case "buffer-name":
		return co.buffers(word)
	case "key-table", "table":
		return begins(co.host.Keys().Names(), word)
	case "layout-name":
		return begins(layout.Presets(), word)
	case "option":
		return co.options(word, p)
	case "value":
		return co.optionValues(word, p)
	case "command":
		return co.commands(word)
	case "declared-session":
		return co.declared(word)
	case "hook":
		return begins(option.Hooks(), word)
	case "agent":
		return co.agents(word)
	case "prompt-type":
		return begins(PromptTypes, word)
	}
	if strings.Contains(name, "|") {
		return begins(strings.Split(name, "|"), word)
	}
	return nil
}

func begins(names []string, word string) []Candidate {
	var list []Candidate
	for _, n := range names {
		if strings.HasPrefix(n, word) {
			list = append(list, Candidate{Text: n})
		}
	}
	return list
}

// sessions are the sessions whose names begin so, as targets with a colon where windows may follow.
func (co *completer) sessions(word string, windows bool) []Candidate {
	mark := ""
	if strings.HasPrefix(word, "=") {
		mark, word = "=", word[1:]
	}
	var list []Candidate
	for _, s := range co.host.Model().SortedSessions() {
		if !strings.HasPrefix(s.Name, word) {
			continue
		}
		c := Candidate{Text: mark + s.Name, Note: resurrect.Plural(len(s.Links), "window")}
		if windows {
			c.Text, c.More = c.Text+":", true
		}
		list = append(list, c)
	}
	return list
}

// declared are the sessions that the configuration declares.
func (co *completer) declared(word string) []Candidate {
	var list []Candidate
	for _, s := range co.host.Declared() {
		if strings.HasPrefix(s.Name, word) {
			list = append(list, Candidate{Text: s.Name, Note: resurrect.Plural(max(len(s.Windows), 1), "window")})
		}
	}
	return list
}

// agents are the coding agents that can be started.
func (co *completer) agents(word string) []Candidate {
	var list []Candidate
	for _, in := range co.host.Agents().All() {
		if strings.HasPrefix(in.ID, word) {
			list = append(list, Candidate{Text: in.ID, Note: in.Name})
		}
	}
	return list
}

// places are the sessions, the windows and, where panes are wanted, the panes that a target may name.
func (co *completer) places(word string, panes bool) []Candidate {
	session, rest, hasSession := strings.Cut(word, ":")
	s := co.session
	if hasSession && session != "" {
		s = co.host.Model().SessionNamed(strings.TrimPrefix(session, "="))
	}
	if !hasSession {
		if strings.HasPrefix(word, ".") && panes {
			rest = word
		} else {
			list := co.sessions(word, true)
			if word == "" && s != nil {
				list = append(co.windows(s, ":", "", panes), list...)
			} else if s != nil {
				list = append(list, co.windowNames(s, word)...)
			}
			return list
		}
	}
	if s == nil {
		return nil
	}
	window, pane, hasPane := strings.Cut(rest, ".")
	prefix := strings.TrimSuffix(word, rest)
	if !hasPane || !panes {
		return co.windows(s, prefix, rest, panes)
	}
	return co.panes(s, prefix+window+".", window, pane)
}

// windows are the windows of a session by index, with their names, and those whose name begins so.
func (co *completer) windows(s *model.Session, prefix, word string, panes bool) []Candidate {
	var list []Candidate
	for _, l := range s.Links {
		w := co.host.Model().Windows[l.Window]
		if index := strconv.Itoa(l.Index); strings.HasPrefix(index, word) {
			note := w.Name
			if n := len(w.Panes()); panes && n > 1 {
				note += ", " + resurrect.Plural(n, "pane")
			}
			list = append(list, Candidate{Text: prefix + index, Note: note})
		}
	}
	if len(list) > 0 || word == "" {
		return list
	}
	for _, c := range co.windowNames(s, word) {
		c.Text = prefix + c.Text
		list = append(list, c)
	}
	return list
}

func (co *completer) windowNames(s *model.Session, word string) []Candidate {
	var list []Candidate
	for _, l := range s.Links {
		if w := co.host.Model().Windows[l.Window]; strings.HasPrefix(w.Name, word) {
			list = append(list, Candidate{Text: w.Name, Note: "window " + strconv.Itoa(l.Index)})
		}
	}
	return list
}

// panes are the panes of a window by index, with what runs in them.
func (co *completer) panes(s *model.Session, prefix, window, word string) []Candidate {
	index := s.Current
	if window != "" {
		n, err := strconv.Atoi(window)
		if err != nil {
			return nil
		}
		index = n
	}
	l, ok := s.Link(index)
	if !ok {
		return nil
	}
	w := co.host.Model().Windows[l.Window]
	base := co.host.OptionSet(OptionTarget{Scope: ScopeWindow, Session: s.ID, Window: w.ID}).Number("pane-base-index")
	var list []Candidate
	for i, id := range w.Panes() {
		if n := strconv.Itoa(base + i); strings.HasPrefix(n, word) {
			note := "%" + strconv.Itoa(int(id))
			if c := co.host.Process(id).Command; c != "" {
				note += " " + c
			}
			list = append(list, Candidate{Text: prefix + n, Note: note})
		}
	}
	return list
}

func (co *completer) clients(word string) []Candidate {
	var list []Candidate
	for _, c := range co.host.Clients() {
		if s := co.host.Model().Sessions[c.Session]; s != nil && strings.HasPrefix(c.Name, word) {
			list = append(list, Candidate{Text: c.Name, Note: s.Name})
		}
	}
	return list
}

func (co *completer) buffers(word string) []Candidate {
	var list []Candidate
	for _, b := range co.host.Buffers().All() {
		if strings.HasPrefix(b.Name, word) {
			list = append(list, Candidate{Text: b.Name, Note: b.Sample()})
		}
	}
	return list
}

// options are the options that a command may set or show, with what they do.
func (co *completer) options(word string, p position) []Candidate {
	var list []Candidate
	for _, r := range option.Table() {
		if strings.HasPrefix(r.Name, word) && optionFits(&r, p) {
			list = append(list, Candidate{Text: r.Name, Note: r.Help})
		}
	}
	return list
}

func optionFits(r *option.Row, p position) bool {
	windows := option.Window | option.Pane
	switch {
	case r.Hook != (p.row.Name == "set-hook" || p.row.Name == "show-hooks" || p.given["H"]):
		return false
	case p.given["s"]:
		return r.Scope&option.Server != 0
	case p.given["p"]:
		return r.Scope&option.Pane != 0
	case p.given["w"], strings.HasSuffix(p.row.Name, "window-option"), strings.HasSuffix(p.row.Name, "window-options"):
		return r.Scope&windows != 0
	}
	return true
}

// optionValues are what the option typed before may be, with the value that it has now marked.
func (co *completer) optionValues(word string, p position) []Candidate {
	if len(p.args) == 0 {
		return nil
	}
	row, _, _, err := findOption(p.args[0])
	if err != nil || row == nil {
		return nil
	}
	values := row.Choices
	if row.Type == option.Flag {
		values = []string{"on", "off"}
	}
	scope := ScopeGlobalWindow
	switch {
	case row.Scope&option.Server != 0:
		scope = ScopeServer
	case row.Scope&option.Session != 0:
		scope = ScopeGlobalSession
	}
	now, note := co.host.OptionSet(OptionTarget{Scope: scope}).String(row.Name), "now, for everybody"
	if _, alone := co.host.(*Alone); alone {
		note = "default"
	}
	list := begins(values, word)
	for i := range list {
		switch list[i].Text {
		case now:
			list[i].Note = note
		case row.Default:
			list[i].Note = "default"
		}
	}
	if len(values) == 0 && word == "" && now != "" {
		list = append(list, Candidate{Text: now, Note: note})
	}
	return list
}
