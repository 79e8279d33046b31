// Package boot is the unit by which systemd starts a server with the user's manager, so that the workspace
// comes back after a reboot without anybody who attaches.
//
// Promised: a file that is not ours, or that somebody has changed, is neither overwritten nor removed; what is
// written is there as a whole or not at all; doing it again changes nothing. The package starts nothing but
// systemctl, and owns no state. Elsewhere it can tell what would do the same.
package boot

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Service is what is to be started, and where it is noted.
type Service struct {
	Server string   // name of the server; "" the usual one
	Exe    string   // absolute path of the program
	Env    []string // NAME=value, for the server
	Dir    string   // of the units of the user
	// Systemctl runs systemctl --user and gives what it prints; nil is the real one.
	Systemctl func(args ...string) (string, error)
}

// UnitDir is where the units of a user are; "" where that is not known.
func UnitDir(getenv func(string) string) string {
	if dir := getenv("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "systemd", "user")
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".config", "systemd", "user")
	}
	return ""
}

// kept are the variables that decide where a server has its files, and by which programs are found: the user's
// manager has another environment than a shell.
var kept = [...]string{"PATH", "LANG", "LC_ALL", "LC_CTYPE", "SHELL", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "STET_STATE_DIR", "STET_RUNTIME_DIR"}

