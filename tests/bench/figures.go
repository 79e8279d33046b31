package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
)

// figures are what one measure found in one turn, by the keys of its rows.
type figures map[string]float64

// row is one line of the table. Less is better in all of them. The aim is a ratio to tmux, 0 where
// there is none.
type row struct {
	key, title, unit string
	aim              float64
}

// flagged is the ratio from which on a row is marked.
const flagged = 2.0

// results are all figures of a run, in the order of the measures.
type results struct {
	lines    []*line
	current  []*line // of the measure that is being taken
	problems []string
}

// line is a row with what was found, by the multiplexer's name.
type line struct {
	row
	values map[string][]float64
}

func newResults() *results { return &results{} }

// add begins a measure: what take gets from now on belongs to it.
func (r *results) add(m measure) {
	r.current = nil
	for _, x := range m.rows {
		r.current = append(r.current, &line{x, map[string][]float64{}})
	}
	r.lines = append(r.lines, r.current...)
}

func (r *results) take(name string, f figures) {
	for _, l := range r.current {
		if v, ok := f[l.key]; ok {
			l.values[name] = append(l.values[name], v)
		}
	}
}

func (r *results) fail(measure, name string, err error) {
	first, _, _ := strings.Cut(err.Error(), "\n")
	r.problems = append(r.problems, fmt.Sprintf("%s of %s: %s", measure, name, first))
}

// ratio is how stet's median stands to tmux's; false where one is missing or tmux's is nothing.
func (l *line) ratio() (float64, bool) {
	a, b := l.values["tmux"], l.values["stet"]
	if len(a) == 0 || len(b) == 0 || median(a) <= 0 {
		return 0, false
	}
	return median(b) / median(a), true
}

// median of no values is not a number.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	if n := len(s); n%2 == 0 {
		return (s[n/2-1] + s[n/2]) / 2
	}
	return s[len(s)/2]
}

// percentile is the smallest value that at least p percent of the values do not exceed.
func percentile(v []float64, p float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(v))
	i := int(math.Ceil(p/100*float64(len(s)))) - 1
	return s[min(max(i, 0), len(s)-1)]
}

// number prints three digits, and no more digits after the point than the size deserves.
func number(v float64) string {
	switch a := math.Abs(v); {
	case math.IsNaN(v):
		return "-"
	case a >= 99.95:
		return fmt.Sprintf("%.0f", v)
	case a >= 9.995:
		return fmt.Sprintf("%.1f", v)
	case a >= 0.9995 || a == 0:
		return fmt.Sprintf("%.2f", v)
	}
	return fmt.Sprintf("%.3f", v)
}

// spread prints a median and the range around it.
func spread(v []float64) string {
	if len(v) == 0 {
		return "-"
	}
	return fmt.Sprintf("%s [%s..%s]", number(median(v)), number(slices.Min(v)), number(slices.Max(v)))
}

// print writes the table as Markdown, which is also readable as it is.
func (b *bench) print(r *results) {
	for _, x := range b.muxes {
		fmt.Fprintf(b.out, "%s: %s\n", x.name, x.version)
	}
	fmt.Fprintf(b.out, "%d turns; less is better everywhere; !! marks what is worse than %.1f times tmux\n\n", b.runs, flagged)
	r.table(b.out)
	for _, p := range r.problems {
		fmt.Fprintln(b.out, "failed:", p)
	}
}

func (r *results) table(w io.Writer) {
	rows := [][]string{{"measure", "unit", "tmux", "stet", "ratio", "aim", ""}}
	for _, l := range r.lines {
		ratio, aim, mark := "", "", ""
		if x, ok := l.ratio(); ok {
			ratio = fmt.Sprintf("%.2f", x)
			if x > flagged {
				mark = "!!"
			} else if l.aim > 0 && x > l.aim {
				mark = "-"
			}
		}
		if l.aim > 0 {
			aim = fmt.Sprintf("%.2f", l.aim)
		}
		rows = append(rows, []string{l.title, l.unit, spread(l.values["tmux"]), spread(l.values["stet"]), ratio, aim, mark})
	}
	var width [7]int
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], len(cell))
		}
	}
	for n, row := range rows {
		fmt.Fprint(w, "|")
		for i, cell := range row {
			fmt.Fprintf(w, " %-*s |", width[i], cell)
		}
		fmt.Fprintln(w)
		if n == 0 {
			for _, x := range width {
				fmt.Fprint(w, "|", strings.Repeat("-", x+2))
			}
			fmt.Fprintln(w, "|")
		}
	}
}

// writeJSON writes every figure, for programs that compare runs.
func (r *results) writeJSON(file string, muxes []*mux) error {
	type entry struct {
		Measure string               `json:"measure"`
		Unit    string               `json:"unit"`
		Values  map[string][]float64 `json:"values"`
		Ratio   *float64             `json:"ratio,omitempty"`
		Aim     float64              `json:"aim,omitempty"`
	}
	doc := struct {
		Versions map[string]string `json:"versions"`
		Rows     []entry           `json:"rows"`
		Failed   []string          `json:"failed,omitempty"`
	}{Versions: map[string]string{}}
	for _, x := range muxes {
		doc.Versions[x.name] = x.version
	}
	for _, l := range r.lines {
		e := entry{Measure: l.title, Unit: l.unit, Values: l.values, Aim: l.aim}
		if x, ok := l.ratio(); ok {
			e.Ratio = &x
		}
		doc.Rows = append(doc.Rows, e)
	}
	doc.Failed = r.problems
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}
