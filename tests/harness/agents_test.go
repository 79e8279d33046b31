package harness

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakeClaude behaves as Claude Code does where it counts: the flags, conversations that belong to a
// directory and are kept from their first message on, hooks, and the answer to an id that is not there. Each
// line that it is given is a message, but for those with a slash.
const fakeClaude = `#!/bin/sh
{ printf 'LAUNCH %s' "$PWD"; for a; do printf ' [%s]' "$a"; done; echo; } >>"$HOME/launches"
id= resume= settings= prompt= model=
while [ $# -gt 0 ]; do
	case "$1" in
	--session-id) id=$2; shift 2 ;;
	--resume) resume=$2; shift 2 ;;
	--settings) settings=$2; shift 2 ;;
	--model) model=$2; shift 2 ;;
	--dangerously-skip-permissions) shift ;;
	-p) prompt=$2; shift 2 ;;
	-*) echo "error: unknown option '$1'"; exit 1 ;;
	*) prompt=$1; shift ;;
	esac
done
dir="${CLAUDE_CONFIG_DIR:-$HOME/.claude}/projects/$(printf %s "$PWD" | tr / -)"
hook=$(printf %s "$settings" | sed -n 's/.*"SessionStart":\[{"hooks":\[{"type":"command","command":"\([^"]*\)".*/\1/p')
tell() {
	[ -n "$hook" ] && [ ! -f "$HOME/mute" ] || return 0
	out=$(printf '{"hook_event_name":"%s","session_id":"%s","cwd":"%s","prompt":"%s"}' "$1" "$id" "$PWD" "$2" | sh -c "$hook" 2>&1) || echo "HOOK FAILED"
	[ -z "$out" ] || echo "HOOK SAID $out"
}
keep() {
	[ -f "$HOME/keeps" ] || return 0
	mkdir -p "$HOME/.claude/sessions"
	printf '{"pid":%d,"procStart":"%s","sessionId":"%s","status":"idle"}' $$ "$(cut -d' ' -f22 /proc/$$/stat)" "$id" >"$HOME/.claude/sessions/new"
	mv "$HOME/.claude/sessions/new" "$HOME/.claude/sessions/$$.json"
}
cp "$(ls "$HOME"/../state/*/workspace.toml)" "$HOME/record-$(wc -l <"$HOME/launches" | tr -d ' ')" 2>/dev/null
if [ -n "$resume" ]; then
	[ ! -f "$HOME/untrusted" ] || exit 0
	if [ ! -f "$dir/$resume.jsonl" ]; then
		echo "No conversation found with session ID: $resume"
		exit 1
	fi
	[ -f "$HOME/hold" ] || cat "$dir/$resume.jsonl"
	id=$resume
	echo begins >>"$HOME/coming"
	until [ ! -f "$HOME/hold" ]; do sleep 0.1; done
	echo is-up >>"$HOME/coming"
	[ ! -f "$HOME/ask" ] || { echo "Do you trust the files in this folder? (y/n)"; read -r line; echo "you answered $line"; }
	[ -z "$prompt" ] || echo PROMPT-REPLAYED
fi
keep
echo "ready $id"
tell SessionStart
while read -r line; do
	case "$line" in
	/exit) exit 0 ;;
	/crash) exit 3 ;;
	/event*) tell ${line#/event } "$(cat "$HOME/extra" 2>/dev/null)"; echo "told ${line#/event }" ;;
	/print*) printf "${line#/print }"; echo "printed ${line##* }" ;;
	/state*)
		set -- $(cat /proc/$$/stat)
		mkdir -p "$HOME/.claude/sessions"
		started=${22}
		[ ! -f "$HOME/stale" ] || started=1
		echo "{\"pid\":$$,\"procStart\":\"$started\",\"status\":\"${line#/state }\"}" >"$HOME/.claude/sessions/$$.json"
		echo "noted ${line#/state }" ;;
	/clear*) id=${line#/clear }; keep; tell SessionStart; echo "cleared $id" ;;
	/report*) out=$(printf '{"hook_event_name":"SessionStart","session_id":"%s"}' "${line#/report }" | sh -c "$hook"); echo "reported $out." ;;
	/early*)
		sh -c "until [ -f \"\$HOME/go\" ]; do sleep 0.05; done; exec $hook '{\"hook_event_name\":\"SessionStart\",\"session_id\":\"${line#/early }\"}'" </dev/null &
		begun=$(cut -d' ' -f22 /proc/$!/stat)
		while [ "$(sh -c 'cut -d" " -f22 /proc/$$/stat')" = "$begun" ]; do :; done # others begin at another tick of the clock
		echo early ;;
	/title*) printf '\033]0;%s\033\\' "${line#/title }"; echo titled ;;
	/daemon*) ( hook=$hook main=$$ setsid sh -c 'while p=$(cut -d" " -f4 /proc/$$/stat); [ "$(cut -d" " -f4 /proc/$p/stat 2>/dev/null)" = $main ]; do sleep 0.05; done; printf "{\"hook_event_name\":\"SessionStart\",\"session_id\":\"$1\"}" | sh -c "$hook"; echo >>"$HOME/daemon-done"' daemon "${line#/daemon }" </dev/null >/dev/null 2>&1 & ) ;;
	/nest*) sh -c "claude --session-id ${line#/nest } --settings '$(printf %s "$settings" | sed "s/'/'\\\\''/g")' </dev/null; echo nested is over" ;;
	*) mkdir -p "$dir"; echo "you said: $line" >>"$dir/$id.jsonl"; tell UserPromptSubmit "$line"; echo "kept: $line" ;;
	esac
done
`

