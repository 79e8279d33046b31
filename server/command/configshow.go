package command

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"stet/config"
	"stet/config/option"
	"stet/config/style"
	"stet/config/syntax"
	"stet/server/keymap"
	"stet/vt/key"
)

// Configured is whatever has options, keys and a configuration.
type Configured interface {
	OptionSet(t OptionTarget) *option.Set
	Keys() *keymap.Tables
	Configuration() Configuration
}

// The shapes of config show --json. Fields are added, never renamed. What has no file was set by a command.
type (
	shownConfig struct {
		Path     string         `json:"path"`
		Files    []string       `json:"files"`
		Gone     bool           `json:"gone"`
		Mistakes []string       `json:"mistakes"`
		Options  []shownOption  `json:"options"`
		Keys     []shownKey     `json:"keys"`
		Themes   []shownTheme   `json:"themes"`
		Sessions []shownSession `json:"sessions"`
	}
	shownPlace struct {
		File string `json:"file,omitempty"`
		Line int    `json:"line,omitempty"`
	}
	shownOption struct {
		Name    string   `json:"name"`
		Scope   string   `json:"scope"`
		Hook    bool     `json:"hook,omitempty"`
		Value   string   `json:"value"`
		Items   []string `json:"items,omitempty"` // of a list
		Default string   `json:"default"`
		shownPlace
		section string
		list    bool
		kind    option.Type
		places  []config.Place // of a hook's items
	}
	shownKey struct {
		Table   string `json:"table"`
		Key     string `json:"key"`
		Command string `json:"command"` // "" the key is free, and is not by default
		Repeat  bool   `json:"repeat"`
		Note    string `json:"note,omitempty"`
		shownPlace
	}
	shownTheme struct {
		Name   string            `json:"name"`
		Base   string            `json:"base"`
		Colors map[string]string `json:"colors"`
		shownPlace
	}
	shownSession struct {
		Name string `json:"name"`
		shownPlace
		text string
	}
)

func showConfig(h Configured) *shownConfig {
	now := h.Configuration()
	s := &shownConfig{
		Path: now.Path, Gone: now.Gone, Mistakes: append([]string{}, now.Wrong...),
		Files: []string{}, Options: []shownOption{}, Keys: []shownKey{}, Themes: []shownTheme{}, Sessions: []shownSession{},
	}
	c := now.Config
	if c == nil {
		c = &config.Config{}
	}
	for _, f := range c.Files {
		s.Files = append(s.Files, f.Path)
	}
	for _, scope := range []Scope{ScopeServer, ScopeGlobalSession, ScopeGlobalWindow} {
		s.options(h.OptionSet(OptionTarget{Scope: scope}), c)
	}
	s.keys(h.Keys().Changes(), c)
	for _, t := range c.Themes {
		colors := map[string]string{}
		for role, colour := range t.Colors {
			colors[role.String()] = colour.String()
		}
		s.Themes = append(s.Themes, shownTheme{t.Name, t.Base, colors, shownPlace(t.Place)})
	}
	for _, d := range c.Sessions {
		text, err := config.EncodeSession(d)
		if err != nil {
			text = "# " + err.Error() + "\n"
		}
		s.Sessions = append(s.Sessions, shownSession{d.Name, shownPlace(d.Place), text})
	}
	return s
}

// options are what a set holds itself. What the file has set to the same is the file's.
func (s *shownConfig) options(set *option.Set, c *config.Config) {
	seen := ""
	for e := range set.Own() {
		name := e.Name
		if base, _, err := option.Cut(e.Name); err == nil && !strings.HasPrefix(name, "@") {
			name = base
		}
		if name == seen {
			continue // another item of the same list
		}
		seen = name
		o := shownOption{Name: name, Scope: "session", Value: set.String(name), Default: set.Default(name), section: "options"}
		if r := option.Lookup(name); r != nil {
			o.Scope, o.Hook, o.section, o.list, o.kind = r.Scope.String(), r.Hook, r.Section(), r.List != "", r.Type
		}
		if o.list {
			o.Items = []string{}
			for _, it := range set.List(name) {
				o.Items = append(o.Items, it.Value)
			}
		}
		o.shownPlace = shownPlace(placeOfOption(c, &o))
		s.Options = append(s.Options, o)
	}
}

// placeOfOption is where the file says so.
func placeOfOption(c *config.Config, o *shownOption) config.Place {
	if o.Hook {
		var items []string
		var places []config.Place
		for _, h := range c.Hooks {
			if h.Event == o.Name {
				items, places = append(items, syntax.Text(h.Commands)), append(places, h.Place)
			}
		}
		if len(items) == 0 || !slices.Equal(items, o.Items) {
			return config.Place{}
		}
		o.places = places
		return places[0]
	}
	for _, l := range [][]config.Setting{c.Options, c.WindowOptions} {
		for _, f := range l {
			if f.Name == o.Name && (f.List && slices.Equal(f.Items, o.Items) || !f.List && f.Value == o.Value) {
				return f.Place
			}
		}
	}
	return config.Place{}
}

