package copymode

import (
	"fmt"
	"strconv"

	"stet/server/mode"
	"stet/vt"
)

// maxCount bounds how often a command is repeated.
const maxCount = 100000

// clears says when a command takes the marks of a search away.
type clears uint8

const (
	clearsNever clears = iota
	clearsEmacs        // with emacs keys
	clearsAlways
)

// command is a row of the table of send-keys -X.
type command struct {
	least, most int // arguments
	clears      clears
	run         func(m *Mode, c *call) mode.Effect
}

// call is one command with its arguments.
type call struct {
	mode.Command
	n int // times
}

func (c *call) arg(i int) string {
	if i < len(c.Args) {
		return c.Args[i]
	}
	return ""
}

// repeat makes a command of a movement that is done as often as the count says.
func repeat(f func(m *Mode)) func(*Mode, *call) mode.Effect {
	return func(m *Mode, c *call) mode.Effect {
		for range c.n {
			before := m.place4()
			f(m)
			if m.place4() == before {
				break // at the end: it would stay there
			}
		}
		return mode.Effect{}
	}
}

// place4 is all that a movement can change.
func (m *Mode) place4() [8]int {
	return [8]int{m.cx, m.cy, m.oy, m.lastcx, m.sel.start.x, m.sel.start.y, m.sel.end.x, m.sel.end.y}
}

// once makes a command of something that the count does not repeat.
func once(f func(m *Mode)) func(*Mode, *call) mode.Effect {
	return func(m *Mode, _ *call) mode.Effect { f(m); return mode.Effect{} }
}

// leaving makes a command leave the mode when it has arrived at the end of the history.
func leaving(f func(*Mode, *call) mode.Effect, always bool) func(*Mode, *call) mode.Effect {
	return func(m *Mode, c *call) mode.Effect {
		cy := m.cy
		e := f(m, c)
		if m.oy == 0 && (always && cy == m.cy || !always && m.o.ExitAtBottom) {
			e.Leave = true
		}
		return e
	}
}

func scrolls(f func(*Mode, *call) mode.Effect) func(*Mode, *call) mode.Effect {
	return leaving(f, false)
}

func cancel(*Mode, *call) mode.Effect { return mode.Effect{Leave: true} }

var (
	scrollUp   = repeat(func(m *Mode) { m.up(true) })
	scrollDown = repeat(func(m *Mode) { m.down(true) })
	cursorDown = repeat(func(m *Mode) { m.down(false) })
	pageDown   = repeat(func(m *Mode) { m.pageDown(false) })
	halfDown   = repeat(func(m *Mode) { m.pageDown(true) })
)

