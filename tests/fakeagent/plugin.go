package main

import (
	_ "embed"
	"encoding/json"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// driver loads plugins of opencode and extensions of pi in a real node, and has them see one event.
//
//go:embed driver.mjs
var driver string

// node is the real one: in PATH this program has that name too.
func node() string {
	self, err := os.Executable()
	must(err)
	me, err := os.Stat(self)
	must(err)
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		file := filepath.Join(dir, "node")
		if st, err := os.Stat(file); err == nil && st.Mode()&0o111 != 0 && !os.SameFile(st, me) {
			return file
		}
	}
	return ""
}

// drive has plugins see an event. Without a node it does nothing.
func (a *agent) drive(kind string, files []string, event map[string]any) {
	program := node()
	if program == "" || len(files) == 0 {
		return
	}
	event["kind"], event["files"], event["cwd"] = kind, files, a.cwd
	b, err := json.Marshal(event)
	must(err)
	cmd := exec.Command(program, "--input-type=module", "-")
	cmd.Env = append(os.Environ(), "FAKE_EVENT="+string(b))
	cmd.Stdin = strings.NewReader(driver)
	out, err := cmd.CombinedOutput()
	a.hear(strings.TrimSpace(string(out)), err)
}

var opencodeHooks = hooks{plugin: func(a *agent, o occasion, id string) {
	dir := os.Getenv("OPENCODE_CONFIG_DIR")
	files := glob(a.below("XDG_CONFIG_HOME", ".config"), "opencode", "plugins", "*.js")
	if dir != "" {
		files = append(files, glob(dir, "plugins", "*.js")...)
	}
	var config struct{ Plugin []string }
	if text := os.Getenv("OPENCODE_CONFIG_CONTENT"); text != "" {
		must(json.Unmarshal([]byte(text), &config))
	}
	for _, p := range config.Plugin {
		if at, err := url.Parse(p); err == nil && at.Scheme == "file" {
			files = append(files, at.Path)
		}
	}
	info := map[string]any{"id": id, "directory": a.cwd, "title": "new"}
	event := func(kind string, properties map[string]any) {
		a.drive("opencode", files, map[string]any{"event": map[string]any{"type": kind, "properties": properties}})
	}
	switch o {
	case asked:
		a.drive("opencode", files, map[string]any{"chat": id})
		event("session.updated", map[string]any{"info": info})
		event("session.status", map[string]any{"sessionID": id, "status": map[string]any{"type": "busy"}})
	case done:
		event("session.status", map[string]any{"sessionID": id, "status": map[string]any{"type": "idle"}})
	case blocks:
		event("permission.asked", map[string]any{"sessionID": id, "id": "per_1"})
	case helper:
		info["parentID"] = a.id
		event("session.created", map[string]any{"info": info})
		event("session.updated", map[string]any{"info": info})
	}
}}

var piHooks = hooks{plugin: func(a *agent, o occasion, id string) {
	var files []string
	if a.given["--no-extensions"] == nil {
		files = glob(a.below("PI_CODING_AGENT_DIR", ".pi/agent"), "extensions", "*.ts")
	}
	files = append(append(files, a.given["-e"]...), a.given["--extension"]...)
	name := map[occasion]string{begins: "session_start", asked: "agent_start", done: "agent_settled", blocks: "ui_prompt_start", ends: "session_shutdown"}[o]
	if name == "" {
		return
	}
	reason := a.source
	if reason == "clear" {
		reason = "new"
	}
	a.drive("pi", files, map[string]any{"name": name, "reason": reason, "id": id, "file": a.store.file(a)})
}}
