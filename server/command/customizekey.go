package command

import (
	"stet/server/keymap"
	"stet/server/mode/tree"
	"stet/server/model"
	"stet/vt/key"
)

// keyAt is a key of a table as customize-mode shows it: a line with one each for its command, note and
// repeating below.
type keyAt struct {
	cz    *customizer
	table string
	keymap.Binding
}

func (k *keyAt) item(q tree.Query) *tree.Item {
	name := k.Chord.Name()
	vars := map[string]string{"is_option": "0", "is_key": "1", "key": name, "key_note": k.Note}
	if !k.cz.fits(q.Filter, k.cz.at, vars) {
		return nil
	}
	text := k.cz.expand(k.cz.text, k.cz.at, vars)
	made := madeKey{k.table, k.Binding, text, k.cz.at.Pane.ID}
	i := k.cz.made[made]
	if i == nil {
		i = k.make(text)
	}
	k.cz.making[made] = i
	return i
}

// madeKey is what the lines of a key are made from. There are hundreds of keys, and the list is made anew at
// each change of the model, while they hardly ever change.
type madeKey struct {
	table string
	keymap.Binding
	text string
	pane model.PaneID
}

// make makes the lines of a key.
func (k *keyAt) make(text string) *tree.Item {
	name := k.Chord.Name()
	command := tree.Fill{Label: "(" + name + ") ", Text: k.Command, Line: func(text string) string {
		b := k.Binding
		b.Command = text
		return bindLine(k.table, b)
	}}
	note := tree.Fill{Label: "(" + name + ") ", Text: k.Note, Line: func(text string) string {
		return "bind-key " + quoted("-N", text, "-T", k.table) + " " + escapeKey(name)
	}}
	other := k.Binding
	other.Repeat = !k.Repeat
	i := k.line("", name, text)
	i.Fill = map[tree.Act]tree.Fill{tree.Set: command, tree.Choose: command}
	i.Children = []*tree.Item{
		k.line(" command", "Command", "#[ignore]"+k.Command), k.line(" note", "Note", "#[ignore]"+k.Note),
		k.line(" repeat", "Repeat", map[bool]string{false: "off", true: "on"}[k.Repeat]),
	}
	i.Children[0].Fill = i.Fill
	i.Children[1].Fill = map[tree.Act]tree.Fill{tree.Set: note, tree.Choose: note}
	for _, part := range i.Children {
		part.NoTag = true
	}
	repeat := i.Children[2]
	repeat.Do[tree.Set], repeat.Do[tree.Choose] = bindLine(k.table, other), bindLine(k.table, other)
	return i
}

// line is one of its lines, with the keys that all of them have.
func (k *keyAt) line(part, name, text string) *tree.Item {
	if text == k.Chord.Name() {
		text = "" // it would say the same twice
	}
	key := k.Chord.Name()
	return &tree.Item{
		ID: k.table + " " + key + part, Name: name, Text: text, Target: key, Pane: int(k.cz.pane), About: k.about(),
		Do:  map[tree.Act]string{tree.Unset: unbindLine(k.table, k.Chord), tree.Reset: k.reset()},
		Ask: map[tree.Act]string{tree.Unset: "Unbind " + key + "?", tree.Reset: "Reset " + key + " to default?"},
	}
}

// reset gives the key back what it did at the beginning.
func (k *keyAt) reset() string {
	if b, ok := k.cz.usual.Lookup(k.table, k.Chord); ok {
		return bindLine(k.table, b)
	}
	return unbindLine(k.table, k.Chord)
}

func (k *keyAt) about() []tree.Paragraph {
	note := k.Note
	if note == "" {
		note = "There is no note for this key."
	}
	repeats := "This key does not repeat."
	if k.Repeat {
		repeats = "This key repeats."
	}
	out := []tree.Paragraph{said(note), said("This key is in the " + k.table + " table."), said(repeats), nil, said("Command: " + k.Command)}
	switch b, ok := k.cz.usual.Lookup(k.table, k.Chord); {
	case !ok:
		out = append(out, said("It is not bound by default."))
	case b.Command != k.Command:
		out = append(out, said("The default is: "+b.Command))
	}
	return out
}

// bindLine is the command line that makes a binding.
func bindLine(table string, b keymap.Binding) string {
	words := []string{"bind-key"}
	if b.Repeat {
		words = append(words, "-r")
	}
	if b.Note != "" {
		words = append(words, "-N", b.Note)
	}
	return quoted(append(words, "-T", table)...) + " " + escapeKey(b.Chord.Name()) + " " + quoted(b.Command)
}

func unbindLine(table string, c key.Chord) string {
	return "unbind-key " + quoted("-T", table) + " " + escapeKey(c.Name())
}
