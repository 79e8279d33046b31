package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"stet/config/option"
	"stet/layout"
)

// Bounds of declared sessions. A window with more panes than fit a large screen is a mistake, and laying it
// out would hold up everybody.
const (
	MaxSessionFile = 256 << 10 // bytes of a file of sessions
	maxPanes       = 200       // of a window
	maxWindows     = 200       // of a session
)

// ParseSessions checks a file that holds nothing but declared sessions; path is for its errors.
func ParseSessions(text, path string) ([]Session, error) {
	tree, wrong := decode(text, path)
	if wrong != nil {
		return nil, Errors{wrong}
	}
	r := &reader{file: path, text: text}
	top := r.table("", tree)
	list := r.sessions(top.list("session"))
	top.done()
	if len(list) == 0 && len(r.errs) == 0 {
		r.errs = Errors{{File: path, Msg: "it declares no [[session]]"}}
	}
	if err := r.failed(); err != nil {
		return nil, err
	}
	return list, nil
}

// What a declared session looks like in a file.
type (
	sessionTable struct {
		Name      string            `toml:"name"`
		Dir       string            `toml:"dir,omitempty"`
		Env       map[string]string `toml:"env,omitempty"`
		Ephemeral bool              `toml:"ephemeral,omitempty"`
		Windows   []windowTable     `toml:"window,omitempty"`
	}
	windowTable struct {
		Name    string            `toml:"name,omitempty"`
		Dir     string            `toml:"dir,omitempty"`
		Env     map[string]string `toml:"env,omitempty"`
		Layout  string            `toml:"layout,omitempty"`
		Focus   bool              `toml:"focus,omitempty"`
		Restore string            `toml:"restore,omitempty"`
		Panes   []paneTable       `toml:"pane,omitempty"`
	}
	paneTable struct {
		Name    string            `toml:"name,omitempty"`
		Dir     string            `toml:"dir,omitempty"`
		Env     map[string]string `toml:"env,omitempty"`
		Split   string            `toml:"split,omitempty"`
		Size    string            `toml:"size,omitempty"`
		Command string            `toml:"command,omitempty"`
		Agent   string            `toml:"agent,omitempty"`
		Args    []string          `toml:"args,omitempty"`
		Focus   bool              `toml:"focus,omitempty"`
		Restore string            `toml:"restore,omitempty"`
	}
)

// EncodeSession writes a session as [ParseSessions] reads it.
func EncodeSession(s Session) (string, error) {
	out := sessionTable{Name: s.Name, Dir: s.Dir, Env: variables(s.Env), Ephemeral: s.Ephemeral}
	for _, w := range s.Windows {
		ws := windowTable{Name: w.Name, Dir: w.Dir, Env: variables(w.Env), Layout: w.Layout, Focus: w.Focus, Restore: w.Restore}
		for _, p := range w.Panes {
			ws.Panes = append(ws.Panes, paneTable{
				Name: p.Name, Dir: p.Dir, Env: variables(p.Env), Split: p.Split, Size: p.Size, Command: p.Command, Agent: p.Agent, Args: p.Args, Focus: p.Focus, Restore: p.Restore,
			})
		}
		out.Windows = append(out.Windows, ws)
	}
	var b strings.Builder
	e := toml.NewEncoder(&b)
	e.Indent = ""
	err := e.Encode(struct {
		Session []sessionTable `toml:"session"`
	}{[]sessionTable{out}})
	return b.String(), err
}

func variables(env []string) map[string]string {
	m := make(map[string]string, len(env))
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		m[name] = value
	}
	return m
}

// sessions reads [[session]].
func (r *reader) sessions(list []*table) []Session {
	var out []Session
	seen := make(map[string]bool)
	for _, t := range list {
		s := Session{Name: t.text("name"), Dir: t.text("dir"), Env: r.environment(t), Ephemeral: t.flag("ephemeral"), Place: r.origin(t.at)}
		focus := 0
		if n := len(t.list("window")); n > maxWindows {
			r.errorf(t.at.key("window"), "%d windows in one session are too many: %d at most", n, maxWindows)
			continue
		}
		for _, w := range t.list("window") {
			s.Windows = append(s.Windows, r.window(w, &focus))
		}
		t.done()
		switch {
		case s.Name == "":
			r.errorf(t.at, "a session needs a name")
		case strings.ContainsAny(s.Name, ":."):
			r.errorf(t.at.key("name"), "the name of a session must not contain \":\" or \".\", which targets are written with")
		case seen[s.Name]:
			r.errorf(t.at.key("name"), "there are two sessions named %q", s.Name)
		}
		seen[s.Name] = true
		out = append(out, s)
	}
	return out
}

