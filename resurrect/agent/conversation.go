package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Why an agent is not resumed although nothing has failed.
var (
	// ErrNoID: the agent has not said yet which conversation it is in.
	ErrNoID = errors.New("it had not said which conversation it is in")
	// ErrNoTranscript: it has an id and has kept nothing under it, as before the first message.
	ErrNoTranscript = errors.New("nothing to resume yet: the conversation had no first message, or the agent has deleted it")
)

// Transcript looks for the agent's own file of a conversation. nil: it is there, or cannot be told. env are
// the variables that were kept of the launch, as NAME=value, and home is the user's directory.
func (in *Integration) Transcript(conversation string, kept, env []string, home string) error {
	if in.Resume.Needs == "" || in.has(kept, in.Resume.NeedsUnless) != "" || moved(env, in.Resume.NeedsUnless) {
		return nil
	}
	if !in.Valid(conversation) {
		return fmt.Errorf("%q is no conversation of %s", conversation, in.Name)
	}
	pattern, err := expandPath(in.Resume.Needs, conversation, env, home)
	if err != nil {
		return err
	}
	found, err := filepath.Glob(pattern)
	if err != nil {
		return fmt.Errorf("%s: %w", in.Resume.Needs, err)
	}
	if len(found) == 0 {
		return ErrNoTranscript
	}
	return nil
}

// moved tells whether one of the names is a variable with a value.
func moved(env, names []string) bool {
	return slices.ContainsFunc(env, func(e string) bool {
		name, value, _ := strings.Cut(e, "=")
		return value != "" && slices.Contains(names, name)
	})
}

// expandPath fills in a path. What comes from outside is taken as it is, with no sign of a pattern in it.
func expandPath(p, id string, env []string, home string) (string, error) {
	if rest, ok := strings.CutPrefix(p, "{env:"); ok {
		spec, rest, ok := strings.Cut(rest, "}")
		if !ok {
			return "", fmt.Errorf("%s: {env: has no end", p)
		}
		name, def, _ := strings.Cut(spec, "|")
		dir := ""
		for _, e := range env {
			if v, ok := strings.CutPrefix(e, name+"="); ok {
				dir = v
			}
		}
		if dir != "" && !filepath.IsAbs(dir) {
			return "", fmt.Errorf("%s=%s is not an absolute directory", name, dir)
		}
		if dir == "" {
			if def = strings.TrimPrefix(def, "~/"); def == "" {
				return "", fmt.Errorf("%s is not set", name)
			}
			dir = filepath.Join(home, def)
		}
		p = literal(dir) + rest
	}
	short := id
	if len(short) > 8 {
		short = short[:8]
	}
	return strings.NewReplacer("{home}", literal(home), "{id}", literal(id), "{id8}", literal(short)).Replace(p), nil
}

// literal is a text as a part of a pattern that means just that.
func literal(s string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(s)
}

// Kept are the variables of an environment that a resume needs, as NAME=value in the order of their names.
func (in *Integration) Kept(env []string) []string {
	var out []string
	for _, e := range env {
		name, value, ok := strings.Cut(e, "=")
		if ok && slices.Contains(in.Environment.Names, name) && len(value) <= MaxWord && !strings.ContainsRune(value, 0) {
			out = append(out, e)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Report reads what an agent has given to its hook: the conversation that it is in. "" without an error is a
// report that says nothing of that, as of a helper or at another event.
func (in *Integration) Report(data []byte) (conversation string, err error) {
	if len(in.Hook.ID) == 0 {
		return "", nil
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return "", fmt.Errorf("the report is no JSON object: %w", err)
	}
	if in.elsewhere(m) || !slices.Contains(in.Hook.Events, text(m[in.Hook.Event])) {
		return "", nil
	}
	for _, k := range in.Hook.ID {
		if !set(m[k]) {
			continue
		}
		id := text(m[k])
		if !in.Valid(id) {
			return "", fmt.Errorf("%s %.80q is no conversation of %s", k, id, in.Name)
		}
		return id, nil
	}
	return "", fmt.Errorf("the report has no %s", strings.Join(in.Hook.ID, ", "))
}

// elsewhere says of a report that it is about another conversation, of a helper, or about one that is not kept.
func (in *Integration) elsewhere(report map[string]json.RawMessage) bool {
	return slices.ContainsFunc(in.Hook.Drop, func(k string) bool { return set(report[k]) }) ||
		slices.ContainsFunc(in.Hook.Need, func(k string) bool { return !set(report[k]) })
}

func set(m json.RawMessage) bool { return len(m) > 0 && string(m) != "null" }

// text is a JSON string's text, "" for anything else.
func text(m json.RawMessage) string {
	var s string
	if json.Unmarshal(m, &s) != nil {
		return ""
	}
	return s
}

// Fields are the names of all the keys that reports are read by.
func (h *Hook) Fields() []string {
	return slices.Concat([]string{h.Event}, h.ID, h.Drop, h.Need)
}