func (s *shownConfig) keys(changes []keymap.Change, c *config.Config) {
	usual := keymap.Defaults()
	for _, k := range changes {
		if usualBinding(usual, k) {
			continue
		}
		row := shownKey{Table: k.Table, Key: k.Key, Command: k.Command, Repeat: k.Repeat, Note: k.Note}
		for _, b := range c.Keys {
			if b.Table == k.Table && b.Key == k.Key && syntax.Text(b.Commands) == k.Command && b.Unbind == (k.Command == "") {
				row.shownPlace = shownPlace(b.Place)
			}
		}
		s.Keys = append(s.Keys, row)
	}
}

// usualBinding says that a change is none: it is the default, written with other quotes.
func usualBinding(usual *keymap.Tables, k keymap.Change) bool {
	chord, err := key.ParseChord(k.Key)
	if err != nil || k.Command == "" {
		return false
	}
	b, ok := usual.Lookup(k.Table, chord)
	if !ok || b.Repeat != k.Repeat || b.Note != k.Note {
		return false
	}
	list, err := syntax.Parse(b.Command, "")
	return err == nil && syntax.Text(list) == k.Command
}

// from says where a thing was set, as a comment.
func (p shownPlace) from() string {
	if p.File == "" {
		return "  # by a command"
	}
	return "  # " + config.Place(p).String()
}

// text is the configuration as config.toml would say it.
func (s *shownConfig) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	switch {
	case s.Path == "":
		line("# No config.toml is followed.")
	case s.Gone:
		line("# %s is gone; what it said is still in force.", s.Path)
	case len(s.Files) == 0 && len(s.Mistakes) == 0:
		line("# There is no %s.", s.Path)
	default:
		line("# %s", s.Path)
	}
	for _, f := range s.Files[min(1, len(s.Files)):] {
		line("# %s", f)
	}
	if !s.Gone {
		for _, m := range s.Mistakes {
			line("# not in force: %s", oneLine(m))
		}
	}
	for _, name := range []string{"options", "window-options"} {
		head := true
		for _, o := range s.Options {
			if o.section != name || o.Hook {
				continue
			}
			if head {
				line("\n[%s]", name)
				head = false
			}
			line("%s = %s%s", config.QuoteKey(o.Name), o.toml(), o.from())
		}
	}
	table := ""
	for _, k := range s.Keys {
		if k.Table != table {
			table = k.Table
			line("\n[keys.%s]", config.QuoteKey(table))
		}
		line("%s = %s%s", config.QuoteKey(k.Key), keyTOML(k.Command, k.Repeat, k.Note), k.from())
	}
	for _, o := range s.Options {
		if !o.Hook {
			continue
		}
		for i, it := range o.Items {
			at := o.shownPlace
			if i < len(o.places) {
				at = shownPlace(o.places[i])
			}
			line("\n[[hooks]]%s\nevent = %s\ncommand = %s", at.from(), config.Quote(o.Name), config.Quote(it))
		}
	}
	for _, t := range s.Themes {
		line("\n[themes.%s]%s\nbase = %s", config.QuoteKey(t.Name), t.from(), config.Quote(t.Base))
		for _, role := range style.RoleNames() {
			if c, ok := t.Colors[role]; ok {
				line("%s = %s", role, config.Quote(c))
			}
		}
	}
	for _, d := range s.Sessions {
		first, rest, _ := strings.Cut(strings.TrimLeft(d.text, "\n"), "\n")
		line("\n%s%s", first, d.from())
		b.WriteString(rest)
	}
	if len(s.Options)+len(s.Keys)+len(s.Themes)+len(s.Sessions) == 0 {
		line("# Everything is at its default.")
	}
	return b.String()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// toml is the value as config.toml has it.
func (o *shownOption) toml() string {
	switch {
	case o.list:
		return listTOML(o.Items)
	case o.kind == option.Flag:
		return fmt.Sprint(o.Value == "on")
	case o.kind == option.Number && o.Value != "":
		return o.Value
	}
	return config.Quote(o.Value)
}

func listTOML(items []string) string {
	quoted := make([]string, len(items))
	for i, it := range items {
		quoted[i] = config.Quote(it)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// keyTOML is what a key is bound to.
func keyTOML(command string, repeat bool, note string) string {
	switch {
	case command == "":
		return "false"
	case !repeat && note == "":
		return config.Quote(command)
	}
	text := "{ command = " + config.Quote(command)
	if repeat {
		text += ", repeat = true"
	}
	if note != "" {
		text += ", note = " + config.Quote(note)
	}
	return text + " }"
}

func jsonText(v any) (string, error) {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write JSON: %w", err)
	}
	return string(b), nil
}
