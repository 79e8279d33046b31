package main

import "strings"

// typed is a command line of bash up to the cursor.
type typed struct {
	words []string // behind the command's name; the last, perhaps empty, is the one that is being typed
	last  []char   // the last one's, as they stand there
}

// char is a byte of a word: what it means, and how it stands there.
type char struct {
	b      byte
	quote  byte // ' or " around it, 0 for none
	escape bool // behind a backslash
}

// splitLine takes a line apart as bash does. What bash would replace ($, backquotes) stays as it is.
func splitLine(line string) typed {
	var all [][]char
	var word []char
	var quote byte
	open := false // within a word
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote == '"' && c == '\\' && i+1 < len(line) && strings.IndexByte("\\\"$`", line[i+1]) >= 0,
			quote == 0 && c == '\\' && i+1 < len(line):
			i++
			word, open = append(word, char{line[i], quote, true}), true
		case quote == 0 && c == '\\': // the cursor is behind it
			open = true
		case quote != 0:
			word = append(word, char{c, quote, false})
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if open {
				all = append(all, word)
			}
			word, open = nil, false
		default:
			word, open = append(word, char{b: c}), true
		}
	}
	l := typed{last: word}
	all = append(all, word)
	if quote != 0 {
		l.last = append(l.last, char{quote: quote}) // the quote is still open: the next one is within it
	}
	for _, w := range all[min(1, len(all)-1):] {
		l.words = append(l.words, text(w))
	}
	return l
}

func text(word []char) string {
	b := make([]byte, 0, len(word))
	for _, c := range word {
		b = append(b, c.b)
	}
	return string(b)
}

// cut is what of the last word lies in front of what bash completes, which begins behind a quote that is open
// (then that is told), else behind the last of the characters that break words.
func (l typed) cut(breaks string) (front string, quote byte) {
	end := len(l.last)
	if end > 0 && l.last[end-1].quote != 0 && l.last[end-1].b == 0 {
		quote = l.last[end-1].quote
		end--
		from := end
		for from > 0 && l.last[from-1].quote == quote {
			from--
		}
		return text(l.last[:from]), quote
	}
	for i := end - 1; i >= 0; i-- {
		if c := l.last[i]; c.quote == 0 && !c.escape && strings.IndexByte(breaks, c.b) >= 0 {
			return text(l.last[:i+1]), 0
		}
	}
	return "", 0
}

// quoted writes a word so that bash reads it as it is, behind an open quote or behind none. ok is false for
// one that cannot stand there.
func quoted(word string, quote byte) (text string, ok bool) {
	var b strings.Builder
	for i := range len(word) {
		c := word[i]
		switch {
		case quote == '\'' && c == '\'':
			return "", false
		case quote == '"' && strings.IndexByte("\\\"$`", c) >= 0,
			quote == 0 && strings.IndexByte(" \t\"'\\$`*?[]{}()<>|&;!#~", c) >= 0 && !(c == '#' && i > 0) && !(c == '~' && i > 0):
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	return b.String(), true
}
