package client

import (
	"strings"
	"unicode/utf8"
)

// Printable drops from s what would act on a terminal instead of showing: C0, DEL and C1 controls,
// invalid bytes, and the marks that turn the direction of the text around them. Every string that was
// not written by this package goes through it before a terminal sees it.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case isControl(r), r == utf8.RuneError,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // embeddings, overrides, isolates
			r == 0x2028 || r == 0x2029:
			return -1
		}
		return r
	}, s)
}
