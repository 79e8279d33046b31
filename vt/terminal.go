package vt

import (
	"slices"

	"stet/vt/width"
)

// Bounds of the screen. They keep a screen at 16 MiB at most, whatever size is
// asked for.
const (
	maxCols  = 8192
	maxRows  = 8192
	maxCells = 1 << 21
)

// Options say what New makes.
type Options struct {
	Cols, Rows int
	History    int    // lines kept; 0 = none
	Arena      []byte // memory for history in blocks of BlockSize, see ArenaSize; nil: heap
	Host       string // name of this machine: OSC 7 of another one gives no Cwd; "" takes any
}

// Terminal is one emulated terminal. It has one owner; nothing in it is locked.
type Terminal struct {
	cols, rows int
	main, alt  screen
	scr        *screen // the active one
	cur        cursor
	pen        Cell // cur.style's number, shifted into place
	blank      Cell // what erasing leaves: the pen's background
	blankOK    bool

	top, bottom, left, right int // margins, inclusive
	modes                    mode
	savedModes               mode // XTSAVE
	mouse, mouseEnc          int
	modifyKeys               int
	shape                    uint8
	tabs                     []uint64
	shift                    uint8 // the set of a pending single shift (SS2, SS3), 0 none
	extent                   uint8 // DECSACE: 2 rectangle rather than stream
	sums                     uint8 // XTCHECKSUM
	before52                 vt52
	level                    uint8  // DECSCL: 1 to 5, as VT100 to VT520
	bell                     bool   // the string being acted on was ended by BEL
	pens                     []pen  // XTPUSHSGR
	copied                   []Cell // room for DECCRA
	sixel                    sixel  // the picture being received
	kitty                    kitty

	// The cell printed last, for characters that join it; lastY is -1 when
	// nothing can be joined any more. lastRune is for REP, 0 none.
	lastX, lastY int
	breaker      width.Breaker
	lastRune     rune

	p      parser
	parsed uint64 // stream offset: bytes taken so far
	at     uint64 // stream offset just behind the sequence being acted on

	tab          tables
	gen          uint64 // of the numbering in tab
	backGen      uint64 // of the last view into the history
	styleLimit   int
	clusterLimit int
	keepTables   bool // cells are held outside the screens: no compaction

	rowID, version uint64
	hist           history

	title, icon  string
	titles       []titles
	notes        []note
	cwd          string
	branch       string
	commands     []Command // the last ones, the oldest first
	commandCount uint64
	host         string
	colors       colors
	colorStack   []colors         // XTPUSHCOLORS
	defaults     [3]uint32        // foreground, background, cursor as the owner set them
	usual        map[uint8]uint32 // of the palette, as the owner set it
	cellW        int
	cellH        int

	replies    []Reply
	replyBytes int
	events     []Event
	eventBytes int

	rec recorder
}

type titles struct{ title, icon string }

// New makes a terminal in its initial state at stream offset 0.
func New(o Options) *Terminal {
	t := &Terminal{host: o.Host, tab: newTables(), gen: 1, styleLimit: baseStyles, clusterLimit: baseClusters}
	t.cols, t.rows = clampSize(o.Cols, o.Rows)
	t.hist.init(o.Arena)
	t.hist.limit = max(0, o.History)
	t.hist.setWidth(t.cols)
	t.cellW, t.cellH = 8, 16
	t.defaults = [3]uint32{0xe5e5e5, 0x000000, 0xe5e5e5}
	t.allocate(&t.main)
	t.reset()
	return t
}

// clampSize puts a size within the bounds of this package: 1 to 8192 columns
// and rows, at most 2 Mi cells.
func clampSize(cols, rows int) (int, int) {
	cols = min(max(cols, 1), maxCols)
	rows = min(max(rows, 1), maxRows, maxCells/cols)
	return cols, rows
}

// reset puts everything but the history, the title stack, the sizes and the rules into
// the initial state (RIS).
func (t *Terminal) reset() {
	t.scr = &t.main
	t.cur = homeCursor()
	t.main.saved, t.alt.saved = homeCursor(), homeCursor()
	t.main.kbd, t.alt.kbd = keyboard{}, keyboard{}
	t.setPen()
	t.before52 = vt52{}
	t.modes, t.savedModes = initialModes|t.modes&modeRules, initialModes
	t.mouse, t.mouseEnc, t.modifyKeys, t.shape = 0, 0, 0, 0
	t.shift, t.extent, t.sums, t.level = 0, 0, 0, topLevel
	t.pens, t.colorStack, t.notes = nil, nil, nil
	t.sixel, t.kitty = sixel{}, kitty{}
	t.resetMargins()
	t.defaultTabs(0)
	t.colors = colors{}
	for _, s := range []*screen{&t.main, &t.alt} {
		for _, cells := range s.cells {
			fill(cells, BlankCell)
		}
		for y := range s.info {
			t.renew(&s.info[y])
		}
		s.doubled = false
	}
	t.hist.sever()
	t.Interrupt()
	t.endRun()
	t.p = parser{str: t.p.str[:0]}
}

