package tree

import (
	"fmt"
	"slices"
	"strings"

	"stet/server/mode"
)

// key is one key by name. Those in front of the lines come first.
func (t *Tree) key(name string) mode.Effect {
	if t.help {
		return t.helpKey(name)
	}
	for n := range t.lines {
		if name != "" && t.shortcut(n) == name {
			t.at = n
			return t.choose()
		}
	}
	if r := t.row(name); r != nil {
		return r.does(t)
	}
	return mode.Effect{}
}

func (t *Tree) up()       { t.at = (t.at + len(t.lines) - 1) % len(t.lines) }
func (t *Tree) down()     { t.at = (t.at + 1) % len(t.lines) }
func (t *Tree) pageUp()   { t.at -= t.listRows() }
func (t *Tree) pageDown() { t.at += t.listRows() }
func (t *Tree) first()    { t.at = 0 }
func (t *Tree) last()     { t.at = len(t.lines) - 1 }
func (t *Tree) home()     { t.openTo(t.cfg.Start); t.selectID(t.cfg.Start) }

func (t *Tree) togglePreview() { t.preview = !t.preview }

func (t *Tree) toggleOwn() {
	t.cfg.Query.Own = !t.cfg.Query.Own
	t.reload()
}

func (t *Tree) reverse() {
	t.cfg.Query.Reverse = !t.cfg.Query.Reverse
	t.reload()
}

func (t *Tree) reload() {
	id := t.id()
	t.load()
	t.selectID(id)
}

// fold opens or closes what is selected; what is closed already leads to where it is in, what is open to
// its first child.
func (t *Tree) fold(open bool) {
	i := t.item()
	if i == nil {
		return
	}
	depth := t.lines[t.at].depth
	is := t.isOpen(i, depth)
	switch {
	case open && is:
		t.at++
	case open && len(i.Children) > 0, !open && is:
		t.open[i.ID] = open
		t.flatten()
	case !open:
		for t.at > 0 && t.lines[t.at].depth >= depth && depth > 0 {
			t.at--
		}
	}
	t.scroll = 0
}

func (t *Tree) foldAll(open bool) {
	id := t.id()
	t.each(func(i *Item) { t.open[i.ID] = open })
	t.flatten()
	t.at = min(t.at, len(t.lines)-1)
	t.selectID(id)
}

// tag marks what is selected, or takes the mark away, and goes on to the next line. What is in a tagged item, or
// what that is in, is not tagged: the same would be done to it twice.
func (t *Tree) tag() {
	i := t.item()
	if i == nil || i.NoTag {
		return
	}
	if t.tags[i.ID] {
		delete(t.tags, i.ID)
	} else {
		t.each(func(other *Item) {
			if holds(other, i.ID) || holds(i, other.ID) {
				delete(t.tags, other.ID)
			}
		})
		t.tags[i.ID] = true
	}
	t.at = min(t.at+1, len(t.lines)-1)
}

// tagAll marks the items in sight that are in none, or in one that cannot be tagged.
func (t *Tree) tagAll() {
	t.tags = map[string]bool{}
	var above []*Item // by depth
	for _, l := range t.lines {
		above = append(above[:l.depth], l.item)
		if !l.item.NoTag && !l.item.Part && (l.depth == 0 || above[l.depth-1].NoTag) {
			t.tags[l.item.ID] = true
		}
	}
}

func (t *Tree) nextSort() {
	for n, s := range t.cfg.Sorts {
		if s == t.cfg.Query.Sort {
			t.cfg.Query.Sort = t.cfg.Sorts[(n+1)%len(t.cfg.Sorts)]
			break
		}
	}
	t.reload()
}

// do does something with what is selected; nothing where the item has no such thing.
func (t *Tree) do(a Act) mode.Effect {
	i := t.item()
	if i == nil {
		return mode.Effect{}
	}
	if f := i.Fill[a]; f.Line != nil {
		return f.ask(i.Pane)
	}
	line, ok := i.Do[a]
	if !ok {
		return mode.Effect{}
	}
	return confirm(i.Ask[a], []mode.Run{{Line: line, Pane: i.Pane}})
}

