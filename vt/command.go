package vt

import (
	"strconv"
	"strings"
)

// Command is what the marks of shell integration (OSC 133) tell of one command. Lines are logical lines,
// numbered as in HistoryRange and on across the screen.
type Command struct {
	Number  uint64 // counts from 1
	Signer  string // the mark's aid: who made it; "" nobody says
	Text    string // what was typed, without control characters other than newline and tab; "" unknown
	Started int64  // milliseconds since 1970 as the shell tells it, 0 unknown
	Over    bool
	Status  int    // exit status; -1 unknown, or not over
	Took    int64  // milliseconds; -1 unknown, or not over
	First   uint64 // the line that its output begins in
	Last    uint64 // the line that it ends in
	Column  int    // and how many cells of that line belong to it
}

const (
	maxCommands    = 128
	maxTexts       = 32 << 10 // bytes of the texts of all commands; the oldest go first
	maxCommandText = 4 << 10  // bytes; a longer text is none
	maxSigner      = 64
	maxMillis      = 1 << 53
)

// Commands gives the last commands, the oldest first. The slice is the caller's.
func (t *Terminal) Commands() []Command { return append([]Command(nil), t.commands...) }

// Branch is the git branch that the shell told last, "" for none.
func (t *Terminal) Branch() string { return t.branch }

// LastCommands gives the outermost command that runs, and the last one that is over; zero values for none.
// What runs inside of a command, such as a shell with marks of its own, is not the outermost.
func (t *Terminal) LastCommands() (running, over Command) {
	for i := len(t.commands) - 1; i >= 0; i-- {
		switch c := &t.commands[i]; {
		case !c.Over:
			running = *c
		case over.Number == 0:
			over = *c
		}
	}
	return running, over
}

// markParameters reads the parameters of a mark, NAME=VALUE each.
func markParameters(s string) (aid, text string, started, took int64) {
	took = -1
	for s != "" {
		var p string
		p, s, _ = strings.Cut(s, ";")
		name, value, _ := strings.Cut(p, "=")
		switch name {
		case "aid":
			if len(value) <= maxSigner {
				aid = clean(value)
			}
		case "cmdline_url":
			if len(value) <= 3*maxCommandText {
				if v, ok := unescape(value); ok {
					text = commandText(v)
				}
			}
		case "start":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil && n > 0 && n < maxMillis {
				started = n
			}
		case "took":
			if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 && n < maxMillis {
				took = n
			}
		}
	}
	return aid, text, started, took
}

// commandText is what may be shown, and offered again, of the text of a command. One that is not text, or too
// long, is none: a part of a command is another command.
func commandText(s string) string {
	if len(s) > maxCommandText {
		return ""
	}
	lines := strings.Split(s, "\n")
	for _, l := range lines {
		for _, part := range strings.Split(l, "\t") {
			if clean(part) != part {
				return ""
			}
		}
	}
	return s
}

// markCommand acts on a mark: letter is that of OSC 133, s the rest. A program on the alternate screen is
// one that has no lines to mark.
func (t *Terminal) markCommand(letter byte, s string, status int) {
	if t.scr != &t.main {
		return
	}
	aid, text, started, took := markParameters(s)
	switch letter {
	case 'A', 'N':
		// A shell that is at a prompt runs nothing that it began itself, whatever became of that.
		t.endCommands(aid, -1, -1)
	case 'C':
		t.endCommands(aid, -1, -1)
		t.commandCount++
		line, _ := t.place()
		t.commands = append(t.commands, Command{Number: t.commandCount, Signer: aid, Text: text, Started: started, Status: -1, Took: -1, First: line, Last: line})
		t.boundCommands()
	case 'D':
		t.endCommands(aid, status, took)
	}
}

