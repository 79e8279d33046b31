package copymode

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tmux is a real one, spoken to in control mode: a process for each command would take most of the time.
type tmux struct {
	t   testing.TB
	in  io.Writer
	out *bufio.Scanner
	has string // the name of the text in its pane
	dir string
}

// startTmux starts one whose window is 40 columns and 10 rows, as the terminals of this test are.
func startTmux(t testing.TB) *tmux {
	path, err := exec.LookPath("tmux")
	if err != nil {
		t.Skip("tmux is not installed: nothing to compare with")
	}
	if v, _ := exec.Command(path, "-V").Output(); !strings.HasPrefix(string(v), "tmux 3.3") {
		t.Skipf("the comparison is made with tmux 3.3, this is %s", v)
	}
	dir := t.TempDir()
	cmd := exec.Command(path, "-u", "-C", "-S", filepath.Join(dir, "s"), "-f", "/dev/null", "new-session", "-x", "40", "-y", "10", "exec cat")
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tm := &tmux{t: t, in: in, out: bufio.NewScanner(out), dir: dir}
	t.Cleanup(func() {
		_, _ = io.WriteString(in, "kill-server\n")
		in.Close()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	tm.do("set -g history-limit 10000 ; set -g buffer-limit 5 ; set -w window-size manual ; set -g default-size 40x10 ; set -g status off")
	return tm
}

// do runs commands, written on one line, and gives what they print.
func (tm *tmux) do(line string) string {
	tm.t.Helper()
	if _, err := io.WriteString(tm.in, line+" ; display -p "+done+"\n"); err != nil {
		tm.t.Fatal(err)
	}
	return tm.answer()
}

// done ends an answer: tmux gives each command's output by itself.
const done = "=this-was-all="

func (tm *tmux) answer() string {
	tm.t.Helper()
	var b strings.Builder
	inside := false
	for tm.out.Scan() {
		switch l := tm.out.Text(); {
		case strings.HasPrefix(l, "%begin ") && !inside:
			inside = true
		case strings.HasPrefix(l, "%end ") && inside:
			inside = false
		case l == done && inside:
			return b.String()
		case strings.HasPrefix(l, "%error ") && inside:
			tm.t.Fatalf("tmux: %s", b.String())
		case inside:
			b.WriteString(l + "\n")
		}
	}
	tm.t.Fatal("tmux has ended")
	return ""
}

// show has a text printed in a fresh pane.
func (tm *tmux) show(name, text string) {
	tm.t.Helper()
	if tm.has == name {
		return
	}
	tm.has = name
	file := filepath.Join(tm.dir, "page")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		tm.t.Fatal(err)
	}
	tm.do(fmt.Sprintf(`new-window "cat %s; printf '\\033]2;%s\\007'; exec sleep 1000"`, file, name))
	for range 1000 {
		if strings.TrimSpace(tm.do(`display -p "#{pane_title}"`)) == name {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	tm.t.Fatal("tmux does not show the text")
}

func (tm *tmux) keys(vi bool) {
	tm.do("set -g mode-keys " + map[bool]string{false: "emacs", true: "vi"}[vi])
}

// nothing is in tmux's newest buffer before a script runs.
const nothing = "nothing was copied"

// run runs a script in copy mode: what variables say then, and what is copied then, nothing or a text.
func (tm *tmux) run(script string, variables []string) (values, copied string) {
	tm.t.Helper()
	var b strings.Builder
	b.WriteString("set-buffer '" + nothing + "' ; copy-mode -q ; copy-mode")
	for _, line := range strings.Split(script, ";") {
		w := strings.Fields(line)
		b.WriteString(" ; send-keys -X")
		if w[0][0] >= '0' && w[0][0] <= '9' {
			b.WriteString(" -N " + w[0])
			w = w[1:]
		}
		for _, a := range w {
			b.WriteString(" '" + a + "'")
		}
	}
	b.WriteString(` ; display -p "` + format(variables) + `" ; send-keys -X copy-selection-no-clear ; show-buffer`)
	values, copied, _ = strings.Cut(tm.do(b.String()), "\n")
	return values, strings.TrimSuffix(copied, "\n")
}

func format(variables []string) string {
	var f []string
	for _, v := range variables {
		f = append(f, "#{"+v+"}")
	}
	return strings.Join(f, "|")
}

// values are ours.
func (r *reading) values(variables []string) string {
	var out []string
	for _, v := range variables {
		out = append(out, r.value(v))
	}
	return strings.Join(out, "|")
}
