package key

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// backTab is what parseKey makes of BTab, which is Tab with Shift.
const backTab Key = -1

type named struct {
	name string
	key  Key
}

// keyNames lists the named keys; where a key has several names the first is the
// one we print, and those are tmux's. It is a plain array so that starting the
// program costs nothing, and short enough to search in order.
var keyNames = [...]named{
	{"Up", Up}, {"Down", Down}, {"Left", Left}, {"Right", Right},
	{"Home", Home}, {"End", End},
	{"PPage", PageUp}, {"PageUp", PageUp}, {"PgUp", PageUp},
	{"NPage", PageDown}, {"PageDown", PageDown}, {"PgDn", PageDown},
	{"IC", Insert}, {"Insert", Insert}, {"DC", Delete}, {"Delete", Delete},
	{"Enter", Enter}, {"Escape", Escape}, {"Tab", Tab}, {"BSpace", Backspace}, {"Space", ' '},
	{"Begin", Begin}, {"Any", Any}, {"None", None}, {"FocusIn", FocusIn}, {"FocusOut", FocusOut},
	{"KP0", KP0}, {"KP1", KP1}, {"KP2", KP2}, {"KP3", KP3}, {"KP4", KP4},
	{"KP5", KP5}, {"KP6", KP6}, {"KP7", KP7}, {"KP8", KP8}, {"KP9", KP9},
	{"KP.", KPDecimal}, {"KP/", KPDivide}, {"KP*", KPMultiply}, {"KP-", KPSubtract}, {"KP+", KPAdd},
	{"KPEnter", KPEnter}, {"KP=", KPEqual}, {"KP,", KPSeparator},
	{"CapsLock", CapsLock}, {"ScrollLock", ScrollLock}, {"NumLock", NumLock},
	{"PrintScreen", PrintScreen}, {"Pause", Pause}, {"Menu", Menu},
	{"MediaPlay", MediaPlay}, {"MediaPause", MediaPause}, {"MediaPlayPause", MediaPlayPause},
	{"MediaReverse", MediaReverse}, {"MediaStop", MediaStop}, {"MediaFastForward", MediaFastForward},
	{"MediaRewind", MediaRewind}, {"MediaNext", MediaNext}, {"MediaPrevious", MediaPrevious},
	{"MediaRecord", MediaRecord}, {"VolumeDown", VolumeDown}, {"VolumeUp", VolumeUp}, {"VolumeMute", VolumeMute},
	{"LeftShift", LeftShift}, {"LeftCtrl", LeftCtrl}, {"LeftAlt", LeftAlt}, {"LeftSuper", LeftSuper},
	{"LeftHyper", LeftHyper}, {"LeftMeta", LeftMeta},
	{"RightShift", RightShift}, {"RightCtrl", RightCtrl}, {"RightAlt", RightAlt}, {"RightSuper", RightSuper},
	{"RightHyper", RightHyper}, {"RightMeta", RightMeta},
	{"Level3Shift", Level3Shift}, {"Level5Shift", Level5Shift},
}

// modNames are the modifiers' letters in the order they are printed. C, M and S
// are tmux's; D (Super), H (Hyper) and T (Meta proper) follow vim.
const modNames = "CMSDHT"

var modBits = [...]Mod{Ctrl, Alt, Shift, Super, Hyper, Meta}

// Parse reads a key name as tmux writes them: a character, a named key, a
// hexadecimal code point (0x1b) or a mouse key (MouseDown1Pane), after any of
// the modifiers C- M- S- D- H- T-, or ^ for Ctrl. Named keys and modifiers may
// be in any case. The event is a press in the form of a [Chord]: S-a is A, C-A
// is C-a.
func Parse(name string) (Event, error) {
	c, err := ParseChord(name)
	if err != nil {
		return Event{}, err
	}
	e := Event{Key: c.Key, Mod: c.Mod}
	switch {
	case c.Key == FocusIn, c.Key == FocusOut:
		e = Event{Kind: KindFocus, Focused: c.Key == FocusIn}
	case c.Key >= mouseKeys:
		e.Kind = KindMouse
		_, e.Button, _, _ = c.Mouse()
	}
	return e, nil
}

// ParseChord is [Parse] for those who only need the chord.
func ParseChord(name string) (Chord, error) {
	rest, mod := cutMods(name)
	k, ok := parseKey(rest)
	if !ok {
		var control Mod
		if k, control, ok = parseNumber(rest); !ok {
			return Chord{}, nameError(name, rest)
		}
		mod |= control
	}
	if k == backTab {
		k, mod = Tab, mod|Shift
	}
	switch {
	case mod != 0 && !k.modifiable():
		return Chord{}, fmt.Errorf("%q takes no modifiers in the key name %q", rest, name)
	case k == FocusIn || k == FocusOut || k >= mouseKeys:
		return Chord{k, mod}, nil
	}
	return Event{Key: k, Mod: mod}.Chord(), nil
}

