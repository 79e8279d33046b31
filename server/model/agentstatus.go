package model

import (
	"fmt"
	"slices"
	"time"
)

// StatusWord is what an agent does, as far as it is known.
type StatusWord string

// The words, the one that wants a person most first. Done is Idle of which nobody has taken note.
const (
	StatusBlocked StatusWord = "blocked" // it waits for an answer
	StatusError   StatusWord = "error"   // its turn, or its program, was ended by an error
	StatusDone    StatusWord = "done"    // its turn is over, and nobody has looked since
	StatusWorking StatusWord = "working"
	StatusIdle    StatusWord = "idle" // it waits for a prompt
	StatusUnknown StatusWord = "unknown"
)

// statusOrder are the words from the one that wants a person most to the one that wants nobody.
var statusOrder = [...]StatusWord{StatusBlocked, StatusError, StatusDone, StatusWorking, StatusIdle, StatusUnknown}

// Rank is 0 for the word that wants a person most; a larger one for what is no word.
func (w StatusWord) Rank() int {
	if i := slices.Index(statusOrder[:], w); i >= 0 {
		return i
	}
	return len(statusOrder)
}

// WantsPerson says that somebody should look.
func (w StatusWord) WantsPerson() bool { return w.Rank() <= StatusDone.Rank() }

// StatusSource is where a word comes from.
type StatusSource string

// The sources. A hook is the agent itself, and so is its state file. The others are what it prints, which a
// model can make it print, too.
const (
	FromHook     StatusSource = "hook"
	FromFile     StatusSource = "file"
	FromTitle    StatusSource = "title"
	FromProgress StatusSource = "progress"
	FromNotify   StatusSource = "notification"
	FromBell     StatusSource = "bell"

	// FromLaunch, FromRestore and FromExit are no words of the agent: it is being started, was not resumed, or
	// has ended.
	FromLaunch  StatusSource = "launch"
	FromRestore StatusSource = "restore"
	FromExit    StatusSource = "exit"
)

// printed says that a source is output of the agent's terminal.
func (s StatusSource) printed() bool { return s != FromHook && s != FromFile }

// AgentWord is the last that one source has said.
type AgentWord struct {
	Source StatusSource
	Word   StatusWord
	Detail string    // the event, the title: for people
	Since  time.Time // since when it says so
	At     time.Time // when it said so last
}

// AgentStatus is what an agent does.
type AgentStatus struct {
	Word   StatusWord
	Source StatusSource // "" where nothing is known
	Since  time.Time
	Turn   bool // it has worked since it was idle last
	Seen   bool // a person has looked since it is so
}

// Touched is what else has happened to an agent's pane, by which old words are judged.
type Touched struct {
	Answered    time.Time // when a key was typed last that can answer a question
	Interrupted time.Time // when one was that can interrupt a turn
}

const (
	// overtakes is by how much a weaker source's word must be newer to count against a stronger one: a hook and
	// the title that goes with it come in any order.
	overtakes = 2 * time.Second
	maxDetail = 200 // bytes
)

// Hear notes what a source has said of the agent.
func (a *Agent) Hear(source StatusSource, word StatusWord, detail string, at time.Time) {
	w := AgentWord{source, word, CleanText(detail), at, at}
	if len(w.Detail) > maxDetail {
		w.Detail = CleanText(w.Detail[:maxDetail])
	}
	i := slices.IndexFunc(a.Words, func(o AgentWord) bool { return o.Source == source })
	if i < 0 {
		a.Words = append(a.Words, w)
		return
	}
	if a.Words[i].Word == word {
		w.Since = a.Words[i].Since
	}
	a.Words[i] = w
}

// Word is what a source has said last, "" nothing.
func (a *Agent) Word(source StatusSource) StatusWord {
	for _, w := range a.Words {
		if w.Source == source {
			return w.Word
		}
	}
	return ""
}

// BeginStatus forgets what was known of another run of the agent.
func (a *Agent) BeginStatus() {
	a.Words, a.Touched, a.Status = nil, Touched{}, AgentStatus{}
}

// Verdict is one source's word, and what came of it.
type Verdict struct {
	AgentWord
	Counts bool
	Why    string // why it does not count
}

