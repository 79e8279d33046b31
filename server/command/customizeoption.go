package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stet/config/option"
	"stet/config/style"
	"stet/server/mode/tree"
)

// optionAt is an option, or an item of a list, as customize-mode shows it.
type optionAt struct {
	cz     *customizer
	row    *option.Row   // nil for a user's own
	name   string        // without the index
	index  int           // of an item; else -1
	places []optionPlace // the narrowest first
	own    int           // which of them it is set in; the widest where it is set in none
}

// set are the options in force for the pane.
func (o *optionAt) set() *option.Set { return o.cz.host.OptionSet(o.places[0].target) }

func (o *optionAt) list() bool { return o.row != nil && o.row.List != "" }

func (o *optionAt) full() string {
	if o.index < 0 {
		return o.name
	}
	return fmt.Sprintf("%s[%d]", o.name, o.index)
}

func (o *optionAt) value() string { return o.set().String(o.full()) }

// units are the words for the units of numbers.
var units = map[string]string{"ms": "milliseconds", "s": "seconds"}

func (o *optionAt) unit() string {
	if o.row == nil {
		return ""
	}
	return withDefault(units[o.row.Unit], o.row.Unit)
}

// variables are what formats know of it.
func (o *optionAt) variables() map[string]string {
	own := o.places[o.own]
	flag := map[bool]string{false: "0", true: "1"}
	return map[string]string{
		"is_option": "1", "is_key": "0", "option_name": o.full(), "option_is_global": flag[own.name == ""], "option_is_array": flag[o.list()],
		"option_scope": own.name, "option_unit": o.unit(), "option_value": o.value(),
	}
}

// item is its line; nil where the filter leaves it out.
func (o *optionAt) item(q tree.Query) *tree.Item {
	vars := o.variables()
	if !o.cz.fits(q.Filter, o.cz.at, vars) {
		return nil
	}
	i := &tree.Item{ID: o.places[len(o.places)-1].flags + " " + o.full(), Name: o.full(), Target: o.full(), Pane: int(o.cz.pane)}
	if !o.list() || o.index >= 0 {
		i.Text = o.cz.expand(o.cz.text, o.cz.at, vars)
	}
	i.About = o.about()
	i.Do, i.Fill = map[tree.Act]string{}, map[tree.Act]tree.Fill{}
	i.Ask = map[tree.Act]string{tree.Unset: "Unset " + o.full() + "?", tree.Reset: "Reset " + o.full() + " to default?"}
	i.Do[tree.Unset] = o.unset(o.places[o.own])
	if o.index < 0 {
		i.Do[tree.Reset] = o.reset()
	}
	narrow, wide := o.places[0], o.places[len(o.places)-1]
	window := o.places[max(len(o.places)-2, 0)]
	if o.list() { // an item makes no sense in another list than the one it stands in
		narrow, window = o.places[o.own], o.places[o.own]
	}
	for act, p := range map[tree.Act]optionPlace{tree.Choose: narrow, tree.Set: narrow, tree.SetWindow: window, tree.SetGlobal: wide} {
		o.setter(i, act, p)
	}
	return i
}

// setter makes something set the option in a place: the next of few values, or one that is asked for.
func (o *optionAt) setter(i *tree.Item, act tree.Act, p optionPlace) {
	if next, ok := o.next(); ok {
		i.Do[act] = o.setLine(p, o.full(), next)
		return
	}
	name, text, label := o.full(), o.value(), o.full()
	if o.list() && o.index < 0 {
		items := o.cz.host.OptionSet(p.target).List(o.name)
		n := 0
		for slices.ContainsFunc(items, func(it option.Item) bool { return it.Index == n }) {
			n++
		}
		name, text, label = fmt.Sprintf("%s[%d]", o.name, n), "", o.name+"[+]"
	}
	switch {
	case len(o.places) == 1: // the server's have one place
	case p.name == "":
		label += ", global"
	default:
		label += ", for " + p.name
	}
	i.Fill[act] = tree.Fill{Label: "(" + label + ") ", Text: text, Line: func(text string) string { return o.setLine(p, name, text) }}
}

