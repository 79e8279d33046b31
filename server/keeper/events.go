package keeper

import "sync"

// eventQueue lets the receiving goroutine go on whatever the server is doing: if it waited for the core loop, and the core loop for the answer to
// a Spawn, both would wait for ever. What it holds is bounded by what happened: one exit a pane, and at most three refusals to go.
type eventQueue struct {
	out chan Event

	mu     sync.Mutex
	queue  []Event
	last   bool
	more   chan struct{}
	closed chan struct{}
	ended  chan struct{}
}

func newEventQueue() *eventQueue {
	q := &eventQueue{out: make(chan Event), more: make(chan struct{}, 1), closed: make(chan struct{}), ended: make(chan struct{})}
	go q.run()
	return q
}

func (q *eventQueue) put(e Event) {
	q.mu.Lock()
	q.queue = append(q.queue, e)
	q.mu.Unlock()
	poke(q.more)
}

// finish says that no more will be put; out is closed behind the last.
func (q *eventQueue) finish() {
	q.mu.Lock()
	q.last = true
	q.mu.Unlock()
	poke(q.more)
}

// close drops what was not taken, and waits for the goroutine.
func (q *eventQueue) close() {
	close(q.closed)
	<-q.ended
	for _, e := range q.queue {
		if e.Listener != nil {
			e.Listener.Close()
		}
	}
}

func (q *eventQueue) run() {
	defer close(q.ended)
	defer close(q.out)
	for {
		q.mu.Lock()
		var e Event
		have, last := len(q.queue) > 0, q.last
		if have {
			e = q.queue[0]
		}
		q.mu.Unlock()
		if !have {
			if last {
				return
			}
			select {
			case <-q.more:
			case <-q.closed:
				return
			}
			continue
		}
		select {
		case q.out <- e:
			q.mu.Lock()
			q.queue = q.queue[1:]
			q.mu.Unlock()
		case <-q.closed:
			return
		}
	}
}
