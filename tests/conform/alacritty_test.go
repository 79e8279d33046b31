package conform

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"

	"stet/vt"
)

// In these Alacritty differs from xterm, or leaves something out, and we go with
// xterm (see xterm_test.go, which can ask one).
var (
	alacrittyTextKnown = known{
		"decaln_reset":      "DECALN leaves the cursor where it is; xterm, tmux and DEC's terminals put it home",
		"selective_erasure": "DECSED and DECSEL do nothing; xterm erases what is not protected",
	}
	alacrittyStyleKnown = known{
		"decaln_reset":      alacrittyTextKnown["decaln_reset"],
		"selective_erasure": alacrittyTextKnown["selective_erasure"],
		"underline":         "SGR 21 takes bold away; for xterm it is a double underline, as in ECMA-48",
	}
)

// alacrittyGrid is the part of grid.json that is compared. Rows stand bottom
// first, and those of the history last.
type alacrittyGrid struct {
	Raw struct {
		Inner []struct {
			Inner []alacrittyCell `json:"inner"`
		} `json:"inner"`
	} `json:"raw"`
	Columns int `json:"columns"`
	Lines   int `json:"lines"`
}

type alacrittyCell struct {
	C     string         `json:"c"`
	FG    alacrittyColor `json:"fg"`
	BG    alacrittyColor `json:"bg"`
	Flags string         `json:"flags"`
	Extra *struct {
		ZeroWidth []string        `json:"zerowidth"`
		Underline *alacrittyColor `json:"underline_color"`
		Hyperlink *struct {
			Inner struct{ ID, URI string } `json:"inner"`
		} `json:"hyperlink"`
	} `json:"extra"`
}

type alacrittyColor struct{ vt.Color }

