// Package format expands tmux's formats: "#{pane_id}", "#{?a,b,c}",
// "#{s/a/b/:name}", "#S", "#(command)".
//
// It knows the language, not the variables: those come from a Lookup, and what
// needs more than a name (loops over windows, searching a pane) from the
// optional interfaces beside it. "#[…]" is left for package style.
//
// A format never fails and never panics. As in tmux, a malformed part ends the
// output there. Depth, steps and the amount of text made are bounded, so that a
// format that refers to itself ends too. The package keeps no state.
package format

import (
	"fmt"
	"strings"
	"time"
)

// Lookup gives values to names: variables, options, the environment. It is
// false for a name that means nothing.
type Lookup interface {
	Variable(name string) (string, bool)
}

// Func is a Lookup made of a function.
type Func func(name string) (string, bool)

// Variable calls f.
func (f Func) Variable(name string) (string, bool) { return f(name) }

// Map is a Lookup made of a map.
type Map map[string]string

// Variable looks the name up.
func (m Map) Variable(name string) (string, bool) { v, ok := m[name]; return v, ok }

// Kind is what a loop goes over or a name belongs to.
type Kind uint8

// The kinds: #{S:…}, #{W:…} and #{P:…}.
const (
	Sessions Kind = iota
	Windows
	Panes
)

// Looper is a Lookup that knows what is in it: all sessions, the windows of
// its session, the panes of its window.
type Looper interface {
	// Loop calls f for each one in order, with what it is looked up in and
	// whether it is the current one, until f returns false. It returns false
	// when there is nothing to loop over.
	Loop(k Kind, f func(item Lookup, current bool) bool) bool
}

// Namer is a Lookup that knows which names are taken (#{N/w:…} for Windows of
// the session, #{N/s:…} for Sessions).
type Namer interface {
	HasName(k Kind, name string) bool
}

// Searcher is a Lookup with a pane whose screen can be searched (#{C:…}).
type Searcher interface {
	// Search returns the line, from 1, that has the pattern, 0 for none. The
	// pattern is a glob to be found anywhere in a line, or a regular expression.
	Search(pattern string, regex, ignoreCase bool) int
}

// Runner is a Lookup that knows what shell commands say at its place (#(…)). It must not wait; see
// Options.Job, which goes before it.
type Runner interface {
	Job(command string) string
}

// Options are the rest of what expanding depends on.
type Options struct {
	// Now is the time for strftime and for telling how long ago something was;
	// zero takes the clock.
	Now time.Time
	// Strftime replaces "%H" and the like in the format (not in the values of
	// variables) before it is expanded, as in status lines and messages.
	Strftime bool
	// Job returns the present output of a shell command for #(…), one line.
	// It must not wait. Formats in the output are expanded, #(…) is not. Nil
	// gives nothing.
	Job func(command string) string
	// Trace hears of each step, to find out why a format gives what it does: depth is 1 for the format
	// itself, and one more for each format inside another. Nil for nobody.
	Trace func(depth int, step string)
}

// Bounds of one Expand.
const (
	maxDepth  = 100     // expansions inside each other
	maxSteps  = 50000   // expansions and replacements
	maxOutput = 1 << 20 // bytes made, including what is thrown away again
	maxValue  = 64 << 10
)

// Expand expands a format.
func Expand(text string, l Lookup, o Options) string {
	if !strings.ContainsAny(text, "#%") && o.Trace == nil {
		return text
	}
	e := &expander{opts: o, budget: &budget{}}
	return e.expand(scope{look: l, timed: o.Strftime, jobs: true}, text)
}

// True tells whether a value counts as true: anything but nothing and "0".
func True(value string) bool { return value != "" && value != "0" }

// expander does one Expand.
type expander struct {
	opts   Options
	budget *budget
}

type budget struct{ steps, bytes int }

// spend takes from the budget and tells whether it is enough.
func (b *budget) spend(bytes int) bool {
	b.steps++
	b.bytes += bytes
	return b.steps <= maxSteps && b.bytes <= maxOutput
}

// scope is what an expansion sees.
type scope struct {
	look  Lookup
	depth int
	timed bool // strftime first
	jobs  bool // #(…) is allowed
}

func (e *expander) now() time.Time {
	if e.opts.Now.IsZero() {
		return time.Now()
	}
	return e.opts.Now
}

// trace tells of a step where somebody listens.
func (e *expander) trace(depth int, format string, args ...any) {
	if e.opts.Trace != nil {
		e.opts.Trace(depth, fmt.Sprintf(format, args...))
	}
}

