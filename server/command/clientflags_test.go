package command

import (
	"strings"
	"testing"
)

func TestRefreshClient(t *testing.T) {
	for line, want := range map[string]string{
		"refresh-client":         "refresh 1",
		"refresh-client -S":      "restyle 1",
		"refresh-client -c":      "follow 1",
		"refresh-client -L":      "pan 1 -1 0",
		"refresh-client -R 10":   "pan 1 10 0",
		"refresh-client -U 3":    "pan 1 0 -3",
		"refresh-client -D 3":    "pan 1 0 3",
		"refresh-client -D 0":    "adjustment 0: write a number of cells, 1 to 10000",
		"refresh-client -D x":    "adjustment x: write a number of cells, 1 to 10000",
		"refresh-client -C 80x2": "not a control client",
		"refresh-client -l":      "refresh-client -l: the clipboard of the outer terminal is not read",
		"refresh-client -f none": "unknown client flag: none (there are ignore-size, no-detach-on-destroy and read-only, each with ! before it to end it)",
		"detach-client -P":       "detach 1 hang up",
		"detach-client -E date":  "detach 1date",
		"lock-client":            "lock-client: stet does not lock terminals: detach (detach-client), or run a program that locks in its place (detach-client -E vlock)",
	} {
		s := attached(t, 1)
		out := s.run(line)
		if got := strings.Join(s.log, "; ") + out; got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestClientFlags(t *testing.T) {
	s := attached(t, 1)
	flags := func(want string) {
		t.Helper()
		if got := s.run("display-message -p '#{client_flags}'"); got != want {
			t.Errorf("flags %q, want %q", got, want)
		}
	}
	flags("attached,UTF-8")
	s.run("refresh-client -f ignore-size,no-detach-on-destroy")
	flags("attached,ignore-size,no-detach-on-destroy,UTF-8")
	s.run("refresh-client -f !ignore-size,read-only")
	flags("attached,no-detach-on-destroy,read-only,UTF-8")
	if got := s.run("refresh-client -f !read-only"); got != "client is read-only" {
		t.Errorf("a read-only client freed itself: %q", got)
	}
	flags("attached,no-detach-on-destroy,read-only,UTF-8")
	if got := s.run("detach-client -E sh"); got != "client is read-only" {
		t.Errorf("a read-only client ran a shell: %q", got)
	}
}
