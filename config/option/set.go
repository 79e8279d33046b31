package option

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"
)

// Set holds the options of one thing: the server, all sessions, a session, all
// windows, a window or a pane. What it does not hold it takes from its parent,
// and what no parent holds is the default.
type Set struct {
	scope    Scope
	parent   *Set
	tmux     bool                     // defaults are tmux's
	computed map[string]func() string // defaults, shared by a set and all made from it
	values   map[string]string
	lists    map[string][]Item
}

// Item is an item of a list.
type Item struct {
	Index int
	Value string
}

// New returns an empty set for options of a scope; the parent may be nil. For
// panes the parent is the window's set, for that the one of all windows; both
// take pane options whether or not their scope has Pane in it.
func New(scope Scope, parent *Set) *Set {
	s := &Set{scope: scope, parent: parent}
	if parent != nil {
		s.tmux, s.computed = parent.tmux, parent.computed
	} else {
		s.computed = map[string]func() string{}
	}
	return s
}

// UseTmux makes the defaults tmux's, for a set without parent and those made
// from it afterwards.
func (s *Set) UseTmux() { s.tmux = true }

// errNoValue is tmux's word for a value that is missing.
var errNoValue = errors.New("empty value")

// resolve finds the option of a name that may be short and have an index, and
// checks that it belongs into the set. Names beginning with @ have no row.
func (s *Set) resolve(name string) (*Row, string, int, error) {
	if strings.HasPrefix(name, "@") {
		if len(name) > 256 {
			return nil, "", 0, fmt.Errorf("invalid option: a name of %d bytes is too long", len(name))
		}
		return nil, name, -1, nil
	}
	base, index, err := Cut(name)
	if err != nil {
		return nil, "", 0, err
	}
	r, err := Find(base)
	if err != nil {
		return nil, "", 0, err
	}
	if index >= 0 && r.List == "" {
		return nil, "", 0, fmt.Errorf("not an array: %s", name)
	}
	if r.Scope&s.scope == 0 {
		return nil, "", 0, fmt.Errorf("%s is a %s option, not a %s option", r.Name, r.Scope, s.scope&^(s.scope&Window<<1))
	}
	return r, r.Name, index, nil
}

// Set gives an option a value. The name may be shortened, and may name an item
// of a list; without an index a list is replaced by the items in value. An
// error says what is allowed and leaves the set as it was. Names beginning
// with @ are the user's own and take any text.
func (s *Set) Set(name, value string) error { return s.set(name, value, false) }

// Append adds to an option: text to the end of a string, a part to a style,
// items to a list. Other types are set.
func (s *Set) Append(name, value string) error { return s.set(name, value, true) }

func (s *Set) set(name, value string, add bool) error {
	r, name, index, err := s.resolve(name)
	if err != nil {
		return err
	}
	if r != nil && r.List != "" {
		return s.setItems(r, index, value, add)
	}
	if add && (r == nil || r.Type == String || r.Type == Style) {
		old, _ := s.Get(name)
		if r != nil && r.Type == Style && old != "" {
			old += ","
		}
		value = old + value
	}
	if r != nil {
		value, err = r.Check(value)
	} else if len(value) > maxValue {
		err = fmt.Errorf("value of %s is too long: %d bytes (at most %d)", name, len(value), maxValue)
	}
	if err != nil {
		return err
	}
	if s.values == nil {
		s.values = make(map[string]string)
	}
	s.values[name] = value
	return nil
}

// setItems changes a list: one item, or the whole.
func (s *Set) setItems(r *Row, index int, value string, add bool) error {
	items := s.localItems(r)
	if index >= 0 {
		v, err := r.Check(value)
		if err != nil {
			return err
		}
		i, found := slices.BinarySearchFunc(items, index, func(it Item, n int) int { return it.Index - n })
		if found {
			if add {
				v = items[i].Value + v
			}
			items[i].Value = v
		} else {
			items = slices.Insert(items, i, Item{index, v})
		}
	} else {
		if !add {
			items = nil
		}
		for _, v := range r.split(value) {
			v, err := r.Check(v)
			if err != nil {
				return err
			}
			n := free(items)
			items = slices.Insert(items, n, Item{n, v})
		}
	}
	if s.lists == nil {
		s.lists = make(map[string][]Item)
	}
	s.lists[r.Name] = items
	return nil
}

