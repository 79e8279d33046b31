// Package copymode is copy mode: a pane's screen and scrollback, frozen, with a cursor of its own, a
// selection and a search, under tmux's names and with tmux's rules. The program goes on beneath.
//
// It is a state machine (mode.Mode): commands come in, and out comes what to show and what to copy. It
// works on a terminal of its own, starts nothing, and does a bounded piece of work for each call: what
// reads far goes on when the mode is woken, and commands wait for it. It promises that
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
	closed  bool
	size    [2]int // wanted
	frozen
	state
	count   int       // of the next command (send-keys -N)
	waiting []pending // for the job under way, or for the text
	job     *job      // goes on at the next wake
	running *job      // it, while it has its turn
	spent   int       // in this turn
	share   int       // of a turn

	lent  *Mode     // has the text meanwhile
	shown *vt.View  // the picture meanwhile
	back  sync.Cond // the text is back
}

// frozen is the text that is read.
type frozen struct {
	term    *vt.Terminal // nil: not loaded, lent, or closed
	cols    int
	rows    int
	history int // lines of it, as rows of this width
	cache   cache
}

// state is what commands change, and what is seen of it.
type state struct {
	cx, cy, oy     int // the cursor on the screen, and lines scrolled back
	lastcx, lastsx int // where the cursor wants to be, on lines long enough

	sel      selection
	mark     position
	showMark bool
	search   search
	jump     jump
	hide     bool // the position
	drag     drag
}

// position is a cell: the row counted from the oldest of the history.
type position struct{ x, y int }

func (p position) before(q position) bool { return p.y < q.y || p.y == q.y && p.x < q.x }

// New returns a copy mode that is not loaded yet: it shows what was there before, and its commands wait.
func New(o Options) *Mode {
	m := &Mode{o: o, version: 1, share: share, size: [2]int{max(o.Cols, 1), max(o.Rows, 1)}}
	m.set, m.hide, m.back.L = o.Settings(), o.HidePosition, &m.mu
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
	first := m.term == nil && m.lent == nil
	m.later()
	m.returned()
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
	return join(mode.Effect{Redraw: true}, m.work())
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
	return m.term != nil || m.lent != nil
}

// Key takes the mouse while it drags a selection. Other keys mean nothing where no table binds them.
func (m *Mode) Key(e key.Event) mode.Effect {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e.Kind != key.KindMouse || m.closed {
		return mode.Effect{}
	}
	m.fit()
	p := pending{event: e, mouse: true}
	if m.busy() {
		m.wait(p)
		return m.work()
	}
	return m.mouse(p)
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
	m.fit()
	p := pending{command: c}
	e := mode.Effect{}
	if m.busy() {
		m.wait(p)
		e = m.work()
	} else {
		e = m.do(p)
	}
	e.Drag = e.Drag || c.Mouse && c.Name == "begin-selection"
	return e, nil
}

// Wake is when there is a piece of work to do, or a drag at the edge to go on with.
func (m *Mode) Wake() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.closed || m.term == nil:
		return time.Time{}
	case m.job != nil || len(m.waiting) > 0 || m.unfit() || m.search.counting():
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
	switch {
	case m.unfit():
		return m.aside()
	case m.job != nil:
		return join(m.goOn(), m.work())
	case len(m.waiting) > 0:
		return m.work()
	case !m.drag.next.IsZero() && !m.drag.next.After(now):
		return m.start(pending{}, func() mode.Effect {
			m.dragOn(now)
			return mode.Effect{Redraw: true}
		})
	case m.search.counting() && m.countMatches():
		m.touch()
		return mode.Effect{Redraw: true}
	}
	return mode.Effect{}
}

// Indicator is where the view is, and how many matches there are.
func (m *Mode) Indicator() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.seen()()
	if m.hide || m.term == nil && m.lent == nil {
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
	if m.term == nil && m.lent == nil {
		return 0
	}
	return m.version
}

// Close lets the terminal go.
func (m *Mode) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.abandon()
	m.returned()
	m.closed, m.term, m.waiting = true, nil, nil
	m.cache.clear()
}

// cursor is the cursor's cell.
func (m *Mode) cursor() position { return position{m.cx, m.row()} }

// row is the cursor's row.
func (m *Mode) row() int { return m.history - m.oy + m.cy }

func (m *Mode) last() int { return m.history + m.rows - 1 }

var _ mode.Timed = (*Mode)(nil)
