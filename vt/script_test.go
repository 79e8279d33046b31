package vt_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"stet/vt"
	"stet/vt/script"
)

// cases reads all files of testdata.
func cases(t *testing.T) []script.Case {
	t.Helper()
	files, err := filepath.Glob("testdata/*.vt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases in testdata: %v", err)
	}
	var all []script.Case
	for _, f := range files {
		c, err := script.Read(f)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c...)
	}
	return all
}

// TestScripts runs the cases of testdata (see package script for their
// language), each with its bytes written at once, one at a time, in random
// pieces, and with the terminal saved and loaded between random pieces. And
// each must be able to fail: without any one of its writes and resizes it does.
func TestScripts(t *testing.T) {
	for _, c := range cases(t) {
		name := strings.TrimSuffix(filepath.Base(c.File), ".vt") + "/" + c.Name
		t.Run(name, func(t *testing.T) {
			for _, how := range splits(c.Name) {
				failed, _, err := c.Run(subject(&c, how.next, how.reload))
				for _, f := range failed {
					t.Errorf("%s: %s: %v", c.File, how.name, f)
				}
				if err != nil {
					t.Errorf("%s: %s: %v", c.File, how.name, err)
				}
				if t.Failed() {
					return
				}
			}
			for _, i := range c.Inputs() {
				if failed, _, err := c.RunWithout(subject(&c, whole, false), i); len(failed) == 0 && err == nil {
					t.Errorf("%s:%d: the case holds without this line too: it tests nothing of it", c.File, c.Steps[i].Line)
				}
			}
		})
	}
	t.Logf("%d cases", len(cases(t)))
}

// split gives the length of the next piece of n bytes.
type split func(n int) int

func whole(n int) int { return n }

type way struct {
	name   string
	next   split
	reload bool
}

func splits(name string) []way {
	h := fnv.New64a()
	h.Write([]byte(name))
	ways := []way{
		{"written at once", whole, false},
		{"a byte a write", func(int) int { return 1 }, false},
	}
	for i := range 3 {
		r := rand.New(rand.NewPCG(h.Sum64(), uint64(i)))
		ways = append(ways, way{fmt.Sprintf("random pieces %d", i), func(n int) int { return 1 + r.IntN(n) }, i == 2})
	}
	return ways
}

// terminal lets cases run on a vt.Terminal.
type terminal struct {
	*vt.Terminal
	next   split
	reload bool
	held   []vt.Reply // what a reload would lose: it is the owner's to take
	heard  []vt.Event
}

func subject(c *script.Case, next split, reload bool) *terminal {
	cols, rows, history := c.Size()
	return &terminal{Terminal: vt.New(vt.Options{Cols: cols, Rows: rows, History: history, Host: "here"}), next: next, reload: reload}
}

func (s *terminal) Write(p []byte) error {
	for len(p) > 0 {
		n := s.next(len(p))
		s.Terminal.Write(p[:n])
		p = p[n:]
		if s.reload {
			s.take()
			state, err := s.AppendState(nil)
			if err != nil {
				return err
			}
			was := s.Digest()
			if s.Terminal, err = vt.Load(state, vt.Options{Host: "here"}, s.Offset()); err != nil {
				return err
			}
			if s.Digest() != was {
				return errors.New("a saved terminal comes back different")
			}
		}
	}
	s.take()
	return nil
}

func (s *terminal) take() {
	s.held = append(s.held, s.TakeReplies()...)
	s.heard = append(s.heard, s.TakeEvents()...)
}

func (s *terminal) Resize(cols, rows int) error {
	s.Terminal.Resize(cols, rows)
	s.take()
	return nil
}

func (s *terminal) Screen() ([]string, error) {
	n := s.HistoryLen()
	_, rows := s.Size()
	return s.Text(n, n+rows-1, vt.TextOptions{}), nil
}

func (s *terminal) History() ([]string, error) {
	return s.Text(0, s.HistoryLen()-1, vt.TextOptions{}), nil
}

func (s *terminal) Cursor() (script.Cursor, error) {
	c := s.Terminal.Cursor()
	out := script.Cursor{Row: c.Y + 1, Col: c.X + 1, Words: []string{fmt.Sprintf("shape=%d", c.Shape)}}
	if c.PendingWrap {
		out.Words = append(out.Words, "pending")
	}
	if !c.Visible {
		out.Words = append(out.Words, "hidden")
	}
	return out, nil
}

func (s *terminal) Style(row, col int) (string, error) {
	v := s.View(nil, 0, 0)
	if row > v.Rows || col > v.Cols {
		return "outside the screen", nil
	}
	st := v.Styles[v.Cells[row-1][col-1].Style()]
	return styleWords(st, v.Links[st.Link]), nil
}

var attributes = []string{"bold", "dim", "italic", "blink", "reverse", "strike", "conceal", "overline", "protected"}

func styleWords(st vt.Style, l vt.Link) string {
	var w []string
	for i, name := range attributes {
		if st.Attr>>i&1 != 0 {
			w = append(w, name)
		}
	}
	if st.Under != 0 {
		w = append(w, [...]string{"", "underline", "underline=double", "underline=curly", "underline=dotted", "underline=dashed"}[st.Under])
	}
	for _, c := range []struct {
		name string
		c    vt.Color
	}{{"fg", st.FG}, {"bg", st.BG}, {"ul", st.UL}} {
		if n, ok := c.c.Index(); ok {
			w = append(w, fmt.Sprintf("%s=%d", c.name, n))
		} else if r, g, b, ok := c.c.RGB(); ok {
			w = append(w, fmt.Sprintf("%s=#%02x%02x%02x", c.name, r, g, b))
		}
	}
	if l.URL != "" {
		w = append(w, "link="+l.URL)
	}
	if l.ID != "" {
		w = append(w, "id="+l.ID)
	}
	if len(w) == 0 {
		return "plain"
	}
	return strings.Join(w, " ")
}

func (s *terminal) Replies() (out []string, err error) {
	s.take()
	for _, r := range s.held {
		out = append(out, string(r.Data))
	}
	s.held = nil
	return out, nil
}

var eventKinds = map[vt.EventKind]string{
	vt.EventBell: "bell", vt.EventTitle: "title", vt.EventIcon: "icon", vt.EventCwd: "cwd", vt.EventClipboard: "clipboard",
	vt.EventNotify: "notify", vt.EventProgress: "progress", vt.EventPrompt: "prompt", vt.EventColors: "colors", vt.EventScreen: "screen", vt.EventBranch: "branch",
}

func (s *terminal) Events() (out []script.Event, err error) {
	s.take()
	for _, e := range s.heard {
		w := []string{eventKinds[e.Kind]}
		switch e.Kind {
		case vt.EventClipboard:
			w = append(w, string(rune(e.Arg)))
		case vt.EventProgress:
			w = append(w, [...]string{"none", "normal", "error", "busy", "paused"}[e.Arg>>8], strconv.Itoa(e.Arg&255))
		case vt.EventPrompt:
			w = append(w, strconv.Itoa(e.Arg))
		}
		out = append(out, script.Event{Words: w, Text: e.Text})
	}
	s.heard = nil
	return out, nil
}

// Mode asks a copy, so that asking leaves no trace.
func (s *terminal) Mode(number string) (int, error) {
	c := s.Clone()
	c.Write([]byte("\x18\x1b[" + number + "$p"))
	for _, r := range c.TakeReplies() {
		if _, value, ok := strings.Cut(strings.TrimSuffix(string(r.Data), "$y"), ";"); ok {
			return strconv.Atoi(value)
		}
	}
	return 0, errors.New("no answer to DECRQM")
}