// localItems returns a copy of the items to change: the set's own, or, of a
// global set, the defaults.
func (s *Set) localItems(r *Row) []Item {
	if l, ok := s.lists[r.Name]; ok {
		return slices.Clone(l)
	}
	if s.global() {
		return s.defaultItems(r)
	}
	return nil
}

// global tells whether the set stands above all others for its options: what it
// does not hold is the default.
func (s *Set) global() bool {
	scope := s.scope
	if scope&Pane != 0 {
		scope |= Window
	}
	return s.parent == nil || s.parent.scope&scope == 0
}

// free returns the first index not in use, which is also its place.
func free(items []Item) int {
	for i, it := range items {
		if it.Index != i {
			return i
		}
	}
	return len(items)
}

// split takes the value for a whole list apart.
func (r *Row) split(value string) []string {
	if r.List == " " {
		if value == "" {
			return nil
		}
		return []string{value}
	}
	return strings.FieldsFunc(value, func(c rune) bool { return strings.ContainsRune(r.List, c) })
}

func (s *Set) defaultItems(r *Row) []Item {
	var items []Item
	values := r.Items
	if values == nil {
		values = r.split(s.defaultOf(r))
	}
	for i, v := range values {
		items = append(items, Item{i, v})
	}
	return items
}

func (s *Set) defaultOf(r *Row) string {
	if f := s.computed[r.Name]; f != nil {
		return f()
	}
	if s.tmux {
		return r.TmuxDefault()
	}
	return r.Default
}

// Toggle switches a flag, or a choice between its first two values (a choice
// at another value stays), as set-option without a value does.
func (s *Set) Toggle(name string) error {
	r, name, _, err := s.resolve(name)
	if err != nil {
		return err
	}
	now, _ := s.Get(name)
	switch {
	case r == nil:
		return errNoValue
	case r.Type == Flag && now == "on":
		return s.Set(name, "off")
	case r.Type == Flag:
		return s.Set(name, "on")
	case r.Type == Choice && now == r.Choices[0]:
		return s.Set(name, r.Choices[1])
	case r.Type == Choice && now == r.Choices[1]:
		return s.Set(name, r.Choices[0])
	case r.Type == Choice:
		return nil
	}
	return errNoValue
}

// Unset takes an option out of the set, or an item out of a list, so that the
// parent's value or the default holds again.
func (s *Set) Unset(name string) error {
	r, name, index, err := s.resolve(name)
	if err != nil {
		return err
	}
	if index < 0 {
		delete(s.values, name)
		delete(s.lists, name)
		return nil
	}
	items := slices.DeleteFunc(s.localItems(r), func(it Item) bool { return it.Index == index })
	if s.lists == nil {
		s.lists = make(map[string][]Item)
	}
	s.lists[name] = items
	return nil
}

// Has tells whether the set itself holds an option, by its full name.
func (s *Set) Has(name string) bool {
	_, v := s.values[name]
	_, l := s.lists[name]
	return v || l
}

// Get returns the value of an option in force, as text, by its full name; of a
// list, or an item of one by name[index], the items joined by blanks. It is
// false when there is no such option or item. Options of other scopes are
// found as far as the parents hold them.
func (s *Set) Get(name string) (string, bool) {
	for at := s; at != nil; at = at.parent {
		if v, ok := at.values[name]; ok {
			return v, true
		}
	}
	if strings.HasPrefix(name, "@") {
		return "", false
	}
	base, index, err := Cut(name)
	if err != nil {
		return "", false
	}
	r := Lookup(base)
	if r == nil || index >= 0 && r.List == "" {
		return "", false
	}
	if r.List == "" {
		return s.defaultOf(r), true
	}
	var parts []string
	for _, it := range s.items(r) {
		if index < 0 || it.Index == index {
			parts = append(parts, it.Value)
		}
	}
	return strings.Join(parts, " "), len(parts) > 0 || index < 0
}

// items returns the items of a list in force; they must not be changed.
func (s *Set) items(r *Row) []Item {
	for at := s; at != nil; at = at.parent {
		if l, ok := at.lists[r.Name]; ok {
			return l
		}
	}
	return s.defaultItems(r)
}

// Default returns what an option is where nobody has set it, of a list the items as they are written; ""
// for an unknown name.
func (s *Set) Default(name string) string {
	if r := Lookup(name); r != nil && len(r.Items) > 0 {
		return strings.Join(r.Items, " ")
	} else if r != nil {
		return s.defaultOf(r)
	}
	return ""
}

