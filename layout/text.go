package layout

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// The text form is tmux's (#{window_layout}):
//
//	layout = checksum "," cell              checksum: four hex digits
//	cell   = W "x" H "," X "," Y ( "," pane | "{" cells "}" | "[" cells "]" )
//	cells  = cell { "," cell }
//
// Braces hold cells side by side, brackets cells one above the other. The
// checksum covers everything behind its comma.

// maxText is the longest text Parse reads, in bytes: some two thousand panes.
const maxText = 64 << 10

// maxDepth bounds how deep the text may be nested.
const maxDepth = 256

// String returns the layout in tmux's text form with checksum and pane ids.
func (t *Tree) String() string {
	b := t.root.append(make([]byte, 0, 64))
	return fmt.Sprintf("%04x,%s", checksum(string(b)), b)
}

func (c *cell) append(b []byte) []byte {
	b = strconv.AppendInt(b, int64(c.W), 10)
	b = append(b, 'x')
	b = strconv.AppendInt(b, int64(c.H), 10)
	for _, n := range [2]int{c.X, c.Y} {
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(n), 10)
	}
	if c.axis == none {
		b = append(b, ',')
		return strconv.AppendInt(b, int64(c.pane), 10)
	}
	open, end := byte('['), byte(']')
	if c.axis == horizontal {
		open, end = '{', '}'
	}
	for i, k := range c.children {
		if i == 0 {
			b = append(b, open)
		} else {
			b = append(b, ',')
		}
		b = k.append(b)
	}
	return append(b, end)
}

// checksum is tmux's: a 16-bit sum rotated right by one before each byte.
func checksum(s string) uint16 {
	var sum uint16
	for i := 0; i < len(s); i++ {
		sum = sum>>1 | sum<<15
		sum += uint16(s[i])
	}
	return sum
}

// Parse reads a layout in tmux's text form. With panes nil the ids are those
// in the text; otherwise the panes given go into the leaves in order, surplus
// leaves are closed beginning at the bottom right, and more panes than leaves
// are an error. Positions in the text are not looked at: they follow from the
// sizes, which must add up.
func Parse(s string, panes []int) (*Tree, error) {
	if len(s) > maxText {
		return nil, fmt.Errorf("layout text of %d bytes is too long (at most %d)", len(s), maxText)
	}
	sum, body, ok := strings.Cut(s, ",")
	want, err := strconv.ParseUint(sum, 16, 16)
	if !ok || err != nil || len(sum) != 4 {
		return nil, errors.New("layout must begin with a checksum of four hex digits and a comma")
	}
	if got := checksum(body); got != uint16(want) {
		return nil, fmt.Errorf("layout checksum is %04x, but the text gives %04x", want, got)
	}
	p := parser{text: body}
	root, err := p.cell(0)
	if err == nil && p.pos != len(body) {
		err = p.errorf("unexpected text behind the layout")
	}
	if err != nil {
		return nil, err
	}
	t := &Tree{root: root}
	root.fixTop()
	if err := root.check(); err != nil {
		return nil, err
	}
	if err := t.assign(panes); err != nil {
		return nil, err
	}
	t.place()
	return t, nil
}

// assign fills the leaves of a freshly parsed tree.
func (t *Tree) assign(panes []int) error {
	if panes != nil {
		n := t.root.count()
		if len(panes) == 0 || len(panes) > n {
			return fmt.Errorf("have %d panes but the layout holds %d", len(panes), n)
		}
		for ; n > len(panes); n-- {
			t.remove(t.root.bottomRight())
		}
		i := 0
		t.root.each(func(c *cell) {
			c.pane = panes[i]
			i++
		})
	}
	if id, twice := t.root.duplicate(); twice {
		return fmt.Errorf("%w: %%%d", ErrDuplicate, id)
	}
	return nil
}

func (c *cell) bottomRight() *cell {
	for c.axis != none {
		c = c.children[len(c.children)-1]
	}
	return c
}