// endCommands ends the newest command of a signer that runs, and those that were begun within it.
func (t *Terminal) endCommands(aid string, status int, took int64) {
	at := -1
	for i := len(t.commands) - 1; i >= 0 && at < 0; i-- {
		if c := &t.commands[i]; !c.Over && c.Signer == aid {
			at = i
		}
	}
	if at < 0 {
		return
	}
	line, column := t.place()
	for i := at; i < len(t.commands); i++ {
		c := &t.commands[i]
		if c.Over {
			continue
		}
		c.Over, c.Last, c.Column = true, line, column
		if i == at {
			c.Status, c.Took = status, took
		}
	}
}

// Interrupt ends all commands that run: their shell is gone.
func (t *Terminal) Interrupt() {
	line, column := t.place()
	for i := range t.commands {
		if c := &t.commands[i]; !c.Over {
			c.Over, c.Last, c.Column = true, line, column
		}
	}
}

// moveCommands tells that the lines of commands are counted from another number on.
func (t *Terminal) moveCommands(by uint64) {
	for i := range t.commands {
		t.commands[i].First += by
		t.commands[i].Last += by
	}
}

// boundCommands forgets the oldest commands, and the texts of the oldest.
func (t *Terminal) boundCommands() {
	if n := len(t.commands) - maxCommands; n > 0 {
		t.commands = append(t.commands[:0], t.commands[n:]...)
	}
	left := maxTexts
	for i := len(t.commands) - 1; i >= 0; i-- {
		if left -= len(t.commands[i].Text); left < 0 {
			t.commands[i].Text = ""
		}
	}
}

// place is the logical line that the cursor is in, and how many cells of it there are before the cursor.
func (t *Terminal) place() (line uint64, column int) {
	line, column = t.hist.next(), t.cur.x
	if t.cur.pending {
		column++
	}
	y := t.cur.y
	for ; y > 0 && t.main.flagsAt(y-1)&rowWrapped != 0; y-- {
		column += t.cols
		if t.main.flagsAt(y-1)&rowFiller != 0 {
			column--
		}
	}
	if y == 0 {
		column += t.hist.begun()
	}
	for ; y > 0; y-- {
		if t.main.flagsAt(y-1)&rowWrapped == 0 {
			line++
		}
	}
	return line, column
}

// begun is how many cells of the line that goes on in the first row of the screen are in the history.
func (h *history) begun() (n int) {
	if !h.goesOn {
		return 0
	}
	last := h.next()
	h.eachFrom(last, func(line uint64, r *record) bool {
		if line == last {
			n += r.cols
		}
		return true
	})
	return n
}

// withoutFiller is a row of the main screen, but for the blank at its end that is none of its line: the next character,
// a wide one, did not fit.
func (t *Terminal) withoutFiller(y int) []Cell {
	row := t.main.peek(y, t.cols)
	if t.main.flagsAt(y)&rowFiller != 0 && y+1 < t.rows && isFiller(row, t.main.peek(y+1, t.cols)) {
		return row[:len(row)-1]
	}
	return row
}

func (s *screen) flagsAt(y int) rowFlags { return s.info[s.rows[y]].flags }

