package agent

import (
	"fmt"
	"strings"
	"testing"
)

func TestWhatReportsSayOfTheStatus(t *testing.T) {
	s := builtins(t)
	for _, c := range []struct {
		agent, data string
		want        Word
		event       string
	}{
		{"claude", `{"hook_event_name":"UserPromptSubmit","session_id":"x"}`, Working, "UserPromptSubmit"},
		{"claude", `{"hook_event_name":"Stop"}`, Idle, "Stop"},
		{"claude", `{"hook_event_name":"StopFailure"}`, Failed, "StopFailure"},
		{"claude", `{"hook_event_name":"PermissionRequest"}`, Blocked, "PermissionRequest"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"permission_prompt"}`, Blocked, "Notification/permission_prompt"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"idle_prompt"}`, Idle, "Notification/idle_prompt"},
		{"claude", `{"hook_event_name":"Notification","notification_type":"auth_success"}`, "", "Notification/auth_success"},
		{"claude", `{"hook_event_name":"Notification"}`, "", "Notification"},
		{"claude", `{"hook_event_name":"Stop","agent_id":"helper"}`, "", ""}, // a helper's end is not the agent's
		{"claude", `{"hook_event_name":7}`, "", ""},
		{"claude", `{"hook_event_name":"` + strings.Repeat("x", 1000) + `"}`, "", ""},
		{"claude", `no JSON`, "", ""},
		{"codex", `{"hook_event_name":"Stop","transcript_path":null}`, "", ""}, // of a thread that is its own
		{"codex", `{"hook_event_name":"Stop","transcript_path":"/x"}`, Idle, "Stop"},
		{"codex", `{"hook_event_name":"PermissionRequest","transcript_path":"/x"}`, Blocked, "PermissionRequest"},
		{"gemini", `{"hook_event_name":"AfterAgent"}`, Idle, "AfterAgent"},
		{"gemini", `{"hook_event_name":"Notification","notification_type":"ToolPermission"}`, Blocked, "Notification/ToolPermission"},
		{"kimi", `{"hook_event_name":"PermissionResult"}`, Working, "PermissionResult"},
		{"grok", `{"hook_event_name":"stop_cancelled"}`, Idle, "stop_cancelled"},
		{"copilot", `{"hook_event_name":"agentStop"}`, Idle, "agentStop"},
		{"opencode", `{"hook_event_name":"session.status","status":"busy"}`, Working, "session.status/busy"},
		{"opencode", `{"hook_event_name":"session.status","status":"retry"}`, Working, "session.status/retry"},
		{"opencode", `{"hook_event_name":"session.status","status":"idle"}`, Idle, "session.status/idle"},
		{"opencode", `{"hook_event_name":"question.asked"}`, Blocked, "question.asked"},
		{"opencode", `{"hook_event_name":"session.error"}`, Failed, "session.error"},
		{"pi", `{"hook_event_name":"agent_start","session_id":"x"}`, Working, "agent_start"},
		{"pi", `{"hook_event_name":"ui_prompt_start","session_id":"x"}`, Blocked, "ui_prompt_start"},
		{"pi", `{"hook_event_name":"agent_failed","session_id":"x"}`, Failed, "agent_failed"},
		{"prime", `{}`, "", ""},
	} {
		if got, event := s.Find(c.agent).Event([]byte(c.data)); got != c.want || event != c.event {
			t.Errorf("%s %.80s: %q %q, want %q %q", c.agent, c.data, got, event, c.want, c.event)
		}
	}
}

// Titles are the agents' output: only what stands at their beginning counts.
func TestWhatTitlesSayOfTheStatus(t *testing.T) {
	s := builtins(t)
	for _, c := range []struct {
		agent, title string
		want         Word
	}{
		{"claude", "✳ fix the bug", Idle},
		{"claude", "◐ fix the bug", Working},
		{"claude", "⠂ fix the bug", Working},
		{"claude", "about ✳ marks", ""},
		{"claude", "✳", ""},
		{"claude", "", ""},
		{"codex", "⠙ work", Working},
		{"codex", "[ ! ] Action Required | work", Blocked},
		{"codex", "Action Required", Blocked},
		{"codex", "work", Idle},
		{"gemini", "✋  Action Required (work)", Blocked},
		{"gemini", "✦  Working… (work)", Working},
		{"gemini", "◇  Ready (work)", Idle},
		{"pi", "π - work", ""},
	} {
		if got := s.Find(c.agent).Status.Title.Word(c.title); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.agent, c.title, got, c.want)
		}
	}
}

