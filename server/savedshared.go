package server

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"stet/config/option"
	"stet/resurrect"
	"stet/server/buffer"
	"stet/server/command"
	"stet/server/keymap"
	"stet/vt/key"
)

// savedBuffer bounds one paste buffer of a snapshot, in bytes; all of them are bounded by the format. They stand in the file that
// each save writes, and in each generation.
const savedBuffer = 64 << 10

// sharedOption is an option of all, without the index of a list's item.
type sharedOption struct {
	Scope command.Scope
	Name  string
}

// boundKey is a key of a table.
type boundKey struct{ Table, Key string }

// byFiles is what the user's own files have set: it is theirs to say, so no snapshot says it too. A line that somebody takes out of a
// file would come back from there for ever.
type byFiles struct {
	options map[sharedOption]bool
	keys    map[boundKey]bool
}

// baseName is an option's name without the index of a list's item.
func baseName(name string) string {
	if base, _, err := option.Cut(name); err == nil && !strings.HasPrefix(name, "@") {
		return base
	}
	return name
}

// settingScope is where a setting of a table of config.toml is kept: options of the server have a set of their own, whatever table
// they stand in.
func settingScope(t command.OptionTarget, name string) command.OptionTarget {
	if row, err := option.Find(name); err == nil && row.Scope&option.Server != 0 {
		return serverScope
	}
	return t
}

// saidByFiles is what config.toml and the files of -f have set.
func (s *Server) saidByFiles() byFiles {
	by := byFiles{map[sharedOption]bool{}, map[boundKey]bool{}}
	for _, o := range s.files.options {
		by.options[o] = true
	}
	for _, k := range s.files.keys {
		by.keys[k] = true
	}
	c := s.config.have
	if c == nil {
		return by
	}
	for _, o := range c.Options {
		by.options[sharedOption{settingScope(globalSession, o.Name).Scope, o.Name}] = true
	}
	for _, o := range c.WindowOptions {
		by.options[sharedOption{settingScope(globalWindow, o.Name).Scope, o.Name}] = true
	}
	for _, b := range c.Keys {
		if chord, err := key.ParseChord(b.Key); err == nil {
			by.keys[boundKey{b.Table, chord.Name()}] = true
		}
	}
	return by
}

// filesHaveSet notes what the files of -f have set, when they are through.
func (s *Server) filesHaveSet() {
	for _, c := range s.options.Changes() {
		if o := (sharedOption{c.Target.Scope, baseName(c.Name)}); isShared(c.Target.Scope) && !slices.Contains(s.files.options, o) {
			s.files.options = append(s.files.options, o)
		}
	}
	for _, c := range s.keys.Changes() {
		s.files.keys = append(s.files.keys, boundKey{c.Table, c.Key})
	}
	s.minor = true // the next server knows it, too
}

// isShared says that a scope is that of all sessions, all windows or the server.
func isShared(sc command.Scope) bool {
	return sc == command.ScopeServer || sc == command.ScopeGlobalSession || sc == command.ScopeGlobalWindow
}

// runsByItself says that an option's value would have something run that nobody asks for: a hook, or a shell command in a format.
// Such are neither saved nor set from what is saved.
func runsByItself(name, value string) bool {
	return isHookName(name) || strings.Contains(value, "#(")
}

// saveShared puts into a snapshot what commands have set for all (set are the options among it), the keys that they have bound, and
// the paste buffers. A binding runs when somebody presses its key, who has bound it; hooks run by themselves, and are left out.
func (s *Server) saveShared(ws *resurrect.Workspace, set map[command.Scope]map[string]string) {
	if ws.Intent == resurrect.IntentClosed {
		return // nothing brings that back
	}
	if old := s.files.behind; old != nil { // not set yet, and not to be lost meanwhile
		ws.Options, ws.SessionOptions, ws.WindowOptions, ws.Bindings, ws.Buffers, ws.BuffersLeft = old.Options, old.SessionOptions, old.WindowOptions, old.Bindings, old.Buffers, old.BuffersLeft
		return
	}
	ws.Options, ws.SessionOptions, ws.WindowOptions = set[command.ScopeServer], set[command.ScopeGlobalSession], set[command.ScopeGlobalWindow]
	by := s.saidByFiles()
	for _, c := range s.keys.Changes() {
		if !by.keys[boundKey{c.Table, c.Key}] {
			ws.Bindings = append(ws.Bindings, resurrect.Binding{Table: c.Table, Key: c.Key, Command: c.Command, Repeat: c.Repeat, Note: c.Note})
		}
	}
	if !s.flag(serverScope, "save-buffers") {
		return
	}
	list, left := s.buffers.Saved(resurrect.MaxBufferBytes, savedBuffer)
	for _, b := range list {
		ws.Buffers = append(ws.Buffers, resurrect.Buffer{Name: b.Name, Automatic: b.Automatic, Created: b.Created, Text: string(b.Data)})
	}
	ws.BuffersLeft = left
}

