package client

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"

	"stet/server/wire"
	"stet/vt"
	"stet/vt/key"
)

// asOuter is what our own emulator shows, in the form that is compared with pictures.
func asOuter(term *vt.Terminal) *outer {
	v := term.View(nil, 0, 0)
	o := newOuter(v.Cols, v.Rows)
	for y, row := range v.Cells {
		for x, c := range row {
			g := glyph{w: c.Width()}
			if g.w > 0 {
				st := v.Styles[c.Style()]
				g.pen = wire.Pen{FG: uint32(st.FG), BG: uint32(st.BG), UL: uint32(st.UL), Attr: uint16(st.Attr), Under: st.Under}
				g.link = wire.Link(v.Links[st.Link])
				g.text = string(c.Rune())
				if c.IsCluster() {
					g.text = v.Clusters[c.Cluster()]
				}
			}
			o.rows[y][x] = g
		}
	}
	o.x, o.y, o.visible, o.shape, o.color = v.Cursor.X, v.Cursor.Y, v.Cursor.Visible, v.Cursor.Shape, uint32(v.Cursor.Color)
	o.sync = v.Modes.Sync
	return o
}

// TestOurEmulatorEqualsFrames: stet within stet shows each frame, too.
func TestOurEmulatorEqualsFrames(t *testing.T) {
	rounds := uint64(150)
	if testing.Short() {
		rounds = 20
	}
	texts := glyphs()
	for seed := range rounds {
		g := gen{rand.New(rand.NewPCG(seed, 11))}
		w, h := 2+g.IntN(40), 1+g.IntN(12)
		term := vt.New(vt.Options{Cols: w, Rows: h})
		term.Write([]byte(enterSequence))
		// It joins clusters, so half of the time it may be trusted to.
		s := NewScreen(w, h, Caps{Sync: g.IntN(2) == 0, Clusters: g.IntN(2) == 0, Under: true, BCE: true, REP: g.IntN(2) == 0, Holds: true})
		var prev *picture
		p := newPicture(w, h)
		for step := range 20 {
			var scrolls []wire.Scroll
			if step > 0 {
				scrolls = g.mutate(p, texts)
			}
			b, err := s.Apply(p.frame(prev, scrolls...))
			if err != nil {
				t.Fatal(err)
			}
			term.Write(b)
			if d := asOuter(term).diff(p); d != "" {
				t.Fatalf("seed %d, step %d, %+v, scrolls %v:\n%s\nbytes %q", seed, step, s.enc.caps, scrolls, d, b)
			}
			prev = p.clone()
		}
		s.Close()
		term.Write(appendLeave(nil, modes{}, s.enc.caps, true, false))
		if m := term.Modes(); m.AltScreen || m.BracketedPaste || m.Sync {
			t.Fatalf("modes after leaving: %+v", m)
		}
	}
}

// TestOurEmulatorAnswersTheQueries: a client within a pane learns what the pane can do, and none of
// the answers is taken for a key.
func TestOurEmulatorAnswersTheQueries(t *testing.T) {
	term := vt.New(vt.Options{Cols: 10, Rows: 2})
	term.Write([]byte(queries))
	f := guess("")
	var all []byte
	for _, r := range term.TakeReplies() {
		all = append(all, r.Data...)
	}
	var s session
	s.feat = f
	s.dec.Expecting = true
	for _, b := range bytes.SplitAfter(all, nil) { // a byte at a time
		s.dec.Feed(b, time.Unix(1, 0), func(e key.Event) {
			if e.Kind != key.KindReply {
				t.Errorf("an answer became %+v", e)
			}
			s.feat.answer(e.Data)
		})
	}
	if !s.feat.done || !s.feat.Caps.Sync {
		t.Errorf("answers %q gave %+v", all, s.feat)
	}
}
