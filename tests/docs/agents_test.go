package docs

import (
	"fmt"
	"strings"
	"testing"

	"stet/resurrect/agent"
)

const agentsText = `
What stet knows of AI coding agents: how each is told to go on with its own conversation, and where the id of that comes from.
` + "`stet agent support`" + ` prints the same, ` + "`stet agent support NAME`" + ` also what is to be set up, ` + "`--json`" + ` for programs.
`

const agentsOwn = `
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
pattern = '^[0-9a-f]{8}$'        # of a whole id
given_by = ["--session"]         # flags by which you name one yourself

[launch]
new_id = ["--id", "{uuid}"]      # chooses an id, if it can be chosen
skip_new_id = ["--session"]      # unless one of these is given
inject = ["--hook", "{hook}"]    # has it run stet agent report at its events
skip_inject = []
refuse = ["--print"]             # there is no conversation to come back to

[hook]                           # the JSON that it gives to that
event = "hook_event_name"
events = ["SessionStart"]
id = ["session_id"]
drop = ["agent_id"]              # there: it is about a helper
need = []                        # not there: the conversation is not kept
setup = ""                       # what is to be set up, for people

[resume]
argv = ["mine", "{carried}", "{inject}", "--session", "{id}"]
needs = "{env:MINE_HOME|~/.mine}/sessions/*/{id}.json"
needs_unless = []

[carry]                          # of its arguments these are kept, and no others
flag = ["--fast"]
value = ["--model"]
variadic = []                    # takes all words behind it
drop = ["--key"]                 # has a value, is not kept
guarded = []                     # of these the values that look like secrets are not kept

[environment]
names = ["MINE_HOME"]            # where it keeps its conversations
` + "```" + `

Only ` + "`schema`, `id`, `name`, `command`, `[conversation] pattern` and `[resume] argv`" + ` must be there, or ` + "`fresh = true`" + ` in place of the last two. A key that
means nothing, a pattern that is not anchored or takes a flag, a file or directory that others can write: each is refused with file and line, and the
other agents stay in force.
`

func agents(t *testing.T) string {
	b := page("Agents", agentsText)
	b.WriteString("\n## Which agents\n\n")
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
	b.WriteString("\n## What is to be set up\n\nThe hooks of these are not given at each launch, so they are set up once, by you. Nothing of theirs is edited by stet.\n")
	for _, in := range set.All() {
		if s := in.Support(); s.Setup != "" {
			fmt.Fprintf(b, "\n**%s.** %s\n", s.Name, strings.TrimSpace(s.Setup))
		}
	}
	b.WriteString(agentsOwn)
	return b.String()
}
