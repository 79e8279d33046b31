package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMarkedCommands(t *testing.T) {
	mark := func(id, text string) string { return "\x1b]133;C;aid=" + id + ";cmdline_url=" + text + "\x1b\\output" }
	history := []string{mark("me", "one"), "text", mark("other", "not mine"), mark("me", "two%3B 50%25"), mark("me", "two%3B 50%25")}
	screen := []string{mark("me", "three%0Afour") + mark("me", "five;start=17"), mark("me", "bad%"), mark("me", "bad%zz"), mark("me", "bad%1B")}
	if got, want := Marked("me", 10, history, screen), []string{"one", "two; 50%", "three\nfour", "five"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got, want := Marked("me", 2, history, screen), []string{"three\nfour", "five"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := Marked("me", 0, history, screen); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// The pane's own commands are the newest in the history, and are not written to the user's file once more.
func TestRecentCommandsAreOnTopOfTheHistory(t *testing.T) {
	own := []string{"echo my own 日本 à", "echo two\necho lines", "echo last of mine"}
	for name, c := range map[string]struct {
		kind Kind
		rc   string
		list string
	}{
		"bash":                    {Bash, "HISTFILE=~/hist\n", "history 4 >~/list"},
		"bash, times":             {Bash, "HISTFILE=~/hist\nHISTTIMEFORMAT='%F '\n", "history 4 >~/list"},
		"bash, histappend":        {Bash, "HISTFILE=~/hist\nshopt -s histappend\nPROMPT_COMMAND='history -a'\n", "history 4 >~/list"},
		"zsh":                     {Zsh, "HISTFILE=~/hist\nHISTSIZE=100\nSAVEHIST=100\n", "fc -l -4 >~/list"},
		"zsh, share_history":      {Zsh, "HISTFILE=~/hist\nHISTSIZE=100\nSAVEHIST=100\nsetopt share_history\n", "fc -l -4 >~/list"},
		"zsh, inc_append_history": {Zsh, "HISTFILE=~/hist\nHISTSIZE=100\nSAVEHIST=100\nsetopt inc_append_history\n", "fc -l -4 >~/list"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "recent")
			if err := os.WriteFile(file, Recent(c.kind, own), 0o600); err != nil {
				t.Fatal(err)
			}
			files := rc(c.kind, c.rc)
			files["hist"] = "echo shared one\necho shared two\n"
			d := newDrill(t, c.kind, setting{files: files, recent: file})
			d.prompts(1)
			d.run("echo new one")
			d.run(c.list)
			b, err := os.ReadFile(filepath.Join(d.home, "list"))
			if err != nil {
				t.Fatal(err)
			}
			list := string(b)
			if !strings.Contains(list, "echo last of mine") || strings.Index(list, "echo last of mine") > strings.Index(list, "echo new one") {
				t.Errorf("the history ends with\n%s", list)
			}
			if c.kind == Zsh && !strings.Contains(list, "two\\necho lines") {
				t.Errorf("the history ends with\n%s", list)
			}
			d.write("\x10\x10\x10\r") // C-p three times: past the two commands of this shell
			d.until("the last own command again", func(text string) bool {
				return strings.Count(text, "last of mine") >= 1 && strings.Contains(text, "\nlast of mine") || strings.Contains(text, "\alast of mine")
			})
			d.write("exit\r")
			d.until("the history file", func(string) bool {
				b, _ := os.ReadFile(filepath.Join(d.home, "hist"))
				return strings.Contains(string(b), "echo new one")
			})
			b, _ = os.ReadFile(filepath.Join(d.home, "hist"))
			if s := string(b); strings.Contains(s, "my own") || strings.Count(s, "shared one") != 1 {
				t.Errorf("the user's file is\n%s", s)
			}
		})
	}
	if b := Recent(Fish, own); len(b) > 0 {
		t.Errorf("%q", b)
	}
	if got := string(Recent(Bash, []string{"a\nb", `c\`, "d"})); got != "d\n" {
		t.Errorf("%q", got)
	}
}
