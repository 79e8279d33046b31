package server

import (
	"errors"
	"testing"

	"stet/server/pane"
)

func TestNothingStaysOfAPaneThatIsGone(t *testing.T) {
	s, _, w := house(t)
	s.EnterMode(0, w.Panes()[1], &notes{name: "test-mode"})
	id := w.Panes()[1]
	*s.pane(id) = paneState{asked: [2]int{80, 24}, early: []byte("typed"), why: "no such file", untouched: &picture{}, still: &still{}, modes: s.pane(id).modes}
	if s.pane(id).why == "" || s.modeOf(id) == nil {
		t.Fatal("a pane of the model has no record")
	}
	s.remove(id)
	if s.panes[id] != nil {
		t.Errorf("left over: %+v", s.panes[id])
	}
	// Answers that come too late: the pane was closed while its program was being started.
	s.failedPane(id, errors.New("pane was closed"))
	s.showStill(id, &picture{text: &pane.Text{}})
	if s.panes[id] != nil {
		t.Errorf("made again: %+v", s.panes[id])
	}
}
