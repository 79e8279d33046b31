package key

import (
	"strconv"
	"strings"
)

// Button numbers of xterm's mouse protocol, without the bits for modifiers (4,
// 8, 16) and motion (32).
const (
	ButtonLeft    = 0
	ButtonMiddle  = 1
	ButtonRight   = 2
	ButtonNone    = 3 // Motion with no button held, or a release that does not say which.
	WheelUp       = 64
	WheelDown     = 65
	WheelLeft     = 66
	WheelRight    = 67
	ButtonBack    = 128 // Button 8 in X11's count.
	ButtonForward = 129
	Button10      = 130
	Button11      = 131
)

// isWheel reports whether a button is a wheel, which has presses but no
// releases.
func isWheel(button int) bool { return button >= WheelUp && button <= WheelRight }

// Gesture is what the mouse did, in the sense of tmux's mouse key names. The
// server makes gestures of raw presses, motions and releases.
type Gesture uint8

// The gestures tmux has names for.
const (
	GestureDown Gesture = iota
	GestureUp
	GestureDrag
	GestureDragEnd
	GestureMove
	GestureWheelUp
	GestureWheelDown
	GestureSecondClick
	GestureDoubleClick
	GestureTripleClick
)

// Place is what lies under the mouse.
type Place uint8

// The places tmux has names for. PlaceControl0 to PlaceControl9 follow each
// other.
const (
	PlacePane Place = iota
	PlaceStatus
	PlaceStatusLeft
	PlaceStatusRight
	PlaceStatusDefault
	PlaceBorder
	PlaceScrollbarUp
	PlaceScrollbarSlider
	PlaceScrollbarDown
	PlaceControl0
)

var gestureNames = [...]string{"MouseDown", "MouseUp", "MouseDrag", "MouseDragEnd", "MouseMove",
	"WheelUp", "WheelDown", "SecondClick", "DoubleClick", "TripleClick"}

var placeNames = [...]string{"Pane", "Status", "StatusLeft", "StatusRight", "StatusDefault", "Border",
	"ScrollbarUp", "ScrollbarSlider", "ScrollbarDown", "Control0", "Control1", "Control2", "Control3",
	"Control4", "Control5", "Control6", "Control7", "Control8", "Control9"}

// String gives the gesture's part of a mouse key name, such as "MouseDown".
func (g Gesture) String() string {
	if int(g) < len(gestureNames) {
		return gestureNames[g]
	}
	return "Gesture" + strconv.Itoa(int(g))
}

// String gives the place's part of a mouse key name, such as "StatusLeft".
func (p Place) String() string {
	if int(p) < len(placeNames) {
		return placeNames[p]
	}
	return "Place" + strconv.Itoa(int(p))
}

// ParsePlace finds the place called name, in any case.
func ParsePlace(name string) (Place, bool) {
	for i, n := range placeNames {
		if strings.EqualFold(n, name) {
			return Place(i), true
		}
	}
	return 0, false
}

// mouseKeys is where the keys begin that stand for mouse chords:
// mouseKeys | gesture<<10 | tmux's button number<<5 | place.
const mouseKeys Key = 0x140000

// MouseChord is the chord a key table knows a mouse gesture by, so that keys and
// mouse share one table. The button is xterm's number; it does not matter for
// wheel and move gestures, which tmux names without one. Locks in mod are
// ignored.
func MouseChord(g Gesture, button int, at Place, mod Mod) Chord {
	n := buttonNumber(button)
	if !numbered(g) {
		n = 0
	}
	if int(g) >= len(gestureNames) || int(at) >= len(placeNames) || numbered(g) && n == 0 {
		return Chord{}
	}
	return Chord{mouseKeys | Key(g)<<10 | Key(n)<<5 | Key(at), mod &^ locks}
}

// numbered reports whether names of this gesture hold a button number.
func numbered(g Gesture) bool {
	return g != GestureMove && g != GestureWheelUp && g != GestureWheelDown
}

// buttonNumber gives tmux's (and X11's) number for an xterm button, 0 for none.
func buttonNumber(button int) int {
	switch {
	case button >= ButtonLeft && button <= ButtonRight:
		return button + 1
	case button >= WheelLeft && button <= WheelRight:
		return button - WheelLeft + 6
	case button >= ButtonBack && button <= Button11:
		return button - ButtonBack + 8
	}
	return 0
}

// buttonCode is the reverse of buttonNumber.
func buttonCode(number int) (int, bool) {
	switch {
	case number >= 1 && number <= 3:
		return number - 1, true
	case number >= 6 && number <= 7:
		return number - 6 + WheelLeft, true
	case number >= 8 && number <= 11:
		return number - 8 + ButtonBack, true
	}
	return 0, false
}

// Mouse takes a mouse chord apart; ok is false for any other chord. The button
// is xterm's number, ButtonNone where the gesture has none.
func (c Chord) Mouse() (g Gesture, button int, at Place, ok bool) {
	if c.Key < mouseKeys || c.Key > maxKey {
		return 0, 0, 0, false
	}
	k := int(c.Key - mouseKeys)
	g, at = Gesture(k>>10), Place(k&31)
	if int(g) >= len(gestureNames) || int(at) >= len(placeNames) {
		return 0, 0, 0, false
	}
	number := k >> 5 & 31
	if !numbered(g) {
		return g, ButtonNone, at, number == 0
	}
	button, ok = buttonCode(number)
	return g, button, at, ok
}

// appendMouseName appends tmux's name for a mouse key without modifiers.
func appendMouseName(dst []byte, k Key) []byte {
	g, button, at, ok := Chord{Key: k}.Mouse()
	if !ok {
		return dst
	}
	dst = append(dst, gestureNames[g]...)
	if numbered(g) {
		dst = strconv.AppendInt(dst, int64(buttonNumber(button)), 10)
	}
	return append(dst, placeNames[at]...)
}

// parseMouse reads a mouse key name without modifiers.
func parseMouse(name string) (Key, bool) {
	for i := range gestureNames {
		g := Gesture(i)
		rest, ok := cutPrefixFold(name, gestureNames[i])
		if !ok {
			continue
		}
		number, button := 0, ButtonNone
		if numbered(g) {
			for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' && number < 100 {
				number = number*10 + int(rest[0]-'0')
				rest = rest[1:]
			}
			if button, ok = buttonCode(number); !ok {
				continue // "MouseDragEnd1Pane" also begins with "MouseDrag".
			}
		}
		if at, ok := ParsePlace(rest); ok {
			return MouseChord(g, button, at, 0).Key, true
		}
	}
	return None, false
}

// cutPrefixFold is strings.CutPrefix for ASCII in any case.
func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) {
		return s[len(prefix):], true
	}
	return s, false
}
