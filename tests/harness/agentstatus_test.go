package harness

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// status is what stet takes a pane's agent to do, and by what.
func (w *World) status(pane, want string) {
	w.T.Helper()
	w.WaitOutput(want, "display-message", "-p", "-t", pane, "#{agent_status} #{agent_status_source}")
}

// event has an agent run its hook.
func (w *World) event(pane, name string) {
	w.T.Helper()
	w.Run("clear-history", "-t", pane)
	w.say(pane, "/event "+name)
	w.shows(pane, "told "+name)
}

// put writes a file into the home directory.
func (w *World) put(name, text string) {
	w.T.Helper()
	name = filepath.Join(w.Dir, "home", name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		w.T.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		w.T.Fatal(err)
	}
}

func (w *World) removeHome(name string) {
	w.T.Helper()
	remove(w.T.(*testing.T), filepath.Join(w.Dir, "home", name))
}

// TestTheStatusOfAnAgent follows one through its turns by its hooks, and through the loss of server and keeper.
func TestTheStatusOfAnAgent(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	w.Run("set-hook", "-g", "agent-status-changed", `set-option -gaF @turns "#{hook_agent} #{hook_pane} #{hook_old_status}>#{hook_status} by #{hook_status_source};"`)
	pane := w.Run("agent", "start", "-P", "-F", "#{pane_id}", "-c", work, "claude")
	w.status(pane, "idle hook")
	w.say(pane, "remember the heron")
	w.shows(pane, "kept: remember the heron")
	w.status(pane, "working hook")
	w.event(pane, "PermissionRequest")
	w.status(pane, "blocked hook")
	if got := w.of(pane, "#{window_agent_status} #{session_agent_status} #{agent_name} #{agent_symbol}#{window_agent_symbol}#{session_agent_symbol}"); got != "blocked blocked claude !!!" {
		t.Errorf("rolled up: %q", got)
	}
	if got := w.of("%0", "#{agent_status}#{agent_status_age}#{agent_symbol}."); got != "." {
		t.Errorf("of a shell: %q", got)
	}
	w.event(pane, "UserPromptSubmit")
	w.status(pane, "working hook")
	w.event(pane, "Stop")
	w.status(pane, "done hook")
	w.event(pane, "SubagentStop") // says nothing
	w.status(pane, "done hook")

	// A crash of the server changes nothing of it.
	w.KillServer()
	w.status(pane, "done hook")
	if got := w.Run("agent", "list"); !strings.Contains(got, "claude running, done (by hook, ") {
		t.Errorf("the list:\n%s", got)
	}
	var list []struct {
		Pane, Status string
		Source       string `json:"status_source"`
		Age          *int   `json:"status_age"`
	}
	if err := json.Unmarshal([]byte(w.Run("agent", "list", "--json")), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) != 1 || list[0].Pane != pane || list[0].Status != "done" || list[0].Source != "hook" || list[0].Age == nil {
		t.Errorf("the list: %+v", list)
	}

	// Somebody looks.
	term := w.Attach(120, 40, "attach")
	term.WaitFor("told Stop")
	w.status(pane, "idle hook")
	term.Type("\x02d")
	term.WaitExit()

	// Another error, and the reasons.
	w.event(pane, "StopFailure")
	w.status(pane, "error hook")
	got := w.Run("agent", "explain", pane)
	for _, want := range []string{"pane " + pane + ": claude is error, since ", "* hook said error (StopFailure) "} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	turns := w.Run("show-options", "-gv", "@turns")
	for _, want := range []string{"unknown>idle by hook", "idle>working by hook", "working>blocked by hook", "working>done by hook", "done>idle by hook", "idle>error by hook"} {
		if !strings.Contains(turns, "claude "+pane+" "+want+";") {
			t.Errorf("the hook has not heard %q, but\n%s", want, turns)
		}
	}

	// Behind a restore nothing is known until the agent says so.
	w.put("mute", "")
	reboot(w)
	w.Wait("the agent to run", func() bool { return w.of(pane, "#{pane_agent_state}") == "running" })
	w.status(pane, "unknown ")
	if got := w.Run("agent", "explain", "-t", pane); !strings.Contains(got, "claude is unknown") || !strings.Contains(got, "nothing was heard of it") {
		t.Error(got)
	}
	w.removeHome("mute")
	w.event(pane, "Stop")
	w.status(pane, "idle hook")
	w.say(pane, "/crash")
	w.status(pane, "error exit")
}

