package overlay

import (
	"fmt"
	"strings"

	"stet/config/style"
	"stet/vt/key"
)

// HelpEntry is a line of the help: a key with what it does, or a command with what it is good for.
type HelpEntry struct {
	// Head stands left: "C-b %", or a command's name.
	Head string
	// Text says what it is good for.
	Text string
	// Detail is shown for the selected entry: a binding's command, a command's usage.
	Detail string
	// Line is what choosing the entry puts into the command prompt.
	Line string
	// Kind heads the entries of one kind: "Keys behind the prefix", "Commands".
	Kind string
}

// Help is a list to search: typing narrows it, Enter chooses, Escape leaves.
type Help struct {
	all    []HelpEntry
	shown  []int // of all, what fits the filter
	filter *Prompt
	at     int // of shown
	top    int // first line in sight
	page   int // lines in sight, as drawn last
	screen Drawing
	list   int        // row of the screen of the first line
	lines  []helpLine // of the list, headings included
}

// helpLine is a line of the list: an entry of shown, or a heading.
type helpLine struct {
	heading string
	entry   int
}

// maxHelp bounds the entries.
const maxHelp = 8192

// NewHelp shows entries; filter is what is typed already.
func NewHelp(entries []HelpEntry, filter string) *Help {
	h := &Help{all: entries[:min(len(entries), maxHelp)], filter: NewPrompt(PromptOptions{Text: filter}), page: 1}
	h.narrow()
	return h
}

// HandleKey moves, narrows, chooses or leaves.
func (h *Help) HandleKey(e key.Event) (done bool, a Answer) {
	if e.Kind == key.KindMouse {
		return h.mouse(e)
	}
	if e.Kind == key.KindKey && (e.Act == key.Release || isModifier(e.Key)) {
		return false, Answer{}
	}
	if e.Kind == key.KindKey {
		switch e.Name() {
		case "Escape", "C-c", "C-g":
			return true, Answer{}
		case "Enter", "KPEnter", "C-m", "C-j":
			return h.choose()
		}
		if h.move(e.Name()) {
			return false, Answer{}
		}
	}
	before := h.filter.text
	h.filter.HandleKey(e)
	if h.filter.text != before {
		h.narrow()
	}
	return false, Answer{}
}

func (h *Help) choose() (bool, Answer) {
	if h.at >= len(h.shown) {
		return false, Answer{}
	}
	return true, Answer{OK: true, Text: h.all[h.shown[h.at]].Line}
}

// move goes through the list. Keys that belong to the line being typed are not for it.
func (h *Help) move(name string) bool {
	switch name {
	case "Up", "C-p":
		h.at--
	case "Down", "C-n":
		h.at++
	case "PPage":
		h.at -= h.page
	case "NPage":
		h.at += h.page
	case "C-Home":
		h.at = 0
	case "C-End":
		h.at = len(h.shown)
	default:
		return false
	}
	h.at = max(min(h.at, len(h.shown)-1), 0)
	return true
}

// mouse: the wheel scrolls, a click selects, a click on what is selected chooses.
func (h *Help) mouse(e key.Event) (bool, Answer) {
	switch {
	case e.Button == key.WheelUp:
		h.move("Up")
	case e.Button == key.WheelDown:
		h.move("Down")
	case e.Button == key.ButtonLeft && e.Act == key.Press:
		i := h.top + e.Y - h.list
		if e.Y < h.list || e.Y >= h.list+h.page || i >= len(h.lines) || h.lines[i].heading != "" {
			return false, Answer{}
		}
		if h.lines[i].entry == h.at {
			return h.choose()
		}
		h.at = h.lines[i].entry
	}
	return false, Answer{}
}

// narrow leaves the entries that contain every word typed, in either case.
func (h *Help) narrow() {
	words := strings.Fields(strings.ToLower(h.filter.text))
	h.shown, h.at, h.top = h.shown[:0], 0, 0
	for i := range h.all {
		e := &h.all[i]
		text := strings.ToLower(e.Head + " " + e.Text + " " + e.Detail)
		fits := true
		for _, w := range words {
			fits = fits && strings.Contains(text, w)
		}
		if fits {
			h.shown = append(h.shown, i)
		}
	}
	h.lines = h.lines[:0]
	kind := ""
	for n, i := range h.shown {
		if k := h.all[i].Kind; k != kind {
			kind = k
			h.lines = append(h.lines, helpLine{heading: k})
		}
		h.lines = append(h.lines, helpLine{entry: n})
	}
}

