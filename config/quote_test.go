package config

import (
	"testing"

	"github.com/BurntSushi/toml"
	"pgregory.net/rapid"
)

func TestQuote(t *testing.T) {
	for in, want := range map[string]string{
		"":        `""`,
		"a b é":   `"a b é"`,
		`say "x"`: `'say "x"'`,
		`it's \`:  `"it's \\"`,
		"a\n\x01": `"a\n\u0001"`,
		"\"\x7f":  `"\"\u007F"`,
		"x\xff":   "\"x\ufffd\"",
	} {
		if got := Quote(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		var v map[string]string
		if _, err := toml.Decode(QuoteKey(s)+" = "+Quote(s), &v); err != nil || len(v) != 1 || v[s] != s {
			t.Fatalf("%q is written %s and read %q: %v", s, Quote(s), v, err)
		}
	})
}
