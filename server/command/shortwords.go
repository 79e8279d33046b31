package command

import "strings"

// Bounds of what an error says, in bytes: of a word, and of a line.
const (
	maxWord = 300
	maxLine = 2000
)

// ShortWords bounds an error that repeats what somebody has given: a name of thousands of characters is said to
// its beginning, with "…", and what the error says of it is not lost among them.
func ShortWords(text string) string {
	if len(text) <= maxWord {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		words := strings.Split(l, " ")
		for j, w := range words {
			if len(w) > maxWord {
				end := w[len(strings.TrimRight(w, `:;,)"'`)):] // of the sentence around it
				words[j] = cutAt(w[:len(w)-len(end)], maxWord) + cutAt(end, 2)
			}
		}
		if l = strings.Join(words, " "); len(l) > maxLine { // many words: what is said of them stands at the end
			l = cutAt(l, maxLine-maxWord) + strings.ToValidUTF8(l[len(l)-maxWord:], "")
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

// cutAt ends a text with "…" where it has more than so many bytes.
func cutAt(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