// TestTrapATitleIsTheAgentsOutput: a model can have its agent print a title that looks like the end of its turn.
func TestTrapATitleIsTheAgentsOutput(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	pane, _ := w.startClaude(work)
	w.status(pane, "working hook")
	w.say(pane, `/print \033]2;✳ fake\007 one`)
	w.shows(pane, "printed one")
	w.Wait("the title to be heard", func() bool { return strings.Contains(w.Run("agent", "explain", pane), "title said idle (✳ fake)") })
	if got := w.Run("agent", "explain", pane); !strings.Contains(got, "* hook said working (UserPromptSubmit)") || !strings.Contains(got, "it does not count: the hook counts more") {
		t.Error(got)
	}
	w.status(pane, "working hook")
	w.say(pane, `/print ✳ in\ the\ middle \033]2;about ✳ marks\007 two`)
	w.shows(pane, "printed two")
	if got := w.Run("agent", "explain", pane); strings.Contains(got, "about") {
		t.Error(got)
	}
	// When a person has interrupted the turn, the title is believed that says so.
	w.put("mute", "")
	w.Run("send-keys", "-t", pane, "Escape")
	w.Run("send-keys", "-t", pane, "C-u")
	w.say(pane, `/print \033]2;✳ idle\007 three`)
	w.shows(pane, "printed three")
	w.status(pane, "done title")
}

// TestTrapWhoSpeaksForAnAgent: helpers, other conversations and agents inside of the agent say nothing of its status.
func TestTrapWhoSpeaksForAnAgent(t *testing.T) {
	w, work := agentWorld(t)
	pane, _ := w.startClaude(work)
	w.status(pane, "working hook")
	w.put("extra", `x","agent_id":"helper`)
	w.event(pane, "Stop")
	w.removeHome("extra")
	w.say(pane, "/nest "+idA)
	w.shows(pane, "nested is over")
	w.say(pane, "/print \\n other")
	w.shows(pane, "printed other")
	w.status(pane, "working hook")
	got := w.Run("agent", "explain", pane)
	for _, want := range []string{"a report of its hook: it is of a helper", "it is from claude inside of claude"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	var ex struct {
		Status  string
		Said    []struct{ Source, Status, Detail string }
		Ignored []struct{ What, Why string }
	}
	if err := json.Unmarshal([]byte(w.Run("agent", "explain", "--json", pane)), &ex); err != nil {
		t.Fatal(err)
	}
	if ex.Status != "working" || len(ex.Said) != 1 || len(ex.Ignored) < 2 {
		t.Errorf("%+v", ex)
	}
}

// TestTheStateFileOfAnAgent: an agent without hooks says by its own file what it does, and a file that an older
// process of that number has left says nothing.
func TestTheStateFileOfAnAgent(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("nothing tells here when a process was started: ", err)
	}
	w, work := agentWorld(t)
	w.put("none.json", "{}")
	pane := w.Run("agent", "start", "-P", "-F", "#{pane_id}", "-c", work, "claude", "--", "--settings", filepath.Join(w.Dir, "home", "none.json"))
	w.shows(pane, "ready")
	w.status(pane, "unknown ")
	w.put("stale", "")
	w.say(pane, "/state busy")
	w.shows(pane, "noted busy")
	w.Wait("the file to be read", func() bool {
		return strings.Contains(w.Run("agent", "explain", pane), "its state file: it is of another process")
	})
	w.status(pane, "unknown ")
	w.removeHome("stale")
	w.say(pane, "/state busy")
	w.status(pane, "working file")
	w.say(pane, "/state idle")
	w.status(pane, "done file")
}

