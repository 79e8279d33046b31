package format

import (
	"strings"

	"stet/vt/width"
)

// piece is a part of a text that is kept or cut as a whole: a cluster, a pair
// of "#" that stands for one, or a "#[…]" that takes no columns.
type piece struct {
	text  string
	width int
}

// nextPiece cuts the first piece off a text.
func nextPiece(s string) (piece, string) {
	if s[0] != '#' {
		n, w := width.Cluster(s)
		return piece{s[:n], w}, s[n:]
	}
	hashes := len(s) - len(strings.TrimLeft(s, "#"))
	opens := hashes < len(s) && s[hashes] == '['
	switch {
	case opens && hashes == 1:
		if end := skip(s[2:], "]"); end >= 0 {
			return piece{s[:end+3], 0}, s[end+3:]
		}
		return piece{s, 0}, ""
	case opens && hashes == 2:
		// "##[" is a "#" and a bracket that opens nothing; together, so that
		// the bracket is not taken for one that does.
		return piece{s[:3], 2}, s[3:]
	case hashes >= 2:
		return piece{s[:2], 1}, s[2:]
	}
	return piece{s[:1], 1}, s[1:]
}

// textWidth returns the columns of a text without its "#[…]".
func textWidth(s string) int {
	n := 0
	for s != "" {
		var p piece
		p, s = nextPiece(s)
		n += p.width
	}
	return n
}

// trimLeft keeps as many pieces from the left as fit into limit columns.
func trimLeft(s string, limit int) string {
	rest, n := s, 0
	for rest != "" && n < limit {
		p, after := nextPiece(rest)
		if n+p.width > limit {
			break
		}
		n += p.width
		rest = after
	}
	return s[:len(s)-len(rest)]
}

// trimRight keeps the last columns up to limit, and all "#[…]".
func trimRight(s string, limit int) string {
	drop := textWidth(s) - limit
	if drop <= 0 {
		return s
	}
	var b strings.Builder
	for s != "" && drop > 0 {
		var p piece
		p, s = nextPiece(s)
		if p.width == 0 {
			b.WriteString(p.text)
		}
		drop -= p.width
	}
	b.WriteString(s)
	return b.String()
}

// basename and dirname are POSIX's.
func basename(s string) string {
	if s == "" {
		return ""
	}
	trimmed := strings.TrimRight(s, "/")
	if trimmed == "" {
		return "/"
	}
	return trimmed[strings.LastIndexByte(trimmed, '/')+1:]
}

func dirname(s string) string {
	if s == "" {
		return ""
	}
	trimmed := strings.TrimRight(s, "/")
	if trimmed == "" {
		return "/"
	}
	n := strings.LastIndexByte(trimmed, '/')
	if n < 0 {
		return "."
	}
	if dir := strings.TrimRight(trimmed[:n], "/"); dir != "" {
		return dir
	}
	return "/"
}

// quoteShell puts a backslash before what means something to a shell.
func quoteShell(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte("|&;<>()$`\\\"'*?[# =%", s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
