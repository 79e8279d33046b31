package command

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"stet/config/near"
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
	// Visits says that a server that was started for it, and has nothing open, ends with it.
	Visits bool
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
	// PreferAttended prefers sessions that a client was ever attached to.
	PreferAttended
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
		bufferCommands(), shellCommands(), environmentCommands(), hookCommands(), sourceCommands(), openCommands(), agentCommands(), unreadCommands(), completionCommands(), shellScriptCommands(), savedCommands(), configCommands(), serviceCommands(),
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
	return nil, t.unknown(name)
}

// UnknownError says that no command has a name, and which ones are near. The option command-alias of a running
// server may give it a meaning.
type UnknownError struct {
	Name string
	Near []string
}

func (e *UnknownError) Error() string { return "unknown command: " + e.Name + near.Question(e.Near) }

func (t *Table) unknown(name string) *UnknownError {
	return &UnknownError{name, near.Names(name, func(yield func(string) bool) {
		for _, r := range t.rows {
			if !r.Hidden && (!yield(r.Words()) || r.Alias != "" && !yield(r.Alias)) {
				return
			}
		}
	})}
}

// UsageError says how a command is written.
type UsageError struct {
	Row  *Command
	Help bool // it was asked for with --help: what the command does is to be told, too, and nothing has failed
}

func (e *UsageError) Error() string {
	return strings.TrimSpace("usage: " + e.Row.Name + " " + e.Row.Usage)
}

// Text is the answer to --help.
func (e *UsageError) Text() string {
	text := strings.TrimSpace("usage: stet "+e.Row.Words()+" "+e.Row.Usage) + "\n"
	if e.Row.Alias != "" {
		text += "alias: " + e.Row.Alias + "\n"
	}
	return text + "\n" + e.Row.Help + "\n"
}

// hint is what is said of a mistake in the words behind a name: which argument is missing, that a flag stands too late,
// and how the command is written. Of commands that tmux has, no more is said than it says.
func (r *Command) hint(err error) string {
	if !r.Own {
		return ""
	}
	text := ""
	switch e := err.(type) {
	case *errTooFew:
		if name := argumentName(r, e.have); name != "" {
			text = ": " + name + " is missing"
		}
	case *errTooMany:
		if e.flag != "" {
			text = ": flags go before the arguments, and so does " + e.flag
		}
	}
	return text + strings.TrimRight("; usage: stet "+r.Words()+" "+r.Usage, " ")
}

// FirstWordError says that the second word of a command is missing.
type FirstWordError struct {
	First string
	Rows  []*Command // those that it may be
}

func (e *FirstWordError) Error() string {
	var all []string
	for _, r := range e.Rows {
		all = append(all, r.Words())
	}
	return fmt.Sprintf("%s is the first of two words: %s", e.First, strings.Join(all, ", "))
}

// Text is the answer to --help: a line for each command.
func (e *FirstWordError) Text() string {
	wide := 0
	for _, r := range e.Rows {
		wide = max(wide, len(r.Words()))
	}
	text := "usage: stet " + e.First + " command, which is one of\n\n"
	for _, r := range e.Rows {
		help, _, _ := strings.Cut(r.Help, ". ")
		help, _, _ = strings.Cut(help, "; ")
		text += fmt.Sprintf("  %-*s  %s\n", wide, r.Words(), strings.TrimSuffix(help, "."))
	}
	return text + "\nstet " + e.First + " command --help tells more.\n"
}

// parsed is a command ready to run.
type parsed struct {
	row    *Command
	args   *Args
	source syntax.Command
}

// firstWords are those of the commands whose names are written as two words: agent start is agent-start.
var firstWords = [...]string{"agent", "config", "saved", "service"}

// Words is the name as people write it.
func (r *Command) Words() string {
	if first, second, ok := strings.Cut(r.Name, "-"); ok && slices.Contains(firstWords[:], first) {
		return first + " " + second
	}
	return r.Name
}

// TwoWords finds a command whose name is written as two words. "" is none.
func TwoWords(first, second string) (name string) {
	if !slices.Contains(firstWords[:], first) {
		return ""
	}
	for _, r := range Commands().rows {
		if r.Name == first+"-"+second {
			return r.Name
		}
	}
	return ""
}

// find finds a command by one word or two, and returns its arguments.
func (t *Table) find(c syntax.Command) (*Command, []Word, error) {
	if slices.Contains(firstWords[:], c.Name) {
		if len(c.Args) == 0 || c.Args[0].IsBlock {
			return nil, nil, t.which(c.Name)
		}
		name := c.Name + "-" + c.Args[0].Text
		for _, r := range t.rows {
			if r.Name == name {
				return r, c.Args[1:], nil
			}
		}
		if strings.HasPrefix(c.Args[0].Text, "-") {
			return nil, nil, t.which(c.Name)
		}
		return nil, nil, t.unknown(c.Name + " " + c.Args[0].Text)
	}
	row, err := t.Find(c.Name)
	return row, c.Args, err
}

// which lists what a first word begins.
func (t *Table) which(first string) error {
	e := &FirstWordError{First: first}
	for _, r := range t.rows {
		if !r.Hidden && strings.HasPrefix(r.Name, first+"-") {
			e.Rows = append(e.Rows, r)
		}
	}
	return e
}

// parse makes a command of its words.
func (t *Table) parse(c syntax.Command) (parsed, error) {
	row, words, err := t.find(c)
	if err != nil {
		return parsed{}, err
	}
	if len(words) < len(c.Args) {
		c.Name, c.Args = row.Name, words // so it is written back, too
	}
	args, err := parseArgs(words, row.Flags, row.Long, row.Min, row.Max)
	if u, ok := err.(errUsage); ok {
		return parsed{}, &UsageError{row, u.help}
	}
	if err != nil {
		return parsed{}, fmt.Errorf("command %s: %w%s", row.Name, err, row.hint(err))
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

// OnlyVisits says of a command line that a server that was started for it, and has nothing open, ends with it.
func OnlyVisits(argv []string) bool {
	list, err := syntax.ParseArgv(argv)
	if err != nil {
		return false
	}
	all, err := Commands().parseAll(list)
	return err == nil && len(all) > 0 && all[0].row.Visits
}
