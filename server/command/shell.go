package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"stet/config/format"
	"stet/config/syntax"
)

func shellCommands() []Command {
	return []Command{
		{
			Name: "run-shell", Alias: "run", Flags: "bCc:d:Et:", Min: 0, Max: 1,
			Usage: "[-bCE] [-c start-directory] [-d delay] [-t target-pane] [shell-command]",
			Help:  "Run a shell command and show what it prints; -b does not wait for it, -d begins after so many seconds, -C runs a command of stet instead.",
			// The exit status is that of the shell command.
			Target: PaneTarget, Options: CanFail, Exec: runShell,
		},
		{
			Name: "if-shell", Alias: "if", Flags: "bFt:", Min: 2, Max: 3,
			Usage: "[-bF] [-t target-pane] shell-command command [command]",
			Help:  "Run one command or another, by the exit status of a shell command, or with -F by what a format says; -b does not wait.", Target: PaneTarget,
			Options: CanFail, ReadOnly: true, Exec: ifShell,
		},
		{
			Name: "wait-for", Alias: "wait", Flags: "LSU", Min: 1, Max: 1, Usage: "[-L|-S|-U] channel",
			Help: "Wait until a channel is woken with -S; -L locks it, -U unlocks it.", Exec: waitFor,
		},
		{
			Name: "server-access", Flags: "adlrw", Min: 0, Max: 1, Usage: "[-adlrw] [user]",
			Help: "Of tmux, to let other users in: refused, since a server serves its own user only.", ReadOnly: true, Exec: serverAccess,
		},
	}
}

// jobFor is a shell command at the place that the command is about.
func (c *Context) jobFor(text string) Job {
	j := Job{Text: text, Session: -1}
	if s := c.Target.Session; s != nil {
		j.Session, j.Dir = s.ID, s.Cwd
	}
	if c.Client != 0 && !c.Info.Attached() && c.Info.Cwd != "" {
		j.Dir = c.Info.Cwd
	}
	return j
}

func runShell(c *Context) error {
	a := c.Args
	delay, err := seconds(a.Get("d"))
	if err != nil {
		return err
	}
	work := func(done func(error)) { done(nil) }
	switch {
	case a.Len() == 0:
	case a.Has("C"):
		if work, err = c.laterCommands(a.Word(0)); err != nil {
			return err
		}
	default:
		j := c.jobFor(c.Expand(a.Arg(0), c.Target))
		if dir := a.Get("c"); dir != "" {
			j.Dir = c.absolute(c.Expand(dir, c.Target))
		}
		j.Errors = true
		work = func(done func(error)) {
			c.Host.RunJob(j, func(r JobResult) { done(c.ran(j.Text, r)) })
		}
	}
	start := work
	if delay > 0 {
		start = func(done func(error)) { c.Host.After(delay, func() { work(done) }) }
	}
	if a.Has("b") {
		start(func(err error) {
			if err != nil {
				c.Host.Fail(c.Client, err.Error())
			}
		})
		return nil
	}
	if a.Len() == 0 && delay == 0 {
		return nil
	}
	return c.Await(start)
}

// maxDelay bounds run-shell -d.
const maxDelay = 365 * 24 * time.Hour

func seconds(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || n < 0 || n > maxDelay.Seconds() {
		return 0, fmt.Errorf("invalid delay time: %s", text)
	}
	return time.Duration(n * float64(time.Second)), nil
}

// laterCommands reads commands now and runs them when the time has come.
func (c *Context) laterCommands(w Word) (func(done func(error)), error) {
	text := w
	if !w.IsBlock {
		text.Text = c.Expand(w.Text, c.Target)
	}
	list, err := commandsOf(text)
	if err == nil {
		err = c.queue.Check(list)
	}
	return func(done func(error)) { done(c.follow(list)) }, err
}

// follow runs commands that have become due: next in the sequence, or by themselves where that did not
// wait for them.
func (c *Context) follow(list []syntax.Command) error {
	if !c.Args.Has("b") {
		c.SetCurrent(c.Target)
		return c.Insert(list)
	}
	r := Request{Client: c.Client, Commands: list, Hook: c.item.from.hook}
	if _, there := c.Host.Client(c.Client); !there {
		r.Client = 0
	}
	if p := c.Target.Pane; p != nil {
		r.Pane, r.HasPane = p.ID, true
	}
	c.queue.Run(r)
	return nil
}

// ran tells how a shell command went: its output to who has asked, and its status.
func (c *Context) ran(text string, r JobResult) error {
	if r.Err != nil {
		c.Host.ExitStatus(c.Client, r.Status())
		return fmt.Errorf("failed to run command: %s: %w", text, r.Err)
	}
	out, said := strings.TrimSuffix(r.Output, "\n"), ""
	switch {
	case r.Signal != 0:
		said = fmt.Sprintf("'%s' terminated by signal %d", text, r.Signal)
	case r.Code != 0:
		said = fmt.Sprintf("'%s' returned %d", text, r.Code)
	}
	in, there := c.Host.Client(c.Client)
	line := there && !in.Attached()
	if c.Args.Has("t") && c.Target.Pane != nil || !there {
		if c.Target.Pane != nil && out+said != "" {
			c.Host.ShowOutput(c.Target.Pane.ID, joinLines(out, said))
		}
	} else if line {
		if r.Output != "" {
			c.Host.Write(c.Client, []byte(r.Output))
		}
		if said != "" {
			c.Host.Fail(c.Client, said)
		}
	} else if out+said != "" {
		c.Host.Print(c.Client, joinLines(out, said))
	}
	if line && r.Status() != 0 {
		c.Host.ExitStatus(c.Client, r.Status())
	}
	return nil
}

func joinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "\n" + b
}

func ifShell(c *Context) error {
	choose := func(yes bool) error {
		which := 2
		if yes {
			which = 1
		}
		if which >= c.Args.Len() {
			return nil
		}
		list, err := commandsOf(c.Args.Word(which))
		if err != nil {
			return err
		}
		return c.follow(list)
	}
	condition := c.Expand(c.Args.Arg(0), c.Target)
	if c.Args.Has("F") {
		return choose(format.True(condition))
	}
	start := func(done func(error)) {
		c.Host.RunJob(c.jobFor(condition), func(r JobResult) {
			if r.Err != nil {
				done(fmt.Errorf("failed to run command: %s: %w", condition, r.Err))
				return
			}
			done(choose(r.Status() == 0))
		})
	}
	if c.Args.Has("b") {
		start(func(err error) {
			if err != nil {
				c.Host.Fail(c.Client, err.Error())
			}
		})
		return nil
	}
	return c.Await(start)
}

func serverAccess(c *Context) error {
	return errorString("server-access: a server serves the user who has started it and nobody else; let somebody in as that user, for example with ssh")
}
