package vt

// Cell is one column of a row: bits 0-20 hold the character or the number of a
// cluster, bit 21 says that it is a cluster, bits 22-23 hold the width (0 is
// the right half of a wide character), bits 24-47 the number of the style.
// Numbers refer to the tables of the [View] the cell came with.
type Cell uint64

const (
	clusterFlag Cell = 1 << 21
	contentMask Cell = 1<<22 - 1 // character or cluster, with the flag
	narrow      Cell = 1 << 22
	wide        Cell = 2 << 22
	widthMask   Cell = 3 << 22
	styleShift       = 24
	styleMask   Cell = (1<<24 - 1) << styleShift
)

// BlankCell is a space in the default style.
const BlankCell Cell = ' ' | narrow

// Rune is the character of the cell; meaningless when IsCluster.
func (c Cell) Rune() rune { return rune(c & (clusterFlag - 1)) }

// IsCluster tells whether the cell holds more than one code point.
func (c Cell) IsCluster() bool { return c&clusterFlag != 0 }

// Cluster is the index in the table of clusters; meaningless unless IsCluster.
func (c Cell) Cluster() int { return int(c & (clusterFlag - 1)) }

// Width is 1 or 2, or 0 for the right half of a wide character.
func (c Cell) Width() int { return int(c & widthMask >> 22) }

// Style is the index in the table of styles; 0 is the default style.
func (c Cell) Style() int { return int(c & styleMask >> styleShift) }

// WithStyle is the cell in another style of its table.
func (c Cell) WithStyle(n int) Cell { return c&^styleMask | Cell(n)<<styleShift&styleMask }

// Color is 0 for the default colour, 1<<24|n for entry n of the palette (0-255),
// 2<<24|0xRRGGBB for a direct one.
type Color uint32

// Indexed is entry n of the palette.
func Indexed(n uint8) Color { return 1<<24 | Color(n) }

// RGB is a direct colour.
func RGB(r, g, b uint8) Color { return 2<<24 | Color(r)<<16 | Color(g)<<8 | Color(b) }

// IsDefault tells the terminal's own colour.
func (c Color) IsDefault() bool { return c == 0 }

// Index gives the palette entry, if the colour is one.
func (c Color) Index() (n uint8, ok bool) { return uint8(c), c>>24 == 1 }

// RGB gives the parts of a direct colour, if it is one.
func (c Color) RGB() (r, g, b uint8, ok bool) {
	return uint8(c >> 16), uint8(c >> 8), uint8(c), c>>24 == 2
}

// Attr is a set of attributes.
type Attr uint16

// The attributes. Protected (DECSCA) is not to be seen; it keeps a cell from
// selective erasure.
const (
	Bold Attr = 1 << iota
	Dim
	Italic
	Blink
	Reverse
	Strike
	Conceal
	Overline
	Protected
)

// Underline styles, the numbers of SGR 4:n.
const (
	UnderNone uint8 = iota
	UnderSingle
	UnderDouble
	UnderCurly
	UnderDotted
	UnderDashed
)

// Style is how a cell looks. Link is an index in the table of links, 0 none.
type Style struct {
	FG, BG, UL Color
	Attr       Attr
	Under      uint8
	Link       uint32
}

// Link is the target of OSC 8. ID is what the program gave, "" none; cells of
// one link belong together when both fields agree.
type Link struct{ ID, URL string }