// Draw covers the screen, with a border where there is room for one.
func (h *Help) Draw(s Screen) Drawing {
	if s.Cols < 50 || s.Rows < 12 {
		return h.drawBare(s)
	}
	w := s.Cols
	inner := w - 2
	details := 1
	if s.Rows >= 20 {
		details = 3
	}
	h.page = max(s.Rows-2-2-1-details, 1)
	h.follow()
	h.list = 3
	l := s.Looks
	f := frame(l.Lines)
	across := []Span{{strings.Repeat(string(f[1]), inner), l.Border}}
	v := h.filter.View(inner - 3)
	rows := [][]Span{{{" ", l.Text}, {"› ", bold(l.Border)}, {v.Text, l.Text}}, across}
	if v.Text == "" {
		rows[0][2] = Span{"type to search keys and commands", dim(l.Text)}
	}
	rows = append(rows, h.body(inner, l)...)
	rows = append(append(rows, across), h.detail(inner, details, l)...)
	title := []Span{{" Help ", bold(l.Border)}, {fmt.Sprintf(" %d of %d ", len(h.shown), len(h.all)), l.Border}}
	keys := []Span{{" Up Down PgUp PgDn move ", l.Border}, {" Enter to the prompt ", l.Border}, {" Escape leave ", l.Border}}
	out := boxed(rows, w, title, keys, 0, l)
	for _, y := range []int{2, len(out) - 2 - details} { // the lines across reach the border
		out[y] = []Span{{string(f[6]) + strings.Repeat(string(f[1]), inner) + string(f[7]), l.Border}}
	}
	h.screen = Drawing{W: w, H: s.Rows, Style: l.Text, Rows: out, Cursor: true, CursorX: 4 + v.Cursor, CursorY: 1}
	return h.screen
}

// drawBare does without a border: what is typed, the list, the detail.
func (h *Help) drawBare(s Screen) Drawing {
	l := s.Looks
	h.page = max(s.Rows-2, 1)
	h.follow()
	h.list = 1
	v := h.filter.View(max(s.Cols-2, 1))
	first := []Span{{"› ", bold(l.Border)}, {v.Text, l.Text}}
	if v.Text == "" {
		first[1] = Span{"type to search, Escape leaves", dim(l.Text)}
	}
	rows := append([][]Span{fit(first, s.Cols, l.Text)}, h.body(s.Cols, l)...)
	rows = append(rows, h.detail(s.Cols, 1, l)...)
	h.screen = Drawing{W: s.Cols, H: s.Rows, Style: l.Text, Rows: rows, Cursor: s.Cols > 2, CursorX: min(2+max(v.Cursor, 0), s.Cols-1)}
	return h.screen
}

// follow keeps the selected entry in sight, with the heading above the first one.
func (h *Help) follow() {
	at := 0
	for i, l := range h.lines {
		if l.heading == "" && l.entry == h.at {
			at = i
			break
		}
	}
	if h.at == 0 {
		h.top = 0
	}
	if at < h.top {
		h.top = at
	}
	if at >= h.top+h.page {
		h.top = at - h.page + 1
	}
	h.top = max(min(h.top, len(h.lines)-h.page), 0)
}

// body are the lines in sight, h.page of them.
func (h *Help) body(cells int, l Looks) [][]Span {
	rows := make([][]Span, 0, h.page)
	if len(h.shown) == 0 {
		rows = append(rows, []Span{{" Nothing has all of these words.", dim(l.Text)}})
	}
	head := h.headWidth(cells)
	for _, line := range h.lines[h.top:min(h.top+h.page, len(h.lines))] {
		if line.heading != "" {
			rows = append(rows, []Span{{" " + line.heading, bold(l.Border)}})
			continue
		}
		e := &h.all[h.shown[line.entry]]
		st, lead := l.Text, bold(l.Text)
		if line.entry == h.at {
			st, lead = l.Selected, l.Selected
		}
		row := fit([]Span{{" " + e.Head, lead}}, head, st)
		row = append(row, Span{" " + e.Text, st})
		rows = append(rows, fit(row, cells, st))
	}
	for len(rows) < h.page {
		rows = append(rows, nil)
	}
	return rows
}

// headWidth is the column of the texts: as wide as the heads in the list, up to a bound.
func (h *Help) headWidth(cells int) int {
	wide := 0
	for _, i := range h.shown {
		wide = max(wide, measure(h.all[i].Head)+1)
	}
	return min(wide, max(cells/3, 14), cells)
}

// detail are the last lines: what the selected entry stands for, and its text where the list cuts it.
func (h *Help) detail(cells, lines int, l Looks) [][]Span {
	rows := make([][]Span, lines)
	if h.at >= len(h.shown) {
		return rows
	}
	e := &h.all[h.shown[h.at]]
	var parts []string
	if lines > 1 && h.headWidth(cells)+1+measure(clean(e.Text)) > cells {
		parts = wrap(e.Text, cells-2)
	}
	parts = append(parts, wrap(e.Detail, cells-2)...)
	for i := range min(lines, len(parts)) {
		rows[i] = []Span{{" " + parts[i], l.Text}}
	}
	return rows
}

// wrap breaks a text between words into lines of at most that many cells.
func wrap(text string, cells int) []string {
	var out []string
	line := ""
	for _, w := range strings.Fields(clean(text)) {
		if line != "" && measure(line)+1+measure(w) > cells {
			out, line = append(out, line), ""
		}
		if line != "" {
			line += " "
		}
		line += w
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

func bold(st style.Style) style.Style { st.Attr |= style.Bold; return st }
func dim(st style.Style) style.Style  { st.Attr |= style.Dim; return st }
