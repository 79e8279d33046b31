package config

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"stet/config/near"
	"stet/config/option"
	"stet/config/syntax"
	"stet/vt/key"
)

// settings reads [options] or [window-options].
func (r *reader) settings(t *table, windows bool) []Setting {
	var out []Setting
	for _, name := range t.sorted() {
		if r.full() {
			break // to look for what was meant takes its time
		}
		at := t.at.key(name)
		s := Setting{Name: name, Place: r.origin(at)}
		if strings.HasPrefix(name, "@") {
			v, ok := scalar(t.m[name])
			if !ok {
				t.wrong(name, "a string, a number, or true or false", t.m[name])
				continue
			}
			s.Value = v
			out = append(out, s)
			continue
		}
		row, err := option.Find(name)
		if err != nil {
			r.errorf(at, "%v", err)
			continue
		}
		if isWindow := row.Scope&option.Window != 0; isWindow != windows {
			r.errorf(at, "%s is a %s option: it belongs into [%s]", row.Name, row.Scope, row.Section())
			continue
		}
		s.Name = row.Name
		if r.value(t, name, row, &s) {
			out = append(out, s)
		}
	}
	return out
}

// value reads the value of an option.
func (r *reader) value(t *table, name string, row *option.Row, s *Setting) bool {
	at := t.at.key(name)
	if list, ok := t.m[name].([]any); ok && row.List != "" {
		s.List = true
		for i, e := range list {
			v, ok := scalar(e)
			if !ok {
				r.errorf(at.item(i), "an item of %s must be a string, not %s", name, kindOf(e))
				return false
			}
			if v, ok = r.checked(at.item(i), row, v); !ok {
				return false
			}
			s.Items = append(s.Items, v)
		}
		return true
	}
	if row.List != "" {
		t.wrong(name, "a list of strings", t.m[name])
		return false
	}
	v, ok := scalar(t.m[name])
	if !ok || !suits(row.Type, t.m[name]) {
		r.errorf(at, "%s must be %s, not %s", name, row.Allowed(), kindOf(t.m[name]))
		return false
	}
	s.Value, ok = r.checked(at, row, v)
	if row.Name == "theme" && ok {
		r.theming = append(r.theming, theming{r.file, r.place(at), s.Value})
	}
	return ok
}

// suits tells whether a TOML type may hold a value of an option: no option but
// a flag or a choice is true or false, and a string of digits is a number too.
func suits(t option.Type, v any) bool {
	_, isBool := v.(bool)
	return !isBool || t == option.Flag || t == option.Choice
}

func (r *reader) checked(at path, row *option.Row, v string) (string, bool) {
	got, err := row.Check(v)
	if err != nil {
		r.errorf(at, "%s: %v", row.Name, err)
		return "", false
	}
	return got, true
}

// scalar returns a TOML value as the text set-option would be given.
func scalar(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		if v {
			return "on", true
		}
		return "off", true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	}
	return "", false
}

// bindings reads [keys.…].
func (r *reader) bindings(t *table) []Binding {
	var out []Binding
	for _, name := range t.sorted() {
		keys, ok := t.m[name].(map[string]any)
		if !ok {
			r.errorf(t.at.key(name), "%s must be a key table [keys.%s] of KEY = \"command\", not %s", name, name, kindOf(t.m[name]))
			continue
		}
		in := r.table(t.at.key(name), keys)
		seen := make(map[string]bool)
		for _, k := range in.sorted() {
			if r.full() {
				break
			}
			chord, err := key.ParseChord(k)
			if err != nil {
				r.errorf(in.at.key(k), "%v", err)
				continue
			}
			b := Binding{Table: name, Key: chord.Name(), Place: r.origin(in.at.key(k))}
			if seen[b.Key] {
				r.errorf(in.at.key(k), "key %s is bound twice in the table %s", b.Key, name)
			}
			seen[b.Key] = true
			if r.binding(in, k, &b) {
				out = append(out, b)
			}
		}
	}
	return out
}

// binding reads what a key is bound to.
func (r *reader) binding(t *table, k string, b *Binding) bool {
	at := t.at.key(k)
	switch v := t.m[k].(type) {
	case string:
		b.Commands = r.commands(at, v)
		return b.Commands != nil
	case map[string]any:
		in := r.table(at, v)
		text := in.text("command")
		b.Repeat = in.flag("repeat")
		b.Note = in.text("note")
		in.done()
		if v["command"] == nil {
			r.errorf(at, "the key %s has no command", k)
			return false
		}
		b.Commands = r.commands(at.key("command"), text)
		return b.Commands != nil
	case bool:
		if !v {
			b.Unbind = true
			return true
		}
	}
	r.errorf(at, "a key takes a command, { command = …, repeat = …, note = … }, or false to unbind it")
	return false
}

// commands reads commands; nil when they are wrong or none.
func (r *reader) commands(at path, text string) []syntax.Command {
	list, err := syntax.Parse(text, "")
	var e *syntax.Error
	switch {
	case errors.As(err, &e) && !strings.Contains(text, "\n"):
		r.errorf(at, "in the command, at character %d: %s", e.Col, e.Msg)
		return nil
	case err != nil:
		r.errorf(at, "in the command: %v", err)
		return nil
	case len(list) == 0:
		r.errorf(at, "the command is empty")
		return nil
	}
	r.unchecked = append(r.unchecked, unchecked{r.file, r.place(at), list})
	return list
}

// hook reads one of [[hooks]].
func (r *reader) hook(t *table) Hook {
	h := Hook{Event: t.text("event"), Place: r.origin(t.at)}
	text := t.text("command")
	t.done()
	switch {
	case t.m["event"] == nil || t.m["command"] == nil:
		r.errorf(t.at, "a hook needs an event and a command")
		return h
	case !option.IsHook(h.Event):
		r.errorf(t.at.key("event"), "unknown event %q%s: use after- and a command, or one of %s", h.Event, near.Meant(h.Event, slices.Values(option.Hooks())), strings.Join(events(), ", "))
	}
	h.Commands = r.commands(t.at.key("command"), text)
	return h
}

// events are the hooks beside those of commands.
func events() []string {
	return slices.DeleteFunc(option.Hooks(), func(name string) bool { return strings.HasPrefix(name, "after-") })
}

// restoreCommands reads [restore-commands]: PATTERN = "policy", in the order of the file. It is the option of
// that name, written so that it can be read.
func (r *reader) restoreCommands(t *table) []Setting {
	row := option.Lookup("restore-commands")
	s := Setting{Name: row.Name, List: true, Place: r.origin(t.at)}
	for _, pattern := range t.sorted() {
		policy := t.text(pattern)
		if policy == "" {
			if t.m[pattern] == "" {
				t.wrong(pattern, "never, ask or auto", policy)
			}
			continue
		}
		if v, ok := r.checked(t.at.key(pattern), row, pattern+"="+policy); ok {
			s.Items = append(s.Items, v)
		}
	}
	if len(s.Items) == 0 {
		return nil
	}
	return []Setting{s}
}
