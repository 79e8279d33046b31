package harness

import (
	"strings"
	"testing"
)

// lastLine is the status line.
func lastLine(screen string) string {
	lines := strings.Split(screen, "\n")
	return lines[len(lines)-1]
}

// status waits until the status line contains text.
func (t *Term) status(text string) {
	t.T.Helper()
	t.Wait(text+" in the status line", func(s string) bool { return strings.Contains(lastLine(s), text) })
}

func TestWindowKeys(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02cecho sec''ond\r") // the keys behind it are the new window's
	c.WaitFor("second")
	c.status("1:sh*")
	c.Type("\x02c")
	c.status("2:sh*")
	c.status("1:sh-")
	index := func(want string) { t.Helper(); w.WaitOutput(want, "display-message", "-p", "#{window_index}") }
	c.Type("\x02p")
	index("1")
	c.WaitFor("second")
	c.Type("\x02n\x02n")
	index("0")
	c.WaitGone("second")
	c.Type("\x02l")
	index("2")
	c.Type("\x021")
	index("1")
	c.Type("\x02'")
	c.WaitFor("index")
	c.Type("2\r")
	index("2")
	c.Type("\x02&")
	c.WaitFor("kill-window sh? (y/n)")
	c.Type("y")
	index("1")
	c.WaitFor("second")
	c.Type("exit\r")
	index("0")
	c.status("0:sh*")
}

func TestSeveralClientsSeeTheirSessionsWindows(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "a", "-x", "80", "-y", "24")
	w.Run("new-session", "-d", "-s", "b", "-x", "80", "-y", "24")
	w.Run("new-window", "-t", "a", "-n", "two")
	a, b := w.Attach(80, 24, "attach", "-t", "a"), w.Attach(60, 20, "attach", "-t", "b")
	a.status("[a] 0:sh- 1:two*")
	b.status("[b] 0:sh*")
	a.Type("echo on''ly a\r")
	a.WaitFor("only a")
	b.Type("echo on''ly b\r")
	b.WaitFor("only b")
	if strings.Contains(a.Screen(), "only b") || strings.Contains(b.Screen(), "only a") {
		t.Fatalf("one sees the other's:\n%s\n%s", a.Screen(), b.Screen())
	}
	w.Run("select-window", "-t", "a:0")
	a.WaitGone("only a")
	w.Run("kill-window", "-t", "b:0")
	if code := b.WaitExit(); code != 0 || !strings.Contains(b.Screen(), "[exited]") {
		t.Fatalf("exit %d\n%s", code, b.Screen())
	}
	w.Run("kill-window", "-t", "a:0")
	a.WaitFor("only a")
	a.status("[a] 1:two*")
}

// places are all windows of all sessions as people know them.
func places(w *World) string {
	return w.Run("list-windows", "-a", "-F", "#{session_name}:#{window_index} #{window_id} #{window_name} #{window_active}#{window_last_flag} #{window_layout} #{session_group}")
}

// several makes a workspace of several sessions and windows, with a link and a group.
func several(w *World) string {
	w.Run("new-session", "-d", "-s", "a", "-n", "one", "-x", "80", "-y", "24")
	w.Run("new-window", "-t", "a:", "-n", "two")
	w.Run("new-window", "-d", "-t", "a:7", "-n", "seven")
	w.Run("split-window", "-h", "-t", "a:two")
	w.Run("new-session", "-d", "-s", "b", "-n", "other", "-x", "80", "-y", "24")
	w.Run("link-window", "-s", "a:two", "-t", "b:5")
	w.Run("new-session", "-d", "-t", "a", "-s", "c")
	w.Run("select-window", "-t", "c:7")
	w.Run("send-keys", "-t", "a:seven", "echo sev''en is here", "Enter")
	w.Wait("the echo", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "a:seven"), "seven is here") })
	return places(w)
}

func TestWindowsSurviveTheServer(t *testing.T) {
	w := New(t)
	was := several(w)
	w.KillServer()
	if now := places(w); now != was {
		t.Fatalf("was\n%s\nis\n%s", was, now)
	}
	w.Run("kill-window", "-t", "c:two") // the group and the link are still one window
	want := "a:0\na:7\nb:0\nc:0\nc:7"
	w.WaitOutput(want, "list-windows", "-a", "-F", "#{session_name}:#{window_index}")
	if s := w.Run("capture-pane", "-p", "-t", "c:7"); !strings.Contains(s, "seven is here") {
		t.Fatal(s)
	}
}

