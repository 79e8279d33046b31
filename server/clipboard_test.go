package server

import (
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"stet/server/mode"
	"stet/server/wire"
)

// copiedOut are the texts that a client was told to put on its terminal's clipboard.
func copiedOut(c *client) (out []string) {
	for _, h := range c.held {
		if o, ok := h.v.(wire.Outer); ok && o.Kind == wire.OuterClipboard {
			out = append(out, o.Text)
		}
	}
	return out
}

// A program that copies without end is taken at its word ten times a second, and the last word is not lost.
func TestCopiesOfProgramsAreTakenAtAPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, ses, w := house(t)
		c := visitor(s, ses, 80, 24, time.Time{})
		p := s.model.Panes[w.Active]
		for i := range 1000 { // a millisecond each
			time.Sleep(time.Millisecond)
			s.clipboard(p, "copy "+strconv.Itoa(i))
			if s.clock.armed && !s.clock.at.After(time.Now()) {
				s.clock.goOff()
			}
		}
		out := copiedOut(c)
		if n := len(out); n < 9 || n > 11 {
			t.Errorf("%d copies were taken in a second", n)
		}
		if out[0] != "copy 0" {
			t.Errorf("the first one waited: %q", out[0])
		}
		time.Sleep(time.Until(s.clock.at))
		s.clock.goOff()
		if out = copiedOut(c); out[len(out)-1] != "copy 999" || string(s.buffers.Top().Data) != "copy 999" {
			t.Errorf("the last copy is not the last one taken: %q, %q", out[len(out)-1], s.buffers.Top().Data)
		}
		if !strings.Contains(c.message, "8 characters on the clipboard") {
			t.Errorf("people are told %q", c.message)
		}
		for range 10 { // what people are told goes away
			if s.clock.armed {
				time.Sleep(time.Until(s.clock.at))
				s.clock.goOff()
			}
		}
		if s.clock.armed || c.message != "" {
			t.Errorf("a timer goes on for nothing, and the message is %q", c.message)
		}
	})
}

func TestACopyThatIsTooMuchForTheClipboardIsSaidToBe(t *testing.T) {
	s, ses, w := house(t)
	c := visitor(s, ses, 80, 24, time.Time{})
	text := strings.Repeat("x", wire.MaxClipboard+1)
	s.CopyText(c.id, w.Active, mode.Copy{Text: text, Clipboard: true})
	if len(copiedOut(c)) != 0 || !strings.Contains(c.message, "too much for the terminal's clipboard") {
		t.Errorf("%d copies went out, and the message is %q", len(copiedOut(c)), c.message)
	}
	if b := s.buffers.Top(); b == nil || string(b.Data) != text {
		t.Error("it is in no buffer")
	}
	s.CopyText(c.id, w.Active, mode.Copy{Text: text[1:], Clipboard: true})
	if len(copiedOut(c)) != 1 {
		t.Error("as much as it takes did not go out")
	}
}
