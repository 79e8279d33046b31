// Package copymode is copy mode: a pane's screen and scrollback, frozen, with a cursor of its own, a
// selection and a search, under tmux's names and with tmux's rules. The program goes on beneath.
//
// It is a state machine (mode.Mode): commands come in, and out comes what to show and what to copy. It
// works on a terminal of its own, starts nothing, and does a bounded piece of work for each call: a
// search in a long history goes on when the mode is woken, and commands wait for it. It promises that
// the cursor is always on the screen and that no command, however called, panics.
//
// A mutex guards everything, since clients draw from goroutines of their own.
package copymode

import (
	"strconv"
	"sync"
	"time"

	"stet/server/mode"
	"stet/vt"
	"stet/vt/key"
)

// Name is the mode's name, and the name of its key table with emacs keys.
const (
	Name    = "copy-mode"
	TableVi = "copy-mode-vi"
)

// Settings are the options in force.
type Settings struct {
	Vi         bool   // mode-keys
	Separators string // word-separators
	Wrap       bool   // wrap-search
	// CopyCommand is the shell command of copy-pipe where that names none.
	CopyCommand string
	// The looks of what is selected, of matches, of the match at the cursor and of the marked line.
	// Default colours leave the cell's own.
	Selected, Match, Current, Mark vt.Style
}

// Options say what a copy mode begins with.
type Options struct {
	Cols, Rows int
	// Settings is asked whenever a command begins.
	Settings func() Settings
	// ExitAtBottom leaves the mode when scrolling arrives at the end (copy-mode -e), HidePosition does
	// not show where it is (-H).
	ExitAtBottom, HidePosition bool
	// Before is shown until the mode is loaded.
	Before interface {
		View(have []vt.RowInfo, gen uint64, back int) *vt.View
	}
}

// Mode is one copy mode.
type Mode struct {
	o Options

	mu      sync.Mutex
	version uint64
	gen     uint64
	set     Settings
	term    *vt.Terminal // nil: not loaded, or closed
	closed  bool
	size    [2]int // wanted
	cols    int    // of term
	rows    int
	history int // lines of it, as rows of this width
	cache   cache

	cx, cy, oy     int // the cursor on the screen, and lines scrolled back
	lastcx, lastsx int // where the cursor wants to be, on lines long enough

	sel      selection
	mark     position
	showMark bool
	search   search
	jump     jump
	hide     bool // the position
	count    int  // of the next command (send-keys -N)
	drag     drag
	waiting  []mode.Command // for the search under way
	late     []key.Event    // of the mouse, likewise
	job      *job           // a search that goes on at the next wake
}

// position is a cell: the row counted from the oldest of the history.
type position struct{ x, y int }

func (p position) before(q position) bool { return p.y < q.y || p.y == q.y && p.x < q.x }

// maxWaiting bounds the commands that wait for a search.
const maxWaiting = 256

// New returns a copy mode that is not loaded yet: it shows what was there before, and its commands wait.
func New(o Options) *Mode {
	m := &Mode{o: o, version: 1, hide: o.HidePosition, size: [2]int{max(o.Cols, 1), max(o.Rows, 1)}}
	m.set = o.Settings()
	m.search.reset()
	return m
}

// Load gives the mode the terminal that it shows from now on; it belongs to the mode. The first time the
// cursor is put where the program has it; later ones (refresh-from-pane) keep the place. What waited is
// done now.
func (m *Mode) Load(t *vt.Terminal) mode.Effect {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || t == nil {
		return mode.Effect{}
	}
	first := m.term == nil
	fromTop := m.history - m.oy
	m.term = t
	m.adopt()
	if first {
		c := t.Cursor()
		m.cx, m.cy = min(c.X, m.cols-1), c.Y
		m.mark = m.cursor()
	} else {
		m.refreshed(fromTop)
	}
	m.fit()
	m.touch()
	e := m.work()
	e.Redraw = true
	return e
}

// adopt takes the terminal's measures.
func (m *Mode) adopt() {
	m.cols, m.rows = m.term.Size()
	m.history = m.term.HistoryLen()
	m.cache.clear()
	m.clamp()
}