// Reset is RIS by command: the parser included, the history left.
func (t *Terminal) Reset() { t.reset() }

// Size gives the columns and rows.
func (t *Terminal) Size() (cols, rows int) { return t.cols, t.rows }

// Margins are those in force, rows and columns from 0, all inclusive.
func (t *Terminal) Margins() (top, bottom, left, right int) { return t.top, t.bottom, t.left, t.right }

// Title is what OSC 0 or 2 set last: at most 4 KiB, no control characters.
func (t *Terminal) Title() string { return t.title }

// Icon is what OSC 0 or 1 set last.
func (t *Terminal) Icon() string { return t.icon }

// Cwd is the path of the last OSC 7 that named this machine, "" if none did.
func (t *Terminal) Cwd() string { return t.cwd }

// SetCellSize tells the size of a cell in pixels, for the programs that ask
// (XTWINOPS 14 and 16, mouse mode 1016); 8 by 16 until told. It is not part of
// the state.
func (t *Terminal) SetCellSize(w, h int) { t.cellW, t.cellH = max(1, w), max(1, h) }

// SetDefaultColors tells what the outer terminal's default colours are
// (0xRRGGBB), for the programs that ask. It is not part of the state.
// A program that set mode 2031 is told when they go from dark to light or back.
func (t *Terminal) SetDefaultColors(fg, bg, cursor uint32) {
	before := t.colorScheme()
	t.defaults = [3]uint32{fg & 0xffffff, bg & 0xffffff, cursor & 0xffffff}
	if t.modes&modeColorScheme != 0 && t.colorScheme() != before {
		t.tell(t.reportColorScheme)
	}
}

// Parsed is the stream offset behind the last byte written.
func (t *Terminal) Parsed() uint64 { return t.parsed }

// Offset is where replay must begin for the present AppendState. It always
// equals Parsed: a half-received sequence or character is part of the state,
// even when it is longer than the ring that holds the stream.
func (t *Terminal) Offset() uint64 { return t.parsed }

// setPen follows a change of cur.style.
func (t *Terminal) setPen() {
	t.blankOK = false
	t.pen = Cell(t.styleID(&t.cur.style)) << styleShift
}

// blankCell is what erasing leaves: a space in the pen's background (xterm's
// background colour erase).
func (t *Terminal) blankCell() Cell {
	if t.cur.style.BG == 0 {
		return BlankCell
	}
	if !t.blankOK {
		s := Style{BG: t.cur.style.BG}
		id := t.styleID(&s)
		t.blank, t.blankOK = BlankCell|Cell(id)<<styleShift, true
	}
	return t.blank
}

func (t *Terminal) resetMargins() {
	t.top, t.bottom, t.left, t.right = 0, t.rows-1, 0, t.cols-1
}

// fullWidth tells that no left or right margin is set.
func (t *Terminal) fullWidth() bool { return t.left == 0 && t.right == t.cols-1 }

// defaultTabs sets a stop every 8 columns from column from on.
func (t *Terminal) defaultTabs(from int) {
	n := (t.cols + 63) / 64
	old := t.tabs
	t.tabs = make([]uint64, n)
	if from > 0 {
		copy(t.tabs, old)
		if from%64 != 0 && from/64 < n {
			t.tabs[from/64] &= 1<<(from%64) - 1
		}
		clear(t.tabs[min(n, (from+63)/64):])
	}
	for x := (from + 7) / 8 * 8; x < t.cols; x += 8 {
		if x > 0 {
			t.tabs[x/64] |= 1 << (x % 64)
		}
	}
	if t.cols%64 != 0 {
		t.tabs[n-1] &= 1<<(t.cols%64) - 1
	}
}

// TabStops are the columns with a tab stop as bits: column x is bit x%64 of word x/64. It is have itself where
// that says the same.
func (t *Terminal) TabStops(have []uint64) []uint64 {
	if slices.Equal(have, t.tabs) {
		return have
	}
	return slices.Clone(t.tabs)
}

func (t *Terminal) tabAt(x int) bool { return t.tabs[x/64]>>(x%64)&1 != 0 }
