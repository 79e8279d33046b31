package layout

import (
	"fmt"
	"strings"
)

// presets are the names Preset knows, in the order next-layout goes through.
var presets = [...]string{
	"even-horizontal",
	"even-vertical",
	"main-horizontal",
	"main-horizontal-mirrored",
	"main-vertical",
	"main-vertical-mirrored",
	"tiled",
}

// Presets returns the names of the preset layouts in the order in which
// next-layout goes through them.
func Presets() []string { return presets[:] }

// PresetName resolves a name or an unambiguous beginning of one. A layout wins
// over its mirrored form, so that "main-v" means what it did before there was
// one.
func PresetName(s string) (string, error) {
	var found []string
	for _, p := range presets {
		if p == s {
			return p, nil
		}
		if strings.HasPrefix(p, s) {
			found = append(found, p)
		}
	}
	switch {
	case len(found) == 1, len(found) == 2 && found[1] == found[0]+"-mirrored":
		return found[0], nil
	case len(found) > 1 && s != "":
		return "", fmt.Errorf("ambiguous layout %q: could be %s", s, strings.Join(found, ", "))
	}
	return "", fmt.Errorf("unknown layout %q: use one of %s", s, strings.Join(presets[:], ", "))
}

// Preset lays out panes in a window of w by h cells. mainW and mainH are the
// wanted width and height of the first pane in the main-… layouts
// (main-pane-width and main-pane-height), cut down to leave the others a cell.
// The result is larger than asked when the panes do not fit. Names may be
// shortened as in PresetName.
func Preset(name string, w, h int, panes []int, mainW, mainH int) (*Tree, error) {
	name, err := PresetName(name)
	if err != nil {
		return nil, err
	}
	if len(panes) == 0 {
		return nil, fmt.Errorf("layout %s needs a pane", name)
	}
	w, h = clampSize(w), clampSize(h)
	var root *cell
	switch {
	case len(panes) == 1:
		return New(w, h, panes[0]), nil
	case name == "even-horizontal":
		root = row(horizontal, w, h, panes)
	case name == "even-vertical":
		root = row(vertical, h, w, panes)
	case name == "tiled":
		root = tiled(w, h, panes)
	case strings.HasPrefix(name, "main-horizontal"):
		root = mainAnd(vertical, h, w, mainH, panes, strings.HasSuffix(name, "mirrored"))
	default:
		root = mainAnd(horizontal, w, h, mainW, panes, strings.HasSuffix(name, "mirrored"))
	}
	if id, twice := root.duplicate(); twice {
		return nil, fmt.Errorf("%w: %%%d", ErrDuplicate, id)
	}
	if root.W > MaxSize || root.H > MaxSize {
		return nil, fmt.Errorf("layout %s: %w: %d panes", name, ErrNoSpace, len(panes))
	}
	t := &Tree{root: root}
	t.place()
	return t, nil
}

// sized returns a cell of a size along an axis and across it.
func sized(a axis, along, across int) *cell {
	if a == horizontal {
		return &cell{Rect: Rect{W: along, H: across}}
	}
	return &cell{Rect: Rect{W: across, H: along}}
}

// row returns panes of equal size one behind the other along an axis; a single
// pane gives a leaf.
func row(a axis, along, across int, panes []int) *cell {
	if len(panes) == 1 {
		c := sized(a, along, across)
		c.pane = panes[0]
		return c
	}
	along = max(along, len(panes)*(minSize+1)-1)
	node := sized(a, along, across)
	node.axis = a
	for _, id := range panes {
		k := sized(a, minSize, across)
		k.pane, k.parent = id, node
		node.children = append(node.children, k)
	}
	node.spread()
	return node
}

// mainAnd returns one large pane and the others in a row across the axis; size
// is the wanted size of the large one.
func mainAnd(a axis, along, across, size int, panes []int, mirrored bool) *cell {
	along = max(along, 2*minSize+1)
	size = min(max(size, minSize), along-1-minSize)
	other := horizontal
	if a == horizontal {
		other = vertical
	}
	rest := row(other, across, along-1-size, panes[1:])
	across = max(across, rest.size(other))
	big := sized(a, size, across)
	big.pane = panes[0]
	node := sized(a, along, across)
	node.axis = a
	node.children = []*cell{big, rest}
	if mirrored {
		node.children[0], node.children[1] = rest, big
	}
	big.parent, rest.parent = node, node
	return node
}

// tiled returns the panes in rows of equal length. The last pane of each row
// and the last row take what the division leaves.
func tiled(w, h int, panes []int) *cell {
	rows, columns := 1, 1
	for rows*columns < len(panes) {
		rows++
		if rows*columns < len(panes) {
			columns++
		}
	}
	width := max((w-(columns-1))/columns, minSize)
	height := max((h-(rows-1))/rows, minSize)
	w = max(w, (width+1)*columns-1)
	root := &cell{Rect: Rect{W: w}, axis: vertical}
	for len(panes) > 0 {
		n := min(columns, len(panes))
		line := tiles(w, width, height, panes[:n])
		line.parent = root
		root.children = append(root.children, line)
		panes = panes[n:]
	}
	used := (height+1)*len(root.children) - 1
	root.H = max(h, used)
	root.children[len(root.children)-1].adjust(vertical, root.H-used)
	return root
}

func tiles(w, width, height int, panes []int) *cell {
	if len(panes) == 1 {
		return &cell{Rect: Rect{W: w, H: height}, pane: panes[0]}
	}
	line := &cell{Rect: Rect{W: w, H: height}, axis: horizontal}
	for _, id := range panes {
		line.children = append(line.children, &cell{Rect: Rect{W: width, H: height}, pane: id, parent: line})
	}
	line.children[len(panes)-1].W += w - ((width+1)*len(panes) - 1)
	return line
}
