package command

import (
	"fmt"
	"slices"
)

// channel is what wait-for waits for. It is kept while somebody waits, it is locked, or it was woken
// before anybody came.
type channel struct {
	woken   bool
	locked  bool
	waiters []waiter
	lockers []waiter
}

// waiter is a command that waits, and the list that it belongs to.
type waiter struct {
	list *list
	done func(error)
}

// maxChannels bounds the channels, and who waits at one; maxChannelName the bytes of a name.
const (
	maxChannels    = 4096
	maxChannelName = 4096
)

// drop forgets the clients that have gone while they waited.
func (ch *channel) drop() {
	gone := func(w waiter) bool { return w.list.gone }
	ch.waiters, ch.lockers = slices.DeleteFunc(ch.waiters, gone), slices.DeleteFunc(ch.lockers, gone)
}

// channelRoom says whether there can be one more channel. Those at which nobody waits any more go first.
func (q *Queue) channelRoom() bool {
	if len(q.channels) < maxChannels {
		return true
	}
	for name, ch := range q.channels {
		if ch.drop(); ch.idle() {
			delete(q.channels, name)
		}
	}
	return len(q.channels) < maxChannels
}

func (ch *channel) idle() bool {
	return !ch.woken && !ch.locked && len(ch.waiters)+len(ch.lockers) == 0
}

func waitFor(c *Context) error {
	a, name := c.Args, c.Args.Arg(0)
	ch := c.queue.channels[name]
	if ch == nil {
		switch {
		case len(name) > maxChannelName:
			return fmt.Errorf("the name of a channel has at most %d bytes", maxChannelName)
		case !c.queue.channelRoom():
			return errorString("too many channels are in use")
		}
		ch = &channel{}
	}
	ch.drop()
	defer func() {
		if delete(c.queue.channels, name); !ch.idle() {
			c.queue.channels[name] = ch
		}
	}()
	switch {
	case a.Has("S"):
		ch.signal()
		return nil
	case a.Has("U"):
		if !ch.locked {
			return fmt.Errorf("channel %s not locked", name)
		}
		ch.unlock()
		return nil
	case c.Client == 0:
		return errorString("not able to wait or lock: no client waits for it")
	case a.Has("L") && !ch.locked:
		ch.locked = true
		return nil
	case !a.Has("L") && ch.woken:
		ch.woken = false
		return nil
	case len(ch.waiters)+len(ch.lockers) >= maxChannels:
		return errorString("too many clients wait for this channel")
	}
	return c.Await(func(done func(error)) {
		if a.Has("L") {
			ch.lockers = append(ch.lockers, waiter{c.list, done})
			return
		}
		ch.waiters = append(ch.waiters, waiter{c.list, done})
	})
}

// signal wakes all who wait, or the next who comes. Who has gone meanwhile takes no signal away.
func (ch *channel) signal() {
	if len(ch.waiters) == 0 {
		ch.woken = true
		return
	}
	list := ch.waiters
	ch.waiters = nil
	for _, w := range list {
		w.done(nil)
	}
}

// unlock gives the lock to who has waited longest.
func (ch *channel) unlock() {
	if len(ch.lockers) == 0 {
		ch.locked = false
		return
	}
	next := ch.lockers[0]
	ch.lockers = ch.lockers[1:]
	next.done(nil)
}
