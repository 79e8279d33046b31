package model

import (
	"strings"
	"testing"
	"time"
)

// heard is one thing that happens to an agent, at a second.
type heard struct {
	at     int
	source StatusSource // "answer", "interrupt" and "print" are what happens besides
	word   StatusWord
}

func second(n int) time.Time { return time.Unix(1000+int64(n), 0) }

func TestWhichWordCounts(t *testing.T) {
	const quiet = 60 * time.Second
	for name, c := range map[string]struct {
		heard  []heard
		now    int
		word   StatusWord
		source StatusSource
	}{
		"nothing was heard":                       {nil, 1, StatusUnknown, ""},
		"a hook":                                  {[]heard{{1, FromHook, StatusIdle}}, 2, StatusIdle, FromHook},
		"a turn that is over":                     {[]heard{{1, FromHook, StatusWorking}, {5, FromHook, StatusIdle}}, 6, StatusDone, FromHook},
		"a start is no turn":                      {[]heard{{1, FromHook, StatusIdle}, {2, FromHook, StatusIdle}}, 3, StatusIdle, FromHook},
		"done stays done":                         {[]heard{{1, FromHook, StatusWorking}, {5, FromHook, StatusIdle}, {9, FromHook, StatusIdle}}, 10, StatusDone, FromHook},
		"the title alone":                         {[]heard{{1, FromTitle, StatusWorking}, {2, "print", ""}}, 3, StatusWorking, FromTitle},
		"a model can print a title":               {[]heard{{1, FromHook, StatusWorking}, {9, FromTitle, StatusIdle}, {10, "print", ""}}, 11, StatusWorking, FromHook},
		"nor does it answer a question":           {[]heard{{1, FromHook, StatusBlocked}, {9, FromTitle, StatusWorking}}, 11, StatusBlocked, FromHook},
		"a person has interrupted it":             {[]heard{{1, FromHook, StatusWorking}, {8, "interrupt", ""}, {9, FromTitle, StatusIdle}}, 11, StatusDone, FromTitle},
		"interrupted, and it goes on":             {[]heard{{1, FromHook, StatusWorking}, {8, "interrupt", ""}, {9, "print", ""}}, 11, StatusWorking, FromHook},
		"an interruption before the turn":         {[]heard{{1, "interrupt", ""}, {2, FromHook, StatusWorking}, {9, FromTitle, StatusIdle}}, 11, StatusWorking, FromHook},
		"a title behind its hook":                 {[]heard{{1, FromHook, StatusWorking}, {5, FromHook, StatusIdle}, {6, FromTitle, StatusWorking}}, 7, StatusDone, FromHook},
		"a turn that no hook told of":             {[]heard{{1, FromHook, StatusIdle}, {9, FromTitle, StatusWorking}}, 11, StatusWorking, FromTitle},
		"its own file is believed":                {[]heard{{1, FromHook, StatusWorking}, {9, FromFile, StatusIdle}}, 11, StatusDone, FromFile},
		"but not an older one":                    {[]heard{{1, FromFile, StatusWorking}, {9, FromHook, StatusIdle}}, 11, StatusDone, FromHook},
		"its file before its title":               {[]heard{{1, FromFile, StatusWorking}, {9, FromTitle, StatusIdle}}, 11, StatusWorking, FromFile},
		"silence":                                 {[]heard{{1, FromHook, StatusWorking}}, 61, StatusUnknown, ""},
		"not quite silence":                       {[]heard{{1, FromHook, StatusWorking}, {30, "print", ""}}, 61, StatusWorking, FromHook},
		"silence, and the title knows":            {[]heard{{1, FromHook, StatusWorking}, {9, FromTitle, StatusIdle}}, 75, StatusDone, FromTitle},
		"who waits is silent":                     {[]heard{{1, FromHook, StatusBlocked}}, 5000, StatusBlocked, FromHook},
		"answered":                                {[]heard{{1, FromHook, StatusBlocked}, {3, "answer", ""}}, 4, StatusUnknown, ""},
		"answered, and the title knows":           {[]heard{{1, FromHook, StatusBlocked}, {3, "answer", ""}, {4, FromTitle, StatusWorking}}, 5, StatusWorking, FromTitle},
		"asked again":                             {[]heard{{1, FromHook, StatusBlocked}, {3, "answer", ""}, {4, FromHook, StatusBlocked}}, 5, StatusBlocked, FromHook},
		"the title asks":                          {[]heard{{1, FromHook, StatusWorking}, {5, FromTitle, StatusBlocked}}, 8, StatusBlocked, FromTitle},
		"of what it prints the latest":            {[]heard{{1, FromTitle, StatusWorking}, {5, FromProgress, StatusIdle}}, 8, StatusDone, FromProgress},
		"an error":                                {[]heard{{1, FromHook, StatusWorking}, {5, FromHook, StatusError}}, 8, StatusError, FromHook},
		"an error that nobody has seen":           {[]heard{{1, FromHook, StatusWorking}, {5, FromHook, StatusError}, {65, FromHook, StatusIdle}}, 70, StatusError, FromHook},
		"an error, and a new turn":                {[]heard{{1, FromHook, StatusError}, {5, FromHook, StatusWorking}}, 6, StatusWorking, FromHook},
		"what came of silence is still a turn":    {[]heard{{1, FromHook, StatusWorking}, {100, "judge", ""}, {101, FromHook, StatusIdle}}, 102, StatusDone, FromHook},
		"an answer is no end":                     {[]heard{{1, FromHook, StatusBlocked}, {3, "answer", ""}, {5, FromHook, StatusIdle}}, 6, StatusDone, FromHook},
		"a notification says that it is asked":    {[]heard{{1, FromHook, StatusWorking}, {5, FromNotify, StatusBlocked}}, 8, StatusBlocked, FromNotify},
		"of what it prints what may be true":      {[]heard{{1, FromTitle, StatusWorking}, {5, FromNotify, StatusBlocked}, {6, "answer", ""}}, 8, StatusWorking, FromTitle},
		"one that is older than the hook is past": {[]heard{{1, FromNotify, StatusBlocked}, {5, FromHook, StatusWorking}}, 8, StatusWorking, FromHook},
	} {
		a := &Agent{State: AgentRunning}
		var printed time.Time
		for _, h := range c.heard {
			switch h.source {
			case "answer":
				a.Touched.Answered = second(h.at)
			case "interrupt":
				a.Touched.Answered, a.Touched.Interrupted = second(h.at), second(h.at)
			case "print":
				printed = second(h.at)
			case "judge":
			default:
				a.Hear(h.source, h.word, "", second(h.at))
			}
			a.Judge(second(h.at), printed, quiet)
		}
		a.Judge(second(c.now), printed, quiet)
		if got := a.Status; got.Word != c.word || got.Source != c.source {
			t.Errorf("%s: %s by %q, want %s by %q\n%+v", name, got.Word, got.Source, c.word, c.source, a.Verdicts(second(c.now), printed, quiet))
		}
		counts := 0
		for _, v := range a.Verdicts(second(c.now), printed, quiet) {
			if v.Counts {
				counts++
			}
			if v.Counts == (v.Why != "") {
				t.Errorf("%s: %+v", name, v)
			}
		}
		if counts > 1 {
			t.Errorf("%s: %d words count", name, counts)
		}
	}
}

