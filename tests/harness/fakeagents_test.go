package harness

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

var fakes struct {
	sync.Once
	path string
	err  error
}

// fakeAgents puts every agent of tests/fakeagent into a world's PATH, each installed as the real one is: as a program, as the script of a
// node, as a launcher that waits for a program.
func fakeAgents(t *testing.T) *World {
	t.Helper()
	fakes.Do(func() {
		fakes.path = filepath.Join(filepath.Dir(Binary(t)), "fakeagent")
		if out, err := exec.Command("go", "build", "-o", fakes.path, "stet/tests/fakeagent").CombinedOutput(); err != nil {
			fakes.err = errors.New(string(out))
		}
	})
	if fakes.err != nil {
		t.Fatal("build fakeagent: ", fakes.err)
	}
	w := New(t)
	home := filepath.Join(w.Dir, "home")
	const script = "#!/usr/bin/env node\n"
	write(t, filepath.Join(home, "lib", "pi-coding-agent", "dist", "pi"), script)
	write(t, filepath.Join(home, "lib", "gemini-cli", "gemini"), script)
	write(t, filepath.Join(home, "lib", "kimi-code", "kimi"), script)
	write(t, filepath.Join(home, "lib", "qwen-code", "qwen"), script)
	write(t, filepath.Join(home, "lib", "copilot", "copilot"), script)
	write(t, filepath.Join(home, "lib", "codex", "codex"), script)
	write(t, filepath.Join(home, "lib", "cursor-agent", "versions", "1", "index.js"), script)
	write(t, filepath.Join(home, "bin", "cursor-agent"), "#!/bin/sh\nexec node \"$HOME/lib/cursor-agent/versions/1/index.js\" \"$@\"\n")
	for name, target := range map[string]string{
		"bin/node": fakes.path, "bin/claude": fakes.path, "bin/codex": fakes.path, "bin/opencode": fakes.path, "bin/junie": fakes.path,
		"lib/@xai-official/grok/bin/grok": fakes.path, "bin/grok": "../lib/@xai-official/grok/bin/grok",
		"lib/copilot/native/copilot": fakes.path, "lib/codex/native/codex": fakes.path,
		"bin/pi": "../lib/pi-coding-agent/dist/pi", "bin/gemini": "../lib/gemini-cli/gemini", "bin/kimi": "../lib/kimi-code/kimi",
		"bin/qwen": "../lib/qwen-code/qwen", "bin/copilot": "../lib/copilot/copilot",
	} {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	w.Env = append(w.Env, "PATH="+filepath.Join(home, "bin")+":"+os.Getenv("PATH"))
	w.Run("new-session", "-d", "-s", "work", "-x", "120", "-y", "40")
	for _, name := range []string{"copilot", "cursor", "gemini", "grok", "kimi", "qwen"} {
		w.Run("agent", "install", "--yes", name)
	}
	return w
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// fakeStart is one start of a fake agent.
type fakeStart struct {
	Agent, Cwd string
	Argv       []string
	Env        map[string]string
}

// startsIn are the starts in a directory, the first first. One that starts itself again, or below a script, is one.
func (w *World) startsIn(dir string) (all []fakeStart) {
	w.T.Helper()
	b, err := os.ReadFile(filepath.Join(w.Dir, "home", "launches"))
	if err != nil {
		w.T.Fatal(err)
	}
	for l := range strings.Lines(string(b)) {
		var s fakeStart
		if err := json.Unmarshal([]byte(l), &s); err != nil {
			w.T.Fatal(err)
		}
		if s.Cwd == dir {
			all = append(all, s)
		}
	}
	return all
}

// kept are the files of the fakes' conversations.
func (w *World) kept() (all []string) {
	w.T.Helper()
	err := filepath.WalkDir(filepath.Join(w.Dir, "home"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") || d != nil && d.Name() == "summary.json" {
			all = append(all, path)
		}
		return nil
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return all
}

// fakePane is a pane with a fake agent, in a directory of its own.
type fakePane struct {
	*World
	pane, dir, agent, id string
}

// start starts an agent in a directory of the name, in which faults, lines of NAME=value, hold.
func (w *World) start(name, agent, faults string, flags []string, args ...string) *fakePane {
	w.T.Helper()
	f := &fakePane{World: w, agent: agent, dir: filepath.Join(w.Dir, "home", "in", name)}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		w.T.Fatal(err)
	}
	f.fault(faults)
	all := append([]string{"agent", "start", "-w", "-d", "-P", "-F", "#{pane_id}", "-c", f.dir}, flags...)
	all = append(all, agent)
	if len(args) > 0 {
		all = append(append(all, "--"), args...)
	}
	f.pane = w.Run(all...)
	return f
}

func (f *fakePane) fault(lines string) {
	f.T.Helper()
	if err := os.WriteFile(filepath.Join(f.dir, ".fake"), []byte(lines), 0o600); err != nil {
		f.T.Fatal(err)
	}
}

// turn gives a message, and has it kept.
func (f *fakePane) turn(text string) {
	f.T.Helper()
	f.say(f.pane, text)
	f.shows(f.pane, "kept: "+text)
}

// itself asks the agent which conversation it is in.
func (f *fakePane) itself() string {
	f.T.Helper()
	where := regexp.MustCompile(`in (\S+) of ` + regexp.QuoteMeta(f.dir))
	before := len(where.FindAllString(f.screen(), -1)) // it may have been asked before
	f.say(f.pane, "/where")
	var id string
	f.Wait("where "+f.agent+" is", func() bool {
		all := where.FindAllStringSubmatch(f.screen(), -1)
		if len(all) > before {
			id = all[len(all)-1][1]
		}
		return len(all) > before
	})
	return id
}

func (f *fakePane) screen() string {
	f.T.Helper()
	return f.Run("capture-pane", "-p", "-J", "-S", "-", "-t", f.pane)
}

// known waits until stet has the conversation that the agent says it is in.
func (f *fakePane) known() {
	f.T.Helper()
	f.id = f.itself()
	f.Wait("the conversation of "+f.agent, func() bool { return f.of(f.pane, "#{pane_agent_conversation}") == f.id })
}

// goesOn is what is to hold of every agent that a restore has resumed: the conversation, once and with these arguments ({id} and * for
// any one stand for words), in its directory, and nothing said again.
func (f *fakePane) goesOn(said string, argv ...string) {
	f.T.Helper()
	f.shows(f.pane, "you said: "+said)
	f.shows(f.pane, "ready "+f.id)
	f.Wait(f.agent+" to run", func() bool {
		return f.of(f.pane, "#{pane_agent_state} #{pane_agent_conversation}") == "running "+f.id
	})
	if row := f.reportRow(f.pane); row.State != "resumed" {
		f.T.Errorf("report %+v", row)
	}
	starts := slices.DeleteFunc(f.startsIn(f.dir), func(s fakeStart) bool { return slices.Contains(s.Argv, "a nested message") })
	if len(starts) != 2 {
		f.T.Fatalf("starts: %q", starts)
	}
	if last := starts[1]; len(argv) > 0 {
		match := len(last.Argv) == len(argv)
		for i := 0; match && i < len(argv); i++ {
			match = argv[i] == "*" || last.Argv[i] == strings.ReplaceAll(argv[i], "{id}", f.id)
		}
		if !match {
			f.T.Errorf("resumed by %q, want %q", last.Argv, argv)
		}
	}
	screen := f.screen()
	for _, no := range []string{"PROMPT-REPLAYED", "HOOK", "ELSEWHERE", "PICKER", "CONTINUED", "error:"} {
		if strings.Contains(screen, no) {
			f.T.Errorf("%s:\n%s", no, screen)
		}
	}
	f.turn("still the same")
	if id := f.itself(); id != f.id {
		f.T.Errorf("it is in %s, and was in %s", id, f.id)
	}
}

// logged counts what the server has written, however long ago.
func (f *fakePane) logged(text string) int {
	b, _ := os.ReadFile(filepath.Join(f.Paths.State, "server.log"))
	return strings.Count(string(b), text)
}

// shell waits for the shell that is in place of an agent, and sees that nothing was started.
func (f *fakePane) shell() {
	f.T.Helper()
	f.say(f.pane, "echo a shel''l")
	f.shows(f.pane, "a shell")
	if starts := f.startsIn(f.dir); len(starts) != 1 {
		f.T.Errorf("starts: %q", starts)
	}
}

// noNode says whether plugins cannot run: fakeagent has them run by a real node.
func noNode() bool {
	_, err := exec.LookPath("node")
	return err != nil
}

// TestEveryAgentGoesOn: each agent that stet knows has its first turn from a prompt, keeper and server are killed, and it is in its
// own conversation again, with its flags, in its directory. It is not said its prompt again, and no conversation is begun.
func TestEveryAgentGoesOn(t *testing.T) {
	t.Parallel()
	w := fakeAgents(t)
	rows := []struct {
		agent string
		args  []string
		argv  []string
	}{
		{"claude", []string{"--model", "opus", "--dangerously-skip-permissions", "--add-dir=/tmp"}, []string{"--model", "opus", "--dangerously-skip-permissions", "--add-dir=/tmp", "--settings", "*", "--resume", "{id}"}},
		{"codex", []string{"-m", "gpt", "-s", "workspace-write", "--search"}, []string{"resume", "-m", "gpt", "-s", "workspace-write", "--search", "-c", "*", "-c", "*", "-c", "*", "-c", "*", "{id}"}},
		{"opencode", []string{"-m", "stub/model", "--agent", "build", "--prompt"}, []string{"-m", "stub/model", "--agent", "build", "--session", "{id}"}},
		{"pi", []string{"--provider", "stub", "--thinking", "high"}, []string{"--provider", "stub", "--thinking", "high", "-e", "*", "--session", "{id}"}},
		{"copilot", []string{"--model", "stub", "--yolo", "--allow-tool=shell", "-i"}, []string{"--model", "stub", "--yolo", "--allow-tool=shell", "--resume={id}"}},
		{"gemini", []string{"-m", "stub", "--approval-mode", "yolo"}, []string{"-m", "stub", "--approval-mode", "yolo", "--resume", "{id}"}},
		{"kimi", []string{"-m", "stub", "-y"}, []string{"-m", "stub", "-y", "--session", "{id}"}},
		{"grok", []string{"-m", "stub", "--permission-mode", "plan"}, []string{"-m", "stub", "--permission-mode", "plan", "--resume", "{id}"}},
		{"qwen", []string{"-m", "stub", "--yolo"}, []string{"-m", "stub", "--yolo", "--resume", "{id}"}},
		{"cursor", []string{"--model", "stub", "-f"}, []string{"--model", "stub", "-f", "--resume", "{id}"}},
		{"junie", []string{"--model", "stub", "--session-id", "session-260101-101010-abcd"}, []string{"--model", "stub", "--session-id", "{id}"}},
	}
	if noNode() {
		t.Log("without node there is none for the plugin of opencode, which is left out")
		rows = slices.Delete(rows, 2, 3)
	}
	panes := map[string]*fakePane{}
	for _, r := range rows {
		panes[r.agent] = w.start(r.agent, r.agent, "", nil, append(r.args, "the very first prompt of "+r.agent)...)
	}
	for _, f := range panes {
		f.shows(f.pane, "kept: the very first prompt of "+f.agent)
		f.known()
	}
	before := w.kept()
	reboot(w)
	for _, r := range rows {
		t.Run(r.agent, func(t *testing.T) {
			f := panes[r.agent]
			w.T = t
			f.goesOn("the very first prompt of "+r.agent, r.argv...)
		})
	}
	w.T = t
	if after := w.kept(); !slices.Equal(before, after) {
		t.Errorf("conversations before: %q\nand after: %q", before, after)
	}
	if s := w.onDisk(); strings.Contains(regexp.MustCompile(`(?s)agent.*?argv = \[[^\]]*\]`).FindString(s), "the very first prompt") {
		t.Error("a prompt is in a record")
	}
}

// TestWhatAgentsDoToTheirResume: what real agents were seen to do that leads astray, each with its outcome.
func TestWhatAgentsDoToTheirResume(t *testing.T) {
	t.Parallel()
	w := fakeAgents(t)
	home := filepath.Join(w.Dir, "home")
	report := Binary(t) + " agent report"
	// A hook of Claude Code's, by hand: Grok runs it, too, and so does a Claude Code inside of others.
	write(t, filepath.Join(home, ".claude", "settings.json"), `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"`+report+`"}]}],"UserPromptSubmit":[{"hooks":[{"type":"command","command":"`+report+`"}]}]}}`)
	none := func(f *fakePane) {}
	own := func(f *fakePane) { f.goesOn("the first") }
	forgotten := func(f *fakePane) {
		f.shell()
		if got := f.of(f.pane, "#{pane_agent}#{pane_agent_conversation}"); got != "" {
			f.T.Errorf("the pane has %q", got)
		}
	}
	dropped := func(text string) func(*fakePane) {
		return func(f *fakePane) {
			f.known()
			f.Wait("the line in the log", func() bool { return f.logged("pane "+f.pane+": "+text) > 0 })
		}
	}
	codexHome := func(name string) []string { return []string{"-e", "CODEX_HOME=" + filepath.Join(home, name)} }
	// Its reports come with the variables of the pane that has started it, and are nobody's: so many lines in the log.
	nobodys := func(lines int) func(*fakePane) {
		return func(f *fakePane) {
			f.Wait("the reports of the shared server to be dropped", func() bool { return f.logged("it is from codex inside of codex") == lines })
			if got := f.of(f.pane, "#{pane_agent_conversation}"); got != "" {
				f.T.Errorf("the pane has %q", got)
			}
		}
	}
	rows := []struct {
		name, agent, faults string
		flags, args         []string
		live                func(f *fakePane) // behind the first turn
		spoil               func(f *fakePane) // while nothing runs
		outcome             func(f *fakePane)
	}{
		{name: "an id that comes late", agent: "codex", faults: "FAKE_LATE_ID=2", live: func(f *fakePane) {
			if got := f.of(f.pane, "#{pane_agent_conversation}"); got != "" {
				f.T.Errorf("the pane has %q", got)
			}
			f.turn("the second")
			f.known()
		}, outcome: own},
		{name: "an id that came too late", agent: "codex", faults: "FAKE_LATE_ID=9", live: none, outcome: forgotten},
		{name: "a shared server, told not to be", agent: "codex", faults: "FAKE_DAEMON=1", live: (*fakePane).known, outcome: own},
		{name: "a shared server, first pane", agent: "codex", faults: "FAKE_DAEMON=always", flags: codexHome("shared"), live: nobodys(3), outcome: forgotten},
		{name: "a shared server, second pane", agent: "codex", faults: "FAKE_DAEMON=always", flags: codexHome("shared"), live: nobodys(6), outcome: forgotten},
		{name: "the same agent inside", agent: "kimi", live: func(f *fakePane) {
			f.say(f.pane, "/nest kimi")
			f.shows(f.pane, "nested: kept")
			dropped("it is from kimi inside of kimi")(f)
		}, outcome: own},
		{name: "another agent inside", agent: "gemini", live: func(f *fakePane) {
			f.say(f.pane, "/nest grok")
			f.shows(f.pane, "nested: kept")
			dropped("it is from grok inside of gemini")(f)
		}, outcome: own},
		{name: "Claude Code in Claude Code", agent: "claude", live: func(f *fakePane) {
			f.say(f.pane, "/nest claude")
			f.shows(f.pane, "nested: kept")
			dropped("it is from claude inside of claude")(f)
		}, outcome: own},
		{name: "no id but bad ones", agent: "kimi", faults: "FAKE_BADID=1", live: none, outcome: forgotten},
		{name: "bad ids behind a good one", agent: "claude", faults: "FAKE_BADID=1", live: (*fakePane).known, outcome: own},
		{name: "a helper's conversation", agent: "claude", live: func(f *fakePane) {
			f.say(f.pane, "/sub")
			f.shows(f.pane, "the helper is done")
			f.known()
		}, outcome: own},
		{name: "an internal conversation", agent: "codex", live: func(f *fakePane) {
			f.say(f.pane, "/sub")
			f.shows(f.pane, "the helper is done")
			f.known()
		}, outcome: own},
		{name: "a lock", agent: "codex", live: (*fakePane).known, spoil: func(f *fakePane) { f.fault("FAKE_LOCK=1") }, outcome: func(f *fakePane) {
			f.shows(f.pane, "open in another app")
			f.Wait("it to count as running", func() bool { return f.of(f.pane, "#{pane_agent_state}") == "running" })
			f.say(f.pane, "R")
			f.goesOn("the first")
		}},
		{name: "a question of trust", agent: "copilot", live: (*fakePane).known, spoil: func(f *fakePane) { f.fault("FAKE_TRUST=1") }, outcome: func(f *fakePane) {
			f.shows(f.pane, "Do you trust the files in this folder?")
			f.Wait("it to count as running", func() bool { return f.of(f.pane, "#{pane_agent_state}") == "running" })
			f.say(f.pane, "y")
			f.goesOn("the first")
		}},
		{name: "hooks to be reviewed", agent: "codex", live: (*fakePane).known, spoil: func(f *fakePane) { f.fault("FAKE_TRUST=1") }, outcome: func(f *fakePane) {
			f.shows(f.pane, "Do you trust the files in this folder?")
			f.say(f.pane, "y")
			f.shows(f.pane, "Hooks need review.")
			f.say(f.pane, "y")
			f.goesOn("the first")
		}},
		{name: "hooks that were reviewed", agent: "codex", live: (*fakePane).known, spoil: func(f *fakePane) { f.fault("FAKE_TRUST=1") }, outcome: func(f *fakePane) {
			f.shows(f.pane, "Do you trust the files in this folder?")
			f.say(f.pane, "y")
			f.goesOn("the first")
			if strings.Contains(f.screen(), "need review") {
				f.T.Errorf("the hooks of each pane are asked about:\n%s", f.screen())
			}
		}},
		{name: "a slow start", agent: "pi", live: (*fakePane).known, spoil: func(f *fakePane) { f.fault("FAKE_SLOW=3s") }, outcome: own},
		{name: "a slow refusal", agent: "codex", flags: codexHome("broken"), live: (*fakePane).known, spoil: func(f *fakePane) {
			f.fault("FAKE_SLOW=2s")
			for _, file := range f.kept() {
				if strings.HasPrefix(file, filepath.Join(home, "broken")+"/") {
					write(f.T, file, "{\"type\":\"session_m")
				}
			}
		}, outcome: func(f *fakePane) {
			f.shows(f.pane, "No saved session found with ID "+f.id)
			f.Wait("it to have failed", func() bool {
				return f.of(f.pane, "#{pane_agent_state} #{pane_agent_conversation}") == "failed "+f.id
			})
			f.shows(f.pane, "stet agent retry -t "+f.pane)
		}},
		{name: "a notification of another conversation", agent: "codex", faults: "FAKE_TITLE_THREAD=1", args: []string{"-c", `notify=["` + strings.ReplaceAll(report, " ", `","`) + `"]`}, live: (*fakePane).known, outcome: own},
		{name: "below an old Node", agent: "codex", faults: "FAKE_NODE=1", live: (*fakePane).known, outcome: own},
		{name: "what looks like reports", agent: "gemini", faults: "FAKE_STDOUT=1", live: (*fakePane).known, outcome: own},
		{name: "a new conversation inside", agent: "kimi", live: func(f *fakePane) {
			f.known()
			old := f.id
			f.say(f.pane, "/clear")
			f.shows(f.pane, "cleared ")
			f.say(f.pane, "behind it")
			f.shows(f.pane, "kept: behind it")
			f.Wait("the new conversation", func() bool { return f.of(f.pane, "#{pane_agent_conversation}") != old })
			f.id = f.of(f.pane, "#{pane_agent_conversation}")
		}, outcome: func(f *fakePane) { f.goesOn("behind it") }},
		{name: "files elsewhere", agent: "kimi", live: (*fakePane).known, flags: []string{"-e", "GROK_HOME=" + filepath.Join(home, "g"), "-e", "KIMI_CODE_HOME=" + filepath.Join(home, ".kimi-code", "..", ".kimi-code")}, outcome: own},
		{name: "sessions elsewhere", agent: "pi", live: (*fakePane).known, flags: []string{"-e", "PI_CODING_AGENT_SESSION_DIR=" + filepath.Join(home, "pi-sessions")}, outcome: own},
		{name: "a directory by a flag", agent: "codex", args: []string{"-C", "sub"}, live: func(f *fakePane) {
			f.Wait("the conversation", func() bool { return f.of(f.pane, "#{pane_agent_conversation}") != "" })
			f.id = f.of(f.pane, "#{pane_agent_conversation}")
		}, outcome: func(f *fakePane) {
			f.shows(f.pane, "you said: the first")
			f.shows(f.pane, "ready "+f.id)
		}},
		{name: "nothing there", agent: "grok", live: (*fakePane).known, spoil: func(f *fakePane) {
			for _, file := range f.kept() {
				if filepath.Base(filepath.Dir(file)) == f.id {
					if err := os.RemoveAll(filepath.Dir(file)); err != nil {
						f.T.Fatal(err)
					}
				}
			}
		}, outcome: func(f *fakePane) {
			f.shell() // the agent would have asked its maker's servers
			if row := f.reportRow(f.pane); row.State != "waiting" || !strings.Contains(row.Reason, "nothing to resume") {
				f.T.Errorf("report %+v", row)
			}
		}},
	}
	panes := make([]*fakePane, len(rows))
	for i, r := range rows {
		if err := os.MkdirAll(filepath.Join(home, "in", r.name, "sub"), 0o700); err != nil {
			t.Fatal(err)
		}
		panes[i] = w.start(r.name, r.agent, r.faults, r.flags, r.args...)
	}
	for i, r := range rows {
		t.Run(r.name+", before", func(t *testing.T) {
			f := panes[i]
			w.T = t
			f.shows(f.pane, "ready ")
			f.turn("the first")
			r.live(f)
		})
	}
	w.T = t
	if t.Failed() {
		return
	}
	w.Run("flush")
	w.KillBoth()
	for i, r := range rows {
		if r.spoil != nil {
			r.spoil(panes[i])
		}
	}
	if err := os.Remove(filepath.Join(home, "trusted")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	before := w.kept()
	w.Run("start-server")
	for i, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			w.T = t
			r.outcome(panes[i])
		})
	}
	w.T = t
	for _, file := range w.kept() {
		if !slices.Contains(before, file) {
			t.Errorf("a conversation was begun: %s", file)
		}
	}
	if found, _ := filepath.Glob(filepath.Join(home, ".codex", "packages", "*", "sock")); len(found) > 0 {
		t.Errorf("a shared server was started: %q", found)
	}
}

