package tree

import (
	"strings"

	"stet/config/style"
	"stet/server/mode"
	"stet/vt"
	"stet/vt/width"
)

// leastPreview is the least height for which a preview is worth its room, with its border.
const leastPreview = 5

// listRows is how many rows the list has: what is left belongs to the preview.
func (t *Tree) listRows() int {
	if !t.preview {
		return t.rows
	}
	h := t.rows * 2 / 3
	if len(t.lines) < h {
		h = max(len(t.lines), t.rows/3)
	}
	if t.rows-h < leastPreview {
		return t.rows
	}
	return h
}

// pictures are those of the selected item that are in sight.
func (t *Tree) pictures() []Picture {
	i := t.item()
	if i == nil || t.listRows() >= t.rows || len(i.Pictures) == 0 {
		return nil
	}
	n := max(min((t.cols-2)/leastPicture, len(i.Pictures)), 1)
	t.scroll = min(t.scroll, len(i.Pictures)-n)
	return i.Pictures[t.scroll : t.scroll+n]
}

// leastPicture is how many columns a picture has at least, as in tmux.
const leastPicture = 24

// Version changes with the list and with each picture in it.
func (t *Tree) Version() uint64 {
	t.mu.Lock()
	v, pics := t.version<<32, t.pictures()
	t.mu.Unlock()
	for _, p := range pics {
		v += p.Image.Version()
	}
	return max(v, 1)
}

