// Package script reads and runs cases for a terminal emulator: what is
// written, and what must be seen then. The cases of this project are the files
// of vt/testdata.
//
// A file holds cases. Each begins with a line "case NAME"; the steps that
// follow are done in order, a line each. Blank lines, and those that begin
// with #, mean nothing. Rows and columns count from 1, as in CUP.
//
//	size COLSxROWS [N]      the screen, with N lines of history; before all else; 80x24 and 100 if left out
//	write "TEXT" [* N]      what the program prints, N times
//	resize COLSxROWS        a new size
//	screen "ROW" "ROW" …    the whole screen; rows not named are blank, blanks at the end of a row do not count
//	row N "ROW"             one row of it
//	history "ROW" "ROW" …   the rows that scrolled off, the oldest first
//	cursor ROW;COL [WORD …] where the cursor is; pending: the next character wraps (without the word it must not);
//	                        hidden: it is not to be seen; shape=N: as DECSCUSR
//	style ROW;COL[-COL] WORD …  the looks of cells: plain, or bold dim italic underline underline=double|curly|dotted|dashed
//	                        blink reverse conceal strike overline protected fg=N fg=#RRGGBB bg=… ul=… link=URL id=ID
//	reply "BYTES"           what is answered to the program next; "reply none": nothing more is
//	event KIND ["TEXT"] [N] the next event (see vt.EventKind for the kinds); "event none": there is no further one
//	mode NUMBER VALUE       what DECRQM says of mode NUMBER (?NUMBER: a private one): set, reset, always, never, unknown
//	differs NAME REASON     the emulator called NAME is different here, on purpose
//	skip NAME REASON        the emulator called NAME cannot be asked
//
// Texts are quoted; in them \e is ESC, and \a \b \t \n \v \f \r \\ \" \xHH \uHHHH \UHHHHHHHH
// are as in Go.
//
// Every answer must be expected, and every event in a case that expects one.
package script

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Step is one line of a case.
type Step struct {
	Line int
	Verb string
	// Texts are the quoted strings, unquoted; Words what else stands in the line.
	Texts []string
	Words []string
	// Row, Col and To are a place and the last column of a range, from 1; for size and resize Cols, Rows.
	Row, Col, To int
	Cols, Rows   int
	Times        int // of write: how often; of size: the lines of history
}

// Case is one situation and what must be seen in it.
type Case struct {
	File, Name string
	Line       int
	Steps      []Step
	Differs    map[string]string // by emulator: why it is different
	Skip       map[string]string // by emulator: why it cannot be asked
}

// Cols, Rows and History are the size that the case begins with.
func (c *Case) Size() (cols, rows, history int) {
	if len(c.Steps) > 0 && c.Steps[0].Verb == "size" {
		s := c.Steps[0]
		return s.Cols, s.Rows, s.Times
	}
	return 80, 24, 100
}

// Read reads the cases of a file. An error names the line.
func Read(path string) ([]Case, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var cases []Case
	seen := make(map[string]int)
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for n := 1; in.Scan(); n++ {
		line := strings.TrimSpace(in.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(line, "case "); ok {
			name = strings.TrimSpace(name)
			if at, twice := seen[name]; twice {
				return nil, fmt.Errorf("%s:%d: the case of line %d has this name too: %s", path, n, at, name)
			}
			seen[name] = n
			cases = append(cases, Case{File: path, Name: name, Line: n, Differs: map[string]string{}, Skip: map[string]string{}})
			continue
		}
		if len(cases) == 0 {
			return nil, fmt.Errorf("%s:%d: a step before the first line \"case NAME\"", path, n)
		}
		if err := cases[len(cases)-1].step(line, n); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
	}
	return cases, in.Err()
}

func (c *Case) step(line string, n int) error {
	verb, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	if verb == "differs" || verb == "skip" {
		who, why, _ := strings.Cut(rest, " ")
		if why == "" {
			return fmt.Errorf("%s needs the name of an emulator and a reason", verb)
		}
		if verb == "differs" {
			c.Differs[who] = why
		} else {
			c.Skip[who] = why
		}
		return nil
	}
	s := Step{Line: n, Verb: verb, Times: 1}
	words, texts, err := fields(rest)
	if err != nil {
		return err
	}
	s.Texts = texts
	form, ok := forms[verb]
	if !ok {
		return fmt.Errorf("no step is called %q", verb)
	}
	if err := form(&s, words); err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	if verb == "size" && len(c.Steps) > 0 {
		return fmt.Errorf("size must be the first step; later it is resize")
	}
	c.Steps = append(c.Steps, s)
	return nil
}

// fields splits what follows the verb into words and quoted texts.
func fields(s string) (words, texts []string, err error) {
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		if s[0] != '"' {
			var w string
			w, s, _ = strings.Cut(s, " ")
			words = append(words, w)
			continue
		}
		end := 1
		for end < len(s) && s[end] != '"' {
			if s[end] == '\\' {
				end++
			}
			end++
		}
		if end >= len(s) {
			return nil, nil, fmt.Errorf("a text without its closing quote: %s", s)
		}
		text, err := unquote(s[:end+1])
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", s[:end+1], err)
		}
		texts = append(texts, text)
		s = s[end+1:]
	}
	return words, texts, nil
}

