package shell

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// say are startup files that tell of themselves in a file.
func say(names ...string) map[string]string {
	files := map[string]string{}
	for _, n := range names {
		files[n] = "echo " + strings.TrimPrefix(filepath.Base(n), ".") + " >>~/order\n"
	}
	return files
}

// order is what the startup files have told, once the shell answers.
func order(t *testing.T, k Kind, s setting) string {
	t.Helper()
	d := newDrill(t, k, s)
	d.write("echo ready >>~/order\r")
	var b []byte
	d.until("the startup files", func(string) bool {
		b, _ = os.ReadFile(filepath.Join(d.home, "order"))
		return strings.Contains(string(b), "ready")
	})
	return strings.Join(strings.Fields(string(b)), " ")
}

func TestStartupFilesAreThoseOfTheShell(t *testing.T) {
	for name, c := range map[string]struct {
		kind  Kind
		files map[string]string
		env   []string
		argv0 string
		want  string
	}{
		"bash reads .bash_profile":            {kind: Bash, files: say(".bash_profile", ".bash_login", ".profile", ".bashrc"), want: "bash_profile ready"},
		"bash reads .bash_login":              {kind: Bash, files: say(".bash_login", ".profile", ".bashrc"), want: "bash_login ready"},
		"bash reads .profile":                 {kind: Bash, files: say(".profile", ".bashrc"), want: "profile ready"},
		"bash that is no login shell":         {kind: Bash, argv0: "bash", files: say(".profile", ".bashrc"), want: "bashrc ready"},
		"bash with an ENV of its own":         {kind: Bash, files: say(".profile", ".env"), env: []string{"ENV=~/.env"}, want: "profile ready"},
		"zsh reads four":                      {kind: Zsh, files: say(".zshenv", ".zprofile", ".zshrc", ".zlogin"), want: "zshenv zprofile zshrc zlogin ready"},
		"zsh that is no login shell":          {kind: Zsh, argv0: "zsh", files: say(".zshenv", ".zprofile", ".zshrc", ".zlogin"), want: "zshenv zshrc ready"},
		"zsh with a ZDOTDIR":                  {kind: Zsh, files: say(".z/.zshenv", ".z/.zprofile", ".z/.zshrc", ".z/.zlogin", ".zshenv", ".zshrc"), env: []string{"ZDOTDIR=~/.z"}, want: "zshenv zprofile zshrc zlogin ready"},
		"zsh whose .zshenv sets ZDOTDIR":      {kind: Zsh, files: with(say(".z/.zshenv", ".z/.zshrc", ".zshrc"), ".zshenv", "echo first >>~/order; export ZDOTDIR=~/.z\n"), want: "first zshrc ready"},
		"fish reads conf.d and config":        {kind: Fish, files: say(".config/fish/config.fish", ".config/fish/conf.d/a.fish"), want: "a.fish config.fish ready"},
		"fish finds what a vendor puts there": {kind: Fish, files: say(".config/fish/config.fish", "share/fish/vendor_conf.d/v.fish"), env: []string{"XDG_DATA_DIRS=~/share:/usr/share"}, want: "v.fish config.fish ready"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.kind == Zsh && c.files[".zshrc"] == "" {
				c.files[".zshrc"] = "\n" // else it asks a new user what to do
			}
			plain := order(t, c.kind, setting{files: c.files, env: c.env, argv0: c.argv0, plain: true})
			if plain != c.want {
				t.Fatalf("the shell by itself reads %q, the test thinks %q", plain, c.want)
			}
			if got := order(t, c.kind, setting{files: c.files, env: c.env, argv0: c.argv0}); got != c.want {
				t.Errorf("read %q, want %q", got, c.want)
			}
		})
	}
}

func with(m map[string]string, name, text string) map[string]string {
	m[name] = text
	return m
}

