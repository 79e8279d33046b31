package model

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"stet/layout"
)

func closeThem(t *testing.T, m *Model, ids ...PaneID) *Closed {
	t.Helper()
	if _, _, err := m.Close(ids, at.Add(time.Minute), at, func(c *Closed) string { return fmt.Sprint(c.Whole, len(c.Panes)) }); err != nil {
		t.Fatal(err)
	}
	check(t, m)
	return m.Closed[len(m.Closed)-1]
}

func reopen(t *testing.T, m *Model, c *Closed, shift bool) {
	t.Helper()
	if err := m.Reopen(c, 0, shift); err != nil {
		t.Fatal(err)
	}
	check(t, m)
}

func TestClosedPanesComeBackWhereTheyWere(t *testing.T) {
	m, _, w := fixture(t, 4)
	if err := m.ResizePane(1, layout.Down, 2); err != nil {
		t.Fatal(err)
	}
	if err := m.Zoom(w.ID, true); err != nil {
		t.Fatal(err)
	}
	before, active := w.Layout.String(), w.Active
	first := closeThem(t, m, 1)
	second := closeThem(t, m, active)
	if m.Lookup(1) == nil || !m.IsClosed(1) || m.Panes[1] != nil || first.Name != "false 1" {
		t.Errorf("%+v", first)
	}
	if got := m.Last(0); len(got) != 1 || got[0] != second {
		t.Errorf("last closed %v", got)
	}
	reopen(t, m, second, false)
	reopen(t, m, first, false)
	if w.Layout.String() != before || w.Active != active || len(m.Closed) != 0 {
		t.Errorf("%s with %v active, was %s with %v", w.Layout, w.Active, before, active)
	}
}

func TestAPaneComesBackIntoAWindowOfAnotherSize(t *testing.T) {
	m, _, w := fixture(t, 3)
	shape := w.Layout
	c := closeThem(t, m, 1)
	if err := m.ResizeWindow(w.ID, 132, 50); err != nil {
		t.Fatal(err)
	}
	reopen(t, m, c, false)
	if x, y := w.Layout.Size(); !w.Layout.SameShape(shape) || x != 132 || y != 50 {
		t.Errorf("%s", w.Layout)
	}
}

func TestAPaneComesBackBesideItsNeighbourWhenTheWindowIsDividedAnew(t *testing.T) {
	m, _, w := fixture(t, 3) // one above the other
	c := closeThem(t, m, 2)
	if _, err := m.SplitPane(0, Split{SplitOptions: layout.SplitOptions{Horizontal: true}}, PaneSpec{UID: "new"}, at); err != nil {
		t.Fatal(err)
	}
	reopen(t, m, c, false)
	above, _ := w.Layout.Rect(1)
	r, ok := w.Layout.Rect(2)
	if !ok || r.X != above.X || r.Y != above.Y+above.H+1 {
		t.Errorf("%s", w.Layout)
	}
}

func TestAPaneThatFindsNoRoomWaitsOn(t *testing.T) {
	m, s, w := fixture(t, 2)
	c := closeThem(t, m, 1)
	if err := m.ResizeWindow(w.ID, 2, 2); err != nil {
		t.Fatal(err)
	}
	other, _, err := m.NewWindow(s.ID, 5, false, "", PaneSpec{UID: "y"}, at)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SwapPanes(0, other.Active); err != nil { // so that the window is not as it was
		t.Fatal(err)
	}
	if err := m.Reopen(c, 0, false); err == nil || len(m.Closed) != 1 {
		t.Errorf("error %v, %d waiting", err, len(m.Closed))
	}
	check(t, m)
}

