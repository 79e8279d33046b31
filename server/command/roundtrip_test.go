package command

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stet/config"
)

// declaredSession draws a session that has room in 200x60.
func declaredSession(t *rapid.T) config.Session {
	text := rapid.StringMatching(`[a-zA-Z0-9 _é'"$-]{0,12}`)
	dir := rapid.SampledFrom([]string{"", "/", "/a b", "~", "~/x", "sub", "../up"})
	d := config.Session{Name: rapid.StringMatching(`[a-z][a-z0-9_-]{0,8}`).Draw(t, "name"), Dir: dir.Draw(t, "dir")}
	focus := rapid.IntRange(-1, 3).Draw(t, "focus")
	for i := range rapid.IntRange(0, 4).Draw(t, "windows") {
		w := config.Window{Name: text.Draw(t, "window"), Dir: dir.Draw(t, "dir"), Focus: i == focus, Layout: rapid.SampledFrom([]string{"", "", "tiled", "even-vertical", "main-horizontal"}).Draw(t, "layout")}
		active := rapid.IntRange(-1, 4).Draw(t, "active")
		for j := range rapid.IntRange(0, 5).Draw(t, "panes") {
			p := config.Pane{Dir: dir.Draw(t, "dir"), Command: text.Draw(t, "command"), Focus: j == active}
			if j > 0 {
				p.Split = rapid.SampledFrom([]string{"right", "below", "left", "above"}).Draw(t, "split")
				p.Size = rapid.SampledFrom([]string{"", "30%", "5", "70%"}).Draw(t, "size")
			}
			w.Panes = append(w.Panes, p)
		}
		d.Windows = append(d.Windows, w)
	}
	return d
}

// TestAnExportedSessionOpensAsTheSame: what is exported is opened as it was, whatever it is, and exported as the
// same text again.
func TestAnExportedSessionOpensAsTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := declaredSession(rt)
		s := newShell(t)
		open := func(d config.Session) string {
			s.declared = []config.Session{d}
			if out := s.run(fmt.Sprintf("open-session -d -x 200 -y 60 %s", d.Name)); out != "" {
				rt.Fatalf("open: %s", out)
			}
			return s.run("export-session -t =" + d.Name)
		}
		first := open(d)
		back, err := config.ParseSessions(first+"\n", "exported")
		if err != nil || len(back) != 1 {
			rt.Fatalf("%v\n%s", err, first)
		}
		s.run("kill-session -t =" + d.Name)
		if second := open(back[0]); second != first {
			rt.Fatalf("exported\n%s\nand opened, it is exported as\n%s", first, second)
		}
		if n := strings.Count(first, "[[session.window]]"); n != max(len(d.Windows), 1) {
			rt.Fatalf("%d windows of %d", n, len(d.Windows))
		}
	})
}
