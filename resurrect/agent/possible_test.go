package agent

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPossibleIsNeverLessThanRecognised tries every name that an integration knows.
func TestPossibleIsNeverLessThanRecognised(t *testing.T) {
	set, n := Load(""), 0
	for _, in := range set.list {
		var all []Proc
		for _, w := range in.Process.Comm {
			all = append(all, Proc{Comm: w, Argv: []string{"other"}}, Proc{Comm: w})
		}
		for _, w := range in.Process.Argv0 {
			all = append(all, Proc{Comm: "other", Argv: []string{"/usr/bin/" + w}}, Proc{Comm: "node", Argv: []string{"node", "--flag", "/opt/" + w}})
		}
		for _, w := range in.Process.Script {
			all = append(all, Proc{Comm: "node", Argv: []string{"/bin/node", "/opt/" + w, "codex"}})
		}
		for _, p := range all {
			if n++; set.Recognise(p) == nil || !Possible("", p) {
				t.Errorf("%s: %+v: recognised as %v, possible %v", in.ID, p, set.Recognise(p), Possible("", p))
			}
		}
	}
	if n < 2*len(set.list) {
		t.Errorf("%d processes of %d integrations", n, len(set.list))
	}
}

func TestPossible(t *testing.T) {
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, "mine.toml"), []byte("schema = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, p := range []Proc{
		{Comm: "bash", Argv: []string{"-bash"}}, {Comm: "vim", Argv: []string{"vim", "codex"}}, {Comm: "node", Argv: []string{"node"}}, {Comm: "node", Argv: []string{"node", "server.js", "claude"}}, {Comm: "", Argv: []string{""}}, {},
	} {
		if Possible("", p) || Possible(t.TempDir(), p) || Possible(filepath.Join(own, "gone"), p) {
			t.Errorf("%+v could be an agent", p)
		}
		if !Possible(own, p) {
			t.Errorf("%+v: the user's integrations may know it", p)
		}
	}
}
