package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"stet/server/boot"
	"stet/server/login"
	"stet/server/sock"
)

// Exit statuses of service status.
const (
	serviceWell   = 0
	serviceFailed = 1 // it could not be found out
	serviceIll    = 2
)

// serviceHere runs the commands about the unit, none of which needs a server. done says that it was one.
func serviceHere(p sock.Paths, argv []string, out io.Writer) (code int, done bool) {
	name, flags := named("service", argv)
	words := strings.Join(append([]string{name}, flags...), " ")
	run := map[string]func(*boot.Service, io.Writer) error{
		"service-install": installUnit, "service-install --print": printUnit, "service-uninstall": uninstallUnit,
	}
	status := words == "service-status" || words == "service-status --json"
	if run[words] == nil && !status {
		return 0, false // the table says what is wrong
	}
	s, err := bootService(p)
	switch {
	case err != nil:
	case status:
		return serviceStatus(s, len(flags) > 0, out), true
	default:
		err = run[words](s, out)
	}
	if err != nil {
		return fail(err), true
	}
	return 0, true
}

// bootService is the unit of a server.
func bootService(p sock.Paths) (*boot.Service, error) {
	if p.Explicit {
		return nil, fmt.Errorf("a unit starts a server by its name: -L, not -S")
	}
	s := &boot.Service{Dir: boot.UnitDir(os.Getenv), Env: boot.Environment(os.Getenv)}
	if p.Name != sock.DefaultName {
		s.Server = p.Name
	}
	if s.Dir == "" {
		return nil, fmt.Errorf("no home directory is known, so there is no place for a unit")
	}
	exe, err := os.Executable()
	if err == nil {
		s.Exe, err = boot.Executable(os.Args[0], exe)
	}
	return s, err
}

func printUnit(s *boot.Service, out io.Writer) error {
	text := s.Text()
	if runtime.GOOS == "darwin" {
		text = s.Plist()
	}
	_, err := io.WriteString(out, text)
	return err
}

func installUnit(s *boot.Service, out io.Writer) error {
	if runtime.GOOS != "linux" {
		return fmt.Errorf("there is no systemd here: stet service install --print shows what to write")
	}
	changed, err := s.Install()
	if err != nil {
		return fmt.Errorf("%w; stet service install --print shows the unit; without systemd, a line of cron does the same: @reboot %s start-server", err, s.Exe)
	}
	if !changed {
		fmt.Fprintf(out, "%s is there already, and enabled\n", s.Path())
	} else {
		fmt.Fprintf(out, "%s\n\n%s\nit is enabled: the workspace comes back when the manager of your units starts\n", s.Path(), s.Text())
	}
	if (login.System{}).Lingers() != login.Yes {
		fmt.Fprintln(out, "that is at the first login, unless lingering is on: loginctl enable-linger")
	}
	return nil
}

func uninstallUnit(s *boot.Service, out io.Writer) error {
	changed, err := s.Uninstall()
	if err != nil {
		return err
	}
	if changed {
		fmt.Fprintf(out, "%s is removed; what runs goes on\n", s.Path())
	} else {
		fmt.Fprintf(out, "there is no %s\n", s.Path())
	}
	return nil
}

func serviceStatus(s *boot.Service, asJSON bool, out io.Writer) int {
	st := s.Status()
	if asJSON {
		b, err := json.MarshalIndent(st, "", "  ")
		if err != nil {
			fail(err)
			return serviceFailed
		}
		fmt.Fprintln(out, string(b))
	} else {
		printStatus(st, out)
	}
	if !st.Well() {
		return serviceIll
	}
	return serviceWell
}

func printStatus(st boot.Status, out io.Writer) {
	line := st.Path
	switch {
	case !st.Installed:
		line += ": not installed"
	case !st.Ours:
		line += ": not as stet has written it"
	case !st.Current:
		line += ": installed; stet service install would write it anew, for another program or environment"
	default:
		line += ": installed"
	}
	fmt.Fprintln(out, line)
	if st.Installed {
		for _, w := range []struct{ what, state string }{{"enabled", st.Enabled}, {"active", st.Active}} {
			if w.state == "" {
				w.state = "unknown: systemctl --user does not answer"
			}
			fmt.Fprintf(out, "%-9s %s\n", w.what+":", w.state)
		}
		fmt.Fprintf(out, "%-9s %s\n", "linger:", words((login.System{}).Lingers()))
	}
	if st.Problem != "" {
		fmt.Fprintln(out, st.Problem)
	}
}
