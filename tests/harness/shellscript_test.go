package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// A shell that was not given its script evaluates it: one in a shell, and one in the place of a shell.
func TestAShellEvaluatesItsScript(t *testing.T) {
	t.Parallel()
	for _, shell := range allShells {
		t.Run(shell, func(t *testing.T) {
			w := shellWorld(t, shell, "")
			load := `eval "$(` + w.bin + ` shell-integration ` + shell + `)"`
			if shell == "fish" {
				load = w.bin + " shell-integration fish | source"
			}
			w.Run("set-option", "-g", "shell-integration", "off")
			w.Run("respawn-pane", "-k", "-t", "s:")
			w.Run("send-keys", "-t", "s:", "-l", load+`; echo load''ed`)
			w.Run("send-keys", "-t", "s:", "Enter")
			w.Wait("it is loaded", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "s:"), "\nloaded") })
			w.at("its directory", "#{m:*home,#{pane_path}}", "1")
			w.enter("sh -c 'exit 3'", "sh -c 'exit 3'", "3")
		})
	}
}

// The doctor says whether the shell speaks, and why it does not.
func TestTheDoctorLooksAtTheShell(t *testing.T) {
	t.Parallel()
	w := shellWorld(t, "bash", "")
	says := func(want string) {
		t.Helper()
		w.Run("send-keys", "-t", "s:", "-l", "clear; "+w.bin+" doctor | grep 'shell marks' | tr -d '\\n'; echo ' do''ne'")
		w.Run("send-keys", "-t", "s:", "Enter")
		var shown string
		defer func() {
			if t.Failed() {
				t.Log(shown)
			}
		}()
		w.Wait("the doctor says "+want, func() bool {
			shown = strings.ReplaceAll(w.Run("capture-pane", "-p", "-J", "-t", "s:"), "\n", "")
			return strings.Contains(shown, want) && strings.Contains(shown, " done")
		})
	}
	says("the shell of this pane speaks")
	w.Run("set-option", "-g", "shell-integration", "zsh")
	says("the option shell-integration is zsh")
	w.Run("set-option", "-g", "shell-integration", "on")
	w.Run("set-option", "-g", "default-command", "bash --norc")
	says("panes run the default-command, bash --norc")
	w.Run("set-option", "-g", "default-command", "")
	w.Run("set-option", "-g", "default-shell", "/bin/sh")
	says("there is no script for /bin/sh")
	w.Run("set-option", "-g", "shell-integration", "off")
	w.Run("set-option", "-g", "default-shell", "/bin/bash")
	w.Run("respawn-pane", "-k", "-t", "s:")
	w.Run("set-option", "-g", "shell-integration", "on")
	says("the shell of this pane is silent")
}

// A command that took long and that nobody sees is told of when it ends, without its text.
func TestLongCommandsAreToldOf(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24, "new-session", "-s", "work", "-n", "first", "cat")
	c.WaitFor("first")
	over := func(window, text, status, took string) {
		w.Run("new-window", "-d", "-t", "work:", "-n", window, `printf '\033]133;C;cmdline_url=`+text+`\007'; sleep 0.2; printf '\033]133;D;`+status+`;took=`+took+`\007'; exec cat`)
	}
	over("short", "secret", "0", "29000") // shorter than the default
	over("build", "secret", "0", "65000")
	c.Wait("the end", func(string) bool {
		return len(c.Noted()) > 0 && c.Noted()[0] == "command finished after 1m5s (work:2 build)"
	})
	over("tests", "secret", "2", "31000")
	c.Wait("the failure", func(string) bool {
		n := c.Noted()
		return len(n) > 1 && n[1] == "command failed with status 2 after 31s (work:3 tests)"
	})
	w.Run("set-option", "-g", "command-notify-time", "0")
	over("never", "secret", "0", "99000")
	w.Wait("its end", func() bool {
		return strings.TrimSpace(w.Try("display-message", "-p", "-t", "work:never", "#{pane_last_duration}").Out) == "99000"
	})
	w.Run("set-option", "-g", "command-notify-time", "1")
	over("again", "secret", "0", "2000")
	c.Wait("the next", func(string) bool {
		n := c.Noted()
		return len(n) > 2 && n[2] == "command finished after 2s (work:5 again)"
	})
	if got := strings.Join(c.Noted(), "\n"); strings.Contains(got, "secret") {
		t.Errorf("told %q", got)
	}
}

// What a shell told of its directory and branch is no longer believed when another shell has its pane.
func TestARestoredShellHasToldNothingYet(t *testing.T) {
	w := New(t)
	dir := filepath.Join(w.Dir, "home")
	w.Run("new-session", "-d", "-s", "s", "-c", dir, "sh")
	w.Run("send-keys", "-t", "s:", "-l", `printf '\033]7;file://%s%s\007\033]7727;topic\007' "$(hostname)" "$PWD"`)
	w.Run("send-keys", "-t", "s:", "Enter")
	w.at("what is told", "#{m:*home,#{pane_path}} #{pane_branch}", "1 topic")
	w.Run("set-option", "-g", "default-shell", "/bin/sh")
	reboot(w)
	w.Wait("the restored pane", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "s:"), "──") })
	w.at("what was told before", ".#{pane_path}#{pane_branch}.", "..")
}

// insides are shells behind ssh and sudo as people have them: a prompt of lines, their own command before it, vi mode, set -u. Fish has
// vi mode from its files alone: see TestEverySituation in resurrect/shell.
var insides = []struct {
	shell   string
	args    string // with which it reads no file
	setting string // what is typed into it first
	load    string // evaluates the script that the rest of the line prints
}{
	{"bash", "--norc --noprofile", `set -u; set -o vi; PS1='one\ntwo> '; PROMPT_COMMAND='was=$?'`, `eval "$(%s shell-integration --remote bash)"`},
	{"zsh", "-f", `set -u; bindkey -v; PROMPT=$'one\ntwo> '; precmd() { was=$? }`, `eval "$(%s shell-integration --remote zsh)"`},
	{"fish", "--no-config", `function fish_prompt; printf 'one\ntwo> '; end`, `%s shell-integration --remote fish | source`},
}

