package resurrect

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"reflect"
	"strconv"
	"time"

	"github.com/BurntSushi/toml"
)

// header stands at the top of every workspace file: whoever opens one should
// know what it is and that it is not meant to be edited while in use.
const header = "# A saved workspace of stet. Described in docs/state-format.md.\n" +
	"# It is replaced while stet runs; edit it only when nothing is running.\n\n"

// Encode gives the workspace as the text of a workspace file. The same value
// always gives the same text. It fails only for values that TOML cannot hold,
// such as a year beyond 9999.
func Encode(ws *Workspace) ([]byte, error) {
	c := new(Workspace)
	copyInto(reflect.ValueOf(c).Elem(), reflect.ValueOf(ws).Elem(), escape)
	c.SavedAt = stamp(c.SavedAt)
	for i := range c.Buffers {
		c.Buffers[i].Created = stamp(c.Buffers[i].Created)
	}
	for i := range c.Sessions {
		s := &c.Sessions[i]
		s.Created, s.Activity, s.Attached = stamp(s.Created), stamp(s.Activity), stamp(s.Attached)
	}
	c.EachPane(func(_ *Session, _ *Window, p *Pane) {
		if p.Agent != nil {
			p.Agent.ReportedAt = stamp(p.Agent.ReportedAt)
		}
	})
	var b bytes.Buffer
	b.WriteString(header)
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		return nil, fmt.Errorf("encode workspace: %w", err)
	}
	return b.Bytes(), nil
}

// stamp makes times comparable after a round trip: UTC, whole milliseconds, no
// monotonic part.
func stamp(t time.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC().Round(0).Truncate(time.Millisecond)
}

// MarshalTOML writes a range as an inline table, so that a pane stays one
// block of lines.
func (r Range) MarshalTOML() ([]byte, error) {
	b := append([]byte("{ segment = "), appendQuoted(nil, escape(r.Segment))...)
	b = fmt.Appendf(b, ", from = %d, to = %d, lines = %d", r.From, r.To, r.Lines)
	if r.Skip != 0 {
		b = fmt.Appendf(b, ", skip = %d", r.Skip)
	}
	return append(b, " }"...), nil
}

// EncodeScreen gives the screen as the text of a screen file, one row a line.
// It is written by hand because the library puts a list on a single line.
func EncodeScreen(s *Screen) []byte {
	size := 1024
	for _, rows := range [...][]string{s.Main, s.Alternate} {
		for _, row := range rows {
			size += len(row) + len(row)/4 + 8
		}
	}
	w := screenWriter{b: make([]byte, 0, size)}
	w.b = append(w.b, "# The screen of one pane. Described in docs/state-format.md.\n"...)
	w.number("format", Format)
	w.text("pane", s.Pane)
	w.number("cols", s.Cols)
	w.number("rows", s.Rows)
	if s.Title != "" {
		w.text("title", s.Title)
	}
	w.b = fmt.Appendf(w.b, "cursor = { x = %d, y = %d", s.Cursor.X, s.Cursor.Y)
	if s.Cursor.Hidden {
		w.b = append(w.b, ", hidden = true"...)
	}
	if s.Cursor.Shape != 0 {
		w.b = fmt.Appendf(w.b, ", shape = %d", s.Cursor.Shape)
	}
	w.b = append(w.b, " }\n"...)
	w.modes(s.Modes)
	if s.Top != 0 || s.Bottom != 0 {
		w.b = fmt.Appendf(w.b, "margins = [%d, %d]\n", s.Top, s.Bottom)
	}
	w.numbers("tabs", s.Tabs)
	if s.Unfinished != "" {
		w.text("unfinished", s.Unfinished)
	}
	w.b = fmt.Appendf(w.b, "history_first = %d\nhistory_next = %d\n", s.HistoryFirst, s.HistoryNext)
	if s.Before != "" {
		w.text("before", s.Before)
	}
	w.numbers("wrapped", s.Wrapped)
	w.list("main", s.Main)
	if s.AltActive {
		w.flag("alternate_active", true)
		w.list("alternate", s.Alternate)
	}
	w.lines("state", base64.StdEncoding.EncodeToString(s.State))
	return w.b
}

type screenWriter struct{ b []byte }

func (w *screenWriter) number(key string, n int) {
	w.b = fmt.Appendf(w.b, "%s = %d\n", key, n)
}

func (w *screenWriter) text(key, s string) {
	w.b = append(w.b, key...)
	w.b = append(w.b, " = "...)
	w.b = append(appendQuoted(w.b, escape(s)), '\n')
}

func (w *screenWriter) flag(key string, on bool) {
	if on {
		w.b = append(append(w.b, key...), " = true\n"...)
	}
}

func (w *screenWriter) numbers(key string, ns []int) {
	if ns == nil {
		return
	}
	w.b = append(append(w.b, key...), " = ["...)
	for i, n := range ns {
		if i > 0 {
			w.b = append(w.b, ", "...)
		}
		w.b = strconv.AppendInt(w.b, int64(n), 10)
	}
	w.b = append(w.b, "]\n"...)
}

func (w *screenWriter) list(key string, rows []string) {
	w.b = append(append(w.b, key...), " = [\n"...)
	for _, row := range rows {
		w.b = append(w.b, "  "...)
		w.b = append(appendQuoted(w.b, escape(row)), ",\n"...)
	}
	w.b = append(w.b, "]\n"...)
}

// lines writes a long text as a list of pieces, so that whoever opens the file sees its end.
func (w *screenWriter) lines(key, s string) {
	if s == "" {
		return
	}
	w.b = append(append(w.b, key...), " = [\n"...)
	for s != "" {
		n := min(len(s), stateLine)
		w.b = append(append(append(w.b, "  \""...), s[:n]...), "\",\n"...)
		s = s[n:]
	}
	w.b = append(w.b, "]\n"...)
}

// stateLine is how much of a state stands on a line.
const stateLine = 120

func (w *screenWriter) modes(m Modes) {
	if m == (Modes{}) {
		return
	}
	w.b = append(w.b, "modes = { "...)
	first := true
	put := func(key, value string) {
		if !first {
			w.b = append(w.b, ", "...)
		}
		first = false
		w.b = append(append(append(w.b, key...), " = "...), value...)
	}
	flag := func(key string, on bool) {
		if on {
			put(key, "true")
		}
	}
	number := func(key string, n int) {
		if n != 0 {
			put(key, strconv.Itoa(n))
		}
	}
	flag("app_cursor", m.AppCursor)
	flag("app_keypad", m.AppKeypad)
	flag("bracketed_paste", m.BracketedPaste)
	flag("focus", m.Focus)
	number("mouse", m.Mouse)
	number("mouse_encoding", m.MouseEncoding)
	number("kitty", m.Kitty)
	flag("origin", m.Origin)
	flag("no_wrap", m.NoWrap)
	w.b = append(w.b, " }\n"...)
}
