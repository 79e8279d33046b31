package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// agent is one that runs.
type agent struct {
	*personality
	options
	home, cwd     string
	id            string
	file          string // "" before there is one
	source        string // startup, resume, clear
	message       string
	turns         int
	owesBeginning bool
	daemon        string // the socket of the server in the background that runs its hooks
	in            *bufio.Scanner
}

// run is an agent's life. It returns its exit status.
func (a *agent) run() int {
	a.in = bufio.NewScanner(os.Stdin)
	if a.name == "codex" {
		for _, dir := range append(a.given["-C"], a.given["--cd"]...) {
			must(os.Chdir(dir))
			a.cwd = cwd()
		}
	}
	a.title(a.personality.title)
	fmt.Printf("argv: %q\n", os.Args[1:])
	if variant("FAKE_TRUST") != "" && !a.trusted() {
		return 0
	}
	if f := variant("FAKE_DAEMON"); f == "always" || f != "" && a.daemonWanted() {
		socket, conn := a.background()
		defer conn.Close()
		a.daemon = socket
	}
	if code, ok := a.begin(); !ok {
		return code
	}
	if variant("FAKE_STDOUT") != "" {
		a.noise()
	}
	a.tell(begins)
	a.state("idle")
	fmt.Printf("ready %s\n", a.id)
	if len(a.prompt) > 0 {
		if a.source == "resume" || a.last {
			fmt.Println("PROMPT-REPLAYED")
		}
		a.turn(strings.Join(a.prompt, " "))
	}
	for a.in.Scan() {
		word, rest, _ := strings.Cut(a.in.Text(), " ")
		switch word {
		case "":
		case "/exit":
			a.tell(ends)
			return 0
		case "/clear":
			a.tell(ends)
			a.id, a.file, a.source, a.turns = a.personality.id(), "", "clear", 0
			if a.store.early {
				a.create()
			}
			a.tell(begins)
			a.state("idle")
			fmt.Printf("cleared %s\n", a.id)
		case "/perm":
			fmt.Println("Allow this command? (y/n)")
			a.tell(blocks)
			a.in.Scan()
			fmt.Printf("you answered %s\n", a.in.Text())
		case "/sub":
			a.tell(helper)
			fmt.Println("the helper is done")
		case "/nest":
			fmt.Printf("nested: %s\n", a.nest(rest))
		case "/where":
			fmt.Printf("in %s of %s\n", a.id, a.cwd)
		default:
			a.turn(a.in.Text())
		}
	}
	return 0
}

// endsBySignal has it end in order, as most agents do when a machine shuts down.
func (a *agent) endsBySignal(code int) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-signals
		a.tell(ends)
		os.Exit(code)
	}()
}

// begin finds the conversation, or makes one. It tells whether the agent goes on, and its exit status.
func (a *agent) begin() (code int, ok bool) {
	a.source = "startup"
	switch {
	case a.resumes && a.newID != "" && a.given["--fork-session"] == nil:
		fmt.Printf("error: %s cannot be used with a resume\n", a.personality.newIDFlag)
		return 1, false
	case a.resumes:
		return a.take(a.resume)
	case a.newID != "":
		if _, lines := a.open(a.newID); lines != nil {
			if a.creates {
				return a.take(a.newID)
			}
			fmt.Printf("Error: Session ID %s is already in use.\n", a.newID)
			return 1, false
		}
		a.id = a.newID
	default:
		if a.last { // which one that is does not matter: nobody is to ask for it
			fmt.Println("CONTINUED")
		}
		a.id = a.personality.id()
	}
	if a.store.early {
		a.create()
	}
	return 0, true
}

// take takes up a conversation.
func (a *agent) take(id string) (code int, ok bool) {
	if id == "" || !a.isID.MatchString(id) {
		fmt.Println("PICKER: which conversation?")
		a.in.Scan()
		return 0, false
	}
	file, lines := a.open(id)
	if lines == nil {
		fmt.Println(strings.ReplaceAll(a.unknown, "%s", id))
		return a.unknownCode, false
	}
	if lines[0].Cwd != a.cwd {
		a.resume = id
		code, text := a.store.elsewhere(a)
		fmt.Printf("ELSEWHERE %s\n", text)
		if code == 0 {
			a.in.Scan()
		}
		return code, false
	}
	for variant("FAKE_LOCK") != "" {
		fmt.Println("This conversation is open in another app. Press R to retry.")
		if !a.in.Scan() {
			return 0, false
		}
		if a.in.Text() == "R" {
			break
		}
	}
	a.id, a.file, a.source, a.turns = id, file, "resume", len(lines)-1
	for _, l := range lines[1:] {
		fmt.Printf("you said: %s\n", l.Said)
	}
	return 0, true
}

