package vt

import (
	"encoding/base64"
	"encoding/binary"
	"strconv"
	"strings"
)

// Pictures are not shown: what is sent is read as far as it tells the size,
// and a placeholder of that size takes the room, so that text before and after
// stands where its program meant it to. Nothing of a picture is kept, no file
// and no shared memory is read, and programs that ask are not told that
// pictures can be shown.

// A cell is taken for so many pixels: a size that clients do not change, so
// that a terminal read anew from its bytes is the same.
const pictureCellW, pictureCellH = 8, 16

// maxAPC bounds what is kept of an APC: the keys and the head of a picture.
const maxAPC = 1 << 10

// The parts of a sixel picture.
const (
	sixelData = iota
	sixelRepeat
	sixelColor
	sixelRaster
)

// sixel measures a picture while its bytes pass.
type sixel struct {
	mode   uint8
	number int   // being read
	at     uint8 // which number of a list it is
	repeat int
	x      int // column of pixels
	w, h   int // so far, and as the raster attributes say
	bands  int // of six pixels, above this one
}

// feed reads bytes of sixel data.
func (s *sixel) feed(p []byte) {
	for _, b := range p {
		switch {
		case b >= '0' && b <= '9':
			s.number = min(s.number*10+int(b-'0'), maxParam)
			continue
		case b == ';':
			s.end()
			s.number = 0
			s.at = min(s.at+1, 8)
			continue
		case s.mode == sixelRepeat:
			s.repeat = max(1, s.number)
		case s.mode != sixelData:
			s.end()
		}
		s.mode, s.number, s.at = sixelData, 0, 0
		switch b {
		case '!':
			s.mode = sixelRepeat
		case '#':
			s.mode = sixelColor
		case '"':
			s.mode = sixelRaster
		case '$':
			s.x = 0
		case '-':
			s.x = 0
			s.bands = min(s.bands+1, maxParam/6)
		default:
			if b >= '?' && b <= '~' {
				s.x = min(s.x+s.repeat, maxParam)
				s.w = max(s.w, s.x)
				s.h = max(s.h, 6*(s.bands+1))
				s.repeat = 1
			}
		}
	}
}

// end takes a number of a list: the third and fourth raster attribute are a size.
func (s *sixel) end() {
	if s.mode != sixelRaster {
		return
	}
	switch s.at {
	case 2:
		s.w = max(s.w, s.number)
	case 3:
		s.h = max(s.h, s.number)
	}
}

// beginsSixel tells that what is known of a DCS is the head of a sixel picture,
// and where its data begins.
func beginsSixel(str []byte) (at int, ok bool) {
	for i, b := range str[:min(len(str), 64)] {
		if b == 'q' {
			return i + 1, true
		}
		if b != ';' && b-'0' > 9 {
			return 0, false
		}
	}
	return 0, false
}

// sixelDone puts the placeholder. The cursor ends in the picture's last row, in
// the column where it began; with mode 80 (DECSDM) the picture is in the corner
// of the screen and moves nothing.
func (t *Terminal) sixelDone() {
	t.endRun()
	s := t.sixel
	t.sixel = sixel{}
	if s.w == 0 || s.h == 0 {
		return
	}
	cols, rows := cellsFor(s.w, pictureCellW), cellsFor(s.h, pictureCellH)
	if t.modes&modeSixelDisplay != 0 {
		t.placeholder(rectangle{0, 0, min(cols, t.cols), min(rows, t.rows)}, s.w, s.h)
		return
	}
	t.scrollIn(cols, rows, s.w, s.h)
}

func cellsFor(pixels, cell int) int { return (pixels + cell - 1) / cell }

// scrollIn puts a placeholder at the cursor, scrolling as needed, and leaves
// the cursor in its last row.
func (t *Terminal) scrollIn(cols, rows, w, h int) {
	t.cur.pending = false
	x := t.cur.x
	x1 := min(x+cols, t.edge())
	rows = min(rows, t.rows) // more would have scrolled away
	for n := 1; n < rows; n++ {
		if y := t.cur.y; y == t.bottom && !t.inColumns() || y == t.rows-1 && y != t.bottom {
			rows = n // no row is below, and none comes by scrolling
			break
		}
		t.index()
	}
	y := max(0, t.cur.y-rows+1)
	t.placeholder(rectangle{x, y, x1, t.cur.y + 1}, w, h)
}

