package conform

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/vt"
)

// tmuxPane is a pane of a tmux that shows what is written to it.
type tmuxPane struct {
	dir        string
	in, out    *os.File
	cols, rows int
}

func startTmux(t *testing.T, cols, rows int) *tmuxPane {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: ", err)
	}
	p := &tmuxPane{dir: t.TempDir(), cols: cols, rows: rows}
	for _, name := range []string{"in", "out"} {
		if err := syscall.Mkfifo(filepath.Join(p.dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	show := fmt.Sprintf("stty raw -echo; cat '%s/in' & exec cat > '%s/out'", p.dir, p.dir)
	if out, err := p.tmux("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows), show,
		";", "set", "-g", "status", "off", ";", "resize-window", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows)); err != nil {
		t.Fatalf("tmux does not start: %v: %s", err, out)
	}
	t.Cleanup(func() { p.tmux("kill-server") })
	var err error
	if p.in, err = os.OpenFile(filepath.Join(p.dir, "in"), os.O_RDWR, 0); err != nil {
		t.Fatal(err)
	}
	if p.out, err = os.OpenFile(filepath.Join(p.dir, "out"), os.O_RDWR, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.in.Close(); p.out.Close() })
	return p
}

func (p *tmuxPane) tmux(args ...string) (string, error) {
	c := exec.Command("tmux", append([]string{"-u", "-S", filepath.Join(p.dir, "socket")}, args...)...)
	c.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TMUX=")
	out, err := c.CombinedOutput()
	return string(out), err
}

// show gives what the pane shows after a program has written data: its text and looks, and the cursor.
func (p *tmuxPane) show(t *testing.T, data string) *vt.Terminal {
	t.Helper()
	const fresh = "\x18\x1b[?1049l\x1bc\x1b[?6l\x1b[4l\x1b(B\x0f\x1b[m\x1b[H\x1b7" // RIS keeps some of it in tmux.
	// The answer shows that tmux has read all before it.
	if _, err := p.in.WriteString(fresh + data + "\x1b[5n"); err != nil {
		t.Fatal(err)
	}
	var got []byte
	for !strings.Contains(string(got), "\x1b[0n") {
		var b [4096]byte
		p.out.SetReadDeadline(time.Now().Add(20 * time.Second))
		n, err := p.out.Read(b[:])
		if err != nil {
			t.Fatalf("tmux does not answer to %q (so far %q): %v", data, got, err)
		}
		got = append(got, b[:n]...)
	}
	out, err := p.tmux("display-message", "-p", "#{cursor_y} #{cursor_x}", ";", "capture-pane", "-p", "-e", "-N")
	if err != nil {
		t.Fatalf("tmux: %v: %s", err, out)
	}
	place, text, _ := strings.Cut(strings.TrimSuffix(out, "\n"), "\n")
	var y, x int
	if _, err := fmt.Sscan(place, &y, &x); err != nil {
		t.Fatalf("tmux says of the cursor %q: %v", place, err)
	}
	v := vt.New(vt.Options{Cols: p.cols + 1, Rows: p.rows})            // A column more, so that nothing wraps.
	v.Write([]byte("\x1b)0" + strings.ReplaceAll(text, "\n", "\r\n"))) // Line drawing is between SO and SI.
	fmt.Fprintf(v, "\x1b[%d;%dH", y+1, min(x, p.cols-1)+1)
	return v
}

// looks describes what is to be seen of a screen: a row a line, with its styles where they begin.
// capture-pane leaves out what was erased behind the text of a row, with its background.
func looks(v *vt.Terminal, cols, rows int) string {
	var b strings.Builder
	view := v.View(nil, 0, 0)
	c := v.Cursor()
	fmt.Fprintf(&b, "cursor %d;%d\n", c.Y+1, c.X+1)
	for y := range rows {
		last, row, used := "", "", 0
		for x := range cols {
			cell := view.Cells[y][x]
			if cell.Width() == 0 {
				continue
			}
			text := string(cell.Rune())
			if cell.IsCluster() {
				text = view.Clusters[cell.Cluster()]
			}
			s := view.Styles[cell.Style()]
			if text == " " && s.Under == 0 && s.Attr&(vt.Reverse|vt.Strike) == 0 {
				s = vt.Style{BG: s.BG} // A blank has a background and nothing else to be seen.
			}
			if look := fmt.Sprintf("{%x %x %x %d}", uint32(s.FG), uint32(s.BG), uint16(s.Attr), s.Under); look != last {
				if last != "" || s != (vt.Style{}) {
					row += look
				}
				last = look
			}
			if row += text; text != " " || s.Attr != 0 || s.Under != 0 {
				used = len(row)
			}
		}
		b.WriteString(row[:used] + "\n")
	}
	return b.String()
}

