package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"stet/resurrect"
)

// Schema is the number of the integration format that this build reads.
const Schema = 1

// Bounds of what an integration, a launch and an id may hold.
const (
	MaxFile    = 64 << 10 // bytes of an integration
	MaxID      = 256      // bytes of a conversation id
	MaxPattern = 512      // bytes of a pattern
	MaxArgs    = 256      // words of a launch
	MaxWord    = 8 << 10  // bytes of one of them that is kept
	maxList    = 256      // words of a list in an integration
)

// Integration is what stet knows of one agent. It must not be changed once it is read.
type Integration struct {
	Schema       int    `toml:"schema"`
	ID           string `toml:"id"`           // what people call it by: lower-case letters, digits, '-'
	Name         string `toml:"name"`         // as its maker writes it
	Tested       string `toml:"tested"`       // versions that it was tried with; for people only
	Experimental bool   `toml:"experimental"` // put together from descriptions, never tried with the program itself
	Fresh        bool   `toml:"fresh"`        // it has no conversation that could be resumed, by its design
	Limit        string `toml:"limit"`        // what people should know

	Command      []string     `toml:"command"` // what starts it; the first word is looked up in PATH
	Process      Process      `toml:"process"`
	Conversation Conversation `toml:"conversation"`
	Launch       Launch       `toml:"launch"`
	Hook         Hook         `toml:"hook"`
	Install      []Install    `toml:"install"`
	Resume       Resume       `toml:"resume"`
	Carry        Carry        `toml:"carry"`
	Environment  Environment  `toml:"environment"`
	Status       Status       `toml:"status"`

	File string `toml:"-"` // where it comes from; "" for a built-in one
	id   *regexp.Regexp
}

// Process tells the agent's processes from others.
type Process struct {
	Comm  []string `toml:"comm"`  // the kernel's short name
	Argv0 []string `toml:"argv0"` // base name of the program as it was called
	// Script is the base name of what an interpreter (node, bun, python) runs.
	Script []string `toml:"script"`
	// Relaunches: the agent starts itself again below itself, so that a process of the same agent directly
	// below one is the same agent. For all others it is another one, which it has been told to run.
	Relaunches bool `toml:"relaunches"`
}

// Conversation is how the agent names its conversations.
type Conversation struct {
	Pattern string   `toml:"pattern"`  // of a whole id: begins with ^ and ends with $
	GivenBy []string `toml:"given_by"` // flags whose value is the id of the conversation to be in
	// Forks are flags under which the agent is in another conversation than the one that is given.
	Forks []string `toml:"forks"`
}

// Launch is how the agent is started by stet.
type Launch struct {
	NewID  []string `toml:"new_id"` // arguments that choose the id {uuid}; empty: the agent chooses
	Inject []string `toml:"inject"` // arguments that make it run {hook} at its events
	// Environment are variables, as NAME=value, that do. In both, {plugin} is a file of stet's own with the first
	// Text of Install in it, and {plugin_url} is the same as a URL.
	Environment []string `toml:"environment"`
	// SkipIf are arguments that make one of these impossible, or mean that the user has done so already.
	SkipNewID  []string `toml:"skip_new_id"`
	SkipInject []string `toml:"skip_inject"`
	// Refuse are arguments under which there is no conversation to come back to.
	Refuse []string `toml:"refuse"`
}

// Hook is how the agent tells which conversation it is in: JSON on the standard input of a command.
type Hook struct {
	Event  string   `toml:"event"`  // key of the event's name
	Events []string `toml:"events"` // events that name the conversation
	ID     []string `toml:"id"`     // keys of the id; the first that is there
	Drop   []string `toml:"drop"`   // keys whose presence says that it is about another conversation, of a helper
	Need   []string `toml:"need"`   // keys without which it is about a conversation that is not kept
	Setup  string   `toml:"setup"`  // what the user has to do, where neither Launch.Inject nor Install does
}

// Resume is how the agent is told to go on.
type Resume struct {
	// Argv is the command. {id} is the conversation; the words {carried} and {inject} stand for what was
	// kept of the launch and for Launch.Inject.
	Argv []string `toml:"argv"`
	// Needs is the agent's own file of a conversation, without which there is nothing to resume: a path with
	// * and {id}, {id8}, {home} and {env:NAME|default}. Empty: it cannot be told.
	Needs string `toml:"needs"`
	// NeedsUnless are arguments, and names among Environment.Names, that put that file where it cannot be told.
	NeedsUnless []string `toml:"needs_unless"`
}

// Carry is the grammar of the agent's arguments. What is not listed is not kept, and what is no flag is a
// prompt, which is never kept.
type Carry struct {
	Flag     []string `toml:"flag"`     // alone
	Value    []string `toml:"value"`    // with a value
	Variadic []string `toml:"variadic"` // with all words behind it that are no flags
	Drop     []string `toml:"drop"`     // with a value, and not kept
	Guarded  []string `toml:"guarded"`  // of Value and Variadic: not kept when the value looks like a secret
}

// Environment lists variables that say where the agent keeps its conversations.
type Environment struct {
	Names []string `toml:"names"`
}

