package login

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// machine is a system of the test's making.
type machine struct {
	managed, booted, linger bool
	kill                    string // what KillUserProcesses is, "" none answers
	cgroup                  string
	refuse                  error
	slow                    int // looks until a process is moved
	deaf                    bool
	calls                   []string
}

func (m *machine) system() System {
	return System{
		Getenv:   func(k string) string { return map[string]string{"XDG_RUNTIME_DIR": "/run/user/7"}[k] },
		ReadFile: func(string) ([]byte, error) { return []byte("12:cpu:/other.scope\n0::" + m.cgroup + "\n"), nil },
		Exists: func(p string) bool {
			return m.managed && p == "/run/user/7/systemd/private" || m.booted && p == "/run/systemd/system" || m.linger && p == "/var/lib/systemd/linger/me"
		},
		User: func() string { return "me" },
		Pause: func() {
			if m.slow--; m.slow == 0 && !m.deaf {
				m.cgroup = "/user.slice/user-7.slice/user@7.service/app.slice/" + m.unit()
			}
		},
		Run: func(_ context.Context, name string, args ...string) ([]byte, error) {
			line := name + " " + strings.Join(args, " ")
			m.calls = append(m.calls, line)
			if strings.Contains(line, "KillUserProcesses") {
				if m.kill == "" {
					return nil, errors.New("no answer")
				}
				return []byte("b " + m.kill + "\n"), nil
			}
			if m.refuse != nil {
				return nil, m.refuse
			}
			if m.slow == 0 && !m.deaf {
				m.cgroup = "/user.slice/user-7.slice/user@7.service/app.slice/" + m.unit()
			}
			return nil, nil
		},
	}
}

// unit is the one that was asked for.
func (m *machine) unit() string {
	for _, w := range strings.Fields(m.calls[len(m.calls)-1]) {
		if strings.HasSuffix(w, ".scope") {
			return w
		}
	}
	return ""
}

const session = "/user.slice/user-7.slice/session-3.scope"

func TestLeavingTheLogin(t *testing.T) {
	m := &machine{managed: true, cgroup: session}
	unit, err := m.system().Leave("my work", 42)
	if err != nil || unit != `stet-my\x20work-42.scope` || len(m.calls) != 1 || !strings.Contains(m.calls[0], "PIDs au 1 42 ") {
		t.Fatalf("%q %v %q", unit, err, m.calls)
	}
	if again, err := m.system().Leave("my work", 42); err != nil || again != unit || len(m.calls) != 1 {
		t.Errorf("asked again: %q %v %q", again, err, m.calls)
	}
	m = &machine{managed: true, cgroup: session, slow: 5}
	if _, err := m.system().Leave("x", 42); err != nil {
		t.Errorf("it takes a moment: %v", err)
	}
}

func TestLeavingThatDoesNotWork(t *testing.T) {
	m := &machine{cgroup: session}
	if _, err := m.system().Leave("x", 42); !errors.Is(err, ErrNone) || len(m.calls) != 0 {
		t.Errorf("without systemd: %v %q", err, m.calls)
	}
	m = &machine{managed: true, cgroup: session, refuse: errors.New("Access denied")}
	if _, err := m.system().Leave("x", 42); err == nil || !strings.Contains(err.Error(), "Access denied") {
		t.Errorf("refused: %v", err)
	}
	m = &machine{managed: true, cgroup: session, deaf: true}
	if _, err := m.system().Leave("x", 42); err == nil || !strings.Contains(err.Error(), "not moved") {
		t.Errorf("not moved: %v", err)
	}
}

func TestUnitsAreReadFromControlGroups(t *testing.T) {
	for cgroup, want := range map[string]string{
		session: "session-3.scope", "/user.slice/user-7.slice/user@7.service/app.slice/stet-a-1.scope": "stet-a-1.scope",
		"/user.slice/user-7.slice/user@7.service/init.scope/below": "init.scope", "/": "", "": "", "/docker/abc": "",
	} {
		if got := (&machine{cgroup: cgroup}).system().Unit(1); got != want {
			t.Errorf("%s: %q, want %q", cgroup, got, want)
		}
	}
}

func TestWhatALogoutLeaves(t *testing.T) {
	own := "/user.slice/user-7.slice/user@7.service/app.slice/stet-a-1.scope"
	for name, c := range map[string]struct {
		m     machine
		lives Answer
		why   string
	}{
		"no systemd":                {machine{cgroup: "/"}, Yes, "no login manager"},
		"own scope, lingering":      {machine{managed: true, booted: true, linger: true, cgroup: own}, Yes, "lingering is on"},
		"own scope, not lingering":  {machine{managed: true, booted: true, cgroup: own}, No, "lingering is off"},
		"in the session, killed":    {machine{booted: true, kill: "true", cgroup: session}, No, "session-3.scope"},
		"in the session, let alone": {machine{booted: true, kill: "false", cgroup: session}, Yes, "leaves alone"},
		"nobody says":               {machine{booted: true, cgroup: session}, Unknown, "does not say"},
	} {
		got := c.m.system().Logout(1)
		if got.Lives != c.lives || !strings.Contains(got.Why, c.why) || c.lives == No && got.Try == "" || c.lives == Yes && got.Try != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// The keeper waits for all children of its process. A program whose status it has taken was run all the same.
func TestSomebodyElseCollectsTheStatus(t *testing.T) {
	stop, over := make(chan struct{}), make(chan struct{})
	var ended atomic.Int32
	go func() {
		defer close(over)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); err == nil && pid > 0 {
				ended.Add(1)
			}
		}
	}()
	for end := time.Now().Add(time.Minute); ended.Load() == 0 && time.Now().Before(end); {
		out, err := System{}.run("echo", "moved")
		if err != nil || string(out) != "moved\n" {
			t.Errorf("%q %v", out, err)
			break
		}
	}
	close(stop)
	<-over
	if ended.Load() == 0 && !t.Failed() {
		t.Error("nobody was first: nothing is shown")
	}
}
