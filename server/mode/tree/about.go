package tree

import (
	"strings"

	"stet/config/style"
	"stet/vt/width"
)

// drawAbout draws paragraphs into a box, each as far as there is room.
func (t *Tree) drawAbout(about []Paragraph, x, y, w, h int) {
	for _, p := range about {
		rows := wrap(p, w)
		for n := range max(len(rows), 1) {
			if h--; h < 0 {
				return
			}
			if n < len(rows) {
				at := x
				for _, s := range rows[n] {
					at += t.canvas.Text(at, y, x+w-at, s.Text, fromStyle(s.Style))
				}
			}
			y++
		}
	}
}

// wrap breaks a paragraph into rows of at most w cells, behind a blank where there is one.
func wrap(p Paragraph, w int) []Paragraph {
	var rows []Paragraph
	var row Paragraph
	used := 0
	for _, s := range p {
		for _, word := range strings.SplitAfter(s.Text, " ") {
			for word != "" {
				n := width.String(strings.TrimRight(word, " "))
				if used > 0 && used+n > w {
					rows, row, used = append(rows, row), nil, 0
				}
				head := word
				if n > w {
					head = beginning(word, w)
				}
				row = append(row, style.Segment{Text: head, Style: s.Style})
				used += width.String(head)
				word = word[len(head):]
			}
		}
	}
	if len(row) > 0 {
		rows = append(rows, row)
	}
	return rows
}

// beginning is as much of a word as w cells hold, and never nothing.
func beginning(word string, w int) string {
	n, used := 0, 0
	for n < len(word) {
		size, cells := width.Cluster(word[n:])
		if used += cells; used > w && n > 0 {
			break
		}
		n += size
	}
	return word[:n]
}
