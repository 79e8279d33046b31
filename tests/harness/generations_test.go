package harness

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// An older generation is brought back: what its panes show stays saved, whatever was typed since, and however
// often that is done.
func TestAnOlderGenerationStaysWholeWhenItIsBroughtBack(t *testing.T) {
	t.Parallel()
	w := New(t)
	shown := func() string {
		t.Helper()
		w.Wait("the old text", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-S", "-", "-t", "t"), "\n60\n") })
		return w.Run("capture-pane", "-p", "-S", "-", "-t", "t")
	}
	end := func() {
		t.Helper()
		w.Run("flush")
		w.Run("kill-server")
		w.Wait("the end of the server", func() bool { return w.Try("list-sessions").Code != 0 })
	}
	w.Run("new-session", "-d", "-s", "t", "-x", "80", "-y", "10")
	w.Wait("a prompt", func() bool { return strings.TrimSpace(w.Run("capture-pane", "-p", "-t", "t")) != "" })
	w.Run("send-keys", "-t", "t", "seq 60", "Enter")
	shown()
	end()
	oldest := func() (n uint64) {
		t.Helper()
		var list []struct{ Generation uint64 }
		if err := json.Unmarshal([]byte(w.Run("generations", "--json")), &list); err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
		return list[len(list)-1].Generation
	}
	first := oldest()
	for range 3 {
		w.Run("restore", "--generation", fmt.Sprint(first))
		if s := shown(); strings.Contains(s, "typed") {
			t.Fatalf("this is not that generation:\n%s", s)
		}
		end()
		w.Run("restore")
		if s := shown(); !strings.Contains(s, "\n59\n60\n") || strings.Contains(s, "typed") {
			t.Fatalf("after it was saved and brought back again:\n%s", s)
		}
		w.Run("send-keys", "-t", "t", "echo typed", "Enter")
		w.Wait("what was typed", func() bool { return strings.Count(w.Run("capture-pane", "-p", "-t", "t"), "typed") == 2 })
		end()
		if oldest() != first {
			t.Fatal("the first generation is gone")
		}
	}
}