func TestStateFiles(t *testing.T) {
	f := builtins(t).Find("claude").Status.File
	for _, c := range []struct {
		env        []string
		home, want string
	}{
		{nil, "/home/me", "/home/me/.claude/sessions/42.json"},
		{[]string{"CLAUDE_CONFIG_DIR=/x/[a]*"}, "/home/me", "/x/[a]*/sessions/42.json"},
	} {
		if got, err := f.Place(42, c.env, c.home); err != nil || got != c.want {
			t.Errorf("%q, %v, want %q", got, err, c.want)
		}
	}
	if got, err := f.Place(42, []string{"CLAUDE_CONFIG_DIR=relative"}, "/home/me"); err == nil {
		t.Errorf("%q", got)
	}
	for _, c := range []struct {
		data    string
		started uint64
		want    Word
		ok      bool
	}{
		{`{"pid":42,"procStart":"777","status":"busy"}`, 777, Working, true},
		{`{"pid":42,"procStart":777,"status":"idle"}`, 777, Idle, true},
		{`{"pid":42,"procStart":"777","status":"dreaming"}`, 777, "", true},
		{`{"pid":42,"procStart":"776","status":"busy"}`, 777, "", false}, // another process had the number
		{`{"pid":42,"status":"busy"}`, 777, "", false},
		{`{"pid":42,"procStart":"0","status":"busy"}`, 0, "", false}, // not known here
		{`[]`, 777, "", false},
		{`{"procStart":"777","status":{"a":1}}`, 777, "", true},
	} {
		got, err := f.Read([]byte(c.data), c.started)
		if got != c.want || (err == nil) != c.ok {
			t.Errorf("%s: %q, %v, want %q", c.data, got, err, c.want)
		}
	}
}

func TestWhatAStatusMayNotSay(t *testing.T) {
	const head = "schema = 1\nid = \"x\"\nname = \"X\"\ncommand = [\"x\"]\nfresh = true\n[hook]\nevent = \"e\"\n"
	for _, c := range []struct{ text, why string }{
		{"[status]\nquiet = -1\n", "status, quiet: is -1"},
		{"[status]\nquiet = 100000\n", "status, quiet: is 100000"},
		{"[status]\nbell = \"ring\"\n", "status, bell: \"ring\" is none of"},
		{"[status]\nblocked = [\"Notification/ask\"]\n", "needs detail"},
		{"[status]\nworking = [\"\"]\n", "has a word that is empty"},
		{"[status]\nworks = [\"a\"]\n", "works"},
		{"[status.title]\nidle = 'ready'\n", "status, title, idle: must begin with ^"},
		{"[status.title]\nidle = '^'\n", "takes an empty text"},
		{"[status.title]\nidle = '^('\n", "missing closing"},
		{"[status.notify]\nblocked = '^.*'\n", "status, notify, blocked: takes an empty text"},
		{"[status.title]\nworking = '^" + strings.Repeat("a", MaxPattern) + "'\n", "is longer than"},
		{"[status.file]\nkey = \"status\"\n", "status, file, path: is missing"},
		{"[status.file]\npath = \"/s/{pid}\"\n", "says nothing without key"},
		{"[status.file]\npath = \"/s/x\"\nkey = \"k\"\nidle = [\"i\"]\n", "must name the process"},
		{"[status.file]\npath = \"s/{pid}\"\nkey = \"k\"\nidle = [\"i\"]\n", "must begin with /"},
		{"[status.file]\npath = \"/s/*/{pid}\"\nkey = \"k\"\nidle = [\"i\"]\n", "names one file"},
	} {
		if _, err := Parse("x.toml", []byte(head+c.text)); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("%s: %v, want %q", c.text, err, c.why)
		}
	}
	if _, err := Parse("x.toml", []byte(strings.Replace(head, "event = \"e\"\n", "", 1)+"[status]\nidle = [\"a\"]\n")); err == nil || !strings.Contains(err.Error(), "needs [hook] event") {
		t.Error(err)
	}
	in, err := Parse("x.toml", []byte(head+"[status]\nprogress = true\nbell = \"blocked\"\n[status.notify]\nblocked = '^Approval'\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(in.Status.Notify.Word("Approval requested: rm"), in.Status.Notify.Word("no Approval"), in.Status.QuietTime()); got != fmt.Sprint(Blocked, "", DefaultQuiet) {
		t.Error(got)
	}
}
