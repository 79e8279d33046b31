package vt

import (
	"fmt"
	"strings"
	"testing"
)

// Text that wraps at the bottom scrolls, the new row is blank in the pen's background, and that style may
// be the one that makes the table of styles overflow: in the midst of a run of text.
func TestStylesAreRenumberedWhileTextScrolls(t *testing.T) {
	for _, text := range []string{strings.Repeat("text ", 10), "x\x1b[40b", strings.Repeat("漢", 20), strings.Repeat("e\u0301", 20)} {
		for used := baseStyles - 6; used < baseStyles+2; used++ {
			v := New(Options{Cols: 10, Rows: 3, History: 20})
			var b strings.Builder
			for i := range used {
				fmt.Fprintf(&b, "\x1b[H\x1b[38;2;9;%d;%dmx", i>>8, i&255)
			}
			b.WriteString("\x1b[3;1H\x1b[38;2;1;1;1;48;2;2;2;2m" + text)
			v.Write([]byte(b.String()))
			if err := v.check(); err != nil {
				t.Fatalf("%d styles, %q: %v", used, text, err)
			}
			c := v.row(2)[0]
			if st := v.tab.styles[c.Style()]; st.FG != RGB(1, 1, 1) || st.BG != RGB(2, 2, 2) {
				t.Fatalf("%d styles, %q: the last row is in %+v", used, text, st)
			}
		}
	}
}
