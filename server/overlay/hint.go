package overlay

import "stet/config/style"

// HintKey is a key and, in a word or two, what it does.
type HintKey struct{ Key, Text string }

// Hint is a row of keys: as many as fit, the last one always in it (it leads to all others).
func Hint(keys []HintKey, cells int, text style.Style) []Span {
	if len(keys) == 0 || cells < 1 {
		return nil
	}
	last := keys[len(keys)-1]
	room := cells - 1 - hintWidth(last)
	var out []Span
	for _, k := range keys[:len(keys)-1] {
		n := hintWidth(k) + 2
		if n > room {
			break // the order is that of use: what comes later must not stand in for what was left out
		}
		room -= n
		out = append(out, hintSpans(k, text)...)
	}
	return fit(append(out, hintSpans(last, text)...), cells, text)
}

func hintWidth(k HintKey) int { return measure(clean(k.Key)) + 1 + measure(clean(k.Text)) }

func hintSpans(k HintKey, text style.Style) []Span {
	lead := text
	lead.Attr |= style.Bold
	return []Span{{" " + k.Key, lead}, {" " + k.Text + " ", text}}
}
