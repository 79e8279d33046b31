package server

import (
	"testing"
	"time"

	"stet/vt"
)

func TestHowACommandHasEnded(t *testing.T) {
	for want, c := range map[string]vt.Command{
		"command finished after 1m3s":            {Status: 0, Took: 63900, Text: "secret"},
		"command failed with status 2 after 40s": {Status: 2, Took: 40000, Text: "secret"},
		"command ended after 1h0m0s":             {Status: -1, Took: 3600000},
	} {
		if got := finishedPhrase(c, time.Duration(c.Took)*time.Millisecond); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