// environment reads env, a table of NAME = "value".
func (r *reader) environment(t *table) []string {
	in := t.sub("env")
	var out []string
	for _, name := range in.sorted() {
		v, ok := scalar(in.m[name])
		_, isBool := in.m[name].(bool)
		switch {
		case !ok, isBool: // it would become "on", which no program expects
			in.wrong(name, "a string or a number", in.m[name])
		case strings.ContainsAny(name, "=\x00") || strings.Contains(v, "\x00"):
			r.errorf(in.at.key(name), "%q cannot be a variable of the environment", name)
		default:
			out = append(out, name+"="+v)
		}
	}
	return out
}

// window reads one of [[session.window]]; focus counts those with the focus.
func (r *reader) window(t *table, focus *int) Window {
	w := Window{Name: t.text("name"), Dir: t.text("dir"), Env: r.environment(t), Layout: t.text("layout"), Focus: t.flag("focus"), Restore: r.policy(t)}
	r.focus(t, w.Focus, focus, "window")
	panes := 0
	if n := len(t.list("pane")); n > maxPanes {
		r.errorf(t.at.key("pane"), "%d panes in one window are too many: %d at most", n, maxPanes)
		return w
	}
	for i, p := range t.list("pane") {
		w.Panes = append(w.Panes, r.pane(p, i == 0, &panes))
	}
	t.done()
	if w.Layout != "" {
		if err := fits(w); err != nil {
			r.errorf(t.at.key("layout"), "%v", err)
		}
	}
	return w
}

// policy reads what a restore does with commands.
func (r *reader) policy(t *table) string {
	v := t.text("restore")
	if v == "" {
		return ""
	}
	if err := option.CheckPolicy(v); err != nil {
		r.errorf(t.at.key("restore"), "%v", err)
		return ""
	}
	return v
}

// fits tells what is wrong with a window's layout.
func fits(w Window) error {
	_, unknown := layout.PresetName(w.Layout)
	if unknown == nil {
		return nil
	}
	tree, err := layout.Parse(w.Layout, nil)
	panes := max(len(w.Panes), 1)
	switch {
	case err != nil && !strings.Contains(w.Layout, ","):
		return unknown
	case err != nil:
		return err
	case len(tree.Panes()) < panes:
		return fmt.Errorf("the layout has room for %d of the window's %d panes", len(tree.Panes()), panes)
	}
	return nil
}

func (r *reader) focus(t *table, has bool, count *int, what string) {
	if !has {
		return
	}
	if *count++; *count > 1 {
		r.errorf(t.at.key("focus"), "another %s has the focus already", what)
	}
}

func (r *reader) pane(t *table, first bool, focus *int) Pane {
	p := Pane{Name: t.text("name"), Dir: t.text("dir"), Env: r.environment(t), Command: t.text("command"), Agent: t.text("agent"), Focus: t.flag("focus"), Restore: r.policy(t)}
	p.Args = t.words("args")
	switch {
	case p.Agent != "" && p.Command != "":
		r.errorf(t.at.key("agent"), "a pane has a command or an agent, not both")
	case p.Agent == "" && len(p.Args) > 0:
		r.errorf(t.at.key("args"), "args are those of an agent; a command has its own")
	}
	r.focus(t, p.Focus, focus, "pane")
	p.Split = t.text("split")
	switch p.Split {
	case "", "right", "below", "left", "above":
	default:
		r.errorf(t.at.key("split"), "unknown split %q: use right, below, left or above", p.Split)
	}
	switch v := t.get("size").(type) {
	case nil:
	case string:
		p.Size = v
	case int64:
		p.Size = strconv.FormatInt(v, 10)
	default:
		t.wrong("size", "a number of cells or a share such as \"30%\"", v)
	}
	if p.Size != "" && !validSize(p.Size) {
		r.errorf(t.at.key("size"), "size %q is neither a number of cells nor a share such as \"30%%\"", p.Size)
	}
	t.done()
	if first && (p.Split != "" || p.Size != "") {
		r.errorf(t.at, "the first pane of a window takes all of it: it has no split and no size")
	}
	if !first && p.Split == "" {
		p.Split = "below"
	}
	return p
}

func validSize(s string) bool {
	digits, share := strings.CutSuffix(s, "%")
	n, err := strconv.Atoi(digits)
	return err == nil && n >= 1 && n <= layout.MaxSize && (!share || n <= 99)
}
