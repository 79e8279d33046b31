package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"stet/config"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
	"stet/vt/key"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// idle is a server without keeper, disk and clients.
func idle(t *testing.T) *Server {
	t.Helper()
	return newServer(Config{Build: "build", Socket: "/run/s", Log: io.Discard})
}

// configured makes text the configuration in force, as a reload does.
func configured(t *testing.T, s *Server, text string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(path, config.Options{Check: command.Check})
	if err != nil {
		t.Fatal(err)
	}
	s.apply(cfg)
	if len(s.news.notes) > 0 {
		t.Fatalf("notes %q", s.news.notes)
	}
}

func bound(t *testing.T, s *Server, table, name string) string {
	t.Helper()
	c, err := key.ParseChord(name)
	if err != nil {
		t.Fatal(err)
	}
	b, _ := s.keys.Lookup(table, c)
	return b.Command
}

func bind(t *testing.T, s *Server, table, name, command string) {
	t.Helper()
	c, err := key.ParseChord(name)
	if err != nil {
		t.Fatal(err)
	}
	if !s.keys.Bind(table, keymap.Binding{Chord: c, Command: command}) {
		t.Fatal("not bound")
	}
}

func TestASettingGoesToTheSetOfItsOption(t *testing.T) {
	s := idle(t)
	configured(t, s, `
[options]
escape-time = 77
history-limit = 123
status-left = "x"
[window-options]
mode-keys = "vi"
`)
	if v := s.number(serverScope, "escape-time", 0); v != 77 {
		t.Errorf("escape-time %d", v)
	}
	if v := s.option(globalSession, "status-left"); v != "x" {
		t.Errorf("status-left %q", v)
	}
	if v := s.option(globalWindow, "mode-keys"); v != "vi" {
		t.Errorf("mode-keys %q", v)
	}
	if v := s.historyLimit(3); v != 123 {
		t.Errorf("history-limit %d", v)
	}
}

func TestASettingThatIsTakenOutOfTheFileGoesBack(t *testing.T) {
	s := idle(t)
	usual := s.option(globalSession, "status-left")
	keys := s.option(globalWindow, "mode-keys")
	configured(t, s, "[options]\nstatus-left = \"one\"\nstatus-right = \"r\"\nescape-time = 3\n[window-options]\nmode-keys = \"vi\"\n")
	// Somebody changes one of them by a command.
	if err := s.options.Set(globalSession).Set("status-right", "mine"); err != nil {
		t.Fatal(err)
	}
	configured(t, s, "[options]\nescape-time = 4\n")
	if v := s.option(globalSession, "status-left"); v != usual {
		t.Errorf("status-left %q, want %q", v, usual)
	}
	if v := s.option(globalWindow, "mode-keys"); v != keys {
		t.Errorf("mode-keys %q, want %q", v, keys)
	}
	if v := s.option(globalSession, "status-right"); v != "mine" {
		t.Errorf("what a command has set is lost: %q", v)
	}
	if v := s.number(serverScope, "escape-time", 0); v != 4 {
		t.Errorf("escape-time %d", v)
	}
}

func TestAListInTheFileReplacesTheList(t *testing.T) {
	s := idle(t)
	usual := s.option(globalSession, "update-environment")
	configured(t, s, "[options]\nupdate-environment = [\"A\", \"B\"]\n")
	if v := s.option(globalSession, "update-environment"); v != "A B" {
		t.Errorf("list %q", v)
	}
	configured(t, s, "[options]\nupdate-environment = [\"C\"]\n")
	if v := s.option(globalSession, "update-environment"); v != "C" {
		t.Errorf("list %q", v)
	}
	configured(t, s, "")
	if v := s.option(globalSession, "update-environment"); v != usual {
		t.Errorf("list %q, want %q", v, usual)
	}
	configured(t, s, "[options]\nupdate-environment = [\"A\"]\n")
	if err := s.options.Set(globalSession).Set("update-environment", "MINE"); err != nil {
		t.Fatal(err)
	}
	configured(t, s, "")
	if v := s.option(globalSession, "update-environment"); v != "MINE" {
		t.Errorf("what a command has set is lost: %q", v)
	}
}

func TestKeysOfTheFile(t *testing.T) {
	s := idle(t)
	usual := bound(t, s, keymap.Prefix, "%")
	if usual == "" {
		t.Fatal("% does nothing")
	}
	configured(t, s, `
[keys.prefix]
"|" = "split-window -h"
"%" = "last-pane"
d = false
[keys.root]
F5 = { command = "next-layout", repeat = true }
`)
	for _, c := range []struct{ table, key, want string }{
		{keymap.Prefix, "|", "split-window -h"}, {keymap.Prefix, "%", "last-pane"}, {keymap.Prefix, "d", ""}, {keymap.Root, "F5", "next-layout"},
	} {
		if got := bound(t, s, c.table, c.key); got != c.want {
			t.Errorf("%s %s: %q, want %q", c.table, c.key, got, c.want)
		}
	}
	configured(t, s, "[keys.prefix]\nx = \"display-message hi\"\n")
	for _, c := range []struct{ table, key, want string }{
		{keymap.Prefix, "|", ""}, {keymap.Prefix, "%", usual}, {keymap.Prefix, "d", "detach-client"}, {keymap.Root, "F5", ""}, {keymap.Prefix, "x", "display-message hi"},
	} {
		if got := bound(t, s, c.table, c.key); got != c.want {
			t.Errorf("after the change: %s %s: %q, want %q", c.table, c.key, got, c.want)
		}
	}
}

