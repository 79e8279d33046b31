package agent

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"strings"
)

// Started is how an agent is to be started, and what of it is kept.
type Started struct {
	Argv         []string // to be executed; it may hold prompts and secrets, and is never written to disk
	Conversation string   // as far as it is known before the start; "" if the agent chooses
	Kept         []string // arguments for a resume
	Dropped      []string // flags that a resume will not have
	Hooked       bool     // it was given hooks
}

// Reporter is how an agent tells stet of its events.
type Reporter struct {
	Hook   string // the shell command that it runs, "" for none
	Plugin string // the file that [Integration.WritePlugin] has written, "" for none
}

// Start plans a launch with the user's arguments. uuid is the id to choose where the agent lets us.
func (in *Integration) Start(args []string, uuid string, by Reporter) (Started, error) {
	if len(args) > MaxArgs {
		return Started{}, fmt.Errorf("%d arguments are too many (at most %d)", len(args), MaxArgs)
	}
	for _, w := range args {
		if strings.ContainsRune(w, 0) {
			return Started{}, fmt.Errorf("an argument holds NUL")
		}
	}
	if w := in.has(args, in.Launch.Refuse); w != "" {
		return Started{}, fmt.Errorf("%s %s has no conversation to come back to: run it in an ordinary pane", in.Command[0], w)
	}
	st := Started{Argv: append([]string(nil), in.Command...), Conversation: in.given(args)}
	st.Kept, st.Dropped = in.Carried(args)
	if len(in.Launch.NewID) > 0 && st.Conversation == "" && in.has(args, in.Launch.SkipNewID) == "" {
		if !in.Valid(uuid) {
			return Started{}, fmt.Errorf("%q is no id that %s takes", uuid, in.Name)
		}
		for _, w := range in.Launch.NewID {
			st.Argv = append(st.Argv, strings.ReplaceAll(w, "{uuid}", uuid))
		}
		st.Conversation = uuid
	}
	inject := in.injected(args, by)
	st.Hooked = len(inject) > 0
	st.Argv = append(st.Argv, inject...)
	st.Argv = append(st.Argv, args...)
	return st, nil
}

// Resumed is the command that makes the agent go on with a conversation. kept is what Start has kept; it is
// looked through again, since it may come from a file.
func (in *Integration) Resumed(conversation string, kept []string, by Reporter) ([]string, error) {
	switch {
	case in.Fresh:
		return nil, fmt.Errorf("%s starts fresh, by design", in.Name)
	case conversation == "":
		return nil, ErrNoID
	case !in.Valid(conversation):
		return nil, fmt.Errorf("%q is no conversation of %s", conversation, in.Name)
	}
	kept, _ = in.Carried(kept)
	var argv []string
	for _, w := range in.Resume.Argv {
		switch w {
		case "{carried}":
			argv = append(argv, kept...)
		case "{inject}":
			argv = append(argv, in.injected(kept, by)...)
		default:
			argv = append(argv, strings.ReplaceAll(w, "{id}", conversation))
		}
	}
	return argv, nil
}

// Hooked tells whether a resume with these arguments gives it hooks, so that it is heard of when it is up.
func (in *Integration) Hooked(kept []string, by Reporter) bool { return len(in.injected(kept, by)) > 0 }

// injected are the arguments that make the agent run the hook, unless the user's make that impossible.
func (in *Integration) injected(args []string, by Reporter) []string {
	if in.has(args, in.Launch.SkipInject) != "" {
		return nil
	}
	return by.fill(in.Launch.Inject)
}

// Variables are those of a launch that make the agent run the hook, as NAME=value. The user's own of that name
// go before.
func (in *Integration) Variables(by Reporter) []string { return by.fill(in.Launch.Environment) }

// fill puts what reports into words; nil where it is not there.
func (by Reporter) fill(words []string) []string {
	if by.Hook == "" || by.Plugin == "" && (count(words, "{plugin}") > 0 || count(words, "{plugin_url}") > 0) {
		return nil
	}
	// The command stands in a string of JSON, or of TOML, whose strings are written alike.
	at := url.URL{Scheme: "file", Path: by.Plugin}
	r := strings.NewReplacer("{hook}", quoted(by.Hook), "{plugin}", by.Plugin, "{plugin_url}", at.String())
	var out []string
	for _, w := range words {
		out = append(out, r.Replace(w))
	}
	return out
}

// NewUUID is a random id (RFC 9562, version 4).
func NewUUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
