package conform

import (
	"bytes"
	"fmt"
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
	"stet/vt/script"
)

// xterm is a real xterm on an invisible display, which reads what is written
// to it and is read back by DECRQCRA, XTREPORTSGR and CPR.
type xterm struct {
	in, out    *os.File
	got        []byte // read and not looked at yet
	replies    []byte // answers to what was written
	cols, rows int
	unsure     bool // it was a VT52, which has 80 columns
}

// startXterm needs xterm and Xvfb ($STET_XTERM=1 asks for it: it takes a while).
func startXterm(t *testing.T) *xterm {
	t.Helper()
	if os.Getenv("STET_XTERM") == "" {
		t.Skip("STET_XTERM=1 runs the cases on a real xterm, too (xterm and Xvfb must be installed)")
	}
	for _, program := range []string{"xterm", "Xvfb"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"in", "out"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	display := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1600x1200x24", "-nolisten", "tcp")
	display.ExtraFiles = []*os.File{w}
	if err := display.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { display.Process.Kill(); display.Wait() })
	w.Close()
	number := make([]byte, 16)
	n, err := r.Read(number)
	if err != nil {
		t.Fatalf("Xvfb says no display: %v", err)
	}
	args := []string{"-u8", "-fn", "fixed", "-geometry", "80x24", "-sl", "0"}
	for _, r := range []string{"allowWindowOps: true", "disallowedWindowOps: ", "checksumExtension: 23", "decTerminalID: 525", "termName: xterm-256color", "c132: true",
		"allowTitleOps: true", "allowColorOps: true", "allowMouseOps: true", "allowTcapOps: true", "allowC1Printable: false", "boldColors: false"} {
		args = append(args, "-xrm", "XTerm*"+r)
	}
	args = append(args, "-e", "sh", "-c", fmt.Sprintf("stty raw -echo; cat %s/in & exec cat > %s/out", dir, dir))
	term := exec.Command("xterm", args...)
	term.Env = append(os.Environ(), "DISPLAY=:"+strings.TrimSpace(string(number[:n])), "LC_ALL=C.UTF-8")
	term.Stderr = os.Stderr
	if err := term.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { term.Process.Kill(); term.Wait() })
	x := &xterm{}
	if x.in, err = os.OpenFile(filepath.Join(dir, "in"), os.O_RDWR, 0); err != nil {
		t.Fatal(err)
	}
	if x.out, err = os.OpenFile(filepath.Join(dir, "out"), os.O_RDWR, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.in.Close(); x.out.Close() })
	return x
}

// begin is a fresh terminal of that size.
func (x *xterm) begin(cols, rows int) error {
	x.replies = nil
	x.in.WriteString("\x18\x1b<\x1b[?42l\x1bc\x1b[?1049h\x1b[2J\x1b[H\x1b7\x1b[?1049l\x1b]104\x07\x1b]110\x07\x1b]111\x07\x1b]112\x07\x1b[?40l\x1b[?41l\x1bc\x1b[65;1\"p\x1b[23#y\x1b[H")
	if _, err := x.exchange(""); err != nil {
		return err
	}
	x.replies = nil
	if cols == x.cols && rows == x.rows && !x.unsure {
		return nil
	}
	return x.Resize(cols, rows)
}

// exchange sends queries and gives all that is answered to them. Answers to
// what was written before are put aside.
func (x *xterm) exchange(query string) (string, error) {
	const mark = "\x1b[9999;1;1;1;1;1*y"
	sent := mark + query + mark
	if _, err := x.in.WriteString(sent); err != nil {
		return "", err
	}
	marks := regexp.MustCompile(`\x1bP9999!~[0-9A-F]{4}\x1b\\`)
	for {
		if at := marks.FindAllIndex(x.got, 2); len(at) == 2 {
			x.replies = append(x.replies, x.got[:at[0][0]]...)
			answer := string(x.got[at[0][1]:at[1][0]])
			x.got = append([]byte(nil), x.got[at[1][1]:]...)
			return answer, nil
		}
		x.out.SetReadDeadline(time.Now().Add(10 * time.Second))
		var b [16 << 10]byte
		n, err := x.out.Read(b[:])
		if err != nil {
			return "", fmt.Errorf("xterm does not answer %q (so far %q): %w", query, x.got, err)
		}
		x.got = append(x.got, b[:n]...)
	}
}

