package main

import (
	"fmt"
	"os"

	"stet/resurrect/agent"
	"stet/server"
	"stet/server/command"
)

// agentHere runs what of the agents' commands needs no server. done says that it was one of them.
func agentHere(argv []string) (code int, done bool) {
	words, ok := agentWords(argv)
	if !ok || words[0] != "support" {
		return 0, false
	}
	name, asJSON := "", false
	for _, w := range words[1:] {
		switch {
		case w == "--json":
			asJSON = true
		case name == "" && w != "" && w[0] != '-':
			name = w
		default:
			return 0, false // the table says what is wrong
		}
	}
	text, err := command.SupportText(agent.Load(server.AgentsDir(os.Getenv)), name, asJSON)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1, true
	}
	fmt.Println(text)
	return 0, true
}

// agentWords are the words behind "agent", of which the first says what is to be done.
func agentWords(argv []string) ([]string, bool) {
	switch {
	case len(argv) > 1 && argv[0] == "agent":
		return argv[1:], true
	case len(argv) > 0 && len(argv[0]) > len("agent-") && argv[0][:len("agent-")] == "agent-":
		return append([]string{argv[0][len("agent-"):]}, argv[1:]...), true
	}
	return nil, false
}