func (m *Mode) refreshed(fromTop int) {
	m.clearSelection()
	if fromTop <= m.history {
		m.oy = m.history - fromTop
	} else {
		m.cy, m.oy = 0, m.history
	}
	m.clamp()
}

// clamp keeps everything in range.
func (m *Mode) clamp() {
	last := m.history + m.rows - 1
	m.oy = max(0, min(m.oy, m.history))
	m.cy = max(0, min(m.cy, m.rows-1))
	m.cx = max(0, min(m.cx, m.cols))
	for _, p := range []*position{&m.sel.start, &m.sel.end, &m.sel.first, &m.sel.last, &m.sel.at, &m.mark} {
		p.y = max(0, min(p.y, last))
		p.x = max(0, min(p.x, m.cols))
	}
}

// touch says that the picture has changed.
func (m *Mode) touch() { m.version++ }

// Name is copy-mode.
func (m *Mode) Name() string { return Name }

// Table is the key table that the option mode-keys says.
func (m *Mode) Table() string {
	if m.o.Settings().Vi {
		return TableVi
	}
	return Name
}

// Loaded tells whether there is something to read yet.
func (m *Mode) Loaded() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.term != nil
}

// Key takes the mouse while it drags a selection. Other keys mean nothing where no table binds them.
func (m *Mode) Key(e key.Event) mode.Effect {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case e.Kind != key.KindMouse || m.closed:
		return mode.Effect{}
	case m.term == nil || m.job != nil:
		if len(m.late) < maxWaiting {
			m.late = append(m.late, e)
		}
		return mode.Effect{}
	}
	return m.mouse(e)
}

// Command is one of copy mode's commands, or a count for the next one.
func (m *Mode) Command(c mode.Command) (mode.Effect, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return mode.Effect{}, nil
	}
	if c.Name == "" {
		m.count = max(0, min(c.Count, maxCount))
		return mode.Effect{}, nil
	}
	if err := check(c); err != nil {
		return mode.Effect{}, err
	}
	if c.Count == 0 {
		c.Count = m.count
	}
	m.count = 0
	if m.term == nil || m.job != nil {
		if len(m.waiting) < maxWaiting {
			m.waiting = append(m.waiting, c)
		}
		return mode.Effect{Drag: c.Mouse && c.Name == "begin-selection"}, nil
	}
	return m.do(c)
}

// work does what has waited, up to the next search that takes time.
func (m *Mode) work() mode.Effect {
	var all mode.Effect
	for m.term != nil && m.job == nil && len(m.waiting) > 0 && !all.Leave {
		c := m.waiting[0]
		m.waiting = m.waiting[1:]
		e, err := m.do(c)
		if err != nil {
			e.Message = err.Error()
		}
		all = join(all, e)
	}
	if m.term != nil && m.job == nil {
		for _, e := range m.late {
			m.mouse(e)
		}
		m.late = nil
	}
	return all
}

func join(a, b mode.Effect) mode.Effect {
	b.Redraw = a.Redraw || b.Redraw
	b.Leave = a.Leave || b.Leave
	b.Refresh = a.Refresh || b.Refresh
	if b.Copy == nil {
		b.Copy = a.Copy
	}
	if b.Message == "" {
		b.Message = a.Message
	}
	return b
}

// Resize notes the size. The lines are broken anew when somebody looks: with much history that is work,
// and a border that is dragged brings many sizes.
func (m *Mode) Resize(cols, rows int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.size = [2]int{max(cols, 1), max(rows, 1)}
	m.touch()
}

// fit gives the terminal the size that is wanted.
func (m *Mode) fit() {
	if m.term == nil || m.size == [2]int{m.cols, m.rows} {
		return
	}
	at := m.anchor()
	m.clearSelection()
	m.drag = drag{}
	m.term.Resize(m.size[0], m.size[1])
	m.adopt()
	m.comeBack(at)
	m.search.forgetCount()
	m.job = nil
}

