package server

import (
	"bytes"
	"strings"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// An older build that is to take over sees fields that a newer one has made. It would lose them, so it says so in its dry start; after a crash
// there is no choice, and it takes what it knows.
func TestWhatANewerBuildHasMadeIsNotLostUnsaid(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s := withPanes(t, 2)
	s.checkpoint()
	good, err := s.kept.slots.Load()
	if err != nil {
		t.Fatal(err)
	}
	// with adds a field to one of the maps of the image.
	with := func(change func(im, m map[any]any)) []byte {
		dec, err := imageDecoding()
		var im, m map[any]any
		if err == nil {
			err = dec.Unmarshal(good, &im)
		}
		if err == nil {
			err = dec.Unmarshal(im["Model"].([]byte), &m)
		}
		if err != nil {
			t.Fatal(err)
		}
		change(im, m)
		if im["Model"], err = cbor.Marshal(m); err != nil {
			t.Fatal(err)
		}
		b, err := cbor.Marshal(im)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, c := range map[string]struct {
		image []byte
		lost  bool
	}{
		"nothing of it":      {with(func(_, _ map[any]any) {}), false},
		"besides the model":  {with(func(im, _ map[any]any) { im["Future"] = 1 }), true},
		"of the model":       {with(func(_, m map[any]any) { m["Future"] = []int{1} }), true},
		"of a pane":          {with(func(_, m map[any]any) { m["Panes"].([]any)[1].(map[any]any)["Future"] = "x" }), true},
		"of a window":        {with(func(_, m map[any]any) { m["Windows"].([]any)[0].(map[any]any)["Future"] = true }), true},
		"as it was encoded":  {good, false},
		"cut off in the end": {good[:len(good)-1], true},
	} {
		var in, out, errs bytes.Buffer
		if err := cbor.NewEncoder(&in).Encode(&trialHead{Keeper: s.hosts.versions, Build: "newer", Image: c.image, Both: true}); err != nil {
			t.Fatal(err)
		}
		code := Trial(&in, &out, &errs)
		if refused := code != 0; refused != c.lost {
			t.Errorf("%s: exit %d, %q", name, code, errs.String())
		}
		if c.lost && !strings.HasPrefix(name, "cut") && !strings.Contains(errs.String(), "would lose") {
			t.Errorf("%s: it says %q", name, errs.String())
		}
		if strings.HasPrefix(name, "cut") {
			continue
		}
		after := newServer(s.cfg)
		if after.decode(c.image); len(after.model.Panes) != 2 {
			t.Errorf("%s: after a crash there are %d panes", name, len(after.model.Panes))
		}
	}
}
