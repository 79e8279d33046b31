package harness

import (
	"slices"
	"strings"
	"testing"
)

// TestEveryAgentUnderEveryFault: what is seen of one agent may come from any. Each is started with ids that are none, with one that
// comes late and another of its kind inside, and is resumed slowly, behind a question and a lock. Only where the agent says no id that is
// one, and none was chosen for it, is there nothing to resume.
func TestEveryAgentUnderEveryFault(t *testing.T) {
	t.Parallel()
	w := fakeAgents(t)
	rows := []struct {
		agent, program string
		chosen         bool // its conversation is chosen at the launch
		args           []string
	}{
		{"claude", "claude", true, nil},
		{"codex", "codex", false, nil},
		{"opencode", "opencode", false, nil},
		{"pi", "pi", true, nil},
		{"copilot", "copilot", true, nil},
		{"gemini", "gemini", true, nil},
		{"kimi", "kimi", false, nil},
		{"grok", "grok", true, nil},
		{"qwen", "qwen", true, nil},
		{"cursor", "cursor-agent", false, nil},
		{"junie", "junie", true, []string{"--session-id", "session-260101-101010-abc"}},
	}
	if noNode() {
		t.Log("without node there is none for the plugin of opencode, which is left out")
		rows = slices.Delete(rows, 2, 3)
	}
	type panes struct{ bad, late, hindered *fakePane }
	all := make([]panes, len(rows))
	for i, r := range rows {
		id := func(last string) []string { // that of Junie is given, and one conversation is in one pane
			if r.args == nil {
				return nil
			}
			return []string{r.args[0], r.args[1] + last}
		}
		all[i] = panes{
			w.start(r.agent+" bad", r.agent, "FAKE_BADID=1", nil, id("e")...),
			w.start(r.agent+" late", r.agent, "FAKE_LATE_ID=2", nil, id("f")...),
			w.start(r.agent+" hindered", r.agent, "", nil, id("g")...),
		}
	}
	for i, r := range rows {
		t.Run(r.agent+", before", func(t *testing.T) {
			w.T = t
			p := all[i]
			for _, f := range []*fakePane{p.bad, p.late, p.hindered} {
				f.shows(f.pane, "ready ")
				f.turn("the first")
			}
			p.hindered.known()
			p.bad.id = p.bad.itself()
			if got := p.bad.of(p.bad.pane, "#{pane_agent_conversation}"); got != "" && (got != p.bad.id || !r.chosen) {
				t.Errorf("with bad ids alone it has %q and is in %s", got, p.bad.id)
			}
			p.late.turn("the second")
			p.late.known()
			p.late.say(p.late.pane, "/nest "+r.program)
			p.late.shows(p.late.pane, "nested: kept")
			p.late.known()
		})
	}
	w.T = t
	if t.Failed() {
		return
	}
	w.Run("flush")
	w.KillBoth()
	for i := range rows {
		all[i].hindered.fault("FAKE_SLOW=1s\nFAKE_TRUST=1\nFAKE_LOCK=1\n")
	}
	before := w.kept()
	w.Run("start-server")
	for i, r := range rows {
		t.Run(r.agent, func(t *testing.T) {
			w.T = t
			p := all[i]
			f := p.hindered
			f.shows(f.pane, "Do you trust the files in this folder?")
			if got := f.of(f.pane, "#{pane_agent_conversation}"); got != f.id {
				t.Errorf("at the question it has %q, want %q", got, f.id)
			}
			f.say(f.pane, "y")
			// Codex asks about hooks, too, unless another pane's were answered for.
			f.Wait("the lock of "+r.agent, func() bool {
				if s := f.screen(); !strings.Contains(s, "open in another app") {
					if strings.Contains(s, "Hooks need review") && !strings.Contains(s, "Hooks need review. Trust them? (y/n)\ny") {
						f.say(f.pane, "y")
					}
					return false
				}
				return true
			})
			f.say(f.pane, "R")
			f.goesOn("the first")
			p.late.goesOn("the second")
			if r.chosen {
				p.bad.goesOn("the first")
				return
			}
			p.bad.shell()
			if got := p.bad.of(p.bad.pane, "#{pane_agent}#{pane_agent_conversation}"); got != "" {
				t.Errorf("with bad ids alone there is %q", got)
			}
		})
	}
	w.T = t
	if after := w.kept(); !slices.Equal(before, after) {
		t.Errorf("conversations before: %q\nand after: %q", before, after)
	}
}
