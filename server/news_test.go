package server

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"stet/resurrect"
)

func TestNewsIsBoundedAndToldOnce(t *testing.T) {
	s, _, _ := house(t)
	for i := range maxNews + 3 { // a program may break its emulator again and again
		s.news.add(strconv.Itoa(i))
	}
	if n := s.Notes(); len(n) != maxNews || n[0] != "3" || n[maxNews-1] != "1002" {
		t.Errorf("%d notes, from %s to %s", len(n), n[0], n[len(n)-1])
	}
	if got, want := s.greeting(), "1002 (and 999 more: stet report)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := s.greeting(); got != "" {
		t.Errorf("told twice: %q", got)
	}
}

func TestOnePaneIsNoPanes(t *testing.T) {
	s, _, _ := house(t)
	s.restoring.report = &resurrect.Report{Rows: make([]resurrect.Row, 1)}
	if got := s.greeting(); !strings.HasPrefix(got, "stet report: 1 pane restored") {
		t.Errorf("%q", got)
	}
}

// The line that offers a workspace goes with the offer; another one stays.
func TestTheOfferGoesWithTheWorkspace(t *testing.T) {
	s, ses, _ := house(t)
	c, d := visitor(s, ses, 80, 24, time.Now()), visitor(s, ses, 80, 24, time.Now())
	s.restoring.offer = &resurrect.Workspace{SavedAt: time.Now()}
	c.message, d.message = s.greeting(), "another"
	if !strings.Contains(c.message, "brings back the workspace") {
		t.Fatalf("told is %q", c.message)
	}
	if s.endOffer(); s.restoring.offer != nil || c.message != "" || !c.stale || d.message != "another" {
		t.Errorf("%q and %q are left", c.message, d.message)
	}
}
