package docs

import (
	"fmt"
	"strings"
	"testing"

	"stet/server/command"
)

const commandsText = `
A command line, a key binding, the prompt behind ` + "`C-b :`" + ` and a binding's block all take the same commands. A command
may be named by its alias, or by any beginning of its name that no other name has; tmux's names come before those of
stet's own. Several commands are separated by ` + "`;`" + ` (in a shell: ` + "`\\;`" + `).

A target is written as in tmux: ` + "`session:window.pane`" + `, each part by name, number or id (` + "`$1`, `@1`, `%1`" + `), or by a
sign: ` + "`{last}` `!`, `{next}` `+`, `{previous}` `-`, `{start}` `^`, `{end}` `$`, `{marked}` `~`, `{mouse}` `=`" + `, for panes
also ` + "`{left-of}`, `{top-right}`" + ` and their like. Without ` + "`-t`" + ` it is what the client shows; for a command line, the pane
it is typed in; else the session used last.
`

func commands(t *testing.T) string {
	b := page("Commands", commandsText)
	all := command.Commands().All()
	if len(all) == 0 {
		t.Fatal("the table is empty")
	}
	rows := [][]string{{"Command", "Alias", "What it does"}}
	for _, c := range all {
		rows = append(rows, []string{anchor(c.Name), code(c.Alias), cell(c.Help)})
	}
	b.WriteString("\n")
	table(b, rows...)
	for _, c := range all {
		if c.Help == "" {
			t.Errorf("%s has no help", c.Name)
		}
		fmt.Fprintf(b, "\n## `%s`\n\n", c.Name)
		fmt.Fprintf(b, "    %s\n\n%s\n", strings.TrimSpace(c.Name+" "+c.Usage), c.Help)
		if notes := commandNotes(c); len(notes) > 0 {
			b.WriteString("\n")
			for _, n := range notes {
				b.WriteString("* " + n + "\n")
			}
		}
	}
	return b.String()
}

func commandNotes(c *command.Command) (notes []string) {
	if c.Alias != "" {
		notes = append(notes, "Alias: "+code(c.Alias)+".")
	}
	if c.Own {
		notes = append(notes, "stet's own: tmux has no such command.")
	}
	switch c.Target {
	case command.SessionTarget:
		notes = append(notes, "`-t` names a session.")
	case command.WindowTarget:
		notes = append(notes, "`-t` names a window.")
	case command.PaneTarget:
		notes = append(notes, "`-t` names a pane.")
	}
	if c.ClientFlag != "" {
		notes = append(notes, fmt.Sprintf("`-%s` names a client; without it, the one that runs the command, else the one used last.", c.ClientFlag))
	}
	if c.StartsServer {
		notes = append(notes, "Starts the server when none runs.")
	}
	if !c.ReadOnly {
		notes = append(notes, "Not for read-only clients.")
	}
	return notes
}
