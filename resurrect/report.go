package resurrect

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"stet/vt/width"
)

// State is how a pane came out of a start.
type State string

// The states, from best to worst.
const (
	Reattached State = "reattached" // the program never stopped
	Resumed    State = "resumed"    // an agent goes on with its own conversation
	Restored   State = "restored"   // a fresh shell, or nothing, under the old screen
	Waiting    State = "waiting"    // needs the user; Next says what to do
	Failed     State = "failed"     // Reason says why
)

// Row is the outcome for one pane. The JSON names are stable.
type Row struct {
	PaneID  int       `json:"pane_id"`
	Target  string    `json:"target"` // session:window.pane
	State   State     `json:"state"`
	Reason  string    `json:"reason,omitempty"`    // why it is not better
	Next    string    `json:"next,omitempty"`      // what the user can do
	SavedAt time.Time `json:"saved_at,omitzero"`   // when the saved state was true
	Lines   int       `json:"lines_restored"`      // screen and history lines shown again
	Lost    int       `json:"lines_lost"`          // lines that were saved and could not be read
	Dir     string    `json:"directory,omitempty"` // where the program runs
}

// Report is the outcome of one start.
type Report struct {
	Format     int       `json:"format"` // 1
	Build      string    `json:"build"`
	At         time.Time `json:"at"`                // when the restore was finished
	Generation uint64    `json:"generation"`        // what was restored; 0: nothing on disk was used
	SavedAt    time.Time `json:"saved_at,omitzero"` // when that was saved
	Notes      []string  `json:"notes,omitempty"`   // what concerns no single pane: a damaged file, an older generation
	Rows       []Row     `json:"panes"`
}

// Row begins the report row of a step: what it says when the step succeeds.
// Whoever carries the step out adds the lines, and calls Fail when it did not
// go as planned.
func (st *Step) Row(savedAt time.Time) Row {
	return Row{PaneID: st.PaneID, Target: st.Target, State: st.State, Reason: st.Reason,
		Next: st.Next, SavedAt: savedAt, Dir: st.Dir}
}

// Fail turns the row into a failure.
func (r *Row) Fail(err error, next string) {
	r.State, r.Next = Failed, next
	if r.Reason != "" {
		r.Reason = err.Error() + " (" + r.Reason + ")"
		return
	}
	r.Reason = err.Error()
}

// Count gives the number of rows in a state.
func (r *Report) Count(s State) int {
	n := 0
	for i := range r.Rows {
		if r.Rows[i].State == s {
			n++
		}
	}
	return n
}

// Summary is one line: "3 panes: 2 reattached, 1 waiting".
func (r *Report) Summary() string {
	var parts []string
	for _, s := range [...]State{Reattached, Resumed, Restored, Waiting, Failed} {
		if n := r.Count(s); n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+string(s))
		}
	}
	head := Plural(len(r.Rows), "pane")
	if len(parts) == 0 {
		return head
	}
	return head + ": " + strings.Join(parts, ", ")
}

// Text is the report for people: the summary, the notes, and an aligned line
// for each pane. Nothing in it can act on a terminal, whatever the names are.
// It ends with a newline.
func (r *Report) Text() string {
	var b strings.Builder
	b.WriteString(r.Summary())
	if !r.SavedAt.IsZero() {
		fmt.Fprintf(&b, " (saved %s)", r.SavedAt.Local().Format("2006-01-02 15:04:05"))
	}
	b.WriteByte('\n')
	for _, n := range r.Notes {
		b.WriteString("note: " + printable(n) + "\n")
	}
	if len(r.Rows) == 0 {
		return b.String()
	}
	table := [][]string{{"PANE", "TARGET", "STATE", "LINES", "DIRECTORY", "WHY, AND WHAT TO DO"}}
	for i := range r.Rows {
		table = append(table, r.Rows[i].cells())
	}
	align(&b, table)
	return b.String()
}

func (r *Row) cells() []string {
	lines := strconv.Itoa(r.Lines)
	if r.Lost > 0 {
		lines += " (" + strconv.Itoa(r.Lost) + " lost)"
	}
	why := r.Reason
	if r.Next != "" {
		if why != "" {
			why += "; "
		}
		why += "to do: " + r.Next
	}
	return []string{"%" + strconv.Itoa(r.PaneID), printable(r.Target), string(r.State), lines, printable(r.Dir), printable(why)}
}

// align writes rows in columns as wide as their widest entry, measured in
// terminal columns; the last one is left ragged.
func align(b *strings.Builder, table [][]string) {
	var widths []int
	for _, row := range table {
		for i, c := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], width.String(c))
		}
	}
	for _, row := range table {
		line := ""
		for i, c := range row {
			line += c
			if i < len(row)-1 {
				line += strings.Repeat(" ", widths[i]-width.String(c)+2)
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// printable replaces what a terminal would act on or not show.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// Plural says how many there are of what has a plural in s.
func Plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// JSON is the report for programs, indented, with a newline at the end. Field
// names are stable; new ones may be added.
func (r *Report) JSON() ([]byte, error) {
	c := *r
	c.Format = 1
	if c.Rows == nil {
		c.Rows = []Row{}
	}
	b, err := json.MarshalIndent(&c, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encode report: %w", err)
	}
	return append(b, '\n'), nil
}

// ParseReport reads what JSON wrote. The name is used in errors only.
func ParseReport(name string, data []byte) (*Report, error) {
	r := new(Report)
	if err := json.Unmarshal(data, r); err != nil {
		fe := &FileError{File: name, Why: err.Error(), Err: err}
		var se *json.SyntaxError
		if errors.As(err, &se) {
			fe.Line = 1 + strings.Count(string(data[:min(int(se.Offset), len(data))]), "\n")
		}
		return nil, fe
	}
	if r.Format != 1 {
		return nil, &FileError{File: name, Newer: r.Format > 1, Build: r.Build,
			Why: fmt.Sprintf("report format %d is not known to this build", r.Format)}
	}
	return r, nil
}
