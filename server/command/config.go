package command

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"stet/config"
	"stet/resurrect"
)

func configCommands() []Command {
	return []Command{
		{
			Name: "config-check", Own: true, Min: 0, Max: 1, Usage: "[file.toml]", ReadOnly: true,
			Help: "Check config.toml, or another file as if it were that, with what it includes, and list every mistake with file, line and column. Nothing is changed, and no server is needed. Exit status 1: there are mistakes.",
			Exec: configCheck,
		},
		{
			Name: "config-default", Own: true, Min: 0, Max: 0, ReadOnly: true,
			Help: "Print a config.toml to begin with: everything that can be set, at its default and commented out, with what it is for and which values it takes.",
			Exec: func(c *Context) error { c.Print(strings.TrimSuffix(DefaultConfig(), "\n")); return nil },
		},
		{
			Name: "config-show", Own: true, Long: []string{"json"}, Min: 0, Max: 0, Usage: "[--json]", ReadOnly: true,
			Help: "Print what is configured other than by default, for everybody, as config.toml would say it, and where each of it was set. Without a server: what the file says.",
			Exec: configShow,
		},
	}
}

// ConfigHost is about config.toml.
type ConfigHost interface {
	// Configuration is what is in force, and what is wrong with the file by now.
	Configuration() Configuration
	// CheckConfig reads a configuration and tells what is wrong with it; "" is the user's. It does not block.
	CheckConfig(path string, done func(path string, c *config.Config, err error))
}

// Configuration is a configuration and how it stands.
type Configuration struct {
	Path   string         // of the file; "" none is followed
	Config *config.Config // in force; nil: there is none
	Wrong  []string       // the mistakes in the file as it is now, which is not in force then
	Gone   bool           // the file was taken away
}

func configCheck(c *Context) error {
	path := ""
	if c.Args.Len() > 0 {
		path = c.absolute(c.untilde(c.Args.Arg(0)))
	}
	return c.Await(func(done func(error)) {
		c.Host.CheckConfig(path, func(found string, cfg *config.Config, err error) {
			text, err := Checked(found, path != "", cfg, err)
			if err == nil {
				c.Print(text)
			}
			done(err)
		})
	})
}

// Checked says in words what a check has found. named is a file that somebody has asked for, which must be there.
func Checked(path string, named bool, c *config.Config, err error) (string, error) {
	var wrong config.Errors
	switch {
	case path == "":
		return "", errorString("no home directory is known, so there is no config.toml")
	case errors.Is(err, fs.ErrNotExist) && !named:
		return fmt.Sprintf("there is no %s: a server that starts has everything at its default, one that runs keeps what it has; stet config default prints one to begin with", path), nil
	case errors.As(err, &wrong):
		return "", fmt.Errorf("%w\n%s; what was in force stays", err, resurrect.Plural(len(wrong), "mistake"))
	case err != nil:
		return "", err
	}
	var parts []string
	for _, n := range []struct {
		n    int
		what string
	}{{len(c.Options) + len(c.WindowOptions), "option"}, {len(c.Keys), "key"}, {len(c.Hooks), "hook"}, {len(c.Themes), "theme"}, {len(c.Sessions), "session"}} {
		if n.n > 0 {
			parts = append(parts, resurrect.Plural(n.n, n.what))
		}
	}
	text := path + " is well: "
	if len(parts) == 0 {
		text += "it sets nothing"
	} else {
		text += strings.Join(parts, ", ")
	}
	if n := len(c.Files) - 1; n > 0 {
		text += ", of " + resurrect.Plural(n+1, "file")
		for _, f := range c.Files[1:] {
			text += "\n  " + f.Path
		}
	}
	return text, nil
}

func configShow(c *Context) error {
	s := showConfig(c.Host)
	if c.Args.Has("json") {
		return c.printJSON(s)
	}
	c.Print(strings.TrimSuffix(s.text(), "\n"))
	return nil
}

// ShowConfig is what config show prints.
func ShowConfig(h Configured, asJSON bool) (string, error) {
	s := showConfig(h)
	if asJSON {
		return jsonText(s)
	}
	return s.text(), nil
}