// Parse reads an integration. The file's name is used in errors only; every error is a
// *[resurrect.FileError].
func Parse(file string, data []byte) (*Integration, error) {
	if len(data) > MaxFile {
		return nil, &resurrect.FileError{File: file, Why: fmt.Sprintf("is larger than %d bytes", MaxFile)}
	}
	if !utf8.Valid(data) {
		return nil, &resurrect.FileError{File: file, Why: "is not UTF-8"}
	}
	in := &Integration{}
	at, err := resurrect.ReadStrict(file, data, in)
	if err != nil {
		return nil, err
	}
	if err := in.check(at); err != nil {
		return nil, err
	}
	return in, nil
}

type placed func(why string, keys ...string) error

func (in *Integration) check(at placed) error {
	switch {
	case in.Schema == 0:
		return at("is missing: write schema = 1", "schema")
	case in.Schema != Schema:
		return at(fmt.Sprintf("is %d, and this build reads %d", in.Schema, Schema), "schema")
	case !ValidName(in.ID):
		return at(fmt.Sprintf("%q should be 1 to 32 lower-case letters, digits and '-', with a letter in front", in.ID), "id")
	case strings.TrimSpace(in.Name) == "":
		return at("is missing", "name")
	case len(in.Command) == 0 || in.Command[0] == "":
		return at("is missing: the words that start the agent", "command")
	}
	if err := in.checkLists(at); err != nil {
		return err
	}
	if err := in.Status.check(at, in.Hook.Event != ""); err != nil {
		return err
	}
	if in.Fresh {
		if len(in.Resume.Argv) > 0 {
			return at("an agent that starts fresh by design has none", "resume", "argv")
		}
		return nil
	}
	if err := in.checkPattern(at); err != nil {
		return err
	}
	return in.checkArgv(at)
}

// checkLists bounds the lists, and keeps out words that no program can be given.
func (in *Integration) checkLists(at placed) error {
	for _, l := range []struct {
		keys  []string
		words []string
		flags bool
	}{
		{[]string{"command"}, in.Command, false},
		{[]string{"process", "comm"}, in.Process.Comm, false},
		{[]string{"process", "argv0"}, in.Process.Argv0, false},
		{[]string{"process", "script"}, in.Process.Script, false},
		{[]string{"conversation", "given_by"}, in.Conversation.GivenBy, true},
		{[]string{"conversation", "forks"}, in.Conversation.Forks, true},
		{[]string{"launch", "new_id"}, in.Launch.NewID, false},
		{[]string{"launch", "inject"}, in.Launch.Inject, false},
		{[]string{"launch", "environment"}, in.Launch.Environment, false},
		{[]string{"launch", "skip_new_id"}, in.Launch.SkipNewID, false},
		{[]string{"launch", "skip_inject"}, in.Launch.SkipInject, false},
		{[]string{"launch", "refuse"}, in.Launch.Refuse, false},
		{[]string{"hook", "events"}, in.Hook.Events, false},
		{[]string{"hook", "id"}, in.Hook.ID, false},
		{[]string{"hook", "drop"}, in.Hook.Drop, false},
		{[]string{"hook", "need"}, in.Hook.Need, false},
		{[]string{"resume", "argv"}, in.Resume.Argv, false},
		{[]string{"resume", "needs_unless"}, without(in.Resume.NeedsUnless, in.Environment.Names), true},
		{[]string{"carry", "flag"}, in.Carry.Flag, true},
		{[]string{"carry", "value"}, in.Carry.Value, true},
		{[]string{"carry", "variadic"}, in.Carry.Variadic, true},
		{[]string{"carry", "drop"}, in.Carry.Drop, true},
		{[]string{"carry", "guarded"}, in.Carry.Guarded, true},
		{[]string{"environment", "names"}, in.Environment.Names, false},
		{[]string{"status", "working"}, in.Status.Working, false},
		{[]string{"status", "blocked"}, in.Status.Blocked, false},
		{[]string{"status", "idle"}, in.Status.Idle, false},
		{[]string{"status", "error"}, in.Status.Error, false},
		{[]string{"status", "file", "working"}, in.Status.File.Working, false},
		{[]string{"status", "file", "blocked"}, in.Status.File.Blocked, false},
		{[]string{"status", "file", "idle"}, in.Status.File.Idle, false},
		{[]string{"status", "file", "error"}, in.Status.File.Error, false},
	} {
		if len(l.words) > maxList {
			return at(fmt.Sprintf("has more than %d words", maxList), l.keys...)
		}
		for _, w := range l.words {
			switch {
			case w == "" || len(w) > MaxWord || strings.ContainsRune(w, 0):
				return at("has a word that is empty, too long or holds NUL", l.keys...)
			case l.flags && (w[0] != '-' || strings.Trim(w, "-") == "" || strings.ContainsAny(w, "= \t\n")):
				return at(fmt.Sprintf("%q is no flag: it begins with '-', and its value is not part of it", w), l.keys...)
			}
		}
	}
	for i := range in.Install {
		if why := in.Install[i].check(); why != "" {
			return at(why, "install")
		}
	}
	for _, e := range in.Launch.Environment {
		if name, _, ok := strings.Cut(e, "="); !ok || !plainVariable.MatchString(name) {
			return at(fmt.Sprintf("%q is no NAME=value", e), "launch", "environment")
		}
	}
	if l := slices.Concat(in.Launch.Inject, in.Launch.Environment); count(l, "{plugin}")+count(l, "{plugin_url}") > 0 && in.plugin() == nil {
		return at("has {plugin}, and no [[install]] has the text of one", "launch")
	}
	for _, n := range in.Environment.Names {
		if !validVariable(n) {
			return at(fmt.Sprintf("%q is no name of a variable, or one that may hold a secret", n), "environment", "names")
		}
	}
	for _, g := range in.Carry.Guarded {
		if !slices.Contains(in.Carry.Value, g) && !slices.Contains(in.Carry.Variadic, g) {
			return at(fmt.Sprintf("%q is neither in value nor in variadic", g), "carry", "guarded")
		}
	}
	return nil
}

