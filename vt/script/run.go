package script

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Terminal is an emulator that cases can be run on. What it cannot tell it
// answers with ErrUnasked: the expectation is left out then.
type Terminal interface {
	Write(p []byte) error
	Resize(cols, rows int) error
	// Screen and History are rows of text without the blanks at their ends.
	Screen() ([]string, error)
	History() ([]string, error)
	Cursor() (Cursor, error)
	// Style is the looks of a cell (row and column from 1) in the words of the language, "plain" if there are none.
	Style(row, col int) (string, error)
	// Replies and Events are those since the last call.
	Replies() ([]string, error)
	Events() ([]Event, error)
	// Mode is what DECRQM says, 0 to 4.
	Mode(number string) (int, error)
}

// ErrUnasked says that an emulator cannot be asked for something.
var ErrUnasked = errors.New("cannot be asked")

// Cursor is where the cursor is, from 1.
type Cursor struct {
	Row, Col int
	Words    []string // pending, hidden, shape=N
	Unsure   bool     // the words are not known
}

// Event is one event: its kind and, if it has them, its text and number.
type Event struct {
	Words []string
	Text  string
}

// Failure is an expectation that did not hold.
type Failure struct {
	Line      int
	Got, Want string
}

func (f *Failure) Error() string {
	return fmt.Sprintf("line %d: got  %s\n        want %s", f.Line, f.Got, f.Want)
}

// Run does the steps of a case and gives what did not hold, and how many
// expectations the terminal could not be asked for. An error is trouble with
// the terminal itself.
func (c *Case) Run(t Terminal) (failed []*Failure, unasked int, err error) {
	return c.RunWithout(t, -1)
}

// RunWithout is Run without step number leave.
func (c *Case) RunWithout(t Terminal, leave int) (failed []*Failure, unasked int, err error) {
	r := runner{t: t}
	for i := range c.Steps {
		if i == leave {
			continue
		}
		if err := r.step(&c.Steps[i]); err != nil {
			if errors.Is(err, ErrUnasked) {
				r.unasked++
				continue
			}
			return r.failed, r.unasked, fmt.Errorf("line %d: %w", c.Steps[i].Line, err)
		}
	}
	if err := r.rest(); err != nil && !errors.Is(err, ErrUnasked) {
		return r.failed, r.unasked, err
	}
	return r.failed, r.unasked, nil
}

// Inputs are the numbers of the steps that put something in.
func (c *Case) Inputs() (n []int) {
	for i, s := range c.Steps {
		if s.Verb == "write" || s.Verb == "resize" {
			n = append(n, i)
		}
	}
	return n
}

type runner struct {
	t       Terminal
	failed  []*Failure
	unasked int
	replies string // what was answered and is not expected yet
	events  []Event
	listens bool // the case has expectations about events
	last    int
}

func (r *runner) expect(s *Step, got, want string) {
	if got != want {
		r.failed = append(r.failed, &Failure{s.Line, got, want})
	}
}

func quoted(rows []string) string {
	for len(rows) > 0 && strings.TrimRight(rows[len(rows)-1], " ") == "" {
		rows = rows[:len(rows)-1]
	}
	var b strings.Builder
	for _, s := range rows {
		fmt.Fprintf(&b, "%s ", Quote(strings.TrimRight(s, " ")))
	}
	return strings.TrimRight(b.String(), " ")
}

// Quote writes a text as the language does.
func Quote(s string) string {
	return strings.ReplaceAll(fmt.Sprintf("%q", s), `\x1b`, `\e`)
}

