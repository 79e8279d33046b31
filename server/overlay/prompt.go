package overlay

import (
	"unicode/utf8"

	"stet/vt/key"
)

// maxText bounds what can be typed or pasted into a prompt, in bytes.
const maxText = 8192

// Prompt is a line editor with the keys of Emacs and readline, or those of vi.
type Prompt struct {
	o       PromptOptions
	command bool // vi's keys, and they command
	menu    *choices
	label   string
	text    string
	at      int    // byte the cursor stands on; always at a character's begin
	killed  string // what C-k, C-u, C-w and their like cut last, for C-y
	waits   bool   // Tab was pressed last, and what there is is being looked for
	partial []byte // a character that a paste has broken in two

	history *History
	back    int    // how far up in the history; 0 is what is being typed
	typed   string // what was typed before going up
}

// PromptOptions say what a prompt begins with.
type PromptOptions struct {
	Label string
	Text  string
	// OneKey takes the first character as the answer, KeyName the name of the first key.
	OneKey, KeyName bool
	// Vi has vi's keys, beginning with those that insert.
	Vi bool
	// Separators are the characters that end words, blanks aside.
	Separators string
	// Paste is what C-y puts in while nothing has been cut. It may be nil.
	Paste func() string
	// Complete finds what may stand at a byte of the text. It may be nil.
	Complete func(text string, at int) Completion
	// History brings back earlier answers and takes this one. It may be nil.
	History *History
}

// NewPrompt asks for a line.
func NewPrompt(o PromptOptions) *Prompt {
	p := &Prompt{o: o, label: clean(o.Label), history: o.History}
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
	if p.o.OneKey || p.o.KeyName {
		return p.single(e)
	}
	name, text := e.Name(), typed(e)
	p.waits = false
	if p.menu != nil && p.menuKey(name) {
		return false, Answer{}
	}
	if p.o.Vi {
		name, text = p.viKey(name, text)
	}
	switch {
	case text != "":
		p.insert(text)
	case answers[name]:
		p.remember()
		return true, Answer{true, p.text}
	case leaves[name]:
		return true, Answer{}
	case name == "Tab" || name == "C-i":
		p.complete()
		return false, Answer{}
	case edits[name] != nil:
		edits[name](p)
	default:
		return false, Answer{}
	}
	p.narrow()
	return false, Answer{}
}

var (
	answers = map[string]bool{"Enter": true, "KPEnter": true, "C-m": true, "C-j": true}
	leaves  = map[string]bool{"Escape": true, "C-c": true, "C-g": true}
)

// single answers with one key: with its name, or with the character it types. A key that types none is
// no answer to a question for a character.
func (p *Prompt) single(e key.Event) (done bool, a Answer) {
	name, text := e.Name(), typed(e)
	switch {
	case p.o.KeyName:
		return true, Answer{true, name}
	case leaves[name], answers[name]:
		return true, Answer{}
	case text == "":
		return false, Answer{}
	}
	return true, Answer{true, text}
}

// remember puts the line into the history.
func (p *Prompt) remember() {
	if p.history != nil {
		p.history.Add(p.text)
	}
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
	if p.o.OneKey || p.o.KeyName {
		return
	}
	data = append(p.partial, data...)
	p.partial = nil
	if n := incomplete(data); n > 0 && !end {
		p.partial = append([]byte(nil), data[len(data)-n:]...)
		data = data[:len(data)-n]
	}
	p.insert(string(data))
	p.narrow()
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
