package server

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"stet/server/command"
)

// maxMessages bounds the messages that are remembered whatever message-limit says, maxMessage the bytes
// of one.
const (
	maxMessages = 10_000
	maxMessage  = 1000
)

// messageLog is what was said last, the oldest first.
type messageLog []command.LogEntry

// add puts a message at the end, of at most so many.
func (l *messageLog) add(text string, now time.Time, limit int) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, text)
	if len(text) > maxMessage {
		n := maxMessage
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n] + "…"
	}
	if last := len(*l) - 1; last >= 0 && (*l)[last].Text == text { // a key that is held, a script that asks
		(*l)[last].At, (*l)[last].Times = now, max((*l)[last].Times, 1)+1
		return
	}
	*l = append(*l, command.LogEntry{At: now, Text: text})
	if over := len(*l) - max(min(limit, maxMessages), 0); over > 0 {
		clear((*l)[:over]) // what the array still holds must not hold the texts
		*l = (*l)[over:]
	}
}

// Remember keeps what was said for show-messages.
func (s *Server) Remember(id command.ClientID, what, text string) {
	if c := s.clients[id]; c != nil {
		what = clientWord(c) + " " + what
	}
	s.messages.add(what+": "+text, s.Now(), s.number(serverScope, "message-limit", 1000))
}

// clientWord names a client also where it has no terminal.
func clientWord(c *client) string {
	if c.info.Name != "" {
		return c.info.Name
	}
	return fmt.Sprintf("client-%d", c.info.Pid)
}

// Messages are the messages remembered, the oldest first.
func (s *Server) Messages() []command.LogEntry { return s.messages }

// RunningJobs are the shell commands that run now.
func (s *Server) RunningJobs() []command.RunningJob {
	var list []command.RunningJob
	for _, j := range s.jobs.Running() {
		list = append(list, command.RunningJob{Text: j.Text, Pid: j.Pid})
	}
	return list
}
