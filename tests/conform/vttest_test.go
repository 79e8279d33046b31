package conform

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"stet/vt"
	"stet/vt/key"
)

// vttestScreen is what vttest wrote until it waited for a key.
type vttestScreen struct {
	data []byte
	rows []string
	cols int
}

// vttest runs a part of vttest, which is answered as we answer, until its menu comes back. The part is reached
// by these choices; the first of the screens is the way there, and the last the menu. Where it waits for a key that
// vttestKeys does not have, there is no more to be seen: ok is false then.
func vttest(t *testing.T, path ...string) (screens []vttestScreen, ok bool) {
	f, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", "stty rows 24 cols 80; exec vttest")
	c.Env = append(os.Environ(), "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	c.Stdin, c.Stdout, c.Stderr = tty, tty, tty
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	err = c.Start()
	tty.Close()
	if err != nil {
		f.Close()
		t.Fatal(err)
	}
	v := vt.New(vt.Options{Cols: 80, Rows: 24, History: 100})
	written := make(chan []byte, 16)
	go func() { // ends with vttest
		defer close(written)
		for {
			buf := make([]byte, 16<<10)
			n, err := f.Read(buf)
			if err != nil {
				return
			}
			written <- buf[:n]
		}
	}()
	defer func() {
		c.Process.Kill()
		c.Wait()
		f.Close()
		for range written {
		}
	}()
	var got []byte
	// read takes what vttest writes next, and answers it; false where it writes nothing for so long.
	read := func(wait time.Duration) bool {
		select {
		case b, ok := <-written:
			got = append(got, b...)
			v.Write(b)
			for _, r := range v.TakeReplies() {
				f.Write(r.Data)
			}
			return ok
		case <-time.After(wait):
			return false
		}
	}
	// settle reads until vttest waits for a key, and gives what it asks for it with.
	settle := func() (asks string) {
		for seen := 0; ; {
			if m := prompt.FindAll(got[seen:], -1); m != nil {
				return string(m[len(m)-1])
			}
			seen = max(0, len(got)-96)
			if !read(patience) {
				return ""
			}
		}
	}
	take := func() string {
		cols, _ := v.Size()
		screens = append(screens, vttestScreen{got, rowsOf(v), cols})
		got = nil
		return strings.Join(screens[len(screens)-1].rows, "\n")
	}
	ok = settle() != ""
	for _, choice := range path[:len(path)-1] {
		f.WriteString(choice + "\r")
		seen := len(got)
		late := got
		got = nil
		ok = settle() != "" && ok
		got = append(late[:seen:seen], got...)
	}
	take()
	f.WriteString(path[len(path)-1] + "\r")
	for range 200 {
		asks := settle()
		screen := take()
		switch {
		case asks == "":
			return screens, false
		case strings.Contains(screen, "Enter choice number"):
			return screens, ok
		}
		for i, name := range strings.Fields(vttestKeys[asks]) {
			for i > 0 && read(keyPause) { // it tells what it read of each key by itself
			}
			m := v.Modes()
			e, err := key.Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			f.Write(key.Append(nil, e, key.Modes{AppCursor: m.AppCursor, AppKeypad: m.AppKeypad, Backarrow: m.Backarrow, NewLine: m.NewLine, VT52: m.VT52}))
		}
	}
	return screens, false
}

// vttestKeys are the keys that are pressed when vttest asks for some, as stet sends them in the modes of that moment.
var vttestKeys = map[string]string{
	"Push <RETURN>": "Enter", "Enter choice number (": "Enter", "to press return to continue:": "Enter",
	"Auto Repeat OFF: ": "a Enter", "Auto Repeat ON: ": "a a a a Enter",
	"Finish with RETURN:":                       "q Q 1 ! Enter",
	"Press each cursor key. Finish with TAB.":   "Up Down Right Left Tab",
	"Press each function key. Finish with TAB.": "KP0 KP1 KP9 KPEnter F1 F4 Insert Delete Home End PageUp PageDown F5 F6 F12 Tab",
	"Finish with a single RETURN.":              "Enter", "Finish this test with RETURN.": "Enter",
	"Finish with DEL (also called DELETE or RUB OUT), or wait 1 minute.": "C-Space C-Space C-a C-a C-z C-z BSpace",
	"Push the RETURN key: ": "Enter", "When you are done, press any key twice to quit.\r\r\n": "KP1 KP2 KP2",
	"setting the title.\r\r\n":                              "n a m e Enter",
	"repeat to quit.\r\r\n":                                 "a b b",
	"Press 'q' to quit, 'r' to report modes, ' ' to clear.": "q", // the mouse has a test of its own
	"Press 'q' to quit.":                                    "q",
	"Press the backspace key":                               "BSpace",
}

// prompt is what vttest writes before it waits for a key.
var prompt = func() *regexp.Regexp {
	var all []string
	for text := range vttestKeys {
		all = append(all, regexp.QuoteMeta(text))
	}
	return regexp.MustCompile(strings.Join(all, "|"))
}()

// patience is how long vttest may take for a screen. Where it waits for a key of its own, that is how long it
// is waited for.
var patience = 20 * time.Second

// keyPause is after which silence vttest is taken to have read a key.
const keyPause = 300 * time.Millisecond

// deccolm is what xterm would take another size for. The size of a pane is not a program's to change, so that
// we do the rest of it only; xterm is told to do the same.
var deccolm = regexp.MustCompile(`\x1b\[\?3[hl]`)

// double is DECDWL and DECDHL.
var double = regexp.MustCompile(`\x1b#[346]`)

// item is a choice of one of vttest's menus.
var item = regexp.MustCompile(`(?m)^ +(\d+)[.*] (.*)$`)

// vttestWaits are the parts that do not come back.
var vttestWaits = map[string]bool{
	"11.8.4.1": true, "11.8.4.2": true, // for the font, which a pane does not have
	"11.8.5.8": true, "11.8.6": true, // for DEC's locator and Tektronix' screen, which are not there
	"11.8.9":     true,                                     // for the name of the window, which is not told
	"11.2.5.4.2": true, "11.2.5.5": true, "11.2.5.6": true, // for reports that xterm does not send either
	"11.2.5.3.4":  true,                                                                // so many reports,
	"11.3.7.3.10": true, "11.3.7.3.11": true, "11.4.5.3.10": true, "11.4.5.3.11": true, // or checksums, that it takes minutes
}

// vttestKnown are the parts in which xterm shows something else, or the screens of one.
var vttestKnown = map[string]string{
	"3.10":        "bytes of eight bits are UTF-8 here",
	"8/13":        "it counts on 132 columns; where there are 80 our cursor does not leave a line of double width",
	"11.2.3.1":    "DECSCPP asks for another size, which is not a program's to change",
	"11.4.6.1":    "xterm is told to clear in the place of DECCOLM, also where DECNCSM says not to",
	"11.6.6.3/15": "it counts on 132 columns; where there are 80 our cursor does not leave a line of double width",
	"11.8.8":      "the window changes its size, which is not a program's to do",
	"11.6.9":      "what is concealed cannot be read from xterm",
}

// parts goes through a menu of vttest and the menus in it, and calls do for each part that is none.
func parts(t *testing.T, do func(name string, screens []vttestScreen), path ...string) {
	name := strings.Join(path, ".")
	if vttestWaits[name] {
		return
	}
	screens, ok := vttest(t, path...)
	if !ok {
		t.Errorf("%s does not come back after %d screens", name, len(screens))
		return
	}
	menu := strings.Join(screens[len(screens)-1].rows, "\n")
	if !strings.Contains(menu, "Menu "+name+":") {
		do(name, screens)
		return
	}
	for _, m := range item.FindAllStringSubmatch(menu, -1) {
		if m[1] != "0" && !strings.HasSuffix(m[2], "0 features") { // those are the parts of another menu
			parts(t, do, append(slices.Clone(path), m[1])...)
		}
	}
}

// below are what makes a terminal of which the screen cannot be read, and what makes one again of which it can.
var below = regexp.MustCompile(`\x1b\[\?2l|\x1b\[61"p|\x1b<|\x1b\[6[2-5](?:;\d)?"p`)

// levelAfter is the last of these in data, "" for one of which the screen can be read.
func levelAfter(was string, data []byte) string {
	for _, s := range below.FindAllString(string(data), -1) {
		switch s {
		case "\x1b[?2l", "\x1b[61\"p":
			was = s
		default:
			was = ""
		}
	}
	return was
}

// screenAt is the screen of a terminal of that level, which it does not have meanwhile. A VT52's cursor and set are
// lost, and what DECSCL resets.
func (x *xterm) screenAt(level string) ([]string, error) {
	if level == "" {
		return x.Screen()
	}
	if level == "\x1b[?2l" {
		x.in.WriteString("\x1b<")
	}
	x.in.WriteString("\x1b[65;1\"p")
	rows, err := x.Screen()
	x.in.WriteString(level)
	return rows, err
}

// TestVttestOnXterm gives what vttest writes to a real xterm, and compares what is to be read.
func TestVttestOnXterm(t *testing.T) {
	x := startXterm(t)
	if _, err := exec.LookPath("vttest"); err != nil {
		t.Skip(err)
	}
	total, doubles, differ := 0, 0, map[string]bool{}
	compare := func(name string, screens []vttestScreen) {
		if err := x.begin(80, 24); err != nil {
			t.Fatal(err)
		}
		level := ""
		for i, s := range screens {
			level = levelAfter(level, s.data)
			x.Write(deccolm.ReplaceAll(s.data, []byte("\x1b[r\x1b[2J\x1b[H")))
			if i == 0 {
				continue
			}
			theirs, err := x.screenAt(level)
			if err != nil {
				t.Errorf("%s, screen %d: %v", name, i, err)
				return
			}
			total++
			if double.Match(s.data) {
				doubles++
			}
			if strings.Join(theirs, "\n") == strings.Join(s.rows, "\n") {
				continue
			}
			known := name
			if vttestKnown[name] == "" {
				known = fmt.Sprintf("%s/%d", name, i)
			}
			if why := vttestKnown[known]; why != "" {
				differ[known] = true
				t.Logf("%s, screen %d differs: %s", name, i, why)
			} else {
				t.Errorf("%s, screen %d: %d columns\n%s\nxterm, %d columns\n%s\n%q", name, i, s.cols, strings.Join(s.rows, "\n"), x.cols, strings.Join(theirs, "\n"), s.data)
			}
		}
	}
	only := os.Getenv("STET_VTTEST")
	for _, part := range []string{"1", "2", "3/8", "3/9", "3/10", "3/11", "4", "5", "6", "7", "8", "11/1", "11/2", "11/3", "11/4", "11/5", "11/6", "11/7", "11/8"} {
		if strings.HasPrefix(part, only) {
			parts(t, compare, strings.Split(part, "/")...)
		}
	}
	t.Logf("%d screens, %d of them with lines of double size", total, doubles)
	for known := range vttestKnown {
		if only == "" && !differ[known] {
			t.Errorf("%s is listed as different, but is the same: take it off the list", known)
		}
	}
	if only == "" && total < 450 {
		t.Errorf("only %d screens were compared", total)
	}
}
