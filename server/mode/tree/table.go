package tree

import (
	"slices"
	"strings"

	"stet/server/mode"
)

// Kind is one of the modes that are trees, or a set of them.
type Kind uint8

// The modes.
const (
	Sessions Kind = 1 << iota // choose-tree
	Clients                   // choose-client
	Buffers                   // choose-buffer
	Options                   // customize-mode

	choosers = Sessions | Clients | Buffers
	all      = choosers | Options
)

// kinds are the modes with their names, the commands that enter them, and the word for a line.
var kinds = [...]struct {
	kind                   Kind
	name, command, oneLine string
}{
	{Sessions, "tree-mode", "choose-tree", "item"},
	{Clients, "client-mode", "choose-client", "client"},
	{Buffers, "buffer-mode", "choose-buffer", "buffer"},
	{Options, "options-mode", "customize-mode", "item"},
}

// Kinds are the modes, each by itself.
func Kinds() []Kind {
	var out []Kind
	for _, k := range kinds {
		out = append(out, k.kind)
	}
	return out
}

// Name is what #{pane_mode} says in the mode.
func (k Kind) Name() string { name, _, _ := k.words(); return name }

// Command is the command that enters the mode.
func (k Kind) Command() string { _, command, _ := k.words(); return command }

func (k Kind) words() (name, command, oneLine string) {
	for _, w := range kinds {
		if w.kind == k {
			return w.name, w.command, w.oneLine
		}
	}
	return "", "", "item"
}

// Act is what is done with an item by a command line of its own (Item.Do, Item.Fill).
type Act string

// What is done with items.
const (
	Choose    Act = "choose"
	Kill      Act = "kill"
	Mark      Act = "mark"
	Unmark    Act = "unmark"
	Detach    Act = "detach"
	HangUp    Act = "hang up"
	Suspend   Act = "suspend"
	Paste     Act = "paste"
	Delete    Act = "delete"
	Edit      Act = "edit"
	Set       Act = "set"
	SetGlobal Act = "set global"
	SetWindow Act = "set window"
	Unset     Act = "unset"
	Reset     Act = "reset"
)

// Row is a key of the modes: in which of them it holds and what it does.
type Row struct {
	Keys  []string // their names; the first is tmux's, or the commonest
	Kinds Kind
	help  string // in tmux's words where it has the key; LINE is the word for a line of the mode
	menu  entry
	does  func(t *Tree) mode.Effect
}

// entry is a row's place in the menus of the right mouse button; without a name it is in none.
type entry struct {
	name  string
	group int // those of one stand together
}

// The groups of entries, from above.
const (
	scrolling = iota // the menu beside the list has these
	using
	tagging
	ending
	leaving // and these, too
)

// Help is what the key is good for in a mode.
func (r *Row) Help(k Kind) string {
	_, _, oneLine := k.words()
	return strings.ReplaceAll(r.help, "LINE", oneLine)
}

// Rows are the keys of a mode; without one, of all of them.
func Rows(k Kind) []Row {
	return slices.DeleteFunc(slices.Clone(table), func(r Row) bool { return k != 0 && r.Kinds&k == 0 })
}

// ShortcutHelp is what the keys are good for that stand in front of the lines, Shortcuts the usual ones of them.
// They go before those of the table; -K of the commands has others.
const (
	ShortcutHelp = "Choose the line that it stands in front of"
	Shortcuts    = "0 to 9, M-a to M-z"
)