func (r *runner) step(s *Step) error {
	r.last = s.Line
	switch s.Verb {
	case "size":
	case "write":
		return r.t.Write([]byte(strings.Repeat(s.Texts[0], s.Times)))
	case "resize":
		return r.t.Resize(s.Cols, s.Rows)
	case "screen", "history", "row":
		return r.rows(s)
	case "cursor":
		c, err := r.t.Cursor()
		if err != nil {
			return err
		}
		got, want := c.Words, slices.Clone(s.Words)
		if c.Unsure {
			got, want = nil, nil
		}
		if !strings.Contains(strings.Join(want, " "), "shape=") {
			got = slices.DeleteFunc(got, func(w string) bool { return strings.HasPrefix(w, "shape=") })
		}
		slices.Sort(got)
		slices.Sort(want)
		r.expect(s, fmt.Sprintf("cursor %d;%d %s", c.Row, c.Col, strings.Join(got, " ")), fmt.Sprintf("cursor %d;%d %s", s.Row, s.Col, strings.Join(want, " ")))
	case "style":
		for x := s.Col; x <= s.To; x++ {
			got, err := r.t.Style(s.Row, x)
			if err != nil {
				return err
			}
			r.expect(s, fmt.Sprintf("style %d;%d %s", s.Row, x, sorted(got)), fmt.Sprintf("style %d;%d %s", s.Row, x, sorted(strings.Join(s.Words, " "))))
		}
	case "reply":
		return r.reply(s)
	case "event":
		return r.event(s)
	case "mode":
		got, err := r.t.Mode(s.Words[0])
		if err != nil {
			return err
		}
		r.expect(s, fmt.Sprintf("mode %s is %d", s.Words[0], got), fmt.Sprintf("mode %s is %d", s.Words[0], modeValues[s.Words[1]]))
	}
	return nil
}

func sorted(words string) string {
	w := strings.Fields(words)
	slices.Sort(w)
	return strings.Join(w, " ")
}

func (r *runner) rows(s *Step) error {
	read := r.t.Screen
	if s.Verb == "history" {
		read = r.t.History
	}
	rows, err := read()
	if err != nil {
		return err
	}
	if s.Verb == "row" {
		if s.Row > len(rows) {
			r.expect(s, fmt.Sprintf("a screen of %d rows", len(rows)), fmt.Sprintf("row %d", s.Row))
			return nil
		}
		rows = rows[s.Row-1 : s.Row]
	}
	r.expect(s, quoted(rows), quoted(s.Texts))
	return nil
}

func (r *runner) reply(s *Step) error {
	more, err := r.t.Replies()
	if err != nil {
		return err
	}
	r.replies += strings.Join(more, "")
	if len(s.Texts) == 1 && s.Texts[0] != "" {
		if rest, ok := strings.CutPrefix(r.replies, s.Texts[0]); ok {
			r.replies = rest
			return nil
		}
		r.expect(s, "replies "+Quote(r.replies), "replies beginning with "+Quote(s.Texts[0]))
		r.replies = ""
		return nil
	}
	r.expect(s, "replies "+Quote(r.replies), "replies "+Quote(""))
	return nil
}

func (r *runner) event(s *Step) error {
	r.listens = true
	more, err := r.t.Events()
	if err != nil {
		return err
	}
	r.events = append(r.events, more...)
	got, want := "none", strings.Join(s.Words, " ")
	if len(s.Texts) == 1 {
		want += " " + Quote(s.Texts[0])
	}
	if len(r.events) > 0 {
		e := r.events[0]
		r.events = r.events[1:]
		got = strings.Join(e.Words, " ")
		if e.Text != "" || len(s.Texts) > 0 {
			got += " " + Quote(e.Text)
		}
	}
	r.expect(s, "event "+got, "event "+want)
	return nil
}

// rest holds the case to what it did not expect.
func (r *runner) rest() error {
	replies, err := r.t.Replies()
	if err != nil {
		return err
	}
	end := &Step{Line: r.last}
	r.expect(end, "replies "+Quote(r.replies+strings.Join(replies, "")), "replies "+Quote(""))
	if !r.listens {
		return nil
	}
	events, err := r.t.Events()
	if err != nil {
		return err
	}
	for _, e := range append(r.events, events...) {
		r.expect(end, fmt.Sprintf("event %s %q", strings.Join(e.Words, " "), e.Text), "no further event")
	}
	return nil
}
