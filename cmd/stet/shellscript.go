package main

import (
	"fmt"
	"io"
	"os"

	"stet/server/command"
)

// shellScriptHere prints what a shell evaluates, without a server: a startup file may ask before there is any,
// or on a machine that has none. What is wrong with a line is said where all lines are looked at.
func shellScriptHere(argv []string, out io.Writer) (code int, done bool) {
	if len(argv) == 0 || argv[0] != command.ShellScriptCommand {
		return 0, false
	}
	words := argv[1:]
	remote := len(words) > 0 && words[0] == "--remote"
	if remote {
		words = words[1:]
	}
	if len(words) != 1 || words[0] == "" || words[0][0] == '-' {
		return 0, false
	}
	text, err := command.ShellScript(words[0], remote)
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}
