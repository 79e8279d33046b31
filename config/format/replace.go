package format

import (
	"fmt"
	"strconv"
	"strings"

	"stet/config/style"
	"stet/vt/width"
)

// request is what the modifiers of one "#{…}" ask for.
type request struct {
	compare    *modifier // ==, m, || and so on
	search     *modifier
	arithmetic *modifier
	subst      []modifier
	limit      int
	marker     string
	pad        int
	loop       int // a Kind, or -1
	name       int // a Kind, or -1

	literal, character, colour, length, width bool
	not, truth, repeat                        bool
	expand, expandTime                        bool

	variable variableForm
}

// variableForm says how the value of a variable is changed when it is looked
// up; it does not touch other text.
type variableForm struct {
	base, dir, shell, style bool
	time, pretty            bool
	timeFormat              string
}

func newRequest(list []modifier) request {
	r := request{loop: -1, name: -1}
	for i := range list {
		r.add(&list[i])
	}
	return r
}

func (r *request) add(m *modifier) {
	first := ""
	if len(m.args) > 0 {
		first = m.args[0]
	}
	switch m.name {
	case "m", "<", ">", "||", "&&", "==", "!=", "<=", ">=":
		r.compare = m
	case "C":
		r.search = m
	case "s":
		if len(m.args) >= 2 {
			r.subst = append(r.subst, *m)
		}
	case "=":
		r.limit = number(first)
		if len(m.args) >= 2 {
			r.marker = m.args[1]
		}
	case "p":
		r.pad = number(first)
	case "e":
		if len(m.args) >= 1 && len(m.args) <= 3 {
			r.arithmetic = m
		}
	case "w":
		r.width = true
	case "l":
		r.literal = true
	case "a":
		r.character = true
	case "c":
		r.colour = true
	case "n":
		r.length = true
	case "b":
		r.variable.base = true
	case "d":
		r.variable.dir = true
	case "t":
		r.variable.time = true
		if m.has("p") {
			r.variable.pretty = true
		} else if m.has("f") && len(m.args) >= 2 {
			r.variable.timeFormat = unescape(m.args[1])
		}
	case "q":
		if len(m.args) == 0 {
			r.variable.shell = true
		} else if m.has("e") || m.has("h") {
			r.variable.style = true
		}
	case "E":
		r.expand = true
	case "T":
		r.expandTime = true
	case "N":
		if len(m.args) == 0 || m.has("w") {
			r.name = int(Windows)
		} else if m.has("s") {
			r.name = int(Sessions)
		}
	case "S":
		r.loop = int(Sessions)
	case "W":
		r.loop = int(Windows)
	case "P":
		r.loop = int(Panes)
	case "!":
		r.not = true
	case "!!":
		r.truth = true
	case "R":
		r.repeat = true
	}
}

// number reads an argument that is a number; anything else is 0. Larger
// numbers than any width or length here are cut.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return min(max(n, -maxValue), maxValue)
}

// replace returns what stands for "#{text}"; it is false when the text is
// malformed.
func (e *expander) replace(s scope, text string) (string, bool) {
	if s.depth > maxDepth || !e.budget.spend(0) {
		return "", false
	}
	list, text := e.modifiers(s, text)
	r := newRequest(list)
	v, ok := e.value(s, &r, text)
	if !ok {
		return "", false
	}
	switch {
	case r.expand:
		v = e.expand(s, v)
	case r.expandTime:
		timed := s
		timed.timed = true
		v = e.expand(timed, v)
	}
	return e.finish(s, &r, v), true
}

// value returns the value before it is substituted, cut and padded.
func (e *expander) value(s scope, r *request, text string) (string, bool) {
	switch {
	case r.literal:
		return text, true
	case r.character:
		n, err := strconv.Atoi(e.expand(s, text))
		if err != nil || n < 32 || n > 126 {
			return "", true
		}
		return string(rune(n)), true
	case r.colour:
		c, err := style.ParseColour(e.expand(s, text))
		if rgb, ok := c.Value(); err == nil && ok {
			return fmt.Sprintf("%06x", rgb), true
		}
		return "", true
	case r.loop >= 0:
		return e.loop(s, Kind(r.loop), text)
	case r.name >= 0:
		n, ok := s.look.(Namer)
		return boolean(ok && n.HasName(Kind(r.name), e.expand(s, text))), true
	case r.search != nil:
		return e.search(s, r.search, e.expand(s, text)), true
	case r.not:
		return boolean(!True(e.expand(s, text))), true
	case r.truth:
		return boolean(True(e.expand(s, text))), true
	case r.compare != nil:
		left, right, ok := e.both(s, text)
		return boolean(compare(r.compare, left, right)), ok
	case r.repeat:
		left, right, ok := e.both(s, text)
		n := number(right)
		if !ok || n <= 0 || left == "" {
			return "", ok
		}
		return strings.Repeat(left, min(n, maxValue/len(left))), true
	case strings.HasPrefix(text, "?"):
		return e.conditional(s, r, text[1:])
	case r.arithmetic != nil:
		left, right, ok := e.both(s, text)
		if !ok {
			return "", true
		}
		return arithmetic(r.arithmetic.args, left, right), true
	case strings.Contains(text, "#{"):
		return e.expand(s, text), true
	}
	v, _ := e.find(s, r, text)
	return v, true
}

