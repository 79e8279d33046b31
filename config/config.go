// Package config finds, reads, checks and watches stet's configuration file,
// config.toml.
//
// What comes out is a Config: plain data, checked as far as can be without a
// running server, which nobody may change. A file with mistakes gives no
// Config at all but every mistake with file, line, column and what would be
// right; who holds an earlier Config keeps it. The package applies nothing.
//
//	include = ["keys.toml", "~/projects/*.toml"]
//
//	[options]                      # of the server and of all sessions
//	prefix = "C-a"
//	history-limit = 50000
//
//	[window-options]               # of all windows and panes
//	mode-keys = "vi"
//
//	[keys.prefix]                  # a table for each key table
//	"|" = "split-window -h"
//	H = { command = "resize-pane -L 5", repeat = true }
//	x = false                      # unbind
//
//	[themes.sea]                   # for the option theme
//	base = "dark"
//	bar = "#102030"
//
//	[[hooks]]
//	event = "after-new-window"
//	command = "display-message hello"
//
//	[[session]]                    # opened by name
//	name = "work"
//	dir = "~/src"
//	[[session.window]]
//	name = "edit"
//	[[session.window.pane]]
//	command = "vim"
//	[[session.window.pane]]
//	split = "right"
//	size = "30%"
package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"stet/config/syntax"
)

// maxFile is the largest configuration file read, in bytes.
const maxFile = 4 << 20

// Config is a configuration that has been checked. It must not be changed.
type Config struct {
	Path          string    // the file it comes from
	Files         []File    // that it was read from, Path first
	Options       []Setting // of the server and of all sessions, in the order of the file
	WindowOptions []Setting // of all windows and panes
	Keys          []Binding
	Hooks         []Hook
	Sessions      []Session
	Themes        []Theme

	sum [sha256.Size]byte
}

// File is a file that a configuration was read from.
type File struct{ Path, Text string }

// Place is where something is set: a file, and a line in it from 1.
type Place struct {
	File string
	Line int
}

// String returns "file:line", "" for no place.
func (p Place) String() string {
	if p.File == "" {
		return ""
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Setting gives an option a value.
type Setting struct {
	Name  string   // the option's full name
	Value string   // as the option keeps it
	Items []string // of a list option instead of Value
	List  bool

	Place
}

// Binding binds a key in a key table to commands, or frees it.
type Binding struct {
	Table    string
	Key      string // its canonical name
	Commands []syntax.Command
	Repeat   bool   // may follow without the prefix, bind-key -r
	Note     string // for list-keys -N
	Unbind   bool

	Place
}

// Hook runs commands at an event.
type Hook struct {
	Event    string
	Commands []syntax.Command

	Place
}

// Session is a declared session: what to open under its name. Directories are
// as written; "~" and relative ones are for whoever opens it to resolve, a
// window's against the session's and a pane's against the window's.
type Session struct {
	Name      string
	Dir       string
	Env       []string // NAME=value, for all of its programs
	Ephemeral bool     // nothing of it is ever saved
	Windows   []Window

	Place
}

// Window is a window of a declared session.
type Window struct {
	Name    string
	Dir     string
	Env     []string
	Layout  string // a preset's name or a layout string, applied when all panes are there; may be empty
	Focus   bool   // the one to begin at; at most one of a session
	Restore string // never, ask or auto: the option restore-command of its panes; empty: not set
	Panes   []Pane
}

// Pane is a pane of a declared window.
type Pane struct {
	Name    string // its title
	Dir     string
	Split   string // where from the pane before it: right, below, left or above; empty for the first
	Size    string // cells or per cent ("30%") of what is split; empty: half
	Env     []string
	Command string // a shell command; empty: the shell
	Agent   string // an AI coding agent in place of a command, started as by agent-start
	Args    []string
	Focus   bool   // at most one of a window
	Restore string // as of a window
}

// Options say what a file is checked against.
type Options struct {
	// Home is what "~" stands for in the names of included files; "" is the user's home directory.
	Home string
	// Check tells whether commands exist and their arguments are right; nil
	// checks their syntax only. aliases are the items of command-alias, nil
	// where the configuration does not set it. A Watcher calls it in its
	// goroutine.
	Check func(list []syntax.Command, aliases []string) error
}

// Error is a mistake in a file.
type Error struct {
	File string
	Line int // from 1; 0 when it is about the whole file
	Col  int // in characters, from 1
	Msg  string
}

// Error returns "file:line:column: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Errors are all the mistakes found in a file, in its order.
type Errors []*Error

// Error returns the mistakes, one a line.
func (e Errors) Error() string {
	lines := make([]string, len(e))
	for i, m := range e {
		lines[i] = m.Error()
	}
	return strings.Join(lines, "\n")
}

// Find returns the path of the user's configuration file, whether or not it
// exists: $XDG_CONFIG_HOME/stet/config.toml, or ~/.config/stet/config.toml. It
// is "" when there is no home either.
func Find(getenv func(string) string) string {
	dir := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		// The XDG specification has relative paths ignored.
		home := getenv("HOME")
		if !filepath.IsAbs(home) {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "stet", "config.toml")
}

// IsTOML tells whether a file given with -f is one for this package; others
// are in tmux's language.
func IsTOML(path string) bool { return strings.HasSuffix(path, ".toml") }

// Load reads and checks a file and what it includes. Mistakes come as Errors; when the file cannot be read
// at all the error wraps the reason, fs.ErrNotExist among them.
func Load(path string, o Options) (*Config, error) {
	text, err := disk{}.read(path)
	if err != nil {
		return nil, readError(path, err)
	}
	return Parse(text, path, o)
}

// readError says which file could not be read, and why.
func readError(path string, err error) error {
	return fmt.Errorf("the configuration %s cannot be read: %w", path, withoutPath(err))
}

// withoutPath is an error about a file that is named already.
func withoutPath(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// disk is where files are.
type disk struct{}

// read returns the contents of a regular file.
func (disk) read(path string) (string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // or a pipe that nobody writes to holds us for ever
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	switch {
	case err != nil:
		return "", err
	case info.IsDir():
		return "", errors.New("it is a directory")
	case !info.Mode().IsRegular():
		return "", errors.New("it is not a regular file")
	case info.Size() > maxFile:
		return "", fmt.Errorf("%d bytes are too large (at most %d)", info.Size(), maxFile)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxFile))
	return string(b), err
}

// match returns the files of a pattern, sorted.
func (disk) match(pattern string) ([]string, error) {
	all, err := Glob(pattern)
	return slices.DeleteFunc(all, func(path string) bool { return !shown(pattern, path) }), err
}

// shown leaves out what begins with a dot where the pattern does not: editors keep their own files so.
func shown(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	for i := range min(len(want), len(got)) {
		if strings.HasPrefix(got[i], ".") && !strings.HasPrefix(want[i], ".") {
			return false
		}
	}
	return true
}
