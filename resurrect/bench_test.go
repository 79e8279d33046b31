package resurrect

import (
	"fmt"
	"testing"

	"stet/layout"
)

// many is a workspace of 50 panes, one a window.
func many() *Workspace {
	ws := sample()
	s := &ws.Sessions[0]
	one := s.Windows[1]
	ws.NextPane, ws.NextWindow = 1000, 1000
	for i := range 48 {
		w := one
		w.ID, w.Index = 100+i, 100+i
		p := ws.Sessions[0].Windows[0].Panes[0]
		p.ID, p.UID = 100+i, fmt.Sprint("pane-", i)
		w.Panes = []Pane{p}
		w.Layout = layout.New(80, 24, p.ID).String()
		s.Windows = append(s.Windows, w)
	}
	return ws
}

func BenchmarkEncode(b *testing.B) {
	ws := many()
	for b.Loop() {
		if _, err := Encode(ws); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDecode(b *testing.B) {
	text, err := Encode(many())
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Decode("w", text); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeScreen(b *testing.B) {
	s := sampleScreen()
	s.Rows, s.Main = 50, nil
	for range 50 {
		s.Main = append(s.Main, "\x1b[32mok\x1b[m  stet/resurrect/store  a line of a hundred columns or so, which is about what a screen is made of")
	}
	for b.Loop() {
		EncodeScreen(s)
	}
}
