package docs

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stet/resurrect/agent"
)

const agentsText = `
An AI coding agent that stet has started goes on with **its own conversation** when the machine was restarted or the keeper lost:

    stet agent start claude -- --model opus        a new pane; -h and the other flags as split-window
    stet agent start -w -n fix codex               a new window
    stet bind-key C-n agent start -h claude        from a key

Where no session is yet it makes one and attaches to it. A declared session has agents as well: a pane with ` + "`agent = \"claude\"` and `args = [\"--model\", \"opus\"]`" + `
in place of a command. All of these go one way: what is asked for is checked, the record is on disk, the program is executed, it is seen to run, and then to be ready
(` + "`launching`, `running`, and `ready` in `stet agent list --json`" + `). One that the machine's end met in between is told of at the next start.

What holds:

* Before the program starts, its record is on disk: agent, directory, and of its arguments the flags that a resume keeps. Prompts are not in it, nor keys.
* Where an agent lets its conversation be chosen, stet chooses one. Where it takes hooks for one launch, it is given them, and tells by ` + "`stet agent report`" + ` which
  conversation it is in, also after that has changed. No file of yours is edited for that; the others take hooks only from their own files, into which
  ` + "`stet agent install`" + ` puts them when you say so. A report counts only from a process below the pane's own agent, with the token of that launch,
  and not from another agent that this one has started.
* Of the environment it has what every new pane has, and with -e what you give it: not what direnv and the like had put into the shell in which stet agent start was typed.
  Of that the record keeps, and a restore gives again, the variables alone that say where the agent keeps its conversations (CLAUDE_CONFIG_DIR, CODEX_HOME, and
  the others of ` + "`[environment]`" + ` below), never one that may hold a key. Of an agent that was typed into a shell these are taken from its own process, so that what direnv had set
  of them is kept. Keys and the like come from where every new pane has them; what a directory has to set is set by the shell beneath, or by the agent's own settings.
* A restore executes the agent with exactly that conversation, in exactly that directory, with those flags; nothing is typed. When it ends, a shell is beneath it.
* After a restore at most ` + "`agent-resume-limit`" + ` agents come up at once, those first that are seen. The others are ` + "`queued`" + `: their panes show what they showed. ` + "`stet agent cancel`" + ` ends the
  waiting, of one with -t, and ` + "`stet restore-pane`" + ` resumes one out of turn; in the pane these are the keys s and Enter.
* **Never** another conversation, never a new one, never another directory. One conversation is in one pane.
* What was not resumed says why and what to do: in the pane, in ` + "`stet report`, in `stet agent list`" + `. Its record stays. ` + "`stet agent retry`" + ` tries again in that pane, ` + "`stet agent drop`" + ` forgets it.
* An agent that ends by itself with status 0 is over, and so is one whose pane you close. One that is killed or fails keeps its record, with a shell in its place; no restore starts it unasked.

| It is not resumed because | Then |
|---|---|
| its program is gone | waiting; install it, then retry |
| its conversation has had no message yet, or was deleted | waiting; nothing to resume. Where no id is known either: a shell, and the record ends |
| its directory is gone or moved | waiting; bring it back, then retry |
| its conversation is open in another pane | waiting |
| the option ` + "`agent-resume`" + ` is off, or it had failed before | waiting; retry |
| the agent refuses | failed, with its exit status; what it said is on the screen |
| the machine went down before it was started | a shell; it never started |

` + "`#{pane_agent}`, `#{pane_agent_state}`, `#{pane_agent_conversation}` and `#{pane_agent_reason}`" + ` tell of a pane's agent in formats; the states are ` + "`launching`, `running`, `queued`, `waiting` and `failed`" + `. The hooks
` + "`before-agent-resume` and `after-agent-resume`" + ` run around each resume. ` + "`stet survive`" + ` tells beforehand.

An agent that you type into a shell is recognised by its process, and the option ` + "`agent-adopt`" + ` says what becomes of it: ` + "`off`" + `, nothing; ` + "`offer`" + `, whoever looks at it is told once
of ` + "`stet agent adopt`" + `, which makes its record; ` + "`on`" + `, the record is made at once. From then on it is as one that stet has started, but for what it was not given: hooks for
one launch. Its conversation is known from its own file for its process (Claude Code), from hooks that were installed, or from its arguments
(` + "`--resume ID`" + `), and is never guessed; with none of them the list says that there is no id yet, and a restore gives a shell and says why. Its record ends
when it does and the shell is in front again; where the shell's integration tells that it failed, the record stays for ` + "`agent retry`" + `. It has to be in the pane's
foreground itself: one below another program, as of ` + "`npx`" + ` or ` + "`sudo`" + `, is not recognised, nor is any on macOS.

How an agent ended is told apart on disk:

| What happened | The record |
|---|---|
| it exited by itself, its pane was closed or killed | is gone |
| its session was shelved | ` + "`shelved`" + `; it goes on when the session is taken up |
| it crashed or was killed from outside, with another status than 0 | ` + "`failed`" + `; ` + "`agent retry`" + ` |
| the keeper, the machine or its power was lost, or it shut down | ` + "`running`" + `; it goes on at the next start |
| the server was killed by ` + "`kill-server`" + ` | ` + "`running`" + ` in a workspace that is ` + "`killed`" + `: it goes on when you say restore |

On macOS reports cannot be believed, since nothing tells whose process they are from: there the conversation chosen at launch is resumed.
`

