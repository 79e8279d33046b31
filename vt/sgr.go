package vt

// sgr sets the pen. Sub-parameters may follow after colons (ISO 8613-6:
// 38:2:[space]:r:g:b, 38:5:n, 4:n) or, for colours, after semicolons as xterm
// has it.
func (t *Terminal) sgr() {
	p := &t.p
	s := &t.cur.style
	n := p.count()
	if n == 0 {
		t.plainPen()
		return
	}
	for i := 0; i < n; {
		v := p.params[i]
		next := i + 1
		for p.isSub(next) {
			next++
		}
		switch v {
		case 0:
			*s = Style{Link: s.Link, Attr: s.Attr & Protected}
		case 1:
			s.Attr |= Bold
		case 2:
			s.Attr |= Dim
		case 3:
			s.Attr |= Italic
		case 4:
			s.Under = UnderSingle
			if next > i+1 {
				if s.Under = uint8(min(p.params[i+1], 255)); s.Under > UnderDashed {
					s.Under = UnderSingle
				}
			}
		case 5, 6:
			s.Attr |= Blink
		case 7:
			s.Attr |= Reverse
		case 8:
			s.Attr |= Conceal
		case 9:
			s.Attr |= Strike
		case 21:
			s.Under = UnderDouble
		case 22:
			s.Attr &^= Bold | Dim
		case 23:
			s.Attr &^= Italic
		case 24:
			s.Under = UnderNone
		case 25:
			s.Attr &^= Blink
		case 27:
			s.Attr &^= Reverse
		case 28:
			s.Attr &^= Conceal
		case 29:
			s.Attr &^= Strike
		case 30, 31, 32, 33, 34, 35, 36, 37:
			s.FG = Indexed(uint8(v - 30))
		case 39:
			s.FG = 0
		case 40, 41, 42, 43, 44, 45, 46, 47:
			s.BG = Indexed(uint8(v - 40))
		case 49:
			s.BG = 0
		case 53:
			s.Attr |= Overline
		case 55:
			s.Attr &^= Overline
		case 59:
			s.UL = 0
		case 90, 91, 92, 93, 94, 95, 96, 97:
			s.FG = Indexed(uint8(v - 90 + 8))
		case 100, 101, 102, 103, 104, 105, 106, 107:
			s.BG = Indexed(uint8(v - 100 + 8))
		case 38, 48, 58:
			var c Color
			var ok bool
			switch {
			case next > i+1:
				c, ok = colorOf(p.params[i+1:next], true)
			case p.isSub(i + 2): // 38;2::r:g:b
				for next = i + 2; p.isSub(next); next++ {
				}
				c, ok = colorOf(p.params[i+1:next], true)
			default:
				next = min(i+1+semicolons(p.params[i+1:n]), n)
				c, ok = colorOf(p.params[i+1:next], false)
			}
			if ok {
				switch v {
				case 38:
					s.FG = c
				case 48:
					s.BG = c
				case 58:
					s.UL = c
				}
			}
		}
		i = next
	}
	t.setPen()
}

// plainPen is SGR 0. It leaves what SGR does not set: link and protection.
func (t *Terminal) plainPen() {
	s := &t.cur.style
	*s = Style{Link: s.Link, Attr: s.Attr & Protected}
	t.setPen()
}

// semicolons tells how many parameters belong to a colour in xterm's form.
func semicolons(p []uint16) int {
	if len(p) == 0 {
		return 0
	}
	switch p[0] {
	case 2:
		return 4
	case 5:
		return 2
	}
	return 1
}

// colorOf reads a colour: its kind (2 direct, 5 palette) and values, of which those that are missing are 0, as in
// xterm. With colons a colour space may stand before the three of a direct colour.
func colorOf(p []uint16, colons bool) (c Color, ok bool) {
	if len(p) == 0 {
		return 0, false
	}
	v := p[1:]
	if colons && p[0] == 2 && len(v) >= 4 {
		v = v[1:]
	}
	var parts [3]uint16
	copy(parts[:], v)
	switch p[0] {
	case 5:
		return Indexed(uint8(parts[0])), parts[0] < 256
	case 2:
		return RGB(uint8(parts[0]), uint8(parts[1]), uint8(parts[2])), parts[0] < 256 && parts[1] < 256 && parts[2] < 256
	}
	return 0, false
}