// table has the keys of all the modes. Where a key means one thing here and another there, it has two rows.
var table = []Row{
	{[]string{"Enter", "C-m", "KPEnter"}, Sessions, "Choose selected item", entry{"Select", using}, (*Tree).choose},
	{[]string{"Enter", "C-m", "KPEnter"}, Clients, "Choose selected client", entry{}, (*Tree).choose},
	{[]string{"Enter", "C-m", "KPEnter"}, Buffers, "Paste selected buffer", entry{}, (*Tree).choose},
	{[]string{"Enter", "C-m", "KPEnter"}, Options, "Set pane, window, session or global option value", entry{"Select", using}, (*Tree).choose},
	{[]string{"Up", "k", "C-p"}, all, "Select previous LINE", entry{}, moving((*Tree).up)},
	{[]string{"Down", "j", "C-n"}, all, "Select next LINE", entry{}, moving((*Tree).down)},
	{[]string{"PPage", "C-b"}, all, "Select the LINE a page up", entry{}, moving((*Tree).pageUp)},
	{[]string{"NPage", "C-f"}, all, "Select the LINE a page down", entry{}, moving((*Tree).pageDown)},
	{[]string{"Home", "g"}, all, "Select first LINE", entry{}, moving((*Tree).first)},
	{[]string{"End", "G"}, all, "Select last LINE", entry{}, moving((*Tree).last)},
	{[]string{"+", "Right", "l"}, Sessions | Options, "Expand selected item", entry{"Expand", using}, drawn(func(t *Tree) { t.fold(true) })},
	{[]string{"-", "Left", "h"}, Sessions | Options, "Collapse selected item", entry{}, drawn(func(t *Tree) { t.fold(false) })},
	{[]string{"M-+"}, Sessions | Options, "Expand all items", entry{}, drawn(func(t *Tree) { t.foldAll(true) })},
	{[]string{"M--"}, Sessions | Options, "Collapse all items", entry{}, drawn(func(t *Tree) { t.foldAll(false) })},

	{[]string{"x"}, Sessions, "Kill selected item", entry{"Kill", ending}, with(Kill)},
	{[]string{"X"}, Sessions, "Kill tagged items", entry{"Kill Tagged", ending}, withTagged(Kill)},
	{[]string{"m"}, Sessions, "Set the marked pane", entry{"Mark", using}, with(Mark)},
	{[]string{"M"}, Sessions, "Clear the marked pane", entry{}, with(Unmark)},
	{[]string{"<"}, Sessions, "Scroll list of previews left", entry{"Scroll Left", scrolling}, drawn(func(t *Tree) { t.scroll = max(t.scroll-1, 0) })},
	{[]string{">"}, Sessions, "Scroll list of previews right", entry{"Scroll Right", scrolling}, drawn(func(t *Tree) { t.scroll++ })},

	{[]string{"d"}, Clients, "Detach selected client", entry{"Detach", using}, with(Detach)},
	{[]string{"D"}, Clients, "Detach tagged clients", entry{"Detach Tagged", using}, withTagged(Detach)},
	{[]string{"x"}, Clients, "Detach and HUP selected client", entry{}, with(HangUp)},
	{[]string{"X"}, Clients, "Detach and HUP tagged clients", entry{}, withTagged(HangUp)},
	{[]string{"z"}, Clients, "Suspend selected client", entry{}, with(Suspend)},
	{[]string{"Z"}, Clients, "Suspend tagged clients", entry{}, withTagged(Suspend)},

	{[]string{"p"}, Buffers, "Paste selected buffer", entry{"Paste", using}, last(with(Paste))},
	{[]string{"P"}, Buffers, "Paste tagged buffers", entry{"Paste Tagged", using}, last(withTagged(Paste))},
	{[]string{"d"}, Buffers, "Delete selected buffer", entry{"Delete", ending}, with(Delete)},
	{[]string{"D"}, Buffers, "Delete tagged buffers", entry{"Delete Tagged", ending}, withTagged(Delete)},
	{[]string{"e"}, Buffers, "Open the buffer in an editor", entry{}, with(Edit)},

	{[]string{"s"}, Options, "Set option value or key attribute", entry{}, with(Set)},
	{[]string{"S"}, Options, "Set global option value", entry{}, with(SetGlobal)},
	{[]string{"w"}, Options, "Set window option value, if option is for pane and window", entry{}, with(SetWindow)},
	{[]string{"d"}, Options, "Set an option or key to the default", entry{}, with(Reset)},
	{[]string{"D"}, Options, "Set tagged options and tagged keys to the default", entry{}, withTagged(Reset)},
	{[]string{"u"}, Options, "Unset an option (set to default value if global) or unbind a key", entry{}, with(Unset)},
	{[]string{"U"}, Options, "Unset tagged options and unbind tagged keys", entry{}, withTagged(Unset)},
	{[]string{"H"}, Options, "Leave out what is inherited, or show it again", entry{}, drawn((*Tree).toggleOwn)},

	{[]string{"t", "Space"}, all, "Toggle if LINE is tagged", entry{"Tag", tagging}, drawn((*Tree).tag)},
	{[]string{"C-t"}, all, "Tag all LINEs", entry{"Tag All", tagging}, drawn((*Tree).tagAll)},
	{[]string{"T"}, all, "Tag no LINEs", entry{"Tag None", tagging}, drawn(func(t *Tree) { t.tags = map[string]bool{} })},
	{[]string{":"}, all, "Run a command for each tagged LINE", entry{}, (*Tree).askCommand},
	{[]string{"C-s", "/", "?"}, Sessions | Clients | Options, "Search by name", entry{}, (*Tree).askSearch},
	{[]string{"C-s", "/", "?"}, Buffers, "Search by name or content", entry{}, (*Tree).askSearch},
	{[]string{"n"}, all, "Repeat last search", entry{}, drawn(func(t *Tree) { t.find(false) })},
	{[]string{"N"}, all, "Repeat last search backwards", entry{}, drawn(func(t *Tree) { t.find(true) })},
	{[]string{"f"}, all, "Enter a format to filter items", entry{}, (*Tree).askFilter},
	{[]string{"H"}, Sessions, "Jump to the starting pane", entry{}, moving((*Tree).home)},
	{[]string{"O"}, choosers, "Change sort field", entry{}, drawn((*Tree).nextSort)},
	{[]string{"r"}, choosers, "Reverse sort order", entry{}, drawn((*Tree).reverse)},
	{[]string{"v"}, choosers, "Toggle preview", entry{}, drawn((*Tree).togglePreview)},
	{[]string{"v"}, Options, "Toggle option information", entry{}, drawn((*Tree).togglePreview)},
	{[]string{"F1", "C-h"}, all, "Show these keys", entry{}, drawn(func(t *Tree) { t.help, t.helpTop = true, 0 })},
	{[]string{"q", "Escape", "C-g", "C-c"}, all, "Exit mode", entry{"Cancel", leaving}, func(*Tree) mode.Effect { return mode.Effect{Leave: true} }},
}

