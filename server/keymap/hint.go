package keymap

import "strings"

// Hint is a key and, in a word or two, what it does.
type Hint struct{ Key, Text string }

// short are the commands that a person behind the prefix wants most, in that order, in a word or two.
// A binding of them says its own note where somebody has given it another than the default.
var short = [...]struct{ command, text string }{
	{"split-window -h", "split right"},
	{"split-window", "split down"},
	{"detach-client", "detach"}, // whoever wants out must see how
	{"new-window", "new window"},
	{"next-window", "next"},
	{"previous-window", "previous"},
	{"copy-mode", "scroll, copy"},
	{"resize-pane -Z", "zoom"},
	{"choose-tree -Zs", "sessions"},
	{"choose-tree -Zw", "windows"},
	{"select-pane -t :.+", "next pane"},
	{"kill-pane", "close"},
	{"rename-window", "rename"},
	{"command-prompt", "command"},
}

// Hints are the keys of a table that are worth showing to somebody who hesitates: the commonest first,
// then the others that have a note, and last the one that shows all keys.
func (t *Tables) Hints(table string) []Hint {
	var all *Hint
	ranked := make([]*Hint, len(short))
	var rest []Hint
	usual := defaultNotes()
	for _, b := range t.List(table) {
		name := b.Chord.Name()
		rank := rankOf(b.Command)
		switch _, _, _, mouse := b.Chord.Mouse(); {
		case mouse:
		case isHelp(b.Command):
			all = &Hint{name, "all keys"}
		case rank >= 0 && ranked[rank] == nil:
			text := short[rank].text
			if b.Note != "" && b.Note != usual[b.Command] {
				text = strings.ToLower(b.Note)
			}
			ranked[rank] = &Hint{name, text}
		case b.Note != "" && rank < 0:
			rest = append(rest, Hint{name, strings.ToLower(b.Note)})
		}
	}
	var out []Hint
	for _, h := range ranked {
		if h != nil {
			out = append(out, *h)
		}
	}
	out = append(out, rest...)
	if all != nil {
		out = append(out, *all)
	}
	return out
}

func isHelp(command string) bool {
	return command == "help" || strings.HasPrefix(command, "list-keys")
}

// rankOf finds a binding's command among the short ones, also behind the question that guards it.
func rankOf(command string) int {
	for i := range short {
		c := short[i].command
		if command == c || (strings.HasPrefix(command, "confirm-before") || strings.HasPrefix(command, "command-prompt ")) &&
			(strings.HasSuffix(command, " "+c) || strings.Contains(command, "{ "+c+" ")) {
			return i
		}
	}
	return -1
}

// defaultNotes are the notes of the default bindings by command.
func defaultNotes() map[string]string {
	m := make(map[string]string, len(defaults))
	for i := range defaults {
		if note := defaults[i].note; note != "" { // the wheel does it as well, and has none
			m[defaults[i].command] = note
		}
	}
	return m
}
