package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// realAgent is how a real CLI is made to talk to a stub of its model instead of its maker's, and what is on
// its screen. None of it is about resuming.
type realAgent struct {
	name  string
	args  []string                                 // of its launch
	env   func(url, work string) []string          //
	files func(url, work string) map[string]string // below the home directory, written before the start
	setup func(t *testing.T, w *World)             // what else is to be done before the start
	asks  []struct{ see, keys string }             // its questions at a first start, and the keys that say yes
	ready string                                   // a pattern of the screen of one that takes a message
	kept  string                                   // its conversations' files, below the home directory; "" where they are in a data base
	argv  func(work, id string) string             // a pattern of the arguments of a resume
}

var realAgents = []realAgent{
	{
		name: "claude", args: []string{"--model", "sonnet"},
		env: func(url, _ string) []string {
			return []string{"ANTHROPIC_BASE_URL=" + url, "ANTHROPIC_API_KEY=not-a-key-not-a-key-not-a-key", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1"}
		},
		files: func(_, work string) map[string]string {
			return map[string]string{".claude.json": fmt.Sprintf(`{"hasCompletedOnboarding":true,"theme":"dark","customApiKeyResponses":{"approved":["-not-a-key-not-a-key"],"rejected":[]},"projects":{%q:{"hasTrustDialogAccepted":true,"hasCompletedProjectOnboarding":true}}}`, work)}
		},
		ready: `(?m)^\s*[>❯]`,
		kept:  ".claude/projects/*/*.jsonl",
		argv:  func(_, id string) string { return `--model sonnet --settings \{.*\} --resume ` + id + `$` },
	},
	{
		name: "codex", args: []string{"-s", "read-only"},
		env: func(url, _ string) []string { return []string{"STUB_KEY=not-a-key"} },
		files: func(url, work string) map[string]string {
			return map[string]string{".codex/config.toml": fmt.Sprintf("model = \"stub\"\nmodel_provider = \"stub\"\ncheck_for_update_on_startup = false\n[analytics]\nenabled = false\n[model_providers.stub]\nname = \"stub\"\nbase_url = %q\nwire_api = \"responses\"\nenv_key = \"STUB_KEY\"\n[projects.%q]\ntrust_level = \"trusted\"\n", url+"/v1", work)}
		},
		asks:  []struct{ see, keys string }{{`Hooks need review`, "2 Enter"}},
		ready: `(?m)^› [^0-9]`,
		kept:  ".codex/sessions/*/*/*/rollout-*.jsonl",
		argv:  func(_, id string) string { return `resume -s read-only .*` + id + `$` },
	},
	{
		name: "opencode",
		env: func(url, _ string) []string {
			return []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_MODELS_FETCH=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
		},
		files: func(url, _ string) map[string]string {
			return map[string]string{".config/opencode/opencode.json": fmt.Sprintf(`{"autoupdate":false,"share":"disabled","model":"stub/stub","provider":{"stub":{"npm":"@ai-sdk/openai-compatible","name":"stub","options":{"baseURL":%q,"apiKey":"not-a-key"},"models":{"stub":{"name":"stub"}}}}}`, url+"/v1")}
		},
		ready: `Ask anything|┃`,
		argv:  func(_, id string) string { return `--session ` + id + `$` },
	},
	{
		name: "pi", args: []string{"--provider", "stub", "--model", "stub"},
		env: func(_, _ string) []string { return []string{"PI_OFFLINE=1", "PI_TELEMETRY=0"} },
		files: func(url, _ string) map[string]string {
			return map[string]string{".pi/agent/models.json": fmt.Sprintf(`{"providers":{"stub":{"baseUrl":%q,"api":"openai-completions","apiKey":"not-a-key","models":[{"id":"stub"}]}}}`, url+"/v1")}
		},
		ready: `stub`,
		kept:  ".pi/agent/sessions/*/*.jsonl",
	},
}

// patience with programs that take a minute to come up.
const realPatience = time.Minute

// TestRealAgentsResume runs each CLI that is installed, in its full interface, against a stub of its model:
// a message, then keeper and server are killed, and after a restore it is in the same conversation. Nothing
// was said in it meanwhile, and no other conversation was begun.
func TestRealAgentsResume(t *testing.T) {
	if os.Getenv("REAL_AGENTS") != "1" {
		t.Skip("REAL_AGENTS=1 runs the agents that are in PATH, against a stub of their models")
	}
	for _, a := range realAgents {
		t.Run(a.name, func(t *testing.T) {
			if _, err := exec.LookPath(a.name); err != nil {
				t.Skip(err)
			}
			a.resume(t)
		})
	}
}

func (a realAgent) resume(t *testing.T) {
	w, model := New(t), newModelStub(t)
	home := filepath.Join(w.Dir, "home")
	work := filepath.Join(home, "work")
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	w.Env = append(w.Env, a.env(model.URL, work)...)
	for name, text := range a.files(model.URL, work) {
		file := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if a.setup != nil {
		a.setup(t, w)
	}
	w.Run("new-session", "-d", "-s", "work", "-x", "110", "-y", "34", "-c", work)
	pane := w.Run(append([]string{"agent", "start", "-w", "-P", "-F", "#{pane_id}", "-c", work, a.name, "--"}, a.args...)...)
	a.await(w, pane, true)
	a.say(w, model, pane, "please note heron-417", "heron-417")
	w.patiently(pane, "its hooks to say that it has come to rest", func() bool {
		return regexp.MustCompile(`^(done|idle) hook$`).MatchString(w.of(pane, "#{agent_status} #{agent_status_source}"))
	})
	w.patiently(pane, "the id of its conversation", func() bool { return w.of(pane, "#{pane_agent_conversation}") != "" })
	id := w.of(pane, "#{pane_agent_conversation}")
	w.patiently(pane, "the file of its conversation", func() bool { return a.kept == "" || len(a.conversations(w)) > 0 })
	before := a.conversations(w)
	pid, err := strconv.Atoi(w.of(pane, "#{pane_pid}"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s before:\n%s", a.name, w.Run("capture-pane", "-p", "-t", pane))
	t.Logf("conversation %s, files %q", id, before)

	w.Run("flush")
	w.KillBoth()
	w.patiently(pane, "the end of the agent", func() bool { return !Alive(pid) })
	asked := len(model.with())
	w.Run("start-server")
	a.await(w, pane, false)
	w.patiently(pane, "it to run", func() bool { return w.of(pane, "#{pane_agent_state}") == "running" })
	w.patiently(pane, "the first message on its screen", func() bool {
		_, below, found := strings.Cut(w.Run("capture-pane", "-p", "-S", "-", "-t", pane), "goes on with its conversation")
		return strings.Contains(w.Run("capture-pane", "-p", "-t", pane), "heron-417") && (!found || strings.Contains(below, "heron-417"))
	})
	t.Logf("%s after:\n%s", a.name, w.Run("capture-pane", "-p", "-t", pane))
	if row := w.reportRow(pane); row.State != "resumed" || !strings.Contains(row.Reason, id) {
		t.Errorf("report %+v", row)
	}
	if a.argv != nil {
		a.resumedAs(w, pane, a.argv(work, id))
	}
	if got := w.of(pane, "#{pane_current_path}"); got != work {
		t.Errorf("it is in %s", got)
	}
	for _, r := range model.with()[asked:] {
		if noted.MatchString(r.last) {
			t.Errorf("the model was asked again: %s", r.last)
		}
	}
	a.say(w, model, pane, "and egret-528 too", "egret-528")
	if len(model.with("heron-417", "egret-528")) == 0 {
		t.Error("what was said before is not in the conversation any more")
	}
	if after := a.conversations(w); !slices.Equal(after, before) {
		t.Errorf("conversations: %q, and there were %q", after, before)
	}
	if got := w.of(pane, "#{pane_agent_conversation}"); got != id {
		t.Errorf("conversation %s, and it was %s", got, id)
	}
	model.mu.Lock()
	defer model.mu.Unlock()
	t.Logf("questions to the model: %d; to what it is not: %q", len(model.requests), model.strange)
}

// resumedAs compares the arguments of the pane's program.
func (a realAgent) resumedAs(w *World, pane, pattern string) {
	w.T.Helper()
	argv, err := os.ReadFile("/proc/" + w.of(pane, "#{pane_pid}") + "/cmdline")
	if err != nil {
		w.T.Fatal(err)
	}
	line := strings.TrimSpace(strings.ReplaceAll(string(argv), "\x00", " "))
	w.T.Logf("resumed as %s", line)
	if !regexp.MustCompile(pattern).MatchString(line) {
		w.T.Errorf("resumed as %s, want %s", line, pattern)
	}
}

// conversations are the files of its conversations.
func (a realAgent) conversations(w *World) []string {
	if a.kept == "" {
		return nil
	}
	found, _ := filepath.Glob(filepath.Join(w.Dir, "home", a.kept))
	return found
}

// await answers the questions of a start until the agent takes a message. At a first start all of them come.
func (a realAgent) await(w *World, pane string, first bool) {
	w.T.Helper()
	answered := map[string]time.Time{}
	w.patiently(pane, "it to take a message", func() bool {
		screen := w.Run("capture-pane", "-p", "-t", pane)
		for _, q := range a.asks {
			if !regexp.MustCompile(q.see).MatchString(screen) {
				continue
			}
			if time.Since(answered[q.see]) > 5*time.Second { // it drops what comes before it listens
				w.T.Logf("%s asks:\n%s", a.name, screen)
				answered[q.see] = time.Now()
				for _, k := range strings.Fields(q.keys) {
					w.Run("send-keys", "-t", pane, k)
				}
			}
			return false
		}
		return regexp.MustCompile(a.ready).MatchString(screen) && (!first || len(answered) == len(a.asks))
	})
}

// say types a message, sends it when the agent shows it, and waits for the answer.
func (a realAgent) say(w *World, model *modelStub, pane, text, word string) {
	w.T.Helper()
	var typed time.Time
	w.patiently(pane, "the message in its input", func() bool {
		screen := w.Run("capture-pane", "-p", "-t", pane)
		if !strings.Contains(screen, word) && time.Since(typed) > 10*time.Second { // it drops what comes before it listens
			w.Run("send-keys", "-t", pane, "-l", text)
			typed = time.Now()
		}
		return strings.Contains(screen, text)
	})
	typed = time.Time{}
	w.patiently(pane, "the model to be asked", func() bool {
		if len(model.with(word)) > 0 {
			return true
		}
		if time.Since(typed) > 5*time.Second { // a paste may have swallowed it
			w.Run("send-keys", "-t", pane, "Enter")
			typed = time.Now()
		}
		return false
	})
	w.patiently(pane, "the answer", func() bool {
		return strings.Contains(w.Run("capture-pane", "-p", "-t", pane), "I note "+word)
	})
}

// patiently waits for a condition with a real program in it, and shows its screen when it does not come.
func (w *World) patiently(pane, what string, cond func() bool) {
	w.T.Helper()
	for end := time.Now().Add(realPatience); !cond(); time.Sleep(200 * time.Millisecond) {
		if time.Now().After(end) {
			w.T.Fatalf("waited in vain: %s\n%s\n%s", what, w.Try("capture-pane", "-p", "-t", pane).Out, w.Logs())
		}
	}
}