const (
	idA = "11111111-2222-4333-8444-555555555555"
	idB = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee"
)

// agentWorld is a world with a Claude Code, and a session in a directory of its own.
func agentWorld(t *testing.T) (w *World, work string) {
	t.Helper()
	w = New(t)
	bin := filepath.Join(w.Dir, "home", "bin")
	work = filepath.Join(w.Dir, "home", "work")
	for _, d := range []string{bin, work} {
		if err := os.Mkdir(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	install(t, w)
	w.Env = append(w.Env, "PATH="+bin+":"+os.Getenv("PATH"))
	w.Run("new-session", "-d", "-s", "work", "-x", "120", "-y", "40", "-c", work)
	return w, work
}

func install(t *testing.T, w *World) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(w.Dir, "home", "bin", "claude"), []byte(fakeClaude), 0o755); err != nil {
		t.Fatal(err)
	}
}

func (w *World) shows(pane, text string) {
	w.T.Helper()
	w.Wait(fmt.Sprintf("%q in %s", text, pane), func() bool {
		r := w.Try("capture-pane", "-p", "-J", "-S", "-", "-t", pane)
		return r.Code == 0 && strings.Contains(r.Out, text)
	})
}

func (w *World) say(pane, text string) {
	w.T.Helper()
	w.Run("send-keys", "-t", pane, "-l", text)
	w.Run("send-keys", "-t", pane, "Enter")
}

func (w *World) of(pane, format string) string {
	w.T.Helper()
	return w.Run("display-message", "-p", "-t", pane, format)
}

// launches are the lines of every start of an agent.
func (w *World) launches() []string {
	w.T.Helper()
	b, err := os.ReadFile(filepath.Join(w.Dir, "home", "launches"))
	if err != nil {
		w.T.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(b)), "\n")
}

// startClaude starts an agent and has it keep a message.
func (w *World) startClaude(work string, args ...string) (pane, id string) {
	w.T.Helper()
	pane = w.Run(append([]string{"agent", "start", "-P", "-F", "#{pane_id}", "-c", work, "claude", "--"}, args...)...)
	id = w.of(pane, "#{pane_agent_conversation}")
	w.shows(pane, "ready "+id)
	w.say(pane, "remember the heron")
	w.shows(pane, "kept: remember the heron")
	return pane, id
}

func (w *World) reportRow(pane string) (row struct{ State, Reason, Next string }) {
	w.T.Helper()
	var rows []struct{ Pane, State, Reason, Next string }
	if err := json.Unmarshal([]byte(w.Run("report", "--json")), &rows); err != nil {
		w.T.Fatal(err)
	}
	for _, r := range rows {
		if r.Pane == pane {
			row.State, row.Reason, row.Next = r.State, r.Reason, r.Next
		}
	}
	return row
}

