package vt

import "strconv"

// reply queues a reply made of a fixed format, in which %d stands for a
// number. There is deliberately no way to put text of the program in.
func (t *Terminal) reply(format string, numbers ...int) {
	data := make([]byte, 0, len(format)+8*len(numbers))
	for i := 0; i < len(format); i++ {
		if format[i] == '%' && len(numbers) > 0 {
			i++
			switch n := numbers[0]; format[i] {
			case 'x': // a colour part: 8 bits as four digits
				const hex = "0123456789abcdef"
				hi, lo := hex[n>>4&15], hex[n&15]
				data = append(data, hi, lo, hi, lo)
			case 'h': // four digits
				const hex = "0123456789ABCDEF"
				data = append(data, hex[n>>12&15], hex[n>>8&15], hex[n>>4&15], hex[n&15])
			case 'c': // a character made of bits
				data = append(data, byte(n))
			default:
				data = strconv.AppendInt(data, int64(n), 10)
			}
			numbers = numbers[1:]
			continue
		}
		data = append(data, format[i])
	}
	t.send(data)
}

// send queues a reply. What answers one sequence is one reply, however many
// questions it has.
func (t *Terminal) send(data []byte) {
	if t.modes&modeEightBit != 0 {
		data = eightBit(data)
	}
	if len(t.replies) >= maxReplies || t.replyBytes+len(data) > maxReplyBytes {
		return
	}
	t.replyBytes += len(data)
	if n := len(t.replies); n > 0 && t.replies[n-1].At == t.at && !t.replies[n-1].Unasked {
		t.replies[n-1].Data = append(t.replies[n-1].Data, data...)
		return
	}
	t.replies = append(t.replies, Reply{At: t.at, Data: data})
}

// tell queues a report that no sequence asked for just now.
func (t *Terminal) tell(report func()) {
	before := t.replies
	t.replies = nil
	report()
	told := t.replies
	for i := range told {
		told[i].At, told[i].Unasked = t.parsed, true
	}
	t.replies = append(before, told...)
}

// eightBit puts C1 controls of one byte in the place of ESC and a letter.
func eightBit(data []byte) []byte {
	out := data[:0]
	for i := 0; i < len(data); i++ {
		if data[i] == 0x1b && i+1 < len(data) && data[i+1] >= 0x40 && data[i+1] < 0x60 {
			i++
			out = append(out, data[i]+0x40)
			continue
		}
		out = append(out, data[i])
	}
	return out
}

// sizeReport is the report of mode 2048: rows and columns, and the same in pixels.
func (t *Terminal) sizeReport(changed bool) {
	if t.modes&modeInBandSize == 0 {
		return
	}
	report := func() { t.reply("\x1b[48;%d;%d;%d;%dt", t.rows, t.cols, t.rows*t.cellH, t.cols*t.cellW) }
	if changed {
		t.tell(report)
	} else {
		report()
	}
}

// presentation answers DECRQPSR: 1 the cursor (DECCIR), 2 the tab stops (DECTABSR).
func (t *Terminal) presentation(n int) {
	if t.level < 3 {
		return
	}
	c := &t.cur
	switch n {
	case 1:
		bits := func(on ...bool) int { return 0x40 | int(pack(on...)) }
		s := &c.style
		sets := ""
		for _, set := range c.g {
			sets += designation(set)
		}
		t.reply("\x1bP1$u%d;%d;1;%c;%c;%c;%d;%d;O;"+sets+"\x1b\\", t.line()+1, t.column()+1,
			bits(s.Attr&Bold != 0, s.Under != UnderNone, s.Attr&Blink != 0, s.Attr&Reverse != 0),
			bits(s.Attr&Protected != 0), bits(c.origin, t.shift == 2, t.shift == 3, c.pending),
			int(c.gl), int(c.gr))
	case 2:
		data := []byte("\x1bP2$u")
		for x := range t.cols {
			if t.tabAt(x) {
				if data[len(data)-1] != 'u' {
					data = append(data, '/')
				}
				data = strconv.AppendInt(data, int64(x+1), 10)
			}
		}
		t.send(append(data, "\x1b\\"...))
	}
}

// topLevel is the highest level of DECSCL, and the one in force from the start.
const topLevel = 5

// deviceAttributes answers DA1 as an xterm that is a VT520: 132 columns, a port for a printer, selective erase,
// national sets, the technical set, a port for a locator, reports of its state, windows, left and right margins,
// colour, rectangles and a text locator. What is at the ports the reports of them tell: nothing.
func (t *Terminal) deviceAttributes() { t.reply("\x1b[?65;1;2;6;9;15;16;17;18;21;22;28;29c") }

// dsrLevel is the level at which a private DSR came.
func dsrLevel(n int) uint8 {
	switch n {
	case 15, 25, 26:
		return 2
	case 53, 55, 56:
		return 3
	case 62, 63, 75, 85:
		return 4
	}
	return 1
}

