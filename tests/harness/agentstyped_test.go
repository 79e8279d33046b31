package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// typedWorld is a world with a Claude Code in which the option agent-adopt stands in the configuration.
func typedWorld(t *testing.T, adopt string) (w *World, work string) {
	t.Helper()
	w, work = agentWorld(t)
	needsProc(t)
	dir := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[options]\nagent-adopt = \""+adopt+"\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("set-option", "-s", "agent-adopt", adopt)
	return w, work
}

func needsProc(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("no /proc: ", err)
	}
}

// typeClaude types an agent into the shell of the first pane, and has it keep a message.
func (w *World) typeClaude(args string) {
	w.T.Helper()
	w.say("%0", "~/bin/claude "+args)
	w.shows("%0", "ready")
	w.say("%0", "remember the heron")
	w.shows("%0", "kept: remember the heron")
}

// looked waits until what the pane printed was looked at: its window is named after its program.
func (w *World) looked() {
	w.T.Helper()
	w.Wait("the pane to be looked at", func() bool { return w.of("%0", "#{window_name}") == w.of("%0", "#{pane_current_command}") })
}

// TestATypedAgentIsResumed: with the option on, an agent that was typed into a shell goes on as one that stet
// has started: with its conversation, its flags and without its prompt, and with a shell beneath.
func TestATypedAgentIsResumed(t *testing.T) {
	t.Parallel()
	w, work := typedWorld(t, "on")
	w.typeClaude("--model opus --session-id " + idA + " 'the very first prompt'")
	w.Wait("the record", func() bool {
		return w.of("%0", "#{pane_agent} #{pane_agent_state} #{pane_agent_conversation}") == "claude running "+idA
	})
	if got := w.Run("agent", "list"); !strings.Contains(got, "; adopted") || !strings.Contains(got, idA+", by its arguments") {
		t.Errorf("listed as %q", got)
	}
	if got := w.Run("agent", "list", "--json"); !strings.Contains(got, `"adopted": true`) {
		t.Errorf("listed as %s", got)
	}
	w.KillServer() // a crash of the server changes nothing of it
	if got := w.of("%0", "#{pane_agent_state} #{pane_agent_conversation}"); got != "running "+idA {
		t.Fatalf("behind a crash: %q", got)
	}
	reboot(w)
	w.shows("%0", "you said: remember the heron")
	w.shows("%0", "claude goes on with its conversation")
	w.Wait("the agent to run", func() bool { return w.of("%0", "#{pane_agent_state}") == "running" })
	all := w.launches()
	if len(all) != 2 || !strings.HasPrefix(all[1], "LAUNCH "+work+" [--model] [opus] [--settings] ") || !strings.HasSuffix(all[1], "[--resume] ["+idA+"]") {
		t.Errorf("started: %q", all)
	}
	// What was typed is on the saved screen; the record has nothing of it.
	if b, err := os.ReadFile(filepath.Join(w.Paths.State, "workspace.toml")); err != nil || strings.Contains(string(b), "the very first prompt") {
		t.Errorf("%v, the record:\n%s", err, b)
	}
	w.say("%0", "/exit")
	w.Wait("no agent", func() bool { return w.of("%0", "#{pane_agent}") == "" })
	w.say("%0", "echo a shel''l")
	w.shows("%0", "a shell")
}

// TestATypedAgentIsOffered: people are told of it once, nothing is resumed unasked, and what they say holds.
func TestATypedAgentIsOffered(t *testing.T) {
	t.Parallel()
	w, _ := typedWorld(t, "offer")
	term := w.Attach(120, 40, "attach")
	term.WaitFor("[work]")
	w.typeClaude("--session-id " + idA)
	term.WaitFor("claude runs here; stet agent adopt -t %0 brings it back after a restart")
	if got := w.of("%0", "#{pane_agent}"); got != "" {
		t.Fatalf("it was only offered, and the pane has %q", got)
	}
	reboot(w)
	if got := w.of("%0", "#{pane_agent}"); got != "" || len(w.launches()) != 1 {
		t.Fatalf("it was only offered, and is resumed: %q, %q", got, w.launches())
	}
	w.say("%0", "~/bin/claude --resume "+idA)
	w.Wait("it to be up", func() bool { return len(w.launches()) == 2 })
	w.Wait("it to be in the foreground", func() bool { return w.Try("agent", "adopt", "-t", "%0").Code == 0 })
	if r := w.Try("agent", "adopt", "-t", "%0"); r.Code == 0 || !strings.Contains(r.Err, "has its record already") {
		t.Errorf("twice: %+v", r)
	}
	reboot(w)
	w.Wait("the agent to run", func() bool { return w.of("%0", "#{pane_agent_state} #{pane_agent_conversation}") == "running "+idA })
	w.Wait("it to be resumed", func() bool { return len(w.launches()) == 3 })
}

