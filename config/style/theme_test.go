package style

import "testing"

// Text of the themes can be read, and their lines be seen on the grounds that people have.
func TestThemesCanBeRead(t *testing.T) {
	on := []struct{ text, ground Role }{
		{BarText, Bar}, {Session, Bar}, {Muted, Bar}, {Notice, Bar}, {CurrentText, Current}, {AlertText, Alert},
		{MessageText, Message}, {SelectText, Select},
	}
	grounds := map[string][]uint32{
		"dark":  {0x000000, 0x1e1e2e, 0x282c34, 0x002b36, 0x1d1f21},
		"light": {0xffffff, 0xfdf6e3, 0xeff1f5, 0xfafafa},
	}
	for name, terminals := range grounds {
		th, ok := ThemeNamed(name)
		if !ok {
			t.Fatalf("no theme %s", name)
		}
		for _, p := range on {
			if c := Contrast(th[p.text], th[p.ground]); c < 4.5 {
				t.Errorf("%s: %v on %v has a contrast of %.2f", name, p.text, p.ground, c)
			}
		}
		for _, g := range terminals {
			for role, least := range map[Role]float64{Border: 3, Active: 4.5, ActiveMode: 4.5, Number: 4.5} {
				if c := Contrast(th[role], hex(g)); c < least {
					t.Errorf("%s: %v on #%06x has a contrast of %.2f, less than %v", name, role, g, c, least)
				}
			}
		}
		if c := Contrast(th[Current], th[Bar]); c < 1.5 {
			t.Errorf("%s: the current window hardly stands out (%.2f)", name, c)
		}
	}
	for i := range themes {
		if themes[i].colors[BarText] == themes[i].colors[Bar] {
			t.Errorf("%s has no text in its bar", themes[i].name)
		}
	}
}

func TestContrast(t *testing.T) {
	if c := Contrast(hex(0), hex(0xffffff)); c < 20.9 || c > 21.1 {
		t.Errorf("black on white: %v", c)
	}
	if c := Contrast(Default, hex(0)); c != 0 {
		t.Errorf("of what is not known: %v", c)
	}
}

func TestThemeColoursInStyles(t *testing.T) {
	st, err := Parse("fg=theme-bar-text,bg=theme-bar")
	if err != nil || st.FG != Theme(BarText) || st.BG != Theme(Bar) {
		t.Fatalf("%+v %v", st, err)
	}
	if got := st.String(); got != "fg=theme-bar-text,bg=theme-bar" {
		t.Error(got)
	}
	th, _ := ThemeNamed("tmux")
	if c := th.Of(st.BG); c != Palette(2) {
		t.Errorf("the bar of tmux is %v", c)
	}
	if c := th.Of(RGB(1, 2, 3)); c != RGB(1, 2, 3) {
		t.Errorf("%v", c)
	}
	if c := th.Of(kindTheme<<24 | 200); c != Default {
		t.Errorf("an unknown role is %v", c)
	}
	if _, err := Parse("fg=theme-nonsense"); err == nil {
		t.Error("an unknown role was taken")
	}
}
