package overlay

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"stet/vt/width"
)

// clean takes out what a terminal could obey: line ends and tabs become spaces, other control
// characters and bytes that are not UTF-8 go.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029':
			return ' '
		case r == utf8.RuneError, unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}

func measure(s string) int { return width.String(s) }

// cut returns the beginning of s that fits into a number of cells.
func cut(s string, cells int) string {
	end, used := 0, 0
	for _, n := range clusters(s) {
		w := measure(s[end : end+n])
		if used+w > cells {
			break
		}
		end, used = end+n, used+w
	}
	return s[:end]
}

// clusters returns the lengths in bytes of what a person takes for one character each.
func clusters(s string) []int {
	var lengths []int
	for s != "" {
		n, _ := width.Cluster(s)
		if n <= 0 {
			break
		}
		lengths, s = append(lengths, n), s[n:]
	}
	return lengths
}

// before returns where the character that ends at a byte begins, behind where the one that begins
// there ends.
func before(s string, at int) int {
	start := 0
	for _, n := range clusters(s) {
		if start+n >= at {
			break
		}
		start += n
	}
	return start
}

func behind(s string, at int) int {
	end := 0
	for _, n := range clusters(s) {
		end += n
		if end > at {
			break
		}
	}
	return end
}