// onDisk is everything that the state directory holds.
func (w *World) onDisk() string {
	w.T.Helper()
	var all strings.Builder
	err := filepath.WalkDir(filepath.Join(w.Dir, "state"), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(path)
		all.Write(b)
		return err
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return all.String()
}

// TestAnAgentGoesOnWithItsConversation: keeper and server are gone, and the agent is in the same
// conversation, in the same directory, with the same flags and without its prompt.
func TestAnAgentGoesOnWithItsConversation(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	pane, id := w.startClaude(work, "--model", "opus", "--dangerously-skip-permissions", "the very first prompt")
	if got := w.of(pane, "#{pane_agent} #{pane_agent_state}"); got != "claude running" {
		t.Errorf("the agent is %q", got)
	}
	w.Wait("the report of the hook", func() bool { return strings.Contains(w.Run("agent", "list"), id+" as of ") })
	reboot(w)
	w.shows(pane, "you said: remember the heron")
	w.shows(pane, "claude goes on with its conversation")
	if row := w.reportRow(pane); !regexp.MustCompile(id + ` as of \d{4}-\d\d-\d\d \d\d:\d\d`).MatchString(row.Reason) {
		t.Errorf("the report does not say when the conversation was told: %+v", row)
	}
	w.Wait("the agent to run", func() bool { return w.of(pane, "#{pane_agent_state} #{pane_agent_conversation}") == "running "+id })
	all := w.launches()
	if len(all) != 2 {
		t.Fatalf("started %d times:\n%s", len(all), strings.Join(all, "\n"))
	}
	want := regexp.MustCompile(`^LAUNCH ` + regexp.QuoteMeta(work) + ` \[--model\] \[opus\] \[--dangerously-skip-permissions\] \[--settings\] \[\{.*\}\] \[--resume\] \[` + id + `\]$`)
	if !want.MatchString(all[1]) {
		t.Errorf("resumed by %s", all[1])
	}
	if row := w.reportRow(pane); row.State != "resumed" || !strings.Contains(row.Reason, id) {
		t.Errorf("report %+v", row)
	}
	if s := w.Run("capture-pane", "-p", "-S", "-", "-t", pane); strings.Contains(s, "PROMPT-REPLAYED") || strings.Contains(s, "HOOK") {
		t.Errorf("screen:\n%s", s)
	}
	if found, _ := filepath.Glob(filepath.Join(w.Dir, "home", ".claude", "projects", "*", "*")); len(found) != 1 {
		t.Errorf("conversations: %q", found)
	}
	if strings.Contains(w.onDisk(), "the very first prompt") {
		t.Error("the prompt is on disk")
	}
	// And again: what was resumed is resumed as before.
	w.say(pane, "and the egret")
	w.shows(pane, "kept: and the egret")
	reboot(w)
	w.shows(pane, "you said: and the egret")
	w.Wait("the agent to run", func() bool { return w.of(pane, "#{pane_agent_state}") == "running" })
	if all := w.launches(); len(all) != 3 || !want.MatchString(all[2]) {
		t.Errorf("resumed by %q", all[len(all)-1])
	}
}

// TestTheConversationSaidLastIsResumed: it has changed since the launch.
func TestTheConversationSaidLastIsResumed(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	pane, first := w.startClaude(work)
	w.say(pane, "/clear "+idA)
	w.shows(pane, "cleared "+idA)
	w.say(pane, "a new matter")
	w.shows(pane, "kept: a new matter")
	if got := w.of(pane, "#{pane_agent_conversation}"); got != idA {
		t.Fatalf("conversation %q, want %q, not %q", got, idA, first)
	}
	w.KillServer() // a crash of the server changes nothing of it
	if got := w.of(pane, "#{pane_agent_state} #{pane_agent_conversation}"); got != "running "+idA {
		t.Fatalf("behind a crash: %q", got)
	}
	w.say(pane, "/clear "+idB)
	w.shows(pane, "cleared "+idB)
	w.say(pane, "newest")
	w.shows(pane, "kept: newest")
	w.Wait("the report", func() bool { return w.of(pane, "#{pane_agent_conversation}") == idB })
	reboot(w)
	w.shows(pane, "you said: newest")
	if all := w.launches(); len(all) != 2 || !strings.HasSuffix(all[1], "[--resume] ["+idB+"]") {
		t.Errorf("started: %q", all)
	}
}

// TestReportsOfOthersAreDropped: neither an agent inside of the agent, nor somebody with its variables
// elsewhere, nor what is no id changes the pane's conversation. No hook says anything.
func TestReportsOfOthersAreDropped(t *testing.T) {
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	unchanged := func(what string) {
		t.Helper()
		if got := w.of(pane, "#{pane_agent_conversation}"); got != id {
			t.Fatalf("%s: conversation %q, want %q", what, got, id)
		}
	}
	for _, bad := range []string{"--help", "../../x", strings.Repeat("a", 400), idA + "x"} {
		w.say(pane, "/report "+bad)
		w.Wait("the answer", func() bool {
			return strings.Contains(w.Run("capture-pane", "-p", "-J", "-S", "-", "-t", pane), "reported .")
		})
		unchanged("a bad id")
		w.Run("clear-history", "-t", pane)
		w.Run("send-keys", "-R", "-t", pane)
	}
	w.say(pane, "/nest "+idA)
	w.shows(pane, "nested is over")
	unchanged("an agent inside")
	w.Wait("the line in the log", func() bool { return strings.Contains(w.Logs(), "it is from claude inside of claude") })

	// Another pane that has got hold of the variables.
	env, err := os.ReadFile("/proc/" + w.of(pane, "#{pane_pid}") + "/environ")
	if err != nil {
		t.Skip("no /proc: ", err)
	}
	token := regexp.MustCompile(`STET_AGENT=[0-9a-f]+`).FindString(string(env))
	if token == "" {
		t.Fatal("the agent has no token")
	}
	report := fmt.Sprintf(`printf '{"hook_event_name":"SessionStart","session_id":"%s"}' | env %s '%s' agent report; echo "it sa""id $?."`, idB, token, Binary(t))
	w.say("%0", report)
	w.shows("%0", "it said 0.")
	unchanged("from another pane")
	w.Wait("the line in the log", func() bool { return strings.Contains(w.Logs(), "is not below") })

	// And outside of everything: silence.
	cmd := w.Cmd()
	cmd.Args = []string{cmd.Args[0], "agent", "report"}
	cmd.Stdin = strings.NewReader("no JSON")
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("outside: %v, %q", err, out)
	}
	if s := w.Run("capture-pane", "-p", "-J", "-S", "-", "-t", pane); strings.Contains(s, "HOOK") {
		t.Errorf("a hook was heard:\n%s", s)
	}
}