// strangers are words that no pattern of ids may take.
var strangers = [...]string{"", "-", "--", "--help", "-x", "..", "../x", "a/../../b", "a b", "a\nb", "a\n", "é", "a\x00b", "$(x)", "`x`", "a;b", "*"}

func (in *Integration) checkPattern(at placed) error {
	p := in.Conversation.Pattern
	switch {
	case p == "":
		return at("is missing: what a whole id looks like", "conversation", "pattern")
	case len(p) > MaxPattern:
		return at(fmt.Sprintf("is longer than %d bytes", MaxPattern), "conversation", "pattern")
	case !strings.HasPrefix(p, "^") || !strings.HasSuffix(p, "$") || strings.HasSuffix(p, `\$`):
		return at("must begin with ^ and end with $, or a part of a word would do", "conversation", "pattern")
	}
	re, err := regexp.Compile(`\A(?:` + p[1:len(p)-1] + `)\z`)
	if err != nil {
		return at(err.Error(), "conversation", "pattern")
	}
	for _, s := range strangers {
		if re.MatchString(s) {
			return at(fmt.Sprintf("takes %q, which is no id", s), "conversation", "pattern")
		}
	}
	in.id = re
	return nil
}

func (in *Integration) checkArgv(at placed) error {
	r := in.Resume
	switch {
	case len(r.Argv) == 0:
		return at("is missing: the words that resume {id}; an agent that cannot says fresh = true", "resume", "argv")
	case strings.Contains(r.Argv[0], "{"):
		return at("must begin with the program's name", "resume", "argv")
	case count(r.Argv, "{id}") != 1:
		return at("must have {id} once: only a conversation that is named is resumed", "resume", "argv")
	case countWord(r.Argv, "{carried}") > 1 || countWord(r.Argv, "{inject}") > 1:
		return at("has {carried} or {inject} more than once", "resume", "argv")
	case len(in.Launch.NewID) > 0 && count(in.Launch.NewID, "{uuid}") != 1:
		return at("must have {uuid} once", "launch", "new_id")
	case len(in.Launch.NewID) > 0 && !in.Valid(sampleUUID):
		return at("the pattern of ids takes no UUID, which is what is chosen", "launch", "new_id")
	case len(in.Hook.ID) > 0 && (in.Hook.Event == "" || len(in.Hook.Events) == 0):
		return at("an id needs event and events, which say when it is the conversation's", "hook", "id")
	case r.Needs != "" && !strings.Contains(r.Needs, "{id}") && !strings.Contains(r.Needs, "{id8}"):
		return at("must name the conversation: {id} or {id8}", "resume", "needs")
	case r.Needs != "" && !strings.HasPrefix(r.Needs, "/") && !strings.HasPrefix(r.Needs, "{home}") && !strings.HasPrefix(r.Needs, "{env:"):
		return at("must begin with /, {home} or {env:NAME|default}", "resume", "needs")
	}
	return nil
}

// without are the words that are not among others.
func without(words, others []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(others, w) })
}

// sampleUUID has the form of what NewUUID gives.
const sampleUUID = "01234567-89ab-4def-8123-456789abcdef"

func count(words []string, what string) (n int) {
	for _, w := range words {
		n += strings.Count(w, what)
	}
	return n
}

func countWord(words []string, what string) (n int) {
	for _, w := range words {
		if w == what {
			n++
		}
	}
	return n
}

// ValidName tells whether a word may name an integration.
func ValidName(s string) bool {
	if s == "" || len(s) > 32 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

// plainVariable is a name of a variable that may be given; npm reads its own in lower case.
var plainVariable = regexp.MustCompile(`\A[A-Za-z_][A-Za-z0-9_]*\z`)

// validVariable says that a variable's value may be written to disk.
func validVariable(s string) bool {
	if s == "" || len(s) > 64 || secretName.MatchString(s) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

var secretName = regexp.MustCompile(`(?i)(token|secret|passw|api[-_]?key|credential|authorization|bearer)`)

// Valid tells whether a word is, as a whole, an id of the agent's conversations.
func (in *Integration) Valid(id string) bool {
	return in.id != nil && id != "" && len(id) <= MaxID && id[0] != '-' && in.id.MatchString(id)
}
