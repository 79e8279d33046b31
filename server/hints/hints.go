// Package hints is the mode that marks what one may want to copy from a pane's screen, paths, addresses,
// hashes, numbers, with letters: typing the letters copies it.
//
// It is a state machine (mode.Mode) over one picture at a time, which it never changes: keys come in, and out comes
// what to copy. It starts nothing. A mutex guards what clients draw.
package hints

import (
	"strings"
	"sync"
	"time"

	"stet/config/syntax"
	"stet/server/mode"
	"stet/vt"
	"stet/vt/key"
)

// Name is the mode's name.
const Name = "hints-mode"

// Options say what is looked for and how it looks.
type Options struct {
	Patterns []string // own expressions, which come before the usual ones
	// Open is the shell command that gets what was picked by a capital letter, as its last argument; ""
	// types it into the pane instead.
	Open string
	// Found is the look of what can be picked, Label that of the letters.
	Found, Label vt.Style
	// Before is shown until the mode is loaded.
	Before interface {
		View(have []vt.RowInfo, gen uint64, back int) *vt.View
	}
}

// Mode is one choice.
type Mode struct {
	o Options

	mu      sync.Mutex
	version uint64
	size    [2]int   // of the pane
	asked   [2]int   // the size for which another picture was asked for
	view    *vt.View // nil: not loaded
	next    *vt.View // takes its place at the next tick
	found   []found
	typed   string
	early   []key.Event
}

// maxEarly bounds the keys that wait for the picture.
const maxEarly = 16

// New returns a mode that has no picture yet; keys wait for it.
func New(o Options) *Mode { return &Mode{o: o, version: 1} }

// Load gives the mode its picture. Where nothing in it can be picked, the mode says so and is over.
func (m *Mode) Load(v *vt.View) mode.Effect {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.load(v)
}

func (m *Mode) load(v *vt.View) mode.Effect {
	if v == nil {
		return mode.Effect{Leave: true}
	}
	found, err := search(v, m.o.Patterns)
	if err != nil {
		return mode.Effect{Leave: true, Message: err.Error()}
	}
	if len(found) == 0 {
		return mode.Effect{Leave: true, Message: "nothing to pick here (hint-patterns adds to what is looked for)"}
	}
	m.view, m.found, m.typed = v, found, ""
	m.version++
	e := mode.Effect{Redraw: true}
	for _, k := range m.early {
		if e = m.key(k); e.Leave {
			break
		}
	}
	m.early = nil
	return e
}

// Name is hints-mode.
func (m *Mode) Name() string { return Name }

// Table is none: letters pick.
func (m *Mode) Table() string { return "" }

// Key takes a letter of a label. Others leave the mode, so that nobody is caught in it.
func (m *Mode) Key(e key.Event) mode.Effect {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Kind != key.KindKey || e.Act == key.Release {
		return mode.Effect{}
	}
	if m.view == nil {
		if len(m.early) < maxEarly {
			m.early = append(m.early, e)
		}
		return mode.Effect{}
	}
	return m.key(e)
}

func (m *Mode) key(e key.Event) mode.Effect {
	name := e.Name()
	letter := strings.ToLower(name)
	switch {
	case name == "BSpace" && m.typed != "":
		m.typed = m.typed[:len(m.typed)-1]
		m.version++
		return mode.Effect{Redraw: true}
	case len(letter) != 1 || letter[0] < 'a' || letter[0] > 'z':
		return mode.Effect{Leave: true}
	}
	typed := m.typed + letter
	fits := false
	for i := range m.found {
		switch f := &m.found[i]; {
		case f.label == typed:
			return m.picked(f.text, name != letter)
		case strings.HasPrefix(f.label, typed):
			fits = true
		}
	}
	if !fits {
		return mode.Effect{Leave: m.typed == "", Message: "no hint " + typed}
	}
	m.typed = typed
	m.version++
	return mode.Effect{Redraw: true}
}

