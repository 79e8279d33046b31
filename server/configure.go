package server

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"stet/config"
	"stet/config/option"
	"stet/config/syntax"
	"stet/server/command"
	"stet/server/keymap"
	"stet/vt/key"
)

// configuration is what config.toml has set, so that a reload changes what has changed in the file, and takes
// back what is no longer in it.
type configuration struct {
	watch *config.Watcher
	read  *config.Config // as the server has found it; nil: there was none, or it is wrong
	have  *config.Config // in force
	kept  []config.File  // have's files, for the checkpoint; nil where they are too large
	wrong []string       // the notes of what is wrong with the file as it is now
	all   []string       // every mistake in it
	gone  bool           // it was taken away, and what it said is still in force
}

// maxKeptConfig bounds the text of the configuration in a checkpoint, in bytes.
const maxKeptConfig = 128 << 10

// configure reads config.toml, or the file in its place, if there is one, and follows its changes. A mistake in it is told with
// its place; what was in force stays.
func (s *Server) configure() {
	path := s.configPath()
	if path == "" {
		return
	}
	o := configOptions()
	cfg, err := config.Load(path, o)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		s.misconfigured(err)
	default:
		s.config.read = cfg
		s.apply(cfg)
	}
	w, err := config.Watch(path, cfg, o)
	if err != nil {
		s.log.Printf("configuration: %v; changes of %s take effect at the next start", err, path)
		return
	}
	s.config.watch = w
}

func configOptions() config.Options { return config.Options{Check: command.Check} }

// optionsOf takes the options and keys of the server before this one, with what commands had changed. It goes
// on from the configuration that was in force then: what the file has come to say since takes effect, and
// nothing else.
func (s *Server) optionsOf(im *image) {
	now := s.config.read
	if im.Configured { // what the file says by now has been applied, for others need it early
		s.options, s.keys, s.config.have, s.config.kept = command.NewOptionSets(false), keymap.Defaults(), nil, nil
		s.computedDefaults()
	}
	s.options.Apply(im.Options)
	s.keys.Apply(im.Keys)
	if len(im.Config) > 0 {
		was, err := config.Again(im.Config, configOptions())
		if err != nil { // this build may understand it in another way
			s.log.Printf("the configuration that was in force cannot be read: %v", err)
			was = now
		}
		s.config.have, s.config.kept = was, im.Config
	}
	if im.Configured && now != nil {
		s.apply(now)
	}
	if slices.ContainsFunc(im.Options, func(c command.OptionChange) bool { return isHookName(c.Name) }) {
		s.hooksChanged()
	}
}

func keptConfig(c *config.Config) []config.File {
	size := 0
	for _, f := range c.Files {
		size += len(f.Path) + len(f.Text)
	}
	if size > maxKeptConfig {
		return nil
	}
	return c.Files
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
	if len(s.config.wrong) > 0 {
		return // which is told already
	}
	for _, c := range s.attached {
		s.Message(c.id, "configuration reloaded", 0)
	}
}

// misconfigured tells of a mistake: the first one to people, and where they find the others.
func (s *Server) misconfigured(err error) {
	s.log.Print(err)
	lines := strings.Split(err.Error(), "\n")
	s.config.all = append(s.config.all, lines...)
	var gone *config.GoneError
	s.config.gone = errors.As(err, &gone)
	text := lines[0]
	if n := len(lines) - 1; n > 0 {
		text += fmt.Sprintf(" (and %d more: stet config check)", n)
	}
	s.config.wrong = append(s.config.wrong, text)
	s.news.add(text)
	for _, c := range s.attached {
		s.Message(c.id, text, newsTime)
	}
}

// forgetWrong takes back the notes about the file as it was: at the start it is read twice, and who has
// mended it need not be told of the mistake any more.
func (s *Server) forgetWrong() {
	for _, text := range s.config.wrong {
		s.news.drop(text)
	}
	s.config.wrong, s.config.all, s.config.gone = nil, nil, false
}

// apply makes a configuration the one in force. What it says as the one before it did is left as it is, also
// where a command has changed it since. What the one before it had set and it does not goes back to the
// default, unless somebody has changed it meanwhile.
func (s *Server) apply(cfg *config.Config) {
	old := s.config.have
	if old == nil {
		old = &config.Config{}
	}
	s.config.have, s.config.kept = cfg, keptConfig(cfg)
	s.applySettings(globalSession, old.Options, cfg.Options)
	s.applySettings(globalWindow, old.WindowOptions, cfg.WindowOptions)
	s.applyKeys(old.Keys, cfg.Keys)
	s.applySettings(globalSession, hookSettings(old.Hooks, option.Session), hookSettings(cfg.Hooks, option.Session))
	s.applySettings(globalWindow, hookSettings(old.Hooks, option.Window), hookSettings(cfg.Hooks, option.Window))
	s.applyEnvironments(old.Sessions, cfg.Sessions)
	s.model.Touch() // the checkpoint knows what is in force
	s.restyle = true
}

