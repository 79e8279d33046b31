package pane

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"stet/server/ring"
	"stet/vt"
)

// Begin gives a new pane its empty terminal. Its size is checkpointed: the ring does not know it.
func (p *Pane) Begin(cols, rows int) error {
	p.term = p.fresh(vt.Options{Cols: cols, Rows: rows, History: p.limit, Arena: p.ring.Arena()})
	p.publish()
	return p.checkpoint()
}

// fresh is a terminal with nothing in it.
func (p *Pane) fresh(o vt.Options) *vt.Terminal {
	t := vt.New(o)
	t.SetRules(p.rules)
	return t
}

// Restore gives a new pane the picture of an old one: the old lines, then a divider, then the cursor
// for the fresh shell; an empty divider is none. It is checkpointed at once, since the ring knows nothing of it.
func (p *Pane) Restore(cols, rows int, text *Text, divider string) error {
	t, err := p.above(vt.Options{Cols: cols, Rows: rows, History: p.limit, Arena: p.ring.Arena()}, text, divider)
	if err != nil {
		return err
	}
	p.term = t
	p.epoch++
	p.publish()
	return p.checkpoint()
}

// above is a terminal that shows old text, at the beginning of the stream.
func (p *Pane) above(o vt.Options, text *Text, divider string) (*vt.Terminal, error) {
	t, err := text.exact(o, divider)
	if err != nil { // there was none, or another build made it
		t = vt.New(o)
		text.Feed(t)
		if divider != "" {
			t.Divide(divider)
		} else if text.Len() > 0 {
			t.Write([]byte("\r\n"))
		}
	}
	for i, l := range text.Below {
		if i > 0 {
			t.Write([]byte("\r\n"))
		}
		t.Write([]byte(l + "\x1b[m"))
	}
	t.SetRules(p.rules) // they are for its program
	state, err := t.AppendState(nil)
	if err != nil {
		return nil, fmt.Errorf("restored screen: %w", err)
	}
	if t, err = vt.Load(state, o, 0); err != nil { // the same terminal, at the beginning of the stream
		return nil, fmt.Errorf("restored screen: %w", err)
	}
	return t, nil
}

// Under says what the program's output is to come under where a server before us had it started and died before
// it could begin. It comes before Recover.
func (p *Pane) Under(text *Text, divider string) { p.under, p.divider = text, divider }

// Text is what a pane showed when it was saved.
type Text struct {
	History   []string // finished lines, each whole
	Before    string   // the beginning of Main's first line, where that has scrolled out
	Main      []string // rows of the normal screen
	Wrapped   []int    // those of them that go on in the next row
	Alternate []string // rows of the alternate screen, if it was showing
	Notes     []string // what is said beneath of what became of the program
	Below     []string // what stands below the divider, where no program will

	State      []byte // what Before and all rows are told from more exactly, nil for none
	Cols, Rows int    // of the screen that State is of
}

var errNoState = errors.New("no state")

// exact is a terminal that shows the text as it was, by the state: with what text cannot say, as the marks of
// prompts. It has left what the program had set, and the divider beneath.
func (t *Text) exact(o vt.Options, divider string) (*vt.Terminal, error) {
	if len(t.State) == 0 {
		return nil, errNoState
	}
	cols, rows := o.Cols, o.Rows
	o.Cols, o.Rows = t.Cols, t.Rows
	term := vt.New(o)
	(&Text{History: t.History, Before: t.Before}).Feed(term)
	if err := term.Over(t.State); err != nil {
		return nil, err
	}
	if c, r := term.Size(); c != t.Cols || r != t.Rows {
		return nil, errNoState
	}
	term.Leave()
	for _, l := range t.Notes {
		term.Write([]byte(l))
		term.Write([]byte("\x1b[m\x1b]8;;\x1b\\\r\n"))
	}
	if divider != "" {
		term.Divide(divider)
	}
	term.Resize(cols, rows)
	term.TakeReplies()
	term.TakeEvents()
	return term, nil
}

// Len is how many lines there are.
func (t *Text) Len() int { return len(t.History) + len(t.Main) + len(t.Alternate) + len(t.Notes) }