// TestATypedAgentIsLeftAlone: with the option off, and where there is nothing to go on with.
func TestATypedAgentIsLeftAlone(t *testing.T) {
	t.Parallel()
	w, _ := typedWorld(t, "off")
	w.typeClaude("--session-id " + idA)
	w.looked()
	if got := w.Run("agent", "list") + w.Run("show-messages"); strings.Contains(got, "claude runs here") || strings.Contains(got, "adopted") {
		t.Errorf("with the option off: %s", got)
	}
	reboot(w)
	if got := w.of("%0", "#{pane_agent}"); got != "" || len(w.launches()) != 1 {
		t.Errorf("with the option off: %q, %q", got, w.launches())
	}
	if r := w.Try("agent", "adopt", "-t", "%0"); r.Code == 0 || !strings.Contains(r.Err, "is no agent that stet knows") {
		t.Errorf("a shell: %+v", r)
	}
	w.say("%0", "~/bin/claude -p hello")
	w.Wait("it to be refused", func() bool {
		r := w.Try("agent", "adopt", "-t", "%0")
		return r.Code != 0 && strings.Contains(r.Err, "claude -p has no conversation to come back to")
	})
}

// TestATypedAgentWithoutAnID: its record says so, and a restore gives a shell and says why.
func TestATypedAgentWithoutAnID(t *testing.T) {
	t.Parallel()
	w, _ := typedWorld(t, "on")
	w.typeClaude("")
	w.Wait("the record", func() bool { return w.of("%0", "#{pane_agent_state}") == "running" })
	if got := w.Run("agent", "list"); !strings.Contains(got, "no conversation id yet") {
		t.Errorf("listed as %q", got)
	}
	reboot(w)
	w.shows("%0", "claude was not resumed: it had not said which conversation it is in")
	w.say("%0", "echo a shel''l")
	w.shows("%0", "a shell")
	if n := len(w.launches()); n != 1 {
		t.Errorf("started %d times", n)
	}
}

// TestATypedAgentIsFollowed: its own file for its process tells which conversation it is in, also after that has
// changed; a file that is left of another process of that number does not.
func TestATypedAgentIsFollowed(t *testing.T) {
	t.Parallel()
	w, _ := typedWorld(t, "on")
	if err := os.WriteFile(filepath.Join(w.Dir, "home", "keeps"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.typeClaude("--session-id " + idA)
	w.Wait("the record", func() bool { return strings.Contains(w.Run("agent", "list"), idA+" as of ") })
	w.say("%0", "/clear "+idB)
	w.shows("%0", "cleared "+idB)
	w.say("%0", "newest")
	w.shows("%0", "kept: newest")
	w.Wait("the other conversation", func() bool { return w.of("%0", "#{pane_agent_conversation}") == idB })
	reboot(w)
	w.shows("%0", "you said: newest")
	if all := w.launches(); !strings.HasSuffix(all[len(all)-1], "[--resume] ["+idB+"]") {
		t.Errorf("started: %q", all)
	}
}

// TestATypedAgentEnds: its record ends with it, and its shell goes on; what was dropped stays so.
func TestATypedAgentEnds(t *testing.T) {
	t.Parallel()
	w, _ := typedWorld(t, "on")
	w.typeClaude("--session-id " + idA)
	w.Wait("the record", func() bool { return w.of("%0", "#{pane_agent_state}") == "running" })
	w.say("%0", "/exit")
	w.Wait("the record to end", func() bool { return w.of("%0", "#{pane_agent}") == "" })
	w.say("%0", "~/bin/claude --resume "+idA)
	w.Wait("another record", func() bool { return w.of("%0", "#{pane_agent_state}") == "running" })
	w.Run("agent", "drop", "-t", "%0")
	w.say("%0", "and the egret")
	w.shows("%0", "kept: and the egret")
	w.say("%0", "/exit")
	w.Wait("the shell", func() bool { return w.of("%0", "#{pane_current_command}") != "claude" })
	w.looked()
	if got := w.of("%0", "#{pane_agent}"); got != "" {
		t.Errorf("it was dropped, and there is %q", got)
	}
	n := len(w.launches())
	reboot(w)
	if got := w.of("%0", "#{pane_agent}"); got != "" || len(w.launches()) != n {
		t.Errorf("it is back: %q, %q", got, w.launches())
	}
}

// TestReportsOfATypedAgent: its hooks are believed from below its process alone. It has no token.
func TestReportsOfATypedAgent(t *testing.T) {
	w, _ := typedWorld(t, "on")
	report := fmt.Sprintf(`'%s' agent report`, Binary(t))
	settings := filepath.Join(w.Dir, "home", "settings")
	text := fmt.Sprintf(`{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"%s"}]}]}}`, report)
	if err := os.WriteFile(settings, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.typeClaude(`--settings "$(cat $HOME/settings)" --session-id ` + idA)
	w.Wait("its report", func() bool { return strings.Contains(w.Run("agent", "list"), idA+" as of ") })
	w.say("%0", "/clear "+idB)
	w.shows("%0", "cleared "+idB)
	w.Wait("the other conversation", func() bool { return w.of("%0", "#{pane_agent_conversation}") == idB })
	other := w.Run("split-window", "-d", "-P", "-F", "#{pane_id}")
	w.say(other, fmt.Sprintf(`printf '{"hook_event_name":"SessionStart","session_id":"%s"}' | env STET_PANE=%%0 %s; echo "it sa""id $?."`, idA, report))
	w.shows(other, "it said 0.")
	w.Wait("the line in the log", func() bool { return strings.Contains(w.Logs(), "is not below") })
	if got := w.of("%0", "#{pane_agent_conversation}"); got != idB {
		t.Errorf("another pane's report counts: %q", got)
	}
}