// Wake is when there is a piece of a search to do, or a drag at the edge to go on with.
func (m *Mode) Wake() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.closed || m.term == nil:
		return time.Time{}
	case m.job != nil || m.search.counting():
		return time.Unix(1, 0) // at once
	}
	return m.drag.next
}

// Tick does a piece of it.
func (m *Mode) Tick(now time.Time) mode.Effect {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed || m.term == nil {
		return mode.Effect{}
	}
	m.fit()
	if m.job != nil {
		e := m.goOn()
		return join(e, m.work())
	}
	if !m.drag.next.IsZero() && !m.drag.next.After(now) {
		m.dragOn(now)
		return mode.Effect{Redraw: true}
	}
	if m.search.counting() && m.countMatches() {
		m.touch()
		return mode.Effect{Redraw: true}
	}
	return mode.Effect{}
}

// Indicator is where the view is, and how many matches there are.
func (m *Mode) Indicator() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.hide || m.term == nil {
		return ""
	}
	s := "[" + strconv.Itoa(m.oy) + "/" + strconv.Itoa(m.history) + "]"
	if m.search.shown && m.search.counted {
		s = "(" + strconv.Itoa(m.search.total) + " results) " + s
	}
	return s
}

// Version changes with the picture.
func (m *Mode) Version() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.term == nil {
		return 0
	}
	return m.version
}

// Close lets the terminal go.
func (m *Mode) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed, m.term, m.job, m.waiting = true, nil, nil, nil
	m.cache.clear()
}

// Text gives lines of what the mode shows, as capture-pane -M wants them; false when there are none.
func (m *Mode) Text(lines func(history, rows int) (from, to int), o vt.TextOptions) ([]string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.term == nil {
		return nil, false
	}
	m.fit()
	from, to := lines(m.history, m.rows)
	return m.term.Text(from, to, o), true
}

// cursor is the cursor's cell.
func (m *Mode) cursor() position { return position{m.cx, m.row()} }

// row is the cursor's row.
func (m *Mode) row() int { return m.history - m.oy + m.cy }

func (m *Mode) last() int { return m.history + m.rows - 1 }

var _ mode.Timed = (*Mode)(nil)

// anchor remembers a cursor in terms of lines, which a change of the width does not break anew: how many
// lines it is above the end, and how many cells from the line's beginning.
type anchor struct {
	lines, cells int
	atEnd        bool // of the line
	// far is the part of the way, in thousandths, where the cursor is too far from the end to count.
	far     int
	counted bool
	cy      int
}

// maxAnchor bounds the rows that are looked at to find a place again.
const maxAnchor = 5000

func (m *Mode) anchor() anchor {
	y := m.row()
	a := anchor{cy: m.cy, cells: m.cx, atEnd: m.cx > 0 && m.cx >= m.length(y), far: y * 1000 / max(m.last(), 1)}
	if m.last()-y > maxAnchor {
		return a
	}
	a.counted = true
	for y > 0 && m.line(y-1).Wrapped && m.row()-y < maxLine {
		y--
		a.cells += len(m.line(y).Cells)
	}
	for at := y; at < m.last(); at++ {
		if !m.line(at).Wrapped {
			a.lines++
		}
	}
	return a
}

// comeBack puts the cursor where it was.
func (m *Mode) comeBack(a anchor) {
	if !a.counted {
		m.scrollTo(position{0, m.last() * a.far / 1000})
		return
	}
	y := m.last()
	for n := 0; y > 0; y-- {
		if !m.line(y - 1).Wrapped {
			if n == a.lines {
				break
			}
			n++
		}
		if m.last()-y > 4*maxAnchor {
			break
		}
	}
	x := a.cells
	for y < m.last() && m.line(y).Wrapped && x >= len(m.line(y).Cells) {
		x -= len(m.line(y).Cells)
		y++
	}
	cy := max(0, min(a.cy, m.rows-1))
	m.cy = max(cy, y-m.history) // the row stays at its height, where that can be
	if y < m.cy {
		m.cy = y
	}
	m.oy = m.history + m.cy - y
	m.cx = x
	if n := m.length(y); a.atEnd && x > n {
		m.cx = n
	}
	m.clamp()
}