const agentsOwn = `
## What it does

Each agent is blocked (it waits for an answer), ended by an error, done (its turn is over and nobody has looked), working, idle, or unknown. The
sources in order: its hooks, its own state file, and what it prints: title, progress bars, notifications, bell. What an agent prints can neither end a
turn nor answer a question, since a model can have it print anything. One that is said to work and prints nothing for a minute is unknown; a question
counts no more when keys were typed since; behind a restore all are unknown until they say. ` + "`agent explain PANE`" + ` says what each source said, and why it counts or not.

` + "`#{agent_name}`" + `, ` + "`#{agent_status}`" + `, ` + "`#{agent_status_age}`" + ` (seconds), ` + "`#{agent_status_source}`" + ` and ` + "`#{agent_symbol}`" + ` are in formats, with ` + "`window_`" + ` and ` + "`session_`" + ` in front of
` + "`agent_status`" + ` and ` + "`agent_symbol`" + ` the one that wants a person most. The symbols are ! ✗ ✓ » · ?, on terminals that may have ASCII only ! x = > . ?. The hook ` + "`agent-status-changed`" + `
runs with ` + "`hook_pane`" + `, ` + "`hook_agent`" + `, ` + "`hook_status`" + `, ` + "`hook_status_source`" + ` and ` + "`hook_old_status`" + `. Who does not see the pane is told of what the option ` + "`agent-notify`" + ` lists, in the way of the
option ` + "`notify`" + `. ` + "`C-b A`" + ` (` + "`next-attention`" + `) goes to the pane that wants you most.

A pane is unread when it printed, or its agent was blocked, done or ended by an error, since anybody looked: ` + "`stet unread`" + `, ` + "`#{pane_unread}`" + `, ` + "`#{window_unread}`" + `, ` + "`#{session_unread}`" + `. ` + "`mark-read --number=N`" + `
refuses a number that is not the newest.

## One of your own

An agent is a TOML file. ` + "`agents.d/NAME.toml`" + `, beside ` + "`config.toml`" + `, adds one, or replaces the one of that name:

` + "```toml" + `
schema = 1
id = "mine"                      # the file's name
name = "My agent"
command = ["mine"]               # looked up in PATH

[process]                        # what its processes are called
comm = ["mine"]                  # the kernel's short name
argv0 = ["mine"]                 # the name it is called by
script = []                      # what node, bun or python runs
relaunches = false               # it starts itself again below itself

[conversation]
pattern = '^[0-9a-f-]{36}$'      # of a whole id
given_by = ["--session"]         # flags by which you name one yourself
forks = ["--fork"]               # with these it is in another one than that

[launch]
new_id = ["--id", "{uuid}"]      # chooses an id, if it can be chosen
skip_new_id = ["--session"]      # unless one of these is given
inject = ["--hook", "{hook}"]    # has it run stet agent report at its events
environment = []                 # variables that do, as NAME=value; yours of that name go before
                                 # in both, {plugin} is a file of stet's own with the text of [[install]]
                                 # in it, and {plugin_url} is that file as a URL
skip_inject = []
refuse = ["--print"]             # there is no conversation to come back to

[hook]                           # the JSON that it gives to that
event = "hook_event_name"
events = ["SessionStart"]
id = ["session_id"]
drop = ["agent_id"]              # there: it is about a helper
need = []                        # not there: the conversation is not kept
setup = ""                       # what is to be set up, for people

[[install]]                      # where it takes no hooks at a launch: what stet agent install writes
file = "{env:MINE_HOME|~/.mine}/settings.json"
json = [{ at = ["hooks", "SessionStart"], add = '{"command": "{hook}"}' }]
begin = '{"version": 1}'         # that file, where there is none yet
# or text = "...", all of a file with stet in its name; or block = "...", lines for the end of a TOML file

[resume]
argv = ["mine", "{carried}", "{inject}", "--session", "{id}"]
needs = "{env:MINE_HOME|~/.mine}/sessions/*/{id}.json"
needs_unless = []                # flags, and names of [environment], that put that file elsewhere

[carry]                          # of its arguments these are kept, and no others
flag = ["--fast"]
value = ["--model"]
variadic = []                    # takes all words behind it
drop = ["--key"]                 # has a value, is not kept
guarded = []                     # of these the values that look like secrets are not kept

[environment]
names = ["MINE_HOME"]            # where it keeps its conversations

[status]                         # all optional
working = ["UserPromptSubmit"]   # events of the hook; "Event/x" has x in the field detail
blocked = ["Notification/permission_prompt"]
idle = ["Stop"]
error = ["StopFailure"]
detail = "notification_type"
progress = false                 # OSC 9;4 counts
bell = ""                        # the word that a bell stands for
quiet = 60                       # seconds without output until it is not believed to work

[status.title]                   # expressions that begin with ^; [status.notify] likewise
working = '^[◐◓] '
idle = '^✳ '

[status.file]                    # a JSON file of its own
path = "{env:MINE_HOME|~/.mine}/run/{pid}.json"
key = "status"
conversation = "sessionId"       # key of the conversation's id; needs started
started = "procStart"            # key of the process's start in clock ticks
working = ["busy"]
idle = ["idle"]
` + "```" + `

Only ` + "`schema`, `id`, `name`, `command`, `[conversation] pattern` and `[resume] argv`" + ` must be there, or ` + "`fresh = true`" + ` in place of the last two. A key that
means nothing, a pattern that is not anchored or takes a flag, a file or directory that others can write: each is refused with file and line, and the
other agents stay in force.
`