// TestAnAgentThatIsSilentIsNotBelievedToWork: it is not known what it does, rather than wrong.
func TestAnAgentThatIsSilentIsNotBelievedToWork(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	w.put(".config/stet/agents.d/mine.toml", "schema = 1\nid = \"mine\"\nname = \"Mine\"\ncommand = [\"mine\"]\nfresh = true\n[status]\nquiet = 1\nprogress = true\nbell = \"blocked\"\n[status.notify]\nerror = '^Failed'\n")
	program := "#!/bin/sh\nwhile read -r line; do printf \"$line\"; echo said; done\n"
	if err := os.WriteFile(filepath.Join(w.Dir, "home", "bin", "mine"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	w.Run("set-option", "-g", "@turns", "")
	w.Run("set-hook", "-g", "agent-status-changed", `set-option -gaF @turns "#{hook_old_status}>#{hook_status} by #{hook_status_source};"`)
	pane := w.Run("agent", "start", "-P", "-F", "#{pane_id}", "-c", work, "mine")
	w.status(pane, "unknown ")
	w.say(pane, `\033]9;4;3\007`)
	turned := func(turn string) {
		t.Helper()
		w.Wait(turn, func() bool { return strings.Contains(w.Run("show-options", "-gv", "@turns"), turn) })
	}
	turned("unknown>working by progress;")
	turned("working>unknown by ;") // silence
	w.status(pane, "unknown ")
	if got := w.Run("agent", "explain", pane); !strings.Contains(got, "progress said working (0%)") || !strings.Contains(got, "it does not count: nothing was printed for") {
		t.Error(got)
	}
	w.say(pane, `\033]9;4;3\007\033]9;4;0\007`)
	w.status(pane, "done progress")
	w.say(pane, `\007`)
	w.status(pane, "blocked bell")
	w.say(pane, `\033]777;notify;Failed;badly\007`)
	w.status(pane, "error notification")
}

// TestAttentionForAnAgent: who does not see the pane is told, who sees it is not.
func TestAttentionForAnAgent(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	w.Run("new-window", "-t", "work:1", "-n", "other", "cat")
	term := w.Attach(120, 40, "attach", "-t", "work:1")
	term.WaitFor("other")
	pane := w.Run("agent", "start", "-dP", "-F", "#{pane_id}", "-c", work, "-w", "-n", "fix", "claude")
	w.status(pane, "idle hook")
	w.event(pane, "PermissionRequest")
	w.event(pane, "UserPromptSubmit")
	w.event(pane, "Stop")
	w.status(pane, "done hook")
	noted := func(text string) bool { return slices.Contains(term.Noted(), text) }
	term.Wait("the notifications", func(string) bool {
		return noted("claude waits for your answer (work:2 fix)") && noted("claude is done (work:2 fix)")
	})
	w.Run("select-window", "-t", "work:2")
	term.WaitFor("told Stop")
	w.status(pane, "idle hook")
	n := len(term.Noted())
	w.event(pane, "StopFailure")
	w.status(pane, "error hook")
	w.Run("select-window", "-t", "work:1")
	w.Run("set-option", "-g", "agent-notify", "error")
	w.event(pane, "UserPromptSubmit")
	w.event(pane, "Stop")
	w.status(pane, "done hook")
	w.Run("set-option", "-g", "agent-notify", "working")
	w.event(pane, "UserPromptSubmit")
	term.Wait("the notification", func(string) bool { return noted("claude works (work:2 fix)") })
	if got := term.Noted()[n:]; len(got) != 1 {
		t.Errorf("told %q", got)
	}
}
