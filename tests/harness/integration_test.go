package harness

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// shellWorld is a world whose panes run a shell that is integrated.
func shellWorld(t *testing.T, shell string, rc string) *World {
	t.Helper()
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("%s is not installed", shell)
	}
	w := New(t)
	w.Env = append(w.Env, "SHELL="+path, "HISTFILE="+filepath.Join(w.Dir, "home", "hist"))
	files := map[string]string{"bash": ".bash_profile", "zsh": ".zshrc", "fish": ".config/fish/config.fish"}
	file := filepath.Join(w.Dir, "home", files[shell])
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	// Without this directory fish would begin to make completions of all manual pages.
	if err := os.MkdirAll(filepath.Join(w.Dir, "home", ".local/share/fish/generated_completions"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(rc+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("new-session", "-d", "-s", "s", "-x", "90", "-y", "24", "-c", filepath.Join(w.Dir, "home"))
	w.at("a prompt", "#{m:*home,#{pane_path}}", "1")
	return w
}

func (w *World) ask(format string) string {
	w.T.Helper()
	return strings.TrimSpace(w.Run("display-message", "-p", "-t", "s:", format))
}

func (w *World) at(what, format, want string) {
	w.T.Helper()
	w.Wait(what+": "+format+" is "+want, func() bool { return strings.TrimSpace(w.Try("display-message", "-p", "-t", "s:", format).Out) == want })
}

// enter types a line and waits for its end, as the shell tells it.
func (w *World) enter(line, command, status string) {
	w.T.Helper()
	w.Run("send-keys", "-t", "s:", "-l", line)
	w.Run("send-keys", "-t", "s:", "Enter")
	w.at("the end of "+line, "#{pane_command_running} #{pane_last_status} #{pane_last_command}", "0 "+status+" "+command)
}

var allShells = []string{"bash", "fish", "zsh"}

func TestShellsTellWhereTheyAre(t *testing.T) {
	t.Parallel()
	for _, shell := range allShells {
		t.Run(shell, func(t *testing.T) {
			w := shellWorld(t, shell, "")
			home := filepath.Join(w.Dir, "home")
			w.enter("sh -c 'echo hello; exit 7'", "sh -c 'echo hello; exit 7'", "7")
			if got := w.Run("last-output", "-t", "s:"); got != "hello" {
				t.Errorf("output %q", got)
			}
			w.enter("sleep 0.3", "sleep 0.3", "0")
			if got := w.ask("#{pane_last_duration}"); len(got) < 3 || len(got) > 5 || got < "300" && len(got) == 3 {
				t.Errorf("sleep 0.3 took %q ms", got)
			}
			w.Run("send-keys", "-t", "s:", "cat", "Enter")
			w.at("a command that runs", "#{pane_command_running} #{pane_command}", "1 cat")
			if got := w.ask("#{pane_command_started}"); len(got) != 10 {
				t.Errorf("it runs since %q", got)
			}
			w.KillServer()
			w.at("it after a crash", "#{pane_command_running} #{pane_command}", "1 cat")
			w.Run("send-keys", "-t", "s:", "C-d")
			w.at("its end", "#{pane_command_running} #{pane_last_command}", "0 cat")
			dir := filepath.Join(home, "a b", ".git")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "HEAD"), []byte("ref: refs/heads/topic\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			w.enter("cd 'a b'", "cd 'a b'", "0")
			w.at("directory and branch", "#{b:pane_path} #{pane_branch}", "a b topic")

			var out struct {
				Command  string   `json:"command"`
				Status   int      `json:"status"`
				Duration int      `json:"duration_ms"`
				Lines    []string `json:"lines"`
			}
			text := w.Run("last-output", "-n", "4", "--json", "-t", "s:")
			if err := json.Unmarshal([]byte(text), &out); err != nil || out.Status != 7 || !slices.Equal(out.Lines, []string{"hello"}) || !strings.Contains(out.Command, "exit 7") {
				t.Errorf("%s: %v", text, err)
			}

			// Of a shell in the shell only its being there is told: it has the environment of any program.
			w.Run("send-keys", "-t", "s:", "env PS1='in> ' sh -i", "Enter")
			w.at("the shell in the shell", "#{pane_command}", "env PS1='in> ' sh -i")
			w.Wait("its prompt", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "s:"), "\nin>") })
			w.Run("send-keys", "-t", "s:", "(exit 9)", "Enter", "exit 4", "Enter")
			w.at("its end", "#{pane_command_running} #{pane_last_status}", "0 4")

			// The panes that start later are the option's.
			w.Run("set-option", "-g", "shell-integration", "off")
			w.Run("split-window", "-t", "s:", "-c", home)
			w.Run("send-keys", "-t", "s:", "echo he''re", "Enter")
			w.Wait("the other shell", func() bool {
				return regexp.MustCompile(`(?m)^here`).MatchString(w.Run("capture-pane", "-p", "-t", "s:"))
			})
			if got := w.ask("#{pane_last_command}#{pane_path}"); got != "" {
				t.Errorf("a shell that is not integrated tells %q", got)
			}
			if r := w.Try("last-output", "-t", "s:"); r.Code == 0 || !strings.Contains(r.Err, "shell-integration") {
				t.Errorf("%+v", r)
			}
			if r := w.Try("set-option", "-g", "shell-integration", "csh"); r.Code == 0 || !strings.Contains(r.Err, "csh") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// What the shell has told comes back with the screen: prompts, commands, how they ended, how long they took.
// The commands of the pane are the newest in its shell's history.
func TestCommandsComeBackAfterARestart(t *testing.T) {
	t.Parallel()
	for _, shell := range allShells {
		t.Run(shell, func(t *testing.T) {
			w := shellWorld(t, shell, "")
			w.enter("sh -c 'echo be''fore; exit 3'", "sh -c 'echo be''fore; exit 3'", "3")
			took := w.ask("#{pane_last_duration}")
			w.Run("send-keys", "-t", "s:", "cat", "Enter")
			w.at("a command that runs", "#{pane_command}", "cat")
			reboot(w)
			w.Wait("a prompt beneath the divider", func() bool {
				return regexp.MustCompile(`(?ms)^──[^\n]*\n.*[#$%>] *$`).MatchString(w.Run("capture-pane", "-p", "-t", "s:"))
			})
			w.at("what ran before", "#{pane_command_running}", "0")
			var out struct {
				Command  string   `json:"command"`
				Status   *int     `json:"status"`
				Duration *int     `json:"duration_ms"`
				Lines    []string `json:"lines"`
			}
			read := func(n string) {
				t.Helper()
				out.Status, out.Duration = nil, nil
				if err := json.Unmarshal([]byte(w.Run("last-output", "-n", n, "--json", "-t", "s:")), &out); err != nil {
					t.Fatal(err)
				}
			}
			read("1")
			if out.Command != "cat" || out.Status != nil || out.Duration != nil {
				t.Errorf("what ran comes back as %+v", out)
			}
			read("2")
			if out.Status == nil || *out.Status != 3 || !slices.Equal(out.Lines, []string{"before"}) {
				t.Errorf("%+v", out)
			}
			if shell != "fish" {
				w.Run("send-keys", "-t", "s:", "Up", "Up", "Enter")
				w.at("the command before the restart", "#{pane_last_status} #{pane_last_command}", "3 sh -c 'echo be''fore; exit 3'")
			}
			if out.Duration == nil {
				t.Fatalf("%+v", out)
			}
			if got := strconv.Itoa(*out.Duration); got != took {
				t.Errorf("it took %s ms before, and %s now", took, got)
			}
			w.Run("send-keys", "-t", "s:", "C-l")
			w.Run("copy-mode", "-t", "s:")
			w.Run("send-keys", "-t", "s:", "-X", "history-top")
			w.Run("send-keys", "-t", "s:", "-X", "next-prompt", "-o")
			w.Run("send-keys", "-t", "s:", "-X", "select-output")
			w.Run("send-keys", "-t", "s:", "-X", "copy-selection-and-cancel")
			w.WaitOutput("before", "show-buffer")
		})
	}
}

func TestOtherUsersShells(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("su asks for a password")
	}
	w := shellWorld(t, "bash", "")
	for _, line := range []string{"su -c 'exit 4'", "env -i HOME=$HOME TERM=$TERM bash -lc 'exit 5'"} {
		w.enter(line, line, string(line[strings.Index(line, "exit ")+5]))
	}
	inner := []string{"su"}
	if _, err := exec.LookPath("sudo"); err == nil {
		inner = append(inner, "sudo -s")
	} else {
		t.Log("sudo is not installed")
	}
	for _, line := range inner {
		w.Run("send-keys", "-t", "s:", line, "Enter")
		w.at("that shell", "#{pane_command}", line)
		w.Run("send-keys", "-t", "s:", "echo in''side $0; exit 6", "Enter")
		w.at("its end", "#{pane_command_running} #{pane_last_status} #{pane_last_command}", "0 6 "+line)
	}
}
