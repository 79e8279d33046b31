package server

import (
	"fmt"
	"slices"
	"strings"

	"stet/config"
	"stet/config/style"
	"stet/server/command"
	"stet/server/model"
)

// Themes that the option theme chooses itself, by what the outer terminal is.
const (
	themeAuto  = "auto"
	themeDark  = "dark"
	themeLight = "light"
	themeANSI  = "ansi"
	themeMono  = "mono"
)

// theme is the colours that a client's picture is drawn with.
func (s *Server) theme(c *client, ses *model.Session) []uint32 {
	colors, ok := s.themeNamed(s.themeName(c, s.option(ofSession(ses.ID), "theme")))
	if !ok { // it was in a configuration that is no more
		colors, _ = s.themeNamed(s.themeName(c, themeAuto))
	}
	out := make([]uint32, len(colors))
	for i, v := range colors {
		out[i] = uint32(v)
	}
	return out
}

// themeName is the name of the theme in force: what is wanted, or with auto what suits the outer terminal.
// Where there are few colours the terminal decides alone, but for tmux's theme, which needs no more.
func (s *Server) themeName(c *client, wanted string) string {
	switch {
	case c.features.Colors == 1 || noColor(c.info):
		return themeMono
	case c.features.Colors == 16 && wanted != "tmux":
		return themeANSI
	case wanted != themeAuto:
		return wanted
	case s.onLight(c):
		return themeLight
	}
	return themeDark
}

// noColor says that the person wants none: https://no-color.org.
func noColor(c command.ClientInfo) bool {
	return slices.ContainsFunc(c.Env, func(e string) bool {
		v, ok := strings.CutPrefix(e, "NO_COLOR=")
		return ok && v != ""
	})
}

// onLight says whether a client's terminal has a light ground: what it says of itself, else its ground, else
// that of the terminal that has told last.
func (s *Server) onLight(c *client) bool {
	switch c.features.Dark {
	case 1:
		return false
	case 2:
		return true
	}
	if bg, ok := colour(c.features.Background); ok {
		return light(bg)
	}
	return c.features.Name == "" && s.colours != [2]uint32{} && light(s.colours[1])
}

// themeNamed is a theme of the configuration, which can take the place of one that comes with stet, or one
// of those.
func (s *Server) themeNamed(name string) (style.ThemeColors, bool) {
	if s.config.have != nil {
		for _, t := range s.config.have.Themes {
			if t.Name == name {
				return themeColours(t), true
			}
		}
	}
	return style.ThemeNamed(name)
}

// themeColours are a configured theme's own colours over those of its base.
func themeColours(t config.Theme) style.ThemeColors {
	colors, _ := style.ThemeNamed(t.Base)
	for r, c := range t.Colors {
		colors[r] = c
	}
	return colors
}

// themeNames lists the themes there are.
func (s *Server) themeNames() []string {
	names := []string{themeAuto}
	if s.config.have != nil {
		for _, t := range s.config.have.Themes {
			names = append(names, t.Name)
		}
	}
	names = append(names, style.ThemeNames()...)
	slices.Sort(names)
	return slices.Compact(names)
}

// checkTheme tells the people who look when the theme that was set does not exist.
func (s *Server) checkTheme(t command.OptionTarget) {
	name := s.option(t, "theme")
	if _, ok := s.themeNamed(name); ok || name == themeAuto {
		return
	}
	for _, c := range s.attached {
		s.Message(c.id, fmt.Sprintf("no theme is named %s: there are %s", name, strings.Join(s.themeNames(), ", ")), 0)
	}
}