// turn is one message and what comes of it.
func (a *agent) turn(text string) {
	a.turns++
	a.message = text
	a.title(a.busyTitle)
	a.state("busy")
	if a.hooks.atFirst {
		a.create()
	}
	if a.owesBeginning {
		a.owesBeginning = false
		a.tell(begins)
	}
	a.tell(asked)
	if d, err := time.ParseDuration(variant("FAKE_BUSY")); err == nil {
		time.Sleep(d)
	}
	a.keep(text)
	a.tell(done)
	if a.name == "codex" {
		if variant("FAKE_TITLE_THREAD") != "" {
			a.notify(uuid())
		}
		a.notify(a.id)
	}
	a.title(a.personality.title)
	a.state("idle")
	fmt.Printf("kept: %s\n", text)
}

func (a *agent) title(text string) { fmt.Printf("\x1b]0;%s\x1b\\", text) }

// state keeps what Claude Code keeps of each process.
func (a *agent) state(status string) {
	if a.name != "claude" {
		return
	}
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		return
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	b, err := json.Marshal(map[string]any{
		"pid": os.Getpid(), "procStart": strings.Fields(rest)[19], "sessionId": a.id, "cwd": a.cwd, "status": status,
		"updatedAt": time.Now().UnixMilli(), "kind": "interactive", "version": "2.1.332",
	})
	must(err)
	dir := filepath.Join(a.below("CLAUDE_CONFIG_DIR", ".claude"), "sessions")
	must(os.MkdirAll(dir, 0o700))
	must(os.WriteFile(filepath.Join(dir, fmt.Sprint(os.Getpid(), ".json")), b, 0o600))
}

// trusted asks for trust in the directory, and then in hooks that were never asked for.
func (a *agent) trusted() bool {
	if !a.trusts("Do you trust the files in this folder? (y/n)", "directory "+a.cwd) {
		return false
	}
	var keys []string
	for _, event := range a.hooks.names {
		for _, command := range a.reviewed(event) {
			keys = append(keys, fmt.Sprintf("hook %x", sha256.Sum256([]byte(event+command))))
		}
	}
	return a.trusts("Hooks need review. Trust them? (y/n)", keys...)
}

// reviewed are the commands of an event that are only run when they were looked at: those of Codex.
func (a *agent) reviewed(event string) []string {
	if a.name != "codex" {
		return nil
	}
	return a.hooks.read(a, event)
}

// trusts asks a question unless it was answered for all of the keys, by whatever process.
func (a *agent) trusts(question string, keys ...string) bool {
	answers := filepath.Join(a.home, "trusted")
	known, _ := os.ReadFile(answers)
	keys = slices.DeleteFunc(keys, func(k string) bool { return strings.Contains(string(known), k+"\n") })
	if len(keys) == 0 {
		return true
	}
	fmt.Println(question)
	if !a.in.Scan() || a.in.Text() != "y" {
		fmt.Printf("not trusted: %q\n", a.in.Text())
		return false
	}
	add(answers, strings.Join(keys, "\n")+"\n")
	return true
}

func (a *agent) daemonWanted() bool {
	wanted := true
	for _, c := range a.codexConfigs() {
		if v, ok := c.Features["daemon_auto_start"]; ok {
			wanted = v
		}
	}
	return wanted && a.hooks.atFirst
}

// underNode becomes a node that runs this agent below itself.
func underNode() {
	program, err := exec.LookPath("node")
	must(err)
	self, err := exec.LookPath(os.Args[0])
	must(err)
	dir := filepath.Join(filepath.Dir(self), "..", "lib", "codex")
	must(os.Setenv("FAKE_NODE_DONE", "1"))
	must(syscall.Exec(program, append([]string{"node", filepath.Join(dir, "codex")}, os.Args[1:]...), os.Environ()))
}

// nest runs another agent for one turn, as one does that is told to.
func (a *agent) nest(name string) string {
	cmd := exec.Command("sh", "-c", name+" 'a nested message'; :")
	cmd.Env = os.Environ()
	if a.name == "claude" {
		cmd.Env = append(cmd.Env, "CLAUDE_CODE_SESSION_ID="+a.id, "CLAUDECODE=1")
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return err.Error()
	}
	if !strings.Contains(string(out), "kept: a nested message") {
		return string(out)
	}
	return "kept"
}

// noise is what a program may print that means something to a terminal: another directory, the prompt of a shell, a title that says it waits.
func (a *agent) noise() {
	fmt.Print("\x1b]7;file:///\x1b\\\x1b]133;A\x1b\\$ \x1b]133;B\x1b\\\x1b]133;C\x1b\\\n\x1b]133;D;0\x1b\\\x1b]0;✳ idle\x1b\\\x1b]9;an attention\x1b\\\x1b]777;notify;a;b\x1b\\{\"session_id\":\"" + uuid() + "\"}\n")
}