// expand expands a text in a scope one deeper.
func (e *expander) expand(s scope, text string) (result string) {
	s.depth++
	if e.opts.Trace != nil {
		e.trace(s.depth, "format: %s", text)
		defer func() { e.trace(s.depth, "result: %s", result) }()
	}
	if s.depth > maxDepth || !e.budget.spend(len(text)) {
		return ""
	}
	if s.timed && strings.Contains(text, "%") {
		text = Strftime(text, e.now())
	}
	var b strings.Builder
	// Inside "#[…]" single letters are no variables: "#[fg=#ff0000]".
	styleEnd := -1
	for i := 0; i < len(text); {
		n := strings.IndexByte(text[i:], '#')
		if n < 0 {
			n = len(text) - i
		}
		b.WriteString(text[i : i+n])
		i += n
		if i+1 >= len(text) {
			b.WriteString(text[i:])
			break
		}
		rest := text[i:]
		switch c := rest[1]; c {
		case '{':
			end := skip(rest, "}")
			if end < 0 {
				return b.String()
			}
			v, ok := e.replace(s, rest[2:end])
			e.trace(s.depth, "#{%s} is %q", rest[2:end], v)
			if !ok || !e.budget.spend(len(v)) {
				return b.String()
			}
			b.WriteString(v)
			i += end + 1
		case '(':
			end := parenthesis(rest)
			if end < 0 {
				return b.String()
			}
			v := e.job(s, rest[2:end])
			e.trace(s.depth, "#(%s) says %q", rest[2:end], v)
			b.WriteString(v)
			i += end + 1
		case '#', '[':
			hashes := len(rest) - len(strings.TrimLeft(rest, "#"))
			if hashes < len(rest) && rest[hashes] == '[' {
				// Left as it is for the styles, escaped or not.
				b.WriteString(rest[:hashes+1])
				if n := skip(rest, "]"); n >= 0 {
					styleEnd = i + n
				}
				i += hashes + 1
				break
			}
			b.WriteByte('#')
			i += 2
		case ',', '}':
			b.WriteByte(c)
			i += 2
		default:
			name := ""
			if i > styleEnd {
				name = short(c)
			}
			if name == "" {
				b.WriteString(rest[:2])
			} else if v, ok := e.replace(s, name); ok {
				e.trace(s.depth, "%s is #{%s}, %q", rest[:2], name, v)
				b.WriteString(v)
			}
			i += 2
		}
		if b.Len() > maxValue {
			break
		}
	}
	return b.String()
}

// short returns the variable that a single letter stands for.
func short(c byte) string {
	switch c {
	case 'D':
		return "pane_id"
	case 'F':
		return "window_flags"
	case 'H':
		return "host"
	case 'I':
		return "window_index"
	case 'P':
		return "pane_index"
	case 'S':
		return "session_name"
	case 'T':
		return "pane_title"
	case 'W':
		return "window_name"
	case 'h':
		return "host_short"
	}
	return ""
}

// job returns what #(…) gives.
func (e *expander) job(s scope, command string) string {
	run := e.opts.Job
	if r, ok := s.look.(Runner); ok && run == nil {
		run = r.Job
	}
	if !s.jobs || run == nil || !e.budget.spend(len(command)) {
		return ""
	}
	s.jobs = false
	out := run(e.expand(s, command))
	s.timed = false
	return e.expand(s, out)
}

// skip returns the index of the first of some characters in s that is in no
// "#{…}" and not escaped by "#", or -1.
func skip(s, ends string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '#' && i+1 < len(s) {
			if s[i+1] == '{' {
				depth++
			}
			if strings.IndexByte(",#{}:", s[i+1]) >= 0 {
				i++
				continue
			}
		}
		if c == '}' {
			depth--
		}
		if depth == 0 && strings.IndexByte(ends, c) >= 0 {
			return i
		}
	}
	return -1
}

// parenthesis returns the index of what closes the "(" at s[1], or -1.
func parenthesis(s string) int {
	depth := 0
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// unescape takes away the "#" before characters that have a meaning, outside
// "#{…}".
func unescape(s string) string {
	var b strings.Builder
	depth := 0
	for i := 0; i < len(s); i++ {
		if s[i] == '#' && i+1 < len(s) {
			if s[i+1] == '{' {
				depth++
			}
			if depth == 0 && strings.IndexByte(",#{}:", s[i+1]) >= 0 {
				i++
				b.WriteByte(s[i])
				continue
			}
		}
		if s[i] == '}' {
			depth--
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