// ask sends a query whose answer has this form, and gives its parts.
func (x *xterm) ask(query, form string) ([]string, error) {
	answer, err := x.exchange(query)
	if err != nil {
		return nil, err
	}
	m := regexp.MustCompile(form).FindStringSubmatch(answer)
	if m == nil {
		return nil, fmt.Errorf("xterm answers %q to %q", answer, query)
	}
	return m, nil
}

func (x *xterm) Write(p []byte) error {
	if bytes.Contains(p, []byte("\x1b<")) && levelAfter("", p) == "" { // which makes a VT100 of it, and that cannot be read back
		p = append(slices.Clone(p), "\x1b[65;1\"p"...)
		x.unsure = true
	}
	_, err := x.in.Write(p)
	return err
}

// Resize waits until xterm says it has the size; the display takes its time.
func (x *xterm) Resize(cols, rows int) error {
	x.in.WriteString(fmt.Sprintf("\x1b[8;%d;%dt", rows, cols))
	deadline := time.Now().Add(10 * time.Second)
	for time.Now().Before(deadline) {
		m, err := x.ask("\x1b[18t", `\x1b\[8;(\d+);(\d+)t`)
		if err != nil {
			return err
		}
		if m[1] == strconv.Itoa(rows) && m[2] == strconv.Itoa(cols) {
			x.cols, x.rows, x.unsure = cols, rows, false
			return nil
		}
	}
	return fmt.Errorf("xterm does not take the size %dx%d", cols, rows)
}

// answers are what xterm sends, one by one.
var answers = regexp.MustCompile(`\x1b[P\]](?s:.*?)(?:\x1b\\|\x07)|\x1b\[[0-?]*[ -/]*[@-~]|.`)

// Replies gives what was answered to what was written.
func (x *xterm) Replies() ([]string, error) {
	if _, err := x.exchange(""); err != nil {
		return nil, err
	}
	out := answers.FindAllString(string(x.replies), -1)
	x.replies = nil
	return out, nil
}

// cells asks something of each cell. DECOM, which would move what is asked for, is put away
// meanwhile, at the cost of a pending wrap.
func (x *xterm) cells(query func(row, col int) string, form string) ([]string, error) {
	origin, err := x.Mode("?6")
	if err != nil {
		return nil, err
	}
	c, err := x.Cursor()
	if err != nil {
		return nil, err
	}
	if origin == 1 {
		x.in.WriteString("\x1b[?6l")
	}
	var q strings.Builder
	for y := range x.rows {
		for col := range x.cols {
			q.WriteString(query(y+1, col+1))
		}
	}
	answer, err := x.exchange(q.String())
	if err != nil {
		return nil, err
	}
	if origin == 1 {
		x.in.WriteString(fmt.Sprintf("\x1b[?6h\x1b[%d;%dH", c.Row, c.Col))
	}
	var out []string
	for _, m := range regexp.MustCompile(form).FindAllStringSubmatch(answer, -1) {
		out = append(out, m[1])
	}
	if len(out) != x.rows*x.cols {
		return nil, fmt.Errorf("%d answers for %d cells", len(out), x.rows*x.cols)
	}
	return out, nil
}

// Screen takes a checksum of each cell: with these extensions that is its character.
func (x *xterm) Screen() ([]string, error) {
	sums, err := x.cells(func(row, col int) string {
		return fmt.Sprintf("\x1b[1;1;%d;%d;%d;%d*y", row, col, row, col)
	}, `\x1bP1!~([0-9A-F]{4})\x1b\\`)
	if err != nil {
		return nil, err
	}
	rows := make([]string, x.rows)
	for i, s := range sums {
		v, _ := strconv.ParseUint(s, 16, 32)
		switch r := rune(v); r {
		case 0, ' ':
			rows[i/x.cols] += " "
		case 0xffff: // the right half of a wide character
		default:
			rows[i/x.cols] += string(r)
		}
	}
	for i, s := range rows {
		rows[i] = strings.TrimRight(s, " ")
	}
	return rows, nil
}

