package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"stet/config"
	"stet/config/option"
	"stet/docs/completions"
	"stet/resurrect/agent"
	"stet/server/buffer"
	"stet/server/keymap"
	"stet/server/model"
	"stet/vt/width"
)

// WordsCommand is the hidden command that answers a shell's completion. Its argument is the words as a JSON
// array, so that none of them is taken for a separator or a block; it prints an Offer as JSON.
const WordsCommand = "complete-words"

func completionCommands() []Command {
	return []Command{
		{
			Name: "completion", Own: true, Min: 1, Max: 1, Usage: "bash|zsh|fish",
			Help: "Print what makes a shell complete the commands of stet, their flags, and the names of what there is.", ReadOnly: true, Exec: printCompletion,
		},
		{
			Name: WordsCommand, Own: true, Hidden: true, Unlogged: true, Flags: "t:", Min: 1, Max: 1, Usage: "[-t target-pane] words",
			Help: "For the completion of shells.", Target: PaneTarget, Options: CanFail, ReadOnly: true, Exec: completeWords,
		},
	}
}

func printCompletion(c *Context) error {
	text, err := CompletionScript(c.Args.Arg(0))
	if err == nil {
		c.Print(strings.TrimSuffix(text, "\n"))
	}
	return err
}

// CompletionScript is what a shell reads to complete command lines of stet.
func CompletionScript(shell string) (string, error) {
	text, ok := completions.Script(shell)
	if !ok {
		return "", fmt.Errorf("no completion for the shell %s: there are bash, zsh and fish", width.Printable(shell))
	}
	return text, nil
}

func completeWords(c *Context) error {
	var words []string
	if err := json.Unmarshal([]byte(c.Args.Arg(0)), &words); err != nil {
		return fmt.Errorf("%s: the words are a JSON array: %w", WordsCommand, err)
	}
	b, err := json.Marshal(offer(c.queue.table, c.Host, c.Target.Session, words))
	if err == nil {
		c.Print(string(b))
	}
	return err
}

// Offer is what may stand at the last of some words of a command line.
type Offer struct {
	// Shell is what else may stand there, which a shell knows best: "files", "directories", "commands", or "".
	Shell      string      `json:"shell,omitempty"`
	Candidates []Candidate `json:"candidates,omitempty"`
}

// CompleteWords finds what may stand at the last of the words of a shell's command line, behind stet and its
// global flags. session is that of the pane it is typed in, or the one used last; nil for none.
func CompleteWords(k Known, session *model.Session, words []string) Offer {
	return offer(Commands(), k, session, words)
}

func offer(t *Table, k Known, session *model.Session, words []string) Offer {
	if len(words) == 0 {
		return Offer{}
	}
	last := len(words) - 1
	before := words[:last]
	for i, w := range before {
		if strings.HasSuffix(w, ";") && !strings.HasSuffix(w, `\;`) {
			before = words[i+1 : last]
		}
	}
	co := &completer{host: k, table: t, session: session, shell: true}
	p := co.words(before, words[last])
	o := Offer{Shell: shellKnows[strings.TrimSuffix(p.name, "...")]}
	for _, c := range p.list {
		// What has control characters cannot be shown on one line, nor typed.
		if c.Text != width.Printable(c.Text) || len(o.Candidates) == maxCandidates {
			continue
		}
		c.Note = width.Printable(c.Note)
		o.Candidates = append(o.Candidates, c)
	}
	return o
}

// shellKnows are the names in the usages of what a shell completes by itself.
var shellKnows = map[string]string{
	"path": "files", "file": "files", "declared-session": "files",
	"start-directory": "directories", "working-directory": "directories",
	"shell-command": "commands", "editor": "commands",
}

// shellFlags completes a word that begins with a dash as a whole: a group of flags stands as it is, and what
// is attached to a flag is its value. name is what the usage calls that.
func (co *completer) shellFlags(row *Command, word string, p position) (list []Candidate, name string) {
	if strings.HasPrefix(word, "--") {
		flag, _, attached := strings.Cut(word, "=")
		if !attached {
			return longFlags(row, word), ""
		}
		for _, part := range brackets(row.Usage) {
			if f, v, _ := strings.Cut(part, "="); f == flag {
				return nil, v
			}
		}
		return nil, ""
	}
	if word == "-" {
		return flagsOf(row, word), ""
	}
	for i := 1; i < len(word); i++ {
		at := strings.IndexByte(row.Flags, word[i])
		if word[i] == ':' || at < 0 {
			return nil, ""
		}
		if strings.HasPrefix(row.Flags[at+1:], ":") && i+1 < len(word) {
			name = flagNames(row)[word[i:i+1]]
			list = co.value(name, word[i+1:], p)
			for j := range list {
				list[j].Text = word[:i+1] + list[j].Text
			}
			return list, name
		}
	}
	return []Candidate{{Text: word}}, ""
}

// Alone is what is known without a server. Sessions are those that the configuration declares.
type Alone struct {
	options *OptionSets
	model   *model.Model
	agents  func() *agent.Set
	open    func() []config.Session
}

// NewAlone returns it. agents and declared are called only where they are needed.
func NewAlone(agents func() *agent.Set, declared func() []config.Session) *Alone {
	return &Alone{options: NewOptionSets(false), model: model.New(), agents: agents, open: declared}
}

// Model has no sessions.
func (a *Alone) Model() *model.Model { return a.model }

// OptionSet has the defaults.
func (a *Alone) OptionSet(t OptionTarget) *option.Set { return a.options.Set(t) }

// Clients are none.
func (a *Alone) Clients() []ClientInfo { return nil }

// Keys are the bindings stet begins with.
func (a *Alone) Keys() *keymap.Tables { return keymap.Defaults() }

// Buffers are none.
func (a *Alone) Buffers() *buffer.Store { return &buffer.Store{} }

// Declared are the sessions that the configuration declares.
func (a *Alone) Declared() []config.Session { return a.open() }

// Process knows of no pane.
func (a *Alone) Process(model.PaneID) ProcessFacts { return ProcessFacts{} }

// Agents are the coding agents that can be started.
func (a *Alone) Agents() *agent.Set { return a.agents() }