// Behind ssh and sudo, which pass nothing of the environment on, the script speaks where it is told to.
func TestRemoteShellsEvaluateTheirScript(t *testing.T) {
	t.Parallel()
	t.Run("sudo -s", func(t *testing.T) {
		needsSudo(t)
		w := shellWorld(t, "bash", "")
		remoteShell(t, w, "sudo -s", "", insides[0].load)
	})
	for _, in := range insides {
		if _, err := exec.LookPath(in.shell); err != nil {
			t.Logf("%s is not installed", in.shell)
			continue
		}
		t.Run("sudo "+in.shell, func(t *testing.T) {
			needsSudo(t)
			w := shellWorld(t, "bash", "")
			remoteShell(t, w, "sudo "+in.shell+" "+in.args, in.setting, in.load)
		})
		t.Run("ssh "+in.shell, func(t *testing.T) {
			w := shellWorld(t, "bash", "")
			remoteShell(t, w, sshd(t, w, in.shell+" "+in.args+" -i"), in.setting, in.load)
		})
		t.Run("in a "+in.shell, func(t *testing.T) {
			w := shellWorld(t, "bash", "")
			remoteShell(t, w, "env -u STET_SHELL_INTEGRATION "+in.shell+" "+in.args, in.setting, in.load)
		})
	}
}

func needsSudo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("sudo"); err != nil || os.Getuid() != 0 {
		t.Skip("sudo is not installed, or asks for a password")
	}
}

// remoteShell opens a shell by a line, gives it a setting, integrates it, and looks at what it tells.
func remoteShell(t *testing.T, w *World, line, setting, load string) {
	t.Helper()
	typed := func(text string) {
		t.Helper()
		w.Run("send-keys", "-t", "s:", "-l", text)
		w.Run("send-keys", "-t", "s:", "Enter")
	}
	w.at("a prompt", "#{?pane_path,yes,no}", "yes")
	typed(line)
	w.at("that shell", "#{pane_command}", line)
	if setting != "" {
		typed(setting + "; echo se''t")
		w.Wait("it is set", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "s:"), "\nset") })
	}
	typed(fmt.Sprintf(load, w.bin) + "; echo in''side")
	w.Wait("it is loaded", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "s:"), "\ninside") })
	typed("sh -c 'echo far away; exit 5'")
	w.at("its command", "#{pane_last_status} #{pane_last_command}", "5 sh -c 'echo far away; exit 5'")
	w.at("what runs all the same", "#{pane_command}", line)
	if got := w.Run("last-output", "-t", "s:"); got != "far away" {
		t.Errorf("output %q", got)
	}
	typed("sleep 0.3")
	w.at("the time it took", "#{pane_last_command} #{pane_last_status} #{e|>=:#{pane_last_duration},300}", "sleep 0.3 0 1")
	typed("exit 6")
	w.at("its end", "#{pane_command_running}", "0")
	w.enter("(exit 4)", "(exit 4)", "4")
}

// sshd runs a server for this test on a port of the loopback interface and returns the line that opens a shell
// there, which is given. Its keys are its own.
func sshd(t *testing.T, w *World, shell string) string {
	t.Helper()
	server, err := exec.LookPath("sshd")
	if err != nil {
		server = "/usr/sbin/sshd"
	}
	for _, need := range []string{server, "ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("%s is not installed: shells behind ssh are not tried", need)
		}
	}
	if _, err := os.Stat("/run/sshd"); err != nil && os.Getuid() == 0 { // it does not start without
		const with = "mount -t tmpfs none /run && mkdir -m 755 /run/sshd"
		if out, err := exec.Command("unshare", "-m", "sh", "-c", with).CombinedOutput(); err != nil {
			t.Skipf("/run/sshd is not there, and cannot be had in a mount namespace: %v: %s", err, out)
		}
		server = "unshare -m sh -c '" + with + ` && exec "$@"' - ` + server
	}
	dir := t.TempDir()
	for _, key := range []string{"host", "user"} {
		if out, err := exec.Command("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(dir, key)).CombinedOutput(); err != nil {
			t.Fatalf("ssh-keygen: %v: %s", err, out)
		}
	}
	public, err := os.ReadFile(filepath.Join(dir, "user.pub"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "authorized"), public, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	// The client starts it for its one connection and talks to it through a pipe: there is no port that
	// another program could have, and nothing to end.
	config := strings.Join([]string{"HostKey " + dir + "/host", "AuthorizedKeysFile " + dir + "/authorized", "StrictModes no", "UsePAM no", "PasswordAuthentication no", "PidFile none", "PrintMotd no", "PrintLastLog no", ""}, "\n")
	if err := os.WriteFile(filepath.Join(dir, "config"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	client := strings.Join([]string{
		"Host there", "HostName 127.0.0.1", "ProxyCommand " + server + " -i -f " + dir + "/config 2>" + strconv.Quote(dir+"/log"), "IdentityFile " + dir + "/user", "IdentitiesOnly yes",
		"StrictHostKeyChecking no", "UserKnownHostsFile /dev/null", "LogLevel ERROR", "RequestTTY force", "",
	}, "\n")
	if err := os.WriteFile(filepath.Join(dir, "client"), []byte(client), 0o600); err != nil {
		t.Fatal(err)
	}
	// The user's own files are not those of this test: the shell reads none.
	return "ssh -F " + dir + "/client there 'exec " + shell + "'"
}
