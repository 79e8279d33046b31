// Command fakeagent plays the AI coding agents that stet resumes, for tests without a network: it takes their flags and rejects others,
// keeps conversations where and when they do, runs the hooks of their configuration with their JSON, and answers as they do to an id that it
// does not know or that belongs to another directory.
//
// Which agent it is says the name that it is called by, be it of the program or of the script that a program called node runs. It is written
// from what is published of the agents, and knows nothing of how stet treats them: the two are to agree on the facts alone.
//
// A line that it is given is a message, but for /clear (a new conversation), /perm (waits for an answer), /sub (the events of a helper),
// /nest NAME (runs another agent in it), /where and /exit. What goes wrong on purpose is named by variables FAKE_…, or by lines NAME=value of a file
// .fake in the directory, see variant. Every start is a line of JSON in ~/launches.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// start is what ~/launches holds of each start.
type start struct {
	Agent string            `json:"agent"`
	Cwd   string            `json:"cwd"`
	Argv  []string          `json:"argv"`
	Env   map[string]string `json:"env"` // of the variables that move an agent's files
}

// movers are the variables that say where agents keep their files.
var movers = []string{"CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "KIMI_CODE_HOME", "GROK_HOME", "PI_CODING_AGENT_DIR", "XDG_DATA_HOME"}

// variant is the value of what goes wrong on purpose:
//
//	FAKE_BADID=1         hooks report what is no id
//	FAKE_BUSY=100ms      a turn takes so long
//	FAKE_DAEMON=1        codex: a server in the background runs the hooks of all, unless it is told not to; "always": whatever it is told
//	FAKE_LATE_ID=2       no hook before that turn
//	FAKE_LOCK=1          codex: the conversation is open elsewhere, until the line R
//	FAKE_NODE=1          codex: as under an old Node, below its script
//	FAKE_SLOW=3s         it takes so long to come up
//	FAKE_STDOUT=1        prints what looks like the reports of a shell and of an agent
//	FAKE_TERM=143        exits with that status when it is told to end or hung up, after the hook of its end
//	FAKE_TITLE_THREAD=1  codex: notify tells of an internal conversation first
//	FAKE_TRUST=1         asks whether the directory, and with codex each new hook, is trusted
func variant(name string) string {
	b, _ := os.ReadFile(".fake")
	for line := range strings.Lines(string(b)) {
		if k, v, ok := strings.Cut(strings.TrimSpace(line), "="); ok && k == name {
			return v
		}
	}
	return os.Getenv(name)
}

func main() {
	name, args := filepath.Base(os.Args[0]), os.Args[1:]
	if name == "node" {
		if len(args) == 0 {
			die(1, "node: a script is needed")
		}
		script := args[0]
		name, args = filepath.Base(script), args[1:]
		if name == "index.js" { // the wrapper of cursor-agent starts it by its whole path
			name = "cursor-agent"
		}
		if native := beside(script, name); exists(native) { // a launcher, which waits for the program
			os.Exit(launch(native, args))
		}
		if name == "gemini" && os.Getenv("GEMINI_CLI_NO_RELAUNCH") == "" { // for more memory
			os.Setenv("GEMINI_CLI_NO_RELAUNCH", "true")
			os.Exit(launch(os.Args[0], os.Args[1:]))
		}
	}
	if name == "codex" && len(args) == 3 && args[0] == "app-server" {
		serve(strings.TrimPrefix(args[2], "unix://"))
		return
	}
	p, ok := agents[name]
	if !ok {
		die(2, "fakeagent: no agent is called %q", name)
	}
	if variant("FAKE_NODE") != "" && os.Getenv("FAKE_NODE_DONE") == "" {
		underNode()
	}
	p.name = name
	note(name, args)
	o, err := p.parse(args)
	if err != nil {
		die(1, "error: %v", err)
	}
	a := &agent{personality: p, options: o, home: os.Getenv("HOME"), cwd: cwd()}
	if d, err := time.ParseDuration(variant("FAKE_SLOW")); err == nil {
		time.Sleep(d)
	}
	if code, err := strconv.Atoi(variant("FAKE_TERM")); err == nil {
		a.endsBySignal(code)
	}
	os.Exit(a.run())
}

func cwd() string {
	d, err := os.Getwd()
	if err != nil {
		die(1, "fakeagent: %v", err)
	}
	return d
}

func launch(program string, args []string) int {
	cmd := exec.Command(program, args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		die(1, "fakeagent: %v", err)
	}
	return cmd.ProcessState.ExitCode()
}

func note(name string, args []string) {
	s := start{Agent: name, Cwd: cwd(), Argv: args, Env: map[string]string{}}
	for _, k := range movers {
		if v, ok := os.LookupEnv(k); ok {
			s.Env[k] = v
		}
	}
	b, _ := json.Marshal(s)
	add(filepath.Join(os.Getenv("HOME"), "launches"), string(b)+"\n")
}

// add appends to a file in one write: several processes may do so at once.
func add(file, text string) {
	must(os.MkdirAll(filepath.Dir(file), 0o700))
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	_, err = f.WriteString(text)
	must(err)
	must(f.Close())
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func must(err error) {
	if err != nil {
		die(1, "fakeagent: %v", err)
	}
}

func die(code int, format string, args ...any) {
	fmt.Printf(format+"\n", args...)
	os.Exit(code)
}

// beside is the program that a script may be a launcher of.
func beside(script, name string) string {
	if real, err := filepath.EvalSymlinks(script); err == nil {
		script = real
	}
	return filepath.Join(filepath.Dir(script), "native", name)
}
