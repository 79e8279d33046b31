package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"
)

// A settings file belongs to its user: what is put into it, or taken out, leaves every other byte where it
// was, comments and all. So the text is not decoded and written anew. It is only looked through for the
// places of its values, and what is put in goes right behind the bracket that opens its list or object.

// maxJSONDepth bounds how deep a file's values may be nested.
const maxJSONDepth = 64

// jsonNode is a value in a text: [start, end) are its bytes.
type jsonNode struct {
	kind       byte // '{', '[' or 'v'
	start, end int
	children   []jsonChild
}

// jsonChild is a member of an object, or an element of a list.
type jsonChild struct {
	key   string
	start int // of the key, or of the element
	value jsonNode
	comma int // behind the comma that follows, -1 for none
}

func (n *jsonNode) find(key string) int {
	for i := range n.children {
		if n.children[i].key == key {
			return i
		}
	}
	return -1
}

// parseJSON finds the places of the values of a text, which may hold comments and commas before closing
// brackets, as many agents allow them.
func parseJSON(text string) (jsonNode, error) {
	s := jsonScanner{text: text}
	n, err := s.value(0)
	if err != nil {
		return n, err
	}
	if err := s.space(); err != nil {
		return n, err
	}
	if s.at < len(text) {
		return n, s.errorf("there is more behind its end")
	}
	return n, nil
}

type jsonScanner struct {
	text string
	at   int
}

func (s *jsonScanner) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: "+format, append([]any{1 + strings.Count(s.text[:min(s.at, len(s.text))], "\n")}, args...)...)
}

// space goes over spaces and comments.
func (s *jsonScanner) space() error {
	for s.at < len(s.text) {
		rest := s.text[s.at:]
		switch {
		case strings.ContainsRune(" \t\r\n", rune(rest[0])):
			s.at++
		case strings.HasPrefix(rest, "//"):
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				s.at += i
			} else {
				s.at = len(s.text)
			}
		case strings.HasPrefix(rest, "/*"):
			i := strings.Index(rest[2:], "*/")
			if i < 0 {
				return s.errorf("a comment has no end")
			}
			s.at += 2 + i + 2
		default:
			return nil
		}
	}
	return nil
}

func (s *jsonScanner) peek() byte {
	if s.at < len(s.text) {
		return s.text[s.at]
	}
	return 0
}

