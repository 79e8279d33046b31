package harness

import (
	"os"
	"path/filepath"
	"testing"
)

func TestConfigurationIsReadAndFollowed(t *testing.T) {
	w := New(t)
	dir := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		tmp := filepath.Join(dir, "new")
		if err := os.WriteFile(tmp, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(dir, "config.toml")); err != nil {
			t.Fatal(err)
		}
	}
	write("[options]\nprefix = \"C-a\"\nstatus-left = \"<one> \"\n[keys.prefix]\n\"v\" = \"split-window -h\"\n")
	c := w.Attach(80, 24)
	c.WaitFor("<one>")
	c.Type("\x01v")
	w.WaitOutput("40\n39", "list-panes", "-F", "#{pane_width}")

	// A change takes effect in the running server, and what is gone from the file goes back.
	write("[options]\nstatus-left = \"<two> \"\n")
	c.WaitFor("<two>")
	w.WaitOutput("C-b", "show-options", "-gv", "prefix")

	// A mistake is told with its place, and what was in force stays.
	write("[options]\nstatus-left = \"<three> \"\nescape-time = \"soon\"\n")
	c.WaitFor("config.toml:3")
	if s := w.Run("show-options", "-gv", "status-left"); s != "<two> " {
		t.Fatalf("status-left is %q", s)
	}

	// All of it holds for a server that takes over.
	write("[options]\nstatus-left = \"<four> \"\n")
	c.WaitFor("<four>")
	w.KillServer()
	if s := w.Run("show-options", "-gv", "status-left"); s != "<four> " {
		t.Fatalf("after a crash status-left is %q", s)
	}
}