// restoreShared sets what a snapshot has for all. What is set already stays as it is: the user's files say so, or somebody has done
// it since. Files of -f that are still to be run come first.
func (s *Server) restoreShared(ws *resurrect.Workspace) {
	if s.files.pending() {
		s.files.behind = ws
		return
	}
	for _, of := range []struct {
		target command.OptionTarget
		saved  map[string]string
	}{{serverScope, ws.Options}, {globalSession, ws.SessionOptions}, {globalWindow, ws.WindowOptions}} {
		s.restoreOptionsOfAll(of.target, of.saved)
	}
	s.restoreKeys(ws.Bindings)
	var list []*buffer.Buffer
	if s.flag(serverScope, "save-buffers") {
		for _, b := range ws.Buffers {
			list = append(list, &buffer.Buffer{Name: b.Name, Automatic: b.Automatic, Created: b.Created, Data: []byte(b.Text)})
		}
		if n := ws.BuffersLeft; n > 0 {
			s.note(fmt.Sprintf("%d of the paste buffers did not come back: a snapshot holds %d KiB of them, and none that is larger than %d KiB", n, resurrect.MaxBufferBytes>>10, savedBuffer>>10))
		}
	}
	if len(list) > 0 {
		s.buffers.Join(list)
		s.BuffersChanged()
	}
}

func (s *Server) restoreOptionsOfAll(t command.OptionTarget, saved map[string]string) {
	set := s.OptionSet(t)
	there := map[string]bool{}
	for e := range set.Own() {
		there[baseName(e.Name)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(saved)) { // a list before its items
		if there[baseName(name)] || runsByItself(name, saved[name]) {
			continue
		}
		if err := set.Set(name, saved[name]); err != nil {
			s.log.Printf("saved option: %v", err) // of a newer build
			continue
		}
		s.OptionChanged(t, name)
	}
}

func (s *Server) restoreKeys(saved []resurrect.Binding) {
	there := map[boundKey]bool{}
	for _, c := range s.keys.Changes() {
		there[boundKey{c.Table, c.Key}] = true
	}
	var list []keymap.Change
	for _, b := range saved {
		if !there[boundKey{b.Table, b.Key}] {
			list = append(list, keymap.Change{Table: b.Table, Key: b.Key, Command: b.Command, Repeat: b.Repeat, Note: b.Note})
		}
	}
	if len(list) > 0 {
		s.keys.Apply(list)
		s.KeysChanged()
	}
}

// restoreMode is the option restore for a workspace that has not been restored yet: what is set here, else what was set by hand there.
func (s *Server) restoreMode(ws *resurrect.Workspace) string {
	if v, ok := ws.Options["restore"]; ok && !s.OptionSet(serverScope).Has("restore") {
		return v
	}
	return s.option(serverScope, "restore")
}

// savedHistory says how many lines of scrollback panes have that are not here yet.
type savedHistory struct {
	usual int
	set   bool // here, which counts for more than what was set where they were saved
}

func (s *Server) savedHistory() savedHistory {
	return savedHistory{s.number(globalSession, "history-limit", 10000), s.OptionSet(globalSession).Has("history-limit")}
}

// limit is how many lines a pane of a saved session may have.
func (h savedHistory) limit(ws *resurrect.Workspace, ses *resurrect.Session) int {
	if n, err := strconv.Atoi(ses.Options["history-limit"]); err == nil && n >= 0 {
		return n
	}
	if n, err := strconv.Atoi(ws.SessionOptions["history-limit"]); err == nil && n >= 0 && !h.set {
		return n
	}
	return max(0, h.usual)
}
