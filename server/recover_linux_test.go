package server

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"
	"time"

	"stet/layout"
	"stet/server/command"
	"stet/server/model"
	"stet/server/overlay"
	"stet/server/ring"
)

// withPanes is a server that is not started, with a keeper's memory and a window of panes.
func withPanes(t testing.TB, panes int) *Server {
	t.Helper()
	slots, err := ring.CreateSlots(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slots.Close() })
	s := newServer(Config{Log: io.Discard})
	s.kept.slots = slots
	now := time.Date(2025, 1, 2, 3, 4, 5, 6, time.UTC)
	spec := func(i int) model.PaneSpec {
		return model.PaneSpec{UID: fmt.Sprintf("pane%08d", i), Shell: "/bin/sh", Cwd: "/home/someone/project"}
	}
	_, w, p, err := s.model.NewSession(model.SessionSpec{Name: "work", W: 400, H: 200, Now: now}, spec(0))
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < panes; i++ {
		tree, err := layout.Preset("tiled", w.W, w.H, w.Layout.Panes(), 80, 24)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.model.SetLayout(w.ID, tree, "tiled"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.model.SplitPane(p.ID, model.Split{}, spec(i), now); err != nil {
			t.Fatal(err)
		}
	}
	for id := range s.model.Panes { // somebody has asked for an option of each
		s.OptionSet(command.OptionTarget{Scope: command.ScopePane, Pane: id})
	}
	return s
}

func TestACheckpointComesBack(t *testing.T) {
	s := withPanes(t, 3)
	s.attachments["client"] = 7
	s.pane(1).why = "why"
	s.pane(2).untouched = &picture{divider: "-----"}
	number := s.model.TakeNumber()
	s.popups[number] = &popup{id: number, owner: "client", pid: 5, box: overlay.Popup{Want: layout.Rect{X: 1, W: 9, H: 4}, Bare: true},
		req: command.PopupRequest{Title: "t", Argv: []string{"top"}, Close: command.CloseOnExit, Mouse: &command.MouseEvent{}}}
	if err := s.options.Set(command.OptionTarget{Scope: command.ScopeGlobalSession}).Set("@mine", "x"); err != nil {
		t.Fatal(err)
	}
	s.checkpoint()
	b, err := s.kept.slots.Load()
	if err != nil {
		t.Fatal(err)
	}
	again := newServer(Config{Log: io.Discard})
	im := again.decode(b)
	if len(again.model.Panes) != 3 || im.Attachments["client"] != 7 || im.Notes[1] != "why" || im.Untouched[2].Divider != "-----" || len(im.Options) != 1 {
		t.Errorf("%d panes, %+v", len(again.model.Panes), im)
	}
	again.recallPopups(append(im.Popups, keptPopup{Pane: 1}, keptPopup{Pane: number + 1}, keptPopup{Pane: -1})) // a pane's number, and some that were never given
	want := *s.popups[number]
	want.req.Mouse = nil
	if p := again.popups[number]; len(again.popups) != 1 || p == nil || !reflect.DeepEqual(*p, want) {
		t.Errorf("popups %+v, want %+v", again.popups, want)
	}
}

func TestOnlyAChangedImageIsWritten(t *testing.T) {
	s := withPanes(t, 3)
	for id := range 20 { // in an order that is another one each time
		s.attachments[fmt.Sprint("client ", id)] = 1
		s.pane(model.PaneID(id)).why = "a note"
	}
	written := func() bool {
		before, err := s.kept.slots.Load()
		if err != nil {
			t.Fatal(err)
		}
		s.checkpoint()
		after, err := s.kept.slots.Load()
		if err != nil {
			t.Fatal(err)
		}
		return len(before) == 0 || &before[0] != &after[0] // each checkpoint goes to the other slot
	}
	if !written() {
		t.Error("the first image is not written")
	}
	s.model.Touch()
	if written() {
		t.Error("an image that is there already is written")
	}
	s.news.told = true
	if !written() {
		t.Error("a changed image is not written")
	}
	var c checkpoints
	b, err := c.encode(&image{Attachments: s.attachments})
	if err != nil {
		t.Fatal(err)
	}
	b = slices.Clone(b)
	if again, err := c.encode(&image{Attachments: s.attachments}); err != nil || !bytes.Equal(b, again) {
		t.Errorf("equal images give other bytes, or %v", err)
	}
}

func BenchmarkCheckpointOf20Panes(b *testing.B) {
	s := withPanes(b, 20)
	b.ReportAllocs()
	for b.Loop() {
		s.era++
		s.checkpoint()
	}
}
