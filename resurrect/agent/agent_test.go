package agent

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stet/resurrect"
)

const (
	chosen = "7d444840-9dc0-4f1a-8b2e-1f0c5a9d3e77"
	other  = "0b3c1f52-55aa-4c10-9f6d-aa0011bb2233"
	hook   = "stet agent report"
)

var by = Reporter{Hook: hook, Plugin: "/state/agents/a plugin"}

func builtins(t *testing.T) *Set {
	t.Helper()
	s := Load("")
	for _, err := range s.Problems {
		t.Error(err)
	}
	return s
}

// launches are what each agent is started with, and how it is resumed. INJECT stands for what is injected.
var launches = []struct {
	agent, situation string
	args             []string
	argv             []string // nil: only the resume is looked at
	conversation     string   // known from the start
	reported         string   // the one it says later; "" for the one from the start
	resume           []string
}{
	{
		agent: "claude", situation: "nothing given",
		argv:         []string{"claude", "--session-id", chosen, "INJECT"},
		conversation: chosen, resume: []string{"claude", "INJECT", "--resume", chosen},
	},
	{
		agent: "claude", situation: "flags and a prompt",
		args:         []string{"--model", "opus", "--dangerously-skip-permissions", "fix the bug"},
		argv:         []string{"claude", "--session-id", chosen, "INJECT", "--model", "opus", "--dangerously-skip-permissions", "fix the bug"},
		conversation: chosen, reported: other,
		resume: []string{"claude", "--model", "opus", "--dangerously-skip-permissions", "INJECT", "--resume", other},
	},
	{
		agent: "claude", situation: "a variadic flag swallows no selector, and settings of one's own exclude ours",
		args:         []string{"--add-dir", "/a", "/b", "--settings", "mine.json", "--", "--model is a prompt here"},
		argv:         []string{"claude", "--session-id", chosen, "--add-dir", "/a", "/b", "--settings", "mine.json", "--", "--model is a prompt here"},
		conversation: chosen, resume: []string{"claude", "--add-dir=/a", "--add-dir=/b", "--settings", "mine.json", "--resume", chosen},
	},
	{
		agent: "claude", situation: "a conversation that is named is the one",
		args: []string{"--resume", other, "--model=opus"}, argv: []string{"claude", "INJECT", "--resume", other, "--model=opus"},
		conversation: other, resume: []string{"claude", "--model=opus", "INJECT", "--resume", other},
	},
	{
		agent: "codex", situation: "flags, a prompt, a picture, and a key in the configuration",
		args:     []string{"-m", "gpt", "-c", "model_providers.x.api_key=abc", "-i", "a.png", "--search", "do it"},
		argv:     []string{"codex", "INJECT", "-m", "gpt", "-c", "model_providers.x.api_key=abc", "-i", "a.png", "--search", "do it"},
		reported: other, resume: []string{"codex", "resume", "-m", "gpt", "--search", "INJECT", other},
	},
	{
		agent: "opencode", situation: "a model and a prompt",
		args: []string{"--model", "x/y", "--prompt", "hello", "dir"}, argv: []string{"opencode", "--model", "x/y", "--prompt", "hello", "dir"},
		reported: "ses_01abcdefghijklmnopqrstuvwx", resume: []string{"opencode", "--model", "x/y", "--session", "ses_01abcdefghijklmnopqrstuvwx"},
	},
	{
		agent: "pi", situation: "a key is not kept",
		args:         []string{"--model", "m", "--api-key", "sk-1", "@file", "hello"},
		argv:         []string{"pi", "--session-id", chosen, "INJECT", "--model", "m", "--api-key", "sk-1", "@file", "hello"},
		conversation: chosen, resume: []string{"pi", "--model", "m", "INJECT", "--session", chosen},
	},
	{
		agent: "copilot", situation: "the selector has its id behind =",
		args:         []string{"--allow-all-tools", "--model", "m", "-i", "begin with this"},
		argv:         []string{"copilot", "--session-id", chosen, "--allow-all-tools", "--model", "m", "-i", "begin with this"},
		conversation: chosen, resume: []string{"copilot", "--allow-all-tools", "--model", "m", "--resume=" + chosen},
	},
	{
		agent: "gemini", situation: "an approval mode and a prompt",
		args:         []string{"--approval-mode", "yolo", "-i", "go"},
		argv:         []string{"gemini", "--session-id", chosen, "--approval-mode", "yolo", "-i", "go"},
		conversation: chosen, resume: []string{"gemini", "--approval-mode", "yolo", "--resume", chosen},
	},
	{
		agent: "kimi", situation: "an agent file is not kept",
		args: []string{"-m", "k2", "--agent-file", "a.yaml", "--yolo"}, argv: []string{"kimi", "-m", "k2", "--agent-file", "a.yaml", "--yolo"},
		reported: "session_" + other, resume: []string{"kimi", "-m", "k2", "--yolo", "--session", "session_" + other},
	},
	{
		agent: "grok", situation: "a model", args: []string{"--model", "g"}, argv: []string{"grok", "--session-id", chosen, "--model", "g"},
		conversation: chosen, resume: []string{"grok", "--model", "g", "--resume", chosen},
	},
	{
		agent: "qwen", situation: "a mode", args: []string{"--yolo", "hello"}, argv: []string{"qwen", "--session-id", chosen, "--yolo", "hello"},
		conversation: chosen, resume: []string{"qwen", "--yolo", "--resume", chosen},
	},
	{
		agent: "cursor", situation: "a key is not kept", args: []string{"--api-key", "k", "--model", "m", "hello"},
		argv: []string{"cursor-agent", "--api-key", "k", "--model", "m", "hello"}, reported: other, resume: []string{"cursor-agent", "--model", "m", "--resume", other},
	},
	{
		agent: "junie", situation: "a conversation given", args: []string{"--session-id", "session-260102-030405-ab1c", "hello"},
		argv:         []string{"junie", "--session-id", "session-260102-030405-ab1c", "hello"},
		conversation: "session-260102-030405-ab1c", resume: []string{"junie", "--session-id", "session-260102-030405-ab1c"},
	},
	{agent: "prime", situation: "it starts and no more", args: []string{"hello"}, argv: []string{"prime", "hello"}},
}

