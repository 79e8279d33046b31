package agent

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Word is what an agent says of itself.
type Word string

// The words. That a turn is over and nobody has looked at it yet is not said by agents: it follows.
const (
	Working Word = "working" // on a turn
	Blocked Word = "blocked" // it waits for an answer of its user
	Idle    Word = "idle"    // it waits for the next prompt
	Failed  Word = "error"   // its turn was ended by an error
)

// Bounds of the status of an agent.
const (
	DefaultQuiet = 60      // seconds
	maxQuiet     = 86400   // seconds
	MaxStateFile = 1 << 20 // bytes of an agent's state file
	maxTitle     = 1024    // bytes of a title or notification that patterns look at
)

// Status is how the agent says what it does. Everything in it is optional; an agent without any of it is one
// of which nothing is known.
type Status struct {
	// Events of the hook. One with a '/' is an event of which the field Detail has the value behind it.
	Working []string `toml:"working"`
	Blocked []string `toml:"blocked"`
	Idle    []string `toml:"idle"`
	Error   []string `toml:"error"`
	Detail  string   `toml:"detail"` // key of the report
	// Progress: progress bars (OSC 9;4) say that it works, and that it has ended to.
	Progress bool `toml:"progress"`
	// Bell is the word that a bell stands for, "" none.
	Bell string `toml:"bell"`
	// Quiet is after how many seconds without any output an agent that is said to work is not believed to any
	// more; 0 is DefaultQuiet.
	Quiet  int       `toml:"quiet"`
	Title  Patterns  `toml:"title"`  // of its terminal's title
	Notify Patterns  `toml:"notify"` // of its notifications (OSC 9, 99 and 777)
	File   StateFile `toml:"file"`
}

// Patterns are expressions that begin with ^, so that what an agent quotes is not taken for its own.
type Patterns struct {
	Working string `toml:"working"`
	Blocked string `toml:"blocked"`
	Idle    string `toml:"idle"`
	Error   string `toml:"error"`
	rules   []rule
}

type rule struct {
	re   *regexp.Regexp
	word Word
}

// StateFile is a JSON file in which an agent keeps what it does.
type StateFile struct {
	Path string `toml:"path"` // as in Resume.Needs, with {pid} and no pattern
	Key  string `toml:"key"`  // of the word
	// Conversation is the key of the conversation's id; "" not there.
	Conversation string   `toml:"conversation"`
	Started      string   `toml:"started"` // key of the process's start, in clock ticks since boot; "" not there
	Working      []string `toml:"working"` // values
	Blocked      []string `toml:"blocked"`
	Idle         []string `toml:"idle"`
	Error        []string `toml:"error"`
}

// lists are the words of a status with what stands for each.
func lists(working, blocked, idle, failed []string) [4][]string {
	return [4][]string{blocked, failed, working, idle} // the first that matches counts
}

var words = [4]Word{Blocked, Failed, Working, Idle}

func (st *Status) check(at placed, hasHook bool) error {
	for i, l := range lists(st.Working, st.Blocked, st.Idle, st.Error) {
		key := string(words[i])
		if len(l) > 0 && !hasHook {
			return at("needs [hook] event, which says what an event is called", "status", key)
		}
		for _, e := range l {
			if strings.Contains(e, "/") && st.Detail == "" {
				return at(fmt.Sprintf("%q needs detail, the key of what stands behind the '/'", e), "status", key)
			}
		}
	}
	switch {
	case st.Quiet < 0 || st.Quiet > maxQuiet:
		return at(fmt.Sprintf("is %d, and should be 0 to %d seconds", st.Quiet, maxQuiet), "status", "quiet")
	case st.Bell != "" && !slices.Contains(words[:], Word(st.Bell)):
		return at(fmt.Sprintf("%q is none of working, blocked, idle and error", st.Bell), "status", "bell")
	}
	if err := st.Title.compile(at, "title"); err != nil {
		return err
	}
	if err := st.Notify.compile(at, "notify"); err != nil {
		return err
	}
	return st.File.check(at)
}

func (p *Patterns) compile(at placed, section string) error {
	p.rules = nil
	for i, text := range [4]string{p.Blocked, p.Error, p.Working, p.Idle} {
		key := string(words[i])
		switch {
		case text == "":
			continue
		case len(text) > MaxPattern:
			return at(fmt.Sprintf("is longer than %d bytes", MaxPattern), "status", section, key)
		case !strings.HasPrefix(text, "^"):
			return at("must begin with ^, or what an agent quotes would do", "status", section, key)
		}
		re, err := regexp.Compile(`\A(?:` + text[1:] + `)`)
		if err != nil {
			return at(err.Error(), "status", section, key)
		}
		if re.MatchString("") {
			return at("takes an empty text", "status", section, key)
		}
		p.rules = append(p.rules, rule{re, words[i]})
	}
	return nil
}

