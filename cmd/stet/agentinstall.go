package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"stet/resurrect/agent"
	"stet/server"
	"stet/server/command"
)

// agentInstall puts an agent's hooks into its files, or takes them out: what is to change is shown first, and
// written when the user says so. It runs where the user is, without a server. done is false for a command
// line that the table is to refuse.
func agentInstall(words []string, remove bool) (code int, done bool) {
	name, yes, dry := "", false, false
	for _, w := range words {
		switch {
		case w == "--yes":
			yes = true
		case w == "--dry-run":
			dry = true
		case name == "" && w != "" && w[0] != '-':
			name = w
		default:
			return 0, false
		}
	}
	if name == "" {
		return 0, false
	}
	if err := install(name, remove, yes, dry); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	return 0, true
}

func install(name string, remove, yes, dry bool) error {
	set := agent.Load(server.AgentsDir(os.Getenv))
	in := set.Find(name)
	if in == nil {
		return command.UnknownAgent(set, name)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return err
	}
	changes, err := in.Changes(installedHook(), os.Environ(), home, remove)
	if err != nil {
		return err
	}
	left, due := 0, 0
	for i := range changes {
		fmt.Print(changes[i].Diff())
		switch {
		case changes[i].Why != "":
			left++
		case !changes[i].Nothing():
			due++
		}
	}
	switch {
	case due == 0 && left > 0:
		return fmt.Errorf("nothing was written")
	case due == 0 || dry:
		return nil
	case !yes:
		if ok, err := confirmed(); !ok {
			return err
		}
	}
	for i := range changes {
		if changes[i].Why != "" {
			continue
		}
		if err := changes[i].Apply(); err != nil {
			return err
		}
	}
	if left > 0 {
		return fmt.Errorf("a part was left alone, see above")
	}
	if remove {
		fmt.Printf("%s does not report to stet any more\n", in.Name)
	} else {
		fmt.Printf("%s reports from its next start on; stet agent uninstall %s undoes it\n", in.Name, in.ID)
	}
	return nil
}

// confirmed asks the person at the terminal.
func confirmed() (bool, error) {
	if !term.IsTerminal(0) {
		return false, fmt.Errorf("nothing was written: there is no terminal to ask at, and --yes says yes")
	}
	fmt.Print("Write this? [y/N] ")
	line, _ := bufio.NewReader(os.Stdin).ReadString('\n')
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return true, nil
	}
	return false, fmt.Errorf("nothing was written")
}

// installedHook is the command that is put into files. It stays when stet moves within PATH, and outside of
// stet it does nothing, even where stet is gone.
func installedHook() string {
	me, err := os.Executable()
	stet := "stet"
	if found, lerr := exec.LookPath(stet); err == nil && (lerr != nil || !same(found, me)) {
		stet = "'" + strings.ReplaceAll(me, "'", `'\''`) + "'"
	}
	return `[ -z "$STET" ] || ` + stet + " agent report"
}

func same(a, b string) bool {
	a, err := filepath.EvalSymlinks(a)
	if err != nil {
		return false
	}
	b, err = filepath.EvalSymlinks(b)
	return err == nil && a == b
}
