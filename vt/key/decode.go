package key

import "time"

// DefaultReplyTime is the ReplyTime of a Decoder that has none set.
const DefaultReplyTime = 250 * time.Millisecond

const (
	maxCSI    = 128     // Bytes of a control sequence before the rest is swallowed.
	maxString = 1 << 16 // The same for OSC, DCS and APC strings.
	maxPiece  = 1 << 14 // Bytes of a paste in one event.
	chunk     = 512     // Bytes joined to an unfinished sequence at a time.
)

const (
	esc = 0x1b
	del = 0x7f
	can = 0x18
	sub = 0x1a
	bel = 0x07
)

// Decoder turns the bytes of an outer terminal into events. The zero value is
// ready to use; the fields may be changed at any time, also from within emit.
//
// The Decoder reads no clock: the caller passes the time, asks for the
// [Decoder.Deadline] after each Feed and calls [Decoder.Tick] when it comes.
// Without time passing, any split of the input gives the same events, except
// that the pieces of a paste are cut differently.
type Decoder struct {
	// EscapeTime is how long an ESC, or an ESC and one byte that may begin a
	// sequence, waits for what follows before it counts as typed.
	EscapeTime time.Duration
	// ReplyTime is how long the rest of a sequence that nobody types may take;
	// zero means [DefaultReplyTime].
	ReplyTime time.Duration
	// Erase is the byte Backspace sends (VERASE in termios); zero means 0x7f.
	// The other one of 0x08 and 0x7f is C-h or C-?.
	Erase byte
	// Expecting says that queries of ours are unanswered. Then a lone ESC waits
	// ReplyTime too, because it may be the first byte of an answer.
	Expecting bool
	// ExpectCPR says that CSI 1;5R is a cursor position report, not C-F3.
	ExpectCPR bool
	// Passing says that a program may just have asked the terminal something past
	// us. An answer, to whatever, is a reply then and not typing: a string of any
	// kind, if its end comes in time, and CSI 1;5R.
	Passing bool
	// Disambiguates says that the terminal sends C-i, C-m and C-[ in a form of
	// their own (kitty flag 1, modifyOtherKeys 2), so that Tab, Enter and Escape
	// are not [Event.Ambiguous]; and C-h, so that the byte is Ctrl with Backspace.
	Disambiguates bool
	// UTF8Mouse says that mouse mode 1005 is on: CSI M is followed by three
	// characters instead of three bytes.
	UTF8Mouse bool
	// Pixels says that mouse mode 1016 is on: reports count pixels. The Decoder sets it itself by the
	// terminal's answer to DECRQM, which stands exactly where in the input the reports change; whoever
	// sets or resets the mode asks behind it.
	Pixels bool
	// User are sequences that are keys before anything else is looked for, at most [MaxUser] of them.
	User []UserKey
	// CellW and CellH are the size of the terminal's cells in pixels, for these reports; below 1 they count
	// as 8 by 16.
	CellW, CellH int

	buf   []byte // The unfinished sequence.
	scan  int    // How far a string in buf was searched for its end.
	since time.Time
	lone  time.Time // When a lone ESC was taken for the key.
	state state
	first bool // The next piece of the paste is its first.
	held  int  // The mouse button last pressed, plus one.
}

type state uint8

const (
	ground state = iota
	inPaste
	skipCSI    // Swallowing the rest of a control sequence.
	skipString // Swallowing the rest of a string.
)

// Kinds that one returns to run only; they change the state.
const (
	kindPasteStart Kind = 0x80 + iota
	kindSkipCSI
	kindSkipString
)

// Feed decodes p, read at the time now, and calls emit for each event in order.
// emit must not call the Decoder. p is not kept.
func (d *Decoder) Feed(p []byte, now time.Time, emit func(Event)) {
	if len(p) == 0 {
		return
	}
	if len(d.buf) == 0 && !d.lone.IsZero() && now.Sub(d.lone) < d.replyTime() && orphan(p) {
		d.buf = append(d.buf, esc)
	}
	d.lone, d.since = time.Time{}, now
	for len(p) > 0 {
		if len(d.buf) == 0 { // The common case needs no copy.
			d.buf = append(d.buf, p[d.run(p, false, emit):]...)
			return
		}
		n := min(len(p), chunk)
		d.buf = append(d.buf, p[:n]...)
		p = p[n:]
		d.drop(d.run(d.buf, false, emit))
	}
}

