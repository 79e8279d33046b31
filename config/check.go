package config

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/BurntSushi/toml"

	"stet/config/near"
	"stet/config/nesting"
	"stet/config/option"
	"stet/config/syntax"
)

// Parse checks the text of a configuration, with the files that it includes; path is for its errors, and
// what the names of included files are relative to.
func Parse(text, path string, o Options) (*Config, error) {
	return parse(text, path, o, disk{}, nil)
}

// Again checks a configuration that has been read before, from the files as they were then.
func Again(files []File, o Options) (*Config, error) {
	if len(files) == 0 {
		return nil, errors.New("a configuration without files")
	}
	return parse(files[0].Text, files[0].Path, o, kept(files), nil)
}

func parse(text, path string, o Options, from source, seen *seen) (*Config, error) {
	l := &loading{opts: o, from: from, seen: seen, c: &Config{Path: path}}
	l.file(text, path, nil)
	l.finish()
	if len(l.errs) > 0 {
		return nil, l.errs
	}
	return l.c, nil
}

// part reads a file by itself: what it says, without what it includes.
func (l *loading) part(text, path string) (c *Config, includes []include, errs Errors) {
	tree, wrong := decode(text, path)
	if wrong != nil {
		return nil, nil, Errors{wrong}
	}
	r := &reader{file: path, text: text, opts: l.opts}
	c = &Config{}
	top := r.table("", tree)
	includes = r.includes(top)
	c.Options = r.settings(top.sub("options"), false)
	c.WindowOptions = r.settings(top.sub("window-options"), true)
	c.Keys = r.bindings(top.sub("keys"))
	for _, t := range top.list("hooks") {
		c.Hooks = append(c.Hooks, r.hook(t))
	}
	c.Sessions = r.sessions(top.list("session"))
	c.Themes = r.themes(top.sub("themes"))
	c.Options = append(c.Options, r.restoreCommands(top.sub("restore-commands"))...)
	top.done()
	l.unchecked = append(l.unchecked, r.unchecked...)
	l.theming = append(l.theming, r.theming...)
	return c, includes, r.errs
}

// decode reads TOML; path is for the error.
func decode(text, path string) (tree map[string]any, wrong *Error) {
	if line := nesting.TooDeep(text); line > 0 {
		return nil, &Error{File: path, Line: line, Col: 1, Msg: fmt.Sprintf("it is nested deeper than %d levels", nesting.Max)}
	}
	if _, err := toml.Decode(text, &tree); err != nil {
		return nil, syntaxError(path, text, err)
	}
	return tree, nil
}

