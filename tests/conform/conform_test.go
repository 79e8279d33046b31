// Package conform holds the emulator against the outside: public recordings
// with the screens they must give, another emulator, and the speed aims.
package conform

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"

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

// known are cases that fail on purpose, each with the difference and whose side is taken.
type known map[string]string

// check compares the cases that failed with those known to, and prints the
// result beside that of vt10x.
func (k known) check(t *testing.T, what string, total int, failed, baseline []string) {
	t.Helper()
	for _, name := range failed {
		if k[name] == "" {
			t.Errorf("%s: %s fails", what, name)
		} else {
			t.Logf("%s: %s differs: %s", what, name, k[name])
		}
	}
	for name := range k {
		if !slices.Contains(failed, name) {
			t.Errorf("%s: %s is listed as failing, but passes: take it off the list", what, name)
		}
	}
	t.Logf("%-32s stet %d of %d, vt10x %d of %d", what, total-len(failed), total, total-len(baseline), total)
}

// theirRows are the rows of vt10x, in the form of rowsOf.
func theirRows(term vt10x.Terminal) []string {
	cols, rows := term.Size()
	out := make([]string, rows)
	for y := range rows {
		var b strings.Builder
		for x := range cols {
			r := term.Cell(x, y).Char
			if r == 0 {
				r = ' '
			}
			b.WriteRune(r)
		}
		out[y] = strings.TrimRight(b.String(), " ")
	}
	return out
}
