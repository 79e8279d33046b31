// Package conform holds the emulator against the outside: public recordings
// with the screens they must give, another emulator, and the speed aims.
package conform

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stet/vt"
)

// corpus is the folder with the recordings ($STET_CORPUS, else ../shared/corpus
// beside the checkout). They are not part of the project; without them the
// tests that need them are skipped.
func corpus(t *testing.T, part string) string {
	t.Helper()
	dir := os.Getenv("STET_CORPUS")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "corpus")
	}
	dir = filepath.Join(dir, part)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the public recordings are not here: %v (set STET_CORPUS)", err)
	}
	return dir
}

// feed writes data in pieces of n bytes, all at once with n = 0.
func feed(term *vt.Terminal, data []byte, n int) {
	if n <= 0 {
		n = max(1, len(data))
	}
	for len(data) > 0 {
		k := min(n, len(data))
		term.Write(data[:k])
		data = data[k:]
	}
}

// rowsOf gives the screen as text, without blanks at the ends of rows.
func rowsOf(term *vt.Terminal) []string {
	n := term.HistoryLen()
	_, rows := term.Size()
	out := term.Text(n, n+rows-1, vt.TextOptions{})
	for i, s := range out {
		out[i] = strings.TrimRight(s, " ")
	}
	return out
}

// checkNames compares the cases that failed with those known to.
func checkNames(t *testing.T, what string, total int, failed, known []string) {
	t.Helper()
	for _, name := range failed {
		if !slices.Contains(known, name) {
			t.Errorf("%s: %s fails", what, name)
		}
	}
	for _, name := range known {
		if !slices.Contains(failed, name) {
			t.Errorf("%s: %s is listed as failing, but passes: take it off the list", what, name)
		}
	}
	t.Logf("%s: %d of %d", what, total-len(failed), total)
}
