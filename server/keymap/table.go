// Package keymap says what a key does: tables of bindings, the bindings stet begins with, and for each
// client the state between two keys (a prefix was pressed, a binding may be repeated).
//
// It promises tmux's rules for prefix, repeat and fallback to the root table. It runs no command and
// reads no clock: bindings hold command text, and the time comes with each call. Tables and State
// belong to the server's core loop.
package keymap

import (
	"slices"
	"strings"

	"stet/vt/key"
)

// The names of the tables that have a meaning of their own. Others are reached with switch-client -T.
const (
	Root       = "root"
	Prefix     = "prefix"
	CopyMode   = "copy-mode"
	CopyModeVi = "copy-mode-vi"
)

// Bounds for what bind-key may pile up.
const (
	maxTables   = 256
	maxBindings = 4096 // in all tables
)

// Binding is what a key of a table does.
type Binding struct {
	Chord   key.Chord
	Command string // in the command language, several commands separated by ;
	Repeat  bool   // may be pressed again within repeat-time without the prefix (bind-key -r)
	Note    string // what it is good for, for list-keys -N
}

// Tables are all key tables of a server.
type Tables struct {
	tables map[string]map[key.Chord]Binding
	count  int

	changes []Change // what Changes returned last, while compared
	// compared says that nothing was bound since. Checkpoints are frequent, and bindings seldom change.
	compared bool
}

// Lookup returns a binding.
func (t *Tables) Lookup(table string, c key.Chord) (Binding, bool) {
	b, ok := t.tables[table][c]
	return b, ok
}

// Has tells whether a table exists.
func (t *Tables) Has(table string) bool { return t.tables[table] != nil }

// Bind adds or replaces a binding, and makes the table if there is none. A binding that only adds a
// note keeps what the key did. It reports false when there are too many bindings or tables already.
func (t *Tables) Bind(table string, b Binding) bool {
	t.compared = false
	if t.tables[table] == nil {
		if len(t.tables) >= maxTables {
			return false
		}
		t.tables[table] = map[key.Chord]Binding{}
	}
	old, replaces := t.tables[table][b.Chord]
	switch {
	case !replaces && t.count >= maxBindings:
		return false
	case !replaces:
		t.count++
	case b.Command == "":
		old.Note, b = b.Note, old
		b.Note = old.Note
	}
	t.tables[table][b.Chord] = b
	return true
}

// Unbind takes a binding away and reports whether there was one.
func (t *Tables) Unbind(table string, c key.Chord) bool {
	if _, ok := t.tables[table][c]; !ok {
		return false
	}
	t.compared = false
	delete(t.tables[table], c)
	t.count--
	return true
}

// UnbindAll empties a table. The tables with a meaning stay, others go.
func (t *Tables) UnbindAll(table string) {
	t.compared = false
	t.count -= len(t.tables[table])
	if table == Root || table == Prefix {
		t.tables[table] = map[key.Chord]Binding{}
		return
	}
	delete(t.tables, table)
}

// Names returns the tables' names in order.
func (t *Tables) Names() []string {
	names := make([]string, 0, len(t.tables))
	for name := range t.tables {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// List returns a table's bindings in the order of their keys: characters first, then named keys, each
// without modifiers before with.
func (t *Tables) List(table string) []Binding {
	list := make([]Binding, 0, len(t.tables[table]))
	for _, b := range t.tables[table] {
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b Binding) int {
		if a.Chord.Mod != b.Chord.Mod {
			return int(a.Chord.Mod) - int(b.Chord.Mod)
		}
		return int(a.Chord.Key) - int(b.Chord.Key)
	})
	return list
}

// Change is one difference from the default bindings: a binding of a table, or, with an empty Command,
// the absence of one. Checkpoints keep changes only, so that new defaults arrive with a new build.
type Change struct {
	Table   string
	Key     string
	Command string
	Repeat  bool
	Note    string
}

// Changes returns the differences from Defaults, in order. The list is shared and must not be changed.
func (t *Tables) Changes() []Change {
	if !t.compared {
		t.changes, t.compared = t.compare(), true
	}
	return t.changes
}

func (t *Tables) compare() []Change {
	var changes []Change
	usual := Defaults()
	for _, table := range union(t.Names(), usual.Names()) {
		for _, b := range t.List(table) {
			if was, ok := usual.Lookup(table, b.Chord); !ok || was != b {
				changes = append(changes, Change{table, b.Chord.Name(), b.Command, b.Repeat, b.Note})
			}
		}
		for _, b := range usual.List(table) {
			if _, ok := t.Lookup(table, b.Chord); !ok {
				changes = append(changes, Change{Table: table, Key: b.Chord.Name()})
			}
		}
	}
	return changes
}

// Apply makes changes that Changes has listed. One whose key this build cannot read is passed over.
func (t *Tables) Apply(changes []Change) {
	for _, c := range changes {
		chord, err := key.ParseChord(c.Key)
		switch {
		case err != nil:
		case c.Command == "":
			t.Unbind(c.Table, chord)
		default:
			t.Bind(c.Table, Binding{chord, c.Command, c.Repeat, c.Note})
		}
	}
}

func union(a, b []string) []string {
	all := append(a, b...)
	slices.SortFunc(all, strings.Compare)
	return slices.Compact(all)
}
