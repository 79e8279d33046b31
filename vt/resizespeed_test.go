package vt

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// BenchmarkResizeOfALongHistory changes the width of a terminal with 100,000 lines and draws the next
// frame: what a person waits for. An operation is one change of the width; it should be 50 ms at most.
func BenchmarkResizeOfALongHistory(b *testing.B) {
	for _, c := range []struct{ name, line string }{
		{"ASCII", strings.Repeat("word and ", 22)},
		{"CJK", strings.Repeat("日本語の文章", 16)},
	} {
		b.Run(c.name, func(b *testing.B) {
			v := New(Options{Cols: 200, Rows: 50, History: 100_000})
			for i := range 100_100 {
				fmt.Fprintf(v, "%d %s\r\n", i, c.line)
			}
			widths := []int{80, 200, 79, 132}
			i, before := 0, cpu(b)
			for b.Loop() {
				v.Resize(widths[i%len(widths)], 50)
				v.View(nil, 0, 0)
				v.HistoryLen()
				i++
			}
			b.ReportMetric(float64(cpu(b)-before)/float64(i)/1e6, "cpu-ms/op")
		})
	}
}

// cpu is the CPU time of this process so far, in nanoseconds: on a busy machine the clock says little.
func cpu(b *testing.B) int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return u.Utime.Nano() + u.Stime.Nano()
}
