package agent

import (
	"slices"
	"strings"
	"testing"
)

func TestTypedAgents(t *testing.T) {
	s := builtins(t)
	for _, c := range []struct {
		comm         string
		argv         []string
		agent        string // "" for none
		kept         []string
		conversation string
		why          string // part of why there is nothing to go on with
		program      string
	}{
		{comm: "bash", argv: []string{"-bash"}},
		{comm: "vim", argv: []string{"vim", "claude"}},
		{comm: "claude", argv: []string{"claude"}, agent: "claude"},
		{comm: "claude", argv: []string{"/opt/bin/claude", "--model", "opus", "say something", "--resume", chosen}, agent: "claude",
			kept: []string{"--model", "opus"}, conversation: chosen, program: "/opt/bin/claude"},
		{comm: "claude", argv: []string{"claude", "--resume", "a title"}, agent: "claude"},
		{comm: "claude", argv: []string{"claude", "--continue"}, agent: "claude"},
		{comm: "claude", argv: []string{"claude", "--fork-session", "--resume", chosen}, agent: "claude"},
		{comm: "claude", argv: []string{"claude", "--", "--resume", chosen}, agent: "claude"},
		{comm: "claude", argv: []string{"claude", "-p", "hello"}, agent: "claude", why: "claude -p has no conversation"},
		{comm: "claude", argv: []string{"claude", "--version"}, agent: "claude", why: "claude --version has no conversation"},
		{comm: "claude", argv: []string{"claude", "mcp", "list"}, agent: "claude", why: "claude mcp has no conversation"},
		{comm: "claude", argv: append([]string{"claude"}, slices.Repeat([]string{"x"}, MaxArgs+1)...), agent: "claude", why: "too many"},
		{comm: "node", argv: []string{"node", "/usr/lib/node_modules/.bin/pi", "--session-id", "mine.1", "--model", "m", "--api-key", "k"}, agent: "pi",
			kept: []string{"--model", "m"}, conversation: "mine.1", program: "/usr/lib/node_modules/.bin/pi"},
		{comm: "node", argv: []string{"node", "--max-old-space-size=4096", "/usr/bin/gemini", "--resume", chosen}, agent: "gemini", conversation: chosen, program: "/usr/bin/gemini"},
		{comm: "kimi-code", argv: []string{"kimi-code"}, agent: "kimi"}, // it has overwritten its arguments
		{comm: "node", argv: []string{"node", "server.js", "pi"}},
		{comm: "codex", argv: []string{"codex", "resume", chosen}, agent: "codex"},
		{comm: "codex", argv: []string{"codex", "exec", "x"}, agent: "codex", why: "codex exec has no conversation"},
		{comm: "prime", argv: []string{"prime"}, agent: "prime", why: "starts fresh"},
	} {
		p := Proc{Pid: 7, Comm: c.comm, Argv: c.argv}
		in := s.Recognise(p)
		if in == nil || c.agent == "" {
			if in != nil || c.agent != "" {
				t.Errorf("%q: %v, want %q", c.argv, in, c.agent)
			}
			continue
		}
		got, err := in.Typed(p)
		switch {
		case in.ID != c.agent:
			t.Errorf("%q is %s", c.argv, in.ID)
		case c.why != "":
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%q: %v, want %q", c.argv, err, c.why)
			}
		case err != nil || !slices.Equal(got.Kept, c.kept) || got.Conversation != c.conversation || in.Program(p) != c.program:
			t.Errorf("%q: %+v, %q, %v", c.argv, got, in.Program(p), err)
		}
	}
	if in := s.Recognise(Proc{}); in != nil {
		t.Errorf("a process without a name is %s", in.ID)
	}
}

func TestTheConversationOfAProcess(t *testing.T) {
	s := builtins(t)
	for _, c := range []struct {
		data    string
		started uint64
		want    string
	}{
		{`{"procStart":"777","sessionId":"` + chosen + `"}`, 777, chosen},
		{`{"procStart":777,"sessionId":"` + chosen + `"}`, 777, chosen},
		{`{"procStart":"776","sessionId":"` + chosen + `"}`, 777, ""}, // another process had the number
		{`{"sessionId":"` + chosen + `"}`, 777, ""},
		{`{"procStart":"0","sessionId":"` + chosen + `"}`, 0, ""},
		{`{"procStart":"777","sessionId":"--help"}`, 777, ""},
		{`{"procStart":"777","sessionId":["` + chosen + `"]}`, 777, ""},
		{`{"procStart":"777","sess`, 777, ""},
		{``, 777, ""},
	} {
		if got := s.Find("claude").Running([]byte(c.data), c.started); got != c.want {
			t.Errorf("%s: %q, want %q", c.data, got, c.want)
		}
	}
	if got := s.Find("codex").Running([]byte(`{"procStart":"777","sessionId":"`+chosen+`"}`), 777); got != "" {
		t.Errorf("an agent without such a file: %q", got)
	}
}
