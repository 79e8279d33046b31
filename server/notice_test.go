package server

import (
	"strings"
	"testing"
	"time"
)

func TestNoticesAreFew(t *testing.T) {
	var n notices
	at := time.Unix(1000, 0)
	told := 0
	for range 100 {
		if n.take(at) {
			told++
		}
	}
	if told != noticeBurst {
		t.Errorf("%d at once", told)
	}
	if at = at.Add(noticeEvery); !n.take(at) || n.take(at) {
		t.Error("one more is told each time")
	}
	at = at.Add(time.Hour)
	for told = 0; n.take(at); {
		told++
	}
	if told != noticeBurst {
		t.Errorf("%d after a pause", told)
	}
}

func TestTheTextOfANotice(t *testing.T) {
	s, _, w := house(t)
	p := s.model.Panes[w.Active]
	w.Name = "fix\x1b]0;evil\x07"
	if got, want := s.noticeText(p, "claude\x1b[2J waits\nfor you "), "claude[2J waits: for you (work:0 fix]0;evil)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	w.Name = strings.Repeat("é", 500)
	if got := s.noticeText(p, strings.Repeat("日", 500)); len(got) > 2*maxNotice+16 || !strings.HasSuffix(got, "é…)") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
}