func TestAKeyThatSomebodyHasBoundMeanwhileStays(t *testing.T) {
	s := idle(t)
	configured(t, s, "[keys.prefix]\n\"%\" = \"last-pane\"\nd = false\n\"|\" = \"split-window\"\n\";\" = false\n")
	bind(t, s, keymap.Prefix, "%", "kill-session")
	bind(t, s, keymap.Prefix, "d", "kill-pane")
	c, _ := key.ParseChord("|")
	s.keys.Unbind(keymap.Prefix, c)
	configured(t, s, "")
	for key, want := range map[string]string{"%": "kill-session", "d": "kill-pane", "|": ""} {
		if got := bound(t, s, keymap.Prefix, key); got != want {
			t.Errorf("%s: %q, want %q", key, got, want)
		}
	}
	if got := bound(t, s, keymap.Prefix, ";"); got != "last-pane" {
		t.Errorf("; is not back: %q", got)
	}
}

func TestAMistakeIsToldWithItsPlace(t *testing.T) {
	var log bytes.Buffer
	s := newServer(Config{Log: &log})
	s.apply(&config.Config{
		Path:    "/etc/x.toml",
		Options: []config.Setting{{Name: "escape-time", Value: "soon", Place: config.Place{File: "/etc/x.toml", Line: 3}}},
		Keys:    []config.Binding{{Table: keymap.Prefix, Key: "no such key", Place: config.Place{File: "/etc/x.toml", Line: 4}}},
	})
	all := strings.Join(s.news.notes, "\n")
	for _, want := range []string{"/etc/x.toml:3: ", "/etc/x.toml:4: "} {
		if !strings.Contains(all, want) || !strings.Contains(log.String(), want) {
			t.Errorf("%q is not told: %q, log %q", want, all, log.String())
		}
	}
	if v := s.number(serverScope, "escape-time", -1); v < 0 {
		t.Errorf("escape-time %d", v)
	}
}

func TestAMistakeInTheFileIsNotedOnceAndUntilItIsMended(t *testing.T) {
	s := idle(t)
	c := &client{id: 7}
	s.clients[7], s.attached = c, append(s.attached, c)
	wrong := errors.New("config.toml:3:1: no such option\nmore of it")
	s.misconfigured(wrong)                    // as it is loaded,
	s.reconfigured(config.Update{Err: wrong}) // and as it is watched from then on
	if got, want := s.Notes(), []string{"config.toml:3:1: no such option (and 1 more: stet config check)"}; !slices.Equal(got, want) {
		t.Fatalf("notes %q, want %q", got, want)
	}
	s.reconfigured(config.Update{Err: errors.New("config.toml:9:1: no such key")})
	if got, want := s.Notes(), []string{"config.toml:9:1: no such key"}; !slices.Equal(got, want) {
		t.Fatalf("notes %q, want %q", got, want)
	}
	// It can be read: one who saves a file does not look at the last line at that moment.
	if left := c.messageT.Sub(s.Now()); c.message != "config.toml:9:1: no such key" || left < 4*time.Second {
		t.Fatalf("%q is shown for %v", c.message, left)
	}
	s.reconfigured(config.Update{Config: &config.Config{}})
	if got := s.Notes(); len(got) > 0 {
		t.Fatalf("notes %q of a file that is right", got)
	}
}

