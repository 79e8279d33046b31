package resurrect

import (
	"fmt"
	"strings"
)

// place is a way down into a TOML document: keys, and indexes into arrays of
// tables. The TOML library knows only the last table of each name, so errors
// about one pane of many need a search of their own.
type place []step

type step struct {
	key   string
	index int // -1: not an element of an array
}

func (p place) key(k string) place {
	return append(p[:len(p):len(p)], step{k, -1})
}

func (p place) at(i int) place {
	q := append(place(nil), p...)
	q[len(q)-1].index = i
	return q
}

// String is the place as people read it: session 1, window 2, name.
func (p place) String() string {
	var b strings.Builder
	for i, s := range p {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.key)
		if s.index >= 0 {
			fmt.Fprintf(&b, " %d", s.index+1)
		}
	}
	return b.String()
}

// line finds the line of the place in the text, counted from 1. It reads table
// headers and plain keys only, which is how these files are written. In a file
// arranged differently by hand it answers with the innermost table found, and
// 1 when there is none: near is better than nothing, and nobody but a reader
// depends on it.
func (p place) line(text string) int {
	best, depth := 1, 0
	counts := map[string]int{} // elements seen of each array of tables, by dotted name
	inside := 0                // how many steps of p the current table matches
	n := 0
	for rest := text; rest != ""; {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		n++
		l = strings.TrimSpace(l)
		if strings.HasPrefix(l, "[") {
			inside = p.enter(l, counts)
			if inside > depth {
				best, depth = n, inside
			}
			continue
		}
		if inside < len(p) && inside == depth && hasKey(l, p[inside].key) {
			return n
		}
	}
	return best
}

// enter reads a table header, counts it, and says how many steps of the place
// it matches; 0 when it belongs to something else.
func (p place) enter(header string, counts map[string]int) int {
	array := strings.HasPrefix(header, "[[")
	name := strings.Trim(header, "[] \t")
	if array {
		counts[name]++
		for k := range counts {
			if strings.HasPrefix(k, name+".") {
				delete(counts, k)
			}
		}
	}
	parts := strings.Split(name, ".")
	if len(parts) > len(p) {
		return 0
	}
	prefix := ""
	for i, part := range parts {
		if i > 0 {
			prefix += "."
		}
		prefix += part
		if p[i].key != part {
			return 0
		}
		if p[i].index >= 0 && counts[prefix] != p[i].index+1 {
			return 0
		}
	}
	return len(parts)
}

// hasKey tells whether a line sets the key.
func hasKey(line, key string) bool {
	rest, ok := strings.CutPrefix(line, key)
	if !ok {
		if rest, ok = strings.CutPrefix(line, `"`+key+`"`); !ok {
			return false
		}
	}
	return strings.HasPrefix(strings.TrimLeft(rest, " \t"), "=")
}