// TestWhyAnAgentIsNotResumed: each reason has its own words, in the report, in the pane and in the list. No
// new conversation is begun, nothing is started elsewhere, and when the reason is gone agent retry resumes.
func TestWhyAnAgentIsNotResumed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name        string
		spoil, mend func(t *testing.T, w *World, work string)
		state, why  string
	}{
		{
			name:  "the program is gone",
			spoil: func(t *testing.T, w *World, work string) { remove(t, filepath.Join(w.Dir, "home", "bin", "claude")) },
			mend:  func(t *testing.T, w *World, work string) { install(t, w) },
			state: "waiting", why: "claude is not in PATH",
		},
		{
			name: "the conversation is gone",
			spoil: func(t *testing.T, w *World, work string) {
				rename(t, filepath.Join(w.Dir, "home", ".claude"), filepath.Join(w.Dir, "home", "aside"))
			},
			mend: func(t *testing.T, w *World, work string) {
				rename(t, filepath.Join(w.Dir, "home", "aside"), filepath.Join(w.Dir, "home", ".claude"))
			},
			state: "waiting", why: "nothing to resume yet",
		},
		{
			name: "the agent does not know it",
			spoil: func(t *testing.T, w *World, work string) {
				rename(t, projects(w)[0], filepath.Join(w.Dir, "home", ".claude", "projects", "other"))
			},
			mend: func(t *testing.T, w *World, work string) {
				rename(t, filepath.Join(w.Dir, "home", ".claude", "projects", "other"), filepath.Join(w.Dir, "home", ".claude", "projects", strings.ReplaceAll(work, "/", "-")))
			},
			state: "failed", why: "its program has exited with status 1",
		},
		{
			name:  "the directory has moved",
			spoil: func(t *testing.T, w *World, work string) { rename(t, work, work+"-moved") },
			mend:  func(t *testing.T, w *World, work string) { rename(t, work+"-moved", work) },
			state: "waiting", why: "is missing",
		},
		{
			name: "the user does not want it",
			spoil: func(t *testing.T, w *World, work string) {
				dir := filepath.Join(w.Dir, "home", ".config", "stet")
				if err := os.MkdirAll(dir, 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[options]\nagent-resume = false\n"), 0o600); err != nil {
					t.Fatal(err)
				}
			},
			mend:  func(t *testing.T, w *World, work string) {},
			state: "waiting", why: "the option agent-resume is off",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, work := agentWorld(t)
			pane, id := w.startClaude(work)
			w.Run("flush")
			w.KillBoth()
			c.spoil(t, w, work)
			before := len(w.launches())
			w.Run("start-server")
			w.Wait("the outcome", func() bool { return w.reportRow(pane).State == c.state })
			row := w.reportRow(pane)
			if !strings.Contains(row.Reason, c.why) || !strings.Contains(row.Next, "stet agent retry -t "+pane) {
				t.Errorf("report %+v, want %q", row, c.why)
			}
			w.shows(pane, c.why)
			w.shows(pane, "stet agent retry -t "+pane)
			if got := w.of(pane, "#{pane_agent} #{pane_agent_state} #{pane_agent_conversation} #{pane_dead}"); got != "claude "+c.state+" "+id+" 0" {
				t.Errorf("the pane has %q", got)
			}
			w.say(pane, "echo a shel''l")
			w.shows(pane, "a shell")
			for _, l := range w.launches()[before:] {
				if !strings.Contains(l, "[--resume] ["+id+"]") || !strings.HasPrefix(l, "LAUNCH "+work+" ") {
					t.Errorf("started by %s", l)
				}
			}
			reboot(w) // the record is kept
			if got := w.of(pane, "#{pane_agent} #{pane_agent_conversation}"); got != "claude "+id {
				t.Fatalf("behind another restore the pane has %q", got)
			}
			c.mend(t, w, work)
			w.Run("agent", "retry", "-t", pane)
			w.shows(pane, "ready "+id)
			w.Wait("the agent to run", func() bool { return w.of(pane, "#{pane_agent_state}") == "running" })
			w.shows(pane, "a shell") // what was on the screen stays above
			if row := w.reportRow(pane); row.State != "resumed" {
				t.Errorf("report %+v", row)
			}
			if r := w.Try("agent", "retry", "-t", pane); r.Code == 0 || !strings.Contains(r.Err, "runs in pane "+pane+" already") {
				t.Errorf("a second retry: %+v", r)
			}
		})
	}
}