// commands are all there are, under tmux's names.
var commands = map[string]command{
	"cursor-up":    {0, 0, clearsEmacs, repeat(func(m *Mode) { m.up(false) })},
	"cursor-down":  {0, 0, clearsEmacs, cursorDown},
	"cursor-left":  {0, 0, clearsEmacs, repeat((*Mode).left)},
	"cursor-right": {0, 0, clearsEmacs, repeat((*Mode).right)},

	"scroll-up":     {0, 0, clearsEmacs, scrollUp},
	"scroll-down":   {0, 0, clearsEmacs, scrolls(scrollDown)},
	"page-up":       {0, 0, clearsEmacs, repeat(func(m *Mode) { m.pageUp(false) })},
	"page-down":     {0, 0, clearsEmacs, scrolls(pageDown)},
	"halfpage-up":   {0, 0, clearsEmacs, repeat(func(m *Mode) { m.pageUp(true) })},
	"halfpage-down": {0, 0, clearsEmacs, scrolls(halfDown)},

	"cursor-down-and-cancel":   {0, 0, clearsAlways, leaving(cursorDown, true)},
	"scroll-down-and-cancel":   {0, 0, clearsAlways, atEnd(scrollDown)},
	"page-down-and-cancel":     {0, 0, clearsAlways, atEnd(pageDown)},
	"halfpage-down-and-cancel": {0, 0, clearsAlways, atEnd(halfDown)},

	"scroll-top":    {0, 0, clearsEmacs, once(func(m *Mode) { m.rowTo(0) })},
	"scroll-middle": {0, 0, clearsEmacs, once(func(m *Mode) { m.rowTo((m.rows - 1) / 2) })},
	"scroll-bottom": {0, 0, clearsEmacs, once(func(m *Mode) { m.rowTo(m.rows - 1) })},

	"history-top":    {0, 0, clearsEmacs, once((*Mode).historyTop)},
	"history-bottom": {0, 0, clearsEmacs, once((*Mode).historyBottom)},
	"top-line":       {0, 0, clearsEmacs, once(func(m *Mode) { m.place(0, 0) })},
	"middle-line":    {0, 0, clearsEmacs, once(func(m *Mode) { m.place(0, (m.rows-1)/2) })},
	"bottom-line":    {0, 0, clearsEmacs, once(func(m *Mode) { m.place(0, m.rows-1) })},
	"goto-line":      {1, 1, clearsEmacs, gotoLine},

	"start-of-line":       {0, 0, clearsEmacs, once((*Mode).startOfLine)},
	"end-of-line":         {0, 0, clearsEmacs, once((*Mode).endOfLine)},
	"back-to-indentation": {0, 0, clearsEmacs, once(func(m *Mode) { r := m.reader(); r.indentation(); m.acquireUp(r.position) })},

	"next-word":          {0, 0, clearsEmacs, repeat(func(m *Mode) { m.nextWord(m.set.Separators) })},
	"next-word-end":      {0, 0, clearsEmacs, repeat(func(m *Mode) { m.nextWordEnd(m.set.Separators, false) })},
	"previous-word":      {0, 0, clearsEmacs, repeat(func(m *Mode) { m.previousWord(m.set.Separators, false) })},
	"next-space":         {0, 0, clearsEmacs, repeat(func(m *Mode) { m.nextWord("") })},
	"next-space-end":     {0, 0, clearsEmacs, repeat(func(m *Mode) { m.nextWordEnd("", false) })},
	"previous-space":     {0, 0, clearsEmacs, repeat(func(m *Mode) { m.previousWord("", false) })},
	"next-paragraph":     {0, 0, clearsEmacs, repeat((*Mode).nextParagraph)},
	"previous-paragraph": {0, 0, clearsEmacs, repeat((*Mode).previousParagraph)},

	"next-matching-bracket":     {0, 0, clearsEmacs, repeat((*Mode).nextBracket)},
	"previous-matching-bracket": {0, 0, clearsEmacs, repeat((*Mode).previousBracket)},
	"next-prompt":               {0, 1, clearsAlways, toPrompt(1)},
	"previous-prompt":           {0, 1, clearsAlways, toPrompt(-1)},

	"jump-forward":     {1, 1, clearsEmacs, jumps(jumpForward)},
	"jump-backward":    {1, 1, clearsEmacs, jumps(jumpBackward)},
	"jump-to-forward":  {1, 1, clearsEmacs, jumps(jumpToForward)},
	"jump-to-backward": {1, 1, clearsEmacs, jumps(jumpToBackward)},
	"jump-again":       {0, 0, clearsEmacs, repeat(func(m *Mode) { m.jumpOnce(m.jump.kind) })},
	"jump-reverse":     {0, 0, clearsEmacs, repeat(func(m *Mode) { m.jumpOnce(reversed[m.jump.kind]) })},

	"set-mark":     {0, 0, clearsNever, once(func(m *Mode) { m.mark, m.showMark = m.cursor(), true })},
	"jump-to-mark": {0, 0, clearsAlways, once((*Mode).jumpToMark)},

	"begin-selection":  {0, 0, clearsNever, beginSelection},
	"stop-selection":   {0, 0, clearsAlways, once(stopSelection)},
	"clear-selection":  {0, 0, clearsAlways, once(dropSelection)},
	"select-line":      {0, 0, clearsEmacs, func(m *Mode, c *call) mode.Effect { m.selectLine(c.n); return mode.Effect{} }},
	"select-output":    {0, 0, clearsEmacs, func(m *Mode, c *call) mode.Effect { return m.selectOutput() }},
	"select-word":      {0, 0, clearsEmacs, once((*Mode).selectWord)},
	"other-end":        {0, 0, clearsEmacs, func(m *Mode, c *call) mode.Effect { return odd(c.n, m.otherEnd) }},
	"rectangle-toggle": {0, 0, clearsNever, once(func(m *Mode) { m.setRectangle(!m.sel.rect) })},
	"rectangle-on":     {0, 0, clearsNever, once(func(m *Mode) { m.setRectangle(true) })},
	"rectangle-off":    {0, 0, clearsNever, once(func(m *Mode) { m.setRectangle(false) })},
	"selection-mode":   {0, 1, clearsNever, selectionMode},

	"search-forward":              {0, 1, clearsNever, searches(false, true)},
	"search-backward":             {0, 1, clearsNever, searches(true, true)},
	"search-forward-text":         {0, 1, clearsNever, searches(false, false)},
	"search-backward-text":        {0, 1, clearsNever, searches(true, false)},
	"search-forward-incremental":  {1, 1, clearsNever, incremental(false)},
	"search-backward-incremental": {1, 1, clearsNever, incremental(true)},
	"search-again":                {0, 0, clearsNever, func(m *Mode, c *call) mode.Effect { return m.seek(m.search.up, c.n, false) }},
	"search-reverse":              {0, 0, clearsNever, func(m *Mode, c *call) mode.Effect { return m.seek(!m.search.up, c.n, false) }},

	"cancel":            {0, 0, clearsAlways, cancel},
	"refresh-from-pane": {0, 0, clearsAlways, func(*Mode, *call) mode.Effect { return mode.Effect{Refresh: true} }},
	"toggle-position":   {0, 0, clearsNever, once(func(m *Mode) { m.hide = !m.hide })},
}

