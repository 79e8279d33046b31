package server

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"stet/config"
	"stet/config/option"
	"stet/config/syntax"
	"stet/server/command"
	"stet/server/keymap"
	"stet/vt/key"
)

// configuration is what config.toml has set, so that a reload can take back what is no longer in it.
type configuration struct {
	watch *config.Watcher
	have  *config.Config
	wrong []string // the notes of what is wrong with the file as it is now
}

// configure reads config.toml, or the file in its place, if there is one, and follows its changes. A mistake in it is told with
// its place; what was in force stays.
func (s *Server) configure() {
	path := s.configPath()
	if path == "" {
		return
	}
	o := config.Options{Check: s.queue.Check}
	cfg, err := config.Load(path, o)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		s.misconfigured(err)
	default:
		s.apply(cfg)
	}
	w, err := config.Watch(path, cfg, o)
	if err != nil {
		s.log.Printf("configuration: %v; changes of %s take effect at the next start", err, path)
		return
	}
	s.config.watch = w
}

// configChanges is the watcher's channel; nil, which never delivers, where there is none.
func (s *Server) configChanges() <-chan config.Update {
	if s.config.watch == nil {
		return nil
	}
	return s.config.watch.Updates()
}

// reconfigured takes a change of config.toml.
func (s *Server) reconfigured(u config.Update) {
	s.forgetWrong()
	if u.Err != nil {
		s.misconfigured(u.Err)
		return
	}
	s.apply(u.Config)
	for _, c := range s.attached {
		s.Message(c.id, "configuration reloaded", 0)
	}
}

func (s *Server) misconfigured(err error) {
	s.log.Print(err)
	first, _, _ := strings.Cut(err.Error(), "\n")
	s.config.wrong = append(s.config.wrong, first)
	s.news.add(first)
	for _, c := range s.attached {
		s.Message(c.id, first, newsTime)
	}
}

// forgetWrong takes back the notes about the file as it was: at the start it is read twice, and who has
// mended it need not be told of the mistake any more.
func (s *Server) forgetWrong() {
	for _, text := range s.config.wrong {
		s.news.drop(text)
	}
	s.config.wrong = nil
}

// apply makes a configuration the one in force. What the one before it had set and it does not goes back
// to the default, unless somebody has changed it by a command meanwhile.
func (s *Server) apply(cfg *config.Config) {
	old := s.config.have
	if old == nil {
		old = &config.Config{}
	}
	s.config.have = cfg
	s.applySettings(globalSession, old.Options, cfg.Options)
	s.applySettings(globalWindow, old.WindowOptions, cfg.WindowOptions)
	s.applyKeys(old.Keys, cfg.Keys)
	s.applySettings(globalSession, hookSettings(old.Hooks, option.Session), hookSettings(cfg.Hooks, option.Session))
	s.applySettings(globalWindow, hookSettings(old.Hooks, option.Window), hookSettings(cfg.Hooks, option.Window))
	if len(cfg.Hooks) > 0 {
		s.hooksChanged()
	}
	s.OptionChanged(globalSession, "history-limit")
}

// applySettings sets options; those of the server go to its own set, whatever table they stand in.
func (s *Server) applySettings(t command.OptionTarget, old, now []config.Setting) {
	set := func(name string) *option.Set {
		if row, err := option.Find(name); err == nil && row.Scope&option.Server != 0 {
			return s.options.Set(serverScope)
		}
		return s.options.Set(t)
	}
	for _, o := range old {
		was := o.Value
		if o.List {
			was = strings.Join(o.Items, " ")
		}
		if v, _ := set(o.Name).Get(o.Name); v == was {
			_ = set(o.Name).Unset(o.Name) // it was set, so it can be unset
		}
	}
	for _, o := range now {
		var err error
		if o.List {
			err = set(o.Name).Set(o.Name, "") // the list of the file is all there is, without the usual items
			for i, item := range o.Items {
				err = errors.Join(err, set(o.Name).Set(fmt.Sprintf("%s[%d]", o.Name, i), item))
			}
		} else {
			err = set(o.Name).Set(o.Name, o.Value)
		}
		if err != nil {
			s.misconfigured(fmt.Errorf("%s:%d: %w", s.config.have.Path, o.Line, err))
		}
	}
}

// applyKeys binds keys; those that are no longer named get their default back, unless somebody has bound
// them to something else meanwhile.
func (s *Server) applyKeys(old, now []config.Binding) {
	usual := keymap.Defaults()
	for _, b := range old {
		chord, err := key.ParseChord(b.Key)
		if err != nil {
			continue
		}
		if cur, ok := s.keys.Lookup(b.Table, chord); ok == b.Unbind || ok && cur.Command != syntax.Text(b.Commands) {
			continue
		}
		if d, ok := usual.Lookup(b.Table, chord); ok {
			s.keys.Bind(b.Table, d)
		} else {
			s.keys.Unbind(b.Table, chord)
		}
	}
	for _, b := range now {
		chord, err := key.ParseChord(b.Key)
		switch {
		case err != nil:
			s.misconfigured(fmt.Errorf("%s:%d: %w", s.config.have.Path, b.Line, err))
		case b.Unbind:
			s.keys.Unbind(b.Table, chord)
		case !s.keys.Bind(b.Table, keymap.Binding{Chord: chord, Command: syntax.Text(b.Commands), Repeat: b.Repeat, Note: b.Note}):
			s.misconfigured(fmt.Errorf("%s:%d: too many key bindings", s.config.have.Path, b.Line))
		}
	}
	s.KeysChanged()
}

// Declared are the sessions that the configuration in force declares.
func (s *Server) Declared() []config.Session {
	if s.config.have == nil {
		return nil
	}
	return s.config.have.Sessions
}
