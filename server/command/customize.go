package command

import (
	"fmt"
	"strings"

	"stet/config/option"
	"stet/config/style"
	"stet/config/syntax"
	"stet/server/keymap"
	"stet/server/mode/tree"
	"stet/server/model"
)

func customizeCommands() []Command {
	return []Command{{
		Name: "customize-mode", Flags: "F:f:Nt:Z", Min: 0, Max: 0,
		Usage: "[-NZ] [-F format] [-f filter] [-t target-pane]",
		Help:  "Look at and change options and key bindings in a tree; -N begins without what there is to know about the selected one.", Target: PaneTarget, Exec: customize,
	}}
}

// customizeText is the text of a line, as in tmux.
const customizeText = `#{?is_option,#{?option_is_global,,#[reverse](#{option_scope})#[default] }` +
	`#[ignore]#{option_value}#{?option_unit, #{option_unit},},#{key}}`

func customize(c *Context) error {
	cz := &customizer{session: c.Target.Session.ID, pane: c.Target.Pane.ID, usual: keymap.Defaults()}
	cfg := tree.Config{Kind: tree.Options, ByName: true}
	return c.enter(customizeText, nil, cfg, func(ch *chooser, q tree.Query) []*tree.Item {
		cz.chooser = ch
		return cz.items(q)
	})
}

// customizer makes the items of customize-mode. What a person changes there is changed by set-option,
// bind-key and unbind-key, so that values are checked, errors worded and hooks run as for these.
type customizer struct {
	*chooser
	session model.SessionID
	pane    model.PaneID
	usual   *keymap.Tables // the bindings of the beginning

	made, making map[madeKey]*tree.Item // lines of keys of the list before, and of this one

	at Target // the active pane of the mode's window: its options are shown
}

// items are all groups of which a filter leaves something.
func (cz *customizer) items(q tree.Query) []*tree.Item {
	f := &finder{host: cz.host, model: cz.host.Model()}
	in := f.model.Sessions[cz.session]
	t, ok := f.ofPane(cz.pane, in)
	if !ok { // another session has its window now
		in = nil
		if t, ok = f.ofPane(cz.pane, in); !ok {
			return nil
		}
	}
	if now, ok := f.ofPane(t.Window.Active, in); ok {
		t = now
	}
	cz.at = t
	groups := []*tree.Item{
		cz.optionGroup(q, "Server Options", option.Server),
		cz.optionGroup(q, "Session Options", option.Session),
		cz.optionGroup(q, "Window & Pane Options", option.Window),
	}
	cz.making = map[madeKey]*tree.Item{}
	for _, table := range cz.host.Keys().Names() {
		groups = append(groups, cz.keyGroup(q, table))
	}
	cz.made = cz.making
	var out []*tree.Item
	for _, g := range groups {
		g.NoTag, g.Pane = true, -1
		if len(g.Children) > 0 || q.Filter == "" {
			out = append(out, g)
		}
	}
	return out
}

// optionPlace is a set of options that one may be set in, from the narrowest to the widest.
type optionPlace struct {
	target OptionTarget
	name   string // "session 0"; "" for all of them, and for the server
	flags  string // of set-option
	words  string // "for all sessions"
}

// places are where options of a kind may be set for the pane at hand.
func (cz *customizer) places(kind option.Scope) []optionPlace {
	t := cz.at
	of := func(what string, v any) (name, words string) {
		name = fmt.Sprintf("%s %v", what, v)
		return name, "for " + name
	}
	switch kind {
	case option.Server:
		return []optionPlace{{OptionTarget{Scope: ScopeServer}, "", "-s", "for the server"}}
	case option.Session:
		name, words := of("session", t.Session.Name)
		return []optionPlace{
			{OptionTarget{Scope: ScopeSession, Session: t.Session.ID}, name, fmt.Sprintf("-t '%v:'", t.Session.ID), words},
			{OptionTarget{Scope: ScopeGlobalSession}, "", "-g", "for all sessions"},
		}
	}
	pane, ofPane := of("pane", cz.paneIndex())
	window, ofWindow := of("window", t.Index)
	return []optionPlace{
		{OptionTarget{Scope: ScopePane, Window: t.Window.ID, Pane: t.Pane.ID}, pane, fmt.Sprintf("-p -t '%v'", t.Pane.ID), ofPane},
		{OptionTarget{Scope: ScopeWindow, Window: t.Window.ID}, window, fmt.Sprintf("-w -t '%v'", t.Window.ID), ofWindow},
		{OptionTarget{Scope: ScopeGlobalWindow}, "", "-gw", "for all windows"},
	}
}

func (cz *customizer) paneIndex() string {
	v, _ := NewVariables(cz.host, cz.at, cz.client).Variable("pane_index")
	return v
}

func (cz *customizer) optionGroup(q tree.Query, name string, kind option.Scope) *tree.Item {
	g := &tree.Item{ID: name, Name: name}
	places := cz.places(kind)
	seen := map[string]bool{}
	add := func(e option.Entry, row *option.Row) {
		base := e.Name
		if row != nil {
			base = row.Name
		}
		if e.Hook || seen[base] {
			return
		}
		seen[base] = true
		if i := cz.optionItem(q, places, base, row); i != nil {
			g.Children = append(g.Children, i)
		}
	}
	for _, p := range places { // the user's own, from wherever they are
		for e := range cz.host.OptionSet(p.target).Own() {
			if strings.HasPrefix(e.Name, "@") {
				add(e, nil)
			}
		}
	}
	sortItems(g.Children)
	for e := range cz.host.OptionSet(places[len(places)-1].target).All(false) {
		if strings.HasPrefix(e.Name, "@") {
			continue
		}
		if base, _, err := option.Cut(e.Name); err == nil {
			add(e, option.Lookup(base))
		}
	}
	return g
}

// optionItem is one option as it is in force for the pane; nil where it is not to be seen.
func (cz *customizer) optionItem(q tree.Query, places []optionPlace, name string, row *option.Row) *tree.Item {
	if row != nil && row.Scope&option.Pane == 0 && len(places) == 3 {
		places = places[1:] // no option of a pane
	}
	own := len(places) - 1
	for i, p := range places {
		if cz.host.OptionSet(p.target).Has(name) {
			own = i
			break
		}
	}
	o := &optionAt{cz: cz, row: row, name: name, places: places, own: own, index: -1}
	if q.Own && places[own].name == "" {
		return nil
	}
	i := o.item(q)
	if i == nil || row == nil || row.List == "" {
		return i
	}
	for _, it := range o.set().List(name) {
		part := *o
		part.index = it.Index
		if child := part.item(tree.Query{}); child != nil {
			child.Part = true
			i.Children = append(i.Children, child)
		}
	}
	return i
}

// keyGroup is one key table.
func (cz *customizer) keyGroup(q tree.Query, table string) *tree.Item {
	g := &tree.Item{ID: "table " + table, Name: "Key Table - " + table}
	for _, b := range cz.host.Keys().List(table) {
		k := &keyAt{cz: cz, table: table, Binding: b}
		if i := k.item(q); i != nil {
			g.Children = append(g.Children, i)
		}
	}
	return g
}

func said(text string) tree.Paragraph { return tree.Paragraph{{Text: text}} }

// example shows what a colour or a style looks like.
func example(what string, s style.Style) tree.Paragraph {
	return tree.Paragraph{{Text: "This is a " + what + " option: "}, {Text: "EXAMPLE", Style: s}}
}

// quoted makes a command line of words.
func quoted(words ...string) string {
	for i, w := range words {
		words[i] = syntax.Quote(w)
	}
	return strings.Join(words, " ")
}
