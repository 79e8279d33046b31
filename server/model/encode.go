package model

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/fxamacker/cbor/v2"

	"stet/layout"
)

// Version is the number in front of an encoded model. A reader refuses what is newer; fields may be
// added without a new number, because unknown ones are skipped and missing ones are zero.
const Version = 1

// image is an encoded model: lists by id, layouts as text.
type image struct {
	Version     int
	NextSession SessionID
	NextWindow  WindowID
	NextPane    PaneID
	Sessions    []sessionImage
	Windows     []windowImage
	Panes       []Pane
	Closed      []closedImage `cbor:",omitempty"`
}

type closedImage struct {
	Closed
	Window windowImage // hides the window with its tree
}

type sessionImage struct {
	Session
	Attached struct{} `cbor:"-"` // hides the field of Session, which is not kept
}

type windowImage struct {
	Window
	Layout string // hides the tree
}

// encoding writes equal values as equal bytes, with times to the nanosecond, so that what is decoded is
// what was encoded.
func encoding() (cbor.UserBufferEncMode, error) {
	o := cbor.CoreDetEncOptions()
	o.Time = cbor.TimeRFC3339NanoUTC
	return o.UserBufferEncMode()
}

// decoding bounds what damaged or hostile bytes can cost. It takes everything that Encode can have
// written: directories and arguments need not be UTF-8, and commands are as long as the system allows.
func decoding(unknown cbor.ExtraDecErrorCond) (cbor.DecMode, error) {
	return cbor.DecOptions{
		ExtraReturnErrors: unknown,
		DupMapKey:         cbor.DupMapKeyEnforcedAPF,
		UTF8:              cbor.UTF8DecodeInvalid,
		MaxNestedLevels:   8,
		MaxArrayElements:  1 << 21,
		MaxMapPairs:       1 << 8,
	}.DecMode()
}

// Encode returns the model as bytes, for the checkpoint that survives the server. Equal models give
// equal bytes. Which clients are attached and which pane is marked are not part of it.
func (m *Model) Encode() ([]byte, error) { return new(Encoder).Encode(m) }

// Encoder encodes models again and again, in memory that it keeps. The zero value is ready for use.
type Encoder struct {
	mode cbor.UserBufferEncMode // nil before the first
	im   image
	buf  bytes.Buffer
}

// Encode returns what [Model.Encode] does. The bytes are the encoder's, until it is used again.
func (e *Encoder) Encode(m *Model) ([]byte, error) {
	im := &e.im
	defer im.clear() // what is closed meanwhile is not held here
	im.Version, im.NextSession, im.NextWindow, im.NextPane = Version, m.NextSession, m.NextWindow, m.NextPane
	im.Sessions = room(im.Sessions, len(m.Sessions))
	for _, s := range byID(m.Sessions) {
		im.Sessions = append(im.Sessions, sessionImage{Session: *s})
	}
	im.Windows = room(im.Windows, len(m.Windows))
	for _, w := range byID(m.Windows) {
		im.Windows = append(im.Windows, windowImage{Window: *w, Layout: w.Layout.String()})
	}
	im.Panes = room(im.Panes, len(m.Panes))
	for _, p := range byID(m.Panes) {
		im.Panes = append(im.Panes, *p)
	}
	for _, c := range m.Closed {
		im.Closed = append(im.Closed, closedImage{Closed: *c, Window: windowImage{Window: c.Window, Layout: c.Window.Layout.String()}})
	}
	if e.mode == nil {
		mode, err := encoding()
		if err != nil {
			return nil, fmt.Errorf("encode model: %w", err)
		}
		e.mode = mode
	}
	e.buf.Reset()
	if err := e.mode.MarshalToBuffer(im, &e.buf); err != nil {
		return nil, fmt.Errorf("encode model: %w", err)
	}
	return e.buf.Bytes(), nil
}

// room is an empty list, never nil, with room for n.
func room[T any](list []T, n int) []T {
	if cap(list) < n || list == nil {
		return make([]T, 0, n)
	}
	return list[:0]
}

// clear empties the lists and keeps their room.
func (im *image) clear() {
	clear(im.Sessions)
	clear(im.Windows)
	clear(im.Panes)
	im.Closed = nil
	im.Sessions, im.Windows, im.Panes = im.Sessions[:0], im.Windows[:0], im.Panes[:0]
}

