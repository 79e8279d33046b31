package torture

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/term"
)

// numbered is the n-th of the lines that a pane prints for TestSavesUnderLoad: its length and its look
// follow from its number.
func numbered(n int) string {
	text := fmt.Sprintf("%07d ", n) + strings.Repeat(string(rune('a'+n%26)), n*7919%150)
	if n%9 == 0 {
		text += strings.Repeat("漢", n%40)
	}
	return text + "."
}

// printLines prints numbered lines: PATH PAUSE, with PAUSE µs after each few of them.
func printLines(args []string) int {
	pause, _ := strconv.Atoi(args[1])
	if _, err := term.MakeRaw(1); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	p := newPausing(args[0])
	for n := 0; !p.end(); {
		var b strings.Builder
		for range 1 + n%17 {
			fmt.Fprintf(&b, "\x1b[3%dm%s\x1b[m\r\n", n%8, numbered(n))
			n++
		}
		k, err := os.Stdout.WriteString(b.String())
		p.acc.Bytes += uint64(k)
		if err != nil {
			return 1
		}
		time.Sleep(time.Duration(pause) * time.Microsecond)
	}
	return 7
}

// TestSavesUnderLoad: the workspace is saved again and again while programs print, scrollbacks are at their
// limit and panes are resized; then everything is killed. What was saved is of one moment: no line is
// missing in it and none comes twice.
func TestSavesUnderLoad(t *testing.T) {
	t.Parallel()
	for round := range size(2, 20) {
		t.Run(strconv.Itoa(round), savesUnderLoad)
	}
}

func savesUnderLoad(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.start(300 + r.rnd.IntN(500))
	path := func(i int) string { return r.file("lines" + strconv.Itoa(i)) }
	r.open("lines", 161, 48, r.role("lines", path(0), "3000")...)
	r.split("lines", "-h", r.role("lines", path(1), "20000")...)
	var panes []paused
	for i := range 2 {
		panes = append(panes, r.await("lines", i, path(i)))
		r.goOn(&panes[i])
	}
	for range 12 {
		r.nap(60 * time.Millisecond)
		if r.rnd.IntN(3) == 0 {
			r.ask("resize-pane", "-t", panes[0].id, "-x", strconv.Itoa(20+r.rnd.IntN(120)))
		}
		r.ask("flush")
	}
	r.killAll([]int{r.serverPid(), r.KeeperPid()})
	r.ask("start-server")
	r.wait("the report", func() bool {
		var rows []struct{ State string }
		return json.Unmarshal([]byte(r.ask("report", "--json")), &rows) == nil && len(rows) == len(panes)
	})
	for _, p := range panes {
		lines := trimLines(r.ask("capture-pane", "-p", "-J", "-S", "-", "-t", p.id))
		end := -1
		for i, l := range lines {
			if strings.HasPrefix(l, "── ") {
				end = i
			}
		}
		if end < 20 { // rows of a narrow pane hold few lines
			t.Errorf("pane %s: %d lines above the divider:\n%s", p.id, end, strings.Join(lines[max(0, len(lines)-5):], "\n"))
			continue
		}
		// The first line may have lost its beginning to the limit, the last its end to the moment.
		first, err := strconv.Atoi(lines[1][:min(7, len(lines[1]))])
		if err != nil {
			t.Errorf("pane %s begins with %q, %q", p.id, lines[0], lines[1])
			continue
		}
		if l := lines[0]; !strings.HasSuffix(numbered(first-1), l) {
			t.Errorf("pane %s begins with %q, then %q", p.id, l, lines[1])
		}
		for i := 1; i < end; i++ {
			want := numbered(first + i - 1)
			if l := lines[i]; l != want && (i < end-1 || !strings.HasPrefix(want, l)) {
				t.Errorf("pane %s, line %d of %d after a save under load:\n got %.100q\nwant %.100q", p.id, i, end, l, want)
				break
			}
		}
	}
}
