package tree

import (
	"fmt"
	"slices"
	"strings"

	"stet/server/mode"
)

// moves are the keys that select another line.
var moves = map[string]func(t *Tree){
	"Up": func(t *Tree) { t.at = (t.at + len(t.lines) - 1) % len(t.lines) }, "Down": func(t *Tree) { t.at = (t.at + 1) % len(t.lines) },
	"PPage": func(t *Tree) { t.at -= t.listRows() }, "NPage": func(t *Tree) { t.at += t.listRows() },
	"Home": func(t *Tree) { t.at = 0 }, "End": func(t *Tree) { t.at = len(t.lines) - 1 },
	"H": func(t *Tree) { t.openTo(t.cfg.Start); t.selectID(t.cfg.Start) },
}

// same are other names of keys.
var same = map[string]string{
	"k": "Up", "C-p": "Up", "j": "Down", "C-n": "Down", "C-b": "PPage", "C-f": "NPage", "g": "Home", "G": "End",
	"h": "Left", "-": "Left", "l": "Right", "+": "Right", "Escape": "q", "C-g": "q", "C-c": "q", "?": "C-s", "/": "C-s", "C-m": "Enter", "KPEnter": "Enter",
}

// key is one key by name. Keys of the items come first: a list of buffers means another thing by d.
func (t *Tree) key(name string) mode.Effect {
	for n := range t.lines {
		if name != "" && t.shortcut(n) == name {
			t.at = n
			return t.choose()
		}
	}
	if e, ok := t.do(name); ok {
		return e
	}
	if other, ok := same[name]; ok {
		name = other
	}
	if f := moves[name]; f != nil && len(t.lines) > 0 && (name != "H" || !t.cfg.Owns) {
		f(t)
		t.at, t.scroll = max(min(t.at, len(t.lines)-1), 0), 0
		return t.redraw()
	}
	return t.other(name)
}

// other are the keys that do not move.
func (t *Tree) other(name string) mode.Effect {
	switch name {
	case "q":
		return mode.Effect{Leave: true}
	case "Enter":
		return t.choose()
	case "Left", "Right":
		t.fold(name == "Right")
	case "M-+", "M--":
		t.foldAll(name == "M-+")
	case "t", "Space", " ":
		t.tag()
	case "H":
		t.cfg.Query.Own = !t.cfg.Query.Own
		t.reload()
	case "T":
		t.tags = map[string]bool{}
	case "C-t":
		t.each(func(i *Item) {
			if !i.NoTag && !i.Part {
				t.tags[i.ID] = true
			}
		})
	case "O":
		t.nextSort()
	case "r":
		t.cfg.Query.Reverse = !t.cfg.Query.Reverse
		t.reload()
	case "v":
		t.preview = !t.preview
	case "<":
		t.scroll = max(t.scroll-1, 0)
	case ">":
		t.scroll++
	case "n", "N":
		t.find(name == "N")
	case "C-s":
		return t.askSearch()
	case "f":
		return t.askFilter()
	case ":":
		return t.askCommand()
	default:
		return mode.Effect{}
	}
	return t.redraw()
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

// tag marks what is selected, or takes the mark away, and goes on to the next line.
func (t *Tree) tag() {
	i := t.item()
	if i == nil || i.NoTag {
		return
	}
	if t.tags[i.ID] {
		delete(t.tags, i.ID)
	} else {
		t.tags[i.ID] = true
	}
	t.at = min(t.at+1, len(t.lines)-1)
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

// do is a key of the selected item, or one for all that are tagged.
func (t *Tree) do(name string) (mode.Effect, bool) {
	if i := t.item(); i != nil && i.Fill[name].Line != nil {
		return i.Fill[name].ask(i.Pane), true
	}
	single, bulk := t.cfg.Bulk[name]
	list := t.tagged(false)
	if !bulk {
		single = name
		list = nil
		if i := t.item(); i != nil {
			list = []*Item{i}
		}
	}
	var runs []mode.Run
	ask := ""
	for _, i := range list {
		if l, ok := i.Do[single]; ok {
			runs = append(runs, mode.Run{Line: l, Pane: i.Pane})
			ask = i.Ask[single]
		}
	}
	if len(runs) == 0 {
		return mode.Effect{}, bulk
	}
	if ask == "" {
		return mode.Effect{Runs: runs}, true
	}
	if bulk {
		verb, _, _ := strings.Cut(ask, " ")
		ask = fmt.Sprintf("%s %d tagged?", verb, len(runs))
	}
	return mode.Effect{Prompt: &mode.Prompt{Label: ask + " (y/n) ", OneKey: true, Answer: func(a string) mode.Effect {
		if a == "y" || a == "Y" {
			return mode.Effect{Runs: runs}
		}
		return mode.Effect{}
	}}}, true
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
