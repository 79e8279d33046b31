package server

import (
	"path/filepath"
	"testing"

	"stet/resurrect/agent"
)

func TestAStateFileThatIsNotThereYet(t *testing.T) {
	home := t.TempDir()
	data, _, err := readState(&agent.StateFile{Path: home + "/state-{pid}"}, 7, nil, home)
	if want := "none yet at " + filepath.Join(home, "state-7"); data != nil || err == nil || err.Error() != want {
		t.Errorf("%q, %v; want %q", data, err, want)
	}
}