// Output gives the lines that a command has printed on the main screen and into the history, without the
// blanks at their ends. lost counts those that have left the history. ok is false where the command's output
// was erased since, or is not known.
func (t *Terminal) Output(c Command, escapes bool) (lines []string, lost uint64, ok bool) {
	to, column := c.Last, c.Column
	if !c.Over {
		if t.scr != &t.main {
			return nil, 0, false
		}
		to, column = t.place()
	}
	if c.Number == 0 || to < c.First {
		return nil, 0, false
	}
	from := max(c.First, t.hist.first)
	if from > to {
		return nil, 0, false
	}
	lost = from - c.First
	marked := lost > 0 // its beginning cannot be looked at
	w := textWriter{escapes: escapes}
	left := -1 // cells that belong to it, of the last line
	at, begun := uint64(0), false
	end := func() {
		if begun {
			lines = append(lines, trimBlanks(w.end()))
			begun = false
		}
	}
	put := func(n uint64, tab *tables, cells []Cell, flags rowFlags, first bool) {
		if n < from || n > to {
			return
		}
		marked = marked || n == c.First && flags&rowOutput != 0
		if first || !begun || n != at {
			end()
			if n == to && column == 0 {
				return
			}
			w.begin()
			at, begun, left = n, true, -1
			if n == to {
				left = column
			}
		}
		if left >= 0 {
			cells = cells[:min(left, len(cells))]
			left -= len(cells)
		}
		w.cells(tab, cells)
	}
	tab := newTables()
	var cells []Cell
	t.hist.eachFrom(from, func(n uint64, r *record) bool {
		if n > to {
			return false
		}
		cells = r.appendCells(cells[:0], &tab)
		put(n, &tab, cells, r.flags.row(), r.flags&recContinues == 0)
		if len(tab.styles) > 2*baseStyles || len(tab.clusters) > 2*baseClusters {
			tab = newTables()
		}
		return true
	})
	n := t.hist.next()
	for y := range t.rows {
		row, f := t.withoutFiller(y), t.main.flagsAt(y)
		wrapped := y > 0 && t.main.flagsAt(y-1)&rowWrapped != 0 || y == 0 && t.hist.goesOn
		if y > 0 && !wrapped {
			n++
		}
		if f&rowWrapped == 0 {
			row = row[:trimmed(row)]
		}
		put(n, &t.tab, row, f, !wrapped)
	}
	end()
	if !marked {
		return nil, 0, false
	}
	return lines, lost, true
}

func trimBlanks(s string) string { return strings.TrimRight(s, " ") }

// The marks of a line, as sequences. They go with its text where that is kept for another terminal.
const (
	promptMark = "\x1b]133;A\x1b\\"
	outputMark = "\x1b]133;C\x1b\\"
)

// markWriter puts marks into the text of lines.
type markWriter struct {
	first, last map[uint64][]*Command // by the lines in which they begin and end
}

func (t *Terminal) markWriter() *markWriter {
	m := &markWriter{map[uint64][]*Command{}, map[uint64][]*Command{}}
	for i := range t.commands {
		c := &t.commands[i]
		m.first[c.First] = append(m.first[c.First][:0], c) // one before it at that line was erased
	}
	for _, list := range m.first {
		if c := list[0]; c.Over && c.Last >= c.First {
			m.last[c.Last] = append(m.last[c.Last], c)
		}
	}
	return m
}

// row writes the cells of a row of line n, which begin at some column of the line, with their marks: within a
// row a command begins, ends, and a prompt follows.
func (m *markWriter) row(w *textWriter, t *tables, n uint64, column int, cells []Cell, f rowFlags, ends bool) {
	if f&rowOutput != 0 {
		if list := m.first[n]; len(list) > 0 {
			w.raw(list[0].beginMark())
		} else {
			w.raw(outputMark)
		}
	}
	for _, c := range m.last[n] {
		if at := c.Column - column; at >= 0 && (at < len(cells) || ends) {
			at = min(at, len(cells))
			w.cells(t, cells[:at])
			cells, column = cells[at:], column+at
			w.raw(c.endMark())
		}
	}
	if f&rowPrompt != 0 {
		w.raw(promptMark)
	}
	w.cells(t, cells)
}

func (c *Command) beginMark() string {
	s := "\x1b]133;C;aid=" + c.Signer
	if c.Text != "" {
		s += ";cmdline_url=" + escapeMark(c.Text)
	}
	if c.Started > 0 {
		s += ";start=" + strconv.FormatInt(c.Started, 10)
	}
	return s + "\x1b\\"
}

func (c *Command) endMark() string {
	s := "\x1b]133;D"
	if c.Status >= 0 {
		s += ";" + strconv.Itoa(c.Status)
	} else {
		s += ";"
	}
	s += ";aid=" + c.Signer
	if c.Took >= 0 {
		s += ";took=" + strconv.FormatInt(c.Took, 10)
	}
	return s + "\x1b\\"
}

// escapeMark writes what a mark must not hold as it is as %XX.
func escapeMark(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c == 0x7f || c == '%' || c == ';' {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)+0x100, 16)[1:]))
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
