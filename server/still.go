package server

import (
	"sync"

	"stet/server/mode"
	"stet/server/model"
	"stet/server/scene"
	"stet/vt"
)

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

// text is some of its lines; lines chooses them, counted from the oldest.
func (p *still) text(lines func(history, rows int) (from, to int), o vt.TextOptions) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, rows := p.term.Size()
	from, to := lines(p.term.HistoryLen(), rows)
	return p.term.Text(from, to, o)
}

func (p *still) resize(cols, rows int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.term.Resize(cols, rows)
}

// PanePicture is a pane's screen, to be drawn small.
func (s *Server) PanePicture(id model.PaneID) mode.Picture {
	if p := s.live(id); p != nil {
		return p
	}
	if st := s.pane(id).still; st != nil {
		return stillPicture{st}
	}
	return blankPicture{}
}

// stillPicture is the saved picture of a pane without a program.
type stillPicture struct{ *still }

func (stillPicture) Version() uint64 { return 1 }

// blankPicture is the picture of a pane that has none.
type blankPicture struct{}

func (blankPicture) View([]vt.RowInfo, uint64, int) *vt.View { return nil }

func (blankPicture) Version() uint64 { return 1 }

var (
	_ scene.Source = (*blank)(nil)
	_ scene.Source = (*still)(nil)
)
