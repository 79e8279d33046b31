package resurrect

import (
	"path"
	"strings"
)

// Policy is what a restore does with the command that ran in a pane.
type Policy string

// The policies.
const (
	Never Policy = "never" // a fresh shell, and the command is offered to whoever asks for it
	Ask   Policy = "ask"   // nothing, until somebody has answered in the pane
	Auto  Policy = "auto"  // the command
)

// Command is what ran in a pane: the command that it was made for, else what was in the foreground of its
// shell; nothing where that was the shell itself. line says that it is a line for the shell.
func (p *Pane) Command() (argv []string, line bool) {
	if len(p.Argv) > 0 {
		return p.Argv, len(p.Argv) == 1
	}
	return p.Running, false
}

// Tempered is what a restore makes of a policy for the pane's command: what failed when it was last started
// again is asked about.
func (p *Pane) Tempered(policy Policy) Policy {
	if policy == Auto && p.RunFailed {
		return Ask
	}
	return policy
}

// CommandNames are the ways to write a command down that a pattern is held against: as it was started, with
// the program's name alone for its path, and of a script that its first line has given to an interpreter, the
// script's name.
func CommandNames(argv []string) []string {
	if len(argv) == 0 {
		return nil
	}
	names := []string{strings.Join(argv, " "), short(argv)}
	if len(argv) > 1 && interpreters[strings.TrimRight(path.Base(argv[0]), "0123456789.")] && strings.Contains(argv[1], "/") && argv[1][0] != '-' {
		names = append(names, short(argv[1:]))
	}
	return names
}

// interpreters are programs of which a script's name says more than their own.
var interpreters = map[string]bool{
	"bash": true, "dash": true, "fish": true, "ksh": true, "sh": true, "zsh": true,
	"node": true, "perl": true, "php": true, "python": true, "ruby": true,
}

// short is a command with its program's name alone.
func short(argv []string) string {
	program, rest := argv[0], argv[1:]
	if len(argv) == 1 { // it may be a line
		var line string
		if program, line, _ = strings.Cut(program, " "); line != "" {
			rest = []string{line}
		}
	}
	return strings.Join(append([]string{path.Base(program)}, rest...), " ")
}

// sshValues are the options of ssh that take a value, by ssh(1).
const sshValues = "BbcDEeFIiJLlmOopPQRSWw"

// Remote is where an ssh or mosh command is connected to, as it is written there, with the user of -l; "" for
// other commands.
func Remote(argv []string) string {
	if len(argv) < 2 {
		return ""
	}
	if name := path.Base(argv[0]); name != "ssh" && name != "mosh" && name != "autossh" {
		return ""
	}
	user := ""
	for i := 1; i < len(argv); i++ {
		a := argv[i]
		switch {
		case a == "--" && i+1 < len(argv):
			return at(user, argv[i+1])
		case strings.HasPrefix(a, "--"):
		case strings.HasPrefix(a, "-") && len(a) > 1:
			for j := 1; j < len(a); j++ {
				if !strings.Contains(sshValues, a[j:j+1]) {
					continue
				}
				value := a[j+1:]
				if value == "" && i+1 < len(argv) {
					i++
					value = argv[i]
				}
				if a[j] == 'l' {
					user = value
				}
				break
			}
		default:
			return at(user, a)
		}
	}
	return ""
}

func at(user, host string) string {
	if user == "" || strings.Contains(host, "@") {
		return host
	}
	return user + "@" + host
}