// View draws it. The pictures are asked for without the mutex that the core loop takes: they may make us
// wait.
func (t *Tree) View([]vt.RowInfo, uint64, int) *vt.View {
	t.draw.Lock()
	defer t.draw.Unlock()
	t.mu.Lock()
	pics := t.pictures()
	t.mu.Unlock()
	views := map[mode.Picture]*vt.View{}
	for _, p := range pics {
		views[p.Image] = p.Image.View(nil, 0, 0)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.canvas.Begin(t.cols, t.rows)
	t.drawList()
	if h := t.listRows(); h < t.rows {
		t.drawPreview(h, views)
	}
	if t.help {
		t.drawHelp()
	}
	return t.canvas.View()
}

func (t *Tree) drawList() {
	h := t.listRows()
	t.top = max(min(t.top, len(t.lines)-h), 0)
	if t.at < t.top {
		t.top = t.at
	}
	if t.at >= t.top+h {
		t.top = t.at - h + 1
	}
	keys := 0
	for n := range t.lines {
		keys = max(keys, len(t.shortcut(n))+2)
	}
	for y := range min(h, len(t.lines)-t.top) {
		t.drawLine(t.top+y, y, keys)
	}
}

func (t *Tree) drawLine(n, y, keys int) {
	l := t.lines[n]
	st := style.Style{}
	if n == t.at {
		st = toStyle(t.cfg.Selected)
		t.canvas.Fill(0, y, t.cols, 1, t.cfg.Selected)
	}
	tag := ""
	if t.tags[l.item.ID] {
		st.Attr |= style.Bold
		tag = "*"
	}
	k := ""
	if s := t.shortcut(n); s != "" {
		k = "(" + s + ")"
	}
	x := t.canvas.Text(0, y, t.cols, k, fromStyle(st))
	x = max(x, keys) + 1
	head := t.branches(l) + l.item.Name + tag
	if l.item.Text != "" {
		head += ": "
	}
	x += t.canvas.Text(x, y, t.cols-x, head, fromStyle(st))
	for _, g := range style.Segments(l.item.Text, st) {
		look := g.Style
		if n == t.at { // what is selected looks so from one end to the other
			look = st
		}
		x += t.canvas.Text(x, y, t.cols-x, g.Text, fromStyle(look))
	}
}

// branches are the lines of the tree in front of a line.
func (t *Tree) branches(l line) string {
	var b strings.Builder
	for d, last := range l.last {
		switch {
		case d == 0:
		case d < l.depth && last:
			b.WriteString("    ")
		case d < l.depth:
			b.WriteString("│   ")
		case last:
			b.WriteString("└─> ")
		default:
			b.WriteString("├─> ")
		}
	}
	switch {
	case len(l.item.Children) == 0:
		if !l.flat {
			b.WriteString("  ")
		}
	case t.isOpen(l.item, l.depth):
		b.WriteString("- ")
	default:
		b.WriteString("+ ")
	}
	return b.String()
}

func (t *Tree) drawPreview(y int, views map[mode.Picture]*vt.View) {
	i, c := t.item(), &t.canvas
	w, h := t.cols, t.rows-y
	c.Box(0, y, w, h, t.cfg.Border)
	if i == nil || w < 4 {
		return
	}
	defer t.drawTitle(y) // over the borders between pictures
	if t.cfg.Kind == Options {
		c.Text(2, y+h-1, w-4, hintText(w-4), t.cfg.Border)
	}
	if len(i.About) > 0 {
		t.drawAbout(i.About, 2, y+1, w-4, h-2)
		return
	}
	if len(i.Pictures) == 0 {
		for n := range min(len(i.Lines), h-2) {
			c.Text(2, y+1+n, w-4, i.Lines[n], vt.Style{})
		}
		return
	}
	pics := t.pictures()
	x, room := 1, w-2
	for n, p := range pics {
		each := (room - (len(pics) - 1 - n)) / (len(pics) - n)
		t.drawPicture(p, x, y+1, each, h-2, len(i.Pictures) > 1, views)
		x, room = x+each, room-each
		if n < len(pics)-1 {
			c.Text(x, y, 1, "┬", t.cfg.Border)
			for j := y + 1; j < y+h-1; j++ {
				c.Text(x, j, 1, "│", t.cfg.Border)
			}
			c.Text(x, y+h-1, 1, "┴", t.cfg.Border)
			x, room = x+1, room-1
		}
	}
	if t.scroll > 0 {
		c.Text(1, y+h-1, 3, " < ", t.cfg.Border)
	}
	if t.scroll+len(pics) < len(i.Pictures) {
		c.Text(w-4, y+h-1, 3, " > ", t.cfg.Border)
	}
}

// customizeHints are the keys of customize-mode that a person needs first, the most needed first.
var customizeHints = [...][2]string{{"Enter", "set"}, {"d", "default"}, {"C-s", "search"}, {"F1", "all keys"}, {"q", "leave"}}

// hintText is as many of them as have room.
func hintText(room int) string {
	text := ""
	for _, h := range customizeHints {
		more := " " + h[0] + " " + h[1] + " "
		if width.String(text+more) > room {
			break
		}
		text += more
	}
	return text
}

// drawTitle names what is selected, the order and the filter.
func (t *Tree) drawTitle(y int) {
	i, c, w := t.item(), &t.canvas, t.cols
	title := " " + i.Name
	if t.cfg.Query.Sort != "" {
		title += " (sort: " + t.cfg.Query.Sort
		if t.cfg.Query.Reverse {
			title += ", reversed"
		}
		title += ")"
	}
	if t.filter != "" {
		title += " (filter: " + map[bool]string{true: "no matches", false: "active"}[t.none] + ")"
	}
	c.Text(1, y, w-2, title+" ", t.cfg.Border)
}

// drawPicture draws one picture, its name in the middle of its upper edge.
func (t *Tree) drawPicture(p Picture, x, y, w, h int, named bool, views map[mode.Picture]*vt.View) {
	t.canvas.Copy(x, y, w, h, views[p.Image])
	if !named || p.Name == "" {
		return
	}
	name := " " + p.Name + " "
	n := min(width.String(name), w)
	t.canvas.Text(x+(w-n)/2, y+h-1, n, name, reversed(t.cfg.Border))
}

func reversed(st vt.Style) vt.Style { st.Attr |= vt.Reverse; return st }

// The two kinds of style have the same numbers.
func toStyle(s vt.Style) style.Style {
	return style.Style{FG: style.Color(s.FG), BG: style.Color(s.BG), UL: style.Color(s.UL), Attr: style.Attr(s.Attr), Under: s.Under}
}

func fromStyle(s style.Style) vt.Style {
	return vt.Style{FG: vt.Color(s.FG), BG: vt.Color(s.BG), UL: vt.Color(s.UL), Attr: vt.Attr(s.Attr), Under: s.Under}
}

// plain is a text without its styles.
func plain(text string) string {
	var b strings.Builder
	for _, g := range style.Segments(text, style.Style{}) {
		b.WriteString(g.Text)
	}
	return b.String()
}
