// Package option is the table of options, what values they take, and sets of
// them that inherit from one another.
//
// Names, kinds, scopes and meanings are tmux's; the defaults are stet's, with
// tmux's beside them where they differ. The table is static data: importing the
// package costs nothing at start. Help and documentation are made from it.
//
// A Set has one owner and no locks. Nothing here acts on an option: who needs
// one asks for it by name, and who changes one tells those who care.
package option

import (
	"fmt"
	"sort"
	"strings"

	"stet/config/near"
)

// Type is the kind of value an option takes.
type Type uint8

// The types. A String may be any text; a format counts as one.
const (
	String  Type = iota
	Number       // Min to Max
	Flag         // on or off
	Choice       // one of Choices
	Colour       // as style.ParseColour reads
	Style        // as style.Parse reads, or with #{…} in it, which is checked only when used
	Key          // a key name, or None
	Command      // commands of the command language
)

// String returns the name of the type.
func (t Type) String() string {
	switch t {
	case String:
		return "string"
	case Number:
		return "number"
	case Flag:
		return "flag"
	case Choice:
		return "choice"
	case Colour:
		return "colour"
	case Style:
		return "style"
	case Key:
		return "key"
	case Command:
		return "command"
	}
	return fmt.Sprintf("Type(%d)", uint8(t))
}

// Scope says what an option belongs to. A pane option is a window option too:
// set there it holds for all panes of the window.
type Scope uint8

// The scopes.
const (
	Server Scope = 1 << iota
	Session
	Window
	Pane
)

// String returns the scope in words; of a pane option, "pane".
func (s Scope) String() string {
	switch {
	case s&Pane != 0:
		return "pane"
	case s&Window != 0:
		return "window"
	case s&Session != 0:
		return "session"
	case s&Server != 0:
		return "server"
	}
	return "no"
}

// Row is one option.
type Row struct {
	Name    string
	Type    Type
	Scope   Scope
	Default string // of a list, the items joined by its separator
	// Tmux is tmux's default when it differs; see Row.TmuxDefault.
	Tmux     string
	Min, Max int      // of a Number
	Unit     string   // of a Number, "ms", "s", "lines"; else ""
	Choices  []string // of a Choice
	// List is set for options that hold numbered items (update-environment[3]).
	// It has the characters that separate items in a value for the whole list;
	// a blank alone keeps every value one item.
	List string
	// Items are the default of a list whose items have its separators in them; Default is empty then.
	Items []string
	// Own says that tmux has no such option.
	Own bool
	// Hook is set for hooks, which are options of their own kind: they are not in Table.
	Hook  bool
	Help  string // a sentence or two
	check func(value string) error
}

// Section is the table of config.toml that the option stands in.
func (r *Row) Section() string {
	if r.Scope&Window != 0 {
		return "window-options"
	}
	return "options"
}

// TmuxDefault returns the default under the name tmux.
func (r *Row) TmuxDefault() string {
	switch r.Tmux {
	case "":
		return r.Default
	case emptyInTmux:
		return ""
	}
	return r.Tmux
}

// emptyInTmux stands in Row.Tmux for an empty default.
const emptyInTmux = "\x00"

// Allowed says in words what values the option takes.
func (r *Row) Allowed() string {
	switch r.Type {
	case Number:
		unit := ""
		if r.Unit != "" {
			unit = " " + r.Unit
		}
		return fmt.Sprintf("%d to %d%s", r.Min, r.Max, unit)
	case Flag:
		return "on or off"
	case Choice:
		return strings.Join(r.Choices, ", ")
	case Colour:
		return "a colour"
	case Style:
		return "a style such as fg=red,bold"
	case Key:
		return "a key such as C-b, or None"
	case Command:
		return "commands"
	}
	if r.List != "" {
		return "a list of strings"
	}
	return "a string"
}

// groups returns the parts of the table, each sorted by name. A variable would
// be filled at every start of the program.
func groups() [5][]Row {
	return [5][]Row{serverRows[:], sessionRows[:], windowRows[:], ownRows[:], hookRows[:]}
}

// Table returns all options but hooks sorted by name, as copies.
func Table() []Row {
	out := make([]Row, 0, len(serverRows)+len(sessionRows)+len(windowRows)+len(ownRows))
	for r := range sorted {
		if !r.Hook {
			out = append(out, *r)
		}
	}
	return out
}

// sorted goes through all options by name. The parts are merged on the way: there is no list of all of
// them, and nothing is allocated. The rows are shared and must not be changed.
func sorted(yield func(*Row) bool) {
	parts := groups()
	for {
		least := -1
		for i := range parts {
			if len(parts[i]) > 0 && (least < 0 || parts[i][0].Name < parts[least][0].Name) {
				least = i
			}
		}
		if least < 0 || !yield(&parts[least][0]) {
			return
		}
		parts[least] = parts[least][1:]
	}
}

// Lookup returns the option with exactly this name, or nil.
func Lookup(name string) *Row {
	for _, g := range groups() {
		i := sort.Search(len(g), func(i int) bool { return g[i].Name >= name })
		if i < len(g) && g[i].Name == name {
			return &g[i]
		}
	}
	return nil
}

// Find returns the option of a name or of an unambiguous beginning of one.
// tmux's options come first: one of stet's own is found by a beginning only
// where none of tmux's begins so. "color" may be written for "colour". The
// index of an item, "[3]", must have been taken off; see Cut.
func Find(name string) (*Row, error) {
	if r := Lookup(name); r != nil {
		return r, nil
	}
	if strings.Contains(name, "color") {
		if r := Lookup(strings.ReplaceAll(name, "color", "colour")); r != nil {
			return r, nil
		}
	}
	if name == "" {
		return nil, fmt.Errorf("invalid option: an empty name")
	}
	for _, own := range [...]bool{false, true} {
		var found []*Row
		for _, g := range groups() {
			for i := range g {
				if g[i].Own == own && strings.HasPrefix(g[i].Name, name) {
					found = append(found, &g[i])
				}
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return nil, fmt.Errorf("ambiguous option: %s: could be %s", name, names(found))
		}
	}
	return nil, fmt.Errorf("invalid option: %s%s", name, didYouMean(name))
}

// names lists the first few of what a beginning could mean.
func names(rows []*Row) string {
	const most = 5
	var out []string
	for i, r := range rows {
		if i == most {
			out = append(out, "…")
			break
		}
		out = append(out, r.Name)
	}
	sort.Strings(out[:min(len(out), most)])
	return strings.Join(out, ", ")
}

// didYouMean proposes the options whose names differ least, if little.
func didYouMean(name string) string {
	return near.Meant(name, func(yield func(string) bool) {
		for r := range sorted {
			if !r.Hook && !yield(r.Name) {
				return
			}
		}
	})
}

// Cut takes the index of a list's item off a name: "user-keys[3]" gives
// "user-keys" and 3, a name without index -1.
func Cut(name string) (base string, index int, err error) {
	base, rest, ok := strings.Cut(name, "[")
	if !ok {
		return name, -1, nil
	}
	digits, ok := strings.CutSuffix(rest, "]")
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' || n > maxIndex {
			ok = false
			break
		}
		n = n*10 + int(d-'0')
	}
	if !ok || digits == "" || n > maxIndex {
		return "", 0, fmt.Errorf("invalid option: %s: an index is a number from 0 to %d in brackets", name, maxIndex)
	}
	return base, n, nil
}

// maxIndex is the largest index of an item.
const maxIndex = 1<<16 - 1
