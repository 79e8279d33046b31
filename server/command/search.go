package command

import (
	"regexp"
	"strings"

	"stet/config/format"
	"stet/server/mode"
	"stet/vt"
)

// maxExpression bounds a regular expression that screens are searched for.
const maxExpression = 1000

// Search returns the line of the pane's screen, from 1, that has a pattern, 0 for none (#{C:…}).
func (v *Variables) Search(pattern string, regex, ignoreCase bool) int {
	if v.target.Pane == nil {
		return 0
	}
	fits := lineMatcher(pattern, regex, ignoreCase)
	if fits == nil {
		return 0
	}
	for i, line := range screenLines(v.host.PanePicture(v.target.Pane.ID)) {
		if fits(line) {
			return i + 1
		}
	}
	return 0
}

// lineMatcher is what finds a pattern in a line; nil for one that is wrong.
func lineMatcher(pattern string, regex, ignoreCase bool) func(line string) bool {
	if !regex {
		return func(line string) bool { return format.Glob("*"+pattern+"*", line, ignoreCase) }
	}
	if len(pattern) > maxExpression {
		return nil
	}
	if ignoreCase {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil
	}
	return re.MatchString
}

// screenLines are the texts of a screen's rows, without the blanks at their ends.
func screenLines(p mode.Picture) []string {
	view := p.View(nil, 0, 0)
	if view == nil {
		return nil
	}
	lines := make([]string, len(view.Cells))
	for y, row := range view.Cells {
		lines[y] = strings.TrimRight(rowText(view, row), " ")
	}
	return lines
}

func rowText(view *vt.View, row []vt.Cell) string {
	var b strings.Builder
	for _, c := range row {
		switch {
		case c.Width() == 0: // the right half of the character before it
		case c.IsCluster():
			b.WriteString(view.Clusters[c.Cluster()])
		case c.Rune() == 0:
			b.WriteByte(' ')
		default:
			b.WriteRune(c.Rune())
		}
	}
	return b.String()
}
