package copymode

import (
	"strings"
	"testing"

	"stet/server/mode"
	"stet/vt"
)

const separators = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"

// reading is a copy mode over some text.
type reading struct {
	*Mode
	t      testing.TB
	copied []mode.Copy
	left   bool
	said   string
}

func settings(vi bool) Settings {
	return Settings{Vi: vi, Separators: separators, Wrap: true, Selected: vt.Style{BG: vt.Indexed(3)}, Match: vt.Style{BG: vt.Indexed(6)}, Current: vt.Style{BG: vt.Indexed(5)}, Mark: vt.Style{BG: vt.Indexed(1)}}
}

// read opens copy mode over what a program has printed.
func read(t testing.TB, cols, rows int, vi bool, text string) *reading {
	term := vt.New(vt.Options{Cols: cols, Rows: rows, History: 200000})
	if _, err := term.Write([]byte(strings.ReplaceAll(text, "\n", "\r\n"))); err != nil {
		t.Fatal(err)
	}
	set := settings(vi)
	r := &reading{Mode: New(Options{Cols: cols, Rows: rows, Settings: func() Settings { return set }}), t: t}
	r.took(r.Load(term.Clone()))
	return r
}

func (r *reading) took(e mode.Effect) {
	if e.Copy != nil {
		r.copied = append(r.copied, *e.Copy)
	}
	if e.Message != "" {
		r.said = e.Message
	}
	r.left = r.left || e.Leave
	if e.Aside != nil {
		e.Aside()
	}
}

// run runs commands, one a line or behind a semicolon; a number in front is the count.
func (r *reading) run(script string) *reading {
	r.t.Helper()
	for _, line := range strings.FieldsFunc(script, func(c rune) bool { return c == ';' || c == '\n' }) {
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		c := mode.Command{}
		for w[0] != "" && w[0][0] >= '0' && w[0][0] <= '9' {
			for _, d := range w[0] {
				c.Count = c.Count*10 + int(d-'0')
			}
			w = w[1:]
		}
		c.Name, c.Args = w[0], w[1:]
		e, err := r.Command(c)
		if err != nil {
			r.t.Fatalf("%s: %v", line, err)
		}
		r.took(e)
		r.finish()
	}
	return r
}

// finish lets what takes time come to its end.
func (r *reading) finish() {
	for range 100000 {
		if !r.busy() && len(r.waiting) == 0 {
			return
		}
		r.took(r.Tick(r.Wake()))
	}
	r.t.Fatal("a command has no end")
}

func (r *reading) value(name string) string {
	r.t.Helper()
	v, ok := r.Variable(name)
	if !ok {
		r.t.Fatalf("no variable %s", name)
	}
	return v
}

// state is the cursor and where the view is, as tmux's formats give it.
func (r *reading) state() string {
	return r.value("copy_cursor_x") + "," + r.value("copy_cursor_y") + " " + r.value("scroll_position")
}

// text is what copy-selection copies.
func (r *reading) text() string {
	r.copied = nil
	r.run("copy-selection-no-clear")
	if len(r.copied) == 0 {
		return ""
	}
	return r.copied[0].Text
}
