package server

import (
	"fmt"
	"sync"
	"syscall"

	"stet/server/scene"
	"stet/vt"
)

// exit is how a program ended.
type exit syscall.WaitStatus

func (e exit) code() int { return max(syscall.WaitStatus(e).ExitStatus(), 0) }

// signal is the number of the signal that ended it, 0 for none.
func (e exit) signal() int {
	if ws := syscall.WaitStatus(e); ws.Signaled() {
		return int(ws.Signal())
	}
	return 0
}

func (e exit) failed() bool { return e.code() != 0 || e.signal() != 0 }

// String says how it ended, in words.
func (e exit) String() string {
	if n := e.signal(); n != 0 {
		return fmt.Sprintf("its program was ended by signal %d (%v)", n, syscall.Signal(n))
	}
	return fmt.Sprintf("its program has exited with status %d", e.code())
}

// blank is the picture of a pane that has no terminal: one whose program could not be started.
type blank struct{}

// View is an empty picture.
func (*blank) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	return vt.New(vt.Options{Cols: 1, Rows: 1}).View(have, gen, back)
}

// still is the picture of a pane as it was saved, without a program.
type still struct {
	mu   sync.Mutex // several clients may look
	term *vt.Terminal
}

// View is the saved picture.
func (p *still) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	p.mu.Lock()
	defer p.mu.Unlock()
	v := p.term.View(have, gen, back)
	v.Modes, v.Cursor.Visible = vt.Modes{}, false
	return v
}

func (p *still) clone() *vt.Terminal {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.term.Clone()
}

func (p *still) resize(cols, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.term.Resize(cols, rows)
}

var (
	_ scene.Source = (*blank)(nil)
	_ scene.Source = (*still)(nil)
)
