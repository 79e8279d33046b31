package conform

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// program is something to look at.
type program struct {
	name string
	argv []string
	// alive says that it shows what the machine does at the moment: no two pictures are alike.
	alive bool
}

// sourceFile is a text for editors and pagers: wide characters, tabs, long lines.
const sourceFile = "package tide // 潮\n\nimport \"fmt\"\n\n// High is the time of high water at each place.\nvar High = map[string]float64{\n\t\"Cuxhaven\": 3.25, \"東京\": 17.5, \"Ålesund\": 11.75,\n}\n\n" +
	"func main() {\n\tfor place, at := range High {\n\t\tfmt.Printf(\"%-12s %5.2f\\n\", place, at) // a long line that does not fit into eighty columns, and so goes on in the next\n\t}\n}\n"

// colours is a file of 24-bit colours: two pixels a cell in half blocks, every attribute, every underline.
func colours() string {
	var b strings.Builder
	for y := 0; y < 18; y++ {
		for x := range 80 {
			top, bottom := 2*y, 2*y+1
			fmt.Fprintf(&b, "\x1b[38;2;%d;%d;%dm\x1b[48;2;%d;%d;%dm▀", x*255/79, top*255/35, 128, x*255/79, bottom*255/35, 128)
		}
		b.WriteString("\x1b[m\n")
	}
	for i := range 256 {
		fmt.Fprintf(&b, "\x1b[48;5;%dm ", i)
		if i%80 == 79 {
			b.WriteString("\x1b[m\n")
		}
	}
	b.WriteString("\x1b[m\n\x1b[1mbold\x1b[m \x1b[2mfaint\x1b[m \x1b[3mitalic\x1b[m \x1b[4mline\x1b[m \x1b[7mreverse\x1b[m \x1b[9mstruck\x1b[m \x1b[21mdouble\x1b[m " +
		"\x1b[4:3mcurly\x1b[m \x1b[4:4mdots\x1b[m \x1b[4:5mdashes\x1b[m \x1b[4;58;2;255;0;0mred line\x1b[m \x1b[1;34mbold blue\x1b[m")
	return b.String()
}

// emoji has clusters of all sorts, each between bars that show where it ends.
const emoji = "plain     |🙂|🚀|🌊|⌚|\nmodified  |👍🏽|👩🏿|\njoined    |👩\u200d💻|👨\u200d👩\u200d👧|🏳\ufe0f\u200d🌈|\nflags     |🇩🇪|🇯🇵|\nstyles    |❤\ufe0f|❤|☎\ufe0f|☎|⌚\ufe0e|\nkeycaps   |1\ufe0f\u20e3|#\ufe0f\u20e3|\nmarks     |e\u0301|n\u0303|각|\u1112\u1161\u11ab|\nwide      |日本語|한글|ｶﾅ|\nnarrow    |→|…|│|█|½|\n"

// lookDifferences are rows that look different on purpose.
var lookDifferences = map[string]struct {
	rows []int
	why  string
}{
	"xterm/colours":     {[]int{22}, "underlines that xterm does not draw become a plain line"},
	"xterm/mc":          {[]int{19, 21}, "the ends of ─ lie in the cells beside it, and two of their pixels depend on the order in which xterm draws"},
	"alacritty/colours": {[]int{22}, "SGR 21 ends bold there; in stet it is a double underline, as in xterm and kitty"},
	"xterm/emoji":       {[]int{1, 2, 4, 6}, clustersDiffer},
	"kitty/emoji":       {[]int{2, 5, 6}, clustersDiffer + "; keycaps take one column in stet, xterm and Alacritty, and two in kitty"},
	"alacritty/emoji":   {[]int{1, 2, 4, 6}, clustersDiffer},
}

const clustersDiffer = "a cluster of several characters has the width of one in stet, and in this terminal that of all of them"

