package torture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPopupsProgramStartsOnceWhateverDies: the server dies while a popup's program is being started, also the server
// that makes up for it. The box comes, with one program in it, and keys reach that.
func TestPopupsProgramStartsOnceWhateverDies(t *testing.T) {
	t.Parallel()
	for _, point := range []string{"popup-known", "popup-begun"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, "STET_CRASH="+point+":2")
			c := r.Attach(80, 24, "new-session", "-s", "t", "cat")
			c.WaitFor("[t]")
			began := filepath.Join(t.TempDir(), "began")
			r.Run("bind-key", "-n", "F5", "display-popup", "-E", "echo $$ >>"+began+"; echo in the box; read -r x; echo $x >>"+began)
			from, want := r.deaths(), 0
			for end := time.Now().Add(2 * time.Minute); r.deaths() < from+3; {
				if time.Now().After(end) {
					t.Fatalf("%d deaths in %d popups", r.deaths()-from, want)
				}
				c.Type("\x1b[15~")
				c.WaitFor("in the box")
				c.Type("typed\r")
				c.WaitGone("in the box")
				want++
				b, err := os.ReadFile(began)
				if err != nil {
					t.Fatal(err)
				}
				if programs, typed := strings.Count(string(b), "\n")-strings.Count(string(b), "typed\n"), strings.Count(string(b), "typed\n"); programs != want || typed != want {
					t.Fatalf("%d popups, %d programs, %d of them were typed at:\n%s", want, programs, typed, b)
				}
			}
			t.Logf("%d popups, %d deaths", want, r.deaths()-from)
		})
	}
}
