package command

import (
	"strings"

	"stet/config/syntax"
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
	Text, Note string
	More       bool
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

// completer is what one completion is about.
type completer struct {
	host    Host
	table   *Table
	session *model.Session // that the client shows; nil for none
}

// line completes a command line.
func (co *completer) line(line string, at int) Completion {
	words, from := splitTyped(line[:at])
	c := Completion{From: from, To: at}
	last := len(words) - 1
	c.Candidates, c.Usage = co.words(words[:last], words[last])
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

// words completes a word behind others of a command.
func (co *completer) words(before []string, word string) ([]Candidate, string) {
	if len(before) == 0 {
		return co.commands(word), ""
	}
	row := co.find(before[0])
	if row == nil {
		return nil, ""
	}
	usage := strings.TrimSpace(row.Name + " " + row.Usage)
	p := walk(row, before[1:])
	switch {
	case p.flag != "":
		return co.value(flagNames(row)[p.flag], word, p), usage
	case !p.ended && strings.HasPrefix(word, "-"):
		return flagsOf(row, word), usage
	}
	name := argumentName(row, len(p.args))
	if name == "command" && len(p.args) > 0 || name == "arguments" {
		inner := p.args[commandAt(row):]
		list, u := co.words(inner, word)
		return list, withDefault(u, usage)
	}
	return co.value(name, word, p), usage
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
