package server

import (
	"testing"
)

// What a hook changes takes effect in the same turn, whatever had changed before it: there may be no other
// turn for a long time.
func TestPanesFollowWhatAHookChanges(t *testing.T) {
	s, ses, w := house(t)
	if err := s.options.Set(globalWindow).Set("window-pane-changed", "resize-pane -y 5"); err != nil {
		t.Fatal(err)
	}
	s.hooksChanged()
	ids := w.Panes()
	m := &notes{name: "n"}
	s.EnterMode(0, ids[0], m)
	m.got()
	if _, err := s.model.SelectPane(ids[0], false); err != nil {
		t.Fatal(err)
	}
	if !s.followModel() {
		t.Error("nothing has changed")
	}
	if r, _ := s.model.Rect(ids[0]); r.H != 5 {
		t.Fatalf("the hook has not run: %+v in %v", r, ses.Name)
	}
	m.want(t, "the pane's mode", "80x5")
}