func projects(w *World) []string {
	found, _ := filepath.Glob(filepath.Join(w.Dir, "home", ".claude", "projects", "*"))
	return found
}

func remove(t *testing.T, name string) {
	t.Helper()
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// TestNothingToResumeIsNotAFailure: no message was ever given.
func TestNothingToResumeYet(t *testing.T) {
	w, work := agentWorld(t)
	pane := w.Run("agent", "start", "-w", "-n", "robot", "-P", "-F", "#{pane_id}", "-c", work, "claude")
	if got := w.of(pane, "#{window_name}"); got != "robot" {
		t.Errorf("window %q", got)
	}
	w.shows(pane, "ready ")
	reboot(w)
	if row := w.reportRow(pane); row.State != "waiting" || !strings.Contains(row.Reason, "no first message") {
		t.Errorf("report %+v", row)
	}
	if n := len(w.launches()); n != 1 {
		t.Errorf("started %d times", n)
	}
	w.Run("agent", "drop", "-t", pane)
	if got := w.of(pane, "#{pane_agent}"); got != "" {
		t.Errorf("dropped, and the pane has %q", got)
	}
	reboot(w)
	if got := w.of(pane, "#{pane_agent}") + w.Run("agent", "list"); got != "" {
		t.Errorf("dropped, and it is back: %q", got)
	}
	if r := w.Try("agent", "retry", "-t", pane); r.Code == 0 {
		t.Error("a dropped agent is resumed")
	}
}

// TestAnAgentThatEndsIsOver: it does not come back, and beneath one that was resumed there is a shell.
func TestAnAgentThatEndsIsOver(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	a, _ := w.startClaude(work)
	b, id := w.startClaude(work)
	w.say(a, "/exit")
	w.Wait("the pane to go", func() bool { return !strings.Contains(w.Run("list-panes", "-a", "-F", "#{pane_id}")+"\n", a+"\n") })
	reboot(w)
	if got := w.Run("list-panes", "-a", "-F", "#{pane_id}"); got != "%0\n"+b {
		t.Errorf("panes %q", got)
	}
	w.shows(b, "ready "+id)
	w.Wait("it to run", func() bool { return w.of(b, "#{pane_agent_state}") == "running" })
	w.say(b, "/exit")
	w.shows(b, "claude: its program has exited with status 0")
	w.Wait("no agent", func() bool { return w.of(b, "#{pane_agent}") == "" })
	w.say(b, "echo a shel''l")
	w.shows(b, "a shell")
	w.shows(b, "you said: remember the heron")
	n := len(w.launches())
	reboot(w)
	if got := w.of(b, "#{pane_agent}"); got != "" || len(w.launches()) != n {
		t.Errorf("it is back: %q, %q", got, w.launches())
	}
}

// TestAnAgentThatBreaksLeavesItsRecord: nobody has ended it, so its conversation can be taken up.
func TestAnAgentThatBreaksLeavesItsRecord(t *testing.T) {
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	w.say(pane, "/crash")
	w.shows(pane, "claude: its program has exited with status 3")
	w.shows(pane, "stet agent retry -t "+pane)
	w.Wait("the record", func() bool {
		return w.of(pane, "#{pane_agent_state} #{pane_agent_conversation}") == "failed "+id
	})
	w.Run("agent", "retry", "-t", pane)
	w.shows(pane, "ready "+id)
	w.shows(pane, "you said: remember the heron")
}

// TestAnAgentThatDeclinesKeepsItsRecord: it was told to go on and has ended in peace, as when its user does
// not trust the directory. Nothing says that the conversation is over.
func TestAnAgentThatDeclinesKeepsItsRecord(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	w.Run("flush")
	w.KillBoth()
	untrusted := filepath.Join(w.Dir, "home", "untrusted")
	if err := os.WriteFile(untrusted, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("start-server")
	w.Wait("the outcome", func() bool {
		return w.of(pane, "#{pane_agent_state} #{pane_agent_conversation}") == "failed "+id
	})
	remove(t, untrusted)
	w.shows(pane, "stet agent retry -t "+pane)
	w.Run("agent", "retry", "-t", pane)
	w.shows(pane, "ready "+id)
}

// TestTheRecordIsOnDiskBeforeTheProgramStarts: the program itself looks.
func TestTheRecordIsOnDiskBeforeTheProgramStarts(t *testing.T) {
	w, work := agentWorld(t)
	_, id := w.startClaude(work)
	b, err := os.ReadFile(filepath.Join(w.Dir, "home", "record-1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`name = "claude"`, `conversation = "` + id + `"`, `cwd = "` + work + `"`} {
		if !strings.Contains(string(b), want) {
			t.Errorf("what the program found on disk lacks %s:\n%s", want, b)
		}
	}
}

// TestAnAgentThatNeverStartedIsNotResumed: the machine went down between its record and its start.
func TestAnAgentThatNeverStartedIsNotResumed(t *testing.T) {
	w, work := agentWorld(t)
	pane, _ := w.startClaude(work)
	w.Run("flush")
	w.KillBoth()
	file := filepath.Join(w.Paths.State, "workspace.toml")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(b), `state = "running"`, `state = "launching"`, 1)
	if text == string(b) {
		t.Fatalf("no agent runs in\n%s", b)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("start-server")
	if row := w.reportRow(pane); row.State != "restored" || !strings.Contains(row.Reason, "it never started") {
		t.Errorf("report %+v", row)
	}
	w.shows(pane, "claude was not resumed: it never started")
	if n := len(w.launches()); n != 1 {
		t.Errorf("started %d times", n)
	}
}

// TestAnEditedRecordStartsNothingElse: neither another program, nor one with other variables or arguments.
func TestAnEditedRecordStartsNothingElse(t *testing.T) {
	w, work := agentWorld(t)
	pane, id := w.startClaude(work, "--model", "opus")
	w.Run("flush")
	w.KillBoth()
	evil := filepath.Join(w.Dir, "home", "evil")
	if err := os.WriteFile(evil, []byte("#!/bin/sh\necho evil >\"$HOME/evidence\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(w.Paths.State, "workspace.toml")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for from, to := range map[string]string{
		`exe = "` + filepath.Join(w.Dir, "home", "bin", "claude") + `"`: `exe = "` + evil + `"`,
		`argv = ["--model", "opus"]`:                                    `argv = ["--model", "opus", "--exec", "x", "a prompt"]`,
		`state = "running"`:                                             "state = \"running\"\nenvironment = { PATH = \"" + w.Dir + "\", ENV = \"" + evil + "\" }",
	} {
		edited := strings.Replace(text, from, to, 1)
		if edited == text {
			t.Fatalf("no %s in\n%s", from, text)
		}
		text = edited
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("start-server")
	w.shows(pane, "ready "+id)
	all := w.launches()
	if got := all[len(all)-1]; len(all) != 2 || !strings.Contains(got, "[--model] [opus] [--settings]") || strings.Contains(got, "prompt") {
		t.Errorf("started by %q", all)
	}
	if _, err := os.Stat(filepath.Join(w.Dir, "home", "evidence")); err == nil {
		t.Error("another program was started")
	}
}

// TestAnAgentStartsOnceThoughTheServerDies: whatever the moment, the keeper starts it once.
func TestAnAgentStartsOnceThoughTheServerDies(t *testing.T) {
	w, work := agentWorld(t)
	cmd := w.Cmd("agent", "start", "-d", "-c", work, "claude")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Wait("the pane", func() bool { return strings.Contains(w.Run("list-panes", "-a", "-F", "#{pane_agent}"), "claude") })
	w.KillServer()
	_ = cmd.Wait() // it may or may not have heard
	w.Wait("the agent to run", func() bool {
		return strings.Contains(w.Run("list-panes", "-a", "-F", "#{pane_agent_state}"), "running")
	})
	pane := w.Run("list-panes", "-a", "-f", "#{pane_agent}", "-F", "#{pane_id}")
	id := w.of(pane, "#{pane_agent_conversation}")
	w.shows(pane, "ready "+id)
	if all := w.launches(); len(all) != 1 || !strings.Contains(all[0], "[--session-id] ["+id+"]") {
		t.Errorf("started: %q", all)
	}
	w.say(pane, "still here")
	w.shows(pane, "kept: still here")
	w.Wait("the report", func() bool { return strings.Contains(w.Run("agent", "list"), id+" as of ") })
}

// TestSurviveTellsOfAgents: before it happens.
func TestSurviveTellsOfAgents(t *testing.T) {
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	w.Run("flush")
	got := w.Run("survive")
	if !regexp.MustCompile(`(?m)^`+pane+` .* resumed$`).MatchString(got) || id == "" {
		t.Errorf("survive:\n%s", got)
	}
	w.Run("set-option", "-s", "agent-resume", "off")
	if got := w.Run("survive"); !strings.Contains(got, "Claude Code would not be resumed: the option agent-resume is off") {
		t.Errorf("survive:\n%s", got)
	}
}

// TestAnAgentOfOnesOwn: an integration that the user has written; beside it one with a mistake.
func TestAnAgentOfOnesOwn(t *testing.T) {
	w, work := agentWorld(t)
	dir := filepath.Join(w.Dir, "home", ".config", "stet", "agents.d")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	mine := "schema = 1\nid = \"mine\"\nname = \"Mine\"\ncommand = [\"mine\"]\n\n[conversation]\npattern = '^m-[0-9]+$'\ngiven_by = [\"--in\"]\n\n" +
		"[resume]\nargv = [\"mine\", \"{carried}\", \"again\", \"{id}\"]\n\n[carry]\nvalue = [\"--speed\"]\ndrop = [\"--in\"]\n\n[environment]\nnames = [\"MINE_HOME\"]\n"
	for name, text := range map[string]string{"mine.toml": mine, "bad.toml": strings.Replace(strings.Replace(mine, "mine", "bad", 1), "'^m-", "'m-", 1)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	program := "#!/bin/sh\nprintf 'LAUNCH %s %s' \"$PWD\" \"$MINE_HOME\" >>\"$HOME/launches\"; for a; do printf ' [%s]' \"$a\"; done >>\"$HOME/launches\"; echo >>\"$HOME/launches\"\necho mine is up; exec cat\n"
	if err := os.WriteFile(filepath.Join(w.Dir, "home", "bin", "mine"), []byte(program), 0o755); err != nil {
		t.Fatal(err)
	}
	if got := w.Run("agent", "support"); !strings.Contains(got, "Mine") || !strings.Contains(got, "bad.toml:7: conversation, pattern: must begin with ^") {
		t.Errorf("support:\n%s", got)
	}
	if r := w.Try("agent", "start", "-c", work, "bad"); r.Code == 0 || !strings.Contains(r.Err, "bad.toml:7:") {
		t.Errorf("a refused agent: %+v", r)
	}
	w.Run("bind-key", "-n", "F5", "agent start -h -e MINE_HOME=/m mine -- --speed 3 --in m-12 'a prompt'")
	term := w.Attach(120, 40, "attach")
	term.WaitFor("[work]")
	term.Type("\x1b[15~")
	w.Wait("the agent", func() bool { return strings.Contains(w.Run("list-panes", "-a", "-F", "#{pane_agent}"), "mine") })
	pane := w.Run("list-panes", "-a", "-f", "#{pane_agent}", "-F", "#{pane_id}")
	w.shows(pane, "mine is up")
	reboot(w)
	w.Wait("the agent to run", func() bool { return w.of(pane, "#{pane_agent_state}") == "running" })
	all := w.launches()
	for len(all) < 2 || !strings.HasSuffix(all[len(all)-1], "]") { // it has been executed, and writes in its own time
		w.shows(pane, "mine is up")
		all = w.launches()
	}
	if want := []string{"LAUNCH " + work + " /m [--speed] [3] [--in] [m-12] [a prompt]", "LAUNCH " + work + " /m [--speed] [3] [again] [m-12]"}; strings.Join(all, "\n") != strings.Join(want, "\n") {
		t.Errorf("started: %q\nwant %q", all, want)
	}
}

// TestOneConversationOnePane: a conversation that a pane has is not opened in another.
func TestOneConversationOnePane(t *testing.T) {
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	if r := w.Try("agent", "start", "-c", work, "claude", "--", "--resume", id); r.Code == 0 || !strings.Contains(r.Err, "that of pane "+pane) {
		t.Errorf("%+v", r)
	}
	other, was := w.startClaude(work)
	w.say(other, "/report "+id)
	w.shows(other, "reported .")
	if got := w.of(other, "#{pane_agent_conversation}"); got != was {
		t.Errorf("the other pane has %q", got)
	}
}

// TestHooksOfAResume: what the user hooks to it runs before and after.
func TestHooksOfAResume(t *testing.T) {
	w, work := agentWorld(t)
	pane, id := w.startClaude(work)
	dir := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	config := "[[hooks]]\nevent = \"before-agent-resume\"\ncommand = 'set -ga @seen \"before #{hook_pane} #{hook_agent} #{hook_conversation};\"'\n" +
		"[[hooks]]\nevent = \"after-agent-resume\"\ncommand = 'set -ga @seen \"after #{hook_pane};\"'\n"
	config = strings.ReplaceAll(config, "set -ga", "set -gaF")
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	reboot(w)
	want := fmt.Sprintf("before %s claude %s;after %s;", pane, id, pane)
	w.Wait("both hooks", func() bool { return w.Try("show-options", "-gv", "@seen").Out == want+"\n" })
}