// doTagged does something with all that is tagged, and asks once.
func (t *Tree) doTagged(a Act) mode.Effect {
	var runs []mode.Run
	ask := ""
	for _, i := range t.tagged(false) {
		if line, ok := i.Do[a]; ok {
			runs = append(runs, mode.Run{Line: line, Pane: i.Pane})
			ask = i.Ask[a]
		}
	}
	if len(runs) == 0 {
		return mode.Effect{}
	}
	if verb, _, ok := strings.Cut(ask, " "); ok {
		ask = fmt.Sprintf("%s %d tagged?", verb, len(runs))
	}
	return confirm(ask, runs)
}

// confirm runs lines, where there is a question only after a yes.
func confirm(ask string, runs []mode.Run) mode.Effect {
	if ask == "" {
		return mode.Effect{Runs: runs}
	}
	return mode.Effect{Prompt: &mode.Prompt{Label: ask + " (y/n) ", OneKey: true, Answer: func(a string) mode.Effect {
		if a == "y" || a == "Y" {
			return mode.Effect{Runs: runs}
		}
		return mode.Effect{}
	}}}
}

// ask asks for the text, and runs the line made of it.
func (f Fill) ask(pane int) mode.Effect {
	return mode.Effect{Prompt: &mode.Prompt{Label: f.Label, Text: f.Text, History: "value", Answer: func(text string) mode.Effect {
		return mode.Effect{Runs: []mode.Run{{Line: f.Line(text), Pane: pane}}}
	}}}
}

// find goes to the next item, or the one before, that has what was searched for: as it was typed, or where
// nothing has that, in other letters.
func (t *Tree) find(back bool) {
	step := 1
	if back {
		step = -1
	}
	var all []*Item
	t.each(func(i *Item) { all = append(all, i) })
	from := slices.Index(all, t.item())
	for _, fold := range [...]func(string) string{func(s string) string { return s }, strings.ToLower} {
		want := fold(t.search)
		for n := 1; want != "" && n <= len(all); n++ {
			i := all[((from+n*step)%len(all)+len(all))%len(all)]
			text := i.Name
			if !t.cfg.ByName {
				text += " " + plain(i.Text)
			}
			if strings.Contains(fold(text), want) {
				t.reveal(i)
				return
			}
		}
	}
}

// reveal selects an item and opens what it is in.
func (t *Tree) reveal(i *Item) {
	t.each(func(above *Item) {
		if holds(above, i.ID) {
			t.open[above.ID] = true
		}
	})
	t.flatten()
	t.selectID(i.ID)
	t.scroll = 0
}

// answer makes the callback of a prompt: it is called without the mutex.
func (t *Tree) answer(f func(text string) mode.Effect) func(string) mode.Effect {
	return func(text string) mode.Effect {
		t.mu.Lock()
		defer t.mu.Unlock()
		return f(text)
	}
}

func (t *Tree) askSearch() mode.Effect {
	return mode.Effect{Prompt: &mode.Prompt{Label: "(search) ", History: "search", Answer: t.answer(func(text string) mode.Effect {
		if text != "" {
			t.search = text
		}
		t.find(false)
		return t.redraw()
	})}}
}

func (t *Tree) askFilter() mode.Effect {
	return mode.Effect{Prompt: &mode.Prompt{Label: "(filter) ", Text: t.filter, History: "search", Answer: t.answer(func(text string) mode.Effect {
		t.filter = text
		t.reload()
		return t.redraw()
	})}}
}

func (t *Tree) askCommand() mode.Effect {
	list := t.tagged(true)
	label := "(current) "
	if n := len(t.tags); n > 0 {
		label = fmt.Sprintf("(%d tagged) ", n)
	}
	return mode.Effect{Prompt: &mode.Prompt{Label: label, History: "command", Answer: func(text string) mode.Effect {
		var e mode.Effect
		for _, i := range list {
			if text != "" {
				e.Runs = append(e.Runs, mode.Run{Line: fill(text, i.Target), Pane: i.Pane})
			}
		}
		return e
	}}}
}
