package config

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stet/config/near"
	"stet/config/style"
)

// Bounds of what a configuration includes.
const (
	maxDepth = 8   // files within one another
	maxFiles = 100 // in all; one that is included twice counts twice
)

// maxKeys and maxKeyTables bound the keys of a configuration: a server has no room for more besides its own.
const (
	maxKeys      = 3000
	maxKeyTables = 200
)

// include is an entry of the list include.
type include struct {
	at       place
	name     string // as it is written
	optional bool
}

// source is where files come from.
type source interface {
	read(path string) (string, error)
	match(pattern string) ([]string, error)
}

// kept are files as they were read before.
type kept []File

func (k kept) read(path string) (string, error) {
	for _, f := range k {
		if f.Path == path {
			return f.Text, nil
		}
	}
	return "", fs.ErrNotExist
}

func (k kept) match(pattern string) (all []string, err error) {
	for _, f := range k {
		if ok, _ := filepath.Match(pattern, f.Path); ok && shown(pattern, f.Path) {
			all = append(all, f.Path)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// seen is what a Watcher has to know of a loading: where files were looked for, whether or not there were any.
type seen struct {
	paths    map[string]fs.FileInfo // as they were before they were read; nil: there was none
	patterns []string
	missing  bool // a file that must be there was not
}

// note looks at a file before it is read.
func (s *seen) note(path string) {
	if s == nil {
		return
	}
	if s.paths == nil {
		s.paths = map[string]fs.FileInfo{}
	}
	if _, ok := s.paths[path]; !ok {
		s.paths[path], _ = os.Stat(path) // what is wrong with it reading tells
	}
}

// stands tells whether all files are still as they were before they were read.
func (s *seen) stands() bool {
	for path, before := range s.paths {
		after, err := os.Stat(path)
		if (err == nil) != (before != nil) {
			return false
		}
		if err == nil && (!os.SameFile(before, after) || before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime())) {
			return false
		}
	}
	return true
}

// loading puts a configuration together from its files. What a file says itself comes after what it
// includes, and what comes later wins.
type loading struct {
	opts  Options
	from  source
	seen  *seen
	c     *Config
	bytes int
	errs  Errors
	asked []string // what was looked for and not there

	unchecked []unchecked
	theming   []theming
}

// file adds a file's text; within are the files that have included it, the first one first.
func (l *loading) file(text, path string, within []string) {
	l.c.Files = append(l.c.Files, File{path, text})
	l.bytes += len(text)
	part, includes, errs := l.part(text, path)
	l.errs = append(l.errs, errs[:min(len(errs), maxErrors-len(l.errs))]...)
	within = append(slices.Clone(within), path)
	for _, in := range includes {
		l.include(in, path, within)
	}
	if part != nil {
		l.c.add(part)
	}
}

// finish looks at what needs all of the files.
func (l *loading) finish() {
	var aliases []string
	for _, s := range l.c.Options {
		if s.Name == "command-alias" {
			aliases = append([]string{}, s.Items...)
		}
	}
	for _, u := range l.unchecked {
		if l.opts.Check == nil || len(l.errs) >= maxErrors {
			break // checking takes longer than the rest
		}
		if err := l.opts.Check(u.list, aliases); err != nil {
			l.errorf(u.file, u.at, "%v", err)
		}
	}
	l.countKeys()
	names := append([]string{"auto"}, style.ThemeNames()...)
	for _, t := range l.c.Themes {
		names = append(names, t.Name)
	}
	for _, t := range l.theming {
		if !slices.Contains(names, t.name) {
			l.errorf(t.file, t.at, "no theme is named %q%s: there are %s", t.name, near.Meant(t.name, slices.Values(names)), strings.Join(names, ", "))
		}
	}
	order := map[string]int{}
	for i, f := range l.c.Files {
		if _, ok := order[f.Path]; !ok {
			order[f.Path] = i
		}
	}
	slices.SortStableFunc(l.errs, func(a, b *Error) int {
		return cmp.Or(cmp.Compare(order[a.File], order[b.File]), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col))
	})
	// A file that is included twice makes its mistakes once.
	l.errs = slices.CompactFunc(l.errs, func(a, b *Error) bool { return *a == *b })
	l.c.sum = l.sum()
}

// countKeys tells of keys for which there is no room.
func (l *loading) countKeys() {
	tables := map[string]bool{}
	for i, k := range l.c.Keys {
		tables[k.Table] = true
		at := place{line: k.Line, col: 1}
		switch {
		case i >= maxKeys:
			l.errorf(k.File, at, "%d keys are too many: a configuration binds at most %d", len(l.c.Keys), maxKeys)
			return
		case len(tables) > maxKeyTables:
			l.errorf(k.File, at, "there are too many key tables: at most %d", maxKeyTables)
			return
		}
	}
}

// errorf notes a mistake, unless there are too many.
func (l *loading) errorf(file string, at place, format string, args ...any) {
	if len(l.errs) < maxErrors {
		l.errs = append(l.errs, &Error{File: file, Line: at.line, Col: at.col, Msg: fmt.Sprintf(format, args...)})
	}
}

// include reads the files of one entry.
func (l *loading) include(in include, by string, within []string) {
	fail := func(format string, args ...any) { l.errorf(by, in.at, format, args...) }
	path, err := l.resolve(in.name, by)
	if err != nil {
		fail("%v", err)
		return
	}
	paths, several := []string{path}, strings.ContainsAny(path, "*?[")
	if several {
		if l.seen != nil {
			l.seen.patterns = append(l.seen.patterns, path)
		}
		if paths, err = l.from.match(path); err != nil {
			fail("%q cannot be included: %v", in.name, err)
			return
		}
	}
	for _, p := range paths {
		switch {
		case slices.Contains(within, p):
			fail("%s includes itself: %s", in.name, strings.Join(append(within[slices.Index(within, p):], p), ", "))
			continue
		case len(within) >= maxDepth:
			fail("%s is not read: at most %d files are included within one another", in.name, maxDepth)
			return
		case len(l.c.Files) >= maxFiles:
			fail("%s is not read: a configuration has at most %d files", in.name, maxFiles)
			return
		}
		l.seen.note(p)
		text, err := l.from.read(p)
		gone := errors.Is(err, fs.ErrNotExist)
		switch {
		case gone && (in.optional || several): // or it has gone since it was found
			l.asked = append(l.asked, p)
		case gone:
			l.asked = append(l.asked, p)
			if l.seen != nil {
				l.seen.missing = true
			}
			fail("there is no file %s; write { file = %q, optional = true } for one that need not be there", p, in.name)
		case err != nil:
			fail("%s cannot be read: %v", p, withoutPath(err))
		case l.bytes+len(text) > maxFile:
			fail("%s is not read: a configuration has at most %d bytes", in.name, maxFile)
			return
		default:
			l.file(text, p, within)
		}
	}
}

// resolve is the path of an included file, which is relative to the one that includes it.
func (l *loading) resolve(name, by string) (string, error) {
	if name == "~" || strings.HasPrefix(name, "~/") {
		home := l.opts.Home
		if home == "" {
			home, _ = os.UserHomeDir()
		}
		if home == "" {
			return "", fmt.Errorf("%s: no home directory is known", name)
		}
		name = home + name[1:]
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(filepath.Dir(by), name)
	}
	return filepath.Clean(name), nil
}

// sum is equal for two loadings that have read the same.
func (l *loading) sum() [sha256.Size]byte {
	h := sha256.New()
	for _, f := range l.c.Files {
		fmt.Fprintf(h, "%q %d\n%s", f.Path, len(f.Text), f.Text)
	}
	for _, path := range l.asked {
		fmt.Fprintf(h, "%q\n", path)
	}
	for _, e := range l.errs { // an included file that cannot be read is in no other
		fmt.Fprintf(h, "%q\n", e)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// add lays a part over what there is.
func (c *Config) add(part *Config) {
	c.Options = over(c.Options, part.Options, func(s Setting) string { return s.Name })
	c.WindowOptions = over(c.WindowOptions, part.WindowOptions, func(s Setting) string { return s.Name })
	c.Keys = over(c.Keys, part.Keys, func(b Binding) string { return b.Table + "\x00" + b.Key })
	c.Hooks = append(c.Hooks, part.Hooks...)
	c.Sessions = over(c.Sessions, part.Sessions, func(s Session) string { return s.Name })
	c.Themes = over(c.Themes, part.Themes, func(t Theme) string { return t.Name })
}

// over appends items in the place of those before them that have the same name.
func over[T any](have, more []T, name func(T) string) []T {
	if len(have) == 0 || len(more) == 0 {
		return append(have, more...)
	}
	taken := map[string]bool{}
	for _, m := range more {
		taken[name(m)] = true
	}
	return append(slices.DeleteFunc(have, func(h T) bool { return taken[name(h)] }), more...)
}

// includes reads include.
func (r *reader) includes(t *table) []include {
	at := path("").key("include")
	var list []any
	switch v := t.get("include").(type) {
	case nil:
		return nil
	case []any:
		list = v
	case []map[string]any:
		for _, m := range v {
			list = append(list, m)
		}
	default:
		t.wrong("include", "a list of files", v)
		return nil
	}
	var out []include
	for i, v := range list {
		in := include{at: r.place(at.item(i))}
		switch v := v.(type) {
		case string:
			in.name = v
		case map[string]any:
			e := r.table(at.item(i), v)
			in.name, in.optional = e.text("file"), e.flag("optional")
			e.done()
		default:
			r.errorf(at.item(i), "a file to include is a string or { file = …, optional = … }, not %s", kindOf(v))
			continue
		}
		if in.name == "" || strings.Contains(in.name, "\x00") {
			r.errorf(at.item(i), "a file to include needs a name")
			continue
		}
		out = append(out, in)
	}
	return out
}

// places returns the directories that a Watcher has to watch, see steps.
func (s *seen) places() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for path := range s.paths {
		steps(path, out)
	}
	for _, p := range slices.Compact(slices.Sorted(slices.Values(s.patterns))) {
		steps(p, out)
	}
	return out
}
