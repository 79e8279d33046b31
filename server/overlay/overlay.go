// Package overlay is what covers part of a client's window and takes its keys: the prompt that asks
// for a line, the question that wants a yes, and the message that goes by itself.
//
// Overlays are state machines: keys go in, and out come what to show and, at the end, an answer. They
// draw nothing, read no clock and call nobody. The client that shows one owns it.
package overlay

import (
	"time"

	"stet/vt/key"
)

// Overlay is what takes a client's keys.
type Overlay interface {
	// HandleKey takes an event. done says that the overlay is over, with its answer. Focus events,
	// replies and key releases do nothing.
	HandleKey(e key.Event) (done bool, answer Answer)
	// View is what to show in a line of a number of cells.
	View(cells int) View
}

// Answer is what a person has said. OK is false when they have left or said no.
type Answer struct {
	OK   bool
	Text string
}

// View is one line: Label, then Text, both without control characters, together not wider than the
// cells asked for. Cursor is the column of the cursor, -1 for none.
type View struct {
	Label, Text string
	Cursor      int
}

// Message is a line that is shown for some time, or until a key.
type Message struct {
	Text  string
	Until time.Time // zero: until a key
}

// Expired tells whether the time to show it is over.
func (m Message) Expired(now time.Time) bool { return !m.Until.IsZero() && !now.Before(m.Until) }

// View is what to show in a line of a number of cells; what does not fit is cut off.
func (m Message) View(cells int) View {
	return View{Text: cut(clean(m.Text), cells), Cursor: -1}
}

// Confirm is a question that one key answers with yes, and any other with no.
type Confirm struct {
	label string
	yes   rune
	enter bool
}

// NewConfirm asks a question. The key yes confirms (y in upper case, too), and Enter where enter is set.
func NewConfirm(label string, yes rune, enter bool) *Confirm {
	return &Confirm{clean(label), yes, enter}
}

// HandleKey takes the answer. The mouse and pastes are none: nobody confirms by accident.
func (c *Confirm) HandleKey(e key.Event) (done bool, a Answer) {
	if e.Kind != key.KindKey || e.Act == key.Release || isModifier(e.Key) {
		return false, Answer{}
	}
	k := e.Chord()
	switch {
	case k.Mod != 0:
		return true, Answer{}
	case k.Key == key.Enter || k.Key == key.KPEnter:
		return true, Answer{OK: c.enter}
	}
	return true, Answer{OK: k.Key == key.Key(c.yes) || c.yes == 'y' && k.Key == 'Y'}
}

// View shows the question with the cursor behind it.
func (c *Confirm) View(cells int) View {
	label := cut(c.label, cells)
	return View{Label: label, Cursor: min(measure(label), max(cells-1, 0))}
}

// isModifier tells keys that only change others.
func isModifier(k key.Key) bool {
	return k >= key.LeftShift && k <= key.Level5Shift || k >= key.CapsLock && k <= key.NumLock
}
