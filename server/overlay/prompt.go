package overlay

import (
	"strings"
	"unicode/utf8"

	"stet/vt/key"
)

// maxText bounds what can be typed or pasted into a prompt, in bytes.
const maxText = 8192

// Prompt is a line editor with the keys of Emacs and readline.
type Prompt struct {
	label   string
	text    string
	at      int    // byte the cursor stands on; always at a character's begin
	killed  string // what C-k, C-u, C-w and their like cut last, for C-y
	oneKey  bool
	partial []byte // a character that a paste has broken in two

	history *History
	back    int    // how far up in the history; 0 is what is being typed
	typed   string // what was typed before going up
}

// PromptOptions say what a prompt begins with.
type PromptOptions struct {
	Label string
	Text  string
	// OneKey takes the first key as the answer: its character, or its name.
	OneKey bool
	// History brings back earlier answers and takes this one. It may be nil.
	History *History
}

// NewPrompt asks for a line.
func NewPrompt(o PromptOptions) *Prompt {
	p := &Prompt{label: clean(o.Label), oneKey: o.OneKey, history: o.History}
	p.insert(o.Text)
	return p
}

// Text is the line so far.
func (p *Prompt) Text() string { return p.text }

// SetText puts another line in its place, with the cursor at its end.
func (p *Prompt) SetText(s string) {
	p.text, p.at = "", 0
	p.insert(s)
}

// HandleKey edits the line. Enter answers with it; Escape, C-c and C-g leave.
func (p *Prompt) HandleKey(e key.Event) (done bool, a Answer) {
	switch {
	case e.Kind == key.KindPaste:
		p.paste(e.Data, e.End)
		return false, Answer{}
	case e.Kind != key.KindKey || e.Act == key.Release || isModifier(e.Key):
		return false, Answer{}
	}
	name := e.Name()
	if p.oneKey {
		switch name {
		case "Escape", "C-c", "C-g":
			return true, Answer{}
		}
		if t := typed(e); t != "" {
			name = t
		}
		return true, Answer{true, name}
	}
	if t := typed(e); t != "" {
		p.insert(t)
		return false, Answer{}
	}
	switch name {
	case "Enter", "KPEnter", "C-m", "C-j":
		if p.history != nil {
			p.history.Add(p.text)
		}
		return true, Answer{true, p.text}
	case "Escape", "C-c", "C-g":
		return true, Answer{}
	}
	p.edit(name)
	return false, Answer{}
}

// typed returns the text an event types, "" for a key that means something else.
func typed(e key.Event) string {
	c := e.Chord()
	if alt, ok := e.Alternate(); ok && !c.Key.IsRune() && alt.Mod == 0 {
		c = alt // the keypad's digits
	}
	switch {
	case c.Mod&^key.Shift != 0:
		return ""
	case c.Key == key.None, c.Key.IsRune() && e.Text != "":
		return clean(e.Text)
	case c.Key.IsRune():
		return clean(string(rune(c.Key)))
	}
	return ""
}

// edit does what a key does to the line. Keys with no meaning do nothing.
func (p *Prompt) edit(name string) {
	switch name {
	case "C-a", "Home":
		p.at = 0
	case "C-e", "End":
		p.at = len(p.text)
	case "C-b", "Left":
		p.at = before(p.text, p.at)
	case "C-f", "Right":
		p.at = behind(p.text, p.at)
	case "M-b", "C-Left", "M-Left":
		p.at = wordStart(p.text, p.at)
	case "M-f", "C-Right", "M-Right":
		p.at = wordEnd(p.text, p.at)
	case "C-h", "BSpace", "S-BSpace":
		p.cut(before(p.text, p.at), p.at, false)
	case "C-d", "DC":
		p.cut(p.at, behind(p.text, p.at), false)
	case "C-k":
		p.cut(p.at, len(p.text), true)
	case "C-u":
		// The whole line, as in tmux's prompt.
		p.cut(0, len(p.text), true)
	case "C-w":
		start := len(strings.TrimRight(p.text[:p.at], " "))
		p.cut(strings.LastIndexByte(p.text[:start], ' ')+1, p.at, true)
	case "M-BSpace", "C-BSpace":
		p.cut(wordStart(p.text, p.at), p.at, true)
	case "M-d", "C-DC":
		p.cut(p.at, wordEnd(p.text, p.at), true)
	case "C-y":
		p.insert(p.killed)
	case "C-t":
		p.transpose()
	case "Up", "C-p":
		p.browse(1)
	case "Down", "C-n":
		p.browse(-1)
	}
}

