package copymode

import (
	"strconv"
	"strings"
)

// Variable gives the format variables of copy mode.
func (m *Mode) Variable(name string) (string, bool) {
	f, ok := variables[name]
	if !ok {
		return "", false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.term == nil && m.lent == nil {
		return "", true
	}
	m.fit()
	defer m.seen()()
	return f(m), true
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// ofSelection is a variable that is empty where nothing is selected.
func ofSelection(f func(s *selection) int) func(*Mode) string {
	return func(m *Mode) string {
		if !m.sel.on {
			return ""
		}
		return strconv.Itoa(f(&m.sel))
	}
}

var variables = map[string]func(m *Mode) string{
	"scroll_position":  func(m *Mode) string { return strconv.Itoa(m.oy) },
	"copy_cursor_x":    func(m *Mode) string { return strconv.Itoa(m.cx) },
	"copy_cursor_y":    func(m *Mode) string { return strconv.Itoa(m.cy) },
	"copy_cursor_word": (*Mode).wordAtCursor,
	"copy_cursor_line": (*Mode).lineAtCursor,
	"copy_cursor_hyperlink": func(m *Mode) string {
		l, tab := m.lineIn(m.row())
		if m.cx < len(l.Cells) {
			if n := int(tab.Styles[l.Cells[m.cx].Style()].Link); n < len(tab.Links) {
				return tab.Links[n].URL
			}
		}
		return ""
	},
	"rectangle_toggle":  func(m *Mode) string { return flag(m.sel.rect) },
	"selection_active":  func(m *Mode) string { return flag(m.sel.on && m.sel.follows != followsNone) },
	"selection_present": func(m *Mode) string { return flag(m.sel.on) },
	"selection_start_x": ofSelection(func(s *selection) int { return s.start.x }),
	"selection_start_y": ofSelection(func(s *selection) int { return s.start.y }),
	"selection_end_x":   ofSelection(func(s *selection) int { return s.end.x }),
	"selection_end_y":   ofSelection(func(s *selection) int { return s.end.y }),
	"selection_mode": func(m *Mode) string {
		return [...]string{unitChar: "char", unitWord: "word", unitLine: "line"}[m.sel.unit]
	},
	"search_present":     func(m *Mode) string { return flag(m.search.shown) },
	"search_timed_out":   func(*Mode) string { return "0" },
	"search_match":       (*Mode).matchAtCursor,
	"search_count":       func(m *Mode) string { return strconv.Itoa(m.search.total) },
	"pane_search_string": func(m *Mode) string { return m.search.text },
}

// wordAtCursor is the word that the cursor is in, "" where it is in none.
func (m *Mode) wordAtCursor() string {
	r := m.reader()
	r.head()
	if !r.word(m.set.Separators) {
		return ""
	}
	start := *r
	for n := 0; n < maxPattern; n++ { // of a longer word, the part that ends here
		at := start
		if start.left(false); start.position == at.position || !start.word(m.set.Separators) {
			start = at
			break
		}
	}
	var b strings.Builder
	for p := (&reader{m, start.position}); p.within() && p.word(m.set.Separators) && b.Len() < maxPattern; p.x++ {
		b.WriteString(m.char(p.position))
	}
	return b.String()
}

// lineAtCursor is the line that the cursor is in, without the blanks at its end.
func (m *Mode) lineAtCursor() string {
	var l lineText
	m.read(&l, m.lineStart(m.row()))
	return string(l.text)
}
