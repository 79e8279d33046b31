package server

import "testing"

func TestColoursOfTheOuterTerminal(t *testing.T) {
	for text, want := range map[string]uint32{
		"rgb:0000/0000/0000": 0, "rgb:ffff/ffff/ffff": 0xffffff, "rgb:fdfd/f6f6/e3e3": 0xfdf6e3, "rgb:f/0/8": 0xff0088, "rgb:80/40/20": 0x804020,
	} {
		if got, ok := colour(text); !ok || got != want {
			t.Errorf("%s is %06x, %v; want %06x", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "rgb:", "rgb:1/2", "rgb:1/2/3/4", "rgb:fffff/0/0", "rgb:x/0/0", "#ffffff", "rgba:0/0/0"} {
		if got, ok := colour(text); ok {
			t.Errorf("%q is %06x", text, got)
		}
	}
	if light(0x1d1f21) || !light(0xfdf6e3) {
		t.Error("dark and light are mixed up")
	}
}