// applySettings sets options.
func (s *Server) applySettings(t command.OptionTarget, old, now []config.Setting) {
	was, is := byName(old), byName(now)
	for _, o := range old {
		if _, ok := is[o.Name]; ok {
			continue
		}
		at := settingScope(t, o.Name)
		if v, _ := s.options.Set(at).Get(o.Name); v == settingText(o) {
			_ = s.options.Set(at).Unset(o.Name) // it was set, so it can be unset
			s.OptionChanged(at, o.Name)
		}
	}
	for _, o := range now {
		if w, ok := was[o.Name]; ok && w.List == o.List && w.Value == o.Value && slices.Equal(w.Items, o.Items) {
			continue
		}
		at := settingScope(t, o.Name)
		if err := setSetting(s.options.Set(at), o); err != nil {
			s.misconfigured(fmt.Errorf("%s: %w", o.Place, err))
		}
		s.OptionChanged(at, o.Name)
	}
}

// applyEnvironments gives the sessions that were opened from a declaration what has changed in its variables,
// for the programs that are started from now on.
func (s *Server) applyEnvironments(old, now []config.Session) {
	find := func(list []config.Session, name string) (d config.Session) {
		if i := slices.IndexFunc(list, func(d config.Session) bool { return d.Name == name }); i >= 0 {
			d = list[i]
		}
		return d
	}
	for _, ses := range s.model.Sessions {
		if ses.Declared == "" {
			continue
		}
		was, is := find(old, ses.Declared), find(now, ses.Declared)
		if err := command.Redeclare(ses, was.Env, is.Env); err != nil {
			s.misconfigured(fmt.Errorf("%s: %w", is.Place, err))
		}
	}
}

func byName(list []config.Setting) map[string]config.Setting {
	m := make(map[string]config.Setting, len(list))
	for _, o := range list {
		m[o.Name] = o
	}
	return m
}

// settingText is what Get says of an option that is set so.
func settingText(o config.Setting) string {
	if o.List {
		return strings.Join(o.Items, " ")
	}
	return o.Value
}

func setSetting(set *option.Set, o config.Setting) error {
	if !o.List {
		return set.Set(o.Name, o.Value)
	}
	err := set.Set(o.Name, "") // the list of the file is all there is, without the usual items
	for i, item := range o.Items {
		err = errors.Join(err, set.Set(fmt.Sprintf("%s[%d]", o.Name, i), item))
	}
	return err
}

// sameBinding says that two bindings of one key do the same.
func sameBinding(a, b config.Binding) bool {
	return a.Unbind == b.Unbind && a.Repeat == b.Repeat && a.Note == b.Note && syntax.Text(a.Commands) == syntax.Text(b.Commands)
}

// applyKeys binds keys; those that are no longer named get their default back, unless somebody has bound
// them to something else meanwhile.
func (s *Server) applyKeys(old, now []config.Binding) {
	id := func(b config.Binding) string { return b.Table + "\x00" + b.Key }
	was, is := map[string]config.Binding{}, map[string]bool{}
	for _, b := range old {
		was[id(b)] = b
	}
	for _, b := range now {
		is[id(b)] = true
	}
	usual := keymap.Defaults()
	for _, b := range old {
		chord, err := key.ParseChord(b.Key)
		if err != nil || is[id(b)] {
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
		if w, ok := was[id(b)]; ok && sameBinding(w, b) {
			continue
		}
		chord, err := key.ParseChord(b.Key)
		switch {
		case err != nil:
			s.misconfigured(fmt.Errorf("%s: %w", b.Place, err))
		case b.Unbind:
			s.keys.Unbind(b.Table, chord)
		case !s.keys.Bind(b.Table, keymap.Binding{Chord: chord, Command: syntax.Text(b.Commands), Repeat: b.Repeat, Note: b.Note}):
			s.misconfigured(fmt.Errorf("%s: too many key bindings", b.Place))
		}
	}
	s.KeysChanged()
}

// Configuration is what is in force, and what is wrong with the file by now.
func (s *Server) Configuration() command.Configuration {
	return command.Configuration{Path: s.configPath(), Config: s.config.have, Wrong: s.config.all, Gone: s.config.gone}
}

// CheckConfig reads a configuration and tells what is wrong with it; "" is the one that is followed.
func (s *Server) CheckConfig(path string, done func(string, *config.Config, error)) {
	if path == "" {
		path = s.configPath()
	}
	if path == "" {
		done("", nil, nil)
		return
	}
	go func() {
		c, err := config.Load(path, configOptions())
		s.loop.post(func() { done(path, c, err) })
	}()
}

// ConfigPath is the file that a server started with these files of -f would follow; "" none.
func ConfigPath(files []string) string {
	path := ""
	for _, f := range files {
		if config.IsTOML(f) {
			path = f
		}
	}
	if len(files) > 0 {
		return path
	}
	return config.Find(os.Getenv)
}

// ShowConfig is what config show prints of a file, where no server runs.
func ShowConfig(path string, asJSON bool) (string, error) {
	s := newServer(Config{Log: io.Discard})
	s.files = startFiles{given: true, toml: path}
	cfg, err := config.Load(path, configOptions())
	switch {
	case path == "", errors.Is(err, fs.ErrNotExist):
	case err != nil:
		s.misconfigured(err)
	default:
		s.apply(cfg)
	}
	return command.ShowConfig(s, asJSON)
}

// Declared are the sessions that the configuration in force declares.
func (s *Server) Declared() []config.Session {
	if s.config.have == nil {
		return nil
	}
	return s.config.have.Sessions
}
