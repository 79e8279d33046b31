package hints

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"stet/vt"
)

// usual are the expressions of what is looked for, the ones first that win where two fit. A group, where
// there is one, is what is picked. They are made when they are first needed: every call of the command
// line would pay for them otherwise, and so would the keeper.
var usual = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile("(?:https?|ftp|file|git|ssh)://[^\\s\"'<>()\\[\\]{}|^`]*[^\\s\"'<>()\\[\\]{}|^`.,;:!?]"),
		regexp.MustCompile(`[\w.+-]+@[\w-]+(?:\.[\w-]+)+(?::[\w./~-]+)?`),                                                   // mail addresses, and what git clones
		regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`),                                                   // UUIDs
		regexp.MustCompile(`(?:[\w.~@%+-]+)?(?:/[\w.@%+=~-]*[\w@%+=~-])+/?`),                                                // paths
		regexp.MustCompile(`\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5}|/\d{1,2})?\b`),                                             // IPv4
		regexp.MustCompile(`(?i)\b(?:[0-9a-f]{1,4}:){3,7}(?::?[0-9a-f]{1,4})+\b|\b(?:[0-9a-f]{1,4}:){1,6}:[0-9a-f]{1,4}\b`), // IPv6
		regexp.MustCompile(`\b[0-9a-f]{7,64}\b`),                                                                            // hashes
		regexp.MustCompile(`\b0x[0-9a-fA-F]+\b|\b\d{3,}\b`),                                                                 // numbers
		regexp.MustCompile(`\b[\w-]+\.(?:go|c|h|cc|cpp|rs|py|js|ts|rb|java|md|txt|toml|yaml|yml|json|sh|html|css|log)\b`),   // files
	}
})

const (
	// maxFound bounds what gets letters: two letters name that many.
	maxFound = len(letters) * len(letters)
	// maxPatterns and maxPattern bound the own expressions.
	maxPatterns = 64
	maxPattern  = 1024
)

// letters are the letters of labels, the ones first that lie best.
const letters = "asdfghjklqwertyuiopzxcvbnm"

// found is something that can be picked.
type found struct {
	text  string
	label string
	cells []cell
}

type cell struct{ x, y int }

// search finds what can be picked in a picture and names it. What stands twice has one name; what stands
// lowest, next to the prompt, has the first ones.
func search(v *vt.View, own []string) ([]found, error) {
	all, err := expressions(own)
	if err != nil {
		return nil, err
	}
	var out []found
	for y := 0; y < len(v.Cells); {
		text, cells, next := line(v, y)
		out = append(out, inLine(all, text, cells)...)
		y = next
	}
	if len(out) > maxFound {
		out = out[len(out)-maxFound:]
	}
	label(out)
	return out, nil
}

func expressions(own []string) ([]*regexp.Regexp, error) {
	var all []*regexp.Regexp
	for _, p := range own[:min(len(own), maxPatterns)] {
		if p == "" {
			continue
		}
		if len(p) > maxPattern {
			return nil, fmt.Errorf("hint-patterns: an expression is longer than %d bytes", maxPattern)
		}
		re, err := regexp.Compile(p)
		if err != nil {
			return nil, fmt.Errorf("hint-patterns: %w", err)
		}
		all = append(all, re)
	}
	return append(all, usual()...), nil
}

// line is the text of a line, over all of its rows, with the cell of each of its bytes, and the row
// behind it.
func line(v *vt.View, y int) (text string, cells []cell, next int) {
	var b strings.Builder
	for ; y < len(v.Cells); y++ {
		for x, c := range v.Cells[y] {
			s := ""
			switch {
			case c.Width() == 0:
			case !c.IsCluster():
				s = string(c.Rune())
			case c.Cluster() < len(v.Clusters):
				s = v.Clusters[c.Cluster()]
			}
			b.WriteString(s)
			for range len(s) {
				cells = append(cells, cell{x, y})
			}
		}
		if y >= len(v.Info) || !v.Info[y].Wrapped {
			return b.String(), cells, y + 1
		}
	}
	return b.String(), cells, y
}

// inLine finds what can be picked in a line; nothing twice.
func inLine(all []*regexp.Regexp, text string, cells []cell) []found {
	taken := make([]bool, len(text))
	type place struct{ from, to int }
	var places []place
	for _, re := range all {
		for _, at := range re.FindAllStringSubmatchIndex(text, maxFound) {
			from, to := at[0], at[1]
			if len(at) > 3 && at[2] >= 0 {
				from, to = at[2], at[3]
			}
			if from >= to || slices.Contains(taken[from:to], true) {
				continue
			}
			for i := from; i < to; i++ {
				taken[i] = true
			}
			places = append(places, place{from, to})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.from, b.from) })
	out := make([]found, 0, len(places))
	for _, p := range places {
		out = append(out, found{text: text[p.from:p.to], cells: slices.Compact(slices.Clone(cells[p.from:p.to]))})
	}
	return out
}

// label names what was found, from the last on.
func label(all []found) {
	names := map[string]string{}
	var order []string
	for i := len(all) - 1; i >= 0; i-- {
		if _, ok := names[all[i].text]; !ok {
			names[all[i].text] = ""
			order = append(order, all[i].text)
		}
	}
	// So few first letters as are needed begin labels of two.
	long := 0
	for len(letters)-long+long*len(letters) < len(order) {
		long++
	}
	short := len(letters) - long
	for i, text := range order {
		if i < short {
			names[text] = letters[i : i+1]
			continue
		}
		k := i - short
		names[text] = string([]byte{letters[short+k/len(letters)], letters[k%len(letters)]})
	}
	for i := range all {
		all[i].label = names[all[i].text]
	}
}
