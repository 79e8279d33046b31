package scene

import (
	"encoding/binary"
	"testing"

	"stet/layout"
	"stet/vt"
)

// raw is a Source whose views are made of whatever the fuzzer gives.
type raw struct {
	cols, rows int
	data       []byte
	view       uint64
}

func (r *raw) take() uint64 {
	var b [8]byte
	n := copy(b[:], r.data)
	r.data = r.data[n:]
	return binary.LittleEndian.Uint64(b[:])
}

func (r *raw) View([]vt.RowInfo, uint64, int) *vt.View {
	r.view++
	x := r.take()
	v := &vt.View{Cols: r.cols, Rows: r.rows, Gen: x & 1, Styles: make([]vt.Style, 3), Clusters: []string{"e\u0301", "a\x1b[m", "\xff", "👍🏽"},
		Links: []vt.Link{{}, {URL: "http://x"}}, HistoryLines: int(x >> 8 & 7), Top: int(x >> 16 & 7)}
	v.Styles[1] = vt.Style{Link: uint32(x >> 24 & 3), Attr: vt.Attr(x >> 32), Under: uint8(x >> 40)}
	v.Cursor = vt.Cursor{X: int(int8(x >> 48)), Y: int(int8(x >> 56)), Visible: x&2 != 0, Shape: uint8(x >> 3)}
	v.Modes = vt.Modes{Sync: x&4 != 0, Mouse: int(int16(x)), Kitty: int(int16(x)), ModifyOtherKeys: int(int8(x))}
	for range r.take() % uint64(r.rows+2) {
		v.Info = append(v.Info, vt.RowInfo{ID: r.take() & 7, Version: r.view})
		var row []vt.Cell
		if n := r.take() & 15; n > 0 {
			for range n {
				row = append(row, vt.Cell(r.take()))
			}
		}
		v.Cells = append(v.Cells, row)
	}
	return v
}

// FuzzAnyView: whatever a Source gives, the client gets frames it can decode and a screen without
// halves of characters.
func FuzzAnyView(f *testing.F) {
	f.Add([]byte("some bytes that are a screen of a kind, and some more of them for rows and cells"), uint8(5), uint8(3))
	f.Add(binary.LittleEndian.AppendUint64(nil, 1<<21|3|2<<22|1<<24), uint8(1), uint8(1))
	f.Fuzz(func(t *testing.T, data []byte, cols, rows uint8) {
		src := &raw{cols: int(cols%20) + 1, rows: int(rows%8) + 1, data: data}
		s := &Spec{W: 12, H: 5, Window: Size{10, 4}, Panes: []Pane{{Rect: layout.Rect{W: 10, H: 4}, Source: src, Active: true}}}
		var c Composer
		var m screen
		for i := range 6 {
			if i == 3 {
				c.Reset()
			}
			if frame := c.Compose(s); frame != nil {
				mustApply(t, &m, frame)
			}
		}
	})
}