// insert puts text in front of the cursor, as much as there is room for.
func (p *Prompt) insert(s string) {
	s = clean(s)
	if room := maxText - len(p.text); len(s) > room {
		s = s[:before(s, room+1)]
	}
	p.text = p.text[:p.at] + s + p.text[p.at:]
	p.at += len(s)
	// A combining character joins the one before: the cursor must not stand within.
	if p.at > 0 && p.at < len(p.text) {
		p.at = behind(p.text, before(p.text, p.at))
	}
}

func (p *Prompt) cut(from, to int, keep bool) {
	if from >= to {
		return
	}
	if keep {
		p.killed = p.text[from:to]
	}
	p.text = p.text[:from] + p.text[to:]
	p.at = from
}

// transpose exchanges the characters around the cursor, at the line's end the last two.
func (p *Prompt) transpose() {
	mid := p.at
	if mid == len(p.text) {
		mid = before(p.text, mid)
	}
	start, end := before(p.text, mid), behind(p.text, mid)
	if mid == 0 || start == mid || mid == end {
		return
	}
	p.text = p.text[:start] + p.text[mid:end] + p.text[start:mid] + p.text[end:]
	p.at = end
}

// browse goes up or down in the history.
func (p *Prompt) browse(step int) {
	if p.history == nil {
		return
	}
	to := p.back + step
	if to < 0 || to > p.history.Len() {
		return
	}
	if p.back == 0 {
		p.typed = p.text
	}
	p.back = to
	p.text = p.typed
	if to > 0 {
		p.text = p.history.Entry(to)
	}
	p.at = len(p.text)
}

// paste takes a piece of a paste. Line ends become spaces: a paste never answers.
func (p *Prompt) paste(data []byte, end bool) {
	if p.oneKey {
		return
	}
	data = append(p.partial, data...)
	p.partial = nil
	if n := incomplete(data); n > 0 && !end {
		p.partial = append([]byte(nil), data[len(data)-n:]...)
		data = data[:len(data)-n]
	}
	p.insert(string(data))
}

// incomplete returns how many bytes at the end are the begin of a character.
func incomplete(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if utf8.RuneStart(b[len(b)-n]) {
			if utf8.FullRune(b[len(b)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// View shows the label and as much of the text as fits, with the cursor always in it.
func (p *Prompt) View(cells int) View {
	if cells < 1 {
		return View{Cursor: -1}
	}
	// The text keeps a third of the line, and the cursor a cell behind it.
	label := cut(p.label, max(cells-1-max(cells/3, 1), 0))
	if measure(p.label)+measure(p.text)+1 <= cells {
		label = p.label
	}
	room := cells - measure(label)
	start := p.at
	for lengths := clusters(p.text[:p.at]); len(lengths) > 0; lengths = lengths[:len(lengths)-1] {
		next := start - lengths[len(lengths)-1]
		if measure(p.text[next:p.at])+1 > room {
			break
		}
		start = next
	}
	return View{label, cut(p.text[start:], room), measure(label) + measure(p.text[start:p.at])}
}

// History keeps earlier answers, the newest last. It belongs to the core loop and may serve several
// prompts.
type History struct{ entries []string }

// maxHistory bounds the entries kept.
const maxHistory = 100

// Add puts an answer at the end, unless it is empty or there already at the end.
func (h *History) Add(s string) {
	s = clean(s)
	if n := len(h.entries); s == "" || n > 0 && h.entries[n-1] == s {
		return
	}
	h.entries = append(h.entries, s)
	if over := len(h.entries) - maxHistory; over > 0 {
		h.entries = append([]string(nil), h.entries[over:]...)
	}
}

// Len is how many entries there are.
func (h *History) Len() int { return len(h.entries) }

// Entry returns the n-th newest entry, from 1.
func (h *History) Entry(n int) string {
	if n < 1 || n > len(h.entries) {
		return ""
	}
	return h.entries[len(h.entries)-n]
}