// traps are what agents do that leads a resume astray, and the tests that hold it off; each is looked for.
var traps = [...]struct {
	what  string
	tests []string
}{
	{"Resumed in another directory, an agent asks, fails or begins anew", []string{"TestWhyAnAgentIsNotResumed", "TestRealAgentsResume", "TestWhatAgentsDoToTheirResume", "TestEveryAgentUnderEveryFault"}},
	{"An id that is a flag, a path or two lines", []string{"TestOnlyWholeIDsAreTaken", "TestReportsOfOthersAreDropped", "TestAnEditedRecordStartsNothingElse", "TestWhatAgentsDoToTheirResume", "TestEveryAgentUnderEveryFault"}},
	{"A failed resume must not become a new conversation", []string{"TestWhyAnAgentIsNotResumed", "TestAnAgentThatDeclinesKeepsItsRecord", "TestEveryAgentGoesOn", "TestEveryAgentUnderEveryFault"}},
	{"A prompt must not be said again", []string{"TestAnAgentGoesOnWithItsConversation", "TestRealAgentsResume", "TestEveryAgentGoesOn", "TestEveryAgentUnderEveryFault"}},
	{"What is typed into a shell may be swallowed or mean something", []string{"TestAnAgentGoesOnWithItsConversation"}},
	{"A report of a process that is not below the pane's agent", []string{"TestReportsOfOthersAreDropped"}},
	{"A server that the agents of several panes share", []string{"TestASharedProcessReportsForNobody", "TestLaunchAndResumeOfEveryAgent", "TestWhatAgentsDoToTheirResume"}},
	{"An agent that an agent runs", []string{"TestReportsOfOthersAreDropped", "TestWhoRunsInsideAnother", "TestWhatAgentsDoToTheirResume", "TestEveryAgentUnderEveryFault"}},
	{"Conversations of helpers, and ones that are not kept", []string{"TestReports", "TestWhatAgentsDoToTheirResume"}},
	{"One conversation in two panes", []string{"TestOneConversationOnePane", "TestTheSameConversationTwiceIsResumedOnce"}},
	{"The newest conversation of the directory is another pane's", []string{"TestNoConversationIsGuessed"}},
	{"An id is known before there is anything to resume", []string{"TestNothingToResumeYet", "TestTranscripts", "TestWhatAgentsDoToTheirResume"}},
	{"An agent that was ended on purpose must not come back", []string{"TestATypedAgentEnds", "TestAnAgentThatEndsIsOver", "TestAnAgentThatBreaksLeavesItsRecord"}},
	{"Secrets among the arguments and variables", []string{"TestOnlyListedVariablesAreKept", "TestAnAgentGoesOnWithItsConversation"}},
	{"All agents of a restore come up at once", []string{"TestFortyAgentsComeBackInTurn", "TestAnAgentInTheQueue"}},
	{"A question at the start is no failure", []string{"TestAQuestionAtTheStartIsNoFailure", "TestRealAgentsResume", "TestWhatAgentsDoToTheirResume", "TestEveryAgentUnderEveryFault"}},
	{"What a hook prints becomes part of the conversation", []string{"TestReportsOfOthersAreDropped", "TestAnAgentGoesOnWithItsConversation"}},
	{"The program is another file since, or gone", []string{"TestAnAgentThatHasMovedIsFoundInPath", "TestWhyAnAgentIsNotResumed"}},
	{"A title is whatever a model prints", []string{"TestATitleIsNoReport", "TestWhatAgentsDoToTheirResume"}},
	{"The agent's own files are elsewhere by a variable", []string{"TestAnAgentOfOnesOwn", "TestTranscripts", "TestWhatAgentsDoToTheirResume"}},
}

