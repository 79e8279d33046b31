package torture

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"stet/tests/harness"
)

// TestBothKilled: keeper and server are killed, as by a power failure. The workspace that comes back is
// the one that was saved, and it comes back the same as often as it is brought back.
func TestBothKilled(t *testing.T) {
	t.Parallel()
	for round := range size(4, 20) {
		t.Run(strconv.Itoa(round), bothKilled)
	}
}

func bothKilled(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	rc := r.file("shellrc") // the environment does not give root's shell its prompt
	if err := os.WriteFile(rc, []byte("PS1='$ '\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.Env = append(r.Env, "ENV="+rc)
	r.start(400)
	r.randomWorkspace()
	closed := r.sideWindow()
	r.ask("set-option", "-g", "history-limit", "1000") // comes back, too: what was at its limit has a divider more then
	r.ask("flush")
	before := r.snapshot()
	victim := closed[r.rnd.IntN(len(closed))]
	pids := []int{r.serverPid(), r.KeeperPid()}
	if r.rnd.IntN(2) == 0 {
		pids[0], pids[1] = pids[1], pids[0]
	}
	r.ask("kill-pane", "-t", victim)
	r.killAll(pids) // at once: what is to stand is on disk now
	delete(before.text, victim)

	first := r.restored(before)
	r.same(before, first, "the restored workspace")
	for id, was := range before.text {
		r.restoredText(id, "scrollback and screen", was, first.text[id])
		// What was on the screen is there again, as far as the divider and the prompt leave room for it.
		was = before.shown[id]
		r.restoredText(id, "screen", was[max(0, len(was)+2-before.rows[id]):], first.shown[id])
	}
	if _, there := first.text[victim]; there {
		t.Errorf("pane %s was closed on purpose and is back", victim)
	}

	r.killAll([]int{r.serverPid(), r.KeeperPid()})
	second := r.restored(before)
	r.same(first, second, "the workspace restored once more")
	for id, was := range first.shown {
		if got := second.shown[id]; strings.Join(got, "\n") != strings.Join(was, "\n") {
			t.Errorf("pane %s, the screen restored once more:\n%s", id, difference(strings.Join(got, "\n"), strings.Join(was, "\n")))
		}
	}
	for id, was := range first.text {
		if got := second.text[id]; strings.Join(got, "\n") != strings.Join(was, "\n") {
			t.Errorf("pane %s, restored once more:\n%s", id, difference(strings.Join(got, "\n"), strings.Join(was, "\n")))
		}
	}
}

// killAll kills processes at one blow and waits for their ends.
func (r *rig) killAll(pids []int) {
	r.t.Helper()
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	for _, pid := range pids {
		r.wait("the end of a killed process", func() bool { return !harness.Alive(pid) })
	}
}

// randomWorkspace makes a session of eight panes in a random layout, each in a directory of its own, with
// a title, text in its scrollback and on its screen.
func (r *rig) randomWorkspace() {
	r.t.Helper()
	const panes = 8
	dirs := []string{"plain", "with blank", "日本", "quo'te", "deep/er/still", "perc%ent", "hash#{x}", "dol$lar"}
	for i, d := range dirs {
		dirs[i] = filepath.Join(r.Dir, "dirs", d)
		if err := os.MkdirAll(dirs[i], 0o700); err != nil {
			r.t.Fatal(err)
		}
	}
	r.Run("new-session", "-d", "-s", "work", "-x", "160", "-y", "48", "-c", dirs[0])
	for tries := 0; len(r.list("work")) < panes; tries++ {
		if tries > 100 {
			r.t.Fatal("no room for eight panes")
		}
		have := r.list("work")
		at := have[r.rnd.IntN(len(have))]
		how := []string{"-h", "-v"}[r.rnd.IntN(2)]
		if at.cols < 30 && how == "-h" || at.rows < 8 && how == "-v" {
			continue
		}
		dir := strings.ReplaceAll(dirs[len(have)], "#", "##") // -c is a format
		r.Try("split-window", how, "-t", at.id, "-l", strconv.Itoa(30+r.rnd.IntN(40))+"%", "-c", dir)
	}
	for i, p := range r.list("work") {
		r.fill(p, i)
	}
	ids := r.list("work")
	r.Run("rename-session", "-t", "work", "the work")
	r.Run("rename-window", "-t", "the work", fmt.Sprintf("window %d", r.rnd.IntN(100)))
	for range 4 {
		r.Run("select-pane", "-t", ids[r.rnd.IntN(len(ids))].id)
	}
	if r.rnd.IntN(2) == 0 {
		r.Run("resize-pane", "-Z", "-t", r.Run("display-message", "-p", "-t", "the work", "#{pane_id}"))
	}
}

// fill prints text in a pane: more than its screen holds, or less.
func (r *rig) fill(p listed, n int) {
	r.t.Helper()
	r.waitFor(p.id, "$")
	var b strings.Builder
	lines := 1 + r.rnd.IntN(5)
	if r.rnd.IntN(2) == 0 {
		lines = 30 + r.rnd.IntN(200)
	}
	s := newStream(r.seed + uint64(n))
	for i := range lines {
		text := ""
		switch r.rnd.IntN(5) {
		case 0:
			text = s.wide(1 + r.rnd.IntN(30))
		case 1:
			text = s.coloured(1 + r.rnd.IntN(30))
		case 2:
			text = s.words(20 + r.rnd.IntN(30)) // it wraps
		case 3:
			b.WriteString("\n")
			continue
		default:
			text = s.pen() + s.words(1+r.rnd.IntN(4))
		}
		// Blanks at the end of a line are not text: a row that holds nothing else does not come back. And what
		// becomes narrow only by its second character may stand in the last column after a resize, but not
		// be printed there.
		text = strings.ReplaceAll(strings.TrimRight(text, " "), "\uFE0E", "")
		fmt.Fprintf(&b, "%d %s\x1b[m\n", i, text)
	}
	end := fmt.Sprintf("end of %d", n)
	b.WriteString(end + "\n")
	path := r.file(fmt.Sprintf("text%d", n))
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.Run("send-keys", "-t", p.id, "-l", "cat "+path)
	r.Run("send-keys", "-t", p.id, "Enter")
	r.waitFor(p.id, end+"\n$")
	switch n % 4 {
	case 0:
		r.Run("select-pane", "-t", p.id, "-T", fmt.Sprintf("title of %d", n))
	case 1: // something runs
		r.Run("send-keys", "-t", p.id, "-l", "sleep 1000")
		r.Run("send-keys", "-t", p.id, "Enter")
		r.WaitOutput("sleep", "display-message", "-p", "-t", p.id, "#{pane_current_command}")
	}
}

// sideWindow makes a session with panes to be closed, and gives their ids.
func (r *rig) sideWindow() (ids []string) {
	r.t.Helper()
	r.Run("new-session", "-d", "-s", "side", "-x", "80", "-y", "30")
	for range 3 {
		r.Run("split-window", "-v", "-t", "side")
		r.Run("select-layout", "-t", "side", "tiled")
	}
	for i, p := range r.list("side") {
		r.waitFor(p.id, "$")
		r.Run("send-keys", "-t", p.id, "-l", fmt.Sprintf("echo side %d", i))
		r.Run("send-keys", "-t", p.id, "Enter")
		r.waitFor(p.id, fmt.Sprintf("\nside %d\n$", i))
		ids = append(ids, p.id)
	}
	return ids
}

// workspace is what a person sees of it.
type workspace struct {
	panes   map[string]string   // by id: everything about the pane but its text
	windows string              // those that no pane is closed in
	text    map[string][]string // by id: every row of scrollback and screen
	shown   map[string][]string // by id: the rows of the screen down to the last one in use
	rows    map[string]int      // by id: how many rows the screen has
}

func (r *rig) snapshot() workspace {
	r.t.Helper()
	ws := workspace{panes: map[string]string{}, text: map[string][]string{}, shown: map[string][]string{}, rows: map[string]int{}}
	ws.windows = r.ask("list-windows", "-t", "the work", "-F",
		"#{session_name} #{window_index} #{window_name} #{window_layout} zoomed #{window_zoomed_flag} active #{window_active}")
	format := "#{pane_id}|#{session_name}|#{window_index}|#{pane_index}|active #{pane_active}|last #{pane_last}|#{pane_width}x#{pane_height}|#{pane_current_path}|#{pane_title}"
	for _, l := range strings.Split(r.ask("list-panes", "-s", "-t", "the work", "-F", format), "\n") {
		id, rest, _ := strings.Cut(l, "|")
		ws.panes[id] = rest
	}
	for _, l := range strings.Split(r.ask("list-panes", "-a", "-F", "#{pane_id} #{pane_height}"), "\n") {
		var id string
		var h int
		fmt.Sscan(l, &id, &h)
		ws.rows[id] = h
		ws.text[id] = trimLines(r.ask("capture-pane", "-p", "-e", "-S", "-", "-t", id))
		ws.shown[id] = trimLines(r.ask("capture-pane", "-p", "-e", "-t", id))
	}
	return ws
}

// restored starts a server and waits until every shell of the old workspace is back.
func (r *rig) restored(before workspace) workspace {
	r.t.Helper()
	r.ask("start-server")
	var rows []struct{ Pane, State, Reason string }
	r.wait("the report", func() bool {
		text := r.ask("report", "--json")
		if err := json.Unmarshal([]byte(text), &rows); err != nil {
			r.t.Fatalf("report: %v\n%s", err, text)
		}
		return len(rows) >= len(before.text)
	})
	seen := map[string]bool{}
	for _, row := range rows {
		if _, known := before.text[row.Pane]; row.State != "restored" || !known || seen[row.Pane] {
			r.t.Errorf("report: %+v", row)
		}
		seen[row.Pane] = true
	}
	if len(rows) != len(before.text) {
		r.t.Errorf("the report has %d rows for %d panes: %+v", len(rows), len(before.text), rows)
	}
	for id := range before.text {
		r.waitScreen(id, "a shell under a divider", func(l []string) bool {
			return len(l) > 1 && l[len(l)-1] == "$" && strings.HasPrefix(l[len(l)-2], "── ")
		})
	}
	return r.snapshot()
}

// same compares all but the text.
func (r *rig) same(was, is workspace, what string) {
	r.t.Helper()
	if is.windows != was.windows {
		r.t.Errorf("%s:\n got %s\nwant %s", what, is.windows, was.windows)
	}
	for id, w := range was.panes {
		if is.panes[id] != w {
			r.t.Errorf("%s, pane %s:\n got %s\nwant %s", what, id, is.panes[id], w)
		}
	}
	if len(is.panes) != len(was.panes) {
		r.t.Errorf("%s: %d panes, want %d", what, len(is.panes), len(was.panes))
	}
}

// restoredText holds that a pane shows all its old rows, then the divider, then a prompt.
func (r *rig) restoredText(id, what string, was, is []string) {
	r.t.Helper()
	if len(is) < 2 || is[len(is)-1] != "$" || !strings.HasPrefix(is[len(is)-2], "── ") {
		r.t.Errorf("pane %s: the %s does not end with a divider and a prompt:\n%s", id, what, strings.Join(is[max(0, len(is)-5):], "\n"))
		return
	}
	old := is[:len(is)-2]
	if len(was) > r.limit && len(old) > len(was) {
		old = old[len(old)-len(was):] // the limit had taken the beginning of the oldest line, which was saved whole
	}
	if strings.Join(old, "\n") != strings.Join(was, "\n") {
		// The beginning of the oldest line, which was cut off in memory, may be back: the disk has lines as a
		// whole. It shifts how the line wraps.
		if is, was := plain(old), plain(was); strings.HasSuffix(is, was) && len(is)-len(was) < 4*r.cols(id) {
			r.t.Logf("pane %s, %s: %q is back in front of the oldest row", id, what, is[:len(is)-len(was)])
			return
		}
		r.t.Errorf("pane %s, %s: %d rows above the divider, %d were saved:\n%s", id, what, len(old), len(was), difference(strings.Join(old, "\n"), strings.Join(was, "\n")))
	}
}

var looks = regexp.MustCompile("\x1b\\[[0-9;:]*m")

// plain is the text of rows, without looks and without where it wraps.
func plain(rows []string) string { return looks.ReplaceAllString(strings.Join(rows, ""), "") }

// cols is how wide a pane is.
func (r *rig) cols(id string) int {
	r.t.Helper()
	n, err := strconv.Atoi(r.ask("display-message", "-p", "-t", id, "#{pane_width}"))
	if err != nil {
		r.t.Fatal(err)
	}
	return n
}
