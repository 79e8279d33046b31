package client

import (
	"time"

	"stet/server/wire"
	"stet/vt/key"
)

// maxInput bounds, in bytes, the input that waits for a server.
const maxInput = 64 << 10

// inbox numbers batches of events and knows what has become of each, so that after the loss of a
// server no key is sent twice: a batch of which a byte may have reached the old server is not sent
// again. It is lost, or handled; nobody can tell, unless the server has said so before it went. Owned by the session (see its mu).
type inbox struct {
	seq     uint64
	used    time.Time // when the client was attached, or typed into last
	waiting []batch   // not given to any link
	size    int       // bytes of waiting
	sent    []batch   // given to the present link and not acknowledged, oldest first
	// untouched says that the server at the other end of that link has handled nothing of it, and will not.
	untouched bool
}

// batch is one Input message.
type batch struct {
	seq  uint64
	data []byte
	keys int
	at   uint64 // where it starts, or earlier, in the stream of the link it was given to
}

// maxSent bounds the unacknowledged batches that are told apart. Beyond it the oldest are counted
// together.
const maxSent = 256

// add makes a batch of events. It refuses, and returns false, when too much waits; the end of a paste
// is taken all the same, so that the server does not wait for it.
func (q *inbox) add(events []key.Event) bool {
	if len(events) == 0 {
		return true
	}
	b := batch{}
	taken := true
	for i, e := range events {
		if e.Kind == key.KindMouse && e.Act == key.Motion && i+1 < len(events) && sameMotion(e, events[i+1]) {
			continue // only where the mouse is now matters
		}
		n := len(b.data)
		b.data = key.Marshal(b.data, e)
		if q.size+len(b.data) > maxInput {
			b.data = b.data[:n]
			if e.Kind == key.KindPaste && e.End {
				b.data = key.Marshal(b.data, key.Event{Kind: key.KindPaste, End: true})
			}
			taken = false
			continue
		}
		if e.Kind == key.KindKey && e.Act != key.Release || e.Kind == key.KindPaste {
			b.keys++
		}
	}
	if len(b.data) > 0 {
		q.seq++
		b.seq = q.seq
		q.used = time.Now()
		q.waiting = append(q.waiting, b)
		q.size += len(b.data)
	}
	return taken
}

func sameMotion(a, b key.Event) bool {
	return b.Kind == key.KindMouse && b.Act == key.Motion && a.Button == b.Button && a.Mod == b.Mod
}

// send gives what waits to l.
func (q *inbox) send(l *link) {
	for len(q.waiting) > 0 {
		b := q.waiting[0]
		b.at, _ = l.offsets()
		if l.wire.SendInput(wire.Input{Seq: b.seq, Data: b.data}) != nil {
			return // the link is about to be lost
		}
		q.waiting = q.waiting[1:]
		q.size -= len(b.data)
		q.keep(l, b)
	}
	q.waiting = nil
}

// keep remembers a batch that was given to l. The data of one that was begun to be written are of use only where the server says that it has
// not handled it; of those as much is kept as may wait.
func (q *inbox) keep(l *link, b batch) {
	_, written := l.offsets()
	q.sent = append(q.sent, b)
	size := 0
	for i := len(q.sent) - 1; i >= 0; i-- {
		if q.sent[i].at >= written {
			continue
		}
		if q.sent[i].data == nil {
			break
		}
		if size += len(q.sent[i].data); size > maxInput || len(q.sent)-i >= maxSent {
			q.sent[i].data = nil
		}
	}
	// Only what cannot be sent again is counted together: the rest is bounded by what is kept, and by what may wait in a link.
	for len(q.sent) > maxSent && q.sent[0].data == nil && q.sent[1].data == nil {
		q.sent[1].keys += q.sent[0].keys
		q.sent = q.sent[1:]
	}
}

// handled takes the server's acknowledgement.
func (q *inbox) handled(seq uint64) {
	n := 0
	for n < len(q.sent) && q.sent[n].seq <= seq {
		n++
	}
	q.sent = append(q.sent[:0], q.sent[n:]...)
}

// lost takes back from l, which is closed, what it has not begun to write, or what the server has left untouched, and returns how many keys
// are in doubt.
func (q *inbox) lost(l *link) (doubtful int) {
	_, written := l.offsets()
	var again []batch
	for _, b := range q.sent {
		if (b.at >= written || q.untouched) && b.data != nil {
			again = append(again, b)
			q.size += len(b.data)
		} else {
			doubtful += b.keys
		}
	}
	q.sent, q.untouched = nil, false
	q.waiting = append(again, q.waiting...)
	return doubtful
}