// Decode reads what Encode has written. Bytes that are damaged, of a newer version or not a model that
// Check accepts are an error.
func Decode(b []byte) (*Model, error) { return decode(b, cbor.ExtraDecErrorNone) }

// DecodeWhole is Decode, but it refuses what has fields that this build does not know, since they would be lost.
func DecodeWhole(b []byte) (*Model, error) { return decode(b, cbor.ExtraDecErrorUnknownField) }

func decode(b []byte, unknown cbor.ExtraDecErrorCond) (*Model, error) {
	dec, err := decoding(cbor.ExtraDecErrorNone)
	if err != nil {
		return nil, fmt.Errorf("decode model: %w", err)
	}
	var head struct{ Version int }
	if err := dec.Unmarshal(b, &head); err != nil {
		return nil, fmt.Errorf("decode model: %w", err)
	}
	if head.Version < 1 || head.Version > Version {
		return nil, fmt.Errorf("decode model: version %d, this build knows 1 to %d", head.Version, Version)
	}
	if dec, err = decoding(unknown); err != nil {
		return nil, fmt.Errorf("decode model: %w", err)
	}
	var im image
	if err := dec.Unmarshal(b, &im); err != nil {
		return nil, fmt.Errorf("decode model: %w", err)
	}
	m := New()
	m.NextSession, m.NextWindow, m.NextPane = im.NextSession, im.NextWindow, im.NextPane
	for i := range im.Sessions {
		s := im.Sessions[i].Session
		s.Attached = 0
		if m.Sessions[s.ID] != nil {
			return nil, fmt.Errorf("decode model: session %v twice", s.ID)
		}
		m.Sessions[s.ID] = &s
	}
	for i := range im.Windows {
		w := im.Windows[i].Window
		tree, err := layout.Parse(im.Windows[i].Layout, nil)
		if err != nil {
			return nil, fmt.Errorf("decode model: window %v: %w", w.ID, err)
		}
		if m.Windows[w.ID] != nil {
			return nil, fmt.Errorf("decode model: window %v twice", w.ID)
		}
		w.Layout = tree
		m.Windows[w.ID] = &w
	}
	for i := range im.Panes {
		p := im.Panes[i]
		if m.Panes[p.ID] != nil {
			return nil, fmt.Errorf("decode model: pane %v twice", p.ID)
		}
		m.Panes[p.ID] = &p
	}
	for i := range im.Closed {
		c, w := im.Closed[i].Closed, im.Closed[i].Window.Window
		tree, err := layout.Parse(im.Closed[i].Window.Layout, nil)
		if err != nil {
			return nil, fmt.Errorf("decode model: closed window %v: %w", w.ID, err)
		}
		w.Layout = tree
		c.Window = w
		if slices.Contains(c.Panes, nil) {
			return nil, fmt.Errorf("decode model: closed window %v: no pane", w.ID)
		}
		m.Closed = append(m.Closed, &c)
	}
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("decode model: %w", err)
	}
	return m, nil
}

// Clone returns a copy that shares nothing changeable with the model.
func (m *Model) Clone() *Model {
	c := New()
	c.NextSession, c.NextWindow, c.NextPane = m.NextSession, m.NextWindow, m.NextPane
	c.Marked, c.revision = m.Marked, m.revision
	for id, s := range m.Sessions {
		n := *s
		n.Env, n.Hidden, n.Links, n.Last = slices.Clone(s.Env), slices.Clone(s.Hidden), slices.Clone(s.Links), slices.Clone(s.Last)
		c.Sessions[id] = &n
	}
	for id, w := range m.Windows {
		n := *w
		n.MRU = slices.Clone(w.MRU)
		c.Windows[id] = &n
	}
	for id, p := range m.Panes {
		c.Panes[id] = p.clone()
	}
	for _, old := range m.Closed {
		n := *old
		n.Panes, n.Places, n.Window.MRU = slices.Clone(old.Panes), slices.Clone(old.Places), slices.Clone(old.Window.MRU)
		for i, p := range n.Panes {
			n.Panes[i] = p.clone()
		}
		c.Closed = append(c.Closed, &n)
	}
	return c
}

func (p *Pane) clone() *Pane {
	c := *p
	c.Argv, c.Env, c.Agent, c.Wait, c.Rerun = slices.Clone(p.Argv), slices.Clone(p.Env), p.Agent.Clone(), p.Wait.Clone(), p.Rerun.Clone()
	return &c
}