// fixTop sets the size of the root from its children: some versions of tmux
// wrote a wrong one.
func (c *cell) fixTop() {
	if c.axis == none {
		return
	}
	sum := len(c.children) - 1
	for _, k := range c.children {
		sum += k.size(c.axis)
	}
	last := c.children[len(c.children)-1]
	c.W, c.H = last.W, last.H
	c.setSize(c.axis, sum)
}

// check verifies that sizes are in range and add up.
func (c *cell) check() error {
	if c.W < minSize || c.H < minSize || c.W > MaxSize || c.H > MaxSize {
		return fmt.Errorf("layout has a cell of %dx%d; sizes go from %d to %d", c.W, c.H, minSize, MaxSize)
	}
	if c.axis == none {
		return nil
	}
	sum := len(c.children) - 1
	for _, k := range c.children {
		if c.axis == horizontal && k.H != c.H || c.axis == vertical && k.W != c.W {
			return fmt.Errorf("layout has a cell of %dx%d inside one of %dx%d", k.W, k.H, c.W, c.H)
		}
		if err := k.check(); err != nil {
			return err
		}
		sum += k.size(c.axis)
	}
	if sum != c.size(c.axis) {
		return fmt.Errorf("layout has a cell of %dx%d whose parts take %d", c.W, c.H, sum)
	}
	return nil
}

type parser struct {
	text string
	pos  int
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("layout, at character %d: %s", p.pos+1, fmt.Sprintf(format, args...))
}

// cell reads a leaf or a node. A node with one child is read as the child.
func (p *parser) cell(depth int) (*cell, error) {
	if depth > maxDepth {
		return nil, p.errorf("nested too deeply")
	}
	var n [4]int
	for i, sep := range [4]byte{0, 'x', ',', ','} {
		if i > 0 && !p.accept(sep) {
			return nil, p.errorf("expected %q", sep)
		}
		v, err := p.number(MaxSize)
		if err != nil {
			return nil, err
		}
		n[i] = v
	}
	c := &cell{Rect: Rect{W: n[0], H: n[1]}}
	switch {
	case p.accept('{'):
		c.axis = horizontal
	case p.accept('['):
		c.axis = vertical
	default:
		return c, p.pane(c)
	}
	end := byte('}')
	if c.axis == vertical {
		end = ']'
	}
	for {
		k, err := p.cell(depth + 1)
		if err != nil {
			return nil, err
		}
		k.parent = c
		c.children = append(c.children, k)
		if p.accept(end) {
			break
		}
		if !p.accept(',') {
			return nil, p.errorf("expected ',' or %q", end)
		}
	}
	if len(c.children) == 1 {
		only := c.children[0]
		if only.Rect != c.Rect {
			return nil, p.errorf("a single part must be as large as the whole")
		}
		only.parent = nil
		return only, nil
	}
	return c, nil
}

// pane reads the id of a leaf. Old layouts have none; the next cell's size
// then follows the comma and must not be taken for it.
func (p *parser) pane(c *cell) error {
	start := p.pos
	if !p.accept(',') {
		return nil
	}
	v, err := p.number(1<<31 - 1)
	if err != nil {
		return err
	}
	if p.pos < len(p.text) && p.text[p.pos] == 'x' {
		p.pos = start
		return nil
	}
	c.pane = v
	return nil
}

func (p *parser) accept(b byte) bool {
	if p.pos < len(p.text) && p.text[p.pos] == b {
		p.pos++
		return true
	}
	return false
}

func (p *parser) number(limit int) (int, error) {
	start, v := p.pos, 0
	for ; p.pos < len(p.text); p.pos++ {
		d := p.text[p.pos]
		if d < '0' || d > '9' {
			break
		}
		v = v*10 + int(d-'0')
		if v > limit {
			return 0, p.errorf("number above %d", limit)
		}
	}
	if p.pos == start {
		return 0, p.errorf("expected a number")
	}
	return v, nil
}