func injectedOf(in *Integration, argv []string) []string {
	var out []string
	for _, w := range argv {
		if w == "INJECT" {
			out = append(out, in.injected(nil, by)...)
			continue
		}
		out = append(out, w)
	}
	return out
}

func TestLaunchAndResumeOfEveryAgent(t *testing.T) {
	s := builtins(t)
	seen := map[string]bool{}
	for _, l := range launches {
		t.Run(l.agent+"/"+l.situation, func(t *testing.T) {
			in := s.Find(l.agent)
			if in == nil {
				t.Fatal("no such integration")
			}
			seen[l.agent] = true
			st, err := in.Start(l.args, chosen, by)
			if err != nil {
				t.Fatal(err)
			}
			if want := injectedOf(in, l.argv); !slices.Equal(st.Argv, want) {
				t.Errorf("started with %q, want %q", st.Argv, want)
			}
			if st.Conversation != l.conversation {
				t.Errorf("conversation %q, want %q", st.Conversation, l.conversation)
			}
			id := l.reported
			if id == "" {
				id = st.Conversation
			}
			argv, err := in.Resumed(id, st.Kept, by)
			if l.resume == nil {
				if err == nil {
					t.Errorf("resumed with %q", argv)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if want := injectedOf(in, l.resume); !slices.Equal(argv, want) {
				t.Errorf("resumed with %q, want %q", argv, want)
			}
			for _, w := range argv {
				if strings.Contains(w, "{") && !strings.Contains(w, hook) {
					t.Errorf("%q is not filled in", w)
				}
			}
		})
	}
	for _, in := range s.All() {
		if !seen[in.ID] {
			t.Errorf("%s is not tried", in.ID)
		}
	}
}

func TestWhatHasNoConversationIsRefused(t *testing.T) {
	s := builtins(t)
	for agent, args := range map[string][]string{
		"claude": {"-p", "hello"}, "codex": {"exec", "x"}, "opencode": {"run", "x"}, "pi": {"--no-session"}, "copilot": {"-p", "x"},
		"gemini": {"--prompt=x"}, "kimi": {"--print"}, "grok": {"--leader"}, "qwen": {"-p", "x"}, "cursor": {"--print"},
	} {
		if st, err := s.Find(agent).Start(args, chosen, by); err == nil {
			t.Errorf("%s %q is started as %q", agent, args, st.Argv)
		}
	}
	if _, err := s.Find("claude").Start([]string{"--append-system-prompt", "-p"}, chosen, by); err != nil {
		t.Errorf("a value is taken for a flag: %v", err)
	}
}

func TestOnlyWholeIDsAreTaken(t *testing.T) {
	for _, in := range builtins(t).All() {
		if in.Fresh {
			continue
		}
		for _, bad := range append(slices.Clone(strangers[:]), strings.Repeat("a", 5000), chosen+"\n", " "+chosen, chosen+" --fork", "--resume") {
			if in.Valid(bad) {
				t.Errorf("%s takes %q", in.ID, bad)
			}
			if argv, err := in.Resumed(bad, nil, Reporter{}); err == nil {
				t.Errorf("%s resumes %q with %q", in.ID, bad, argv)
			}
		}
	}
}

// TestAResumeIsLookedThroughAgain: what is kept may come from a file that somebody has edited.
func TestAResumeIsLookedThroughAgain(t *testing.T) {
	in := builtins(t).Find("claude")
	argv, err := in.Resumed(chosen, []string{"--model", "opus", "--eval", "rm", "a prompt", "-p", "--continue"}, Reporter{})
	if want := []string{"claude", "--model", "opus", "--resume", chosen}; err != nil || !slices.Equal(argv, want) {
		t.Errorf("%q, %v, want %q", argv, err, want)
	}
}

func TestReports(t *testing.T) {
	s := builtins(t)
	for _, c := range []struct{ agent, data, want string }{
		{"claude", `{"hook_event_name":"SessionStart","session_id":"` + other + `","cwd":"/"}`, other},
		{"claude", `{"hook_event_name":"Stop","session_id":"` + other + `"}`, ""},
		{"claude", `{"hook_event_name":"SessionStart","session_id":"` + other + `","agent_id":"x"}`, ""}, // a helper's
		{"codex", `{"hook_event_name":"SessionStart","session_id":"` + other + `","transcript_path":null}`, ""},
		{"codex", `{"hook_event_name":"UserPromptSubmit","session_id":"` + other + `","transcript_path":"/x"}`, other},
		{"opencode", `{"hook_event_name":"chat.message","session_id":"ses_01abcdefghijklmnopqrstuvwx"}`, "ses_01abcdefghijklmnopqrstuvwx"},
		{"copilot", `{"hook_event_name":"sessionStart","sessionId":"` + other + `"}`, other},
		{"gemini", `{"hook_event_name":"BeforeAgent","session_id":"` + other + `"}`, other},
		{"kimi", `{"hook_event_name":"SessionStart","session_id":"session_` + other + `"}`, "session_" + other},
		{"grok", `{"hook_event_name":"session_start","sessionId":"` + other + `"}`, other},
		{"qwen", `{"hook_event_name":"SessionStart","session_id":"` + other + `"}`, other},
		{"cursor", `{"hook_event_name":"beforeSubmitPrompt","conversation_id":"` + other + `"}`, other},
		{"pi", `{"session_id":"x"}`, ""},
	} {
		got, err := s.Find(c.agent).Report([]byte(c.data))
		if err != nil || got != c.want {
			t.Errorf("%s %s: %q, %v, want %q", c.agent, c.data, got, err, c.want)
		}
	}
	for _, bad := range []string{``, `[]`, `{"hook_event_name":"SessionStart","session_id":"--help"}`, `{"hook_event_name":"SessionStart","session_id":7}`,
		`{"hook_event_name":"SessionStart","session_id":"` + other + `\n"}`, `{"hook_event_name":"SessionStart"}`} {
		if id, err := s.Find("claude").Report([]byte(bad)); err == nil || id != "" {
			t.Errorf("%s: %q, %v", bad, id, err)
		}
	}
}

// TestWhoRunsInsideAnother: a report counts only from the outermost agent.
func TestWhoRunsInsideAnother(t *testing.T) {
	s := builtins(t)
	p := func(comm string, argv ...string) Proc { return Proc{Comm: comm, Argv: argv} }
	report, sh := p("stet", "stet", "agent", "report"), p("sh", "sh", "-c", hook)
	claude, codex := p("claude", "/opt/claude"), p("codex", "codex")
	for _, c := range []struct {
		situation, agent string
		chain            []Proc
		want             string
	}{
		{"its own hook", "claude", []Proc{report, sh, claude}, ""},
		{"split off before its hook", "claude", []Proc{report, sh, claude, claude}, ""},
		{"behind a wrapper", "claude", []Proc{report, sh, claude, p("wrapper", "bash", "/usr/bin/wrapper")}, ""},
		{"a wrapper of an unknown name", "claude", []Proc{report, p("mine", "mine")}, ""},
		{"started by the agent's shell", "claude", []Proc{report, sh, claude, p("bash", "bash"), claude}, "claude"},
		{"started by the agent, its shell gone", "claude", []Proc{report, sh, p("claude", "claude", "-p", "x"), claude}, "claude"},
		{"another agent inside", "claude", []Proc{report, sh, codex, p("bash", "bash"), claude}, "codex"},
		{"the pane has become another agent", "claude", []Proc{report, sh, codex}, "codex"},
		{"it starts itself again", "gemini", []Proc{report, sh, p("node", "node", "/b/gemini"), p("node", "node", "--x", "/b/gemini")}, ""},
		{"but not for one question", "gemini", []Proc{report, sh, p("node", "node", "/b/gemini", "-p", "x"), p("node", "node", "/b/gemini")}, "gemini"},
		{"nor through a shell", "gemini", []Proc{report, sh, p("node", "node", "/b/gemini"), sh, p("node", "node", "/b/gemini")}, "gemini"},
	} {
		if got := s.Nested(s.Find(c.agent), c.chain); got != c.want {
			t.Errorf("%s: %q, want %q", c.situation, got, c.want)
		}
	}
}

func TestTranscripts(t *testing.T) {
	home := t.TempDir()
	put := func(path string) {
		t.Helper()
		full := filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := builtins(t)
	for agent, path := range map[string]string{
		"claude":  ".claude/projects/-work-a/" + chosen + ".jsonl",
		"codex":   ".codex/sessions/2026/01/02/rollout-2026-01-02T03-04-05-" + chosen + ".jsonl",
		"pi":      ".pi/agent/sessions/--work--/2026_" + chosen + ".jsonl",
		"copilot": ".copilot/session-state/" + chosen + "/events.jsonl",
		"gemini":  ".gemini/tmp/a/chats/session-2026-" + chosen[:8] + ".jsonl",
		"kimi":    ".kimi-code/sessions/wd_a_1/session_" + chosen + "/x",
		"grok":    ".grok/sessions/%2Fwork/" + chosen + "/summary.json",
		"qwen":    ".qwen/projects/a/chats/" + chosen + ".jsonl",
	} {
		in, id := s.Find(agent), chosen
		if agent == "kimi" {
			id = "session_" + chosen
		}
		if err := in.Transcript(id, nil, nil, home); !errors.Is(err, ErrNoTranscript) {
			t.Errorf("%s before its first message: %v", agent, err)
		}
		put(path)
		if err := in.Transcript(id, nil, nil, home); err != nil {
			t.Errorf("%s: %v", agent, err)
		}
	}
	claude := s.Find("claude")
	put("[else]*/projects/x/" + other + ".jsonl")
	env := []string{"CLAUDE_CONFIG_DIR=" + filepath.Join(home, "[else]*")}
	if err := claude.Transcript(other, nil, env, home); err != nil {
		t.Errorf("a directory of one's own: %v", err)
	}
	if err := claude.Transcript(chosen, nil, env, home); !errors.Is(err, ErrNoTranscript) {
		t.Errorf("what lies in another directory: %v", err)
	}
	if err := s.Find("pi").Transcript(other, []string{"--session-dir", "/x"}, nil, home); err != nil {
		t.Errorf("pi with a directory that we do not know: %v", err)
	}
	for value, want := range map[string]error{"/x": nil, "": ErrNoTranscript} {
		env := s.Find("pi").Kept([]string{"PI_CODING_AGENT_SESSION_DIR=" + value})
		if err := s.Find("pi").Transcript(other, nil, env, home); !errors.Is(err, want) {
			t.Errorf("pi with sessions in %q: %v, want %v", value, err, want)
		}
	}
}

func TestOnlyListedVariablesAreKept(t *testing.T) {
	got := builtins(t).Find("claude").Kept([]string{"HOME=/h", "CLAUDE_CONFIG_DIR=/c", "ANTHROPIC_API_KEY=sk-1"})
	if want := []string{"CLAUDE_CONFIG_DIR=/c"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// mine is an integration that a user could write.
const mine = `schema = 1
id = "mine"
name = "Mine"
command = ["mine"]

[conversation]
pattern = '^m-[0-9]+$'

[resume]
argv = ["mine", "{carried}", "go", "{id}"]
`

func TestMistakesHaveAPlace(t *testing.T) {
	for _, c := range []struct{ situation, from, to, want string }{
		{"an unknown key", "name =", "nome =", "mine.toml:3: nome: this key means nothing to this build"},
		{"a newer schema", "schema = 1", "schema = 2", "mine.toml:1: schema: is 2, and this build reads 1"},
		{"no anchor", "'^m-[0-9]+$'", "'m-[0-9]+'", "mine.toml:7: conversation, pattern: must begin with ^"},
		{"a pattern that takes flags", "'^m-[0-9]+$'", "'^.*$'", "mine.toml:7: conversation, pattern: takes"},
		{"a pattern that takes a line break", "'^m-[0-9]+$'", "'^[a\\n]+$'", "mine.toml:7: conversation, pattern: takes"},
		{"a broken pattern", "'^m-[0-9]+$'", "'^m-[0-9+$'", "mine.toml:7: conversation, pattern: error parsing regexp"},
		{"a resume without a name", `"go", "{id}"`, `"--continue"`, "mine.toml:10: resume, argv: must have {id} once"},
		{"a program from outside", `["mine", "{carried}"`, `["{id}", "{carried}"`, "mine.toml:10: resume, argv: must begin with"},
		{"a string for a list", `["mine"]`, `"mine"`, "mine.toml:4: command: should be a list"},
		{"another name", `"mine"`, `"yours"`, "mine.toml: has the id \"yours\""},
		{"no TOML", "[resume]", "[resume", "mine.toml:10:8: "},
	} {
		t.Run(c.situation, func(t *testing.T) {
			dir := t.TempDir()
			text := strings.Replace(mine, c.from, c.to, 1)
			if text == mine {
				t.Fatal("nothing was changed")
			}
			write(t, filepath.Join(dir, "mine.toml"), text, 0o600)
			write(t, filepath.Join(dir, "good.toml"), strings.Replace(mine, `id = "mine"`, `id = "good"`, 1), 0o600)
			s := Load(dir)
			if len(s.Problems) != 1 || !strings.Contains(s.Problems[0].Error(), c.want) {
				t.Fatalf("%v, want %q", s.Problems, c.want)
			}
			var fe *resurrect.FileError
			if !errors.As(s.Problems[0], &fe) || fe.File != filepath.Join(dir, "mine.toml") {
				t.Errorf("%#v names no file", s.Problems[0])
			}
			if s.Find("mine") != nil || s.Find("good") == nil || s.Find("claude") == nil {
				t.Errorf("in force are %v", s.Names())
			}
		})
	}
}

func TestAUserReplacesWhatIsBuiltIn(t *testing.T) {
	dir := t.TempDir()
	text := strings.ReplaceAll(strings.Replace(mine, `"mine"`, `"claude"`, 1), "Mine", "My own")
	write(t, filepath.Join(dir, "claude.toml"), text, 0o600)
	s := Load(dir)
	if in := s.Find("claude"); len(s.Problems) > 0 || in == nil || in.Name != "My own" || in.Support().File == "" {
		t.Errorf("%v %+v", s.Problems, in)
	}
	if len(s.All()) != len(Load("").All()) {
		t.Errorf("in force are %v", s.Names())
	}
}

func TestWhatOthersCanWriteIsRefused(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "mine.toml"), mine, 0o666)
	if s := Load(dir); len(s.Problems) != 1 || s.Find("mine") != nil {
		t.Errorf("a file for all to write: %v", s.Problems)
	}
	if err := os.Chmod(filepath.Join(dir, "mine.toml"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if s := Load(dir); len(s.Problems) != 1 || s.Find("mine") != nil {
		t.Errorf("a directory for all to write: %v", s.Problems)
	}
	if s := Load(filepath.Join(dir, "none")); len(s.Problems) != 0 {
		t.Errorf("no directory: %v", s.Problems)
	}
}

func write(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, mode); err != nil { // whatever the umask is
		t.Fatal(err)
	}
}

func TestUUIDsAreTaken(t *testing.T) {
	in := builtins(t).Find("claude")
	a, b := NewUUID(), NewUUID()
	if !in.Valid(a) || !in.Valid(b) || a == b {
		t.Errorf("%s, %s", a, b)
	}
}

// FuzzIntegration: whatever a file says, what comes of it executes the program that it names, with an id
// that its pattern takes.
func FuzzIntegration(f *testing.F) {
	files, err := builtin.ReadDir("builtin")
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range files {
		data, err := builtin.ReadFile("builtin/" + e.Name())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), chosen, "--model opus -- x", `{"hook_event_name":"SessionStart","session_id":"`+other+`"}`)
	}
	f.Add(mine, "m-1", "-x --y=z", `{}`)
	f.Fuzz(func(t *testing.T, text, id, words, report string) {
		in, err := Parse("f.toml", []byte(text))
		if err != nil {
			var fe *resurrect.FileError
			if !errors.As(err, &fe) || fe.File != "f.toml" {
				t.Fatalf("%v names no file", err)
			}
			return
		}
		args := strings.Split(words, " ")
		st, err := in.Start(args, chosen, by)
		if err == nil && (st.Argv[0] != in.Command[0] || st.Conversation != "" && !in.Valid(st.Conversation)) {
			t.Fatalf("starts %q in %q", st.Argv, st.Conversation)
		}
		argv, err := in.Resumed(id, st.Kept, by)
		if err == nil && (!in.Valid(id) || argv[0] != in.Resume.Argv[0]) {
			t.Fatalf("resumes %q with %q", id, argv)
		}
		if strings.HasPrefix(id, "-") && err == nil {
			t.Fatalf("a flag is an id: %q", id)
		}
		if got, err := in.Report([]byte(report)); err == nil && got != "" && !in.Valid(got) {
			t.Fatalf("reports %q", got)
		}
		again, dropped := in.Carried(st.Kept)
		if !slices.Equal(again, st.Kept) || len(dropped) > 0 {
			t.Fatalf("what is kept changes: %q, then %q without %q", st.Kept, again, dropped)
		}
		_ = in.Support()
	})
}

func TestSupportIsStable(t *testing.T) {
	s := builtins(t)
	b, err := json.Marshal(s.Find("prime").Support())
	if want := `{"id":"prime","name":"Prime Agent","resume":"starts fresh, by design","id_source":"none","limit":"It keeps its conversation in memory only: after a loss its pane is a shell under the old screen."}`; err != nil || string(b) != want {
		t.Errorf("%s, %v", b, err)
	}
}
