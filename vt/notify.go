package vt

import (
	"encoding/base64"
	"strconv"
	"strings"
)

// notification is OSC 9: a notification (iTerm2), or one of ConEmu's commands,
// of which progress (4) is known.
func (t *Terminal) notification(s string) {
	number, rest, _ := strings.Cut(s, ";")
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 || n > 12 {
		t.notify("", s)
		return
	}
	if n != 4 {
		return
	}
	state, percent, _ := strings.Cut(rest, ";")
	st, err := strconv.Atoi(state)
	if err != nil || st < 0 || st > 4 {
		return
	}
	pc, _ := strconv.Atoi(percent)
	t.event(Event{Kind: EventProgress, Arg: min(max(pc, 0), 100) | st<<8})
}

func (t *Terminal) notify(title, body string) {
	title, body = clean(title), clean(body)
	switch {
	case title == "":
		title = body
	case body != "":
		title += "\n" + body
	}
	if title != "" {
		t.event(Event{Kind: EventNotify, Text: title})
	}
}

// note is a notification of which not all pieces have come.
type note struct{ id, title, body string }

// Bounds of what is kept of notifications in pieces. The oldest is forgotten for a new one.
const (
	maxNotes  = 8
	maxNoteID = 64
)

// kittyNotification is OSC 99: metadata as key=value between colons, and the payload, which is a piece of the
// title unless p says otherwise. With d=0 more pieces with the same i follow. Queries are not answered, icons,
// sounds and buttons are not shown, and nothing is ever closed.
func (t *Terminal) kittyNotification(s string) {
	meta, payload, ok := strings.Cut(s, ";")
	if !ok {
		return
	}
	id, part, done, encoded := "", "title", true, false
	for meta != "" {
		var kv string
		kv, meta, _ = strings.Cut(meta, ":")
		switch key, value, _ := strings.Cut(kv, "="); key {
		case "i":
			id = value[:min(len(value), maxNoteID)]
		case "p":
			part = value
		case "d":
			done = value != "0"
		case "e":
			encoded = value == "1"
		}
	}
	switch part {
	case "title", "body":
	case "icon", "buttons": // pieces, too, which may be the last
		payload = ""
	default:
		return
	}
	if encoded {
		b, err := base64.StdEncoding.DecodeString(payload)
		if err != nil {
			b, err = base64.RawStdEncoding.DecodeString(payload) // kitty takes it without its padding
		}
		if err != nil {
			return
		}
		payload = string(b)
	}
	n := t.takeNote(id)
	if part == "body" {
		n.body = upTo(n.body+payload, maxTitle)
	} else {
		n.title = upTo(n.title+payload, maxTitle)
	}
	if done {
		t.notify(n.title, n.body)
		return
	}
	if len(t.notes) == maxNotes {
		t.notes = append([]note(nil), t.notes[1:]...)
	}
	t.notes = append(t.notes, n)
}

// takeNote takes what has come of a notification out of those that wait.
func (t *Terminal) takeNote(id string) note {
	for i, n := range t.notes {
		if n.id == id {
			t.notes = append(t.notes[:i:i], t.notes[i+1:]...)
			return n
		}
	}
	return note{id: id}
}

// upTo is s, or as much of it as n bytes hold.
func upTo(s string, n int) string { return s[:min(len(s), n)] }