// Feed writes the text into a terminal that nobody else has. It is text, whatever somebody wrote into
// the file: nothing of it is answered, and no look runs on into the next line.
func (t *Text) Feed(term *vt.Terminal) {
	begun := false
	line := func(l string, goesOn bool) {
		if begun && !goesOn {
			term.Write([]byte("\r\n"))
		}
		begun = true
		term.Write([]byte(l))
		term.Write([]byte("\x1b[m\x1b]8;;\x1b\\"))
		term.Published() // nothing is published that could list a retired block
	}
	for _, l := range t.History {
		line(l, false)
	}
	goesOn := t.Before != ""
	if goesOn {
		line(t.Before, false)
	}
	for y, l := range used(t.Main) {
		line(l, goesOn)
		goesOn = slices.Contains(t.Wrapped, y)
	}
	for _, l := range used(t.Alternate) {
		line(l, false)
	}
	for _, l := range t.Notes {
		line(l, false)
	}
	term.Interrupt()
	term.TakeReplies()
	term.TakeEvents()
}

// used are the rows of a screen down to the last that is not blank.
func used(rows []string) []string {
	for len(rows) > 0 && rows[len(rows)-1] == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// Recover brings the terminal back from the checkpoint and the ring, after every read in flight of
// every pane was settled. It leaves nothing out and lets nothing out: see the package comment. The
// returned notice is "" or what could not be kept.
func (p *Pane) Recover() (notice string) {
	notice, _ = p.recover(false)
	return notice
}

// TryRecover is Recover for a build on trial, which may have to give way to the one before it: what cannot be read is an error, and
// nothing is checkpointed, since the other might not be able to read it. The pane is of no use after an error.
func (p *Pane) TryRecover() (notice string, err error) { return p.recover(true) }

func (p *Pane) recover(trial bool) (notice string, err error) {
	r := p.ring
	o := vt.Options{History: p.limit, Arena: r.Arena()}
	o.Cols, o.Rows = windowSize(p.info.Master)
	offset, sizes, state, err := r.Load()
	if err == nil && state == nil { // the last server died before it could begin
		p.term = p.fresh(o)
		if p.under != nil {
			t, e := p.above(o, p.under, p.divider)
			if e != nil {
				p.damage = e.Error()
			} else {
				p.term = t
				p.epoch++
			}
		}
	} else if err == nil {
		p.term, err = vt.Load(state, o, offset)
	}
	if err != nil && trial {
		return "", err
	}
	if err != nil {
		p.damage = fmt.Sprintf("screen and scrollback could not be read back: %v", err)
		p.abandon(o)
	} else {
		p.at, p.sizes = offset, sizes
		if r.BeginReplay(offset) {
			p.skip(o)
		}
	}
	if n, at := r.Damage(); n > 0 && p.damage == "" {
		p.damage = fmt.Sprintf("output was damaged %d times, first at byte %d", n, at)
	}
	if n, at := r.Skipped(); n > 0 && p.damage == "" {
		p.damage = fmt.Sprintf("output skipped at byte %d: it made the emulator fail again and again", at)
	}
	p.replay = true
	p.catchUp(!trial)
	p.replay = false
	r.EndReplay()
	if err == nil && state == nil && !trial {
		// The size that the pane began with is in no log. So far it is still that of the program's terminal; after
		// the first resize a server that has to start from nothing again would begin at a wrong one.
		p.checkpoint()
	}
	p.under = nil
	cols, rows := p.term.Size()
	p.info.SetSize(cols, rows) // the last server may have died between recording a size and telling the program
	p.publish()
	return p.damage, nil
}

// catchUp replays what the ring holds, with the recorded resizes at their positions. It takes no
// checkpoint but where the emulator runs out of blocks, and not there where there is to be none (then it takes more memory): a death in
// one would count as a death by the bytes.
func (p *Pane) catchUp(checkpoints bool) {
	r := p.ring
	w := r.W()
	for {
		end := w
		for p.sizes < r.Resizes() {
			z := r.ResizeAt(p.sizes)
			if z.Pos > p.at {
				end = min(w, z.Pos)
				break
			}
			p.term.Resize(z.Cols, z.Rows)
			p.sizes++
		}
		if p.at >= end {
			return
		}
		b := r.Bytes(p.at, end)
		b = b[:min(len(b), piece)]
		r.ReplayAt(p.at)
		if !p.feed(b) {
			return // everything up to the end of the ring is left out
		}
		p.answer()
		if checkpoints && p.term.NeedsCheckpoint() {
			p.checkpoint()
		}
	}
}

// abandon goes on with an empty screen where the checkpoint cannot be read.
func (p *Pane) abandon(o vt.Options) {
	r := p.ring
	r.Abandon()
	r.MarkDamage(r.W())
	p.jump(p.fresh(o), o)
}

// skip takes the last good screen and leaves out what came after it.
func (p *Pane) skip(o vt.Options) {
	p.ring.MarkSkipped(p.at)
	p.jump(p.term, o)
}

// jump goes on at the end of the ring with terminal t at the size recorded last. It is checkpointed at
// once, or the next server would meet the same bytes again.
func (p *Pane) jump(t *vt.Terminal, o vt.Options) {
	r := p.ring
	at := r.W()
	if state, err := t.AppendState(nil); err == nil {
		if moved, err := vt.Load(state, o, at); err == nil {
			t = moved
		}
	}
	p.term, p.at, p.sizes = t, at, r.Resizes()
	if p.sizes > 0 {
		z := r.ResizeAt(p.sizes - 1)
		p.term.Resize(z.Cols, z.Rows)
	}
	r.SetAnswered(at)
	p.checkpoint()
}

// checkpointIfDue takes a checkpoint when half the ring is used or the emulator is short of blocks.
func (p *Pane) checkpointIfDue() {
	if p.at-p.ring.S() >= uint64(p.ring.Sizes().Ring)/2 || p.term.NeedsCheckpoint() {
		p.checkpoint()
	}
}

// checkpoint writes the emulator's state into the pane's shared memory and gives ring space free. A
// state that does not fit is waited with, as the next may; but when the ring is full for want of a
// checkpoint, the program would stand still for ever.
func (p *Pane) checkpoint() error {
	err := p.store(p.term)
	if err != nil {
		p.unsaved = fmt.Sprintf("checkpoint: %v", err)
		if p.ring.Free() > 0 || p.store(p.substitute()) != nil {
			return err
		}
	} else {
		p.unsaved = ""
		p.saved = p.at + p.epoch
	}
	p.term.Published()
	if p.read != nil {
		p.read.Released()
	}
	return err
}

// store publishes the state of a terminal as that of the pane.
func (p *Pane) store(t *vt.Terminal) error {
	return p.ring.Checkpoint(p.term.Offset(), p.sizes, func(dst []byte) (int, error) {
		b, err := t.AppendState(dst[:0])
		if err == nil && len(b) > len(dst) {
			err = fmt.Errorf("state of %d bytes does not fit", len(b))
		}
		return len(b), err
	})
}

// substitute is a screen to go on from after a crash in the place of one that does not fit.
func (p *Pane) substitute() *vt.Terminal {
	cols, rows := p.term.Size()
	t := vt.New(vt.Options{Cols: cols, Rows: rows})
	t.Write([]byte("[screen and scrollback were too large to be kept when the server was lost]\r\n"))
	return t
}

// maybeRest is called when the quiet timer goes off. The timer is not set anew for every change: it looks
// how long ago the last one was.
func (p *Pane) maybeRest() {
	if left := quietTime - time.Since(p.last); left > 0 || p.at != p.ring.W() {
		p.quiet.Reset(max(left, quietTime/10))
		return
	}
	p.resting = true
	p.rest()
}

// rest takes a checkpoint and gives memory back to the system.
func (p *Pane) rest() {
	if p.saved != p.at+p.epoch && p.checkpoint() != nil {
		return
	}
	p.read.Quiet()
	for _, n := range p.term.FreeBlocks() {
		p.ring.PunchArena(n*vt.BlockSize, vt.BlockSize)
	}
}

// kept is how much of the output that broke an emulator is handed on, in bytes.
const kept = 64 << 10

// feed gives the emulator the bytes at p.at. An emulator that panics is a fault of ours, and must cost
// neither the program nor any other pane: it is replaced by an empty one behind what it failed on. This is
// the last line of defence, not the plan.
func (p *Pane) feed(b []byte) (ok bool) {
	defer func() {
		if why := recover(); why != nil {
			p.broken(fmt.Sprint(why), uint64(len(b)))
			ok = false
		}
	}()
	if p.testFeed != nil {
		p.testFeed(b)
	}
	ring.Poison(b)
	p.term.Write(b)
	p.at += uint64(len(b))
	return true
}

// broken goes on with an empty screen at the end of the ring.
func (p *Pane) broken(why string, n uint64) {
	r := p.ring
	end := p.at + n
	var input []byte
	for from := max(r.S(), end-min(end, kept)); from < end; {
		b := r.Bytes(from, end)
		input = append(input, b...)
		from += uint64(len(b))
	}
	r.MarkSkipped(p.at)
	p.damage = "the emulator failed on the output and was reset: " + why
	o := vt.Options{History: p.limit, Arena: r.Arena()}
	o.Cols, o.Rows = windowSize(p.info.Master)
	p.jump(p.fresh(o), o)
	if p.hooks.Broken != nil {
		p.hooks.Broken(p, why, input)
	}
}