func (x *xterm) History() ([]string, error)      { return nil, script.ErrUnasked }
func (x *xterm) Events() ([]script.Event, error) { return nil, script.ErrUnasked }

// Style asks for the SGR of a cell; protection and links are not in it.
func (x *xterm) Style(row, col int) (string, error) {
	m, err := x.ask(fmt.Sprintf("\x1b[%d;%d;%d;%d#|", row, col, row, col), `\x1b\[([0-9;:]*)m`)
	if err != nil {
		return "", err
	}
	return sgrWords(m[1]), nil
}

// sgrWords puts what SGR says into the words of the scripts.
func sgrWords(sgr string) string {
	names := map[string]string{"1": "bold", "2": "dim", "3": "italic", "4": "underline", "5": "blink", "7": "reverse", "8": "conceal", "9": "strike", "21": "underline=double"}
	var w []string
	for _, p := range strings.Split(sgr, ";") {
		n, _ := strconv.Atoi(p)
		parts := strings.Split(p, ":")
		ground := map[string]string{"38": "fg", "48": "bg"}[parts[0]]
		switch {
		case names[p] != "":
			w = append(w, names[p])
		case n >= 30 && n < 38:
			w = append(w, fmt.Sprintf("fg=%d", n-30))
		case n >= 40 && n < 48:
			w = append(w, fmt.Sprintf("bg=%d", n-40))
		case n >= 90 && n < 98:
			w = append(w, fmt.Sprintf("fg=%d", n-82))
		case n >= 100 && n < 108:
			w = append(w, fmt.Sprintf("bg=%d", n-92))
		case ground != "" && len(parts) == 3:
			w = append(w, ground+"="+parts[2])
		case ground != "" && len(parts) == 6:
			r, _ := strconv.Atoi(parts[3])
			g, _ := strconv.Atoi(parts[4])
			b, _ := strconv.Atoi(parts[5])
			w = append(w, fmt.Sprintf("%s=#%02x%02x%02x", ground, r, g, b))
		case p != "0" && p != "":
			w = append(w, "SGR-"+p)
		}
	}
	if len(w) == 0 {
		return "plain"
	}
	return strings.Join(w, " ")
}

func (x *xterm) Cursor() (script.Cursor, error) {
	m, err := x.ask("\x1b[6n", `\x1b\[(\d+);(\d+)R`)
	if err != nil {
		return script.Cursor{}, err
	}
	row, _ := strconv.Atoi(m[1])
	col, _ := strconv.Atoi(m[2])
	return script.Cursor{Row: row, Col: col, Unsure: true}, nil
}

func (x *xterm) Mode(number string) (int, error) {
	m, err := x.ask("\x1b["+number+"$p", `\x1b\[\??\d+;(\d)\$y`)
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(m[1])
}

