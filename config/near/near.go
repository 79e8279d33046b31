// Package near proposes the names that a mistyped one may have been meant for.
//
// It knows no names itself, and is bounded: a long word gets no proposal, and never more than three are made.
package near

import (
	"iter"
	"slices"
	"strings"
)

const (
	maxWord  = 64 // bytes of a word that is looked at; the work grows with its square
	maxNames = 3  // proposals
)

// Names returns the names that differ least from a word, in their order: at most three, all equally near. A
// replaced, a missing, an added letter and two that have changed places count one each; more than one in
// three letters, or three in all, are another word.
func Names(word string, names iter.Seq[string]) []string {
	if len(word) == 0 || len(word) > maxWord {
		return nil
	}
	word = strings.ToLower(word)
	least := min(max(len(word)/3, 1), 3)
	var found []string
	for name := range names {
		if n := len(name) - len(word); n > least || n < -least {
			continue
		}
		switch d := distance(word, strings.ToLower(name)); {
		case d < least:
			least, found = d, append(found[:0], name)
		case d == least && !slices.Contains(found, name):
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found[:min(len(found), maxNames)]
}

// Question asks, with a blank in front, whether one of these names was meant; "" where there is none.
func Question(names []string) string {
	switch n := len(names); n {
	case 0:
		return ""
	case 1:
		return " (did you mean " + names[0] + "?)"
	default:
		return " (did you mean " + strings.Join(names[:n-1], ", ") + " or " + names[n-1] + "?)"
	}
}

// Meant asks whether a word was meant for one of the names that are near it; "" where none is.
func Meant(word string, names iter.Seq[string]) string { return Question(Names(word, names)) }

// distance counts the letters to insert, delete, replace or swap with the next that turn a into b.
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			d := row[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			next[j] = min(d, row[j]+1, next[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
