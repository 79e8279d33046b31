package client

import (
	"strconv"

	"stet/server/wire"
)

// csi appends a sequence with one parameter, left out when it is 1.
func (e *encoder) csi(n int, final byte) {
	e.out = append(e.out, 0x1b, '[')
	if n != 1 {
		e.out = strconv.AppendInt(e.out, int64(n), 10)
	}
	e.out = append(e.out, final)
}

func csiCost(n int) int {
	if n == 1 {
		return 3
	}
	return 3 + digits(n)
}

func digits(n int) int {
	d := 1
	for ; n >= 10; n /= 10 {
		d++
	}
	return d
}

func cupCost(x, y int) int {
	switch {
	case x > 0:
		return 4 + digits(y+1) + digits(x+1)
	case y > 0:
		return 3 + digits(y+1)
	}
	return 3
}

// How to get to a column of the present row.
const (
	stay = iota
	carriageReturn
	backspaces
	back
	forward
	column
	rewrite
)

// moveTo puts the cursor at x, y the cheapest way: by its address, or by a vertical step and a
// horizontal one.
func (e *encoder) moveTo(x, y int) {
	if e.x == x && e.y == y {
		return
	}
	e.prevOK = false
	jumped := true
	if e.y < 0 {
		e.cup(x, y)
	} else {
		how, across := e.across(x, e.y == y)
		down, lf := y-e.y, false
		cost := across
		switch {
		case down > 0 && down <= csiCost(down): // LF keeps the column: output processing is off
			lf = true
			cost += down
		case down != 0:
			cost += csiCost(max(down, -down))
		}
		if down != 0 && cupCost(x, y) <= cost {
			e.cup(x, y)
		} else {
			switch {
			case lf:
				for range down {
					e.out = append(e.out, '\n')
				}
			case down > 0:
				e.csi(down, 'B')
			case down < 0:
				e.csi(-down, 'A')
			}
			jumped = how != rewrite
			e.step(how, x)
		}
	}
	if jumped {
		e.jumps++
	}
	e.x, e.y = x, y
}

// across finds the cheapest way to column x. Rewriting what stands there already is only possible
// in the row the cursor is in.
func (e *encoder) across(x int, sameRow bool) (how, cost int) {
	how, cost = column, csiCost(x+1)
	try := func(h, c int) {
		if c < cost {
			how, cost = h, c
		}
	}
	if x == 0 {
		try(carriageReturn, 1)
	}
	if e.x < 0 {
		return how, cost
	}
	switch d := x - e.x; {
	case d == 0:
		return stay, 0
	case d < 0:
		try(back, csiCost(-d))
		try(backspaces, -d)
	default:
		try(forward, csiCost(d))
		if sameRow && d <= 4 && d <= cost && e.rewritable(x) {
			return rewrite, d
		}
	}
	return how, cost
}

func (e *encoder) step(how, x int) {
	switch how {
	case carriageReturn:
		e.out = append(e.out, '\r')
	case backspaces:
		for range e.x - x {
			e.out = append(e.out, '\b')
		}
	case back:
		e.csi(e.x-x, 'D')
	case forward:
		e.csi(x-e.x, 'C')
	case column:
		e.csi(x+1, 'G')
	case rewrite:
		for _, c := range e.cells[e.y*e.pitch+e.x : e.y*e.pitch+x] {
			e.out = append(e.out, byte(c))
			e.prev, e.prevOK = c, true
		}
	}
}

// rewritable says that the cells from the cursor up to x are ASCII in the pen as it is.
func (e *encoder) rewritable(x int) bool {
	for _, c := range e.cells[e.y*e.pitch+e.x : e.y*e.pitch+x] {
		if v := c & lookMask; v < wire.Blank || v >= 0x7f|widthOne || !e.fits(c) {
			return false
		}
	}
	return true
}

func (e *encoder) cup(x, y int) {
	e.out = append(e.out, 0x1b, '[')
	if x > 0 || y > 0 {
		e.out = strconv.AppendInt(e.out, int64(y+1), 10)
	}
	if x > 0 {
		e.out = append(e.out, ';')
		e.out = strconv.AppendInt(e.out, int64(x+1), 10)
	}
	e.out = append(e.out, 'H')
}
