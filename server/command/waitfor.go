package command

import (
	"fmt"
)

// channel is what wait-for waits for. It is kept while somebody waits, it is locked, or it was woken
// before anybody came.
type channel struct {
	woken   bool
	locked  bool
	waiters []func(error)
	lockers []func(error)
}

// maxChannels bounds the channels, and who waits at one.
const maxChannels = 4096

func (ch *channel) idle() bool {
	return !ch.woken && !ch.locked && len(ch.waiters)+len(ch.lockers) == 0
}

func waitFor(c *Context) error {
	a, name := c.Args, c.Args.Arg(0)
	ch := c.queue.channels[name]
	if ch == nil {
		if len(c.queue.channels) >= maxChannels || len(name) > 4096 {
			return errorString("too many channels are in use")
		}
		ch = &channel{}
	}
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
			ch.lockers = append(ch.lockers, c.orNext(done, ch.unlock))
			return
		}
		ch.waiters = append(ch.waiters, done)
	})
}

// signal wakes all who wait, or the next who comes.
func (ch *channel) signal() {
	if len(ch.waiters) == 0 {
		ch.woken = true
		return
	}
	list := ch.waiters
	ch.waiters = nil
	for _, done := range list {
		done(nil)
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
	next(nil)
}

// orNext lets a lock go on to the next where the client that waited for it has gone meanwhile.
func (c *Context) orNext(done func(error), next func()) func(error) {
	return func(err error) {
		if c.list.gone {
			next()
			return
		}
		done(err)
	}
}
