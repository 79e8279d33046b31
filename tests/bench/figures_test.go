package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMedianAndPercentile(t *testing.T) {
	for _, c := range []struct {
		name                string
		values              []float64
		median, p0, p95, p1 float64 // p1: 100
	}{
		{"one value", []float64{7}, 7, 7, 7, 7},
		{"odd, unsorted", []float64{9, 1, 5}, 5, 1, 9, 9},
		{"even: between the two in the middle", []float64{4, 1, 2, 100}, 3, 1, 100, 100},
	} {
		if got := median(c.values); got != c.median {
			t.Errorf("%s: median %v, want %v", c.name, got, c.median)
		}
		for p, want := range map[float64]float64{0: c.p0, 95: c.p95, 100: c.p1} {
			if got := percentile(c.values, p); got != want {
				t.Errorf("%s: p%v %v, want %v", c.name, p, got, want)
			}
		}
	}
	if !math.IsNaN(median(nil)) || !math.IsNaN(percentile(nil, 50)) {
		t.Error("nothing has a median")
	}
	v := make([]float64, 100)
	for i := range v {
		v[i] = float64(100 - i)
	}
	if got := percentile(v, 95); got != 95 {
		t.Errorf("p95 of 1 to 100 is %v", got)
	}
	if v[0] != 100 {
		t.Error("the values were sorted under their owner")
	}
}

func TestNumbersKeepThreeDigits(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.00", 0.0314: "0.031", 0.9999: "1.00", 1: "1.00", 9.999: "10.0", 12.34: "12.3", 99.99: "100", 12345.6: "12346",
		-2.5: "-2.50",
	} {
		if got := number(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
	if got := number(math.NaN()); got != "-" {
		t.Errorf("no number: %s", got)
	}
}

// table is a run of one measure with three rows.
func table() *results {
	r := newResults()
	r.add(measure{name: "m", rows: []row{{"a", "much worse", "s", 1}, {"b", "short of its aim", "KiB", 0.5}, {"c", "fine", "", 0}}})
	r.take("tmux", figures{"a": 1, "b": 10, "c": 0})
	r.take("tmux", figures{"a": 3, "b": 10})
	r.take("stet", figures{"a": 5, "b": 6, "c": 3})
	return r
}

func TestTableMarksWhatIsWorseThanTwiceTmux(t *testing.T) {
	var b bytes.Buffer
	table().table(&b)
	lines := strings.Split(b.String(), "\n")
	for i, must := range []string{"", "", "| 2.50  | 1.00 | !! |", "| 0.60  | 0.50 | -  |", "|       |      |    |"} {
		if !strings.HasSuffix(lines[i], must) {
			t.Errorf("line %d does not end with %q:\n%s", i, must, b.String())
		}
	}
	if !strings.Contains(lines[2], "2.00 [1.00..3.00]") {
		t.Errorf("no median with its range:\n%s", b.String())
	}
}

func TestOneMultiplexerAloneHasNoRatio(t *testing.T) {
	r := newResults()
	r.add(measure{rows: []row{{"a", "x", "s", 1}}})
	r.take("stet", figures{"a": 5})
	if _, ok := r.lines[0].ratio(); ok {
		t.Error("a ratio to nothing")
	}
}

func TestJSONHasEveryFigure(t *testing.T) {
	r := table()
	r.fail("m", "stet", errors.New("it broke\nlong log"))
	file := filepath.Join(t.TempDir(), "out.json")
	if err := r.writeJSON(file, []*mux{{name: "tmux", version: "tmux 3"}}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Versions map[string]string
		Rows     []struct {
			Measure string
			Values  map[string][]float64
			Ratio   *float64
		}
		Failed []string
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	if len(doc.Rows) != 3 || len(doc.Rows[0].Values["tmux"]) != 2 || *doc.Rows[0].Ratio != 2.5 || doc.Rows[2].Ratio != nil ||
		doc.Versions["tmux"] != "tmux 3" || doc.Failed[0] != "m of stet: it broke" {
		t.Errorf("%s", text)
	}
}