// row is a key of the tree's mode, nil for none.
func (t *Tree) row(key string) *Row {
	for i := range table {
		if r := &table[i]; r.Kinds&t.cfg.Kind != 0 && slices.Contains(r.Keys, key) {
			return r
		}
	}
	return nil
}

// drawn changes what there is to see.
func drawn(f func(t *Tree)) func(t *Tree) mode.Effect {
	return func(t *Tree) mode.Effect {
		f(t)
		return t.redraw()
	}
}

// moving selects another line, where there is one.
func moving(f func(t *Tree)) func(t *Tree) mode.Effect {
	return drawn(func(t *Tree) {
		if len(t.lines) == 0 {
			return
		}
		f(t)
		t.at, t.scroll = max(min(t.at, len(t.lines)-1), 0), 0
	})
}

// with does something with what is selected, withTagged with all that is tagged; last leaves the mode then.
func with(a Act) func(t *Tree) mode.Effect { return func(t *Tree) mode.Effect { return t.do(a) } }
func withTagged(a Act) func(t *Tree) mode.Effect {
	return func(t *Tree) mode.Effect { return t.doTagged(a) }
}

func last(f func(t *Tree) mode.Effect) func(t *Tree) mode.Effect {
	return func(t *Tree) mode.Effect {
		e := f(t)
		e.Leave = true
		return e
	}
}