func (s *jsonScanner) value(depth int) (n jsonNode, err error) {
	if depth > maxJSONDepth {
		return n, s.errorf("it is nested deeper than %d levels", maxJSONDepth)
	}
	if err := s.space(); err != nil {
		return n, err
	}
	n = jsonNode{kind: 'v', start: s.at}
	switch c := s.peek(); c {
	case '{', '[':
		n.kind = c
		s.at++
		n.children, err = s.children(c, depth)
	case '"':
		_, err = s.quoted()
	default:
		for s.at < len(s.text) && strings.IndexByte("+-.", s.text[s.at]) >= 0 || isWord(s.peek()) {
			s.at++
		}
		if !json.Valid([]byte(s.text[n.start:s.at])) {
			err = s.errorf("here should be a value")
		}
	}
	n.end = s.at
	return n, err
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// children reads what is in a list or an object, up to its closing bracket.
func (s *jsonScanner) children(open byte, depth int) (out []jsonChild, err error) {
	shut := byte(']')
	if open == '{' {
		shut = '}'
	}
	for {
		if err := s.space(); err != nil {
			return nil, err
		}
		if s.peek() == shut {
			s.at++
			return out, nil
		}
		if len(out) > 0 && out[len(out)-1].comma < 0 {
			return nil, s.errorf("here should be a comma or %c", shut)
		}
		c := jsonChild{start: s.at, comma: -1}
		if open == '{' {
			if c.key, err = s.key(); err != nil {
				return nil, err
			}
		}
		if c.value, err = s.value(depth + 1); err != nil {
			return nil, err
		}
		if err := s.space(); err != nil {
			return nil, err
		}
		if s.peek() == ',' {
			s.at++
			c.comma = s.at
		}
		out = append(out, c)
	}
}

func (s *jsonScanner) key() (string, error) {
	if s.peek() != '"' {
		return "", s.errorf("here should be a name in quotes")
	}
	key, err := s.quoted()
	if err != nil {
		return "", err
	}
	if err := s.space(); err != nil {
		return "", err
	}
	if s.peek() != ':' {
		return "", s.errorf("here should be a colon")
	}
	s.at++
	return key, nil
}

func (s *jsonScanner) quoted() (string, error) {
	start := s.at
	for s.at++; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	if s.at >= len(s.text) {
		return "", s.errorf("a text has no end")
	}
	s.at++
	var out string
	if json.Unmarshal([]byte(s.text[start:s.at]), &out) != nil {
		return "", s.errorf("a text is not written as JSON has it")
	}
	return out, nil
}

var errNotOurs = errors.New("there is something else in its place")

// putJSON puts an element in front of the list at a path, which it makes where it is not there. add is JSON.
func putJSON(text string, path []string, add string) (string, error) {
	if strings.TrimSpace(text) == "" {
		return prettyAt(path, add, 0, "  ") + "\n", nil
	}
	at, err := parseJSON(text)
	if err != nil {
		return "", err
	}
	unit := indentUnit(text, &at)
	for depth, key := range path {
		if at.kind != '{' {
			return "", fmt.Errorf("%s: %w than an object", strings.Join(path[:depth], "."), errNotOurs)
		}
		i := at.find(key)
		if i < 0 {
			return insertFirst(text, &at, quote(key)+": "+prettyAt(path[depth+1:], add, depth+1, unit), depth+1, unit), nil
		}
		at = at.children[i].value
	}
	if at.kind != '[' {
		return "", fmt.Errorf("%s: %w than a list", strings.Join(path, "."), errNotOurs)
	}
	return insertFirst(text, &at, add, len(path)+1, unit), nil
}

// insertFirst puts a member or an element right behind an opening bracket: on a line of its own where the
// others are, and into an empty pair of brackets without a space, by which takeJSON knows whose they are.
func insertFirst(text string, n *jsonNode, what string, depth int, unit string) string {
	open := n.start + 1
	switch {
	case len(n.children) == 0:
	case strings.Contains(text[open:n.children[0].start], "\n"):
		what = "\n" + strings.Repeat(unit, depth) + what + ","
	default:
		what += ", "
	}
	return text[:open] + what + text[open:]
}

// prettyAt writes objects along a path, and in the innermost a list with one element.
func prettyAt(path []string, add string, depth int, unit string) string {
	outer, inner := "\n"+strings.Repeat(unit, depth), "\n"+strings.Repeat(unit, depth+1)
	if len(path) == 0 {
		return "[" + inner + add + outer + "]"
	}
	return "{" + inner + quote(path[0]) + ": " + prettyAt(path[1:], add, depth+1, unit) + outer + "}"
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

// indentUnit is what a file's first member is indented by.
func indentUnit(text string, root *jsonNode) string {
	if root.kind == '{' && len(root.children) > 0 {
		before := text[root.start+1 : root.children[0].start]
		if i := strings.LastIndexByte(before, '\n'); i >= 0 && strings.Trim(before[i+1:], " \t") == "" && len(before) > i+1 {
			return before[i+1:]
		}
	}
	return "  "
}

// hasJSON finds our element in the list at a path, and which it is; -1 for none.
func hasJSON(text string, path []string, like any) (chain []jsonNode, index []int) {
	at, err := parseJSON(text)
	if err != nil {
		return nil, nil
	}
	for _, key := range path {
		i := -1
		if at.kind == '{' {
			i = at.find(key)
		}
		if i < 0 {
			return nil, nil
		}
		chain, index = append(chain, at), append(index, i)
		at = at.children[i].value
	}
	if at.kind != '[' {
		return nil, nil
	}
	for i := range at.children {
		v := at.children[i].value
		var got any
		if json.Unmarshal([]byte(text[v.start:v.end]), &got) == nil && alike(got, like) {
			return append(chain, at), append(index, i)
		}
	}
	return nil, nil
}

// takeJSON takes our element out of the list at a path, and what was made for it. What is left is as it was
// before it was put in. empty says that nothing is left of the file.
func takeJSON(text string, path []string, like any) (out string, empty bool) {
	chain, index := hasJSON(text, path, like)
	for k := len(chain) - 1; k >= 0; k-- {
		n, i := &chain[k], index[k]
		c := &n.children[i]
		made := strings.TrimSpace(text[n.start+1:c.start]) == "" && c.start > n.start+1 && len(n.children) == 1
		if made && strings.TrimSpace(text[max(c.value.end, c.comma):n.end-1]) == "" {
			if k > 0 {
				continue // all of it was for our element
			}
			if strings.TrimSpace(text[:n.start]+text[n.end:]) == "" {
				return "", true
			}
		}
		from, to := n.start+1, max(c.value.end, c.comma)
		if i > 0 {
			from, to = n.children[i-1].value.end, c.value.end
		} else if c.comma >= 0 && !strings.Contains(text[from:c.start], "\n") && to < len(text) && text[to] == ' ' {
			to++
		}
		return text[:from] + text[to:], false
	}
	return text, false
}

// alike compares a value with one of ours, in whose texts {hook} stands for any command of ours.
func alike(got, like any) bool {
	switch l := like.(type) {
	case string:
		g, ok := got.(string)
		return ok && ours(g, l)
	case []any:
		g, ok := got.([]any)
		if !ok || len(g) != len(l) {
			return false
		}
		for i := range l {
			if !alike(g[i], l[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok || len(g) != len(l) {
			return false
		}
		for k := range l {
			if v, has := g[k]; !has || !alike(v, l[k]) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(got, like)
}

// anyHook is what {hook} stands for, wherever stet is.
const anyHook = `[^\n]*agent report`

// ours says that a text is what a template gives with some command of ours.
func ours(text, template string) bool {
	re, err := regexp.Compile(`\A` + strings.ReplaceAll(regexp.QuoteMeta(template), `\{hook\}`, anyHook) + `\z`)
	return err == nil && re.MatchString(text)
}

// ourCommand is a whole command of ours, of any version.
var ourCommand = regexp.MustCompile(`\A` + anyHook + `( --event=\w+)?\z`)

// ofAnotherVersion says that a file of stet's own looks like one that another version of stet has written, or
// that somebody has changed since: which of them cannot be told. A script begins with our comment and runs a
// command of ours; JSON runs nothing but commands of ours.
func ofAnotherVersion(text, template string) bool {
	first, _, _ := strings.Cut(template, "\n")
	if strings.HasPrefix(first, "//") {
		return strings.HasPrefix(text, first+"\n") && strings.Contains(text, "agent report")
	}
	if _, err := parseJSON(text); err != nil { // it bounds how deep the text is nested
		return false
	}
	var got, like map[string]any
	if json.Unmarshal([]byte(text), &got) != nil || json.Unmarshal([]byte(fill(template, "x")), &like) != nil {
		return false
	}
	for k := range got {
		if _, known := like[k]; !known {
			return false
		}
	}
	n, only := ourCommands(got)
	return n > 0 && only
}

// ourCommands counts the commands of ours in a value, and tells whether it has no other texts than them and
// types.
func ourCommands(v any) (n int, only bool) {
	only = true
	switch v := v.(type) {
	case string:
		if !ourCommand.MatchString(v) {
			return 0, false
		}
		return 1, true
	case []any:
		for _, e := range v {
			m, o := ourCommands(e)
			n, only = n+m, only && o
		}
	case map[string]any:
		for k, e := range v {
			if k == "type" {
				continue
			}
			m, o := ourCommands(e)
			n, only = n+m, only && o
		}
	}
	return n, only
}
