package pane

import (
	"cmp"
	"maps"
	"time"

	"stet/vt"
)

// Facts is what a pane's owner has published last. It is immutable.
type Facts struct {
	Cols, Rows   int
	Cursor       vt.Cursor
	Modes        vt.Modes
	Title        string
	Cwd          string           // of the last OSC 7 that names this host
	Under        vt.Cell          // that the cursor is on
	Cluster      string           // text of that, where it is a cluster
	Tabs         []uint64         // tab stops, a bit for each column
	FG, BG       vt.Color         // default colours that the program has set, 0 for none
	Palette      map[uint8]uint32 // of the numbered colours those that the program has set (0xRRGGBB); nil for none
	HistoryLines int
	HistoryLimit int
	Rules        vt.Rules
	Parsed       uint64     // stream position
	Version      uint64     // grows with everything that a save would see
	Branch       string     // of git, as the shell told last
	Running      vt.Command // the outermost command that the shell says runs; Number 0: none
	Since        time.Time  // when it began; zero: unknown
	Last         vt.Command // the one that ended last; Number 0: none
	Ended        time.Time  // when; zero: unknown
	EOF          bool       // the terminal has no writer any more and all output is parsed
	Damage       string     // "" or what happened to the output
}

// publish makes the present facts visible to everyone and says whether something has changed that
// decides about more than the pane's own picture.
func (p *Pane) publish() (news bool) {
	cols, rows := p.term.Size()
	f := &Facts{
		Cols: cols, Rows: rows, Cursor: p.term.Cursor(), Modes: p.term.Modes(), Title: p.term.Title(), Cwd: p.term.Cwd(),
		HistoryLines: p.term.HistoryLen(), HistoryLimit: p.limit, Rules: p.term.Rules(), Parsed: p.at, Version: p.at + p.epoch,
		EOF: p.ended, Damage: cmp.Or(p.damage, p.unsaved),
	}
	f.Under, f.Cluster = p.term.CellAt(f.Cursor.X, f.Cursor.Y)
	f.FG, f.BG = p.term.DefaultColor(10), p.term.DefaultColor(11)
	old := p.facts.Load()
	if old != nil {
		f.Tabs, f.Palette = old.Tabs, old.Palette
	}
	f.Palette = p.term.PaletteSet(f.Palette)
	f.Tabs = p.term.TabStops(f.Tabs)
	f.Branch = p.term.Branch()
	f.Running, f.Last = p.term.LastCommands()
	f.stamp(old)
	p.facts.Store(f)
	return old == nil || f.Running.Number != old.Running.Number || f.Last.Number != old.Last.Number || f.Branch != old.Branch || !maps.Equal(f.Palette, old.Palette) || f.Title != old.Title || f.Cwd != old.Cwd ||
		f.EOF != old.EOF || f.Damage != old.Damage || f.Cols != old.Cols || f.Rows != old.Rows
}

// Facts returns what was published last, without waiting.
func (p *Pane) Facts() *Facts { return p.facts.Load() }

// stamp adds the times that the shell did not tell itself, of what has happened since the facts before.
// Without those it is not known when that was.
func (f *Facts) stamp(old *Facts) {
	if n := f.Running.Number; n != 0 {
		switch {
		case f.Running.Started > 0:
			f.Since = time.UnixMilli(f.Running.Started)
		case old == nil:
		case old.Running.Number == n:
			f.Since = old.Since
		default:
			f.Since = time.Now()
		}
	}
	if f.Last.Number == 0 || old == nil {
		return
	}
	if f.Last.Number == old.Last.Number {
		f.Last.Took, f.Ended = old.Last.Took, old.Ended
		return
	}
	f.Ended = time.Now()
	if f.Last.Took < 0 && old.Running.Number == f.Last.Number && !old.Since.IsZero() {
		f.Last.Took = f.Ended.Sub(old.Since).Milliseconds()
	}
}
