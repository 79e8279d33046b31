package client

import (
	"fmt"
	"time"

	"stet/server/wire"
	"stet/vt/key"
)

// silentTime is how long input may be unacknowledged, or a server lost, until the person is told and may
// leave. A server that works acknowledges within half a second, and holds up a client whose paste a
// program reads slowly for two more.
const silentTime = 3 * time.Second

// leaveKey leaves a server that does not answer when it is pressed twice in a row.
var leaveKey = key.Chord{Key: 'c', Mod: key.Ctrl}

// silence watches whether the server answers. Its timer runs only while input is unacknowledged or the
// server is lost, and once more after that.
type silence struct {
	timer   *time.Timer
	running bool
	awaited uint64     // number of the input that the timer waits for; 0: it was acknowledged, or there is none
	told    bool       // the person knows: input is kept here, and leaveKey leaves
	half    *key.Event // the first of two leaveKeys
}

// silenceDue is what the loop hears of the timer.
type silenceDue struct{}

// watch arms the timer, where there is anything to wait for.
func (s *session) watch() {
	q := &s.silence
	if q.running {
		return
	}
	if s.link != nil && s.attached {
		if len(s.box.sent) == 0 {
			return
		}
		q.awaited = s.box.sent[0].seq
	}
	q.running = true
	q.timer.Reset(silentTime)
}

// lookForSilence is called when the timer has gone off.
func (s *session) lookForSilence() {
	q := &s.silence
	q.running = false
	switch {
	case q.told:
	case s.link != nil && s.attached && q.awaited == 0:
		s.watch()
	default:
		q.told = true
		s.notice.Stop()
		s.say(s.trouble())
	}
}

// trouble is the notice while the server does not answer. It is short, because terminals may be narrow.
func (s *session) trouble() string {
	who, what, tail := "server lost", "reconnecting", "..."
	if s.link != nil {
		who, what = fmt.Sprintf("server %d does not answer", s.link.server), "waiting"
	}
	if s.refusing {
		what, tail = "keys refused", "; too many wait"
	}
	if s.silence.told {
		tail = "; C-c C-c leaves"
	}
	return who + ", " + what + tail
}

// acknowledged is called when input up to seq was handled.
func (s *session) acknowledged(seq uint64) {
	q := &s.silence
	if seq >= q.awaited {
		q.awaited = 0
	}
	if q.told {
		s.answered()
		s.say("")
		s.box.send(s.link)
		s.watch()
	}
}

// answered ends a silence. A single leaveKey was meant for us, and a program must not be interrupted by it.
func (s *session) answered() { s.silence.told, s.silence.half, s.refusing = false, nil, false }

// leaving takes the leaveKey out of what was typed while the server does not answer, and says whether it
// came twice in a row. When something else comes behind one it was input like everything else.
func (s *session) leaving() bool {
	q := &s.silence
	kept := make([]key.Event, 0, len(s.batch)+1)
	for _, e := range s.batch {
		switch {
		case isLeaveKey(e) && q.half != nil:
			s.box.add(kept)
			return true
		case isLeaveKey(e):
			q.half = &e
		case e.Kind == key.KindKey && e.Act == key.Release, e.Kind == key.KindMouse, e.Kind == key.KindFocus:
			kept = append(kept, e)
		default:
			if q.half != nil {
				kept = append(kept, *q.half)
				q.half = nil
			}
			kept = append(kept, e)
		}
	}
	s.batch = kept
	return false
}

func isLeaveKey(e key.Event) bool {
	return e.Kind == key.KindKey && e.Act != key.Release && e.Chord() == leaveKey
}

// silent says whether the person was told that the server does not answer.
func (s *session) silent() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.silence.told
}

// left is the end of a session whose server does not answer. What was sent may be handled yet, the rest not.
func (s *session) left() *end {
	sent, kept := 0, 0
	for _, b := range s.box.sent {
		sent += b.keys
	}
	for _, b := range s.box.waiting {
		kept += b.keys
	}
	line := "[left: the server is lost"
	if s.link != nil {
		line = fmt.Sprintf("[left: server %d does not answer", s.link.server)
	}
	if sent > 0 {
		line += fmt.Sprintf("; up to %d key(s) typed may still reach it", sent)
	}
	if kept > 0 {
		line += fmt.Sprintf("; %d were not sent", kept)
	}
	return &end{code: 1, line: line + "]", tell: true}
}

// overflow tells that too much is typed for a server that does not answer.
func (s *session) overflow() {
	s.refusing = true
	s.draw.push(job{outer: &wire.Outer{Kind: wire.OuterBell}})
	s.say(s.trouble())
}
