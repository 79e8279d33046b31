package style

import (
	"math"
	"slices"
	"strings"
)

// Role is what a colour of a theme is for. Styles name it "theme-bar" and so on; which colour that is
// depends on the theme of the client that is drawn, and so on its outer terminal.
type Role uint8

// The roles, those of text behind the ground they stand on.
const (
	Bar         Role = iota // the status line
	BarText                 // its text
	Session                 // the session's name in it
	Muted                   // what matters less in it
	Notice                  // a window with activity
	Current                 // ground of the current window's name
	CurrentText             // its text
	Alert                   // ground of a bell, or of what must be seen
	AlertText               // its text
	Message                 // ground of messages and prompts
	MessageText             // their text
	Select                  // ground of what is selected
	SelectText              // its text
	Border                  // lines between panes
	Active                  // lines around the active pane
	ActiveMode              // the same while it is in a mode
	Number                  // the large numbers of panes
	numRoles
)

var roleNames = [numRoles]string{
	"bar", "bar-text", "session", "muted", "notice", "current", "current-text", "alert", "alert-text", "message",
	"message-text", "select", "select-text", "border", "active", "active-mode", "number",
}

// String returns the role's name.
func (r Role) String() string {
	if r < numRoles {
		return roleNames[r]
	}
	return "unknown"
}

// RoleNamed finds a role.
func RoleNamed(name string) (Role, bool) {
	i := slices.Index(roleNames[:], name)
	return Role(max(i, 0)), i >= 0
}

// RoleNames lists the names of all roles.
func RoleNames() []string { return slices.Clone(roleNames[:]) }

// kindTheme is the kind of a colour that a theme decides on.
const kindTheme = 3

// Theme returns the colour that a theme gives to a role.
func Theme(r Role) Color { return kindTheme<<24 | Color(r) }

// ThemeColors is a theme: a colour for each role.
type ThemeColors [numRoles]Color

// Of returns c, and for a colour of the theme what that is here.
func (p *ThemeColors) Of(c Color) Color {
	if c>>24 != kindTheme {
		return c
	}
	if r := c & 0xffffff; r < Color(numRoles) {
		return p[r]
	}
	return Default
}

// themes are the ones that come with stet. dark and light are for terminals of many colours; ansi is for
// those of sixteen, whose shades only their owner knows, and mono for those of none: there a light ground is
// shown as reverse video. tmux has tmux's colours.
var themes = [...]struct {
	name   string
	colors ThemeColors
}{
	{"dark", ThemeColors{
		Bar: hex(0x232a36), BarText: hex(0xc3ccdb), Session: hex(0x8fc7f5), Muted: hex(0x93a0b4), Notice: hex(0xf0c674),
		Current: hex(0x3d5a80), CurrentText: hex(0xffffff), Alert: hex(0xf2777a), AlertText: hex(0x1a1014),
		Message: hex(0xe5c07b), MessageText: hex(0x1c1b17), Select: hex(0xe5c07b), SelectText: hex(0x1c1b17),
		Border: hex(0x7a8699), Active: hex(0x7fb7f0), ActiveMode: hex(0xe5c07b), Number: hex(0x7fb7f0),
	}},
	{"light", ThemeColors{
		Bar: hex(0xe3e8ef), BarText: hex(0x2f3a4a), Session: hex(0x1f5d99), Muted: hex(0x515d70), Notice: hex(0x7a4a00),
		Current: hex(0x2f6299), CurrentText: hex(0xffffff), Alert: hex(0xb3261e), AlertText: hex(0xffffff),
		Message: hex(0xffe08a), MessageText: hex(0x2b2410), Select: hex(0xffd966), SelectText: hex(0x2b2410),
		Border: hex(0x7d8896), Active: hex(0x1f5d99), ActiveMode: hex(0x8a5a00), Number: hex(0x1f5d99),
	}},
	{"ansi", ThemeColors{
		Bar: Palette(7), BarText: Palette(0), Session: Palette(0), Muted: Palette(0), Notice: Palette(0),
		Current: Palette(0), CurrentText: Palette(7), Alert: Palette(1), AlertText: Palette(7),
		Message: Palette(3), MessageText: Palette(0), Select: Palette(3), SelectText: Palette(0),
		Border: Default, Active: Palette(2), ActiveMode: Palette(3),
	}},
	{"mono", ThemeColors{
		Bar: Palette(15), BarText: Palette(0), Session: Palette(0), Muted: Palette(0), Notice: Palette(0),
		Current: Palette(0), CurrentText: Palette(15), Alert: Palette(0), AlertText: Palette(15),
		Message: Palette(15), MessageText: Palette(0), Select: Palette(15), SelectText: Palette(0),
	}},
	{"tmux", ThemeColors{
		Bar: Palette(2), BarText: Palette(0), Session: Palette(0), Muted: Palette(0), Notice: Palette(0),
		Current: Palette(2), CurrentText: Palette(0), Alert: Palette(0), AlertText: Palette(2),
		Message: Palette(3), MessageText: Palette(0), Select: Palette(3), SelectText: Palette(0),
		Border: Default, Active: Palette(2), ActiveMode: Palette(3), Number: Palette(4),
	}},
}

func hex(rgb uint32) Color { return 2<<24 | Color(rgb) }

// ThemeNamed returns a theme that comes with stet.
func ThemeNamed(name string) (ThemeColors, bool) {
	for i := range themes {
		if themes[i].name == name {
			return themes[i].colors, true
		}
	}
	return ThemeColors{}, false
}

// ThemeNames lists the themes that come with stet.
func ThemeNames() []string {
	var names []string
	for i := range themes {
		names = append(names, themes[i].name)
	}
	return names
}

// themeColour reads a colour of a theme by its role.
func themeColour(low string) (Color, bool) {
	name, ok := strings.CutPrefix(low, "theme-")
	if !ok {
		return 0, false
	}
	r, ok := RoleNamed(name)
	return Theme(r), ok
}

// Contrast is how well two colours can be told apart, from 1 to 21, as WCAG 2 measures it; 4.5 is what text
// needs. It is 0 where a colour is not known.
func Contrast(a, b Color) float64 {
	x, okA := a.Value()
	y, okB := b.Value()
	if !okA || !okB {
		return 0
	}
	la, lb := luminance(x), luminance(y)
	return (max(la, lb) + 0.05) / (min(la, lb) + 0.05)
}

// luminance of a colour, from 0 to 1.
func luminance(rgb uint32) float64 {
	part := func(v uint32) float64 {
		c := float64(v&255) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*part(rgb>>16) + 0.7152*part(rgb>>8) + 0.0722*part(rgb)
}
