package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// store is where an agent keeps its conversations.
type store struct {
	// file is a new conversation's file.
	file func(a *agent) string
	// find finds the files that may hold a conversation; which do, say their contents.
	find func(a *agent, id string) []string
	// begin is the first lines of a conversation.
	begin func(a *agent) []any
	// index keeps what the agent keeps beside it.
	index func(a *agent)
	// early: the file is there before the first message.
	early bool
	// elsewhere is what comes of a conversation of another directory: the code, and what is said. 0 waits for an answer.
	elsewhere func(a *agent) (int, string)
}

// line is one of a conversation. Every line has the id and the directory, which for the real agents only the first has.
type line struct {
	ID   string `json:"id"`
	Cwd  string `json:"cwd"`
	Said string `json:"said,omitempty"`
}

func (a *agent) below(variable, dflt string) string {
	if v := os.Getenv(variable); v != "" {
		return v
	}
	return filepath.Join(a.home, dflt)
}

func dashed(dir string) string { return strings.ReplaceAll(dir, "/", "-") }

func glob(parts ...string) []string {
	found, _ := filepath.Glob(filepath.Join(parts...))
	return found
}

func stamp() string { return time.Now().UTC().Format("2006-01-02T15-04-05") }

func refused(a *agent) (int, string) {
	return a.unknownCode, strings.ReplaceAll(a.unknown, "%s", a.resume)
}

var claudeFiles = store{
	file: func(a *agent) string {
		return filepath.Join(a.below("CLAUDE_CONFIG_DIR", ".claude"), "projects", dashed(a.cwd), a.id+".jsonl")
	},
	find: func(a *agent, id string) []string {
		return glob(a.below("CLAUDE_CONFIG_DIR", ".claude"), "projects", "*", id+".jsonl")
	},
	elsewhere: refused,
}

var codexFiles = store{
	file: func(a *agent) string {
		return filepath.Join(a.below("CODEX_HOME", ".codex"), "sessions", time.Now().Format("2006/01/02"), "rollout-"+stamp()+"-"+a.id+".jsonl")
	},
	find: func(a *agent, id string) []string {
		return glob(a.below("CODEX_HOME", ".codex"), "sessions", "*", "*", "*", "rollout-*-"+id+".jsonl")
	},
	begin: func(a *agent) []any {
		return []any{map[string]any{"type": "session_meta", "payload": map[string]any{"id": a.id, "cwd": a.cwd, "source": "cli", "originator": "codex_cli_rs", "cli_version": "0.171.0"}}}
	},
	elsewhere: func(*agent) (int, string) {
		return 0, "Choose working directory: 1. session directory 2. current directory"
	},
}

// The real one is a database, of which the conversations of all are rows.
var opencodeFiles = store{
	file: func(a *agent) string {
		return filepath.Join(a.below("XDG_DATA_HOME", ".local/share"), "opencode", "opencode.db")
	},
	find: func(a *agent, id string) []string {
		return glob(a.below("XDG_DATA_HOME", ".local/share"), "opencode", "opencode.db")
	},
	elsewhere: func(*agent) (int, string) { return 0, "" }, // it hangs
}

var piFiles = store{
	file: func(a *agent) string {
		return filepath.Join(piSessions(a), "--"+dashed(strings.TrimPrefix(a.cwd, "/"))+"--", stamp()+"_"+a.id+".jsonl")
	},
	find: func(a *agent, id string) []string { return glob(piSessions(a), "*", "*_"+id+"*.jsonl") },
	begin: func(a *agent) []any {
		return []any{map[string]any{"type": "session", "id": a.id, "cwd": a.cwd}}
	},
	elsewhere: func(*agent) (int, string) {
		return 0, "Session found in different project. Fork this session into current directory? [y/N]"
	},
}

func piSessions(a *agent) string {
	if d := a.given["--session-dir"]; len(d) > 0 {
		return d[0]
	}
	if d := os.Getenv("PI_CODING_AGENT_SESSION_DIR"); d != "" {
		return d
	}
	return filepath.Join(a.below("PI_CODING_AGENT_DIR", ".pi/agent"), "sessions")
}

var copilotFiles = store{
	early: true,
	file: func(a *agent) string {
		return filepath.Join(a.below("COPILOT_HOME", ".copilot"), "session-state", a.id, "events.jsonl")
	},
	find: func(a *agent, id string) []string {
		return glob(a.below("COPILOT_HOME", ".copilot"), "session-state", id, "events.jsonl")
	},
	index: func(a *agent) {
		must(os.WriteFile(filepath.Join(filepath.Dir(a.file), "workspace.yaml"), []byte("id: "+a.id+"\ncwd: "+a.cwd+"\n"), 0o600))
	},
	elsewhere: refused,
}