func boolean(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

// choose takes a text apart at the first comma.
func choose(text string) (left, right string, ok bool) {
	n := skip(text, ",")
	if n < 0 {
		return "", "", false
	}
	return text[:n], text[n+1:], true
}

// both returns the two sides of a comma, expanded.
func (e *expander) both(s scope, text string) (left, right string, ok bool) {
	left, right, ok = choose(text)
	if !ok {
		return "", "", false
	}
	return e.expand(s, left), e.expand(s, right), true
}

// conditional is "#{?condition,then,else}". A condition that is no variable and
// does not change when expanded is false, so that a name nobody knows is.
func (e *expander) conditional(s scope, r *request, text string) (string, bool) {
	condition, rest, ok := choose(text)
	if !ok {
		return "", false
	}
	found, ok := e.find(s, r, condition)
	if !ok {
		if found = e.expand(s, condition); found == condition {
			found = ""
		}
	}
	then, otherwise, ok := choose(rest)
	if !ok {
		return "", false
	}
	if True(found) {
		return e.expand(s, then), true
	}
	return e.expand(s, otherwise), true
}

// loop is "#{W:each,current}" and the like.
func (e *expander) loop(s scope, k Kind, text string) (string, bool) {
	l, ok := s.look.(Looper)
	if !ok {
		return "", false
	}
	each, current, ok := choose(text)
	if !ok {
		each, current = text, text
	}
	var b strings.Builder
	ok = l.Loop(k, func(item Lookup, now bool) bool {
		in := s
		in.look = item
		f := each
		if now {
			f = current
		}
		b.WriteString(e.expand(in, f))
		return b.Len() <= maxValue && e.budget.spend(0)
	})
	return b.String(), ok
}

func (e *expander) search(s scope, m *modifier, pattern string) string {
	l, ok := s.look.(Searcher)
	if !ok {
		return "0"
	}
	return strconv.Itoa(l.Search(pattern, m.has("r"), m.has("i")))
}

// find looks a variable up and brings it into the form asked for.
func (e *expander) find(s scope, r *request, name string) (string, bool) {
	if s.look == nil {
		return "", false
	}
	v, ok := s.look.Variable(name)
	if !ok {
		return "", false
	}
	if len(v) > maxValue {
		v = v[:maxValue]
	}
	f := &r.variable
	if f.time {
		return e.time(f, v)
	}
	if f.base {
		v = basename(v)
	}
	if f.dir {
		v = dirname(v)
	}
	if f.shell {
		v = quoteShell(v)
	}
	if f.style {
		v = strings.ReplaceAll(v, "#", "##")
	}
	return v, true
}

// finish substitutes, cuts, pads and measures.
func (e *expander) finish(s scope, r *request, v string) string {
	for _, m := range r.subst {
		flags := ""
		if len(m.args) >= 3 {
			flags = m.args[2]
		}
		v = substitute(v, e.expand(s, m.args[0]), e.expand(s, m.args[1]), flags)
	}
	switch {
	case r.limit > 0:
		if cut := trimLeft(v, r.limit); cut != v {
			v = cut + r.marker
		}
	case r.limit < 0:
		if cut := trimRight(v, -r.limit); cut != v {
			v = r.marker + cut
		}
	}
	switch missing := max(r.pad, -r.pad) - width.String(v); {
	case r.pad > 0 && missing > 0:
		v += strings.Repeat(" ", missing)
	case r.pad < 0 && missing > 0:
		v = strings.Repeat(" ", missing) + v
	}
	if r.length {
		v = strconv.Itoa(len(v))
	}
	if r.width {
		v = strconv.Itoa(textWidth(v))
	}
	return v
}