// TestOnlyWhatHasChangedInTheFileIsApplied: what a command has set meanwhile is left alone by a change of
// something else, and overruled by one of the same.
func TestOnlyWhatHasChangedInTheFileIsApplied(t *testing.T) {
	s := idle(t)
	file := "[options]\nstatus-left = \"one\"\nupdate-environment = [\"A\"]\nescape-time = %d\n[keys.prefix]\nx = \"last-pane\"\n[[hooks]]\nevent = \"client-attached\"\ncommand = \"last-pane\"\n"
	configured(t, s, fmt.Sprintf(file, 3))
	for name, value := range map[string]string{"status-left": "mine", "update-environment": "MINE", "client-attached": "next-window"} {
		if err := s.options.Set(globalSession).Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	bind(t, s, keymap.Prefix, "x", "kill-pane")
	configured(t, s, fmt.Sprintf(file, 4))
	for name, want := range map[string]string{"status-left": "mine", "update-environment": "MINE", "client-attached": "next-window"} {
		if v := s.option(globalSession, name); v != want {
			t.Errorf("%s: %q", name, v)
		}
	}
	if v := s.number(serverScope, "escape-time", 0); v != 4 {
		t.Errorf("escape-time %d", v)
	}
	if got := bound(t, s, keymap.Prefix, "x"); got != "kill-pane" {
		t.Errorf("x: %q", got)
	}
	configured(t, s, strings.NewReplacer("one", "two", `"A"`, `"B"`, `"last-pane"`, `"next-layout"`).Replace(fmt.Sprintf(file, 4)))
	for name, want := range map[string]string{"status-left": "two", "update-environment": "B", "client-attached": "next-layout"} {
		if v := s.option(globalSession, name); v != want {
			t.Errorf("%s: %q, want %q", name, v, want)
		}
	}
	if got := bound(t, s, keymap.Prefix, "x"); got != "next-layout" {
		t.Errorf("x: %q", got)
	}
}

// after is a server that takes over from one that has crashed, and finds a file of its own.
func after(t *testing.T, s *Server, now *config.Config) *Server {
	t.Helper()
	next := idle(t)
	im := image{Options: s.options.Changes(), Keys: s.keys.Changes(), Config: s.config.kept, Configured: s.config.kept != nil || s.config.have == nil}
	if next.config.read = now; now != nil {
		next.apply(now)
	}
	next.optionsOf(&im)
	return next
}

// TestACrashChangesNoSettings: neither those of the file nor those of commands, whatever has become of the file.
func TestACrashChangesNoSettings(t *testing.T) {
	s := idle(t)
	configured(t, s, "[options]\nstatus-left = \"one\"\nstatus-right = \"r\"\n[window-options]\nmode-keys = \"vi\"\n[keys.prefix]\nd = false\nx = \"last-pane\"\n[[session]]\nname = \"work\"\n[themes.sea]\nbar = \"red\"\n")
	if err := errors.Join(s.options.Set(globalSession).Set("status-right", "mine"), s.options.Set(globalWindow).Unset("mode-keys")); err != nil {
		t.Fatal(err)
	}
	bind(t, s, keymap.Prefix, "x", "kill-pane")
	same := s.config.have
	other, err := config.Parse("[options]\nstatus-left = \"new\"\nstatus-right = \"r\"\n", same.Path, config.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		now  *config.Config
		left string
		d    string
		keys string
	}{{"the same file", same, "one", "", "emacs"}, {"none, or a wrong one", nil, "one", "", "emacs"}, {"another one", other, "new", "detach-client", "emacs"}} {
		next := after(t, after(t, s, c.now), c.now)
		if v := next.option(globalSession, "status-left"); v != c.left {
			t.Errorf("%s: status-left %q, want %q", c.name, v, c.left)
		}
		if v := next.option(globalSession, "status-right"); v != "mine" {
			t.Errorf("%s: what a command has set is lost: %q", c.name, v)
		}
		if v := next.option(globalWindow, "mode-keys"); v != c.keys {
			t.Errorf("%s: mode-keys %q, want %q", c.name, v, c.keys)
		}
		if got := bound(t, next, keymap.Prefix, "d"); got != c.d {
			t.Errorf("%s: d: %q, want %q", c.name, got, c.d)
		}
		if got := bound(t, next, keymap.Prefix, "x"); got != "kill-pane" {
			t.Errorf("%s: x: %q", c.name, got)
		}
		if c.now == nil && (len(next.Declared()) != 1 || !slices.Contains(next.themeNames(), "sea")) {
			t.Errorf("%s: sessions %v, themes %v", c.name, next.Declared(), next.themeNames())
		}
	}
}

func TestVariablesOfADeclaredSessionAreFollowed(t *testing.T) {
	s := idle(t)
	configured(t, s, "[[session]]\nname = 'work'\nenv = { A = 'one', B = 'b', C = 'c', D = 'd' }\n")
	now := time.Now()
	open := func(name, declared string) *model.Session {
		ses, _, _, err := s.model.NewSession(model.SessionSpec{Name: name, Env: []string{"A=one", "B=b", "C=c", "D=d", "X"}, Declared: declared, Now: now}, model.PaneSpec{UID: name})
		if err != nil {
			t.Fatal(err)
		}
		return ses
	}
	ses, other := open("again", "work"), open("work", "") // the second has only the name
	e := command.SessionEnviron(ses)
	if v, _ := e.Find("A"); v.Value != "one" {
		t.Fatalf("A is %q", v.Value)
	}
	ses.Env = []string{"A=one", "B=mine", "C=c", "D=mine", "X"} // as commands change it
	configured(t, s, "[[session]]\nname = 'work'\nenv = { A = 'two', B = 'b', E = 'new' }\n")
	if got, want := strings.Join(ses.Env, " "), "A=two B=mine D=mine E=new X"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := strings.Join(other.Env, " "), "A=one B=b C=c D=d X"; got != want {
		t.Errorf("a session of the same name: %s, want %s", got, want)
	}
	configured(t, s, "")
	if got, want := strings.Join(ses.Env, " "), "B=mine D=mine X"; got != want {
		t.Errorf("without the declaration %s, want %s", got, want)
	}
}
