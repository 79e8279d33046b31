package key

import (
	"bytes"
	"encoding/binary"
	"errors"
	"unicode/utf8"
)

// The wire form of an event is one byte of kind, action and one flag, one byte
// saying which fields follow, and the fields that are not zero. A typed letter
// takes three bytes.
const (
	wireKey = 1 << iota
	wireMod
	wireAlternates // Shifted and Base.
	wirePosition   // Button, X, Y.
	wireText
	wireData
	wireFlags  // Start, Focused, Ambiguous; End is in the first byte.
	wireOffset // OffX and OffY. Sent only to those who asked for pixels: an older peer refuses it.
)

const (
	wireStart = 1 << iota
	wireFocused
	wireAmbiguous
)

// Bounds of the wire form. Everything a [Decoder] makes lies within them.
const (
	MaxText = 512            // Bytes of Event.Text.
	MaxData = maxString + 64 // Bytes of Event.Data.
	maxCell = 1<<24 - 1      // X and Y; mode 1016 counts pixels.
)

// errWire is the one error of Unmarshal: the peer speaks our protocol or it does
// not, and how exactly it failed helps nobody.
var errWire = errors.New("malformed key event")

// Marshal appends the wire form of e to dst. Every event of a [Decoder] or of
// [Parse] comes back from [Unmarshal] as it was. In others, what is too large is
// cut to the bounds; a Key that is a control character or no key at all will be
// refused by the peer.
func Marshal(dst []byte, e Event) []byte {
	text, data := e.Text[:min(len(e.Text), MaxText)], e.Data[:min(len(e.Data), MaxData)]
	for !utf8.ValidString(text) && text != "" {
		text = text[:len(text)-1]
	}
	fields, flags := byte(0), byte(0)
	set := func(on bool, field byte) {
		if on {
			fields |= field
		}
	}
	if e.Start {
		flags |= wireStart
	}
	if e.Focused {
		flags |= wireFocused
	}
	if e.Ambiguous {
		flags |= wireAmbiguous
	}
	set(e.Key != None, wireKey)
	set(e.Mod != 0, wireMod)
	set(e.Shifted != 0 || e.Base != 0, wireAlternates)
	set(e.Button != 0 || e.X != 0 || e.Y != 0, wirePosition)
	set(text != "", wireText)
	set(len(data) > 0, wireData)
	set(flags != 0, wireFlags)
	set(e.OffX != 0 || e.OffY != 0, wireOffset)

	first := byte(e.Kind&7) | byte(e.Act&3)<<3
	if e.End {
		first |= 0x80
	}
	dst = append(dst, first, fields)
	if fields&wireKey != 0 {
		dst = appendNumber(dst, int(e.Key), int(maxKey))
	}
	if fields&wireMod != 0 {
		dst = append(dst, byte(e.Mod))
	}
	if fields&wireAlternates != 0 {
		dst = appendNumber(dst, int(e.Shifted), utf8.MaxRune)
		dst = appendNumber(dst, int(e.Base), utf8.MaxRune)
	}
	if fields&wirePosition != 0 {
		dst = appendNumber(dst, e.Button, 255)
		dst = appendNumber(dst, e.X, maxCell)
		dst = appendNumber(dst, e.Y, maxCell)
	}
	if fields&wireText != 0 {
		dst = append(appendNumber(dst, len(text), MaxText), text...)
	}
	if fields&wireData != 0 {
		dst = append(appendNumber(dst, len(data), MaxData), data...)
	}
	if fields&wireFlags != 0 {
		dst = append(dst, flags)
	}
	if fields&wireOffset != 0 {
		dst = append(dst, byte(e.OffX), byte(e.OffY))
	}
	return dst
}

func appendNumber(dst []byte, v, limit int) []byte {
	return binary.AppendUvarint(dst, uint64(min(max(v, 0), limit)))
}

// Unmarshal reads one event from the front of p and returns how many bytes it
// took. It copies what it keeps. Anything [Marshal] would not have written for
// some event in bounds is an error.
func Unmarshal(p []byte) (e Event, n int, err error) {
	r := reader{p: p}
	first, fields := r.byte(), r.byte()
	e.Kind, e.Act, e.End = Kind(first&7), Action(first>>3&3), first&0x80 != 0
	if first&0x60 != 0 || e.Kind > KindUnknown {
		return Event{}, 0, errWire
	}
	if fields&wireKey != 0 {
		e.Key = Key(r.number(int(maxKey)))
		r.check(validKey(e.Key))
	}
	if fields&wireMod != 0 {
		e.Mod = Mod(r.byte())
	}
	if fields&wireAlternates != 0 {
		e.Shifted, e.Base = rune(r.number(utf8.MaxRune)), rune(r.number(utf8.MaxRune))
		r.check((e.Shifted == 0 || typable(e.Shifted)) && (e.Base == 0 || typable(e.Base)))
	}
	if fields&wirePosition != 0 {
		e.Button, e.X, e.Y = r.number(255), r.number(maxCell), r.number(maxCell)
	}
	if fields&wireText != 0 {
		e.Text = string(r.bytes(r.number(MaxText)))
		r.check(utf8.ValidString(e.Text))
	}
	if fields&wireData != 0 {
		e.Data = bytes.Clone(r.bytes(r.number(MaxData)))
	}
	if fields&wireFlags != 0 {
		flags := r.byte()
		r.check(flags&^(wireStart|wireFocused|wireAmbiguous) == 0)
		e.Start, e.Focused, e.Ambiguous = flags&wireStart != 0, flags&wireFocused != 0, flags&wireAmbiguous != 0
	}
	if fields&wireOffset != 0 {
		e.OffX, e.OffY = int8(r.byte()), int8(r.byte())
	}
	if r.bad {
		return Event{}, 0, errWire
	}
	return e, len(p) - len(r.p), nil
}

// validKey reports whether k is a key this package can name or decode.
func validKey(k Key) bool {
	switch {
	case k.IsRune():
		return utf8.ValidRune(rune(k)) && k >= ' ' && k != del
	case k >= mouseKeys:
		_, _, _, ok := Chord{Key: k}.Mouse()
		return ok
	}
	return k == None || k.isUser() || k >= Up && k <= FocusOut || k >= F1 && k <= F35 ||
		k >= functional+kittyFirst && k <= functional+kittyLast
}

// reader takes fields off a slice; after the first failure everything is zero.
type reader struct {
	p   []byte
	bad bool
}

func (r *reader) check(ok bool) {
	if !ok {
		r.bad = true
	}
}

func (r *reader) byte() byte {
	if b := r.bytes(1); len(b) == 1 {
		return b[0]
	}
	return 0
}

func (r *reader) bytes(n int) []byte {
	if r.bad || n > len(r.p) {
		r.bad = true
		return nil
	}
	b := r.p[:n]
	r.p = r.p[n:]
	return b
}

func (r *reader) number(limit int) int {
	v, n := binary.Uvarint(r.p)
	if r.bad || n <= 0 || v > uint64(limit) {
		r.bad = true
		return 0
	}
	r.p = r.p[n:]
	return int(v)
}
