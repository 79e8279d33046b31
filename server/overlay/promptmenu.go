package overlay

import (
	"fmt"
	"strings"
)

// Completion is what may stand at a place of a prompt's text: one of the candidates instead of the bytes
// From to To. Usage says what may come there at all. Wait says that it is still being looked for:
// [Prompt.Found] is called when it is known.
type Completion struct {
	From, To   int
	Candidates []Candidate
	Usage      string
	Wait       bool
}

// Candidate is a text that may stand there, and what it is. More says that the word goes on behind it:
// no blank follows.
type Candidate struct {
	Text, Note string
	More       bool
}

// choices are the candidates that are shown above the prompt. at is -1 while none is chosen.
type choices struct {
	Completion
	at, top int
}

// mostChoices bounds the rows of candidates that are shown at once.
const mostChoices = 10

// complete puts in what can only stand at the cursor, and shows what else may.
func (p *Prompt) complete() {
	if p.o.Complete == nil {
		return
	}
	c := p.find()
	if p.waits = c.Wait; p.waits {
		p.show()
		return
	}
	if len(c.Candidates) == 1 {
		p.take(c, c.Candidates[0])
		return
	}
	word := p.text[c.From:c.To]
	common := commonBegin(c.Candidates)
	if bare := strings.TrimPrefix(common, `"`); len(common) > len(word) && (strings.HasPrefix(common, word) || strings.HasPrefix(bare, word)) {
		p.replace(c.From, c.To, common)
	}
	p.show()
}

// Found goes on with what was asked for and took its time. A line that was changed meanwhile is left as it is.
func (p *Prompt) Found() {
	if p.waits {
		p.complete()
		return
	}
	p.narrow()
}

// find asks for what may stand at the cursor.
func (p *Prompt) find() Completion {
	c := p.o.Complete(p.text, p.at)
	c.To = max(0, min(c.To, len(p.text)))
	c.From = max(0, min(c.From, c.To))
	return c
}

// show opens the menu with what may stand at the cursor now, or closes it.
func (p *Prompt) show() {
	p.menu = nil
	if c := p.find(); len(c.Candidates) > 0 || c.Usage != "" {
		p.menu = &choices{Completion: c, at: -1}
	}
}

// narrow follows in the menu what was typed.
func (p *Prompt) narrow() {
	if p.menu != nil {
		p.show()
	}
}

func commonBegin(list []Candidate) string {
	if len(list) == 0 {
		return ""
	}
	common := list[0].Text
	for _, c := range list[1:] {
		for !strings.HasPrefix(c.Text, common) {
			common = common[:before(common, len(common))]
		}
	}
	return common
}

// take puts a candidate into the line, with a blank where a word ends.
func (p *Prompt) take(c Completion, choice Candidate) {
	p.menu = nil
	p.replace(c.From, c.To, choice.Text)
	if choice.More {
		return
	}
	if strings.HasPrefix(p.text[p.at:], " ") {
		p.at++
		return
	}
	p.insert(" ")
}

func (p *Prompt) replace(from, to int, text string) {
	p.text, p.at = p.text[:from]+p.text[to:], from
	p.insert(text)
}

// menuKey chooses a candidate, takes it or closes the menu. False: the key is for the line.
func (p *Prompt) menuKey(name string) bool {
	m := p.menu
	switch {
	case name == "Escape" || name == "C-g":
		p.menu = nil
	case len(m.Candidates) == 0:
		return false
	case name == "Tab" || name == "C-i" || name == "Down" || name == "C-n":
		m.step(1)
	case name == "BTab" || name == "S-Tab" || name == "Up" || name == "C-p":
		m.step(-1)
	case name == "NPage":
		m.step(mostChoices)
	case name == "PPage":
		m.step(-mostChoices)
	case answers[name] && m.at >= 0:
		p.take(m.Completion, m.Candidates[m.at])
	default:
		return false
	}
	return true
}

// step goes through the candidates and round; a page stops at the ends.
func (m *choices) step(n int) {
	count := len(m.Candidates)
	switch {
	case n == 1 || n == -1:
		m.at += n
		if m.at < 0 {
			m.at = count - 1
		}
		m.at %= count
	default:
		m.at = max(0, min(m.at+n, count-1))
	}
	m.top = max(min(m.top, m.at), m.at-mostChoices+1)
}

// Menu is the candidates as a box over the row of the prompt, which is that far from the top; below it
// where it is the first. ok is false while there are none.
func (p *Prompt) Menu(s Screen, row int) (d Drawing, ok bool) {
	m := p.menu
	if m == nil {
		return Drawing{}, false
	}
	most := max(row, s.Rows-row-1)
	rows, wide := m.rows(s, max(min(mostChoices, most-2), 1))
	d.W, d.H = min(wide+2, s.Cols), min(len(rows)+2, most)
	if d.W < 3 || d.H < 3 {
		return Drawing{}, false
	}
	d.Style = s.Looks.Text
	d.Rows = boxed(rows, d.W, nil, m.foot(rows, s.Looks), 0, s.Looks)[:min(d.H, len(rows)+2)]
	v := p.View(s.Cols)
	x := v.Cursor - measure(p.text[m.From:max(p.at, m.From)]) - 2
	d.X, d.Y = max(min(x, s.Cols-d.W), 0), row-d.H
	if row < most {
		d.Y = row + 1
	}
	return d, true
}

// foot says how many candidates there are where not all are in sight.
func (m *choices) foot(rows [][]Span, l Looks) []Span {
	if len(rows) >= len(m.Candidates) {
		return nil
	}
	if m.at < 0 {
		return []Span{{fmt.Sprintf(" %d ", len(m.Candidates)), l.Border}}
	}
	return []Span{{fmt.Sprintf(" %d of %d ", m.at+1, len(m.Candidates)), l.Border}}
}

// rows are the usage and the candidates that are in sight, and how many cells they take.
func (m *choices) rows(s Screen, most int) (rows [][]Span, wide int) {
	room := max(s.Cols-2, 1)
	if m.Usage != "" {
		for _, line := range wrap(m.Usage, room-2) {
			rows = append(rows, []Span{{" " + line, dim(s.Looks.Text)}})
			wide = max(wide, measure(line)+2)
		}
		if over := len(rows) - max(most/2, 1); over > 0 {
			rows = rows[:len(rows)-over]
		}
		most = max(most-len(rows), 1)
	}
	text, note := 0, 0
	for _, c := range m.Candidates {
		text, note = max(text, measure(clean(c.Text))), max(note, measure(clean(c.Note)))
	}
	text = min(text, max(room-2, 1))
	cells := text + 2
	if note > 0 {
		cells += note + 2
	}
	wide = min(max(wide, cells), room)
	top := max(min(m.top, m.at), m.at-most+1, 0)
	for i := top; i < min(top+most, len(m.Candidates)); i++ {
		c, st := m.Candidates[i], s.Looks.Text
		faint := dim(st)
		if i == m.at {
			st = s.Looks.Selected
			faint = st
		}
		row := append([]Span{{" ", st}}, fit([]Span{{c.Text, st}}, text, st)...)
		rows = append(rows, fit(append(row, Span{"  " + c.Note, faint}), wide, st))
	}
	return rows, wide
}