// picked copies a text; a capital letter does more with it.
func (m *Mode) picked(text string, more bool) mode.Effect {
	e := mode.Effect{Leave: true, Copy: &mode.Copy{Text: text, Clipboard: true}, Message: "copied: " + text}
	switch {
	case more && m.o.Open != "":
		// The text goes by standard input: no character of it means anything to the shell.
		e.Copy.Pipe = "text=$(cat); " + m.o.Open + ` "$text"`
		e.Message = "opened: " + text
	case more:
		e.Run = "send-keys -l -- " + syntax.Quote(text)
		e.Message = "pasted: " + text
	}
	return e
}

// Command knows cancel only.
func (m *Mode) Command(c mode.Command) (mode.Effect, error) {
	if c.Name == "cancel" {
		return mode.Effect{Leave: true}, nil
	}
	return mode.Effect{}, errCommand
}

type commandError string

func (e commandError) Error() string { return string(e) }

const errCommand = commandError("hints know one command, cancel; letters pick")

// Resize has the picture taken anew: what was found stands elsewhere now.
func (m *Mode) Resize(cols, rows int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.size = [2]int{cols, rows}
}

// Wake is at once where the picture is one of another size.
func (m *Mode) Wake() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.next != nil || m.view != nil && m.size != m.asked && m.size != [2]int{m.view.Cols, m.view.Rows} {
		return time.Unix(1, 0)
	}
	return time.Time{}
}

// Tick asks for a picture of that size, or takes the one that was asked for.
func (m *Mode) Tick(time.Time) mode.Effect {
	m.mu.Lock()
	defer m.mu.Unlock()
	if v := m.next; v != nil {
		m.next = nil
		return m.load(v)
	}
	if m.view == nil || m.o.Before == nil || m.size == m.asked {
		return mode.Effect{}
	}
	m.asked = m.size
	return mode.Effect{Aside: func() {
		v := m.o.Before.View(nil, 0, 0)
		m.mu.Lock()
		m.next = v
		m.mu.Unlock()
	}}
}

// Variable knows none.
func (m *Mode) Variable(string) (string, bool) { return "", false }

// Indicator says what the letters do.
func (m *Mode) Indicator() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.view == nil {
		return ""
	}
	if m.o.Open != "" {
		return "[letter: copy, capital: open]"
	}
	return "[letter: copy, capital: paste]"
}

// Version changes with the picture.
func (m *Mode) Version() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.view == nil {
		return 0
	}
	return m.version
}

// Close has nothing to let go.
func (m *Mode) Close() {}

var _ mode.Timed = (*Mode)(nil)

// View is the picture with what was found and its letters over it.
func (m *Mode) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.view == nil {
		if m.o.Before == nil {
			return nil
		}
		v := m.o.Before.View(nil, 0, 0)
		if v != nil {
			v.Modes = vt.Modes{}
		}
		return v
	}
	v := *m.view
	v.Modes, v.Cursor.Visible = vt.Modes{}, false
	v.Gen = 1<<61 | m.version
	v.Styles = append(make([]vt.Style, 0, len(v.Styles)+2), v.Styles...)
	look, label := len(v.Styles), len(v.Styles)+1
	v.Styles = append(v.Styles, m.o.Found, m.o.Label)
	v.Info = append([]vt.RowInfo(nil), v.Info...)
	v.Cells = make([][]vt.Cell, len(m.view.Cells))
	for y := range v.Cells {
		v.Cells[y] = append([]vt.Cell(nil), m.view.Cells[y]...)
		v.Info[y].ID, v.Info[y].Version = 1<<61|uint64(y), m.version
	}
	for _, f := range m.found {
		if !strings.HasPrefix(f.label, m.typed) {
			continue
		}
		for i, at := range f.cells {
			c := v.Cells[at.y][at.x].WithStyle(look)
			if i < len(f.label) && c.Width() == 1 {
				c = vt.BlankCell - ' ' + vt.Cell(f.label[i])
				c = c.WithStyle(label)
			}
			v.Cells[at.y][at.x] = c
		}
	}
	return &v
}
