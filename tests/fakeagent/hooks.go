package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"
)

// hooks are the commands that an agent runs at its events.
type hooks struct {
	// names are the events at which one begins, is given a message, is done with it, asks, and ends.
	names map[occasion]string
	// read reads the commands of an event from wherever they may stand.
	read func(a *agent, event string) []string
	// input is what a command is given.
	input func(a *agent, event, id string) map[string]any
	env   func(a *agent, id string) []string
	// atFirst: the event of the beginning comes with the first message.
	atFirst bool
	// apart: the commands are run in a session of their own, without a terminal.
	apart bool
	// plugin takes the place of commands.
	plugin func(a *agent, o occasion, id string)
}

type occasion string

const (
	begins occasion = "begins"
	asked  occasion = "asked"
	done   occasion = "done"
	blocks occasion = "blocks"
	ends   occasion = "ends"
	helper occasion = "helper" // something happens in a helper's conversation
)

var noHooks = hooks{}

// badIDs are none.
var badIDs = []string{"--help", "a\nb", strings.Repeat("a", 5000), "../../x", ""}

// tell runs the hooks of an event.
func (a *agent) tell(o occasion) {
	if late, err := strconv.Atoi(variant("FAKE_LATE_ID")); err == nil && a.turns < late {
		return
	}
	if o == begins && a.hooks.atFirst && a.turns == 0 {
		a.owesBeginning = true
		return
	}
	ids := []string{a.id}
	if variant("FAKE_BADID") != "" {
		ids = badIDs
	}
	if o == helper {
		ids = []string{a.hers()}
	}
	for _, id := range ids {
		a.tellOf(o, id)
	}
}

// hers is the id of a helper's conversation.
func (a *agent) hers() string { return a.personality.id() }

func (a *agent) tellOf(o occasion, id string) {
	if a.hooks.plugin != nil {
		a.hooks.plugin(a, o, id)
		return
	}
	if a.hooks.read == nil {
		return
	}
	event := a.hooks.names[o]
	if o == helper {
		event = a.hooks.names[asked]
	}
	if event == "" {
		return
	}
	input := a.hooks.input(a, event, id)
	if o == helper {
		helpers(a, input)
	}
	b, err := json.Marshal(input)
	must(err)
	for _, command := range a.hooks.read(a, event) {
		if a.daemon != "" {
			a.hear(viaDaemon(a.daemon, command, string(b)))
			continue
		}
		var env []string
		if a.hooks.env != nil {
			env = a.hooks.env(a, id)
		}
		a.hear(shell(command, string(b), env, a.hooks.apart))
	}
}

// helpers marks what a helper's event is known by.
func helpers(a *agent, input map[string]any) {
	if _, ok := input["transcript_path"]; ok && a.hooks.atFirst {
		input["transcript_path"] = nil
		return
	}
	input["agent_id"], input["agent_type"] = "a1b2c3", "Explore"
}

// hear shows what hooks have said: real agents take it for a part of the conversation.
func (a *agent) hear(out string, err error) {
	if err != nil {
		fmt.Printf("HOOK FAILED %v\n", err)
	}
	if out != "" {
		fmt.Printf("HOOK SAID %s\n", out)
	}
}

func shell(command, input string, env []string, apart bool) (string, error) {
	cmd := exec.Command("sh", "-c", command)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stdin = strings.NewReader(input)
	if apart {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	}
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// matchers is the form {"hooks":{"EVENT":[{"hooks":[{"type":"command","command":"…"}]}]}}, in JSON and in TOML.
type matchers struct {
	Hooks map[string][]struct {
		Command string
		Hooks   []struct{ Type, Command string }
	}
}

func (m matchers) commands(event string) (all []string) {
	for _, group := range m.Hooks[event] {
		if group.Command != "" {
			all = append(all, group.Command)
		}
		for _, h := range group.Hooks {
			if h.Type == "command" || h.Type == "" {
				all = append(all, h.Command)
			}
		}
	}
	return all
}

// inJSON reads the commands of files, of which each that is there must be whole.
func inJSON(event string, files ...string) (all []string) {
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		all = append(all, ofJSON(event, b, file)...)
	}
	return all
}

func ofJSON(event string, b []byte, from string) []string {
	var m matchers
	if err := json.Unmarshal(b, &m); err != nil {
		fmt.Printf("HOOKS REFUSED %s: %v\n", from, err)
	}
	return m.commands(event)
}