// tmuxDiffers is where tmux 3.3a shows something else, on purpose; tmuxStep draws nothing of it. xterm, asked by
// TestXtermShowsTheSame, is as we are.
var tmuxDiffers = []struct{ name, program, why string }{
	{"IL", "\x1b[4;5H\x1b[L", "IL and DL go to the first column (ECMA-48, DEC STD 070); tmux leaves the cursor"},
	{"IL outside the margins", "ab\x1b[2;4r\x1b[1;4H\x1b[2L\x1b[H", "IL does nothing outside the margins; tmux inserts all the same"},
	{"DECSTBM 0;0", "ab\x1b[0;0r", "0 is the default as in all parameters; tmux takes the sequence for one that makes no sense"},
	{"DECSTBM under DECOM", "\x1b[?6h\x1b[2;4r", "the cursor goes home, which is the margin's first row under DECOM; tmux goes to the screen's"},
	{"ICH of a whole rest", "\x1b[3;6H0123456\x1b[3;9H\x1b[5@", "what is moved off the row is gone; tmux leaves the row as it was when nothing stays, or part of it"},
	{"DECSTR", "\x1b[1m\x1b[!pa", "a soft reset is for the pen, too; tmux keeps it"},
	{"1049 with a background", "\x1b[3;3H\x1b[41m\x1b[?1049hab", "the alternate screen is erased with the pen's background; tmux uses the default"},
	{"1049 on the alternate screen", "\x1b[?1049hab\x1b[?1049h", "the alternate screen is cleared again; tmux leaves it as it is"},
	{"1049 off on the main screen", "\x1b[3;3H\x1b[?1049h\x1b[?1049l\x1b[H\x1b7\x1b[2;2H\x1b[?1049lc", "the cursor goes to where DECSC saved it, or home; tmux moves it to where 1049 was on last"},
	{"REP at the end of a row", "\x1b[1;11Ha\x1b[3b", "what is repeated wraps as what is printed; tmux stops at the last column"},
	{"a mark without DECAWM", "\x1b[?7l0123456789abe\u0301", "the mark goes to the last character, which is the one in the last column; tmux puts it on the one before"},
	{"text without DECAWM behind a full row", "0123456789qx\x1b[?7l─", "what is printed in the last column takes its place; tmux leaves what stood there before DECAWM was off"},
	{"SCORC behind 1049", "\x1b[38;2;1;2;3m\x1b[?1049h\x1b[?1049l\x1b[uq", "1049 saves the cursor, and with it the pen, where DECSC does; in tmux it has a place of its own, and SCORC finds none"},
	{"DCH in a wide character", "日本\x1b[1;2H\x1b[P", "of a character that loses a half nothing is left but a blank; tmux keeps the left half, which covers what comes to stand behind it"},
	{"IRM behind a full row", "\x1b[1;2r\x1b[5;5H\x1b[4h0123456789", "the character that wraps is inserted as any other; tmux writes it over what stands there"},
	{"IND behind a full row", "\x1b[1;9H日本\x1bDa", "IND, LF and RI end a wrap that is pending; in tmux it stays so"},
	{"a wide character that does not fit", "0123456789bc\x1b[1;1H0123456789x日", "the column that it is too wide for becomes blank, as in xterm; tmux leaves what stood there"},
	{"DECRC above the margins", "\x1b[?6h\x1b7\x1b[3;5r\x1b8", "DECOM comes back with the cursor, which must then be inside the margins; tmux leaves it above"},
}

func TestDiffersFromTmux(t *testing.T) {
	p := startTmux(t, tmuxCols, tmuxRows)
	for _, c := range tmuxDiffers {
		if ours, theirs := agreesWithTmux(t, p, c.program); ours == theirs {
			t.Errorf("%s: tmux should be different (%s), but shows the same:\n%s", c.name, c.why, ours)
		} else {
			t.Logf("%s: %s", c.name, c.why)
		}
	}
}

