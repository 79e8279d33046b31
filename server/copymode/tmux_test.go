package copymode

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// page is what the comparison with tmux is made on: 40 columns, 10 rows, and some history.
var page = func() string {
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, "line %d of the history\n", i)
	}
	b.WriteString("  indented (with [brackets {in} it]) ok\n")
	b.WriteString("\n")
	b.WriteString("foo-bar baz::qux  two  spaces.\n")
	b.WriteString("a long line that goes on over the edge of the screen and then some more words\n")
	b.WriteString("x\n")
	b.WriteString("foo again, Foo capital\n")
	b.WriteString("\n\n")
	b.WriteString("last paragraph here\n")
	b.WriteString("$ ")
	return b.String()
}()

// comparisons are scripts that tmux and we run on the page.
var comparisons = []string{
	"cursor-up", "3 cursor-up", "12 cursor-up", "4 cursor-up; cursor-right; 2 cursor-down", "cursor-left", "3 cursor-left",
	"top-line", "middle-line", "bottom-line", "history-top", "history-bottom", "history-top; 3 cursor-down; end-of-line",
	"page-up", "2 page-up", "9 page-up", "page-up; page-down", "halfpage-up", "3 halfpage-up; halfpage-down", "2 page-up; page-down; page-down",
	"3 scroll-up", "5 scroll-up; 2 scroll-down", "40 scroll-up", "scroll-up; cursor-up; scroll-down",
	"7 cursor-up; start-of-line", "6 cursor-up; end-of-line", "6 cursor-up; end-of-line; start-of-line", "5 cursor-up; end-of-line",
	"9 cursor-up; end-of-line; back-to-indentation", "top-line; end-of-line; cursor-right", "top-line; next-word", "top-line; 3 next-word",
	"top-line; 8 next-word", "top-line; next-word-end", "top-line; 5 next-word-end", "top-line; 12 next-word-end", "previous-word", "5 previous-word",
	"14 previous-word", "30 previous-word", "top-line; next-space", "top-line; 7 next-space", "top-line; next-space-end", "top-line; 9 next-space-end",
	"6 previous-space", "12 previous-space", "previous-paragraph", "2 previous-paragraph", "3 previous-paragraph", "top-line; next-paragraph", "top-line; 2 next-paragraph",
	"top-line; next-matching-bracket", "top-line; jump-forward [; next-matching-bracket", "top-line; end-of-line; jump-backward ]; previous-matching-bracket",
	"top-line; jump-forward e", "top-line; jump-forward e; jump-again", "top-line; jump-to-forward b", "top-line; end-of-line; jump-backward i", "top-line; end-of-line; jump-to-backward i; jump-reverse",
	"goto-line 5", "goto-line 0", "goto-line 999", "top-line; set-mark; bottom-line; jump-to-mark", "scroll-up; top-line; set-mark; history-bottom; jump-to-mark",
	"top-line; begin-selection; 2 cursor-down; cursor-right", "bottom-line; begin-selection; 3 cursor-up", "top-line; begin-selection; end-of-line",
	"top-line; begin-selection; 3 cursor-down; end-of-line", "middle-line; select-line", "top-line; 3 select-line", "middle-line; select-line; 2 cursor-down", "middle-line; select-line; 2 cursor-up",
	"middle-line; cursor-right; select-word", "top-line; 3 next-word; select-word", "top-line; 3 next-word; select-word; 3 cursor-right", "middle-line; begin-selection; 5 cursor-right; other-end; cursor-left",
	"top-line; 2 cursor-right; begin-selection; rectangle-toggle; 3 cursor-down; 4 cursor-right", "middle-line; 8 cursor-right; begin-selection; rectangle-on; 2 cursor-up; 3 cursor-left",
	"top-line; begin-selection; stop-selection; 2 cursor-down", "top-line; begin-selection; cursor-down; clear-selection",
	"search-backward foo", "2 search-backward foo", "search-backward Foo", "search-forward foo", "search-backward edge", "search-backward line", "search-backward line; search-again", "search-backward line; search-again; search-reverse",
	"history-top; search-forward line; search-again; search-again", "history-top; search-forward h[aei]", "search-backward-text h[", "search-backward words", "search-backward nothing-there",
}

func TestAgainstTmux(t *testing.T) {
	path, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: nothing to compare with")
	}
	if v, _ := exec.Command(path, "-V").Output(); !strings.HasPrefix(string(v), "tmux 3.3") {
		t.Skipf("the comparison is made with tmux 3.3, this is %s", v)
	}
	tm := startTmux(t, path)
	for _, vi := range []bool{false, true} {
		tm.keys(vi)
		for _, script := range comparisons {
			name := "emacs: " + script
			if vi {
				name = "vi: " + script
			}
			if why := different[name]; why != "" {
				continue
			}
			if strings.Contains(script, "select") || strings.Contains(script, "sear") {
				script += "; copy-selection-no-clear"
			}
			want := tm.run(script)
			r := read(t, 40, 10, vi, page).run(script)
			got := r.state()
			if len(r.copied) > 0 {
				got += fmt.Sprintf(" %q", r.copied[0].Text)
			}
			if got != want {
				t.Errorf("%s\n got %s\ntmux %s", name, got, want)
			}
		}
	}
}

// different are the scripts that go another way on purpose, with the reason.
var different = map[string]string{}

// tmux is a real one, with the page in its pane.
type tmux struct {
	t    *testing.T
	path string
	args []string
}

func startTmux(t *testing.T, path string) *tmux {
	dir := t.TempDir()
	file := filepath.Join(dir, "page")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	tm := &tmux{t, path, []string{"-S", filepath.Join(dir, "s"), "-f", "/dev/null"}}
	tm.do("new-session", "-d", "-x", "40", "-y", "10", "cat "+file+"; exec sleep 1000")
	t.Cleanup(func() { tm.do("kill-server") })
	for range 200 {
		if strings.Contains(tm.do("capture-pane", "-p"), "\n$") {
			return tm
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("tmux does not show the page")
	return nil
}

func (tm *tmux) do(args ...string) string {
	tm.t.Helper()
	out, err := exec.Command(tm.path, append(append([]string{}, tm.args...), args...)...).CombinedOutput()
	if err != nil {
		tm.t.Fatalf("tmux %q: %v\n%s", args, err, out)
	}
	return string(out)
}

func (tm *tmux) keys(vi bool) {
	tm.do("set", "-g", "mode-keys", map[bool]string{false: "emacs", true: "vi"}[vi])
}

// run runs a script in copy mode, and says what has come of it as reading.state does.
func (tm *tmux) run(script string) string {
	args := []string{"copy-mode", "-q", ";", "copy-mode"}
	copies := false
	for _, line := range strings.Split(script, ";") {
		w := strings.Fields(line)
		args = append(args, ";", "send-keys", "-X")
		if w[0][0] >= '0' && w[0][0] <= '9' {
			args, w = append(args, "-N", w[0]), w[1:]
		}
		args = append(args, w...)
		copies = copies || strings.HasPrefix(w[0], "copy-")
	}
	for strings.TrimSpace(tm.do("list-buffers")) != "" {
		tm.do("delete-buffer")
	}
	out := strings.TrimSpace(tm.do(append(args, ";", "display-message", "-p", "#{copy_cursor_x},#{copy_cursor_y} #{scroll_position}")...))
	if copies && strings.TrimSpace(tm.do("list-buffers")) != "" {
		out += fmt.Sprintf(" %q", tm.do("show-buffer"))
	}
	return out
}
