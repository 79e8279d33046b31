package overlay

import (
	"strconv"
	"strings"

	"stet/config/style"
	"stet/vt/key"
)

// MenuItem is a line of a menu; one without a name is a line across.
type MenuItem struct {
	Name     string // with #[…] styles
	Key      key.Chord
	Disabled bool
}

// MenuOptions say what a menu begins with.
type MenuOptions struct {
	Title string // with #[…] styles
	Items []MenuItem
	// X and Y are where its left upper cell should be; it is moved so that all of it is on the screen.
	X, Y int
	// Mouse says that a button is held down: letting go of it chooses, or closes the menu, unless Keep. Where it
	// has not moved by then the menu stays: the next click chooses.
	Mouse, Keep bool
}

// Size is how many columns and rows the menu takes where there is room for it.
func (o *MenuOptions) Size() (w, h int) {
	wide := spansWidth(styled(o.Title, style.Style{})) + 2
	for i := range o.Items {
		it := &o.Items[i]
		n := spansWidth(styled(it.Name, style.Style{})) + 2
		if k := it.key(); k != "" {
			n += measure(k) + 3
		}
		wide = max(wide, n)
	}
	return wide + 2, len(o.Items) + 2
}

// Menu is a list to choose from by the first letter, the arrows or the mouse. Its answer is the number of
// the item.
type Menu struct {
	o      MenuOptions
	at     int  // -1 nothing
	moved  bool // the mouse, since the menu is there
	screen Drawing
}

// NewMenu shows a menu.
func NewMenu(o MenuOptions) *Menu {
	m := &Menu{o: o, at: -1}
	if !o.Mouse {
		m.step(1)
	}
	return m
}

func (m *Menu) can(i int) bool {
	return i >= 0 && i < len(m.o.Items) && m.o.Items[i].Name != "" && !m.o.Items[i].Disabled
}

// step goes to the next item that can be chosen, round the end.
func (m *Menu) step(n int) {
	at := m.at
	if at < 0 && n < 0 {
		at = 0
	}
	for range m.o.Items {
		at = (at + n + len(m.o.Items)) % len(m.o.Items)
		if m.can(at) {
			m.at = at
			return
		}
	}
}

func (m *Menu) choose(i int) (bool, Answer) {
	if !m.can(i) {
		return true, Answer{}
	}
	return true, Answer{OK: true, Text: strconv.Itoa(i)}
}

// HandleKey moves, chooses or leaves.
func (m *Menu) HandleKey(e key.Event) (done bool, a Answer) {
	switch {
	case e.Kind == key.KindMouse:
		return m.mouse(e)
	case e.Kind != key.KindKey || e.Act == key.Release || isModifier(e.Key):
		return false, Answer{}
	}
	for i, it := range m.o.Items {
		if it.Key.Key != key.None && it.Key == e.Chord() && m.can(i) {
			return m.choose(i)
		}
	}
	switch e.Name() {
	case "Up", "k", "BTab":
		m.step(-1)
	case "Down", "j", "Tab":
		m.step(1)
	case "Home", "g", "PPage":
		m.at = -1
		m.step(1)
	case "End", "G", "NPage":
		m.at = 0
		m.step(-1)
	case "Enter", "KPEnter", "C-m":
		return m.choose(m.at)
	case "Escape", "q", "C-c", "C-g":
		return true, Answer{}
	}
	return false, Answer{}
}

func (m *Menu) mouse(e key.Event) (bool, Answer) {
	d := &m.screen
	inside := e.X > d.X && e.X < d.X+d.W-1 && e.Y > d.Y && e.Y < d.Y+d.H-1
	over := e.Y - d.Y - 1
	m.moved = m.moved || e.Act == key.Motion
	switch {
	case e.Button == key.WheelUp:
		m.step(-1)
		return false, Answer{}
	case e.Button == key.WheelDown:
		m.step(1)
		return false, Answer{}
	case inside && m.can(over):
		m.at = over
	case e.Act == key.Motion:
		m.at = -1
	}
	switch {
	case e.Act == key.Release && m.o.Mouse && !m.moved && !m.o.Keep:
		m.o.Keep, m.at = true, -1
		return false, Answer{}
	case e.Act == key.Release && m.o.Mouse && !m.o.Keep, e.Act == key.Release && inside:
		if inside && !m.can(over) {
			return false, Answer{}
		}
		return m.choose(map[bool]int{true: m.at, false: -1}[inside])
	case e.Act == key.Press && !d.contains(e.X, e.Y):
		return true, Answer{}
	}
	return false, Answer{}
}

// Draw puts the menu where it belongs. What does not fit is cut off.
func (m *Menu) Draw(s Screen) Drawing {
	l := s.Looks
	w, h := m.o.Size()
	w, h = min(w, s.Cols), min(h, s.Rows)
	var rows [][]Span
	for i, it := range m.o.Items {
		rows = append(rows, m.row(i, it, w-2, l))
	}
	out := boxed(rows, w, styled(m.o.Title, l.Border), nil, 1, l)
	f := frame(l.Lines)
	for i, it := range m.o.Items {
		if it.Name == "" {
			out[i+1] = []Span{{string(f[6]) + strings.Repeat(string(f[1]), max(w-2, 0)) + string(f[7]), l.Border}}
		}
	}
	m.screen = Drawing{X: max(min(m.o.X, s.Cols-w), 0), Y: max(min(m.o.Y, s.Rows-h), 0), W: w, H: h, Style: l.Text, Rows: out[:min(h, len(out))]}
	return m.screen
}

func (m *Menu) row(i int, it MenuItem, cells int, l Looks) []Span {
	st := l.Text
	if it.Disabled {
		st = dim(st)
	}
	if i == m.at {
		st = l.Selected
	}
	row := append([]Span{{" ", st}}, styled(it.Name, st)...)
	k := ""
	if n := it.key(); n != "" {
		k = "(" + n + ") "
	}
	return append(fit(row, cells-measure(k), st), Span{k, st})
}

// key is the name of the item's key, "" where it has none or cannot be chosen.
func (it *MenuItem) key() string {
	if it.Key.Key == key.None || it.Disabled {
		return ""
	}
	return it.Key.Name()
}

// styled are the pieces of a text with #[…] in it.
func styled(text string, base style.Style) []Span {
	var out []Span
	for _, g := range style.Segments(text, base) {
		out = append(out, Span{g.Text, g.Style})
	}
	return out
}
