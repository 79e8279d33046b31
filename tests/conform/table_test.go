package conform

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"

	"stet/vt"
	"stet/vt/script"
)

// baseline is vt10x for the cases of vt/testdata. What it has no word for is not asked, and so never wrong:
// styles, history, events, modes.
type baseline struct {
	term    vt10x.Terminal
	replies bytes.Buffer
}

func newBaseline(cols, rows int) *baseline {
	b := &baseline{}
	b.term = vt10x.New(vt10x.WithSize(cols, rows), vt10x.WithWriter(&b.replies))
	return b
}

func (b *baseline) Write(p []byte) error { _, err := b.term.Write(p); return err }

func (b *baseline) Resize(cols, rows int) error {
	b.term.Resize(cols, rows)
	return nil
}

func (b *baseline) Screen() ([]string, error) { return theirRows(b.term), nil }

func (b *baseline) Cursor() (script.Cursor, error) {
	c := b.term.Cursor()
	return script.Cursor{Row: c.Y + 1, Col: c.X + 1, Unsure: true}, nil
}

func (b *baseline) Replies() ([]string, error) {
	if b.replies.Len() == 0 {
		return nil, nil
	}
	all := b.replies.String()
	b.replies.Reset()
	var out []string // one for each ESC, as ours come one for each sequence
	for i, s := range strings.SplitAfter(all, "\x1b") {
		if i == 0 {
			continue
		}
		out = append(out, "\x1b"+strings.TrimSuffix(s, "\x1b"))
	}
	return out, nil
}

func (b *baseline) History() ([]string, error)      { return nil, script.ErrUnasked }
func (b *baseline) Style(int, int) (string, error)  { return "", script.ErrUnasked }
func (b *baseline) Events() ([]script.Event, error) { return nil, script.ErrUnasked }
func (b *baseline) Mode(string) (int, error)        { return 0, script.ErrUnasked }

// run says whether a case holds, and whether all of it could be asked for.
func (b *baseline) run(c *script.Case) (ok, asked bool) {
	defer func() {
		if recover() != nil {
			ok, asked = false, true // it may panic
		}
	}()
	failed, unasked, err := c.Run(b)
	return err == nil && len(failed) == 0, unasked == 0 || len(failed) > 0 || err != nil
}

// TestTable prints what the cases of vt/testdata, all of which hold for ours (go test ./vt), give on vt10x, by
// file, and in how many it has no word for what is asked; and how much text of each kind the two take in a second of CPU time.
func TestTable(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "vt", "testdata", "*.vt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	var table strings.Builder
	total, held, silent := 0, 0, 0
	fmt.Fprintf(&table, "%-24s %6s %6s %6s\n", "cases of", "stet", "vt10x", "it cannot say")
	for _, file := range files {
		cases, err := script.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		theirs, dumb := 0, 0
		for i := range cases {
			cols, rows, _ := cases[i].Size()
			switch ok, asked := newBaseline(cols, rows).run(&cases[i]); {
			case !asked:
				dumb++
			case ok:
				theirs++
			}
		}
		total, held, silent = total+len(cases), held+theirs, silent+dumb
		fmt.Fprintf(&table, "%-24s %6d %6d %6d\n", strings.TrimSuffix(filepath.Base(file), ".vt"), len(cases), theirs, dumb)
	}
	fmt.Fprintf(&table, "%-24s %6d %6d %6d\n", "all", total, held, silent)
	if held == 0 || held == total {
		t.Errorf("vt10x passes %d of %d: it is not asked", held, total)
	}
	if !testing.Short() {
		fmt.Fprintf(&table, "%-24s %6s %6s\n", "MB a CPU second", "stet", "vt10x")
		for _, in := range inputs {
			data := in.make()
			ours := rate(data, vt.New(vt.Options{Cols: benchCols, Rows: benchRows, History: benchHistory, Arena: make([]byte, vt.ArenaSize(benchHistory, benchCols))}))
			theirs := rate(data[:len(data)/8], vt10x.New(vt10x.WithSize(benchCols, benchRows)))
			fmt.Fprintf(&table, "%-24s %6.0f %6.0f\n", in.name, ours, theirs)
		}
	}
	t.Log("\n" + table.String())
}

// rate is how many MB an emulator takes in a second of CPU time.
func rate(data []byte, to interface{ Write([]byte) (int, error) }) float64 {
	before := cpuTime()
	for p := data; len(p) > 0; p = p[min(benchWrite, len(p)):] {
		to.Write(p[:min(benchWrite, len(p))])
		if v, ok := to.(*vt.Terminal); ok && v.NeedsCheckpoint() {
			v.Published()
		}
	}
	return float64(len(data)) / 1e6 / (cpuTime() - before).Seconds()
}