// Environment is what the server takes along of a shell's environment.
func Environment(getenv func(string) string) []string {
	var env []string
	for _, name := range kept {
		if v := getenv(name); v != "" && !strings.ContainsAny(v, "\n\x00") {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// Executable is the path by which the program can be found later, also after an upgrade: the name it was called
// by, if that is the same file, for a link that packages move is better than where it leads now. It refuses a
// program that will not be there then.
func Executable(called, exe string) (string, error) {
	if strings.HasSuffix(exe, " (deleted)") {
		return "", fmt.Errorf("the program that runs is no longer at %s: call the one that is installed now", strings.TrimSuffix(exe, " (deleted)"))
	}
	for _, part := range strings.Split(exe, "/") {
		if strings.HasPrefix(part, "go-build") {
			return "", fmt.Errorf("%s is a program of \"go run\" and goes away with it: \"go build\" one that stays, and call \"service install\" of that", exe)
		}
	}
	if strings.ContainsAny(exe, "\"'\\\n") {
		return "", fmt.Errorf("systemd starts no program with quotes or backslashes in its path: %s", exe)
	}
	have, err := os.Stat(exe)
	if err != nil {
		return "", fmt.Errorf("the program is not where it was started from: %w", err)
	}
	if path, err := exec.LookPath(called); err == nil && !strings.ContainsAny(path, "\"'\\\n") {
		if path, err = filepath.Abs(path); err == nil {
			if info, err := os.Stat(path); err == nil && os.SameFile(info, have) {
				return path, nil
			}
		}
	}
	return exe, nil
}

// Unit is the name of the unit.
func (s *Service) Unit() string {
	if s.Server == "" {
		return "stet.service"
	}
	return "stet-" + escape(s.Server) + ".service"
}

// Path is the file of the unit.
func (s *Service) Path() string { return filepath.Join(s.Dir, s.Unit()) }

// escape makes a server's name a part of a unit's name, as systemd-escape does.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '.' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	return b.String()
}

// The first lines of our files. The sum is of what follows them, so that a change by hand is seen.
const (
	mark    = "# Written by \"stet service install\", and taken away by \"stet service uninstall\". Changes belong into a drop-in (systemctl --user edit).\n"
	sumMark = "# sha256 of what follows: "
)

// Text is the unit.
func (s *Service) Text() string {
	var b strings.Builder
	b.WriteString(`[Unit]
Description=stet: brings back the workspace when the machine starts
Documentation=man:stet(1)
# Programs that are brought back may want them.
After=dbus.socket ssh-agent.service ssh-agent.socket gpg-agent-ssh.socket

[Service]
# The command ends when the workspace is back; the programs live in a scope of their own.
Type=oneshot
RemainAfterExit=yes
# Where they cannot get one they are in this unit, and neither its stop nor its restart may end them.
KillMode=process
OOMPolicy=continue
TimeoutStartSec=5min
TimeoutStopSec=20s
`)
	for _, e := range s.Env {
		fmt.Fprintf(&b, "Environment=%s\n", quote(e, false))
	}
	fmt.Fprintf(&b, "ExecStart=%s start-server\n# What is not saved yet, at a shutdown. Nothing ends by it.\nExecStop=-%s flush\n\n[Install]\nWantedBy=default.target\n", s.command(), s.command())
	text := b.String()
	return mark + sumMark + fmt.Sprintf("%x\n", sha256.Sum256([]byte(text))) + text
}

func (s *Service) command() string {
	line := quote(s.Exe, false) // variables are not replaced in the program's name
	if s.Server != "" {
		line += " -L " + quote(s.Server, true)
	}
	return line
}

// quote writes a word as systemd reads it back. In a command line it also replaces variables.
func quote(s string, command bool) string {
	s = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "\t", `\t`, "\n", `\n`).Replace(s)
	if command {
		s = strings.ReplaceAll(s, "$", "$$")
	}
	return `"` + s + `"`
}

// ours tells whether a file's text is as we have written it, whatever it says.
func ours(text []byte) bool {
	rest, ok := bytes.CutPrefix(text, []byte(mark+sumMark))
	if !ok {
		return false
	}
	sum, rest, ok := bytes.Cut(rest, []byte("\n"))
	return ok && string(sum) == fmt.Sprintf("%x", sha256.Sum256(rest))
}

// ErrForeign says that a file is in the way that we have not written, or that somebody has changed.
var ErrForeign = errors.New("it is not as stet has written it")

// maxUnit bounds a file that is looked at, in bytes.
const maxUnit = 1 << 20

// look reads the file that is there; nil none.
func (s *Service) look() ([]byte, error) {
	info, err := os.Lstat(s.Path())
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxUnit {
		return nil, fmt.Errorf("%s: %w", s.Path(), ErrForeign)
	}
	return os.ReadFile(s.Path())
}

func (s *Service) systemctl(args ...string) (string, error) {
	if s.Systemctl != nil {
		return s.Systemctl(args...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, "systemctl", append([]string{"--user"}, args...)...)
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	text := strings.TrimSpace(string(out))
	if err != nil && text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	return text, err
}

// Install writes the unit and has it started with the user's manager. changed is false when all of that was so
// already. Where the manager does not answer nothing is written.
func (s *Service) Install() (changed bool, err error) {
	have, err := s.look()
	switch {
	case err != nil:
		return false, err
	case have != nil && !ours(have):
		return false, fmt.Errorf("%s: %w; move it away, or keep it", s.Path(), ErrForeign)
	}
	if _, err := s.systemctl("daemon-reload"); err != nil {
		return false, fmt.Errorf("the user's manager does not answer, so nothing was written: systemctl --user daemon-reload: %w", err)
	}
	if text := s.Text(); string(have) != text {
		if err := write(s.Path(), text); err != nil {
			return false, err
		}
		changed = true
		if _, err := s.systemctl("daemon-reload"); err != nil {
			return changed, fmt.Errorf("%s is written, but systemctl --user daemon-reload: %w", s.Path(), err)
		}
	}
	if state, err := s.systemctl("is-enabled", s.Unit()); err != nil || state != "enabled" {
		if _, err := s.systemctl("enable", s.Unit()); err != nil {
			return changed, fmt.Errorf("%s is written, but systemctl --user enable %s: %w", s.Path(), s.Unit(), err)
		}
		changed = true
	}
	return changed, nil
}

// write puts a file in place as a whole.
func write(path, text string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".stet-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // there is none any more when all went well
	_, err = f.WriteString(text)
	err = errors.Join(err, f.Chmod(0o644), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Uninstall takes the unit away. What runs goes on. changed is false when there was none.
func (s *Service) Uninstall() (changed bool, err error) {
	have, err := s.look()
	switch {
	case err != nil:
		return false, err
	case have == nil:
		return false, nil
	case !ours(have):
		return false, fmt.Errorf("%s: %w; remove it yourself if it is not wanted", s.Path(), ErrForeign)
	}
	if _, err := s.systemctl("disable", s.Unit()); err != nil {
		return false, fmt.Errorf("systemctl --user disable %s: %w; nothing was removed", s.Unit(), err)
	}
	if err := os.Remove(s.Path()); err != nil {
		return false, err
	}
	if _, err := s.systemctl("daemon-reload"); err != nil {
		return true, fmt.Errorf("%s is removed, but systemctl --user daemon-reload: %w", s.Path(), err)
	}
	return true, nil
}

// Status is how the unit stands. The words of systemd are as it says them, "" where it does not answer.
type Status struct {
	Unit      string `json:"unit"`
	Path      string `json:"path"`
	Installed bool   `json:"installed"`
	Ours      bool   `json:"ours"`    // it is as stet has written it
	Current   bool   `json:"current"` // it says what an install would write now
	Enabled   string `json:"enabled"` // "enabled", "disabled", …
	Active    string `json:"active"`  // "active", "inactive", "failed", …
	Problem   string `json:"problem,omitempty"`
}

// Well says that the workspace will come back.
func (st *Status) Well() bool {
	return st.Installed && st.Problem == "" && (st.Enabled == "enabled" || st.Enabled == "")
}

// Status looks, and changes nothing.
func (s *Service) Status() Status {
	st := Status{Unit: s.Unit(), Path: s.Path()}
	have, err := s.look()
	switch {
	case err != nil:
		st.Installed, st.Problem = true, err.Error()
		return st
	case have == nil:
		st.Problem = "it is not installed: stet service install"
		return st
	}
	st.Installed, st.Ours, st.Current = true, ours(have), string(have) == s.Text()
	st.Enabled, _ = s.systemctl("is-enabled", s.Unit()) // its status tells no more than its words
	st.Active, _ = s.systemctl("is-active", s.Unit())
	if strings.ContainsAny(st.Enabled+st.Active, " \n") { // no state, but why there is none
		st.Enabled, st.Active = "", ""
	}
	exe := program(string(have))
	switch _, err := os.Stat(exe); {
	case exe != "" && err != nil:
		st.Problem = fmt.Sprintf("its program %s is not there: stet service install", exe)
	case st.Enabled != "" && st.Enabled != "enabled":
		st.Problem = "it is " + st.Enabled + ": stet service install"
	}
	return st
}

// program is the program that one of our units starts; "" when it cannot be told.
func program(text string) string {
	_, line, ok := strings.Cut(text, "\nExecStart=\"")
	if !ok {
		return ""
	}
	exe, _, _ := strings.Cut(line, `"`)
	if strings.Contains(exe, `\`) {
		return ""
	}
	return strings.ReplaceAll(exe, "%%", "%")
}

// Plist is what launchd takes in the place of a unit.
func (s *Service) Plist() string {
	label := "stet"
	args := []string{s.Exe}
	if s.Server != "" {
		label += "." + s.Server
		args = append(args, "-L", s.Server)
	}
	esc := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
	var b strings.Builder
	fmt.Fprintf(&b, `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- A file in ~/Library/LaunchAgents, put in force by: launchctl bootstrap gui/$(id -u) FILE -->
<plist version="1.0">
<dict>
	<key>Label</key><string>%s</string>
	<key>RunAtLoad</key><true/>
	<key>AbandonProcessGroup</key><true/>
	<key>ProgramArguments</key>
	<array>
`, esc(label))
	for _, a := range append(args, "start-server") {
		fmt.Fprintf(&b, "\t\t<string>%s</string>\n", esc(a))
	}
	b.WriteString("\t</array>\n\t<key>EnvironmentVariables</key>\n\t<dict>\n")
	for _, e := range s.Env {
		name, value, _ := strings.Cut(e, "=")
		fmt.Fprintf(&b, "\t\t<key>%s</key><string>%s</string>\n", esc(name), esc(value))
	}
	b.WriteString("\t</dict>\n</dict>\n</plist>\n")
	return b.String()
}
