package harness

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hierarchies are the trees of control groups that a systemd on this machine would use.
func hierarchies() (roots []string) {
	for _, dir := range []string{"/sys/fs/cgroup", "/sys/fs/cgroup/unified", "/sys/fs/cgroup/systemd"} {
		if _, err := os.Stat(filepath.Join(dir, "cgroup.procs")); err == nil {
			roots = append(roots, dir)
		}
	}
	return roots
}

// userManager runs systemd's manager of a user's logins for this world, in a mount namespace in which the machine counts as started by systemd, and
// gives the control group of a login beside it.
func (w *World) userManager() (login []string) {
	t := w.T
	t.Helper()
	manager := "/usr/lib/systemd/systemd"
	for _, need := range []string{"unshare", "dbus-daemon", "busctl", manager} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skipf("%s is not here, so this is not tried with a real systemd", need)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("only root can make control groups for a systemd of its own")
	}
	name := fmt.Sprintf("stet-test-%d", os.Getpid())
	var service []string
	for _, root := range hierarchies() {
		top := filepath.Join(root, name)
		t.Cleanup(func() { removeGroups(w, top) })
		for _, sub := range []string{"user@0.service", "session-1.scope"} {
			if err := os.MkdirAll(filepath.Join(top, sub), 0o755); err != nil {
				t.Skipf("no control groups can be made here: %v", err)
			}
		}
		service, login = append(service, filepath.Join(top, "user@0.service")), append(login, filepath.Join(top, "session-1.scope"))
	}
	if len(login) == 0 {
		t.Skip("no control groups are mounted here")
	}
	xdg := filepath.Join(w.Dir, "xdg")
	if err := os.MkdirAll(xdg, 0o700); err != nil {
		t.Fatal(err)
	}
	w.Env = append(w.Env, "XDG_RUNTIME_DIR="+xdg, "DBUS_SESSION_BUS_ADDRESS=unix:path="+filepath.Join(xdg, "bus"))
	script := `for g; do echo $$ > $g/cgroup.procs || exit; done
mount -t tmpfs tmpfs /run/systemd && mkdir /run/systemd/system || exit
exec ` + manager + ` --user --log-target=console --log-level=notice --unit=dbus.service`
	units := filepath.Join(w.Dir, "home", ".config", "systemd", "user")
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"dbus.socket":  "[Socket]\nListenStream=%t/bus\n",
		"dbus.service": "[Unit]\nRequires=dbus.socket\n[Service]\nType=notify\nNotifyAccess=main\nExecStart=" + daemon + " --session --address=systemd: --nofork --nopidfile --systemd-activation\n",
	} {
		if err := errors.Join(os.MkdirAll(units, 0o700), os.WriteFile(filepath.Join(units, name), []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat("/run/systemd"); err != nil {
		t.Skip("there is no /run/systemd to hide")
	}
	cmd := exec.Command("unshare", append([]string{"-m", "sh", "-c", script, "sh"}, service...)...)
	cmd.Env = w.vars()
	log, err := os.Create(filepath.Join(w.Dir, "manager.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Skipf("a systemd of its own: %v", err)
	}
	ended := make(chan struct{})
	go func() { cmd.Wait(); close(ended) }()
	t.Cleanup(func() {
		cmd.Process.Kill()
		<-ended
	})
	for end := time.Now().Add(Patience); ; time.Sleep(20 * time.Millisecond) {
		ask := exec.Command("busctl", "--user", "get-property", "org.freedesktop.systemd1", "/org/freedesktop/systemd1", "org.freedesktop.systemd1.Manager", "SystemState")
		ask.Env = w.vars()
		said, _ := ask.CombinedOutput()
		if word := strings.TrimSpace(string(said)); word == `s "running"` || word == `s "degraded"` {
			return login
		}
		select {
		case <-ended:
			b, _ := os.ReadFile(log.Name())
			t.Skipf("systemd does not run here: %s", strings.TrimSpace(string(b)))
		default:
		}
		if time.Now().After(end) {
			b, _ := os.ReadFile(log.Name())
			t.Skipf("systemd does not come up here: it says %q\n%s", said, b)
		}
	}
}

// members are the processes of a control group and of those below it.
func members(group string) (pids []int) {
	_ = filepath.WalkDir(group, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "cgroup.procs" {
			b, _ := os.ReadFile(path)
			for _, word := range strings.Fields(string(b)) {
				pid, _ := strconv.Atoi(word)
				pids = append(pids, pid)
			}
		}
		return nil
	})
	return pids
}

// removeGroups ends what is left in control groups of a test's own making, and removes them.
func removeGroups(w *World, top string) {
	if _, err := os.Stat(top); err != nil {
		return
	}
	w.Wait("the control groups to be empty", func() bool {
		for _, pid := range members(top) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		return len(members(top)) == 0
	})
	var dirs []string
	_ = filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return nil
	})
	for i := len(dirs) - 1; i >= 0; i-- {
		_ = os.Remove(dirs[i])
	}
}

// With a real systemd: the keeper leaves the login for a scope of its own, and everything that it starts is there. When the login's control group is
// ended, as systemd does at a logout, nothing happens to the panes.
func TestSystemdMovesTheKeeperOutOfTheLogin(t *testing.T) {
	w := New(t)
	login := w.userManager()
	start := w.Cmd("new-session", "-d", "-s", "work", "exec cat")
	words := []string{"-c", `for g; do [ "$g" = -- ] && break; echo $$ > $g/cgroup.procs || exit; shift; done; shift; sleep 1000 & exec "$@"`, "sh"}
	in := exec.Command("sh", append(append(append(words, login...), "--", start.Path), start.Args[1:]...)...)
	in.Env, in.Dir = start.Env, start.Dir
	if err := in.Run(); err != nil {
		t.Fatalf("%v\n%s", err, w.Logs())
	}
	pane := panePid(w, "work:")
	for what, pid := range map[string]int{"keeper": w.KeeperPid(), "server": w.ServerPid(), "program": pane} {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", pid))
		if err != nil || !strings.Contains(string(b), "/stet-test-"+strconv.Itoa(w.KeeperPid())+".scope\n") {
			t.Errorf("the %s is not in the keeper's scope: %v\n%s\n%s", what, err, b, w.Logs())
		}
	}
	killed := 0
	for _, group := range login { // what systemd does at a logout with KillUserProcesses=yes
		for _, pid := range members(group) {
			syscall.Kill(pid, syscall.SIGKILL)
			killed++
		}
	}
	if killed == 0 {
		t.Error("nothing was left of the login: the test shows nothing")
	}
	w.Run("send-keys", "-t", "work:", "still here", "Enter")
	w.Wait("an answer of the program", func() bool {
		return strings.Contains(w.Run("capture-pane", "-p", "-t", "work:"), "still here\nstill here")
	})
	if now := panePid(w, "work:"); now != pane || !Alive(pane) {
		t.Errorf("the program was %d and is %d", pane, now)
	}
}
