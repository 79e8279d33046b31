package server

import (
	"strconv"
	"testing"
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
