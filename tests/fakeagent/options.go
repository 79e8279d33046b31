package main

import (
	"fmt"
	"slices"
	"strings"
)

// options are a command line, understood.
type options struct {
	resume  string // the id, or whatever was given in its place
	resumes bool
	newID   string
	last    bool
	prompt  []string
	given   map[string][]string // the values of every flag; one for a flag without

}

// parse reads a command line as the agent does. What it does not know, it rejects.
func (p *personality) parse(args []string) (options, error) {
	o := options{given: map[string][]string{}}
	if p.verb != "" && slices.Contains(args, p.verb) {
		i := slices.Index(args, p.verb)
		args = slices.Delete(slices.Clone(args), i, i+1)
		o.resumes = true
	}
	for len(args) > 0 {
		word := args[0]
		args = args[1:]
		if word == "--" {
			o.prompt = append(o.prompt, args...)
			break
		}
		if !strings.HasPrefix(word, "-") || word == "-" {
			if o.resumes && p.verb != "" && o.resume == "" {
				o.resume = word
			} else {
				o.prompt = append(o.prompt, word)
			}
			continue
		}
		flag, value, joined := strings.Cut(word, "=")
		take := func() error {
			if joined {
				return nil
			}
			if len(args) == 0 {
				return fmt.Errorf("option '%s' argument missing", flag)
			}
			value, args = args[0], args[1:]
			return nil
		}
		switch {
		case slices.Contains(p.none, flag) && !joined:
		case slices.Contains(p.lastFlags, flag) && !joined:
			o.last = true
		case slices.Contains(p.optional, flag):
		case slices.Contains(p.value, flag):
			if err := take(); err != nil {
				return o, err
			}
		case slices.Contains(p.variadic, flag):
			for !joined && len(args) > 0 && !strings.HasPrefix(args[0], "-") {
				o.given[flag] = append(o.given[flag], args[0])
				args = args[1:]
			}
		case flag == p.newIDFlag && flag != "":
			if err := take(); err != nil {
				return o, err
			}
			o.newID = value
		case slices.Contains(p.resumeFlags, flag):
			o.resumes = true
			if joined || len(args) > 0 && !strings.HasPrefix(args[0], "-") {
				_ = take()
			}
			o.resume = value
		default:
			return o, fmt.Errorf("unknown option '%s'", flag)
		}
		o.given[flag] = append(o.given[flag], value)
	}
	for _, flag := range []string{"--prompt", "-i", "--interactive", "--prompt-interactive"} {
		if p.verb == "" { // elsewhere -i is an image
			o.prompt = append(o.prompt, o.given[flag]...)
		}
	}
	return o, nil
}
