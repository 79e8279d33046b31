package command

import (
	"fmt"
	"strings"
	"sync"

	"stet/config/syntax"
)

// Kind says what a target names.
type Kind uint8

// Kinds of target.
const (
	NoTarget Kind = iota
	SessionTarget
	WindowTarget
	PaneTarget
)

// Command is one row of the table.
type Command struct {
	Name  string
	Alias string // "" none

	// Flags are the letters in tmux's form, a colon behind those that take a value. Long are flags with
	// two dashes (stet's own), with = behind those that take a value.
	Flags string
	Long  []string
	// Min and Max bound the number of arguments behind the flags; -1 is no bound.
	Min, Max int
	Usage    string // behind the name, as list-commands shows it
	Help     string // one line

	// Target is what -t names; it is found before Exec runs, and a command that has one fails without.
	// Source is what -s names. Neither is looked at when NoTarget.
	Target  Kind
	Source  Kind
	Options TargetOptions

	// ClientFlag is the flag that names a client the command is about; without the flag that is the one
	// that runs it, or the one used last. Exec finds it in Context.TargetClient. "" means that the
	// command is about no client; NeedClient, that it fails when there is none.
	ClientFlag string
	NeedClient bool

	// Own marks the verbs that tmux does not have: their names never shadow a prefix of tmux's.
	Own bool
	// Hidden rows are not listed and not found by prefix.
	Hidden bool
	// Unlogged rows are no act of a person's: show-messages does not tell of them.
	Unlogged bool
	// StartsServer says that the command makes sense without a running server, which is then started.
	StartsServer bool
	// ReadOnly says that a read-only client may run it.
	ReadOnly bool

	Exec func(*Context) error
}

// TargetOptions refine how a command's target is found.
type TargetOptions uint8

// Options of targets.
const (
	// CanFail runs the command with an empty Target when there is none.
	CanFail TargetOptions = 1 << iota
	// DefaultMarked takes the marked pane where no source is named.
	DefaultMarked
	// PreferUnattached prefers sessions without clients where none is named.
	PreferUnattached
	// WindowIndex also accepts an index at which there is no window yet.
	WindowIndex
)

// Table is all commands, in the order of their names.
type Table struct{ rows []*Command }

// Commands returns the table. It is put together at the first call.
func Commands() *Table { return commands() }

var commands = sync.OnceValue(func() *Table {
	t := &Table{}
	for _, group := range [][]Command{
		sessionCommands(), windowCommands(), windowMoveCommands(), windowPaneCommands(), clientCommands(), lockCommands(), listCommands(), paneCommands(), layoutCommands(),
		paneWorkCommands(), undoCommands(), displayPanesCommands(),
		inputCommands(), readingCommands(), promptCommands(), optionCommands(), keyCommands(), workspaceCommands(),
		helpCommands(), chooseCommands(), customizeCommands(), findWindowCommands(), windowWorkCommands(), clockCommands(), menuCommands(), popupCommands(), messageCommands(),
		bufferCommands(), shellCommands(), environmentCommands(), hookCommands(), sourceCommands(), openCommands(), agentCommands(), completionCommands(),
	} {
		for i := range group {
			t.rows = append(t.rows, &group[i])
		}
	}
	sortRows(t.rows)
	return t
})

func sortRows(rows []*Command) {
	for i := range rows {
		for j := i; j > 0 && rows[j].Name < rows[j-1].Name; j-- {
			rows[j], rows[j-1] = rows[j-1], rows[j]
		}
	}
}

// All returns the rows that are listed, in the order of their names.
func (t *Table) All() []*Command {
	var all []*Command
	for _, r := range t.rows {
		if !r.Hidden {
			all = append(all, r)
		}
	}
	return all
}

// Find looks a command up by name, alias or unambiguous beginning of a name. Exact names come first,
// then beginnings of tmux's names, then of stet's own.
func (t *Table) Find(name string) (*Command, error) {
	for _, r := range t.rows {
		if r.Name == name || r.Alias != "" && r.Alias == name {
			return r, nil
		}
	}
	for _, own := range []bool{false, true} {
		var found []*Command
		for _, r := range t.rows {
			if name != "" && r.Own == own && !r.Hidden && strings.HasPrefix(r.Name, name) {
				found = append(found, r)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			names := make([]string, len(found))
			for i, r := range found {
				names[i] = r.Name
			}
			return nil, fmt.Errorf("ambiguous command: %s, could be: %s", name, strings.Join(names, ", "))
		}
	}
	return nil, &UnknownError{name}
}

// UnknownError says that no command has a name. The option command-alias of a running server may give
// it a meaning.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return "unknown command: " + e.Name }

// parsed is a command ready to run.
type parsed struct {
	row    *Command
	args   *Args
	source syntax.Command
}

// twoWords finds a command whose name is written as two words: agent start is agent-start. nil is none; then
// all the words are arguments.
func (t *Table) twoWords(c syntax.Command) (*Command, []Word) {
	if c.Name != agentWord || len(c.Args) == 0 || c.Args[0].IsBlock {
		return nil, c.Args
	}
	for _, r := range t.rows {
		if r.Name == agentWord+"-"+c.Args[0].Text {
			return r, c.Args[1:]
		}
	}
	return nil, c.Args
}

// agentWord is the first of the two words.
const agentWord = "agent"

// parse makes a command of its words.
func (t *Table) parse(c syntax.Command) (parsed, error) {
	row, words := t.twoWords(c)
	if row != nil {
		c.Name, c.Args = row.Name, words // so it is written back, too
	} else {
		var err error
		if row, err = t.Find(c.Name); err != nil {
			return parsed{}, err
		}
	}
	args, err := parseArgs(words, row.Flags, row.Long, row.Min, row.Max)
	if _, usage := err.(errUsage); usage {
		return parsed{}, fmt.Errorf("usage: %s %s", row.Name, row.Usage)
	}
	if err != nil {
		return parsed{}, fmt.Errorf("command %s: %w", row.Name, err)
	}
	return parsed{row, args, c}, nil
}

// parseAll makes commands of a whole sequence, so that nothing runs when one of them is wrong.
func (t *Table) parseAll(list []syntax.Command) ([]parsed, error) {
	all := make([]parsed, 0, len(list))
	for _, c := range list {
		p, err := t.parse(c)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// CheckLine reads a command line without running it: whether it may start a server (its first command
// says so; no command at all attaches or creates), and what is wrong with it, if anything. Of aliases
// it knows nothing: they are an *UnknownError, which a server that runs may not share.
func CheckLine(argv []string) (starts bool, err error) {
	list, err := syntax.ParseArgv(argv)
	if err != nil {
		return false, err
	}
	all, err := Commands().parseAll(list)
	if err != nil {
		return false, err
	}
	return len(all) == 0 || all[0].row.StartsServer, nil
}