// What a shell passes on, and how it is set, must be what it would be without us.
func TestTheShellIsSetAsItWouldBe(t *testing.T) {
	ask := map[Kind]string{
		Bash: `{ env | sort | grep -v -e '^_=' -e '^SHLVL='; set -o; shopt; alias; trap; umask; echo "$0 $HISTFILE $PATH"; declare -F | grep -v __stet; compgen -v | grep -v -e stet -e '^PS0$' -e PROMPT_COMMAND -e '^BASH_' -e '^_$' -e PIPESTATUS -e FUNCNAME; } >~/state; echo ready >>~/state`,
		Zsh:  `{ env | sort | grep -v '^_='; set -o; alias; trap; umask; echo "$0 $HISTFILE $PATH"; print -l ${(ok)functions} | grep -v __stet; print -l ${(ok)parameters} | grep -v -e stet -e '_functions$' -e EPOCH -e '^epochtime' -e '^[#?$!*@_0-9-]$' } >~/state; echo ready >>~/state`,
		Fish: `begin; env | sort | grep -v '^_='; set -n | grep -v -e stet -e CMD_DURATION -e '^dir' -e '^line$'; functions -n | tr , '\n' | grep -v __stet; echo $fish_function_path; echo $fish_complete_path; umask; end >~/state; echo ready >>~/state`,
	}
	state := func(t *testing.T, k Kind, env []string, plain bool) string {
		d := newDrill(t, k, setting{files: none(k), env: env, plain: plain})
		d.write(ask[k] + "\r")
		var b []byte
		d.until("the state", func(string) bool {
			b, _ = os.ReadFile(filepath.Join(d.home, "state"))
			return strings.HasSuffix(string(b), "ready\n")
		})
		return strings.ReplaceAll(string(b), d.home, "~")
	}
	each(t, func(t *testing.T, k Kind) {
		for _, env := range [][]string{nil, {"ENV=/tmp/my env", "ZDOTDIR=~", "XDG_DATA_DIRS=/usr/share:/opt/x", "HISTFILE=~/hist"}} {
			want, got := state(t, k, env, true), state(t, k, env, false)
			if want == got {
				continue
			}
			w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
			for len(w) > 0 && len(g) > 0 && w[0] == g[0] {
				w, g = w[1:], g[1:]
			}
			for len(w) > 0 && len(g) > 0 && w[len(w)-1] == g[len(g)-1] {
				w, g = w[:len(w)-1], g[:len(g)-1]
			}
			t.Errorf("%v: it has\n%s\nand would have\n%s", env, strings.Join(g, "\n"), strings.Join(w, "\n"))
		}
	})
}

func TestAShellStartsWhereTheScriptsAreGone(t *testing.T) {
	base := t.TempDir()
	first, err := Install(base)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	again, err := Install(base)
	if err != nil || again != first {
		t.Fatalf("%s, %v; before %s", again, err, first)
	}
	script := filepath.Join(again, "stet.bash")
	if err := os.WriteFile(script, []byte("spoilt"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Install(base); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(script); string(b) != Script(Bash) {
		t.Error("a script that somebody has changed stays")
	}
	if err := os.Chmod(again, 0o777); err != nil {
		t.Fatal(err)
	}
	os.Remove(script)
	if _, err := Install(base); err == nil {
		t.Error("a directory in which others can write is used")
	}
	if _, err := Install(filepath.Join(base, "x\x00y")); err == nil {
		t.Error("an impossible directory is used")
	}
}

func TestOldVersionsAreSweptButNotTheRecent(t *testing.T) {
	base := t.TempDir()
	for _, v := range []string{"a", "b", "c", "d", "e", "f"} {
		if err := os.MkdirAll(filepath.Join(base, Dir, v), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := Install(base)
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadDir(filepath.Join(base, Dir))
	if err != nil || len(list) > keptVersions+1 {
		t.Fatalf("%d versions are kept, %v", len(list), err)
	}
	if _, err := os.Stat(filepath.Join(dir, "stet.bash")); err != nil {
		t.Error(err)
	}
	if err := Remove(base); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(base, Dir)); err == nil {
		t.Error("the scripts are still there")
	}
}

func TestWhichShellsGetAScript(t *testing.T) {
	for path, want := range map[string]Kind{
		"/bin/bash": Bash, "/usr/local/bin/zsh-5.9": Zsh, "fish": Fish, "/bin/sh": None, "/bin/dash": None, "/bin/bashful": None, "/bin/rbash": None, "": None,
	} {
		if got := Of(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for value, want := range map[string]bool{"on": true, "off": false, "zsh": true, "bash,zsh": true, "bash": false, "bash fish": false, "": false} {
		if Set(value, Zsh) != want {
			t.Errorf("%q: %v", value, !want)
		}
	}
	plain := func(k Kind, argv []string, env ...string) {
		t.Helper()
		r := Request{Path: "/bin/" + string(k), Argv: argv, Env: env, Token: token}
		if r.Start(k, "/d") {
			t.Errorf("%v %v gets a script: %v", argv, env, r)
		}
		if strings.Join(r.Env, ",") != strings.Join(env, ",") {
			t.Errorf("the environment is %v", r.Env)
		}
	}
	plain(Bash, []string{"bash", "-c", "x"})
	plain(Bash, []string{"-bash"}, "POSIXLY_CORRECT=y")
	plain(Bash, []string{"-bash"}, "BASH_FUNC_a-b%%=() { :; }")
	plain(None, []string{"-sh"})
	r := Request{Path: "/bin/bash", Argv: []string{"-bash"}, Env: []string{"BASH_FUNC_ml%%=() { :; }", "STET_SHELL_WAS=old"}, Token: token}
	if !r.Start(Bash, "/d") || strings.Contains(strings.Join(r.Env, " "), "old") {
		t.Errorf("%v", r)
	}
}
