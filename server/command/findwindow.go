package command

import (
	"fmt"
	"regexp"
	"strings"
)

func findWindowCommands() []Command {
	return []Command{{
		Name: "find-window", Alias: "findw", Flags: "CiNrt:TZ", Min: 1, Max: 1, Usage: "[-CiNrTZ] [-t target-pane] match-string",
		Help:   "Choose among the panes in whose screen (-C), window name (-N) or title (-T) a text is, without these flags in any of them; -i takes upper for lower case, -r is for a regular expression.",
		Target: PaneTarget, Exec: findWindow,
	}}
}

// findWindow is choose-tree with a filter.
func findWindow(c *Context) error {
	a := c.Args
	if a.Has("r") {
		if _, err := regexp.Compile(a.Arg(0)); err != nil {
			return fmt.Errorf("find window failed: %w", err)
		}
	}
	c.Args = &Args{flags: []flag{{"f", Word{Text: findFilter(a)}}}}
	if a.Has("Z") {
		c.Args.flags = append(c.Args.flags, flag{name: "Z"})
	}
	return chooseTree(c)
}

// findFilter is the format that is true for a pane that is looked for.
func findFilter(a *Args) string {
	star, how := "*", ""
	if a.Has("r") {
		star, how = "", "r"
	}
	if a.Has("i") {
		how += "i"
	}
	if how != "" {
		how = "/" + how
	}
	text := escapeFormat(a.Arg(0))
	match := func(name string) string { return "#{m" + how + ":" + star + text + star + ",#{" + name + "}}" }
	places := [...]struct{ flag, filter string }{
		{"C", "#{C" + how + ":" + text + "}"},
		{"N", match("window_name")},
		{"T", match("pane_title")},
	}
	all := !a.Has("C") && !a.Has("N") && !a.Has("T")
	filter := ""
	for i := len(places) - 1; i >= 0; i-- {
		switch p := places[i]; {
		case !all && !a.Has(p.flag):
		case filter == "":
			filter = p.filter
		default:
			filter = "#{||:" + p.filter + "," + filter + "}"
		}
	}
	return filter
}

// escapeFormat writes a text so that a format takes it as it is: what is looked for is what was typed.
func escapeFormat(text string) string {
	return strings.NewReplacer("#", "##", ",", "#,", "}", "#}").Replace(text)
}