func TestSomebodyLooksAtAnAgent(t *testing.T) {
	a := &Agent{State: AgentRunning}
	say := func(n int, w StatusWord) {
		a.Hear(FromHook, w, "", second(n))
		a.Judge(second(n), time.Time{}, time.Minute)
	}
	if a.Looked(second(0)) {
		t.Error("there was nothing to see")
	}
	say(1, StatusWorking)
	say(5, StatusIdle)
	if a.Status.Word != StatusDone || !a.Status.Since.Equal(second(5)) || !a.Looked(second(9)) || a.Status.Word != StatusIdle {
		t.Errorf("%+v", a.Status)
	}
	if a.Judge(second(10), time.Time{}, time.Minute); a.Status.Word != StatusIdle || !a.Status.Since.Equal(second(9)) {
		t.Errorf("%+v", a.Status)
	}
	say(11, StatusError)
	if a.Looked(second(12)) || a.Status.Word != StatusError {
		t.Errorf("%+v", a.Status)
	}
	if say(13, StatusIdle); a.Status.Word != StatusIdle {
		t.Errorf("%+v", a.Status)
	}
}

// Whatever has been said, an agent that does not run does nothing.
func TestTheStatusOfAnAgentThatDoesNotRun(t *testing.T) {
	for state, want := range map[AgentState]AgentStatus{
		AgentLaunching: {Word: StatusUnknown, Source: FromLaunch}, AgentWaiting: {Word: StatusUnknown, Source: FromRestore},
		AgentFailed: {Word: StatusError, Source: FromExit}, "of a newer build": {Word: StatusUnknown, Source: FromRestore},
	} {
		a := &Agent{State: state}
		a.Hear(FromHook, StatusWorking, "", second(1))
		if !a.Judge(second(2), second(2), time.Minute) || a.Status.Word != want.Word || a.Status.Source != want.Source {
			t.Errorf("%s: %+v", state, a.Status)
		}
		if a.Judge(second(3), second(3), time.Minute) {
			t.Errorf("%s: it has changed", state)
		}
	}
}

func TestWhatAnAgentSaysIsBounded(t *testing.T) {
	a := &Agent{State: AgentRunning}
	for n := range 1000 {
		a.Hear(FromTitle, StatusWorking, strings.Repeat("é\x1b", 500), second(n))
	}
	if len(a.Words) != 1 || len(a.Words[0].Detail) > maxDetail+4 || strings.ContainsRune(a.Words[0].Detail, 0x1b) || !a.Words[0].Since.Equal(second(0)) {
		t.Errorf("%d words, %q", len(a.Words), a.Words[0].Detail)
	}
	c := a.Clone()
	c.Hear(FromTitle, StatusIdle, "", second(2000))
	if a.Words[0].Word != StatusWorking {
		t.Error("a copy shares its words")
	}
}

func TestTheWorstOfSeveral(t *testing.T) {
	m := New()
	for i, w := range []StatusWord{StatusIdle, StatusWorking, StatusBlocked, StatusDone, ""} {
		m.Panes[PaneID(i)] = &Pane{ID: PaneID(i), Agent: &Agent{Status: AgentStatus{Word: w}}}
	}
	m.Panes[9] = &Pane{ID: 9}
	for _, c := range []struct {
		panes []PaneID
		want  StatusWord
	}{{[]PaneID{0, 1}, StatusWorking}, {[]PaneID{0, 1, 3}, StatusDone}, {[]PaneID{0, 1, 2, 3}, StatusBlocked}, {[]PaneID{9, 4, 0}, StatusIdle}, {[]PaneID{4}, ""}} {
		if got := m.Worst(c.panes); got == nil || got.Status.Word != c.want {
			t.Errorf("%v: %+v", c.panes, got)
		}
	}
	if m.Worst([]PaneID{9, 77}) != nil {
		t.Error("a pane without an agent has one")
	}
}
