package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Traps that agents set to whoever resumes them; docs/agents.md lists all, with their tests.

// TestASharedProcessReportsForNobody: a server that one pane's agent has started, and which was made an
// orphan, has that pane's variables and speaks for others.
func TestASharedProcessReportsForNobody(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	if r := w.Try("agent", "support", "--json", "codex"); !strings.Contains(r.Out, "background server off") {
		t.Errorf("%+v", r)
	}
	w.say(pane, "/daemon "+idB)
	w.Wait("its report", func() bool {
		_, err := os.Stat(filepath.Join(w.Dir, "home", "daemon-done"))
		return err == nil
	})
	if got := w.of(pane, "#{pane_agent_conversation}"); got != id {
		t.Errorf("conversation %q, and it was %q", got, id)
	}
	token := regexp.MustCompile(`STET_AGENT=[0-9a-f]+`)
	env, err := os.ReadFile("/proc/" + w.of(pane, "#{pane_pid}") + "/environ")
	if err != nil || token.FindString(string(env)) == "" {
		t.Skip("no /proc: ", err)
	}
	// With the variables, from a process that is no child of the pane's: the harness.
	cmd := w.Cmd("agent", "report", fmt.Sprintf(`{"hook_event_name":"SessionStart","session_id":%q}`, idA))
	cmd.Args = append(cmd.Args[:1], cmd.Args[3:]...)
	for _, e := range strings.Split(string(env), "\x00") {
		if strings.HasPrefix(e, "STET") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("%v: %s", err, out)
	}
	w.Wait("a line in the log for each", func() bool { return strings.Count(w.Logs(), "is not below") == 2 })
	if got := w.of(pane, "#{pane_agent_conversation}"); got != id {
		t.Errorf("conversation %q, and it was %q", got, id)
	}
}

// TestAReportThatIsOvertakenIsDropped: agents run the hooks of one event beside those of the next.
func TestAReportThatIsOvertakenIsDropped(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	pane, _ := w.startClaude(work)
	w.say(pane, "/early "+idA)
	w.shows(pane, "early")
	w.say(pane, "/clear "+idB)
	w.Wait("the later report", func() bool { return w.of(pane, "#{pane_agent_conversation}") == idB })
	if err := os.WriteFile(filepath.Join(w.Dir, "home", "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Wait("the line in the log", func() bool { return strings.Contains(w.Logs(), "it was overtaken by a later one") })
	if got := w.of(pane, "#{pane_agent_conversation}"); got != idB {
		t.Errorf("conversation %q, and it is in %s", got, idB)
	}
}

// TestTheSameConversationTwiceIsResumedOnce: a record that says so is not to be believed.
func TestTheSameConversationTwiceIsResumedOnce(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	a, idOfA := w.startClaude(work)
	b, idOfB := w.startClaude(work)
	w.Run("flush")
	w.KillBoth()
	file := filepath.Join(w.Paths.State, "workspace.toml")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.ReplaceAll(string(text), idOfB, idOfA)), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("start-server")
	w.Wait("the first to run", func() bool { return w.of(a, "#{pane_agent_state}") == "running" })
	if row := w.reportRow(b); row.State != "waiting" || !strings.Contains(row.Reason, "its conversation is open in pane "+a) {
		t.Errorf("report %+v", row)
	}
	w.shows(b, "its conversation is open in pane "+a)
	if all := w.launches(); len(all) != 3 {
		t.Errorf("started: %q", all)
	}
}

// TestNoConversationIsGuessed: there are conversations in the agent's files, some of the same directory, and
// nobody knows which was the pane's.
func TestNoConversationIsGuessed(t *testing.T) {
	w, work := agentWorld(t)
	program := "#!/bin/sh\necho launched >>\"$HOME/launches\"\necho codex is up; exec cat\n"
	if err := os.WriteFile(filepath.Join(w.Dir, "home", "bin", "codex"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	pane := w.Run("agent", "start", "-P", "-F", "#{pane_id}", "-c", work, "codex")
	w.shows(pane, "codex is up")
	day := filepath.Join(w.Dir, "home", ".codex", "sessions", "2031", "01", "02")
	if err := os.MkdirAll(day, 0o700); err != nil {
		t.Fatal(err)
	}
	line := fmt.Sprintf(`{"type":"session_meta","payload":{"id":%q,"cwd":%q}}`, idA, work)
	if err := os.WriteFile(filepath.Join(day, "rollout-2031-01-02T03-04-05-"+idA+".jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	reboot(w)
	if row := w.reportRow(pane); row.State != "restored" || !strings.Contains(row.Reason, "it had not said which conversation it is in") {
		t.Errorf("report %+v", row)
	}
	w.shows(pane, "it had not said which conversation it is in")
	if all := w.launches(); len(all) != 1 {
		t.Errorf("started: %q", all)
	}
}

// TestAQuestionAtTheStartIsNoFailure: it waits for its user, and goes on when that has answered.
func TestAQuestionAtTheStartIsNoFailure(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	w.Run("flush")
	w.KillBoth()
	if err := os.WriteFile(filepath.Join(w.Dir, "home", "ask"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("start-server")
	w.shows(pane, "Do you trust")
	if got := w.of(pane, "#{pane_agent_state} #{pane_agent_conversation}"); got != "running "+id {
		t.Errorf("it is %q", got)
	}
	if row := w.reportRow(pane); row.State != "resumed" {
		t.Errorf("report %+v", row)
	}
	w.say(pane, "y")
	w.shows(pane, "you answered y")
	w.shows(pane, "ready "+id)
	w.say(pane, "go on")
	w.shows(pane, "kept: go on")
}

// TestAnAgentThatHasMovedIsFoundInPath: its directory is another one since, as after an update.
func TestAnAgentThatHasMovedIsFoundInPath(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	other := filepath.Join(w.Dir, "home", "other")
	w.Env = append(w.Env, "PATH="+filepath.Join(w.Dir, "home", "bin")+":"+other+":"+os.Getenv("PATH"))
	pane, id := w.startClaude(work)
	w.Run("flush")
	w.KillBoth()
	if err := os.Mkdir(other, 0o700); err != nil {
		t.Fatal(err)
	}
	rename(t, filepath.Join(w.Dir, "home", "bin", "claude"), filepath.Join(other, "claude"))
	w.Run("start-server")
	w.shows(pane, "ready "+id)
	if got := w.Run("agent", "list", "--json"); !strings.Contains(got, filepath.Join(other, "claude")) {
		t.Errorf("it is not said which program runs:\n%s", got)
	}
}

// TestATitleIsNoReport: a model can have its agent print any.
func TestATitleIsNoReport(t *testing.T) {
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	w.say(pane, "/title ✳ "+idB)
	w.shows(pane, "titled")
	w.Wait("the title", func() bool { return w.of(pane, "#{pane_title}") == "✳ "+idB })
	if got := w.of(pane, "#{pane_agent} #{pane_agent_state} #{pane_agent_conversation}"); got != "claude running "+id {
		t.Errorf("the pane has %q", got)
	}
	reboot(w)
	w.shows(pane, "ready "+id)
}