// statusReport answers DSR.
func (t *Terminal) statusReport(n int, private bool) {
	switch {
	case private && t.level < dsrLevel(n): // not known yet
	case !private && n == 5:
		t.reply("\x1b[0n")
	case n == 5: // as xterm answers it
		t.reply("\x1b[?0n")
	case n == 6 && private && t.level < 3: // DECXCPR; the page came later
		t.reply("\x1b[?%d;%dR", t.line()+1, t.column()+1)
	case n == 6 && private:
		t.reply("\x1b[?%d;%d;1R", t.line()+1, t.column()+1)
	case n == 6: // CPR
		t.reply("\x1b[%d;%dR", t.line()+1, t.column()+1)
	case n == 15 && private: // no printer
		t.reply("\x1b[?13n")
	case n == 25 && private: // user-defined keys locked
		t.reply("\x1b[?21n")
	case n == 26 && private && t.level < 4: // North American keyboard
		t.reply("\x1b[?27;1n")
	case n == 26 && private:
		t.reply("\x1b[?27;1;0;0n")
	case (n == 53 || n == 55) && private: // no locator
		t.reply("\x1b[?53n")
	case n == 56 && private: // of no kind
		t.reply("\x1b[?57;0n")
	case n == 62 && private: // no room for macros
		t.reply("\x1b[0000*{")
	case n == 63 && private: // nor any macros to be summed up
		t.reply("\x1bP%d!~0000\x1b\\", t.p.param(1, 0))
	case n == 75 && private: // no errors on the line
		t.reply("\x1b[?70n")
	case n == 85 && private: // one session, as far as DEC's terminals know them
		t.reply("\x1b[?83n")
	case n == 996 && private: // dark or light
		t.reportColorScheme()
	}
}

// colorScheme is 1 for a dark ground, 2 for a light one.
func (t *Terminal) colorScheme() int {
	r, g, b, _ := t.color(11).RGB()
	if 299*int(r)+587*int(g)+114*int(b) > 127500 {
		return 2
	}
	return 1
}

func (t *Terminal) reportColorScheme() { t.reply("\x1b[?997;%dn", t.colorScheme()) }

// Answers of DECRQM: not known, set, reset, always set, always reset.
const (
	modeUnknown = iota
	modeSet
	modeUnset
	modeAlways
	modeNever
)

// fixedMode gives the answer for a mode that is known and cannot be changed.
func fixedMode(n int, private bool) int {
	if private {
		switch n {
		case 2, // DECANM: a VT52 does not know the question
			1048: // there is always a cursor to be saved
			return modeSet
		case 14, // the cursor blinks as the program says, or as the person does
			1036, 1039, // Alt with a key is ESC and what the key sends
			2027: // clusters are always one cell
			return modeAlways
		case 8, // keys repeat as the person has it
			46,         // no log
			1034, 1037, // nor a byte of eight bits, and Delete sends a sequence
			1001: // no highlighting of the mouse's track
			return modeNever
		}
		return modeUnknown
	}
	switch n {
	case 3: // CRM
		return modeUnset
	case 1, 5, 7, 10, 11, 13, 14, 15, 16, 17, 18, 19: // GATM to EBM of ECMA-48
		return modeNever
	}
	return modeUnknown
}

// beyond tells that a private mode came with a later terminal than the level says.
func (t *Terminal) beyond(n int) bool {
	return n == 69 && t.level < 4 || n == 95 && t.level < 5
}

// modeReport answers DECRQM.
func (t *Terminal) modeReport(n int, private bool) {
	if t.level < 3 && !private {
		return
	}
	m := ansiMode(n)
	format := "\x1b[%d;%d$y"
	if private {
		if t.beyond(n) {
			t.reply("\x1b[?%d;0$y", n)
			return
		}
		m = privateMode(n)
		format = "\x1b[?%d;%d$y"
	}
	value := fixedMode(n, private)
	if m != 0 && value == modeUnknown {
		value = modeUnset
		if t.currentModes()&m != 0 {
			value = modeSet
		}
	}
	t.reply(format, n, value)
}

// windowReport is XTWINOPS. What moves, resizes or reads a title is ignored.
func (t *Terminal) windowReport() {
	switch t.p.param(0, 0) {
	case 11:
		t.reply("\x1b[1t")
	case 13:
		t.reply("\x1b[3;0;0t")
	case 14: // of the text, and (2) of a window that has nothing else
		t.reply("\x1b[4;%d;%dt", t.rows*t.cellH, t.cols*t.cellW)
	case 15: // of a screen that holds nothing but the window
		t.reply("\x1b[5;%d;%dt", t.rows*t.cellH, t.cols*t.cellW)
	case 16:
		t.reply("\x1b[6;%d;%dt", t.cellH, t.cellW)
	case 18:
		t.reply("\x1b[8;%d;%dt", t.rows, t.cols)
	case 19:
		t.reply("\x1b[9;%d;%dt", t.rows, t.cols)
	case 22:
		if len(t.titles) == maxTitles {
			t.titles = append(t.titles[:0], t.titles[1:]...)
		}
		t.titles = append(t.titles, titles{t.title, t.icon})
	case 23:
		if n := len(t.titles); n > 0 {
			was := t.titles[n-1]
			t.titles = t.titles[:n-1]
			if k := t.p.param(1, 0); k == 0 || k == 2 {
				t.setTitle(was.title)
			}
			if k := t.p.param(1, 0); k == 0 || k == 1 {
				t.setIcon(was.icon)
			}
		}
	}
}

// maxTitles bounds the stack of titles, as in xterm.
const maxTitles = 10