func claudeLike(a *agent, event, id string) map[string]any {
	m := map[string]any{"session_id": id, "transcript_path": a.store.file(a), "cwd": a.cwd, "hook_event_name": event}
	switch event {
	case "SessionStart":
		m["source"], m["model"] = a.source, "stub"
	case "UserPromptSubmit", "BeforeAgent":
		m["prompt"], m["permission_mode"] = a.message, "default"
	case "Stop":
		m["stop_hook_active"], m["last_assistant_message"] = false, "kept"
	case "Notification":
		m["notification_type"], m["message"] = "permission_prompt", "needs your permission"
	case "SessionEnd":
		m["reason"] = "prompt_input_exit"
	}
	return m
}

var claudeEvents = map[occasion]string{begins: "SessionStart", asked: "UserPromptSubmit", done: "Stop", blocks: "Notification", ends: "SessionEnd"}

var claudeHooks = hooks{
	names: claudeEvents,
	read: func(a *agent, event string) []string {
		if a.given["--bare"] != nil || a.given["--safe-mode"] != nil {
			return nil
		}
		all := inJSON(event, filepath.Join(a.below("CLAUDE_CONFIG_DIR", ".claude"), "settings.json"))
		for _, s := range a.given["--settings"] {
			if strings.HasPrefix(strings.TrimSpace(s), "{") {
				all = append(all, ofJSON(event, []byte(s), "--settings")...)
			} else {
				all = append(all, inJSON(event, s)...)
			}
		}
		return all
	},
	input: claudeLike,
	env: func(a *agent, id string) []string {
		return []string{"CLAUDE_CODE_SESSION_ID=" + id, "CLAUDE_PROJECT_DIR=" + a.cwd, "CLAUDECODE=1"}
	},
}

// codexConfig is config.toml, or the same given by -c.
type codexConfig struct {
	matchers
	Features map[string]bool
	Notify   []string
}

func (a *agent) codexConfigs() (all []codexConfig) {
	var c codexConfig
	if _, err := toml.DecodeFile(filepath.Join(a.below("CODEX_HOME", ".codex"), "config.toml"), &c); err == nil {
		all = append(all, c)
	} else if !os.IsNotExist(err) {
		die(1, "Error loading config.toml: %v", err)
	}
	for _, text := range append(a.given["-c"], a.given["--config"]...) {
		var c codexConfig
		if _, err := toml.Decode(text, &c); err != nil {
			key, value, ok := strings.Cut(text, "=")
			if _, again := toml.Decode(key+"="+strconv.Quote(value), &c); !ok || again != nil { // a value that is no TOML is a text
				die(1, "Error parsing -c %s: %v", text, err)
			}
		}
		all = append(all, c)
	}
	for _, f := range a.given["--enable"] {
		all = append(all, codexConfig{Features: map[string]bool{f: true}})
	}
	for _, f := range a.given["--disable"] {
		all = append(all, codexConfig{Features: map[string]bool{f: false}})
	}
	return all
}

var codexHooks = hooks{
	names: map[occasion]string{begins: "SessionStart", asked: "UserPromptSubmit", done: "Stop", blocks: "PermissionRequest"},
	read: func(a *agent, event string) []string {
		all := inJSON(event, filepath.Join(a.below("CODEX_HOME", ".codex"), "hooks.json"))
		for _, c := range a.codexConfigs() {
			all = append(all, c.commands(event)...)
		}
		return all
	},
	input: func(a *agent, event, id string) map[string]any {
		m := claudeLike(a, event, id)
		m["model"], m["permission_mode"] = "stub", "default"
		if event != "SessionStart" {
			m["turn_id"] = strconv.Itoa(a.turns)
		}
		if a.file != "" {
			m["transcript_path"] = a.file
		}
		return m
	},
	atFirst: true, apart: true,
}

// notify is what older programs were told by: at the end of a turn, with JSON for an argument.
func (a *agent) notify(thread string) {
	var program []string
	for _, c := range a.codexConfigs() {
		if len(c.Notify) > 0 {
			program = c.Notify
		}
	}
	if len(program) == 0 {
		return
	}
	b, err := json.Marshal(map[string]any{"type": "agent-turn-complete", "thread-id": thread, "turn-id": "1", "cwd": a.cwd, "last-assistant-message": "kept"})
	must(err)
	cmd := exec.Command(program[0], append(program[1:], string(b))...)
	out, err := cmd.CombinedOutput()
	a.hear(strings.TrimSpace(string(out)), err)
}

