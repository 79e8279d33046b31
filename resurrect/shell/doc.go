// Package shell lets shells tell where they are: which rows are prompts, what is being run, how it ended and
// how long it took, the directory and the git branch.
//
// The scripts for bash, zsh and fish are part of the program. A shell is given its script by its environment
// and, in bash's case, one argument ([Start]); no file of the user's is changed. The script takes out of the
// environment what it came by before anything else runs, and the user's startup files are read as that shell
// would have read them, in the same order and at the top level. Where anything is missing the shell starts as
// it would without us.
//
// What a script says is in the words of docs/shells.md. It says nothing outside of stet's panes, on a dumb
// terminal or where the output is no terminal, and nothing twice. What is started in the shell, another shell
// too, has the environment that it would have had.
package shell

import (
	"embed"
	"path/filepath"
	"strings"
)

//go:embed scripts
var scripts embed.FS

// Kind is a shell that there is a script for, by its name.
type Kind string

// The shells.
const (
	None Kind = ""
	Bash Kind = "bash"
	Zsh  Kind = "zsh"
	Fish Kind = "fish"
)

// Kinds are all shells, sorted.
var Kinds = []Kind{Bash, Fish, Zsh}

// Of tells by the path of a shell which one it is; a version may stand behind the name (zsh-5.9).
func Of(path string) Kind {
	base := filepath.Base(path)
	for _, k := range Kinds {
		version, ok := strings.CutPrefix(base, string(k))
		if ok && strings.Trim(version, "-.0123456789") == "" {
			return k
		}
	}
	return None
}

// Script is what a shell evaluates; "" for one that there is none for.
func Script(k Kind) string {
	b, err := scripts.ReadFile("scripts/stet." + string(k))
	if err != nil {
		return ""
	}
	return string(b)
}

// RemoteScript is a script that also speaks in a shell whose environment does not say that it is in a pane, as
// behind ssh and sudo; "" for a shell that there is none for. The variables that it sets are the shell's own:
// programs that run there do not see them.
func RemoteScript(k Kind) string {
	text := Script(k)
	switch {
	case text == "":
		return ""
	case k == Fish:
		return "set -q STET; or set -g STET remote\nset -q STET_PANE; or set -g STET_PANE remote\n" + text
	}
	return ": \"${STET:=remote}\" \"${STET_PANE:=remote}\"\n" + text
}

// Set tells by the value of the option shell-integration whether a shell gets its script: on, off, or the
// names of shells.
func Set(value string, k Kind) bool {
	switch {
	case k == None || value == "off":
		return false
	case value == "on":
		return true
	}
	for _, name := range Names(value) {
		if name == string(k) {
			return true
		}
	}
	return false
}

// Names are the words of a list, divided by commas or blanks.
func Names(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}
