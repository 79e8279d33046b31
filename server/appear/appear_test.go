package appear

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// await fails when no hint comes.
func await(t *testing.T, hints <-chan struct{}) {
	t.Helper()
	select {
	case <-hints:
	case <-time.After(30 * time.Second):
		t.Fatal("nothing was said")
	}
}

func TestADirectoryThatIsMadeIsToldOf(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "a", "b", "c")
	hints := make(chan struct{}, 100)
	w := New(func() { hints <- struct{}{} })
	defer w.Close()
	w.Watch([]string{dir, filepath.Join(base, "never")})
	for _, step := range []string{"a", "a/b", "a/b/c"} { // one by one, so that each has to be watched for
		if err := os.Mkdir(filepath.Join(base, step), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	await(t, hints)
	w.Watch(nil)
	w.Watch([]string{dir}) // it is there already: that is said at once
	await(t, hints)
}

func TestADirectoryThatIsMovedIntoPlaceIsToldOf(t *testing.T) {
	base := t.TempDir()
	aside := filepath.Join(base, "aside")
	if err := os.MkdirAll(filepath.Join(aside, "below"), 0o700); err != nil {
		t.Fatal(err)
	}
	hints := make(chan struct{}, 100)
	w := New(func() { hints <- struct{}{} })
	defer w.Close()
	w.Watch([]string{filepath.Join(base, "place", "below")})
	if err := os.Rename(aside, filepath.Join(base, "place")); err != nil {
		t.Fatal(err)
	}
	await(t, hints)
}