// cutMods takes the modifiers off a name.
func cutMods(name string) (rest string, mod Mod) {
	rest = name
	if len(rest) > 1 && rest[0] == '^' {
		rest, mod = rest[1:], Ctrl
	}
	for len(rest) > 2 && rest[1] == '-' {
		i := strings.IndexByte(modNames, rest[0]&^0x20)
		if i < 0 || rest[0] < 'A' {
			break
		}
		rest, mod = rest[2:], mod|modBits[i]
	}
	return rest, mod
}

// parseKey reads a name without modifiers.
func parseKey(s string) (Key, bool) {
	if r, n := utf8.DecodeRuneInString(s); n > 0 && n == len(s) {
		return Key(r), typable(r) && (r != utf8.RuneError || n > 1)
	}
	for i := range keyNames {
		if strings.EqualFold(keyNames[i].name, s) {
			return keyNames[i].key, true
		}
	}
	if digits, ok := cutPrefixFold(s, "User"); ok {
		n, err := strconv.ParseUint(digits, 10, 16)
		return User0 + Key(n), err == nil && n < MaxUser && (len(digits) == 1 || digits[0] != '0')
	}
	switch {
	case strings.EqualFold(s, "BTab"):
		return backTab, true
	case s == "":
		return None, false
	case len(s) <= 3 && s[0]&^0x20 == 'F':
		n, err := strconv.ParseUint(s[1:], 10, 8)
		return F1 + Key(n) - 1, err == nil && s[1] != '0' && n >= 1 && n <= 35
	}
	return parseMouse(s)
}

// parseNumber reads the names that are numbers: a hexadecimal code point, where
// control characters are the keys that send them, and what appendKeyName prints
// for a key without a name.
func parseNumber(s string) (Key, Mod, bool) {
	if digits, ok := cutPrefixFold(s, "Key"); ok {
		n, err := strconv.ParseUint(digits, 10, 16)
		k := functional + Key(n)
		return k, 0, err == nil && n >= kittyFirst && n <= kittyLast
	}
	digits, ok := cutPrefixFold(s, "0x")
	n, err := strconv.ParseUint(digits, 16, 32)
	if !ok || err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
		return None, 0, false
	}
	if n < ' ' || n == 0x7f {
		k, mod := controlKey(byte(n))
		return k, mod, true
	}
	return Key(n), 0, true
}

func nameError(name, rest string) error {
	_, user := cutPrefixFold(rest, "User")
	switch {
	case name == "":
		return fmt.Errorf("a key name is empty")
	case user && len(rest) < 16:
		return fmt.Errorf("unknown key name %q: user keys are User0 to User%d", name, MaxUser-1)
	case len(name) > 64:
		return fmt.Errorf("unknown key name %q…", name[:32])
	}
	return fmt.Errorf("unknown key name %q", name)
}

// Name gives the name of the event's chord, "" for events that have none.
func (e Event) Name() string {
	if e.Kind == KindPaste || e.Kind == KindReply || e.Kind == KindUnknown || e.Kind == KindMouse && e.Key < mouseKeys {
		return ""
	}
	return e.Chord().Name()
}

// Name writes the chord as [Parse] reads it, in tmux's spelling where tmux has
// one.
func (c Chord) Name() string {
	var room [32]byte
	dst := room[:0]
	if c.Key == Tab && c.Mod&Shift != 0 {
		dst = appendMods(dst, c.Mod&^Shift)
		return string(append(dst, "BTab"...))
	}
	return string(appendKeyName(appendMods(dst, c.Mod), c.Key))
}

// String is [Chord.Name].
func (c Chord) String() string { return c.Name() }

func appendMods(dst []byte, mod Mod) []byte {
	for i, m := range modBits {
		if mod&m != 0 {
			dst = append(dst, modNames[i], '-')
		}
	}
	return dst
}

func appendKeyName(dst []byte, k Key) []byte {
	switch {
	case k >= F1 && k <= F35:
		return strconv.AppendInt(append(dst, 'F'), int64(k-F1)+1, 10)
	case k.isUser():
		return strconv.AppendInt(append(dst, "User"...), int64(k-User0), 10)
	case k >= mouseKeys:
		return appendMouseName(dst, k)
	case k.IsRune() && k != ' ':
		if unicode.IsPrint(rune(k)) {
			return utf8.AppendRune(dst, rune(k))
		}
		return strconv.AppendInt(append(dst, "0x"...), int64(k), 16)
	}
	for i := range keyNames {
		if keyNames[i].key == k {
			return append(dst, keyNames[i].name...)
		}
	}
	// A number kitty may yet give a key: bindable by this name, though not pretty.
	return strconv.AppendInt(append(dst, "Key"...), int64(k-functional), 10)
}
