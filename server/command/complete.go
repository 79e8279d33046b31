package command

import (
	"slices"
	"strings"

	"stet/config"
	"stet/config/option"
	"stet/config/syntax"
	"stet/resurrect/agent"
	"stet/server/buffer"
	"stet/server/keymap"
	"stet/server/model"
)

// Completion is what may stand at a place of a line at a prompt: one of the candidates instead of the
// bytes From to To. Usage is the command's that the place is in.
type Completion struct {
	From, To   int
	Candidates []Candidate
	Usage      string
}

// Candidate is a word that may stand there, and what it is. More says that the word goes on behind it.
type Candidate struct {
	Text string `json:"text"`
	Note string `json:"note,omitempty"`
	More bool   `json:"more,omitempty"`
}

// maxCandidates bounds what is offered at one place.
const maxCandidates = 500

// Complete finds what may stand at a byte of what a client types at a prompt of a type: of a command line,
// or of a target. Other types have nothing to offer.
func Complete(h Host, id ClientID, kind, line string, at int) Completion {
	at = max(0, min(at, len(line)))
	co := &completer{host: h, table: Commands()}
	if info, ok := h.Client(id); ok {
		co.session = h.Model().Sessions[info.Session]
	}
	switch kind {
	case "command":
		return co.line(line, at)
	case "target", "window-target":
		c := Completion{To: at}
		if kind == "target" {
			c.Candidates = co.sessions(line[:at], false)
		} else {
			c.Candidates = co.places(line[:at], false)
		}
		return c
	}
	return Completion{From: at, To: at}
}

// Known is what is offered from: what the server has, or, where none runs, what there is without one.
type Known interface {
	Model() *model.Model
	OptionSet(t OptionTarget) *option.Set
	Clients() []ClientInfo
	Keys() *keymap.Tables
	Buffers() *buffer.Store
	Declared() []config.Session
	Process(id model.PaneID) ProcessFacts
	Agents() *agent.Set
}

// completer is what one completion is about.
type completer struct {
	host    Known
	table   *Table
	session *model.Session // that the client shows; nil for none
	shell   bool           // a whole word is offered at a time, and the shell begins the next one
}

// line completes a command line.
func (co *completer) line(line string, at int) Completion {
	words, from := splitTyped(line[:at])
	c := Completion{From: from, To: at}
	last := len(words) - 1
	p := co.words(words[:last], words[last])
	c.Candidates, c.Usage = p.list, p.usage
	for i := range c.Candidates {
		n := &c.Candidates[i] // where a word goes on behind quotes, it is one word all the same
		n.Text = syntax.Quote(n.Text)
	}
	if len(c.Candidates) > maxCandidates {
		c.Candidates = c.Candidates[:maxCandidates]
	}
	return c
}

// splitTyped takes the last command of what was typed into words, of which the last, perhaps empty, is
// the one that is being typed, and begins at a byte.
func splitTyped(text string) (words []string, from int) {
	var b strings.Builder
	var quote byte
	open := false // within a word
	from = len(text)
	begin := func(i int) {
		if !open {
			open, from = true, i
		}
	}
	end := func() {
		if open {
			words = append(words, b.String())
			b.Reset()
		}
		open = false
	}
	for i := 0; i < len(text); i++ {
		ch := text[i]
		switch {
		case quote != 0 && ch == quote:
			quote = 0
		case ch == '\\' && quote != '\'' && i+1 < len(text):
			begin(i)
			i++
			b.WriteByte(text[i])
		case quote != 0:
			b.WriteByte(ch)
		case ch == '\'' || ch == '"':
			begin(i)
			quote = ch
		case ch == ' ':
			end()
		case ch == ';', (ch == '{' || ch == '}') && !open:
			end()
			words = nil
		default:
			begin(i)
			b.WriteByte(ch)
		}
	}
	if !open {
		return append(words, ""), len(text)
	}
	return append(words, b.String()), from
}

// spot is what is known of a place in a command: what may stand there, the usage of the command, and what
// the usage calls it.
type spot struct {
	list        []Candidate
	usage, name string
}