var geminiFiles = store{
	early: true,
	file: func(a *agent) string {
		return filepath.Join(a.home, ".gemini", "tmp", slug(a.cwd), "chats", "session-"+stamp()+"-"+a.id[:8]+".jsonl")
	},
	find: func(a *agent, id string) []string {
		return glob(a.home, ".gemini", "tmp", "*", "chats", "session-*-"+id[:8]+".jsonl")
	},
	index: func(a *agent) {
		add(filepath.Join(a.home, ".gemini", "projects.json.log"), fmt.Sprintf("%s %s\n", slug(a.cwd), a.cwd))
	},
	elsewhere: refused,
}

func slug(dir string) string {
	return strings.Trim(filepath.Base(dir), "/") + fmt.Sprintf("-%.4x", sha256.Sum256([]byte(dir)))
}

var kimiFiles = store{
	early: true,
	file: func(a *agent) string {
		dir := fmt.Sprintf("wd_%s_%.6x", filepath.Base(a.cwd), sha256.Sum256([]byte(a.cwd)))
		return filepath.Join(a.below("KIMI_CODE_HOME", ".kimi-code"), "sessions", dir, a.id, "context.jsonl")
	},
	find: func(a *agent, id string) []string {
		return glob(a.below("KIMI_CODE_HOME", ".kimi-code"), "sessions", "*", id, "context.jsonl")
	},
	index: func(a *agent) {
		b, _ := json.Marshal(map[string]string{"sessionId": a.id, "sessionDir": filepath.Dir(a.file), "workDir": a.cwd})
		add(filepath.Join(a.below("KIMI_CODE_HOME", ".kimi-code"), "session_index.jsonl"), string(b)+"\n")
	},
	elsewhere: func(a *agent) (int, string) {
		return 1, "Session " + a.resume + " was created under a different directory"
	},
}

var grokFiles = store{
	early: true,
	file: func(a *agent) string {
		return filepath.Join(a.below("GROK_HOME", ".grok"), "sessions", url.QueryEscape(a.cwd), a.id, "summary.json")
	},
	find: func(a *agent, id string) []string {
		return glob(a.below("GROK_HOME", ".grok"), "sessions", "*", id, "summary.json")
	},
	elsewhere: refused,
}

var qwenFiles = store{
	file: func(a *agent) string {
		return filepath.Join(a.home, ".qwen", "projects", dashed(a.cwd), "chats", a.id+".jsonl")
	},
	find: func(a *agent, id string) []string {
		return glob(a.home, ".qwen", "projects", "*", "chats", id+".jsonl")
	},
	elsewhere: refused,
}

var cursorFiles = store{
	file: func(a *agent) string {
		return filepath.Join(a.home, ".cursor", "chats", fmt.Sprintf("%.8x", sha256.Sum256([]byte(a.cwd))), a.id, "store.jsonl")
	},
	find:      func(a *agent, id string) []string { return glob(a.home, ".cursor", "chats", "*", id, "store.jsonl") },
	elsewhere: refused,
}

var junieFiles = store{
	file: func(a *agent) string { return filepath.Join(a.home, ".junie", "sessions", a.id, "events.jsonl") },
	find: func(a *agent, id string) []string { return glob(a.home, ".junie", "sessions", id, "events.jsonl") },
	index: func(a *agent) {
		b, _ := json.Marshal(map[string]string{"sessionId": a.id, "projectDir": a.cwd})
		add(filepath.Join(a.home, ".junie", "sessions", "index.jsonl"), string(b)+"\n")
	},
	elsewhere: refused,
}

// create makes the file of a conversation that has none.
func (a *agent) create() {
	if a.file != "" {
		return
	}
	a.file = a.store.file(a)
	var text strings.Builder
	e := json.NewEncoder(&text)
	if a.store.begin != nil {
		for _, l := range a.store.begin(a) {
			must(e.Encode(l))
		}
	}
	must(e.Encode(line{ID: a.id, Cwd: a.cwd}))
	add(a.file, text.String())
	if a.store.index != nil {
		a.store.index(a)
	}
}

func (a *agent) keep(said string) {
	a.create()
	b, err := json.Marshal(line{ID: a.id, Cwd: a.cwd, Said: said})
	must(err)
	add(a.file, string(b)+"\n")
}

// open finds a conversation, wherever it is of.
func (a *agent) open(id string) (file string, lines []line) {
	for _, name := range a.store.find(a, id) {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		lines = nil
		for sc := bufio.NewScanner(f); sc.Scan(); {
			var l line
			if json.Unmarshal(sc.Bytes(), &l) == nil && l.ID == id {
				lines = append(lines, l)
			}
		}
		f.Close()
		if len(lines) > 0 {
			return name, lines
		}
	}
	return "", nil
}