// TestProgramsLookTheSame shows programs in real terminals, and the same within stet without a status line: the
// pictures must be the same, pixel by pixel. $STET_PICTURES is a folder for them.
func TestProgramsLookTheSame(t *testing.T) {
	d := newDesk(t)
	for _, program := range []string{"import"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	file := func(name, text string) string {
		path := filepath.Join(d.dir, name)
		d.write(path, text, 0o600)
		return path
	}
	os.MkdirAll(filepath.Join(d.dir, "config", "mc"), 0o700)
	file("config/mc/ini", "[Layout]\nmessage_visible=false\n") // a hint by chance
	folder := filepath.Join(d.dir, "tree", "folder")           // the times of both are shown
	os.MkdirAll(folder, 0o700)
	for i, name := range []string{"tide.go", "潮汐.txt", "Ålesund.csv", "run.sh"} {
		d.write(filepath.Join(folder, name), strings.Repeat("x", 100*i), 0o600)
		os.Chtimes(filepath.Join(folder, name), time.Unix(1e9, 0), time.Unix(1e9, 0))
	}
	os.Chtimes(folder, time.Unix(1e9, 0), time.Unix(1e9, 0))
	os.Chtimes(filepath.Dir(folder), time.Unix(1e9, 0), time.Unix(1e9, 0))
	src := file("tide.go", sourceFile)
	stay := "; exec cat >/dev/null"
	for _, p := range []program{
		{"vim", []string{"vim", "-u", "NONE", "-N", "-i", "NONE", "-n", "--cmd", "set nomodeline", "-c", "syntax on", "-c", "set bg=dark number hlsearch cursorline list laststatus=2 ttyfast", "-c", "/place", src}, false},
		{"less", []string{"less", "-N", src}, false},
		{"emacs", []string{"emacs", "-nw", "-Q", "--eval", "(setq inhibit-startup-screen t frame-background-mode 'dark)", src}, false},
		{"mc", []string{"mc", "-u", "-x", folder, folder}, false},
		{"colours", []string{"sh", "-c", "cat " + file("colours", colours()) + stay}, false},
		{"emoji", []string{"sh", "-c", "cat " + file("emoji", emoji) + stay}, false},
		{"htop", []string{"htop", "-d", "100"}, true},
	} {
		for _, name := range []string{"xterm", "kitty", "alacritty"} {
			t.Run(name+"/"+p.name, func(t *testing.T) {
				if _, err := exec.LookPath(p.argv[0]); err != nil {
					t.Skip(err)
				}
				known := lookDifferences[name+"/"+p.name]
				var outside, inside image.Image
				var wrong []image.Point
				// A busy machine lets a program rest in the midst of its first picture: then it is looked at for longer.
				for _, still := range []int{3, 12, 50} {
					outside, inside = d.picture(name, p, false, still), d.picture(name, p, true, still)
					wrong = slices.DeleteFunc(differing(outside, inside), func(cell image.Point) bool { return slices.Contains(known.rows, cell.Y) })
					if p.alive || len(wrong) == 0 {
						break
					}
				}
				if dir := os.Getenv("STET_PICTURES"); dir != "" {
					save(t, filepath.Join(dir, name+"-"+p.name+"-outside.png"), outside)
					save(t, filepath.Join(dir, name+"-"+p.name+"-inside.png"), inside)
				}
				if p.alive {
					return
				}
				if len(wrong) > 0 {
					t.Errorf("%d cells differ, the first at %v", len(wrong), wrong[0])
				}
				if known.why != "" {
					t.Logf("%d cells differ in rows %v: %s", len(differing(outside, inside))-len(wrong), known.rows, known.why)
				}
			})
		}
	}
}

// picture is what a program looks like in a terminal once it has not changed for so many looks.
func (d *desk) picture(name string, p program, inside bool, still int) image.Image {
	d.t.Helper()
	// The same TERM on both sides: what a program does with fewer colours is not the question.
	r := d.show(name, append([]string{"env", "TERM=xterm-256color", "COLORTERM=truecolor"}, p.argv...), inside)
	defer r.close()
	var last image.Image
	limit := time.Now().Add(keyTime)
	for same := 0; ; {
		d.xdo("windowfocus", r.window) // a terminal without it has another cursor
		shot := d.shot(r.window)
		if last != nil && !blank(shot) && len(differing(last, shot)) == 0 {
			same++
		} else {
			same = 0
		}
		if last = shot; same >= still || time.Now().After(limit) {
			return shot
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (d *desk) shot(window string) image.Image {
	cmd := exec.Command("import", "-window", window, "png:-")
	cmd.Env = d.env()
	out, err := cmd.Output()
	if err != nil {
		d.t.Fatalf("import: %v", err)
	}
	img, err := png.Decode(bytes.NewReader(out))
	if err != nil {
		d.t.Fatal(err)
	}
	return img
}

func save(t *testing.T, path string, img image.Image) {
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, img); err != nil {
		t.Fatal(err)
	}
}

// blank tells whether a picture holds hardly more than a cursor.
func blank(img image.Image) bool {
	empty := image.NewUniform(img.At(img.Bounds().Dx()-1, img.Bounds().Dy()/2))
	return len(differing(img, within{empty, img.Bounds()})) < 30
}

// within is a picture with other bounds.
type within struct {
	image.Image
	bounds image.Rectangle
}

func (w within) Bounds() image.Rectangle { return w.bounds }

// differing are the cells of an 80 by 24 terminal in which two pictures are not the same.
func differing(a, b image.Image) (cells []image.Point) {
	if a.Bounds() != b.Bounds() {
		return []image.Point{a.Bounds().Max, b.Bounds().Max}
	}
	w, h := a.Bounds().Dx()/80, a.Bounds().Dy()/24
	seen := map[image.Point]bool{}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if cell := image.Pt(x/w, y/h); !seen[cell] && a.At(x, y) != b.At(x, y) {
				seen[cell] = true
				cells = append(cells, cell)
			}
		}
	}
	return cells
}
