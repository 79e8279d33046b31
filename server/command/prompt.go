package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stet/config/syntax"
)

func promptCommands() []Command {
	return []Command{
		{
			Name: "command-prompt", Flags: "1bFikI:Np:t:T:", Min: 0, Max: 1,
			Usage: "[-1bFikN] [-I inputs] [-p prompts] [-t target-client] [-T prompt-type] [template]",
			Help:  "Ask for a line and run the template with it in place of %% or %1; without a template the line itself. -1 takes one character, -k the name of a key, -N a number, -F expands formats in the template, -i runs it at every change, with = before the line, and with -T directory Tab completes directories.", ClientFlag: "t",
			NeedClient: true, Exec: commandPrompt,
		},
		{
			Name: "confirm-before", Alias: "confirm", Flags: "bc:p:t:y", Min: 1, Max: 1,
			Usage: "[-by] [-c confirm-key] [-p prompt] [-t target-client] command",
			Help:  "Run a command when a person says yes: with y, with the key of -c in its place, and with -y also with Enter.", ClientFlag: "t",
			NeedClient: true, Exec: confirmBefore,
		},
	}
}

func milliseconds(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// commandsOf reads an argument that is commands: a block, or text.
func commandsOf(w Word) ([]syntax.Command, error) {
	if w.IsBlock {
		return w.Block, nil
	}
	return syntax.Parse(w.Text, "")
}

// promptPlace is what formats in a prompt speak of: what its client shows.
func (c *Context) promptPlace() Target {
	return c.finder().ofSession(c.Model.Sessions[c.TargetClient.Session])
}

// then runs commands behind this one: for the same client in its sequence, for another one by itself.
func (c *Context) then(list []syntax.Command) error {
	if c.TargetClient.ID == c.Client {
		return c.Insert(list)
	}
	if err := c.queue.Check(list); err != nil {
		return err
	}
	c.queue.Run(Request{Client: c.TargetClient.ID, Commands: list, Key: c.item.run.Key})
	return nil
}

// wait holds up the sequence until answered, or with -b lets it go on.
func (c *Context) wait(start func(done func(error))) error {
	if !c.Args.Has("b") {
		return c.Await(start)
	}
	client := c.TargetClient.ID
	start(func(err error) {
		if err != nil && err.Error() != "" {
			c.Host.Fail(client, err.Error())
		}
	})
	return nil
}

// DirectoryPrompt is the type of prompts that ask for a directory. What is typed there is remembered while the
// server runs, and in no file: tmux, which may share it, knows no such type.
const DirectoryPrompt = "directory"

// PromptTypes are the types of prompts that have a history of their own, which is shown and kept.
var PromptTypes = []string{"command", "search", "target", "window-target"}

func commandPrompt(c *Context) error {
	a, place := c.Args, c.promptPlace()
	template := a.Word(0)
	if !template.IsBlock && template.Text == "" {
		template.Text = "%1"
	}
	kind := withDefault(a.Get("T"), "command")
	if !slices.Contains(PromptTypes, kind) && kind != DirectoryPrompt {
		return errorString("unknown type: " + kind)
	}
	if a.Has("F") && !template.IsBlock {
		template.Text = c.Expand(template.Text, place)
	}
	var labels []string
	switch {
	case a.Has("p"):
		labels = strings.Split(a.Get("p"), ",")
	case a.Len() > 0:
		labels = []string{"(" + firstWord(template) + ")"}
	default:
		labels = []string{":"}
	}
	inputs := strings.Split(a.Get("I"), ",")
	requests := make([]PromptRequest, len(labels))
	for i, label := range labels {
		if label = c.ExpandTime(label, place); label != ":" {
			label += " "
		}
		r := PromptRequest{Label: label, OneKey: a.Has("1"), KeyName: a.Has("k"), Numeric: a.Has("N"), History: kind}
		if i < len(inputs) {
			r.Text = c.ExpandTime(inputs[i], place)
		}
		if a.Has("i") {
			r.Incremental, r.Last, r.Text = true, r.Text, ""
			r.Changed = func(text string) { c.runFilled(template, text) }
		}
		requests[i] = r
	}
	return c.wait(func(done func(error)) { c.ask(requests, template, nil, done) })
}

// ask asks one prompt after the other and then runs the template.
func (c *Context) ask(requests []PromptRequest, template Word, answers []string, done func(error)) {
	if len(requests) == 0 && c.Args.Has("i") {
		done(nil) // it has run with what there is
		return
	}
	if len(requests) == 0 {
		list, err := fillIn(template, answers)
		if err == nil {
			err = c.then(list)
		}
		done(err)
		return
	}
	c.Host.Prompt(c.TargetClient.ID, requests[0], func(text string, ok bool) {
		if !ok {
			done(nil)
			return
		}
		c.ask(requests[1:], template, append(answers, text), done)
	})
}

// runFilled runs a template beside the sequence that waits for the prompt.
func (c *Context) runFilled(template Word, answer string) {
	list, err := fillIn(template, []string{answer})
	if err == nil {
		err = c.queue.Check(list)
	}
	if err != nil {
		c.Host.Fail(c.TargetClient.ID, err.Error())
		return
	}
	c.queue.Beside(Request{Client: c.TargetClient.ID, Commands: list})
}

func firstWord(w Word) string {
	if w.IsBlock {
		if len(w.Block) > 0 {
			return w.Block[0].Name
		}
		return ""
	}
	word, _, _ := strings.Cut(w.Text, " ")
	return word
}

// fillIn puts answers into a template. In a block they are put into the words after it was read, so
// that nothing typed can become another command; in text they are put in before, as tmux does.
func fillIn(template Word, answers []string) ([]syntax.Command, error) {
	if template.IsBlock {
		return fillBlock(template.Block, answers), nil
	}
	return syntax.Parse(replaceAnswers(template.Text, answers), "")
}

func fillBlock(list []syntax.Command, answers []string) []syntax.Command {
	list = slices.Clone(list)
	for i, c := range list {
		list[i].Name = replaceAnswers(c.Name, answers)
		list[i].Args = slices.Clone(c.Args)
		for j := range list[i].Args {
			w := &list[i].Args[j]
			if w.IsBlock {
				w.Block = fillBlock(w.Block, answers)
				w.Text = syntax.Text(w.Block)
				continue
			}
			w.Text = replaceAnswers(w.Text, answers)
		}
	}
	return list
}

// replaceAnswers replaces %1 to %9 by the answers and each %% by the next one; another % behind asks
// for quotes and the like to be escaped. Where there is no such answer the text stays.
func replaceAnswers(text string, answers []string) string {
	var b strings.Builder
	next := 0
	for i := 0; i < len(text); i++ {
		n := -1
		if text[i] == '%' && i+1 < len(text) {
			switch d := text[i+1]; {
			case d == '%':
				n = next
			case d >= '1' && d <= '9':
				n = int(d - '1')
			}
		}
		if n < 0 || n >= len(answers) {
			b.WriteByte(text[i])
			continue
		}
		if text[i+1] == '%' {
			next++
		}
		i++
		if i+1 < len(text) && text[i+1] == '%' {
			i++
			b.WriteString(backslashed(answers[n], "\"\\$;~"))
			continue
		}
		b.WriteString(answers[n])
	}
	return b.String()
}

// backslashed puts a backslash before each byte of s that is one of special.
func backslashed(s, special string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if strings.IndexByte(special, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func confirmBefore(c *Context) error {
	list, err := commandsOf(c.Args.Word(0))
	if err == nil {
		err = c.queue.Check(list)
	}
	if err != nil {
		return err
	}
	q := Question{Key: 'y', Enter: c.Args.Has("y")}
	if c.Args.Has("c") {
		name := c.Args.Get("c")
		if len(name) != 1 || name[0] <= ' ' || name[0] >= 0x7f {
			return fmt.Errorf("invalid confirm key: %q (write one character of ASCII that is no blank, such as x)", name)
		}
		q.Key = rune(name[0])
	}
	q.Label = fmt.Sprintf("Confirm '%s'? (%c/n)", firstWord(c.Args.Word(0)), q.Key)
	if c.Args.Has("p") {
		q.Label = c.ExpandTime(c.Args.Get("p"), c.promptPlace())
	}
	q.Label += " "
	return c.wait(func(done func(error)) {
		c.Host.Confirm(c.TargetClient.ID, q, func(yes bool) {
			if !yes {
				c.item.run.failed = true // for the exit status; what follows runs nevertheless, as in tmux
				done(nil)
				return
			}
			done(c.then(list))
		})
	})
}
