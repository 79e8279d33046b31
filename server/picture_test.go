package server

import "testing"

func TestTheFillCharacter(t *testing.T) {
	for option, want := range map[string]rune{"": 0, "x": 'x', "xy": 'x', "·": '·', "\xff": 0, "�": 0} {
		if got := fillOf(option); got != want {
			t.Errorf("%q: %q, want %q", option, got, want)
		}
	}
}
