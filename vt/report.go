package vt

import "strconv"

// reply queues a reply made of a fixed format, in which %d stands for a
// number. There is deliberately no way to put text of the program in.
func (t *Terminal) reply(format string, numbers ...int) {
	if len(t.replies) >= maxReplies || t.replyBytes >= maxReplyBytes {
		return
	}
	data := make([]byte, 0, len(format)+8*len(numbers))
	for i := 0; i < len(format); i++ {
		if format[i] == '%' && len(numbers) > 0 {
			i++
			if format[i] == 'x' { // a colour part: 8 bits as four digits
				const hex = "0123456789abcdef"
				hi, lo := hex[numbers[0]>>4&15], hex[numbers[0]&15]
				data = append(data, hi, lo, hi, lo)
			} else {
				data = strconv.AppendInt(data, int64(numbers[0]), 10)
			}
			numbers = numbers[1:]
			continue
		}
		data = append(data, format[i])
	}
	t.replyBytes += len(data)
	t.replies = append(t.replies, Reply{t.at, data})
}

// deviceAttributes answers DA1: a VT420 with selective erase, left and right
// margins, colour and rectangles.
func (t *Terminal) deviceAttributes() { t.reply("\x1b[?64;6;21;22;28c") }

// statusReport answers DSR.
func (t *Terminal) statusReport(n int, private bool) {
	switch {
	case !private && n == 5:
		t.reply("\x1b[0n")
	case n == 6 && private: // DECXCPR
		t.reply("\x1b[?%d;%d;1R", t.line()+1, t.column()+1)
	case n == 6: // CPR
		t.reply("\x1b[%d;%dR", t.line()+1, t.column()+1)
	case n == 15 && private: // no printer
		t.reply("\x1b[?13n")
	case n == 25 && private: // user-defined keys locked
		t.reply("\x1b[?21n")
	case n == 26 && private: // North American keyboard
		t.reply("\x1b[?27;1;0;0n")
	case n == 55 && private: // no locator
		t.reply("\x1b[?53n")
	case n == 996 && private: // dark or light
		t.ReportColorScheme()
	}
}

// ReportColorScheme queues what a program that set mode 2031 wants to hear
// when SetDefaultColors changed between dark (1) and light (2).
func (t *Terminal) ReportColorScheme() {
	r, g, b, _ := Color(t.color(11)).RGB()
	scheme := 1
	if 299*int(r)+587*int(g)+114*int(b) > 127500 {
		scheme = 2
	}
	t.reply("\x1b[?997;%dn", scheme)
}

// modeReport answers DECRQM: 1 set, 2 reset, 3 always set, 0 not known.
func (t *Terminal) modeReport(n int, private bool) {
	value := 0
	switch {
	case private && n == 2027: // clusters are always one cell
		value = 3
	case private:
		if m := privateMode(n); m != 0 {
			value = 2
			if t.currentModes()&m != 0 {
				value = 1
			}
		}
		t.reply("\x1b[?%d;%d$y", n, value)
		return
	case n == 4 || n == 20:
		value = 2
		if n == 4 && t.modes&modeInsert != 0 || n == 20 && t.modes&modeNewLine != 0 {
			value = 1
		}
	}
	if private {
		t.reply("\x1b[?%d;%d$y", n, value)
	} else {
		t.reply("\x1b[%d;%d$y", n, value)
	}
}

// windowReport is XTWINOPS. What moves, resizes or reads a title is ignored.
func (t *Terminal) windowReport() {
	switch t.p.param(0, 0) {
	case 11:
		t.reply("\x1b[1t")
	case 13:
		t.reply("\x1b[3;0;0t")
	case 14:
		t.reply("\x1b[4;%d;%dt", t.rows*t.cellH, t.cols*t.cellW)
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