func (c *alacrittyColor) UnmarshalJSON(b []byte) error {
	var v struct {
		Named   string
		Indexed *uint8
		Spec    *struct{ R, G, B uint8 }
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	switch {
	case v.Indexed != nil:
		c.Color = vt.Indexed(*v.Indexed)
	case v.Spec != nil:
		c.Color = vt.RGB(v.Spec.R, v.Spec.G, v.Spec.B)
	default:
		for i, n := range []string{"Black", "Red", "Green", "Yellow", "Blue", "Magenta", "Cyan", "White"} {
			if v.Named == n {
				c.Color = vt.Indexed(uint8(i))
			} else if v.Named == "Bright"+n {
				c.Color = vt.Indexed(uint8(i + 8))
			}
		}
	}
	return nil
}

// text and style give what a cell looks like in words that both sides share.
func (c *alacrittyCell) text() string {
	s := c.C
	if s == "\t" { // Alacritty keeps the tab in the cell it began in
		s = " "
	}
	if strings.Contains(c.Flags, "WIDE_CHAR_SPACER") {
		return ""
	}
	if c.Extra != nil {
		s += strings.Join(c.Extra.ZeroWidth, "")
	}
	return s
}

func (c *alacrittyCell) style() string {
	var flags []string
	for _, f := range strings.Split(c.Flags, " | ") {
		if f != "" && f != "WRAPLINE" && !strings.HasPrefix(f, "WIDE_CHAR") {
			flags = append(flags, f)
		}
	}
	s := fmt.Sprintf("%x/%x", uint32(c.FG.Color), uint32(c.BG.Color))
	for _, f := range []string{"BOLD", "DIM", "ITALIC", "INVERSE", "STRIKEOUT", "HIDDEN", "UNDERLINE", "DOUBLE_UNDERLINE", "UNDERCURL", "DOTTED_UNDERLINE", "DASHED_UNDERLINE"} {
		for _, g := range flags {
			if f == g {
				s += " " + f
			}
		}
	}
	if c.Extra != nil && c.Extra.Underline != nil {
		s += fmt.Sprintf(" ul=%x", uint32(c.Extra.Underline.Color))
	}
	if c.Extra != nil && c.Extra.Hyperlink != nil {
		s += " " + c.Extra.Hyperlink.Inner.URI
		if id := c.Extra.Hyperlink.Inner.ID; !strings.HasSuffix(id, "_alacritty") {
			s += " id=" + id
		}
	}
	return s
}

func cellText(v *vt.View, c vt.Cell) string {
	switch {
	case c.Width() == 0:
		return ""
	case c.IsCluster():
		return v.Clusters[c.Cluster()]
	}
	return string(c.Rune())
}

func cellStyle(v *vt.View, c vt.Cell) string {
	st := v.Styles[c.Style()]
	s := fmt.Sprintf("%x/%x", uint32(st.FG), uint32(st.BG))
	for _, a := range []struct {
		a vt.Attr
		s string
	}{{vt.Bold, "BOLD"}, {vt.Dim, "DIM"}, {vt.Italic, "ITALIC"}, {vt.Reverse, "INVERSE"}, {vt.Strike, "STRIKEOUT"}, {vt.Conceal, "HIDDEN"}} {
		if st.Attr&a.a != 0 {
			s += " " + a.s
		}
	}
	s += [...]string{"", " UNDERLINE", " DOUBLE_UNDERLINE", " UNDERCURL", " DOTTED_UNDERLINE", " DASHED_UNDERLINE"}[st.Under]
	if st.UL != 0 {
		s += fmt.Sprintf(" ul=%x", uint32(st.UL))
	}
	if l := v.Links[st.Link]; l.URL != "" {
		s += " " + l.URL
		if l.ID != "" {
			s += " id=" + l.ID
		}
	}
	return s
}

func TestAlacrittyGrids(t *testing.T) {
	dir := corpus(t, "alacritty")
	cases, err := filepath.Glob(filepath.Join(dir, "*", "alacritty.recording"))
	if err != nil || len(cases) == 0 {
		t.Fatalf("no cases in %s: %v", dir, err)
	}
	var badText, badStyle, baseText, baseStyle []string
	for _, file := range cases {
		name := filepath.Base(filepath.Dir(file))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(filepath.Dir(file), "grid.json"))
		if err != nil {
			t.Fatal(err)
		}
		var grid alacrittyGrid
		if err := json.Unmarshal(b, &grid); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if text, style := theirGrid(&grid, data); !text {
			baseText, baseStyle = append(baseText, name), append(baseStyle, name)
		} else if !style {
			baseStyle = append(baseStyle, name)
		}
		text, style := 0, 0
		for _, n := range []int{0, 1} {
			term := vt.New(vt.Options{Cols: grid.Columns, Rows: grid.Lines, History: 1000})
			feed(term, data, n)
			v := term.View(nil, 0, 0)
			for y := range grid.Lines {
				for x, want := range grid.Raw.Inner[grid.Lines-1-y].Inner {
					c := v.Cells[y][x]
					if got := cellText(v, c); got != want.text() {
						if text++; text < 6 && testing.Verbose() {
							t.Logf("%s %d,%d: text %q, want %q", name, x, y, got, want.text())
						}
					}
					if got := cellStyle(v, c); got != want.style() {
						if style++; style < 6 && testing.Verbose() {
							t.Logf("%s %d,%d: style %q, want %q", name, x, y, got, want.style())
						}
					}
				}
			}
		}
		if text > 0 {
			badText = append(badText, name)
		}
		if text+style > 0 {
			badStyle = append(badStyle, name)
		}
	}
	alacrittyTextKnown.check(t, "Alacritty, text", len(cases), badText, baseText)
	alacrittyStyleKnown.check(t, "Alacritty, text and attributes", len(cases), badStyle, baseStyle)
}

// theirGrid tells whether vt10x shows the text of a recording, and its looks as far as it can tell them.
func theirGrid(grid *alacrittyGrid, data []byte) (text, style bool) {
	other := vt10x.New(vt10x.WithSize(grid.Columns, grid.Lines))
	other.Write(data)
	text, style = true, true
	for y := range grid.Lines {
		for x, want := range grid.Raw.Inner[grid.Lines-1-y].Inner {
			g := other.Cell(x, y)
			if g.Char == 0 {
				g.Char = ' '
			}
			text = text && string(g.Char) == want.text()
			s := fmt.Sprintf("%x/%x", uint32(theirColor(g.FG)), uint32(theirColor(g.BG)))
			for _, m := range []struct {
				bit  int16
				name string
			}{{1 << 2, " BOLD"}, {1 << 4, " ITALIC"}, {1 << 0, " INVERSE"}, {1 << 1, " UNDERLINE"}} { // vt10x keeps these to itself
				if g.Mode&m.bit != 0 {
					s += m.name
				}
			}
			style = style && s == want.style()
		}
	}
	return text, style
}
