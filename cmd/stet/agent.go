package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"stet/client"
	"stet/resurrect/agent"
	"stet/server"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/sock"
)

// agentHere runs what of the agents' commands needs no server. done says that it was one of them.
func agentHere(argv []string) (code int, done bool) {
	which, words := named("agent", argv)
	switch which {
	case "agent-report":
		agentReport(words)
		return 0, true
	case "agent-install", "agent-uninstall":
		return agentInstall(words, which == "agent-uninstall")
	case "agent-support":
	default:
		return 0, false
	}
	name, asJSON := "", false
	for _, w := range words {
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
		fmt.Fprintln(os.Stderr, client.Words(err.Error()))
		return 1, true
	}
	fmt.Println(client.Words(text))
	return 0, true
}

// named are the name of a command, which may be written as two words of which this is the first, and what stands behind
// it.
func named(first string, argv []string) (name string, words []string) {
	switch {
	case len(argv) > 1 && argv[0] == first:
		return command.TwoWords(first, argv[1]), argv[2:]
	case len(argv) > 0:
		return argv[0], argv[1:]
	}
	return "", nil
}

// Bounds of a report. The agent waits for its hook, so that a server which does not answer is left alone.
const (
	reportSize = 4 << 20 // bytes read of what the agent says, which may hold a whole prompt
	fieldSize  = 512     // bytes of a field that is passed on
	reportTime = 3 * time.Second
)

// agentReport passes on what an agent has given to its hook. Whatever happens it says nothing and does not
// fail: some agents take a hook's output for a part of the conversation, and its failure for a veto.
func agentReport(words []string) {
	if os.Getenv("STET") == "" || os.Getenv("STET_AGENT") == "" && os.Getenv("STET_PANE") == "" {
		return
	}
	timer := time.AfterFunc(reportTime, func() { os.Exit(0) })
	defer timer.Stop()
	event := ""
	if len(words) > 0 {
		if name, ok := strings.CutPrefix(words[0], "--event="); ok { // of an agent that does not say it
			event, words = name, words[1:]
		}
	}
	text := strings.Join(words, " ")
	if len(words) == 0 {
		b, err := io.ReadAll(io.LimitReader(os.Stdin, reportSize))
		if err != nil {
			return
		}
		text = string(b)
	}
	report, ok := shortReport([]byte(text), event)
	paths, err := resolve(options{})
	if !ok || err != nil {
		return
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return
	}
	defer null.Close()
	client.Run(context.Background(), client.Config{
		Name: "stet", Build: keeper.Build(), Argv: []string{"agent-report", report},
		Dial: func(context.Context) (net.Conn, bool, string, error) {
			c, err := sock.Connect(paths, nil)
			if err != nil {
				return nil, false, "", err
			}
			return c, false, "", nil
		},
		Stdin: null, Stdout: null, Stderr: null, Env: []string{"STET", "STET_PANE", "STET_AGENT"},
	})
}

// shortReport keeps the short fields of a report, without what its user has said. An event that is named is
// that of the report, whatever stands in it.
func shortReport(data []byte, event string) (string, bool) {
	var all map[string]json.RawMessage
	if json.Unmarshal(data, &all) != nil {
		return "", false
	}
	short := map[string]json.RawMessage{}
	for k, v := range all {
		if len(k) <= fieldSize && len(v) <= fieldSize && !strings.Contains(strings.ToLower(k), "prompt") && !strings.Contains(k, "message") {
			short[k] = v
		}
	}
	if event != "" {
		short["hook_event_name"], _ = json.Marshal(event)
	}
	b, err := json.Marshal(short)
	return string(b), err == nil && len(b) <= 64<<10
}
