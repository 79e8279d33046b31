package job

import (
	"strings"
	"time"
)

// Cache remembers what shell commands in a status line have said last. It belongs to one goroutine.
type Cache struct {
	// Start runs a command at a place without waiting and gives its output to done later, in the owner's
	// goroutine.
	Start func(text, place string, done func(output string, ok bool)) error

	said map[key]*said
}

type key struct{ text, place string }

type said struct {
	output  string
	at      time.Time // when it ended last
	asked   time.Time // when somebody wanted to know last
	running bool
}

// Bounds of the cache.
const (
	maxSaid   = 256
	maxLine   = 4 << 10
	leastAge  = time.Second // an output is not asked for again before
	forgotten = 10 * time.Minute
)

// Get returns the last line that a command has said, "" before there is one. Where that is older than
// every, the command is run again: changed is called when it has said something else. place keeps apart
// what the same command says at different places.
func (c *Cache) Get(text, place string, every time.Duration, now time.Time, changed func()) string {
	k := key{text, place}
	s := c.said[k]
	if s == nil {
		if c.forget(now); len(c.said) >= maxSaid {
			return ""
		}
		if c.said == nil {
			c.said = map[key]*said{}
		}
		s = &said{}
		c.said[k] = s
	}
	s.asked = now
	if s.running || !s.at.IsZero() && now.Sub(s.at) < max(every, leastAge) {
		return s.output
	}
	s.running = true
	if err := c.Start(text, place, func(out string, ok bool) { c.ended(s, out, ok, changed) }); err != nil {
		s.running, s.at = false, now
	}
	return s.output
}

// Expire makes Get run the commands of a place again, however young what they have said is. Those that
// run just now are not run twice.
func (c *Cache) Expire(place string) {
	for k, s := range c.said {
		if k.place == place {
			s.at = time.Time{}
		}
	}
}

// ended takes the output of a command. The time counts from its end, so that drawing what it has said
// does not run it again.
func (c *Cache) ended(s *said, out string, ok bool, changed func()) {
	s.running, s.at = false, time.Now()
	if line := lastLine(out); ok && line != s.output {
		s.output = line
		changed()
	}
}

// forget drops what nobody has asked for in a while.
func (c *Cache) forget(now time.Time) {
	for k, s := range c.said {
		if !s.running && now.Sub(s.asked) > forgotten {
			delete(c.said, k)
		}
	}
}

func lastLine(out string) string {
	out = strings.TrimRight(out, "\n")
	line := out[strings.LastIndexByte(out, '\n')+1:]
	return strings.ToValidUTF8(line[:min(len(line), maxLine)], "")
}
