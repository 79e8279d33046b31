package command

import (
	"fmt"
	"strings"

	scripts "stet/resurrect/shell"
	"stet/vt/width"
)

func shellScriptCommands() []Command {
	return []Command{{
		Name: ShellScriptCommand, Own: true, Long: []string{"remote"}, Min: 1, Max: 1, Usage: "[--remote] bash|zsh|fish", ReadOnly: true,
		Help: "Print the script by which a shell tells where its prompts and its commands are, for a shell that was not given it: one in a shell, or one that has taken its place, evaluates it. With --remote it also speaks where the environment does not say that it is in stet: behind ssh and sudo.",
		Exec: printShellScript,
	}}
}

// ShellScriptCommand prints what a shell evaluates. It needs no server.
const ShellScriptCommand = "shell-integration"

func printShellScript(c *Context) error {
	text, err := ShellScript(c.Args.Arg(0), c.Args.Has("remote"))
	if err == nil {
		c.Print(strings.TrimSuffix(text, "\n"))
	}
	return err
}

// ShellScript is what a shell, bash, zsh or fish, evaluates to be integrated; remote: though nothing in its
// environment says that it is in a pane.
func ShellScript(name string, remote bool) (string, error) {
	kind := scripts.Kind(name)
	if scripts.Script(kind) == "" {
		return "", fmt.Errorf("no integration for the shell %s: there are bash, zsh and fish", width.Printable(name))
	}
	if remote {
		return scripts.RemoteScript(kind), nil
	}
	return scripts.Script(kind), nil
}