// TestXtermShowsTheSame runs the cases of vt/testdata on a real xterm. Where it is different on purpose
// the case says so, and then it must be.
func TestXtermShowsTheSame(t *testing.T) {
	x := startXterm(t)
	files, err := filepath.Glob(filepath.Join("..", "..", "vt", "testdata", "*.vt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	only := os.Getenv("STET_XTERM_ONLY")
	ran, skipped, differs, unasked := 0, 0, 0, 0
	for _, file := range files {
		cases, err := script.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := range cases {
			c := &cases[i]
			name := filepath.Base(file) + "/" + c.Name
			if !strings.Contains(name, only) {
				continue
			}
			if c.Skip["xterm"] != "" {
				skipped++
				continue
			}
			cols, rows, _ := c.Size()
			if err := x.begin(cols, rows); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			failed, left, err := c.Run(x)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				x.exchange("\x18\x1b\\")
				continue
			}
			ran++
			unasked += left
			switch why := c.Differs["xterm"]; {
			case why != "" && len(failed) == 0:
				t.Errorf("%s: xterm should be different (%s), but shows the same", name, why)
			case why != "":
				differs++
				t.Logf("%s: xterm is different: %s", name, why)
			default:
				for _, f := range failed {
					t.Errorf("%s: xterm: %v", name, f)
				}
			}
		}
	}
	t.Logf("%d cases on xterm, %d of them different on purpose; %d it cannot be asked, and %d expectations of others", ran, differs, skipped, unasked)
}

// xtermStep draws something that a real xterm should agree on. Left out is what the cases of vt/testdata
// call different, and wide characters: what becomes of one that is cut, it does differently from place to
// place (of 2,000 programs with them 8 were different).
func xtermStep(r *rand.Rand) string {
	n := func(most int) int { return r.IntN(most + 1) }
	switch r.IntN(20) {
	case 16: // the sets, and what shifts to them
		return []string{"\x1b(0", "\x1b)0", "\x1b(B", "\x1b)B", "\x1b+<", "\x1b(<", "\x1b)>", "\x1b-A", "\x1b/L", "\x1b(\"?", "\x1b(%0", "\x1b(&4", "\x1b(%5",
			"\x0e", "\x0f", "\x1bn", "\x1bo", "\x1bOb", "qjx"}[r.IntN(19)]
	case 17: // modes and what belongs to them
		return []string{"\x1b[?41h", "\x1b[?41l", "\x1b[4h", "\x1b[?7l", "\x1b[?7h", "\t", "\x1b[I", "\x1b[2Z", "\x1bH", "\x1b[g", "\x1b[3g", "\x1b[?5W", "\x1b[?1048h", "\x1b[?1048l", "\r\x1b[?1049h", "\x1b[?1049l"}[r.IntN(16)]
	case 18: // protection, guarded areas, fills, levels
		return []string{"\x1bV", "\x1bW", "\x1b[1\"q", "\x1b[2\"q", fmt.Sprintf("\x1b[%d;%d;%d;%d;%d$x", 33+n(90), 1+n(3), 1+n(6), 2+n(4), 3+n(8)),
			"\x1b[64;1\"p", "\x1b[65;1\"p", "\x1b[?69h\x1b[3;8s", "\r\x1b[?1K", "\r\x1b[?1J", "\x1b#8"}[r.IntN(11)]
	case 19: // what comes back
		return []string{"\x1bP2$t3/6/9\x1b\\", "\x1b[s", "\x1b[u", "\x1b[#{", "\x1b[#}", "\x1b[?7s\x1b[?7l", "\x1b[?7s\x1b[?7h\x1b[?7r", "\x1bc"}[r.IntN(8)]
	case 0, 1, 2:
		return []string{"a", "bc", "def", "x y", "0123456789", "é"}[r.IntN(6)]
	case 3:
		return []string{"\r\n", "\r", "\n", "\b", "\x1bD", "\x1bE", "\x1bM", "\x1b6", "\x1b9"}[r.IntN(9)]
	case 4:
		return fmt.Sprintf("\x1b[%d;%dH", 1+n(5), 1+n(11))
	case 5:
		return fmt.Sprintf("\x1b[%d%c", n(4), "ABCDEFGad`e"[r.IntN(11)])
	case 6:
		return fmt.Sprintf("\x1b[%d%c", 1+n(4), "@PXLMST"[r.IntN(7)])
	case 7:
		return fmt.Sprintf("\x1b[%d%s", n(3), []string{"'}", "'~", " @", " A"}[r.IntN(4)])
	case 8: // a wrap that is pending is another matter
		return fmt.Sprintf("\x1b[%d;%dH\x1b[%d%c", 1+n(5), 1+n(11), n(2), "JK"[r.IntN(2)])
	case 9:
		return fmt.Sprintf("\x1b[%d;%dr", n(5), n(6))
	case 10:
		return fmt.Sprintf("\x1b[?69h\x1b[%d;%ds", n(6), 4+n(8))
	case 11:
		return []string{"\x1b[?6h", "\x1b[?6l", "\x1b[?69h", "\x1b[?4l", "\x1b[?69l", "\x1b[?45h", "\x1b[?45l", "\x1b[20h", "\x1b[20l"}[r.IntN(9)]
	case 12:
		return []string{"\x1b7", "\x1b8", "\x1b[?47h", "\x1b[?47l", "\x1b[?1047h", "\x1b[?1047l"}[r.IntN(6)]
	case 13:
		return fmt.Sprintf("\x1b[%d;%d;%d;%d%s", 1+n(3), 1+n(6), 2+n(4), 3+n(8), []string{"$z", "${"}[r.IntN(2)])
	case 14:
		return fmt.Sprintf("\x1b[%d;%d;%d;%d;1;%d;%d;1$v", 1+n(3), 1+n(6), 2+n(4), 3+n(8), 1+n(4), 1+n(9))
	}
	return []string{"\x1b[1\"q", "\x1b[0\"q", "\r\x1b[?2K", "\r\x1b[?0J", "\x1b[Z", "\x1b[!p", "a\x1b[3b"}[r.IntN(7)]
}

// xtermQuirks are pairs that a program must not have both of: xterm then does what nobody can mean. Where text is
// protected, scrolling takes the protection from what is written then, and DECSTR, DECSCL and what erases the
// whole screen from all of it; RIS leaves what is on the alternate screen, which newer ones do not; in insert mode it depends on the first character of a text whether all of it is inserted between
// margins; and with reverse wrap CUB goes one column from the first one of the screen, however many it is told.
var xtermQuirks = [][2]*regexp.Regexp{
	{regexp.MustCompile(`\x1b\[1"q|\x1bV`), regexp.MustCompile(`\x1b\[!p|\x1b\[6[45];1"p|\x1b\[\d*J|\x1b\[\?\d[JK]`)},
	{regexp.MustCompile(`\x1bc`), regexp.MustCompile(`\x1b\[\?(10)?4[79]h`)},
	{regexp.MustCompile(`\x1b\[4h`), regexp.MustCompile(`\x1b\[\?69h`)},
	{regexp.MustCompile(`\x1b\[\?45h`), regexp.MustCompile(`\x1b\[[2-9]D`)},
}

// TestXtermOnRandomPrograms runs random programs on a real xterm, too ($STET_XTERM says how many, 100 at least).
func TestXtermOnRandomPrograms(t *testing.T) {
	x := startXterm(t)
	n, _ := strconv.Atoi(os.Getenv("STET_XTERM"))
	const cols, rows = 11, 5
	bad := 0
	for seed := range uint64(max(100, n)) {
		r := rand.New(rand.NewPCG(seed, 0))
		var steps []string
		for range 1 + r.IntN(16) {
			steps = append(steps, xtermStep(r))
		}
		if slices.ContainsFunc(xtermQuirks, func(q [2]*regexp.Regexp) bool {
			all := strings.Join(steps, "")
			return q[0].MatchString(all) && q[1].MatchString(all)
		}) {
			continue
		}
		differs := func(steps []string) string {
			data := strings.Join(steps, "")
			if err := x.begin(cols, rows); err != nil {
				t.Fatal(err)
			}
			x.Write([]byte(data))
			c, err := x.Cursor()
			if err != nil {
				t.Fatal(err)
			}
			theirs, err := x.Screen()
			if err != nil {
				t.Fatal(err)
			}
			v := vt.New(vt.Options{Cols: cols, Rows: rows})
			v.Write([]byte(data + "\x1b[6n"))
			ours := rowsOf(v)
			for i, s := range theirs { // it has U+00A0 for the space of a set of 94
				theirs[i] = strings.TrimRight(strings.ReplaceAll(s, "\u00a0", " "), " ")
				ours[i] = strings.TrimRight(strings.ReplaceAll(ours[i], "\u00a0", " "), " ")
			}
			place := ""
			for _, r := range v.TakeReplies() {
				place = string(r.Data)
			}
			if want := fmt.Sprintf("\x1b[%d;%dR", c.Row, c.Col); strings.Join(ours, "\n") != strings.Join(theirs, "\n") || !strings.HasSuffix(place, want) {
				return fmt.Sprintf("%q\nours   %q %q\nxterm's %q %q", data, ours, place, theirs, want)
			}
			return ""
		}
		what := differs(steps)
		if what == "" {
			continue
		}
		for i := 0; i < len(steps); { // without what does not matter
			fewer := slices.Delete(slices.Clone(steps), i, i+1)
			if less := differs(fewer); less != "" {
				steps, what = fewer, less
			} else {
				i++
			}
		}
		t.Errorf("%d: %s", seed, what)
		if bad++; bad == 12 {
			t.Fatal("and perhaps more")
		}
	}
}
