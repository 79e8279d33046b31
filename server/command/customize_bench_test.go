package command

import (
	"testing"

	"stet/server/keymap"
	"stet/server/mode/tree"
)

// BenchmarkCustomizeItems is what customize-mode costs at each change of the model while it is shown.
func BenchmarkCustomizeItems(b *testing.B) {
	s := attached(b, 1)
	t := (&finder{host: s, model: s.model}).ofSession(s.model.SortedSessions()[0])
	cz := &customizer{chooser: &chooser{host: s, text: customizeText}, session: t.Session.ID, pane: t.Pane.ID, usual: keymap.Defaults()}
	for b.Loop() {
		if len(cz.items(tree.Query{})) < 7 {
			b.Fatal("groups are missing")
		}
	}
}
