package torture

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/tests/harness"
)

// TestUpgrades: server and keeper go over to other builds, again and again, while programs are at work and panes are resized; some of the
// builds are no good, and some servers are killed in the midst of it. Nothing is lost and nothing comes twice.
func TestUpgrades(t *testing.T) {
	t.Parallel()
	upgrades(t, size(12, 80))
}

// TestUpgradesWhereTheKeeperReads is the same where the server must not read the terminals itself.
func TestUpgradesWhereTheKeeperReads(t *testing.T) {
	t.Parallel()
	upgrades(t, size(6, 40), "STET_NO_EXACT=1")
}

func upgrades(t *testing.T, rounds int, env ...string) {
	r := newRig(t, append(env, "STET_UPGRADE_WAIT=120s")...)
	r.Env = append(r.Env, r.Plan())
	names := []string{"one", "two"}
	builds := map[string]string{}
	for _, n := range names {
		builds[n] = harness.BinaryOf(t, harness.Variant{Name: n})
	}
	r.Use(builds["one"])
	r.start(1500)
	r.ask("set-option", "-wg", "remain-on-exit", "on")
	r.generate("small", 80, 24, "-h")
	r.generate("large", 200, 50, "-v")
	r.asks("ask")
	people := r.people()
	settings := r.settings()
	r.goOnAll()
	outer := []*harness.Term{r.attach(161, 25, "small")}
	done := map[string]int{}
	for round := 1; round <= rounds; round++ {
		when := fmt.Sprintf("round %d", round)
		child := r.child(round)
		old := r.serverPid()
		r.nap(15 * time.Millisecond)
		resizing := make(chan struct{})
		steps := r.resizes(outer)
		go func() {
			defer close(resizing)
			for _, f := range steps {
				f()
			}
		}()
		argv := []string{"upgrade", "--binary=" + builds[names[round/2%2]]}
		if r.rnd.IntN(2) == 0 {
			argv = append(argv, "--keeper")
		}
		var outcome string
		switch round % 4 {
		case 0: // a build that does not serve
			r.Use(builds["one"])
			argv[1] = "--binary=" + r.BadBuild("crash")
			res := r.Try(argv...)
			if outcome = "gone back"; res.Code != 1 || !strings.Contains(res.Err, "goes on, and every pane is as it was") {
				t.Errorf("%s: %q: exit %d, %q %q\n%s", when, argv, res.Code, res.Out, res.Err, r.Logs())
			}
		case 2: // the server is killed at any moment of it
			pause := time.Duration(r.rnd.IntN(60)) * time.Millisecond
			killed := make(chan struct{})
			go func() {
				defer close(killed)
				time.Sleep(pause)
				syscall.Kill(old, syscall.SIGKILL)
			}()
			r.Try(argv...) // it may have got anywhere
			<-killed
			outcome = "killed"
		default:
			res := r.Try(argv...)
			if outcome = strings.Join(argv[2:], ""); res.Code != 0 || !strings.HasPrefix(res.Out, "upgraded from build ") {
				t.Errorf("%s: %q: exit %d, %q %q\n%s", when, argv, res.Code, res.Out, res.Err, r.Logs())
			}
		}
		done["upgrade "+outcome]++
		r.wait("another server", func() bool { return r.serverPid() != old })
		child.release()
		<-resizing
		r.checkPids(when)
		r.collectAll()
		child.check()
		r.wait("the clients to be back", func() bool {
			return strings.Count(r.ask("list-clients", "-F", "x"), "x") == len(outer)
		})
		if now := r.KeeperPid(); now != r.keepers {
			t.Fatalf("%s: keeper %d, was %d\n%s", when, now, r.keepers, r.Logs())
		}
		if now := r.settings(); now != settings {
			t.Errorf("%s: options, bindings, buffers, environment:\n%s", when, difference(now, settings))
		}
		if round%4 == 0 || round == rounds {
			r.checkAll(when)
			for _, f := range people {
				f(round)
			}
			if t.Failed() {
				return
			}
			r.goOnAll()
		}
	}
	r.checkAll("at the end")
	acc := r.checkAsker(r.askers[0], r.deaths())
	r.checkPids("at the end")
	var bytes uint64
	for _, g := range r.gens {
		bytes += g.src.at
	}
	t.Logf("%v, %d deaths, %d bytes compared, terminal answers: %d asked, %d told, %d late", done, r.deaths(), bytes, acc.Asked, acc.Told, acc.Late)
}

// settings sets something of everything that is set by hand, the same at each call, and returns what there is of it.
func (r *rig) settings() string {
	r.t.Helper()
	if r.ask("show-options", "-gqv", "@torture") == "" {
		r.ask("set-option", "-g", "@torture", "with 'quotes' and #{x}")
		r.ask("set-option", "-w", "-t", "large", "monitor-activity", "on")
		r.ask("set-option", "-p", "-t", "small", "@pane", "of a pane")
		r.ask("bind-key", "-T", "mine", "F9", "display-message", "nine")
		r.ask("unbind-key", "-T", "prefix", "c")
		r.ask("set-hook", "-g", "after-rename-window", "set-option -g @renamed yes")
		r.ask("set-environment", "-g", "TORTURE", "of the world")
		r.ask("set-environment", "-t", "small", "TORTURE", "of the session")
		r.ask("set-buffer", "-b", "first", strings.Repeat("a line\n", 100))
		r.ask("set-buffer", "-b", "second", "日本\x01\x1b[31m")
	}
	var b strings.Builder
	for _, argv := range [][]string{
		{"show-options", "-g"}, {"show-options", "-s"}, {"show-options", "-wg"}, {"show-options", "-w", "-t", "large"}, {"show-options", "-p", "-t", "small"},
		{"list-keys"}, {"show-hooks", "-g"}, {"show-environment", "-g", "TORTURE"}, {"show-environment", "-t", "small", "TORTURE"},
		{"list-buffers"}, {"show-buffer", "-b", "first"}, {"show-buffer", "-b", "second"}, {"list-windows", "-t", "large", "-F", "#{window_name} #{window_id}"},
	} {
		fmt.Fprintf(&b, "%q\n%s\n", argv, r.ask(argv...))
	}
	return b.String()
}