// TestEveryAgentTellsWhatItDoes: what each agent's hooks say of it, the ones that it is given at a launch or that were installed.
func TestEveryAgentTellsWhatItDoes(t *testing.T) {
	w := fakeAgents(t)
	w.Run("set-hook", "-g", "agent-status-changed", `set-option -gaF @turns "#{hook_pane} #{hook_status} by #{hook_status_source};"`)
	panes := map[string]*fakePane{}
	for _, name := range []string{"claude", "codex", "opencode", "pi", "copilot", "gemini", "kimi", "grok", "qwen", "cursor"} {
		if name == "opencode" && noNode() {
			t.Log("without node there is none for the plugin of opencode, which is left out")
			continue
		}
		panes[name] = w.start(name, name, "", nil)
	}
	// Cursor has no event for a question, and of Codex and Copilot it is not tried which they have.
	silent := []string{"codex", "copilot", "cursor"}
	for name, f := range panes {
		t.Run(name, func(t *testing.T) {
			w.T = t
			turns := func(word string) {
				t.Helper()
				w.Wait(name+" to be "+word, func() bool {
					return strings.Contains(w.Run("show-options", "-gv", "@turns"), f.pane+" "+word)
				})
			}
			f.shows(f.pane, "ready ")
			f.turn("a message")
			turns("working by ") // the title, or the file, of some says so as well, and may be first
			turns("done by hook;")
			f.known()
			if slices.Contains(silent, name) {
				return
			}
			f.say(f.pane, "/perm")
			turns("blocked by ")
			f.say(f.pane, "y")
			f.shows(f.pane, "you answered y")
			w.Wait(name+" not to be blocked", func() bool { return w.of(f.pane, "#{agent_status}") != "blocked" })
			if s := f.screen(); strings.Contains(s, "HOOK") {
				t.Errorf("a hook speaks:\n%s", s)
			}
		})
	}
	w.T = t
}