// DefaultFrom makes a default what a function says: that of an option that takes what the environment of
// the program says where nobody has set it. It is for a set without parent, and holds for all made from it.
func (s *Set) DefaultFrom(name string, value func() string) { s.computed[name] = value }

// String returns the value of an option in force as text, "" for an unknown
// name.
func (s *Set) String(name string) string {
	v, _ := s.Get(name)
	return v
}

// Number returns the value of a Number in force, or of a Flag or Choice as a
// number (0 for the first choice and off); 0 for anything else.
func (s *Set) Number(name string) int {
	v, _ := s.Get(name)
	if n, err := strconv.Atoi(v); err == nil {
		return n
	}
	r := Lookup(name)
	switch {
	case r != nil && r.Type == Choice:
		return max(slices.Index(r.Choices, v), 0)
	case v == "on":
		return 1
	}
	return 0
}

// Flag tells whether a Flag is on; a Choice, whether it is anything but "off".
func (s *Set) Flag(name string) bool {
	v, ok := s.Get(name)
	return ok && v != "off" && v != "0" && v != ""
}

// Duration returns a Number of milliseconds or seconds as a duration.
func (s *Set) Duration(name string) time.Duration {
	n := time.Duration(s.Number(name))
	if r := Lookup(name); r != nil && r.Unit == "s" {
		return n * time.Second
	}
	return n * time.Millisecond
}

// List returns the items of a list in force, by index.
func (s *Set) List(name string) []Item {
	r := Lookup(name)
	if r == nil || r.List == "" {
		return nil
	}
	return slices.Clone(s.items(r))
}

// Entry is an option as show-options lists it.
type Entry struct {
	Name      string // with the index of an item
	Value     string
	Inherited bool // the set itself does not hold it
	Hook      bool
	IsString  bool // text to be quoted when shown, unlike a number or a choice
}

// All lists the options of the set by name: what it holds itself, and with
// inherited everything of its scope that is in force. A global set, one whose
// parent is of another scope or that has none, stands for the defaults and
// always lists them all. An empty list has one entry with an empty value.
func (s *Set) All(inherited bool) iter.Seq[Entry] {
	global := s.global()
	if !inherited && !global {
		return s.Own()
	}
	return func(yield func(Entry) bool) {
		for _, name := range s.userNames(inherited) {
			_, own := s.values[name]
			if !yield(Entry{name, s.String(name), !own, false, true}) {
				return
			}
		}
		for r := range sorted {
			if r.Scope&s.scope != 0 && !s.entries(r, !global && !s.Has(r.Name), yield) {
				return
			}
		}
	}
}

// Own lists what the set itself holds, by name; of a set that holds nothing it
// costs nothing. An empty list has one entry with an empty value.
func (s *Set) Own() iter.Seq[Entry] {
	return func(yield func(Entry) bool) {
		if len(s.values)+len(s.lists) == 0 {
			return
		}
		for _, name := range s.userNames(false) {
			if !yield(Entry{name, s.values[name], false, false, true}) {
				return
			}
		}
		for r := range sorted {
			if s.Has(r.Name) && !s.entries(r, false, yield) {
				return
			}
		}
	}
}

// entries yields what is in force of one option: one entry, or one for each
// item of a list. It returns false when yield did.
func (s *Set) entries(r *Row, inherited bool, yield func(Entry) bool) bool {
	text := r.Type == String || r.Type == Style
	if r.List == "" {
		return yield(Entry{r.Name, s.String(r.Name), inherited, r.Hook, text})
	}
	items := s.items(r)
	if len(items) == 0 {
		return yield(Entry{r.Name, "", inherited, r.Hook, text})
	}
	for _, it := range items {
		if !yield(Entry{r.Name + "[" + strconv.Itoa(it.Index) + "]", it.Value, inherited, r.Hook, text}) {
			return false
		}
	}
	return true
}

// userNames returns the user's own options, sorted.
func (s *Set) userNames(inherited bool) []string {
	var out []string
	for at := s; at != nil; at = at.parent {
		for name := range at.values {
			if strings.HasPrefix(name, "@") {
				out = append(out, name)
			}
		}
		if !inherited {
			break
		}
	}
	sort.Strings(out)
	return slices.Compact(out) // parents may hold the same
}