func TestAClosedWindowComesBackAtItsIndex(t *testing.T) {
	m, s, _ := fixture(t, 1)
	w, p, err := m.NewWindow(s.ID, 3, false, "mine", PaneSpec{UID: "a"}, at)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.SplitPane(p.ID, Split{}, PaneSpec{UID: "b"}, at); err != nil {
		t.Fatal(err)
	}
	if err := m.SelectWindow(s.ID, 3); err != nil {
		t.Fatal(err)
	}
	layout := w.Layout.String()
	c := closeThem(t, m, w.Panes()...)
	if !c.Whole || m.Windows[w.ID] != nil || len(s.Links) != 1 || c.Name != "true 2" {
		t.Fatalf("%+v", c)
	}
	reopen(t, m, c, false)
	back := m.Windows[w.ID]
	if l, ok := s.Link(3); !ok || l.Window != w.ID || s.Current != 3 || back.Name != "mine" || back.Layout.String() != layout {
		t.Errorf("links %v, current %d, %+v", s.Links, s.Current, back)
	}

	for _, shift := range []bool{true, false} {
		c = closeThem(t, m, m.Windows[w.ID].Panes()...)
		taken, _, err := m.NewWindow(s.ID, 3, false, "", PaneSpec{UID: fmt.Sprint("c", shift)}, at)
		if err != nil {
			t.Fatal(err)
		}
		reopen(t, m, c, shift)
		l, _ := s.LinkOf(w.ID)
		if o, _ := s.LinkOf(taken.ID); shift && (l.Index != 3 || o.Index != 4) || !shift && (l.Index == 3 || o.Index != 3) {
			t.Errorf("shift %v: links %v", shift, s.Links)
		}
		for _, id := range taken.Panes() {
			if _, err := m.RemovePane(id); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.RenumberWindows(s.ID, 2); err != nil { // 2 and 3 again
			t.Fatal(err)
		}
	}
}

func TestWhatIsLostWhileItWaits(t *testing.T) {
	m, s, _ := fixture(t, 1)
	w, p, _ := m.NewWindow(s.ID, 1, false, "", PaneSpec{UID: "a"}, at)
	if _, err := m.SplitPane(p.ID, Split{}, PaneSpec{UID: "b"}, at); err != nil {
		t.Fatal(err)
	}
	c := closeThem(t, m, w.Panes()...)
	r, ok := m.Forsake(w.Active)
	check(t, m)
	if !ok || len(r.Panes) != 1 || len(r.Windows) != 0 || len(c.Panes) != 1 {
		t.Errorf("%v %+v", ok, r)
	}
	reopen(t, m, c, false)
	if got := m.Windows[w.ID].Panes(); !slices.Equal(got, []PaneID{p.ID}) {
		t.Errorf("panes %v", got)
	}
	c = closeThem(t, m, p.ID)
	if r, ok := m.Forsake(p.ID); !ok || len(r.Windows) != 1 || len(m.Closed) != 0 {
		t.Errorf("%v %+v", ok, r)
	}
	if err := m.Reopen(c, 0, false); err != ErrNothingClosed {
		t.Error(err)
	}
}

func TestThePanesOfASessionsLastWindowAreNotKept(t *testing.T) {
	m, _, _ := fixture(t, 2)
	if _, _, err := m.Close([]PaneID{0, 1}, at, at, func(*Closed) string { return "" }); err == nil || len(m.Panes) != 2 {
		t.Error("closed")
	}
}

func TestOnlySoManyWait(t *testing.T) {
	m, s, _ := fixture(t, 1)
	var over []*Pane
	for i := range MaxClosed + 2 {
		_, p, err := m.NewWindow(s.ID, i+1, false, "", PaneSpec{UID: fmt.Sprint("w", i)}, at)
		if err != nil {
			t.Fatal(err)
		}
		_, more, err := m.Close([]PaneID{p.ID}, at, at, func(*Closed) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		over = append(over, more...)
		check(t, m)
	}
	if len(over) != 2 || over[0].ID != 1 || over[1].ID != 2 || len(m.Closed) != MaxClosed {
		t.Errorf("%d over, %d wait", len(over), len(m.Closed))
	}
}

func TestClosedInASessionComesBeforeClosedElsewhere(t *testing.T) {
	m, s, _ := fixture(t, 2)
	o, w, _, err := m.NewSession(SessionSpec{Name: "other", Now: at}, PaneSpec{UID: "o"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.SplitPane(w.Active, Split{}, PaneSpec{UID: "o2"}, at); err != nil {
		t.Fatal(err)
	}
	here := closeThem(t, m, 1)
	there := closeThem(t, m, w.Active)
	if got := m.Last(s.ID); got[0] != here {
		t.Error("not the session's own")
	}
	if got := m.Last(o.ID); got[0] != there {
		t.Error("not the other session's own")
	}
	reopen(t, m, here, false)
	if got := m.Last(s.ID); got[0] != there {
		t.Error("not that of another session, where there is none of its own")
	}
}