// next is the value behind the one in force, of an option that has few.
func (o *optionAt) next() (string, bool) {
	switch {
	case o.row == nil:
		return "", false
	case o.row.Type == option.Flag && o.value() == "on":
		return "off", true
	case o.row.Type == option.Flag:
		return "on", true
	case o.row.Type == option.Choice:
		return o.row.Choices[(slices.Index(o.row.Choices, o.value())+1)%len(o.row.Choices)], true
	}
	return "", false
}

func (o *optionAt) setLine(p optionPlace, name, value string) string {
	return "set-option " + p.flags + " " + quoted(name, value)
}

func (o *optionAt) unset(p optionPlace) string {
	return "set-option -u " + p.flags + " " + quoted(o.full())
}

// reset takes it away wherever it is set, so that the default holds.
func (o *optionAt) reset() string {
	var lines []string
	for n, p := range o.places {
		if o.cz.host.OptionSet(p.target).Has(o.name) || n == len(o.places)-1 {
			lines = append(lines, o.unset(p))
		}
	}
	return strings.Join(lines, " ; ")
}

// about is what there is to know of it.
func (o *optionAt) about() []tree.Paragraph {
	help, kind := "This option doesn't have a description.", "user"
	if o.row != nil {
		help = o.row.Help
		kind = strings.ToLower(o.row.Scope.String())
		if o.row.Scope&option.Pane != 0 {
			kind = "window and pane"
		}
	}
	where := "not set"
	if p := o.places[o.own]; o.cz.host.OptionSet(p.target).Has(o.name) {
		where = "set " + p.words
	}
	facts := []tree.Paragraph{said(fmt.Sprintf("This is a %s option, %s.", kind, where))}
	switch {
	case o.index >= 0:
		facts = append(facts, said("This is item "+strconv.Itoa(o.index)+" of a list."))
	case o.list():
		return append([]tree.Paragraph{said(help)}, append(facts, said("This is a list of items, each with a number."))...)
	}
	facts = append(facts, said(strings.TrimRight("Option value: "+o.value()+" "+o.unit(), " ")))
	facts = append(facts, o.values()...)
	if o.row != nil && o.index < 0 && o.value() != o.set().Default(o.name) {
		facts = append(facts, said("The default is: "+o.set().Default(o.name)))
	}
	for n, p := range o.places {
		if s := o.cz.host.OptionSet(p.target); n > o.own && (p.name == "" || s.Has(o.name)) && (o.row != nil || s.Has(o.name)) {
			what, _, _ := strings.Cut(withDefault(p.name, "global"), " ")
			facts = append(facts, said(strings.ToUpper(what[:1])+what[1:]+" value: "+s.String(o.full())))
		}
	}
	return append([]tree.Paragraph{said(help)}, facts...)
}

// values says what values it takes, or shows what the one in force looks like.
func (o *optionAt) values() []tree.Paragraph {
	if o.row == nil {
		return nil
	}
	text := o.value()
	if !strings.Contains(text, "#(") { // looking at an option runs nothing
		text = o.cz.expand(text, o.cz.at, nil)
	}
	switch o.row.Type {
	case option.Number, option.Flag, option.Choice, option.Key:
		return []tree.Paragraph{said("Available values are: " + o.row.Allowed())}
	case option.Colour:
		if c, err := style.ParseColour(text); err == nil {
			return []tree.Paragraph{example("colour", style.Style{FG: c})}
		}
	case option.Style:
		if s, err := style.Parse(text); err == nil {
			return []tree.Paragraph{example("style", s)}
		}
	}
	if strings.Contains(o.value(), "#{") {
		shown := style.Segments(text, style.Style{})
		return []tree.Paragraph{append(said("As a format it is now: "), shown...)}
	}
	return nil
}

// sortItems puts items in the order of their names.
func sortItems(list []*tree.Item) {
	slices.SortFunc(list, func(a, b *tree.Item) int { return strings.Compare(a.Name, b.Name) })
}