// unquote is Go's, with \e.
func unquote(s string) (string, error) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			if s[i+1] == 'e' {
				b.WriteString(`\x1b`)
			} else {
				b.WriteString(s[i : i+2])
			}
			i++
			continue
		}
		b.WriteByte(s[i])
	}
	return strconv.Unquote(b.String())
}

// forms read the words of each step.
var forms = map[string]func(s *Step, words []string) error{
	"size": func(s *Step, w []string) (err error) {
		if s.Times = 100; len(w) == 2 {
			if s.Times, err = strconv.Atoi(w[1]); err != nil {
				return err
			}
			w = w[:1]
		}
		return s.size(w)
	},
	"resize": func(s *Step, w []string) error { return s.size(w) },
	"write": func(s *Step, w []string) (err error) {
		switch {
		case len(s.Texts) != 1:
			return fmt.Errorf("one quoted text is needed")
		case len(w) == 0:
			return nil
		case len(w) != 2 || w[0] != "*":
			return fmt.Errorf("behind the text only * N can stand")
		}
		s.Times, err = strconv.Atoi(w[1])
		return err
	},
	"screen":  onlyTexts,
	"history": onlyTexts,
	"row": func(s *Step, w []string) (err error) {
		if len(w) != 1 || len(s.Texts) != 1 {
			return fmt.Errorf("a number and a quoted text are needed")
		}
		s.Row, err = strconv.Atoi(w[0])
		return err
	},
	"cursor": func(s *Step, w []string) error { return s.place(w) },
	"style": func(s *Step, w []string) error {
		if len(w) < 2 {
			return fmt.Errorf("a place and words are needed")
		}
		return s.place(w)
	},
	"reply": func(s *Step, w []string) error { return s.oneOrNone(w) },
	"event": func(s *Step, w []string) error {
		if len(w) == 0 {
			return fmt.Errorf("a kind is needed")
		}
		s.Words = w
		return nil
	},
	"mode": func(s *Step, w []string) error {
		if len(w) != 2 {
			return fmt.Errorf("a number and a value are needed")
		}
		if _, ok := modeValues[w[1]]; !ok {
			return fmt.Errorf("%q is no value: unknown, set, reset, always, never", w[1])
		}
		s.Words = w
		return nil
	},
}

var modeValues = map[string]int{"unknown": 0, "set": 1, "reset": 2, "always": 3, "never": 4}

func onlyTexts(s *Step, w []string) error {
	if len(w) != 0 {
		return fmt.Errorf("only quoted texts are taken, not %q", w)
	}
	return nil
}

func (s *Step) oneOrNone(w []string) error {
	if len(s.Texts) == 1 && len(w) == 0 || len(s.Texts) == 0 && len(w) == 1 && w[0] == "none" {
		return nil
	}
	return fmt.Errorf("one quoted text, or none, is needed")
}

func (s *Step) size(w []string) error {
	if len(w) != 1 || len(s.Texts) != 0 {
		return fmt.Errorf("a size like 80x24 is needed")
	}
	if n, err := fmt.Sscanf(w[0], "%dx%d", &s.Cols, &s.Rows); n != 2 || err != nil || s.Cols < 1 || s.Rows < 1 {
		return fmt.Errorf("%q is no size like 80x24", w[0])
	}
	return nil
}

func (s *Step) place(w []string) error {
	if len(w) == 0 || len(s.Texts) != 0 {
		return fmt.Errorf("a place like 2;5 is needed")
	}
	row, col, _ := strings.Cut(w[0], ";")
	from, to, isRange := strings.Cut(col, "-")
	if !isRange {
		to = from
	}
	for _, n := range []struct {
		text string
		to   *int
	}{{row, &s.Row}, {from, &s.Col}, {to, &s.To}} {
		v, err := strconv.Atoi(n.text)
		if err != nil || v < 1 {
			return fmt.Errorf("%q is no place like 2;5 or 2;5-7", w[0])
		}
		*n.to = v
	}
	s.Words = w[1:]
	return nil
}
