package command

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"stet/config/syntax"
)

// Bounds of source-file.
const (
	maxSource  = 4 << 20 // bytes of one file
	maxSources = 256     // files of one command
	maxFiles   = 50      // that read each other
)

func sourceCommands() []Command {
	return []Command{{
		Name: "source-file", Alias: "source", Flags: "Fnqv", Min: 1, Max: -1, Usage: "[-Fnqv] path ...",
		Help: "Run the commands of files in tmux's language, - of standard input; patterns are matched. -n only checks them, -v shows them, -q says nothing of files that are not there, -F expands the paths.",
		Exec: sourceFile,
	}}
}

func sourceFile(c *Context) error {
	if c.item.from.files >= maxFiles {
		return errorString("too many files read each other")
	}
	var patterns []string
	for _, p := range c.Args.Texts(0) {
		if c.Args.Has("F") {
			p = c.Expand(p, c.here())
		}
		patterns = append(patterns, p)
	}
	return c.Await(func(done func(error)) { c.match(patterns, nil, nil, done) })
}

// match finds one after the other the files that paths stand for, and then reads them.
func (c *Context) match(patterns, paths []string, failed error, done func(error)) {
	if len(patterns) == 0 {
		c.matched(paths, failed, done)
		return
	}
	path := patterns[0]
	full := path
	if path != "-" && !filepath.IsAbs(path) {
		full = filepath.Join(c.Info.Cwd, path)
	}
	if !strings.ContainsAny(path, "*?[") {
		c.match(patterns[1:], append(paths, full), failed, done)
		return
	}
	c.Host.MatchFiles(full, maxSources+1, func(found []string, err error) {
		switch {
		case errors.Is(err, filepath.ErrBadPattern): // in tmux it has no files
			failed = c.notThere(failed, fmt.Errorf("%s: No such file or directory", path))
		case err != nil:
			failed = joinErrors(failed, fmt.Errorf("%s: %w", path, err))
		case len(found) == 0:
			failed = c.notThere(failed, fmt.Errorf("%s: No such file or directory", path))
		}
		c.match(patterns[1:], append(paths, found...), failed, done)
	})
}

func (c *Context) matched(paths []string, failed error, done func(error)) {
	switch {
	case len(paths) > maxSources:
		done(fmt.Errorf("more than %d files are too many", maxSources))
	case len(paths) == 0:
		done(failed)
	default:
		c.source(paths, nil, failed, done)
	}
}

// notThere joins the errors about files.
func (c *Context) notThere(old, err error) error {
	switch {
	case c.Args.Has("q"):
		return old
	case old != nil:
		return fmt.Errorf("%w\n%w", old, err)
	}
	return err
}

// source reads one file after the other, and then runs what they hold.
func (c *Context) source(paths []string, list []syntax.Command, failed error, done func(error)) {
	if len(paths) == 0 {
		if failed != nil { // what could be read is run all the same
			c.item.run.failed = true
			c.Host.Fail(c.Client, failed.Error())
		}
		c.item.from.files++
		done(c.Insert(list))
		return
	}
	path := paths[0]
	c.Host.ReadFile(c.Client, path, maxSource, func(data []byte, err error) {
		if err != nil {
			c.source(paths[1:], list, c.notThere(failed, fileError(path, err)), done)
			return
		}
		base := 0 // so that the sequences of two files are never one
		if len(list) > 0 {
			base = list[len(list)-1].Group + 1
		}
		more, err := c.commandsIn(string(data), path, base)
		if err != nil {
			failed = joinErrors(failed, err)
		} else if !c.Args.Has("n") {
			list = append(list, more...)
		}
		c.source(paths[1:], list, failed, done)
	})
}

func joinErrors(old, err error) error {
	if old == nil {
		return err
	}
	return fmt.Errorf("%w\n%w", old, err)
}

// commandsIn reads a file. When something in it is wrong, nothing of it is run.
func (c *Context) commandsIn(text, path string, base int) ([]syntax.Command, error) {
	env := syntax.System()
	env.Getenv = func(name string) string {
		v, _ := c.Host.GlobalEnviron().Find(name)
		return v.Value
	}
	place := c.here()
	env.If = func(format string) string { return c.Expand(format, place) }
	list, err := env.Parse(text, path)
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	var shown []string
	for i := range list {
		list[i].Group += base
		all, err := c.queue.parse(list[i : i+1])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, list[i].Line, err)
		}
		for k, p := range all {
			p.source.Name = p.row.Name
			text := p.source.String()
			if more := k > 0 || i > 0 && list[i].Group == list[i-1].Group; more && len(shown) > 0 {
				shown[len(shown)-1] += " ; " + text
			} else {
				shown = append(shown, fmt.Sprintf("%s:%d: %s", path, list[i].Line, text))
			}
		}
	}
	if c.Args.Has("v") && len(shown) > 0 {
		c.Print(strings.Join(shown, "\n"))
	}
	return list, nil
}
