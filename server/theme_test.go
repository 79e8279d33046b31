package server

import (
	"testing"
	"time"

	"stet/config/style"
	"stet/server/wire"
)

func TestTheThemeSuitsTheTerminal(t *testing.T) {
	s, ses, _ := house(t)
	c := visitor(s, ses, 80, 24, time.Now())
	const darkGround, lightGround = "rgb:1e1e/1e1e/2e2e", "rgb:fdfd/f6f6/e3e3"
	for name, v := range map[string]struct {
		f    wire.Features
		env  []string
		want string
	}{
		"nothing said":          {wire.Features{}, nil, themeDark},
		"a dark ground":         {wire.Features{Background: darkGround}, nil, themeDark},
		"a light ground":        {wire.Features{Background: lightGround}, nil, themeLight},
		"it says light":         {wire.Features{Background: darkGround, Dark: 2}, nil, themeLight},
		"it says dark":          {wire.Features{Background: lightGround, Dark: 1}, nil, themeDark},
		"sixteen colours":       {wire.Features{Background: lightGround, Colors: 16}, nil, themeANSI},
		"no colours":            {wire.Features{Colors: 1}, nil, themeMono},
		"none wanted":           {wire.Features{Background: lightGround}, []string{"NO_COLOR=1"}, themeMono},
		"NO_COLOR but empty":    {wire.Features{Background: lightGround}, []string{"NO_COLOR="}, themeLight},
		"an indexed light one":  {wire.Features{Background: lightGround, Colors: 256}, nil, themeLight},
		"what nobody could say": {wire.Features{Background: "red"}, nil, themeDark},
	} {
		c.features, c.info.Env = v.f, v.env
		if got := s.themeName(c, themeAuto); got != v.want {
			t.Errorf("%s: %s, want %s", name, got, v.want)
		}
	}
	c.features, c.info.Env = wire.Features{Background: lightGround}, nil
	if got := s.themeName(c, "tmux"); got != "tmux" {
		t.Errorf("a theme by name: %s", got)
	}
	light, _ := style.ThemeNamed(themeLight)
	if got := s.theme(c, ses)[style.Bar]; got != uint32(light[style.Bar]) {
		t.Errorf("the bar is %#x", got)
	}
	s.colours = [2]uint32{0, 0xffffff} // of the terminal that has told last, while this one has not answered
	if c.features = (wire.Features{}); s.themeName(c, themeAuto) != themeLight {
		t.Error("a terminal that has not answered yet is not taken to be like the last one")
	}
}

func TestThemesOfTheConfiguration(t *testing.T) {
	s, ses, _ := house(t)
	c := visitor(s, ses, 80, 24, time.Now())
	configured(t, s, "[options]\ntheme = \"sea\"\n[themes.sea]\nbase = \"light\"\nbar = \"#102030\"\n[themes.dark]\nalert = \"colour9\"\n")
	light, _ := style.ThemeNamed(themeLight)
	got := s.theme(c, ses)
	if got[style.Bar] != uint32(style.RGB(0x10, 0x20, 0x30)) || got[style.Border] != uint32(light[style.Border]) {
		t.Errorf("bar %#x, border %#x", got[style.Bar], got[style.Border])
	}
	configured(t, s, "[themes.dark]\nalert = \"colour9\"\n")
	if got := s.theme(c, ses); got[style.Alert] != uint32(style.Palette(9)) {
		t.Errorf("the theme that auto takes was not changed: %#x", got[style.Alert])
	}
}