// orphan reports whether p is the rest of a reply whose ESC came alone, too
// early, and was taken for the key. Nobody types these this fast in one piece.
func orphan(p []byte) bool {
	if len(p) < 3 {
		return false
	}
	switch p[0] {
	case '[':
		return (p[1] == '?' || p[1] == '<' || p[1] == '>') && digit(p[2])
	case ']':
		return digit(p[1]) && (digit(p[2]) || p[2] == ';')
	case 'P':
		ok, _ := stringHead(p)
		return ok
	}
	return false
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// Deadline says when to call Tick if nothing is fed before; ok is false while
// nothing is unfinished. A paste has no time limit.
func (d *Decoder) Deadline() (t time.Time, ok bool) {
	switch {
	case d.state == skipCSI || d.state == skipString:
		return d.since.Add(d.replyTime()), true
	case d.state == inPaste || len(d.buf) == 0:
		return time.Time{}, false
	}
	wait := d.EscapeTime
	if d.Expecting || untypable(d.buf) {
		wait = max(wait, d.replyTime())
	}
	return d.since.Add(wait), true
}

// untypable reports whether b, an unfinished sequence, is so long that it came
// from a terminal and not from a person: its rest is late, as over a slow line.
func untypable(b []byte) bool {
	return len(b) > 2 && b[0] == esc && (b[1] == '[' || b[1] == ']' || b[1] == 'P' || b[1] == '_')
}

// Tick resolves what has waited long enough at the time now: ESC is Escape,
// ESC [ is Alt-[. Before the Deadline it does nothing.
func (d *Decoder) Tick(now time.Time, emit func(Event)) {
	if t, ok := d.Deadline(); !ok || now.Before(t) {
		return
	}
	if len(d.buf) == 1 && d.buf[0] == esc {
		d.lone = now
	}
	d.state = ground // A sequence whose end never comes must not eat what is typed.
	d.since = now
	d.drop(d.run(d.buf, true, emit))
}

func (d *Decoder) replyTime() time.Duration {
	if d.ReplyTime == 0 {
		return DefaultReplyTime
	}
	return d.ReplyTime
}

// drop forgets the first n bytes of buf, and a large buffer with them.
func (d *Decoder) drop(n int) {
	d.buf = d.buf[:copy(d.buf, d.buf[n:])]
	if len(d.buf) == 0 && cap(d.buf) > 8*chunk {
		d.buf = nil
	}
}

// run decodes b up to what is unfinished and returns how many bytes that took.
// With flush it waits for nothing.
func (d *Decoder) run(b []byte, flush bool, emit func(Event)) int {
	i := 0
	for i < len(b) {
		n, before := 0, d.state
		switch d.state {
		case inPaste:
			n = d.paste(b[i:], emit)
		case skipCSI:
			n = d.skipCSI(b[i:])
		case skipString:
			n = d.skipString(b[i:])
		default:
			e, own, more := d.user(b[i:])
			if more && !flush {
				return i
			}
			if n = own; n == 0 {
				e, n = d.one(b[i:], flush)
			}
			if n > 0 {
				d.scan = 0
				d.deliver(e, emit)
			}
		}
		if n == 0 && d.state == before {
			return i
		}
		i += n
	}
	return i
}

// deliver hands an event out, or applies what it means for the decoder.
func (d *Decoder) deliver(e Event, emit func(Event)) {
	switch e.Kind {
	case kindPasteStart:
		d.state, d.first = inPaste, true
	case kindSkipCSI:
		d.state = skipCSI
	case kindSkipString:
		d.state = skipString
	case KindUnknown:
	case KindReply:
		d.pixelsAnswered(e.Data)
		emit(e)
	case KindMouse:
		// The older encodings do not say which button was released.
		switch {
		case e.Act == Press && !isWheel(e.Button):
			d.held = e.Button + 1
		case e.Act == Release:
			if e.Button == ButtonNone && d.held > 0 {
				e.Button = d.held - 1
			}
			d.held = 0
		}
		emit(e)
	default:
		emit(e)
	}
}