// Word is what a text says, "" nothing.
func (p *Patterns) Word(text string) Word {
	text = text[:min(len(text), maxTitle)]
	for _, r := range p.rules {
		if r.re.MatchString(text) {
			return r.word
		}
	}
	return ""
}

func (f *StateFile) check(at placed) error {
	any := len(f.Working)+len(f.Blocked)+len(f.Idle)+len(f.Error) > 0
	switch {
	case f.Path == "" && (f.Key != "" || f.Started != "" || any):
		return at("is missing: which file it is", "status", "file", "path")
	case f.Path == "":
		return nil
	case f.Key == "" || !any:
		return at("says nothing without key and one of working, blocked, idle and error", "status", "file", "path")
	case f.Conversation != "" && f.Started == "":
		return at("needs started as well: a file that is left of another process of that number must not count", "status", "file", "conversation")
	case strings.ContainsAny(f.Path, "*?[") || strings.Contains(f.Path, "{id"):
		return at("names one file: it has {pid}, {home} and {env:NAME|default}, and no pattern", "status", "file", "path")
	case !strings.Contains(f.Path, "{pid}"):
		return at("must name the process: {pid}", "status", "file", "path")
	case !strings.HasPrefix(f.Path, "/") && !strings.HasPrefix(f.Path, "{home}") && !strings.HasPrefix(f.Path, "{env:"):
		return at("must begin with /, {home} or {env:NAME|default}", "status", "file", "path")
	}
	return nil
}

// QuietTime is after how many seconds without output the agent is not believed to work.
func (st *Status) QuietTime() int {
	if st.Quiet == 0 {
		return DefaultQuiet
	}
	return st.Quiet
}

// Event is what a report to the hook says of the agent's status, "" nothing, and the event's name. A report
// that is of a helper or of a conversation that is not kept, or is none, says nothing.
func (in *Integration) Event(data []byte) (word Word, event string) {
	if in.Hook.Event == "" {
		return "", ""
	}
	var m map[string]json.RawMessage
	if json.Unmarshal(data, &m) != nil {
		return "", ""
	}
	event = text(m[in.Hook.Event])
	if in.elsewhere(m) || event == "" || len(event) > MaxID {
		return "", ""
	}
	long := event
	if d := text(m[in.Status.Detail]); in.Status.Detail != "" && d != "" && len(d) <= MaxID {
		long += "/" + d
	}
	st := &in.Status
	for _, name := range []string{long, event} {
		for i, l := range lists(st.Working, st.Blocked, st.Idle, st.Error) {
			if slices.Contains(l, name) {
				return words[i], long
			}
		}
	}
	return "", long
}

// Subject is the conversation that a report is about, "" where it names none.
func (in *Integration) Subject(data []byte) string {
	var m map[string]json.RawMessage
	if json.Unmarshal(data, &m) != nil {
		return ""
	}
	for _, k := range in.Hook.ID {
		if id := text(m[k]); in.Valid(id) {
			return id
		}
	}
	return ""
}

// Place is the path of the state file of a process; "" for an agent that has none.
func (f *StateFile) Place(pid int, env []string, home string) (string, error) {
	if f.Path == "" {
		return "", nil
	}
	p, err := expandPlain(f.Path, env, home)
	if err != nil {
		return "", err
	}
	return strings.ReplaceAll(p, "{pid}", strconv.Itoa(pid)), nil
}

// Read is what a state file says of the process that has started at a time, in clock ticks since boot; 0 is not
// known, and then only a file that does not name it is believed. "" without an error says nothing that is
// known.
func (f *StateFile) Read(data []byte, started uint64) (Word, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return "", fmt.Errorf("it is no JSON object: %w", err)
	}
	if f.Started != "" {
		said := strings.Trim(string(m[f.Started]), `"`)
		if n, err := strconv.ParseUint(said, 10, 64); err != nil || n != started || started == 0 {
			return "", fmt.Errorf("it is of another process: %s is %.40q, not %d", f.Started, said, started)
		}
	}
	value := text(m[f.Key])
	for i, l := range lists(f.Working, f.Blocked, f.Idle, f.Error) {
		if slices.Contains(l, value) {
			return words[i], nil
		}
	}
	return "", nil
}