// Verdicts judges what the sources have said, the strongest first, of which at most one counts. printed is
// when the agent's terminal printed last, quiet how long one that works may print nothing.
func (a *Agent) Verdicts(now, printed time.Time, quiet time.Duration) []Verdict {
	var out []Verdict
	add := func(want func(StatusSource) bool) {
		n := len(out)
		for _, w := range a.Words {
			if want(w.Source) {
				out = append(out, Verdict{AgentWord: w})
			}
		}
		slices.SortStableFunc(out[n:], func(x, y Verdict) int { return y.At.Compare(x.At) })
	}
	add(func(s StatusSource) bool { return s == FromHook })
	add(func(s StatusSource) bool { return s == FromFile })
	add(StatusSource.printed)
	first := true
	for i := range out {
		v := &out[i]
		if v.Why = a.outdated(v.AgentWord, now, printed, quiet); v.Why != "" || !v.Source.printed() {
			continue
		}
		if !first { // of what it prints, the latest alone
			v.Why = "something that it printed later counts more"
		}
		first = false
	}
	for i := range out {
		v := &out[i]
		if v.Why != "" {
			continue
		}
		for _, weaker := range out[i+1:] {
			if weaker.Why == "" && a.overrules(weaker.AgentWord, v.AgentWord) {
				v.Why = fmt.Sprintf("the %s says %s since", weaker.Source, weaker.Word)
				break
			}
		}
		if v.Why != "" {
			continue
		}
		v.Counts = true
		for j := i + 1; j < len(out); j++ {
			if out[j].Why == "" {
				out[j].Why = fmt.Sprintf("the %s counts more", v.Source)
			}
		}
		break
	}
	return out
}

// outdated says why a word need not be true any more, "" if it may be.
func (a *Agent) outdated(w AgentWord, now, printed time.Time, quiet time.Duration) string {
	last := w.At
	if printed.After(last) {
		last = printed
	}
	switch {
	case w.Word == StatusWorking && now.Sub(last) >= quiet:
		return fmt.Sprintf("nothing was printed for %v", now.Sub(last).Round(time.Second))
	case w.Word == StatusBlocked && a.Touched.Answered.After(w.At):
		return "keys were typed since, which may be the answer"
	}
	return ""
}

// overrules says that a weaker source's word is newer, and is one that it can be believed. What an agent
// prints may be what a model wants to be seen: it can neither end a turn nor answer a question, unless a
// person has interrupted it.
func (a *Agent) overrules(weaker, w AgentWord) bool {
	newer := weaker.Since.Sub(w.At) >= overtakes
	switch {
	case weaker.Word == w.Word:
		return false
	case !weaker.Source.printed():
		return newer
	case w.Word == StatusWorking && weaker.Word == StatusIdle:
		return a.Touched.Interrupted.After(w.At) && weaker.At.After(a.Touched.Interrupted)
	case w.Word == StatusBlocked:
		return false
	}
	return newer
}

// Judge finds out what the agent does, and says whether that is different from what was known.
func (a *Agent) Judge(now, printed time.Time, quiet time.Duration) (changed bool) {
	old := a.Status
	switch a.State {
	case AgentFailed:
		a.Status.Word, a.Status.Source = StatusError, FromExit
	case AgentLaunching:
		a.Status.Word, a.Status.Source = StatusUnknown, FromLaunch
	case AgentRunning:
		a.judgeWords(now, printed, quiet)
	default:
		a.Status.Word, a.Status.Source = StatusUnknown, FromRestore
	}
	if a.Status.Word != old.Word {
		a.Status.Since, a.Status.Seen = now, false
	}
	return a.Status.Word != old.Word || a.Status.Source != old.Source
}

func (a *Agent) judgeWords(now, printed time.Time, quiet time.Duration) {
	was, source := a.Status.Word, a.Status.Source
	a.Status.Word, a.Status.Source = StatusUnknown, ""
	for _, v := range a.Verdicts(now, printed, quiet) {
		if v.Counts {
			a.Status.Word, a.Status.Source = v.Word, v.Source
		}
	}
	switch {
	case a.Status.Word == StatusWorking, a.Status.Word == StatusBlocked:
		a.Status.Turn = true
	case a.Status.Word == StatusIdle && (a.Status.Turn || was == StatusDone):
		a.Status.Word, a.Status.Turn = StatusDone, false
	case a.Status.Word == StatusIdle && was == StatusError && !a.Status.Seen:
		a.Status.Word, a.Status.Source = was, source // it is idle because of that, and nobody knows yet
	case a.Status.Word == StatusError:
		a.Status.Turn = false
	}
}

// Looked notes that a person has seen what the agent does. It says whether that changes it.
func (a *Agent) Looked(now time.Time) bool {
	a.Status.Seen = true
	if a.Status.Word != StatusDone {
		return false
	}
	a.Status.Word, a.Status.Since = StatusIdle, now
	return true
}

// Worst is the status of some panes' agents that wants a person most, nil where none has an agent.
func (m *Model) Worst(panes []PaneID) *Agent {
	var worst *Agent
	for _, id := range panes {
		p := m.Panes[id]
		if p == nil || p.Agent == nil {
			continue
		}
		if worst == nil || p.Agent.Status.Word.Rank() < worst.Status.Word.Rank() {
			worst = p.Agent
		}
	}
	return worst
}