// trapTable is the table, and fails where a test is not there.
func trapTable(t *testing.T) string {
	t.Helper()
	var source strings.Builder
	for _, glob := range []string{"../harness/*_test.go", "../../resurrect/agent/*_test.go"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatal("no tests in ", glob, err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			source.Write(b)
		}
	}
	var b strings.Builder
	b.WriteString("| | Trap | Tests |\n|---|---|---|\n")
	for i, trap := range traps {
		var names []string
		for _, name := range trap.tests {
			if !strings.Contains(source.String(), "\nfunc "+name+"(t *testing.T)") {
				t.Errorf("trap %d: there is no %s", i+1, name)
			}
			names = append(names, code(name))
		}
		fmt.Fprintf(&b, "| %d | %s | %s |\n", i+1, trap.what, strings.Join(names, ", "))
	}
	return b.String()
}

func agents(t *testing.T) string {
	b := page("Agents", agentsText)
	b.WriteString("\n## Which agents\n\n`stet agent support` prints this table, `stet agent support NAME` also what is to be set up, `--json` for programs.\n\n")
	set := agent.Load("")
	for _, err := range set.Problems {
		t.Error(err)
	}
	rows := [][]string{{"Name", "Agent", "Resume", "Its conversation's id", "Limit", "Tried with"}}
	for _, in := range set.All() {
		s := in.Support()
		rows = append(rows, []string{code(s.ID), cell(s.Name), s.Resume, s.IDSource, cell(s.Limit), s.Tested})
	}
	table(b, rows...)
	b.WriteString("\n## What is to be set up\n\nThese take their hooks from their own files alone, not at each launch. `stet agent install NAME` shows the change, asks (or takes `--yes`), and writes it; everything else in the file stays byte for byte, and `stet agent uninstall NAME` gives it back as it was. A file that stet does not understand is left alone, and what is to be added by hand is said. A file that another version of stet has installed is offered to be replaced, and kept beside as `FILE.old`, as it may have been changed since. Outside of stet the hooks do nothing.\n")
	for _, in := range set.All() {
		if s := in.Support(); s.Setup != "" {
			fmt.Fprintf(b, "\n**%s.** %s\n", s.Name, strings.TrimSpace(s.Setup))
		}
	}
	b.WriteString("\n## Traps\n\nWhat real agents do that leads a resume astray, and where it is tried. `REAL_AGENTS=1 go test ./tests/harness -run TestRealAgentsResume -v` also runs the real programs that are in PATH, against a stub of their models on loopback: Claude Code, Codex, opencode and pi.\n\n")
	b.WriteString(trapTable(t))
	b.WriteString(agentsOwn)
	return b.String()
}
