package agent

import (
	"slices"
	"strings"
)

// Carried is what a resume keeps of the arguments of a launch: the flags that the integration lists, in
// their order. dropped names the flags that were left out, without their values.
func (in *Integration) Carried(args []string) (kept, dropped []string) {
	for i := 0; i < len(args) && i < MaxArgs; i++ {
		w := args[i]
		if w == "--" {
			break // prompts from here on
		}
		if len(w) < 2 || w[0] != '-' {
			continue // a prompt
		}
		name, value, glued := strings.Cut(w, "=")
		drop := func() { dropped = append(dropped, name) }
		keep := func(v string, words ...string) {
			if in.keeps(name, v) && len(v) <= MaxWord {
				kept = append(kept, words...)
			} else {
				drop()
			}
		}
		c := &in.Carry
		switch {
		case slices.Contains(c.Flag, w):
			kept = append(kept, w)
		case glued && (slices.Contains(c.Value, name) || slices.Contains(c.Variadic, name)):
			keep(value, w)
		case glued:
			drop()
		case slices.Contains(c.Value, w):
			if i+1 < len(args) {
				i++
				keep(args[i], w, args[i])
			}
		case slices.Contains(c.Variadic, w):
			for i+1 < len(args) && !strings.HasPrefix(args[i+1], "-") {
				i++
				keep(args[i], w+"="+args[i]) // so that it does not swallow what comes behind it
			}
		case slices.Contains(c.Drop, w):
			drop()
			i++
		default:
			drop()
		}
	}
	return kept, dropped
}

// keeps says that a flag's value may be written to disk.
func (in *Integration) keeps(name, value string) bool {
	return !strings.ContainsRune(value, 0) && !(slices.Contains(in.Carry.Guarded, name) && secretName.MatchString(value))
}

// has gives the first of these words that is among the arguments, "" for none. Values of flags that are
// known to have one do not count.
func (in *Integration) has(args, words []string) string {
	for i := 0; i < len(args); i++ {
		w := args[i]
		if w == "--" {
			return ""
		}
		name, _, _ := strings.Cut(w, "=")
		if slices.Contains(words, name) {
			return name
		}
		if slices.Contains(in.Carry.Value, w) || slices.Contains(in.Carry.Drop, w) {
			i++
		}
	}
	return ""
}

// given is the conversation that the arguments name, "" for none.
func (in *Integration) given(args []string) string {
	if in.has(args, in.Conversation.Forks) != "" {
		return ""
	}
	for i, w := range args {
		if w == "--" {
			break
		}
		name, value, glued := strings.Cut(w, "=")
		if !slices.Contains(in.Conversation.GivenBy, name) {
			continue
		}
		if !glued && i+1 < len(args) {
			value = args[i+1]
		}
		if in.Valid(value) {
			return value
		}
	}
	return ""
}
