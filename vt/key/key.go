// Package key knows what terminals say for keys, mouse, focus and paste, and
// what programs expect to read for them.
//
// It has four parts. [Decoder] turns the bytes of any outer terminal into
// [Event] values. [Parse], [Event.Name] and [Chord] give keys the names tmux
// users know and one comparable form for key tables. [Append] writes the bytes
// a program must receive for an event, given the modes it has set. [Marshal]
// and [Unmarshal] carry events between client and server.
//
// The package promises that nothing from outside makes it panic or hold
// unbounded memory, that any split of the input gives the same events, and that
// replies of the outer terminal never look like keys. It reads no clock, starts
// no goroutine and keeps no state outside the Decoder, which belongs to one
// goroutine at a time. It does not decide what a key does, and it does not
// translate mouse coordinates: the caller does both.
package key

import "unicode/utf8"

// Key names one key: a Unicode code point for a key that types a character (the
// character without Shift where the terminal tells it), or one of the constants
// below, which lie beyond Unicode. Zero is no key.
type Key int32

// None is no key at all: an unset prefix, or an event that is only text.
const None Key = 0

// The keys with names of their own. The order of the first block matters to
// functional.go, which pairs it with the final bytes and numbers xterm uses.
const (
	Up Key = utf8.MaxRune + 1 + iota
	Down
	Right
	Left
	Begin // The middle of the keypad; also called KP5 or Center.
	End
	Home
	Insert
	Delete
	PageUp
	PageDown
	Enter
	Tab
	Escape
	Backspace

	// Any stands in a key table for every key that is not bound itself.
	Any
	// FocusIn and FocusOut are the chords of focus events.
	FocusIn
	FocusOut
)

// F1 to F35 follow each other.
const (
	F1 Key = 0x110100 + iota
	F2
	F3
	F4
	F5
	F6
	F7
	F8
	F9
	F10
	F11
	F12
	F13
	F14
	F15
	F16
	F17
	F18
	F19
	F20
	F21
	F22
	F23
	F24
	F25
	F26
	F27
	F28
	F29
	F30
	F31
	F32
	F33
	F34
	F35
)

// functional places the private-use numbers by which the kitty keyboard
// protocol knows its keys (57344 to 63743) beyond Unicode, because the same code
// points are also characters a person may type.
const functional Key = 0x120000 - kittyFirst

// Range of kitty's private-use key numbers.
const (
	kittyFirst = 57344
	kittyLast  = 63743
)

// Lock keys and their neighbours, in the order of kitty's numbers from 57358.
const (
	CapsLock Key = functional + 57358 + iota
	ScrollLock
	NumLock
	PrintScreen
	Pause
	Menu
)

// The keypad, in the order of kitty's numbers from 57399. The keys from KPLeft
// on are what the keypad sends without Num Lock; a [Chord] takes them for the
// plain Left, Home and so on.
const (
	KP0 Key = functional + 57399 + iota
	KP1
	KP2
	KP3
	KP4
	KP5
	KP6
	KP7
	KP8
	KP9
	KPDecimal
	KPDivide
	KPMultiply
	KPSubtract
	KPAdd
	KPEnter
	KPEqual
	KPSeparator
	KPLeft
	KPRight
	KPUp
	KPDown
	KPPageUp
	KPPageDown
	KPHome
	KPEnd
	KPInsert
	KPDelete
	KPBegin
)

// Media keys and the modifiers as keys, in the order of kitty's numbers from
// 57428.
const (
	MediaPlay Key = functional + 57428 + iota
	MediaPause
	MediaPlayPause
	MediaReverse
	MediaStop
	MediaFastForward
	MediaRewind
	MediaNext
	MediaPrevious
	MediaRecord
	VolumeDown
	VolumeUp
	VolumeMute
	LeftShift
	LeftCtrl
	LeftAlt
	LeftSuper
	LeftHyper
	LeftMeta
	RightShift
	RightCtrl
	RightAlt
	RightSuper
	RightHyper
	RightMeta
	Level3Shift
	Level5Shift
)

// maxKey is the last value a Key may have; mouse chords come last.
const maxKey = mouseKeys + 1<<14 - 1

// IsRune reports whether k is a character rather than a named key.
func (k Key) IsRune() bool { return k > 0 && k <= utf8.MaxRune }

// isModifier reports whether k only changes other keys: programs hear of these
// when they asked for every key, and never otherwise.
func (k Key) isModifier() bool {
	return k >= LeftShift && k <= Level5Shift || k >= CapsLock && k <= NumLock
}

// Mod is a set of modifiers in the bit order of the kitty protocol, whose first
// three are also xterm's.
type Mod uint8

// The modifiers. Caps and Num are locks; they never take part in a [Chord].
const (
	Shift Mod = 1 << iota
	Alt
	Ctrl
	Super
	Hyper
	Meta
	Caps
	Num
)

const (
	locks = Caps | Num
	// noText are the modifiers with which a key types nothing by itself.
	noText = Alt | Ctrl | Super | Hyper | Meta
)

// Kind says what an [Event] is about.
type Kind uint8

// The kinds of events.
const (
	KindKey     Kind = iota // A key: Key, Mod, Act and what the terminal told besides.
	KindMouse               // The mouse: Button, X, Y, Mod, Act.
	KindFocus               // The outer terminal gained or lost the focus: Focused.
	KindPaste               // A piece of a paste: Data, Start, End.
	KindReply               // An answer to a query: Data is the whole sequence.
	KindUnknown             // A complete sequence nobody knows. The Decoder drops these.
)

// Action says what happened to a key or mouse button.
type Action uint8

// The actions.
const (
	Press Action = iota
	Repeat
	Release
	Motion // Mouse only.
)

// Event is one thing an outer terminal said, or a key somebody named.
type Event struct {
	Kind Kind
	// Key is the key; None with Text set is text without a key, as an input
	// method commits it. For a mouse event parsed from a name it is the number
	// that stands for gesture, button and place; see [MouseChord].
	Key Key
	// Shifted is the character Shift makes of the key, and Base the key at the
	// same place on the standard PC-101 layout. Zero where not told.
	Shifted, Base rune
	Mod           Mod
	Act           Action
	// Button is xterm's button number without modifier and motion bits; see
	// [ButtonLeft]. X and Y are cells, counted from 0.
	Button, X, Y int
	// OffX and OffY say where in its cell the mouse is, in 256ths of the cell from its middle: -128 is its
	// left or upper edge. Zero where the terminal tells cells only.
	OffX, OffY int8
	// Text is what the key typed, where the terminal told it.
	Text string
	// Start and End mark the first and last piece of a paste.
	Start, End bool
	// Focused is the new state of the focus.
	Focused bool
	// Ambiguous marks a Tab, Enter, Escape or C-BSpace from a byte that C-i, C-m,
	// C-[ or C-h would send too. [Event.Alternate] gives that chord.
	Ambiguous bool
	// Data is the piece of a paste, the whole reply, or the raw byte of a
	// KindKey event with Key U+FFFD that was not UTF-8. The receiver owns it.
	Data []byte
}