// words completes a word behind others of a command.
func (co *completer) words(before []string, word string) spot {
	if len(before) == 0 {
		return spot{list: co.commands(word)}
	}
	if slices.Contains(firstWords[:], before[0]) {
		if len(before) == 1 {
			return spot{list: co.secondWords(before[0], word)}
		}
		before = append([]string{before[0] + "-" + before[1]}, before[2:]...)
	}
	row := co.find(before[0])
	if row == nil {
		return spot{}
	}
	at := spot{usage: strings.TrimSpace(row.Name + " " + row.Usage)}
	p := walk(row, before[1:])
	switch {
	case p.flag != "":
		at.name = flagNames(row)[p.flag]
		at.list = co.value(at.name, word, p)
	case !p.ended && strings.HasPrefix(word, "-"):
		if co.shell {
			at.list, at.name = co.shellFlags(row, word, p)
			return at
		}
		at.list = flagsOf(row, word)
	default:
		name := argumentName(row, len(p.args))
		if name == "command" && len(p.args) > 0 || name == "arguments" {
			inner := co.words(p.args[min(commandAt(row), len(p.args)):], word)
			inner.usage = withDefault(inner.usage, at.usage)
			return inner
		}
		at.name, at.list = name, co.value(name, word, p)
	}
	return at
}

// secondWords are the second words of the commands that are written as two, behind the first.
func (co *completer) secondWords(first, word string) []Candidate {
	var list []Candidate
	for _, r := range co.table.All() {
		if name, ok := strings.CutPrefix(r.Name, first+"-"); ok && strings.HasPrefix(name, word) {
			list = append(list, Candidate{Text: name, Note: r.Help})
		}
	}
	return list
}

// find is the command that a name or an alias of the option command-alias means.
func (co *completer) find(name string) *Command {
	for _, a := range co.aliases() {
		if alias, text, _ := strings.Cut(a, "="); alias == name {
			name = firstWord(Word{Text: text})
			break
		}
	}
	row, err := co.table.Find(name)
	if err != nil {
		return nil
	}
	return row
}

func (co *completer) aliases() []string {
	var list []string
	for _, it := range co.host.OptionSet(OptionTarget{Scope: ScopeServer}).List("command-alias") {
		list = append(list, it.Value)
	}
	return list
}

// commands are the names that begin so; the aliases, where none does.
func (co *completer) commands(word string) []Candidate {
	var names, aliases []Candidate
	for _, r := range co.table.All() {
		switch {
		case strings.HasPrefix(r.Name, word):
			names = append(names, Candidate{Text: r.Name, Note: r.Help})
		case r.Alias != "" && strings.HasPrefix(r.Alias, word):
			aliases = append(aliases, Candidate{Text: r.Alias, Note: r.Name})
		}
	}
	if len(names) > 0 {
		return names
	}
	for _, a := range co.aliases() {
		if alias, text, ok := strings.Cut(a, "="); ok && strings.HasPrefix(alias, word) {
			aliases = append(aliases, Candidate{Text: alias, Note: text})
		}
	}
	return aliases
}

// position is how far a command has been typed.
type position struct {
	row   *Command
	given map[string]bool // flags
	flag  string          // that waits for its value
	args  []string
	ended bool // no flag can follow
}

// walk sorts what was typed behind a command's name.
func walk(row *Command, words []string) position {
	p := position{row: row, given: map[string]bool{}}
	for _, w := range words {
		switch {
		case p.flag != "":
			p.flag = ""
		case p.ended || len(w) < 2 || w[0] != '-':
			p.args, p.ended = append(p.args, w), true
		case w == "--":
			p.ended = true
		case w[1] != '-':
			p.letters(w[1:])
		}
	}
	return p
}

func (p *position) letters(group string) {
	for i := range len(group) {
		f := group[i : i+1]
		p.given[f] = true
		if at := strings.Index(p.row.Flags, f); at >= 0 && strings.HasPrefix(p.row.Flags[at+1:], ":") {
			if i == len(group)-1 {
				p.flag = f
			}
			return
		}
	}
}
