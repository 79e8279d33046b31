package conform

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stet/vt"
)

// xtermjsKnown fail on purpose.
var xtermjsKnown = []string{
	"t0055-EL",           // xterm erases the last column while a wrap is pending; see eraseLine. Its owner skips it too
	"t0060-DECSC",        // an xterm of old forgot the pending wrap; now it is saved, as in DEC's terminals
	"t0061-CSI_s",        // the same
	"t0103-reverse_wrap", // xterm of old went back over any line, now only within one. Its owner skips it too
}

func TestXtermjsScreens(t *testing.T) {
	dir := corpus(t, "xtermjs")
	inputs, err := filepath.Glob(filepath.Join(dir, "*.in"))
	if err != nil || len(inputs) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	var failed []string
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
		for _, n := range []int{0, 1} {
			term := vt.New(vt.Options{Cols: 80, Rows: 25, History: 1000})
			feed(term, data, n)
			got := strings.Join(rowsOf(term), "\n")
			if strings.TrimRight(got, "\n") != strings.TrimRight(trimLines(string(want)), "\n") {
				failed = append(failed, name)
				if testing.Verbose() {
					t.Logf("%s\n--- got\n%s\n--- want\n%s", name, got, want)
				}
				break
			}
		}
	}
	checkNames(t, "xterm.js", len(inputs), failed, xtermjsKnown)
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
