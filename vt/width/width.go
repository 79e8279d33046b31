// Package width says how many columns a character takes, which characters
// join into one cluster, and what of foreign text may be shown at all.
//
// It promises the answers of rivo/uniseg, which tcell uses to draw, so that
// the emulator and the outer drawing never disagree about a column; the three
// exceptions are named at [Rune]. The tables are static data: importing the
// package costs nothing at start. It keeps no state.
package width

//go:generate go run gen.go

import "unicode/utf8"

// Property is the part a character plays in building clusters (UAX #29).
type Property uint8

// The properties. Prepend is the odd one: it joins what follows it.
const (
	Other       Property = iota
	Control              // no cell at all: controls, format characters, line separators
	Extend               // combining marks, variation selectors, emoji modifiers, tags
	ZWJ                  // U+200D
	SpacingMark          // joins what precedes and takes columns of its own
	JamoL
	JamoV
	JamoT
	SyllableLV
	SyllableLVT
	Pict     // Extended_Pictographic
	Regional // regional indicator: two make a flag
	Prepend
)

// The two variation selectors that change the width of a pictograph.
const (
	TextSelector  = 0xFE0E // one column
	EmojiSelector = 0xFE0F // two columns
)

// Class gives width and property of r in one byte: the width (0, 1, 2) in bits
// 0-1, the [Property] above them. It is meant for the emulator's inner loop.
func Class(r rune) uint8 {
	if uint32(r) >= 0x110000 {
		return uint8(Other)<<2 | 1
	}
	return stage2[int(stage1[r>>blockBits])<<blockBits|int(r&(1<<blockBits-1))]
}

// Rune gives the columns of a character standing alone: 0, 1 or 2. U+00AD (soft
// hyphen), for which uniseg says 0, and U+2E3A and U+2E3B (two- and three-em
// dash), for which it says 3 and 4, take 1 here, as for every wcwidth; who draws
// them must put something else in their place.
func Rune(r rune) int { return int(Class(r) & 3) }

// String gives the columns of s, cluster by cluster as uniseg does it. Invalid
// UTF-8 counts one column a byte.
func String(s string) int {
	total := 0
	for s != "" {
		n, w := Cluster(s)
		total += w
		s = s[n:]
	}
	return total
}

// Cluster measures the first cluster of s: its bytes and its columns. It
// returns 0, 0 for an empty string.
func Cluster(s string) (bytes, columns int) {
	if s == "" {
		return 0, 0
	}
	if c := s[0]; c >= ' ' && c < 0x7f && (len(s) == 1 || s[1] < 0x80) {
		return 1, 1
	}
	r, n := utf8.DecodeRuneInString(s)
	class := Class(r)
	first := Property(class >> 2)
	columns = int(class & 3)
	var b Breaker
	b.Next(first)
	for carriage := r == '\r'; n < len(s); {
		r, size := utf8.DecodeRuneInString(s[n:])
		class := Class(r)
		if carriage && r == '\n' {
			return n + size, 0
		}
		carriage = false
		if b.Next(Property(class >> 2)) {
			break
		}
		n += size
		switch {
		case first == Pict && r == TextSelector:
			columns = 1
		case first == Pict && r == EmojiSelector:
			columns = 2
		case first == Pict || first == Regional || first == JamoL:
		default:
			columns += int(class & 3)
		}
	}
	return n, columns
}

// Breaker finds cluster boundaries in a run of characters. Its zero value
// stands before the first one. It is a plain byte, so that it can be saved.
type Breaker uint8

const (
	atStart Breaker = iota
	// AfterOther is where a Breaker stands after any character of property Other.
	AfterOther
	afterControl
	afterL
	afterV // or a syllable LV
	afterT // or a syllable LVT
	afterPict
	afterPictZWJ
	afterOddRegional
	afterPrepend
)

// Next takes the next character's property and tells whether a boundary lies
// before it (rules GB3 to GB13 of UAX #29 but GB9c, as uniseg has them). CR LF
// is for the caller.
func (b *Breaker) Next(p Property) (boundary bool) {
	was := *b
	boundary = true
	next := AfterOther
	switch p {
	case Control:
		*b = afterControl
		return true
	case Extend, ZWJ, SpacingMark:
		boundary = false
		if was == afterPict && p == Extend {
			next = afterPict
		} else if was == afterPict && p == ZWJ {
			next = afterPictZWJ
		}
	case JamoL:
		next, boundary = afterL, was != afterL
	case JamoV:
		next, boundary = afterV, was != afterL && was != afterV
	case JamoT:
		next, boundary = afterT, was != afterV && was != afterT
	case SyllableLV:
		next, boundary = afterV, was != afterL
	case SyllableLVT:
		next, boundary = afterT, was != afterL
	case Pict:
		next, boundary = afterPict, was != afterPictZWJ
	case Regional:
		next, boundary = afterOddRegional, true
		if was == afterOddRegional {
			next, boundary = AfterOther, false
		}
	case Prepend:
		next = afterPrepend
	}
	*b = next
	switch was {
	case atStart, afterControl:
		return true
	case afterPrepend:
		return false
	}
	return boundary
}
