package main

import (
	"crypto/rand"
	"fmt"
	"regexp"
	"time"
)

// personality is what an agent is like from outside.
type personality struct {
	name string
	// Flags by kind: with no value, with one, with one that may be given by = alone, and with all words that follow.
	none, value, optional, variadic []string
	newIDFlag                       string   // the flag that chooses an id, "" where there is none
	creates                         bool     // newIDFlag opens a conversation that there is
	resumeFlags                     []string // the flags that resume by id
	verb                            string   // the word that does so in their place
	lastFlags                       []string // the flags that take up the newest conversation
	id                              func() string
	isID                            *regexp.Regexp // what a resume takes for an id; anything else opens a picker
	unknown                         string         // what it says of an id that is not there; %s is the id
	unknownCode                     int
	store                           store
	hooks                           hooks
	title, busyTitle                string
}

var uuidPattern = regexp.MustCompile(`\A[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\z`)

func uuid() string {
	var b [16]byte
	_, _ = rand.Read(b[:])
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

const alphanumeric = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

func letters(n int, of string) string {
	b := make([]byte, n)
	_, _ = rand.Read(b)
	for i := range b {
		b[i] = of[int(b[i])%len(of)]
	}
	return string(b)
}

// agents are the personalities, by the name of their program.
var agents = map[string]*personality{
	"claude": {
		none:      []string{"--dangerously-skip-permissions", "--strict-mcp-config", "--fork-session", "--bare", "--safe-mode"},
		value:     []string{"--model", "--permission-mode", "--agent", "--append-system-prompt", "--effort", "--settings", "--setting-sources", "--plugin-dir"},
		variadic:  []string{"--add-dir", "--allowedTools", "--mcp-config"},
		newIDFlag: "--session-id", resumeFlags: []string{"--resume", "-r"}, lastFlags: []string{"--continue", "-c"},
		id: uuid, isID: uuidPattern, unknown: "No conversation found with session ID: %s", unknownCode: 1,
		store: claudeFiles, hooks: claudeHooks, title: "✳ Claude Code", busyTitle: "◐ Claude Code",
	},
	"codex": {
		none:  []string{"--search", "--oss", "--dangerously-bypass-approvals-and-sandbox", "--no-alt-screen"},
		value: []string{"-m", "--model", "-p", "--profile", "-s", "--sandbox", "-a", "--ask-for-approval", "--add-dir", "-C", "--cd", "--local-provider", "-c", "--config", "--enable", "--disable", "-i", "--image"},
		verb:  "resume", lastFlags: []string{"--last"},
		id: uuid, isID: uuidPattern, unknown: "No saved session found with ID %s", unknownCode: 1,
		store: codexFiles, hooks: codexHooks, title: "codex", busyTitle: "⠋ codex",
	},
	"opencode": {
		none:        []string{"--auto", "--mini", "--fork"},
		value:       []string{"-m", "--model", "--agent", "--port", "--prompt"},
		resumeFlags: []string{"--session", "-s"}, lastFlags: []string{"--continue", "-c"},
		id:   func() string { return "ses_" + letters(26, alphanumeric) },
		isID: regexp.MustCompile(`\A.*\z`), unknown: "Session not found", unknownCode: 1,
		store: opencodeFiles, hooks: opencodeHooks, title: "OC | opencode", busyTitle: "OC | opencode",
	},
	"pi": {
		none:      []string{"--no-session", "--no-extensions"},
		value:     []string{"--provider", "--model", "--models", "--thinking", "--session-dir", "-e", "--extension", "--tools", "-t", "-xt", "--skill", "--theme", "--tui-mode", "--append-system-prompt", "--fork", "--api-key"},
		newIDFlag: "--session-id", creates: true, resumeFlags: []string{"--session"}, lastFlags: []string{"--continue", "-c"},
		id: uuid, isID: regexp.MustCompile(`\A[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?\z`), unknown: "No session found matching '%s'", unknownCode: 1,
		store: piFiles, hooks: piHooks, title: "π - dir", busyTitle: "π - dir",
	},
	"copilot": {
		none:      []string{"--autopilot", "--plan", "--yolo", "--allow-all", "--allow-all-tools", "--allow-all-paths"},
		value:     []string{"--model", "--agent", "--mode", "--add-dir", "--additional-mcp-config", "--plugin-dir", "-i", "--interactive", "-n", "--name"},
		optional:  []string{"--allow-tool", "--deny-tool", "--share"},
		newIDFlag: "--session-id", creates: true, resumeFlags: []string{"--resume"}, lastFlags: []string{"--continue"},
		id: uuid, isID: uuidPattern, unknown: "No session or task matched '%s'", unknownCode: 1,
		store: copilotFiles, hooks: copilotHooks, title: "GitHub Copilot", busyTitle: "GitHub Copilot",
	},
	"gemini": {
		none:      []string{"-y", "--yolo", "--sandbox"},
		value:     []string{"-m", "--model", "--approval-mode", "--include-directories", "-e", "--extensions", "-i", "--prompt-interactive"},
		newIDFlag: "--session-id", resumeFlags: []string{"--resume", "-r"},
		id: uuid, isID: uuidPattern, unknown: "No previous sessions found for this project: %s", unknownCode: 42,
		store: geminiFiles, hooks: geminiHooks, title: "◇ Ready", busyTitle: "✦ Working",
	},
	"kimi": {
		none:        []string{"-y", "--yolo", "--auto", "--plan"},
		value:       []string{"-m", "--model", "--add-dir", "--skills-dir", "--agent", "--agent-file"},
		resumeFlags: []string{"--session", "-S", "-r"}, lastFlags: []string{"--continue"},
		id:   func() string { return "session_" + uuid() },
		isID: regexp.MustCompile(`\Asession_.*\z`), unknown: "Session %s not found", unknownCode: 1,
		store: kimiFiles, hooks: kimiHooks, title: "kimi", busyTitle: "kimi",
	},
	"grok": {
		none:      []string{"--yolo", "--always-approve", "--leader"},
		value:     []string{"-m", "--model", "--permission-mode", "--agent", "--effort"},
		newIDFlag: "--session-id", resumeFlags: []string{"--resume", "-r"}, lastFlags: []string{"--continue", "-c"},
		id: uuid, isID: uuidPattern, unknown: "Session %s not found, asked the servers of the maker", unknownCode: 1,
		store: grokFiles, hooks: grokHooks, title: "grok", busyTitle: "grok",
	},
	"qwen": {
		none:      []string{"-y", "--yolo"},
		value:     []string{"-m", "--model", "--approval-mode", "--include-directories", "-i", "--prompt-interactive"},
		newIDFlag: "--session-id", resumeFlags: []string{"--resume"}, lastFlags: []string{"--continue"},
		id: uuid, isID: uuidPattern, unknown: "No saved session found with ID %s", unknownCode: 1,
		store: qwenFiles, hooks: qwenHooks, title: "qwen", busyTitle: "qwen",
	},
	"cursor-agent": {
		none:        []string{"-f", "--force"},
		value:       []string{"-m", "--model"},
		resumeFlags: []string{"--resume"},
		id:          uuid, isID: uuidPattern, unknown: "Chat %s not found", unknownCode: 1,
		store: cursorFiles, hooks: cursorHooks, title: "Cursor Agent", busyTitle: "Cursor Agent",
	},
	// Of Junie's flags nothing is known but that there are ids.
	"junie": {
		value:     []string{"--model"},
		newIDFlag: "--session-id", creates: true,
		id: func() string {
			return "session-" + time.Now().Format("060102-150405") + "-" + letters(4, alphanumeric[36:])
		},
		isID: regexp.MustCompile(`\Asession-.*\z`), unknown: "Session %s not found", unknownCode: 1,
		store: junieFiles, hooks: noHooks, title: "Junie", busyTitle: "Junie",
	},
}
