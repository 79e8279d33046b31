package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSystemdBringsTheWorkspaceBack: with a real systemd the unit starts a server, which restores what was saved
// without anybody who attaches; neither stopping nor restarting the unit ends a program; and it goes without a trace.
func TestSystemdBringsTheWorkspaceBack(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.userManager()
	systemctl := func(args ...string) (string, error) {
		cmd := exec.Command("systemctl", append([]string{"--user"}, args...)...)
		cmd.Env = w.vars()
		out, err := cmd.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	// What was saved before the reboot.
	w.Try("new-session", "-d", "-s", "work", "-n", "edit") // which warns that lingering is off
	w.Run("new-window", "-d", "-t", "work", "-n", "log")
	w.Run("flush")
	w.KillBoth()

	said := w.Run("service", "install")
	unit := "stet-test.service"
	if !strings.Contains(said, "/systemd/user/"+unit) {
		t.Fatalf("it says\n%s", said)
	}
	if state, err := systemctl("is-enabled", unit); state != "enabled" {
		t.Fatalf("it is %s: %v", state, err)
	}
	if out, err := systemctl("start", unit); err != nil {
		out2, _ := systemctl("status", unit)
		t.Fatalf("%v: %s\n%s\n%s", err, out, out2, w.Logs())
	}
	w.WaitOutput("edit\nlog", "list-windows", "-t", "work", "-F", "#{window_name}")
	if st := w.Run("service", "status"); !strings.Contains(st, "enabled:  enabled") || !strings.Contains(st, "active:   active") {
		t.Errorf("status\n%s", st)
	}
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", w.KeeperPid()))
	if err != nil || !strings.Contains(string(b), ".scope\n") {
		t.Errorf("the keeper is in no scope of its own: %v\n%s", err, b)
	}
	// The unit stops and starts again; the programs take no notice.
	keeper, pane := w.KeeperPid(), panePid(w, "work:edit")
	for _, verb := range []string{"stop", "start", "restart"} {
		if out, err := systemctl(verb, unit); err != nil {
			t.Errorf("%s: %v: %s", verb, err, out)
		}
		if now := panePid(w, "work:edit"); now != pane || !Alive(pane) || w.KeeperPid() != keeper {
			t.Fatalf("after %s the program is %d, was %d", verb, now, pane)
		}
	}
	if again := w.Run("service", "install"); !strings.Contains(again, "is there already") {
		t.Errorf("a second time it says\n%s", again)
	}
	w.Run("service", "uninstall")
	if left, _ := filepath.Glob(filepath.Join(w.Dir, "home", ".config", "systemd", "user", "*", unit)); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if state, _ := systemctl("is-enabled", unit); state == "enabled" {
		t.Error("it is still enabled")
	}
	if now := panePid(w, "work:edit"); now != pane || !Alive(pane) {
		t.Errorf("the program is %d, was %d", now, pane)
	}
}