// TestOnesOwnConfigurationIsLeftToOpencode: a variable that the user has set is not replaced by what reports.
func TestOnesOwnConfigurationIsLeftToOpencode(t *testing.T) {
	w := fakeAgents(t)
	f := w.start("own", "opencode", "", []string{"-e", `OPENCODE_CONFIG_CONTENT={"theme":"mine"}`})
	f.shows(f.pane, "ready ")
	env := w.environ(f.pane)
	if !slices.Contains(env, `OPENCODE_CONFIG_CONTENT={"theme":"mine"}`) {
		t.Errorf("it has %q", env)
	}
	g := w.start("given", "opencode", "", nil)
	g.shows(g.pane, "ready ")
	if env := w.environ(g.pane); !slices.ContainsFunc(env, func(e string) bool {
		return strings.HasPrefix(e, `OPENCODE_CONFIG_CONTENT={"plugin":["file:///`)
	}) {
		t.Errorf("it has %q", env)
	}
}

// environ is the environment of a pane's program.
func (w *World) environ(pane string) []string {
	w.T.Helper()
	b, err := os.ReadFile("/proc/" + w.of(pane, "#{pane_pid}") + "/environ")
	if err != nil {
		w.T.Skip(err)
	}
	return strings.Split(string(b), "\x00")
}