// placeholder fills a rectangle, with the picture's size in its first row.
func (t *Terminal) placeholder(r rectangle, w, h int) {
	style := Cell(t.styleID(&Style{Attr: Dim})) << styleShift
	label := " picture " + strconv.Itoa(w) + "x" + strconv.Itoa(h) + " "
	for y := r.y0; y < r.y1; y++ {
		row := t.row(y)
		mend(row, r.x0)
		mend(row, r.x1)
		fill(row[r.x0:r.x1], style|narrow|'░')
		if y == r.y0 && r.x1-r.x0 >= len(label)+2 {
			for i := range len(label) {
				row[r.x0+1+i] = style | narrow | Cell(label[i])
			}
		}
		t.unwrapped(y)
	}
}

// kitty is what is known of a picture of kitty's protocol that comes in pieces,
// and of those that were sent to be shown later.
type kitty struct {
	open       bool // more pieces are to come
	show       bool // to be shown when it is whole
	stay       bool // without moving the cursor
	id         int
	w, h       int // pixels
	cols, rows int // cells, when the program says so
	known      []kittyPicture
}

type kittyPicture struct{ id, w, h int }

// maxKitty bounds the pictures whose size is remembered.
const maxKitty = 64

// applicationCommand is APC: of those only kitty's graphics are known.
func (t *Terminal) applicationCommand(s []byte) {
	if len(s) == 0 || s[0] != 'G' {
		return
	}
	control, data, _ := strings.Cut(string(s[1:]), ";")
	k := &t.kitty
	keys := map[byte]int{}
	action, virtual, more, format := byte('t'), false, false, 32
	for control != "" {
		var kv string
		kv, control, _ = strings.Cut(control, ",")
		if len(kv) < 3 || kv[1] != '=' {
			continue
		}
		n, _ := strconv.Atoi(kv[2:])
		n = min(max(n, 0), 1<<32-1)
		switch kv[0] {
		case 'a':
			action = kv[2]
		case 'm':
			more = n == 1
		case 'U':
			virtual = n == 1
		case 'f':
			format = n
		default:
			keys[kv[0]] = n
		}
	}
	if k.open { // a further piece: only m means something
		if k.open = more; !more {
			t.kittyDone()
		}
		return
	}
	known := k.known
	*k = kitty{id: keys['i'], w: min(keys['s'], maxParam), h: min(keys['v'], maxParam), cols: min(keys['c'], maxParam), rows: min(keys['r'], maxParam), stay: keys['C'] == 1, known: known}
	switch action {
	case 't', 'T':
		if format == 100 {
			k.w, k.h = sizeOfPNG(data)
		}
		k.show = action == 'T' && !virtual
		if k.open = more; !more {
			t.kittyDone()
		}
	case 'p':
		for _, p := range known {
			if p.id == k.id && p.id != 0 {
				k.w, k.h = p.w, p.h
			}
		}
		k.show = !virtual
		t.kittyDone()
	}
}

// kittyDone is the end of a picture's last piece.
func (t *Terminal) kittyDone() {
	k := t.kitty
	if k.id != 0 && k.w > 0 && k.h > 0 {
		known := k.known
		for i, p := range known {
			if p.id == k.id {
				known = append(known[:i:i], known[i+1:]...)
				break
			}
		}
		if len(known) == maxKitty {
			known = known[1:]
		}
		k.known = append(known[:len(known):len(known)], kittyPicture{k.id, k.w, k.h})
	}
	t.kitty = kitty{known: k.known}
	cols, rows := k.cols, k.rows
	if cols == 0 {
		cols = cellsFor(k.w, pictureCellW)
	}
	if rows == 0 {
		rows = cellsFor(k.h, pictureCellH)
	}
	if !k.show || cols == 0 || rows == 0 {
		return
	}
	t.endRun()
	if k.stay {
		t.placeholder(rectangle{t.cur.x, t.cur.y, min(t.cur.x+cols, t.cols), min(t.cur.y+rows, t.rows)}, k.w, k.h)
		return
	}
	edge := t.edge()
	t.scrollIn(cols, rows, k.w, k.h)
	t.cur.x = min(t.cur.x+cols, edge-1)
}

// sizeOfPNG reads the head of a PNG in base64.
func sizeOfPNG(data string) (w, h int) {
	b, err := base64.StdEncoding.DecodeString(data[:min(len(data), 32)])
	if err != nil || len(b) < 24 || string(b[:8]) != "\x89PNG\r\n\x1a\n" || string(b[12:16]) != "IHDR" {
		return 0, 0
	}
	w, h = int(binary.BigEndian.Uint32(b[16:])), int(binary.BigEndian.Uint32(b[20:]))
	return min(w, maxParam), min(h, maxParam)
}
