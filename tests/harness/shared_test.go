package harness

import (
	"strings"
	"testing"
)

// TestWhatIsSetForAllComesBack: options, keys and paste buffers of a workspace whose keeper and server were killed. What a program of a
// pane that is not saved has put on the clipboard is on no disk.
func TestWhatIsSetForAllComesBack(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("set-option", "-g", "display-time", "4321")
	w.Run("bind-key", "-n", "F5", "paste-buffer", "-b", "line")
	w.Run("set-buffer", "-b", "line", "echo pas''ted")
	w.Run("set-buffer", "-b", "bytes", "\xff\x01\r\n\x1b]0;\u65e5")
	bytes := w.Run("show-buffer", "-b", "bytes")
	w.Run("set-option", "-s", "set-clipboard", "on")
	w.Run("split-window", "cat")
	w.Run("set-option", "-p", "-t", "%1", "saving", "off")
	w.Run("respawn-pane", "-k", "-t", "%1", `printf '\033]52;c;aGlkZGVuIHRleHQ=\a'; exec cat`)
	w.WaitOutput("hidden text", "show-buffer")
	w.Run("flush")
	if found := filesWith(t, w.Paths.State, "hidden text"); len(found) > 0 {
		t.Errorf("in %q", found)
	}
	w.KillBoth()
	c.WaitExit()
	c = w.Attach(80, 24)
	c.WaitFor("1 restored")
	c.Type("\x1b")
	c.prompt()
	if got := w.Run("list-buffers", "-F", "#{buffer_name}"); got != "bytes\nline" {
		t.Errorf("buffers are %q", got)
	}
	if got := w.Run("show-buffer", "-b", "bytes"); got != bytes {
		t.Errorf("got %q, want %q", got, bytes)
	}
	if got := w.Run("show-options", "-gv", "display-time"); got != "4321" {
		t.Errorf("display-time is %s", got)
	}
	c.Type("\x1b[15~")
	c.WaitFor("echo pas''ted")
	c.Type("\r")
	c.WaitFor("pasted")
	if r := w.Run("report"); strings.Contains(r, "nothing is saved") {
		t.Errorf("a pane that is not saved on purpose reads as a mishap:\n%s", r)
	}
}
