package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"

	"stet/vt"
)

// xtermjsKnown fail on purpose.
var xtermjsKnown = known{
	"t0055-EL": "xterm erases the last column while a wrap is pending; tmux, VTE and Alacritty (erase_in_line) keep it, and so do we. xterm.js skips the case too",
}

func TestXtermjsScreens(t *testing.T) {
	dir := corpus(t, "xtermjs")
	inputs, err := filepath.Glob(filepath.Join(dir, "*.in"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	var failed, baseline []string
	for _, in := range inputs {
		name := strings.TrimSuffix(filepath.Base(in), ".in")
		data, err := os.ReadFile(in)
		if err != nil {
			t.Fatal(err)
		}
		want, err := os.ReadFile(strings.TrimSuffix(in, ".in") + ".text")
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")) // what the tty made of it
		screen := strings.TrimRight(trimLines(string(want)), "\n")
		other := vt10x.New(vt10x.WithSize(80, 25))
		other.Write(data)
		if strings.TrimRight(strings.Join(theirRows(other), "\n"), "\n") != screen {
			baseline = append(baseline, name)
		}
		for _, n := range []int{0, 1} {
			term := vt.New(vt.Options{Cols: 80, Rows: 25, History: 1000})
			feed(term, data, n)
			got := strings.Join(rowsOf(term), "\n")
			if strings.TrimRight(got, "\n") != screen {
				failed = append(failed, name)
				if testing.Verbose() {
					t.Logf("%s\n--- got\n%s\n--- want\n%s", name, got, want)
				}
				break
			}
		}
	}
	xtermjsKnown.check(t, "xterm.js", len(inputs), failed, baseline)

	// xterm.js itself leaves these out.
	skipped := []string{"t0055-EL", "t0084-CBT", "t0101-NLM", "t0103-reverse_wrap", "t0504-vim"}
	theirs := func(names []string) (n int) {
		for _, name := range names {
			if !slices.Contains(skipped, name) {
				n++
			}
		}
		return n
	}
	if n := theirs(failed); n > 0 {
		t.Errorf("%d of those that xterm.js runs fail", n)
	}
	total := len(inputs) - len(skipped)
	t.Logf("%-32s stet %d of %d, vt10x %d of %d", "xterm.js, those its owner runs", total-theirs(failed), total, total-theirs(baseline), total)
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
