package vt

// Bounds of what waits for the owner. What comes on top is dropped: an owner
// that drains after every Write of 64 KiB never sees that but from a program
// that does nothing else.
const (
	maxReplies    = 4096
	maxReplyBytes = 1 << 20
	maxEvents     = 4096
	maxEventBytes = 4 << 20
)

// Reply is to be written to the program. It holds numbers and fixed text only.
type Reply struct {
	At      uint64 // stream offset just behind the byte that completed the query (of ST its ESC)
	Data    []byte
	Unasked bool // it tells of a change that the owner made, and is owed once only: never in a replay
}

// EventKind says what an Event is about.
type EventKind uint8

// The kinds of events. Texts are valid UTF-8 without control characters unless
// said otherwise.
const (
	EventBell      EventKind = iota + 1
	EventTitle               // Text: the new title
	EventIcon                // Text: the new icon name
	EventCwd                 // Text: the directory, "" when it is on another machine
	EventClipboard           // Text: any bytes; Arg: 'c' the clipboard, 'p' the primary selection
	EventNotify              // Text: title and body, with a newline between if there are both
	EventProgress            // Arg: percent | state<<8; states 0 none, 1 normal, 2 error, 3 busy, 4 paused
	EventPrompt              // Text: the letter of OSC 133 and what follows; Arg: exit status with "D", -1 unknown
	EventColors              // the palette or a default colour was changed, see Palette and DefaultColor
	EventScreen              // the main or the alternate screen became active
	EventBranch              // Text: the git branch, "" none (OSC 7727)
	EventPass                // Text: any bytes, which the program wants to give to the outer terminal (DCS tmux;), at most 1 MiB
	EventName                // Text: the name that the program gives its window, "" takes it back
)

// Event is something the world may want to know.
type Event struct {
	At   uint64 // stream offset just behind the byte that completed its cause (of ST its ESC)
	Kind EventKind
	Text string
	Arg  int
}

// TakeReplies gives the replies since the last call, in order.
func (t *Terminal) TakeReplies() []Reply {
	r := t.replies
	t.replies, t.replyBytes = nil, 0
	return r
}

// TakeEvents gives the events since the last call, in order.
func (t *Terminal) TakeEvents() []Event {
	e := t.events
	t.events, t.eventBytes = nil, 0
	return e
}

// event queues e. One that says the same thing anew replaces the one before it
// of its kind.
func (t *Terminal) event(e Event) {
	e.At = t.at
	if n := len(t.events); n > 0 && t.events[n-1].Kind == e.Kind {
		switch e.Kind {
		case EventBell, EventTitle, EventIcon, EventCwd, EventProgress, EventColors, EventScreen, EventBranch, EventName:
			t.eventBytes += len(e.Text) - len(t.events[n-1].Text)
			t.events[n-1] = e
			return
		}
	}
	if len(t.events) >= maxEvents || t.eventBytes+len(e.Text) > maxEventBytes {
		return
	}
	t.eventBytes += len(e.Text)
	t.events = append(t.events, e)
}
