package server

import (
	"testing"
	"time"

	"stet/server/copymode"
)

// mail does what has been posted to the loop, and tells how much that was. It waits for the first of it.
func (s *Server) mail() int {
	<-s.loop.bell
	fs := s.loop.take()
	for _, f := range fs {
		f()
	}
	return len(fs)
}

// However often a pane is asked for, one copy of it is made at a time, and the last one asked for is made.
func TestOneCopyOfAPaneIsMadeAtATime(t *testing.T) {
	s, ses, w := house(t)
	c := visitor(s, ses, 80, 24, time.Time{})
	set := func() copymode.Settings { return copymode.Settings{} }
	first, second := copymode.New(copymode.Options{Cols: 9, Rows: 9, Settings: set}), copymode.New(copymode.Options{Cols: 9, Rows: 9, Settings: set})
	done := 0
	for i := range 100 {
		m := first
		if i == 99 {
			m = second
		}
		s.load(c.id, w.Active, w.Active, m, func() { done++ })
	}
	if n := s.mail(); n != 1 || done != 1 || !first.Loaded() || second.Loaded() {
		t.Errorf("%d copies at once, %d answers, loaded %v, %v", n, done, first.Loaded(), second.Loaded())
	}
	if n := s.mail(); n != 1 || done != 100 || !second.Loaded() {
		t.Errorf("%d copies then, %d answers, the newest is loaded: %v", n, done, second.Loaded())
	}
	if len(s.loads) != 0 {
		t.Errorf("%v goes on", s.loads)
	}
}