var copilotHooks = hooks{
	names: map[occasion]string{begins: "sessionStart", asked: "userPromptSubmitted", done: "agentStop", blocks: "notification", ends: "sessionEnd"},
	read: func(a *agent, event string) (all []string) {
		for _, file := range glob(a.below("COPILOT_HOME", ".copilot"), "hooks", "*.json") {
			b, err := os.ReadFile(file)
			must(err)
			var c struct {
				Version int
				Hooks   map[string][]struct{ Type, Bash string }
			}
			if err := json.Unmarshal(b, &c); err != nil || c.Version != 1 {
				fmt.Printf("HOOKS REFUSED %s: %v\n", file, err)
			}
			for _, h := range c.Hooks[event] {
				all = append(all, h.Bash)
			}
		}
		return all
	},
	input: func(a *agent, event, id string) map[string]any {
		m := map[string]any{"sessionId": id, "timestamp": 1, "cwd": a.cwd}
		switch event {
		case "sessionStart":
			m["source"] = map[bool]string{true: "resume", false: "new"}[a.source == "resume"]
		case "userPromptSubmitted":
			m["prompt"] = a.message
		}
		return m
	},
}

var geminiHooks = hooks{
	names: map[occasion]string{begins: "SessionStart", asked: "BeforeAgent", done: "AfterAgent", blocks: "Notification", ends: "SessionEnd"},
	read: func(a *agent, event string) []string {
		return inJSON(event, os.Getenv("GEMINI_CLI_SYSTEM_DEFAULTS_PATH"), filepath.Join(a.home, ".gemini", "settings.json"))
	},
	input: func(a *agent, event, id string) map[string]any {
		m := claudeLike(a, event, id)
		if event == "Notification" {
			m["notification_type"] = "ToolPermission"
		}
		return m
	},
}

var kimiHooks = hooks{
	names: map[occasion]string{begins: "SessionStart", asked: "UserPromptSubmit", done: "Stop", blocks: "PermissionRequest", ends: "SessionEnd"},
	read: func(a *agent, event string) (all []string) {
		file := filepath.Join(a.below("KIMI_CODE_HOME", ".kimi-code"), "config.toml")
		var c struct {
			Hooks []map[string]any
		}
		if _, err := toml.DecodeFile(file, &c); err != nil {
			if !os.IsNotExist(err) {
				die(1, "%s: %v", file, err)
			}
			return nil
		}
		for _, h := range c.Hooks {
			if len(h) > 5 {
				die(1, "%s: extra key in hooks: %v", file, h)
			}
			if h["event"] == event {
				all = append(all, fmt.Sprint(h["command"]))
			}
		}
		return all
	},
	input: func(a *agent, event, id string) map[string]any {
		return map[string]any{"hook_event_name": event, "session_id": id, "cwd": a.cwd, "client_type": "cli", "source": a.source, "model": "stub"}
	},
}

// Grok runs the hooks of others as its own.
var grokHooks = hooks{
	names: claudeEvents,
	read: func(a *agent, event string) []string {
		files := glob(a.below("GROK_HOME", ".grok"), "hooks", "*.json")
		return inJSON(event, append(files, filepath.Join(a.home, ".claude", "settings.json"), filepath.Join(a.home, ".cursor", "hooks.json"))...)
	},
	input: func(a *agent, event, id string) map[string]any {
		m := map[string]any{"sessionId": id, "cwd": a.cwd, "hookEventName": snake(event), "hook_event_name": event, "workspaceRoot": a.cwd, "permissionMode": "default"}
		if event == "Notification" {
			m["notification_type"] = "permission_prompt"
		}
		return m
	},
	env: func(a *agent, id string) []string { return []string{"GROK_SESSION_ID=" + id} },
}

func snake(event string) string {
	var b strings.Builder
	for i, r := range event {
		if i > 0 && r < 'a' {
			b.WriteByte('_')
		}
		b.WriteString(strings.ToLower(string(r)))
	}
	return b.String()
}

var qwenHooks = hooks{
	names: claudeEvents,
	read: func(a *agent, event string) []string {
		return inJSON(event, filepath.Join(a.home, ".qwen", "settings.json"))
	},
	input: claudeLike,
}

var cursorHooks = hooks{
	names: map[occasion]string{begins: "sessionStart", asked: "beforeSubmitPrompt", done: "stop"},
	read: func(a *agent, event string) []string {
		file := filepath.Join(a.home, ".cursor", "hooks.json")
		var c struct{ Version int }
		if b, err := os.ReadFile(file); err != nil || json.Unmarshal(b, &c) != nil || c.Version != 1 {
			return nil
		}
		return inJSON(event, file)
	},
	input: func(a *agent, event, id string) map[string]any {
		return map[string]any{"session_id": id, "conversation_id": id, "hook_event_name": event, "workspace_roots": []string{a.cwd}, "generation_id": uuid()}
	},
}
