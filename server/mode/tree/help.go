package tree

import (
	"strings"

	"stet/server/mode"
	"stet/vt"
	"stet/vt/width"
)

// helpKey is a key while the keys are shown: those that move scroll, any other takes them away and does no
// more.
func (t *Tree) helpKey(name string) mode.Effect {
	rows, room := len(t.helpLines()), max(t.rows-2, 1)
	most := max(rows-room, 0)
	step := 0
	if r := t.row(name); r != nil && most > 0 {
		step = map[string]int{"Up": -1, "Down": 1, "PPage": -room, "NPage": room, "Home": -rows, "End": rows}[r.Keys[0]]
	}
	if step == 0 {
		t.help = false
	}
	t.helpTop = max(min(t.helpTop+step, most), 0)
	return t.redraw()
}

// helpLines are the keys of the mode, with what they are good for.
func (t *Tree) helpLines() [][2]string {
	var out [][2]string
	if t.cfg.Keys == nil {
		out = append(out, [2]string{Shortcuts, ShortcutHelp})
	}
	for _, r := range Rows(t.cfg.Kind) {
		out = append(out, [2]string{strings.Join(r.Keys, ", "), r.Help(t.cfg.Kind)})
	}
	return out
}

// drawHelp draws a box with the keys over the middle of everything.
func (t *Tree) drawHelp() {
	lines := t.helpLines()
	wide, keys := 0, 0
	for _, l := range lines {
		keys = max(keys, width.String(l[0]))
	}
	for _, l := range lines {
		wide = max(wide, keys+2+width.String(l[1]))
	}
	w, h := min(wide+4, t.cols), min(len(lines)+2, t.rows)
	x, y := (t.cols-w)/2, (t.rows-h)/2
	t.helpTop = max(min(t.helpTop, len(lines)-(h-2)), 0)
	t.canvas.Fill(x, y, w, h, vt.Style{})
	t.canvas.Box(x, y, w, h, t.cfg.Border)
	t.canvas.Text(x+2, y, w-4, " Keys of "+t.cfg.Kind.Command()+" ", t.cfg.Border)
	for n := range max(h-2, 0) {
		l := lines[t.helpTop+n]
		t.canvas.Text(x+2, y+1+n, w-4, l[0], vt.Style{Attr: vt.Bold})
		t.canvas.Text(x+2+keys+2, y+1+n, w-4-keys-2, l[1], vt.Style{})
	}
	foot := " any key goes back "
	if len(lines) > h-2 {
		foot = " arrows scroll, any other key goes back "
	}
	t.canvas.Text(x+2, y+h-1, w-4, foot, t.cfg.Border)
}