// tmuxStep draws something that tmux should show as we do.
func tmuxStep(r *rand.Rand) string {
	n := func(most int) int { return r.IntN(most + 1) }
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	at := fmt.Sprintf("\x1b[%d;%dH", 1+n(5), 1+n(11))
	switch r.IntN(14) {
	case 0, 1, 2:
		return pick("a", "bc", "def", "x y", "0123456789", "é", "日本", "\x1b[2;3He\u0301", "─")
	case 3:
		return pick("\r\n", "\r", "\n", "\b", "\t", "\x1bD", "\x1bE", "\x1bM")
	case 4:
		return at
	case 5:
		return fmt.Sprintf("\x1b[%d%c", n(4), "ABCDEFGd`"[r.IntN(9)])
	case 6:
		if r.IntN(3) == 0 {
			return "\x1b[r" + at + fmt.Sprintf("\x1b[%d%c", 1+n(4), "LM"[r.IntN(2)]) + at
		}
		return fmt.Sprintf("\x1b[%d;%dH\x1b[%d%c", 1+n(5), 1+n(6), 1+n(4), "@PXS"[r.IntN(4)])
	case 7:
		return at + fmt.Sprintf("\x1b[%d%c", n(2), "JK"[r.IntN(2)])
	case 8:
		top := 1 + n(3)
		return fmt.Sprintf("\x1b[%d;%dr", top, top+1+n(3)) + at
	case 9:
		return fmt.Sprintf("\x1b[%sm", pick("0", "1", "3", "4", "7", "9", "22", "24", "27", "31", "42", "95", "103", "38;5;123", "48;5;200", "38;2;1;2;3", "48;2;9;8;7", "39", "49", "", "1;31;44", "38:5:9"))
	case 10:
		return pick("\x1b[?6h", "\x1b[?6l", "\x1b[4h", "\x1b[4l", "\x1b[?7h", "\x1b[?7l")
	case 11:
		return "\x1b[?6l" + pick("\x1b7", "\x1b8", "\x1b[s", "\x1b[u", "\x1b[?47l\x1b[m\x1b[?1049h", "\x1b[?47l\x1b[?1049h\x1b[?1049l")
	case 12:
		return pick("\x1b(0", "\x1b(B", "\x0e", "\x0f", "\x1b)0", "qx")
	}
	return pick("\x1bH", "\x1b[g", "\x1b[3g", "\x1b[Z", "\x1b#8", "\x1b[5;2Ha\x1b[3b")
}

// tmuxRare are the rows of tmuxDiffers that a program of tmuxStep's comes upon once in a thousand times, by what
// it is like when nothing can be left out of it.
var tmuxRare = map[string]*regexp.Regexp{
	"text without DECAWM behind a full row": regexp.MustCompile(`\x1b\[\?7l`),
	"SCORC behind 1049":                     regexp.MustCompile(`\x1b\[\?1049l(?s:.*)\x1b\[u`),
	"DCH in a wide character":               regexp.MustCompile(`[日本](?s:.*)\x1b\[\d*[@PKJXb]`),
	"IRM behind a full row":                 regexp.MustCompile(`\x1b\[4h(?s:.*)\d`),
	"IND behind a full row":                 regexp.MustCompile(`(?s:.)(\x1b[DM]|\n)`),
	"a wide character that does not fit":    regexp.MustCompile(`[^日本][日本]+$`),
	"ICH of a whole rest":                   regexp.MustCompile(`\x1b\[\d*@`),
}

const tmuxCols, tmuxRows = 12, 5

func agreesWithTmux(t *testing.T, p *tmuxPane, data string) (ours, theirs string) {
	v := vt.New(vt.Options{Cols: tmuxCols, Rows: tmuxRows})
	v.Write([]byte(data))
	return looks(v, tmuxCols, tmuxRows), looks(p.show(t, data), tmuxCols, tmuxRows)
}

// TestAgreesWithTmux runs random programs in a pane of tmux, too ($STET_TMUX says how many).
func TestAgreesWithTmux(t *testing.T) {
	p := startTmux(t, tmuxCols, tmuxRows)
	programs, _ := strconv.Atoi(os.Getenv("STET_TMUX"))
	programs = max(programs, 300)
	if testing.Short() {
		programs = 50
	}
	bad := 0
	for seed := range uint64(programs) {
		r := rand.New(rand.NewPCG(seed, 0))
		var steps []string
		for range 1 + r.IntN(14) {
			steps = append(steps, tmuxStep(r))
		}
		ours, theirs := agreesWithTmux(t, p, strings.Join(steps, ""))
		if ours == theirs {
			continue
		}
		for i := 0; i < len(steps); { // without what does not matter
			fewer := slices.Delete(slices.Clone(steps), i, i+1)
			if o, h := agreesWithTmux(t, p, strings.Join(fewer, "")); o != h {
				steps, ours, theirs = fewer, o, h
			} else {
				i++
			}
		}
		rare := false
		for _, name := range slices.Sorted(maps.Keys(tmuxRare)) {
			if like := tmuxRare[name]; like.MatchString(strings.Join(steps, "")) {
				rare = true
				t.Logf("%d: %q: %s", seed, strings.Join(steps, ""), name)
				break
			}
		}
		if rare {
			continue
		}
		t.Errorf("%d: %q\nours   %stmux's %s", seed, strings.Join(steps, ""), ours, theirs)
		if bad++; bad == 12 {
			t.Fatal("and perhaps more")
		}
	}
}
