package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// TestAPaneWaitsForItsMount: the disk that a pane's directory was on is not mounted after a restart, and an
// empty directory stands in its place. Nothing is started in that; when the disk comes, the pane goes on.
func TestAPaneWaitsForItsMount(t *testing.T) {
	w := New(t)
	disk := filepath.Join(w.Dir, "home", "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		t.Fatal(err)
	}
	mount := func() {
		t.Helper()
		if err := unix.Mount("stet-test", disk, "tmpfs", 0, "size=1m"); err != nil {
			t.Skipf("nothing can be mounted here: %v", err)
		}
	}
	mount()
	t.Cleanup(func() { _ = unix.Unmount(disk, unix.MNT_DETACH) })
	w.Run("new-session", "-d", "-s", "work", "-c", disk)
	w.Run("send-keys", "-t", "work:", "echo on the d''isk", "Enter")
	w.shows("work:", "on the disk")
	w.Run("flush")
	w.KillBoth()
	if err := unix.Unmount(disk, unix.MNT_DETACH); err != nil {
		t.Fatal(err)
	}
	w.Run("start-server")
	w.shows("work:", "which is not mounted.\nNothing was started.")
	w.shows("work:", "on the disk")
	if row := w.reportRow("%0"); row.State != "waiting" || !strings.Contains(row.Next, "mount "+disk) || strings.Contains(row.Next, "--create") {
		t.Errorf("report %+v", row)
	}
	if r := w.Try("restore-pane", "--create", "-t", "work:"); r.Code == 0 {
		t.Error("the place of a disk was made a directory")
	}
	if r := w.Try("restore-pane", "-t", "work:"); r.Code == 0 || !strings.Contains(r.Err, "still waiting") {
		t.Errorf("%+v", r)
	}
	w.KillServer()
	w.Wait("another server", func() bool { return w.Try("list-sessions").Code == 0 })
	reboot(w) // it waits for the same as before
	w.shows("work:", "which is not mounted.\nNothing was started.")
	mount()
	w.Wait("the pane to go on", func() bool { return w.of("work:", "#{pane_waiting}#{pane_current_path}") == disk })
	w.shows("work:", "on the disk")
}
