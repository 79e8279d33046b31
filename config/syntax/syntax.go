// Package syntax reads tmux's command language: the text of tmux.conf, of key
// bindings, hooks and the command prompt, and the words of a command line.
//
// It turns text into commands with their arguments and knows nothing about
// which commands there are: names, flags and aliases are the business of who
// runs them. Quoting, escapes, blocks in braces, comments, continued lines,
// $VARIABLE and ~, assignments and %if work as in tmux. The environment, home
// directories and the meaning of %if come from the caller. The package keeps
// no state and never panics; sizes and nesting are bounded.
package syntax

import (
	"fmt"
	"os"
	"os/user"
	"strings"
)

// Limits on what is read.
const (
	maxText  = 4 << 20 // bytes of text
	maxDepth = 64      // blocks in blocks, %if in %if
	maxWord  = 1 << 20 // bytes of one argument after expansion
)

// Command is one command as written: nothing is looked up.
type Command struct {
	Name string
	Args []Arg
	File string // as given to Parse
	Line int    // of the name, from 1
	Col  int    // of the name in bytes, from 1
	// Group numbers the sequences in a text: commands joined by ";" have the
	// same one, those on lines of their own different ones. When a command
	// fails, the rest of its group is not run.
	Group int
}

// Arg is an argument: a string, or a block of commands in braces.
type Arg struct {
	Text    string    // the string; of a block, its commands as text
	Block   []Command // of a block
	IsBlock bool
	Line    int
	Col     int
}

// Error says where text is wrong.
type Error struct {
	File string
	Line int
	Col  int // in bytes, from 1
	Msg  string
}

// Error returns "file:line:column: message"; without a file the line and
// column are there all the same.
func (e *Error) Error() string {
	if e.File == "" {
		return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Col, e.Msg)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Col, e.Msg)
}

// Env is what a text may refer to. The zero value knows nothing: variables are
// empty, "~" and %if are errors.
type Env struct {
	// Getenv returns a variable for $NAME and ${NAME}.
	Getenv func(name string) string
	// Home returns the home directory of a user, of the present one for "".
	Home func(user string) (string, bool)
	// If expands the format behind %if or %elif; the lines that follow are
	// read when the result is neither empty nor "0".
	If func(format string) string
}

// System returns an Env with the environment and the users of this process; it
// has no If.
func System() Env {
	return Env{Getenv: os.Getenv, Home: func(name string) (string, bool) {
		if name == "" {
			if dir := os.Getenv("HOME"); dir != "" {
				return dir, true
			}
			u, err := user.Current()
			if err != nil {
				return "", false
			}
			return u.HomeDir, true
		}
		u, err := user.Lookup(name)
		if err != nil {
			return "", false
		}
		return u.HomeDir, true
	}}
}

// Parse reads commands from a text; file names it in errors and may be empty.
// Variables and ~ are those of the process. The error is an *Error; there are
// no commands then, so that a wrong file does nothing by half.
func Parse(text, file string) ([]Command, error) { return System().Parse(text, file) }

// Parse reads commands from a text with the variables, homes and conditions of
// the Env. An assignment NAME=value comes out as "set-environment -g NAME
// value", with -h as well behind %hidden, and counts for the rest of the text
// at once.
func (e Env) Parse(text, file string) ([]Command, error) {
	p := &parser{lexer: lexer{env: e, file: file, src: text, line: 1, col: 1}}
	if len(text) > maxText {
		return nil, p.errorf(1, 1, "text of %d bytes is too long (at most %d)", len(text), maxText)
	}
	cmds, err := p.statements(0, token{})
	if err != nil {
		return nil, err
	}
	return cmds, nil
}

// ParseArgv splits the words of a command line into commands, as tmux does with
// its own arguments: a word that ends in ";" ends a command there, "\;" at the
// end of a word is a ";" that belongs to it. Words are not expanded, since the
// shell has done that.
func ParseArgv(argv []string) ([]Command, error) {
	args := make([]Arg, len(argv))
	for i, s := range argv {
		args[i] = Arg{Text: s, Line: 1, Col: i + 1}
	}
	return ParseArgs(args)
}

// ParseArgs is ParseArgv for arguments that may be blocks: what bind-key and
// its like are given as the command to run. A single block stands for the
// commands in it.
func ParseArgs(args []Arg) ([]Command, error) {
	if len(args) == 1 && args[0].IsBlock {
		return args[0].Block, nil
	}
	var cmds []Command
	var words []Arg
	finish := func() error {
		if len(words) == 0 {
			return nil
		}
		first := words[0]
		if first.IsBlock {
			return &Error{Line: first.Line, Col: first.Col, Msg: "expected the name of a command, not a block"}
		}
		cmds = append(cmds, Command{Name: first.Text, Args: words[1:], Line: first.Line, Col: first.Col})
		words = nil
		return nil
	}
	for _, a := range args {
		text, ends := a.Text, false
		if !a.IsBlock && strings.HasSuffix(text, ";") {
			text = text[:len(text)-1]
			if strings.HasSuffix(text, `\`) {
				text = text[:len(text)-1] + ";"
			} else {
				ends = true
			}
		}
		if !ends || text != "" {
			a.Text = text
			words = append(words, a)
		}
		if ends {
			if err := finish(); err != nil {
				return nil, err
			}
		}
	}
	if err := finish(); err != nil {
		return nil, err
	}
	return cmds, nil
}

// Words returns the command as words, the name first; blocks as their text.
func (c Command) Words() []string {
	words := make([]string, 0, len(c.Args)+1)
	words = append(words, c.Name)
	for _, a := range c.Args {
		words = append(words, a.Text)
	}
	return words
}