// failed gives the mistakes in the order of the file; nil without any.
func (r *reader) failed() error {
	if len(r.errs) == 0 {
		return nil
	}
	slices.SortStableFunc(r.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	return r.errs
}

// syntaxError brings the TOML package's error into our form. Its line is one too many where a line ends too
// early, hence the byte counts.
func syntaxError(file, text string, err error) *Error {
	var p toml.ParseError
	if !errors.As(err, &p) {
		return &Error{File: file, Msg: strings.TrimPrefix(err.Error(), "toml: ")}
	}
	at := place{max(p.Position.Line, 1), max(p.Position.Col, 1)}
	text = strings.TrimPrefix(text, "\ufeff")
	if n := p.Position.Start; n >= 0 && n <= len(text) {
		at = (&locator{src: text}).at(n)
	}
	return &Error{File: file, Line: at.line, Col: at.col, Msg: p.Message}
}

// maxErrors is how many mistakes are collected in a file.
const maxErrors = 50

// reader collects mistakes while the tables are read.
type reader struct {
	file   string
	text   string
	opts   Options
	places map[path]place
	errs   Errors

	unchecked []unchecked
	theming   []theming
}

// theming is a theme that is asked for, which may be in another file.
type theming struct {
	file string
	at   place
	name string
}

// unchecked are commands of which nothing but the syntax is known to be right: what they mean depends on the
// aliases, which may be set in another file.
type unchecked struct {
	file string
	at   place
	list []syntax.Command
}

// place returns where a value stands. The places are looked for only when one
// is needed.
func (r *reader) place(p path) place {
	if r.places == nil {
		r.places = locate(r.text)
	}
	for {
		if at, ok := r.places[p]; ok {
			return at
		}
		// What is not in the file itself belongs to what it is in.
		i := strings.LastIndexAny(string(p), "\x00\x01")
		if i < 0 {
			return place{1, 1}
		}
		p = p[:i]
	}
}

// origin is the place of a value for who asks where it is set.
func (r *reader) origin(p path) Place { return Place{r.file, r.place(p).line} }

// full says that no more mistakes are collected.
func (r *reader) full() bool { return len(r.errs) >= maxErrors }

func (r *reader) errorf(p path, format string, args ...any) {
	if r.full() {
		return
	}
	at := r.place(p)
	r.errs = append(r.errs, &Error{File: r.file, Line: at.line, Col: at.col, Msg: fmt.Sprintf(format, args...)})
}

// table is a table being read: each key that is asked for is known, and what
// remains at the end is not.
type table struct {
	r     *reader
	at    path
	m     map[string]any
	known []string
}

func (r *reader) table(at path, m map[string]any) *table { return &table{r: r, at: at, m: m} }

// get returns the value of a key, and nil without one.
func (t *table) get(key string) any {
	if !slices.Contains(t.known, key) {
		t.known = append(t.known, key)
	}
	return t.m[key]
}

// done reports the keys that nothing has asked for.
func (t *table) done() {
	for _, k := range t.sorted() {
		if !slices.Contains(t.known, k) && !t.r.full() {
			t.r.errorf(t.at.key(k), "unknown key %q%s: allowed here are %s", k, t.meant(k), strings.Join(t.known, ", "))
		}
	}
}

// meant says what an unknown key may have been meant for.
func (t *table) meant(k string) string {
	if row := option.Lookup(k); row != nil && t.at == "" {
		return ", which is an option and belongs into [" + row.Section() + "]"
	}
	return near.Meant(k, slices.Values(t.known))
}

// sorted returns the keys in the order of the file.
func (t *table) sorted() []string {
	keys := make([]string, 0, len(t.m))
	for k := range t.m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool {
		a, b := t.r.place(t.at.key(keys[i])), t.r.place(t.at.key(keys[j]))
		if a == b {
			return keys[i] < keys[j]
		}
		return a.before(b)
	})
	return keys
}

// wrong reports a value of the wrong type.
func (t *table) wrong(key, want string, v any) {
	t.r.errorf(t.at.key(key), "%s must be %s, not %s", key, want, kindOf(v))
}

// kindOf names the type of a TOML value.
func kindOf(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case bool:
		return "true or false"
	case int64, float64:
		return "a number"
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return "a date"
}

// text returns a string, "" when it is missing or wrong.
func (t *table) text(key string) string {
	v := t.get(key)
	s, ok := v.(string)
	if v != nil && !ok {
		t.wrong(key, "a string", v)
	}
	return s
}

func (t *table) flag(key string) bool {
	v := t.get(key)
	b, ok := v.(bool)
	if v != nil && !ok {
		t.wrong(key, "true or false", v)
	}
	return b
}

// sub returns a table inside, an empty one when it is missing or wrong.
func (t *table) sub(key string) *table {
	v := t.get(key)
	m, ok := v.(map[string]any)
	if v != nil && !ok {
		t.wrong(key, "a table ["+key+"]", v)
	}
	return t.r.table(t.at.key(key), m)
}

// words is a list of texts, nil where there is none.
func (t *table) words(key string) []string {
	v := t.get(key)
	list, ok := v.([]any)
	if v == nil {
		return nil
	}
	var out []string
	for _, one := range list {
		text, is := one.(string)
		ok = ok && is
		out = append(out, text)
	}
	if !ok {
		t.wrong(key, "a list of texts", v)
		return nil
	}
	return out
}

// list returns the tables of a list.
func (t *table) list(key string) []*table {
	at := t.at.key(key)
	var out []*table
	switch v := t.get(key).(type) {
	case nil:
	case []map[string]any:
		for i, m := range v {
			out = append(out, t.r.table(at.item(i), m))
		}
	case []any:
		for i, e := range v {
			m, ok := e.(map[string]any)
			if !ok {
				t.wrong(key, "tables [["+key+"]]", v)
				return nil
			}
			out = append(out, t.r.table(at.item(i), m))
		}
	default:
		t.wrong(key, "tables [["+key+"]]", v)
	}
	return out
}
