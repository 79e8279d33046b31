package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"stet/client"
	"stet/config"
	"stet/resurrect/agent"
	"stet/server"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/sock"
	"stet/vt/width"
)

// completion prints what a shell is to read.
func completion(shell string, out io.Writer) int {
	text, err := command.CompletionScript(shell)
	if err == nil {
		_, err = io.WriteString(out, text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// completeVerb is how a shell's script asks, see package completions:
//
//	stet __complete bash COMP_WORDBREAKS LINE-TO-THE-CURSOR
//	stet __complete zsh|fish WORD... (those behind stet; the last is the one being typed)
const completeVerb = "__complete"

// Bounds of an answer. Somebody waits in front of a shell: a server that does not answer is left alone.
const (
	answerTime = time.Second
	answerSize = 1 << 20
	maxTyped   = 64 << 10 // bytes of a command line that is looked at
	noteWidth  = 90
)

// complete answers a shell. Whatever happens, it says nothing else: the person is in the middle of a line.
func complete(args []string, out io.Writer) int {
	size := 0
	for _, a := range args {
		size += len(a)
	}
	if len(args) < 2 || size > maxTyped || sock.CheckUser() != nil {
		return 1
	}
	var text string
	switch shell := args[0]; shell {
	case "bash":
		if len(args) != 3 {
			return 1
		}
		l := splitLine(args[2])
		text = forBash(offerWords(l.words), l, args[1])
	case "fish":
		// It gives the word that is typed as it stands there, whose quotes are much like those of bash.
		last := len(args) - 1
		if l := splitLine("stet " + args[last]); len(l.words) == 1 {
			args[last] = l.words[0]
		}
		text = withNotes(offerWords(args[1:]))
	case "zsh":
		text = withNotes(offerWords(args[1:]))
	default:
		return 1
	}
	if _, err := io.WriteString(out, text); err != nil {
		return 1
	}
	return 0
}

// offerWords finds what may stand at the last of the words behind stet.
func offerWords(words []string) command.Offer {
	last := len(words) - 1
	word := words[last]
	o, err := parse(words[:last])
	if err != nil {
		return valueOfGlobal(words[:last], word)
	}
	if len(o.argv) == 0 && strings.HasPrefix(word, "-") && (last == 0 || words[last-1] != "--") {
		var offer command.Offer
		for _, f := range command.GlobalFlags() {
			if c := (command.Candidate{Text: "-" + f.Letter, Note: f.Help}); strings.HasPrefix(c.Text, word) {
				offer.Candidates = append(offer.Candidates, c)
			}
		}
		return offer
	}
	words = append(o.argv[:len(o.argv):len(o.argv)], word)
	if offer, ok := askServer(o, words); ok {
		return offer
	}
	return command.CompleteWords(alone(), nil, words)
}

// valueOfGlobal completes the value of a flag in front of the command, where that is what is missing.
func valueOfGlobal(before []string, word string) (offer command.Offer) {
	if len(before) == 0 {
		return offer
	}
	if _, err := parse(append(before[:len(before):len(before)], word)); err != nil {
		return offer // wrong as it stands
	}
	flag := before[len(before)-1]
	if !strings.HasSuffix(flag, "L") {
		return command.Offer{Shell: "files"}
	}
	p, err := sock.Resolve(sock.Options{})
	if err != nil {
		return offer
	}
	list, err := os.ReadDir(p.Runtime)
	if err != nil {
		return offer
	}
	for _, e := range list {
		if e.Type()&os.ModeSocket != 0 && strings.HasPrefix(e.Name(), word) && !strings.HasPrefix(e.Name(), ".") {
			offer.Candidates = append(offer.Candidates, command.Candidate{Text: e.Name()})
		}
	}
	return offer
}

// alone is what there is without a server.
func alone() *command.Alone {
	return command.NewAlone(
		func() *agent.Set { return agent.Load(server.AgentsDir(os.Getenv)) },
		func() []config.Session {
			path := config.Find(os.Getenv)
			if path == "" {
				return nil
			}
			c, err := config.Load(path, config.Options{})
			if c == nil || err != nil {
				return nil // told when a server reads it
			}
			return c.Sessions
		})
}

// askServer asks the server that the words are for. It starts none, wakes none, and waits for none: ok is
// false where there is no answer.
func askServer(o options, words []string) (offer command.Offer, ok bool) {
	paths, err := resolve(o)
	if err != nil {
		return offer, false
	}
	st, err := sock.Look(paths)
	if err != nil || st.Kind != sock.Running {
		return offer, false
	}
	question, err := json.Marshal(words)
	if err != nil {
		return offer, false
	}
	answer, err := query(paths, st.Owner.Socket, string(question))
	if err != nil || json.Unmarshal(answer, &offer) != nil {
		return command.Offer{}, false
	}
	return offer, true
}

// query runs the question as a command line of its own, whose output is read here. When the time is over it
// is left behind, and ends with this process.
func query(p sock.Paths, owners, question string) ([]byte, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel() // that closes its connection
	if err := r.SetReadDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, err
	}
	status := make(chan int, 1)
	go func() {
		code := client.Run(ctx, client.Config{
			Name: "stet", Build: keeper.Build(), Argv: []string{command.WordsCommand, question},
			Dial: func(context.Context) (net.Conn, bool, string, error) {
				c, err := sock.Dial(p.Socket)
				if err != nil && owners != "" {
					c, err = sock.Dial(owners) // it listens elsewhere
				}
				if err != nil {
					return nil, false, "", err
				}
				return c, false, "", nil
			},
			Stdin: null, Stdout: w, Stderr: null, Env: []string{"STET", "STET_PANE"},
		})
		status <- code
		w.Close()
	}()
	b, err := io.ReadAll(io.LimitReader(r, answerSize))
	if err != nil {
		return nil, err
	}
	if code := <-status; code != 0 {
		return nil, fmt.Errorf("the server does not know: %d", code)
	}
	return bytes.TrimSpace(b), nil
}

// kindOf is the first line of an answer.
func kindOf(o command.Offer) string {
	switch {
	case o.Shell != "":
		return o.Shell
	case len(o.Candidates) == 1 && goesOn(o.Candidates[0].Text):
		return "part"
	}
	return "words"
}

// goesOn says that a word is not finished: a window follows a session, a value a long flag.
func goesOn(word string) bool { return strings.HasSuffix(word, ":") || strings.HasSuffix(word, "=") }

// withNotes is the answer for zsh and fish.
func withNotes(o command.Offer) string {
	var b strings.Builder
	b.WriteString(kindOf(o) + "\n")
	for _, c := range o.Candidates {
		b.WriteString(c.Text + "\t" + shortNote(c.Note) + "\n")
	}
	return b.String()
}

// shortNote is the first sentence of a help, as far as it fits in a line.
func shortNote(note string) string {
	note, _, _ = strings.Cut(note, ". ")
	note = strings.TrimSuffix(note, ".")
	if width.String(note) <= noteWidth {
		return note
	}
	cells := 0
	for i, r := range note {
		if cells += width.Rune(r); cells >= noteWidth {
			return strings.TrimSpace(note[:i]) + "…"
		}
	}
	return note
}

// forBash is the answer for bash: the words as they are to stand in the line, from where bash takes the word
// to begin.
func forBash(o command.Offer, l typed, breaks string) string {
	var b strings.Builder
	b.WriteString(kindOf(o) + "\n")
	cut, quote := l.cut(breaks)
	for _, c := range o.Candidates {
		rest, ok := strings.CutPrefix(c.Text, cut)
		if !ok {
			continue // it does not begin as what was typed does
		}
		if text, ok := quoted(rest, quote); ok {
			b.WriteString(text + "\n")
		}
	}
	return b.String()
}
