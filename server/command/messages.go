package command

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"stet/config/format"
)

// MessageHost remembers what was said, and what was typed at prompts.
type MessageHost interface {
	// Remember keeps a text for show-messages: what says of what it is, after the client's name.
	Remember(id ClientID, what, text string)
	// Messages are the texts that were kept last, the oldest first.
	Messages() []LogEntry
	// RunningJobs are the shell commands that run now.
	RunningJobs() []RunningJob
	// PromptHistory tells what was typed at prompts of a type, the oldest first; ClearPromptHistory
	// forgets it.
	PromptHistory(kind string, done func(lines []string))
	ClearPromptHistory(kinds []string, done func())
}

// LogEntry is a message and when it was said.
type LogEntry struct {
	At    time.Time // the last time
	Text  string
	Times int // in a row that it was said; 0 is once
}

// RunningJob is a shell command that runs.
type RunningJob struct {
	Text string
	Pid  int
}

func messageCommands() []Command {
	return []Command{
		{
			Name: "show-messages", Alias: "showmsgs", Flags: "JTt:", Min: 0, Max: 0, Usage: "[-JT] [-t target-client]",
			Help: "Show the last messages, errors and commands, the newest first; -J the shell commands that run, -T the outer terminals, with -t that of one client.", ClientFlag: "t", ReadOnly: true, Exec: showMessages,
		},
		{
			Name: "show-prompt-history", Alias: "showphist", Flags: "T:", Min: 0, Max: 0, Usage: "[-T prompt-type]",
			Help: "Show what was typed at prompts: command, search, target or window-target.", ReadOnly: true, Exec: showPromptHistory,
		},
		{
			Name: "clear-prompt-history", Alias: "clearphist", Flags: "T:", Min: 0, Max: 0, Usage: "[-T prompt-type]",
			Help: "Forget what was typed at prompts, in the file of history-file too.", Exec: clearPromptHistory,
		},
	}
}

func showMessages(c *Context) error {
	if c.Args.Has("T") {
		c.showTerminals()
	}
	if c.Args.Has("J") {
		if c.Args.Has("T") {
			c.Print("")
		}
		for i, j := range c.Host.RunningJobs() {
			c.Print(fmt.Sprintf("Job %d: %s [pid=%d]", i, j.Text, j.Pid))
		}
	}
	if c.Args.Has("J") || c.Args.Has("T") {
		return nil
	}
	for _, m := range slices.Backward(c.Host.Messages()) {
		line := c.promptTime(m.At) + ": " + m.Text
		if m.Times > 1 {
			line += fmt.Sprintf(" (%d times)", m.Times)
		}
		c.Print(line)
	}
	return nil
}

// promptTime is a time as "#{t/p:…}" writes it.
func (c *Context) promptTime(at time.Time) string {
	v := c.Variables(c.Target)
	v.extra = map[string]string{"message_time": strconv.FormatInt(at.Unix(), 10)}
	return format.Expand("#{t/p:message_time}", v, format.Options{Now: c.Host.Now()})
}

// showTerminals says what the outer terminals of the attached clients are, or that of the one named by -t.
func (c *Context) showTerminals() {
	n := 0
	for _, cl := range c.Host.Clients() {
		if c.Args.Has("t") && cl.ID != c.TargetClient.ID {
			continue
		}
		c.Print(fmt.Sprintf("Terminal %d: %s for %s, features=%s", n, cl.Term, cl.Name, cl.Features))
		n++
	}
}

// promptTypes are those that -T names, or all.
func (c *Context) promptTypes() ([]string, error) {
	kind := c.Args.Get("T")
	switch {
	case !c.Args.Has("T"):
		return PromptTypes, nil
	case !slices.Contains(PromptTypes, kind):
		return nil, errorString("invalid type: " + kind)
	}
	return []string{kind}, nil
}

func showPromptHistory(c *Context) error {
	kinds, err := c.promptTypes()
	if err != nil {
		return err
	}
	return c.Await(func(done func(error)) { c.showHistories(kinds, done) })
}

// showHistories prints one history after the other, as tmux does.
func (c *Context) showHistories(kinds []string, done func(error)) {
	if len(kinds) == 0 {
		done(nil)
		return
	}
	c.Host.PromptHistory(kinds[0], func(lines []string) {
		c.Print("History for " + kinds[0] + ":\n")
		for i, line := range lines {
			c.Print(fmt.Sprintf("%d: %s", i+1, line))
		}
		c.Print("")
		c.showHistories(kinds[1:], done)
	})
}

func clearPromptHistory(c *Context) error {
	kinds, err := c.promptTypes()
	if err != nil {
		return err
	}
	return c.Await(func(done func(error)) { c.Host.ClearPromptHistory(kinds, func() { done(nil) }) })
}