// atEnd leaves the mode when a command has arrived at the end of the history.
func atEnd(f func(*Mode, *call) mode.Effect) func(*Mode, *call) mode.Effect {
	return func(m *Mode, c *call) mode.Effect {
		e := f(m, c)
		e.Leave = m.oy == 0
		return e
	}
}

func odd(n int, f func()) mode.Effect {
	if n%2 == 1 {
		f()
	}
	return mode.Effect{}
}

// Commands are the names of all commands there are.
func Commands() []string {
	names := make([]string, 0, len(commands)+len(copies))
	for n := range commands {
		names = append(names, n)
	}
	for n := range copies {
		names = append(names, n)
	}
	return names
}

// check tells what is wrong with a command.
func check(c mode.Command) error {
	row, ok := lookup(c.Name)
	if !ok {
		return fmt.Errorf("unknown command: %s (send-keys -X takes the names of copy mode's commands, such as begin-selection)", strconv.Quote(c.Name))
	}
	switch n := len(c.Args); {
	case n < row.least:
		return fmt.Errorf("%s: too few arguments, it wants %d", c.Name, row.least)
	case n > row.most:
		return fmt.Errorf("%s: too many arguments, it takes %d at most", c.Name, row.most)
	}
	return nil
}

func lookup(name string) (command, bool) {
	if row, ok := commands[name]; ok {
		return row, true
	}
	row, ok := copies[name]
	return row.command(), ok
}

// do runs a command that has been checked.
func (m *Mode) do(p pending) mode.Effect {
	c := p.command
	row, ok := lookup(c.Name)
	if !ok {
		return mode.Effect{}
	}
	m.set = m.o.Settings()
	return m.start(p, func() mode.Effect {
		m.moveMouse(c)
		if c.Name != "search-forward-incremental" && c.Name != "search-backward-incremental" {
			m.search.incremental = false
		}
		e := row.run(m, &call{c, min(c.Times(), maxCount)})
		if row.clears == clearsAlways || row.clears == clearsEmacs && !m.set.Vi {
			m.search.shown = false
		}
		m.clamp()
		m.whole()
		m.touch()
		e.Redraw = true
		return e
	})
}

func gotoLine(m *Mode, c *call) mode.Effect {
	n, err := strconv.Atoi(c.arg(0))
	if err != nil || n < -1 {
		return mode.Effect{Message: "not a line number: " + c.arg(0)}
	}
	if n < 0 || n > m.history {
		n = m.history
	}
	m.oy = n
	m.sync(false)
	return mode.Effect{}
}

// toPrompt goes to a prompt, with -o to a command's output.
func toPrompt(step int) func(*Mode, *call) mode.Effect {
	return func(m *Mode, c *call) mode.Effect {
		mark := vt.MarkPrompt
		switch c.arg(0) {
		case "":
		case "-o":
			mark = vt.MarkOutput
		default:
			return mode.Effect{Message: c.Name + ": unknown flag " + c.arg(0) + " (only -o: a command's output)"}
		}
		n := c.n
		for y := m.row() + step; y >= 0 && y <= m.last(); y += step {
			if m.line(y).Mark&mark == 0 {
				continue
			}
			m.scrollTo(position{0, y})
			if n--; n <= 0 {
				break
			}
		}
		return mode.Effect{}
	}
}

func jumps(kind jumpKind) func(*Mode, *call) mode.Effect {
	return func(m *Mode, c *call) mode.Effect {
		if c.arg(0) == "" {
			return mode.Effect{}
		}
		m.jump = jump{kind, firstChar(c.arg(0))}
		return repeat(func(m *Mode) { m.jumpOnce(kind) })(m, c)
	}
}

func beginSelection(m *Mode, c *call) mode.Effect {
	if c.Mouse {
		return m.beginDrag(c.Command)
	}
	m.sel.lines, m.sel.unit = linesNone, unitChar
	m.begin()
	return mode.Effect{}
}

func stopSelection(m *Mode) {
	m.sel.follows, m.sel.lines, m.sel.unit = followsNone, linesNone, unitChar
}

func dropSelection(m *Mode) {
	m.clearSelection()
	m.cx = min(m.cx, m.length(m.row()))
}

func selectionMode(m *Mode, c *call) mode.Effect {
	switch c.arg(0) {
	case "", "char", "c":
		m.sel.unit = unitChar
	case "word", "w":
		m.sel.unit, m.sel.separators = unitWord, m.set.Separators
	case "line", "l":
		m.sel.unit = unitLine
	}
	return mode.Effect{}
}

func searches(up, regex bool) func(*Mode, *call) mode.Effect {
	return func(m *Mode, c *call) mode.Effect {
		if text := c.arg(0); text != "" {
			if err := m.searchFor(text, up, regex); err != nil {
				return mode.Effect{Message: err.Error()}
			}
		}
		m.search.up = up
		return m.seek(up, c.n, false)
	}
}

func incremental(up bool) func(*Mode, *call) mode.Effect {
	return func(m *Mode, c *call) mode.Effect {
		e, err := m.seekIncremental(c.arg(0), up)
		if err != nil {
			e.Message = err.Error()
		}
		return e
	}
}
