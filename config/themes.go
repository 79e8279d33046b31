package config

import (
	"slices"
	"strings"

	"stet/config/near"
	"stet/config/style"
)

// Theme is a theme of the configuration: colours by what they are for, laid over those of another theme.
type Theme struct {
	Name   string
	Base   string // one that comes with stet
	Colors map[style.Role]style.Color

	Place
}

// maxThemes bounds the themes of a file.
const maxThemes = 64

// themes reads [themes.…].
func (r *reader) themes(t *table) []Theme {
	var out []Theme
	for _, name := range t.sorted() {
		at := t.at.key(name)
		m, ok := t.m[name].(map[string]any)
		switch {
		case !ok:
			r.errorf(at, "%s must be a theme [themes.%s] of COLOUR = \"#rrggbb\", not %s", name, name, kindOf(t.m[name]))
		case len(name) > 32 || name == "auto" || name == "":
			r.errorf(at, "a theme cannot be named %q: auto means the one that suits the terminal, and a name has 1 to 32 bytes", name)
		case len(out) == maxThemes:
			r.errorf(at, "more than %d themes", maxThemes)
			return out
		default:
			out = append(out, r.theme(name, r.table(at, m)))
		}
	}
	return out
}

// theme reads one of them.
func (r *reader) theme(name string, t *table) Theme {
	th := Theme{Name: name, Base: "dark", Colors: map[style.Role]style.Color{}, Place: r.origin(t.at)}
	if _, ok := style.ThemeNamed(name); ok {
		th.Base = name
	}
	if t.m["base"] != nil {
		th.Base = t.text("base")
		if _, ok := style.ThemeNamed(th.Base); !ok {
			r.errorf(t.at.key("base"), "no theme named %q comes with stet%s: there are %s", th.Base, near.Meant(th.Base, slices.Values(style.ThemeNames())), strings.Join(style.ThemeNames(), ", "))
		}
	}
	for _, key := range t.sorted() {
		if key == "base" {
			continue
		}
		role, ok := style.RoleNamed(key)
		if !ok {
			r.errorf(t.at.key(key), "a theme has no colour %q%s: there are %s", key, near.Meant(key, slices.Values(style.RoleNames())), strings.Join(style.RoleNames(), ", "))
			continue
		}
		text, ok := t.m[key].(string)
		if !ok {
			t.wrong(key, "a colour such as \"#3d5a80\"", t.m[key])
			continue
		}
		c, err := style.ParseColour(text)
		if err == nil && strings.HasPrefix(c.String(), "theme-") {
			r.errorf(t.at.key(key), "the colour of a theme is one by itself, not %s", text)
			continue
		}
		if err != nil {
			r.errorf(t.at.key(key), "%v", err)
			continue
		}
		th.Colors[role] = c
	}
	return th
}