func TestWindowsSurviveTheKeeper(t *testing.T) {
	w := New(t)
	was := several(w)
	w.Run("flush")
	w.KillBoth()
	w.Run("start-server")
	if now := places(w); now != was {
		t.Fatalf("was\n%s\nis\n%s", was, now)
	}
	if s := w.Run("capture-pane", "-p", "-t", "a:7"); !strings.Contains(s, "seven is here") {
		t.Fatal(s)
	}
}

func TestAlerts(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-s", "a", "-n", "shown", "-x", "80", "-y", "24")
	for _, name := range []string{"busy", "ring", "calm"} {
		w.Run("new-window", "-d", "-t", "a:", "-n", name)
	}
	w.Run("set-option", "-w", "-t", "a:busy", "monitor-activity", "on")
	w.Run("set-option", "-w", "-t", "a:calm", "monitor-silence", "1")
	w.Run("set-option", "-g", "visual-bell", "on")
	c := w.Attach(80, 24, "attach", "-t", "a")
	c.status("0:shown*")
	c.status("3:calm~") // the silence
	w.Run("send-keys", "-t", "a:busy", "echo x", "Enter")
	c.status("1:busy#")
	w.Run("send-keys", "-t", "a:ring", `printf '\a'`, "Enter")
	c.WaitFor("Bell in window 2")
	c.status("2:ring!")
	w.WaitOutput("1#,2!,3~", "display-message", "-p", "-t", "a:", "#{session_alerts}")
	w.KillServer()
	w.WaitOutput("1#,2!,3~", "display-message", "-p", "-t", "a:", "#{session_alerts}")
	c.Type("\x02\x1bn") // M-n: the next with an alert
	c.status("1:busy*")
	c.Type("\x02\x1bp")
	c.status("3:calm*")
	w.WaitOutput("2!", "display-message", "-p", "-t", "a:", "#{session_alerts}")
	w.Run("kill-session", "-C", "-t", "a")
	w.WaitOutput("", "display-message", "-p", "-t", "a:", "#{session_alerts}")
}

func TestWhereClientsGoWhenTheirSessionEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ option, want string }{
		{"on", ""}, {"off", "z"}, {"no-detached", "b"}, {"next", "n"}, {"previous", "b"},
	} {
		t.Run(c.option, func(t *testing.T) {
			w := New(t)
			for _, name := range []string{"b", "m", "n", "z"} {
				w.Run("new-session", "-d", "-s", name, "-x", "80", "-y", "24")
			}
			w.Run("set-option", "-g", "detach-on-destroy", c.option)
			term := w.Attach(80, 24, "attach", "-t", "m")
			term.status("[m]")
			for _, name := range []string{"n", "b", "z"} { // the order of use
				if name == "b" && c.option == "no-detached" {
					continue
				}
				w.Attach(80, 24, "attach", "-t", name).status("[" + name + "]")
			}
			w.Run("kill-session", "-t", "m")
			if c.want == "" {
				term.WaitExit()
				return
			}
			term.status("[" + c.want + "]")
		})
	}
}

func TestDestroyUnattached(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "stays", "-x", "80", "-y", "24")
	w.Run("new-session", "-d", "-s", "goes", "-x", "80", "-y", "24")
	w.Run("set-option", "-t", "goes", "destroy-unattached", "on")
	c := w.Attach(80, 24, "attach", "-t", "goes")
	c.status("[goes]")
	c.Type("\x02d")
	c.WaitExit()
	w.WaitOutput("stays", "list-sessions", "-F", "#S")
}

func TestNamesFollowThePrograms(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("exec sleep 1000\r")
	c.status("0:sleep*")
	w.Run("set-option", "-g", "automatic-rename-format", "<#{pane_current_command}>")
	w.Run("new-window", "exec sleep 1001")
	c.status("1:<sleep>*")
	w.Run("rename-window", "mine")
	w.Run("new-window", "-d")
	c.status("1:mine*")
	w.Run("set-option", "-w", "automatic-rename", "on")
	c.status("1:<sleep>*")
}
