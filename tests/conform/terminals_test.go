package conform

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"stet/tests/harness"
)

// How long a real terminal may take to start, and to pass on a key.
const (
	terminalStart = 60 * time.Second
	keyTime       = 20 * time.Second
)

// desk is an invisible display on which real terminals run, and the keyboard and mouse before it.
type desk struct {
	t       *testing.T
	dir     string
	display string
}

// newDesk needs Xvfb and xdotool ($STET_TERMINALS=1 asks for it: it takes minutes).
func newDesk(t *testing.T) *desk {
	t.Helper()
	if os.Getenv("STET_TERMINALS") == "" {
		t.Skip("STET_TERMINALS=1 drives real terminals (Xvfb, xdotool, and of kitty, alacritty and xterm what is installed)")
	}
	for _, program := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1400x1000x24", "+extension", "GLX", "-noreset", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{w}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	w.Close()
	var number [16]byte
	n, err := r.Read(number[:])
	if err != nil {
		t.Fatalf("Xvfb says no display: %v", err)
	}
	dir, err := os.MkdirTemp("", "desk")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return &desk{t: t, dir: dir, display: ":" + strings.TrimSpace(string(number[:n]))}
}

// terminals are the command lines, but for the program, of terminals as they come: with the keys that they keep
// for themselves unbound where a setting does that.
var terminals = map[string][]string{
	"kitty": {"kitty", "--config", "NONE", "-o", "update_check_interval=0", "-o", "clear_all_shortcuts=yes", "-o", "remember_window_size=no",
		"-o", "initial_window_width=80c", "-o", "initial_window_height=24c", "-o", "window_padding_width=0", "-o", "placement_strategy=top-left", "-o", "cursor_blink_interval=0", "-o", "hide_window_decorations=yes"},
	"alacritty":   {"alacritty", "-o", "window.dimensions.columns=80", "-o", "window.dimensions.lines=24", "-o", "cursor.unfocused_hollow=false", "-e"},
	"xterm":       {"xterm", "-fa", "monospace", "-geometry", "80x24", "-b", "0", "-e"},
	"xterm-CSI-u": {"xterm", "-fa", "monospace", "-geometry", "80x24", "-b", "0", "-xrm", "XTerm*formatOtherKeys: 1", "-e"},
}

func (d *desk) env() []string {
	return append(os.Environ(), "DISPLAY="+d.display, "LC_ALL=C.UTF-8", "LIBGL_ALWAYS_SOFTWARE=1", "XDG_CONFIG_HOME="+filepath.Join(d.dir, "config"),
		"XDG_RUNTIME_DIR="+d.dir, "STET_STATE_DIR="+filepath.Join(d.dir, "state"), "STET_RUNTIME_DIR="+filepath.Join(d.dir, "run"), "SHELL=/bin/sh")
}

// xdo presses keys and moves the mouse.
func (d *desk) xdo(args ...string) string {
	d.t.Helper()
	cmd := exec.Command("xdotool", args...)
	cmd.Env = d.env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("xdotool %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// reader is a program in a real terminal that puts down all that it reads.
type reader struct {
	desk  *desk
	file  string
	seen  int
	close func() // ends the terminal

	window string // the number of its window
}

// open starts a terminal with a program in it that prints modes and then reads, within stet if asked for.
func (d *desk) open(name, modes string, inside bool) *reader {
	d.t.Helper()
	sub, err := os.MkdirTemp(d.dir, "r")
	if err != nil {
		d.t.Fatal(err)
	}
	file, script := filepath.Join(sub, "read"), filepath.Join(sub, "reader")
	d.write(script, fmt.Sprintf("#!/bin/sh\nstty raw -echo\nprintf '%s'\nexec cat >%s\n", modes, file), 0o700)
	r := d.show(name, []string{script}, inside)
	r.file = file
	d.until(terminalStart, name+" and the program in it", func() bool {
		_, err := os.Stat(file)
		return err == nil
	})
	return r
}

// show starts a terminal with a program in it, within stet if asked for, and gives it the keyboard.
func (d *desk) show(name string, argv []string, inside bool) *reader {
	d.t.Helper()
	args := terminals[name]
	if _, err := exec.LookPath(args[0]); err != nil {
		d.t.Skip(err)
	}
	r := &reader{desk: d}
	var kill func()
	if inside {
		sub, err := os.MkdirTemp(d.dir, "s")
		if err != nil {
			d.t.Fatal(err)
		}
		conf, bin := filepath.Join(sub, "conf"), harness.Binary(d.t)
		d.write(conf, "set -g status off\nset -g prefix None\nunbind -a -T root\nset -g exit-empty on\nset -g focus-events on\n", 0o600)
		argv = append([]string{bin, "-L", filepath.Base(sub), "-f", conf, "new-session"}, argv...)
		kill = func() {
			cmd := exec.Command(bin, "-L", filepath.Base(sub), "kill-server")
			cmd.Env = d.env()
			cmd.Run()
		}
	}
	cmd := exec.Command(args[0], append(args[1:len(args):len(args)], argv...)...)
	cmd.Env = d.env()
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	r.close = sync.OnceFunc(func() {
		if kill != nil {
			kill()
		}
		cmd.Process.Kill()
		cmd.Wait()
	})
	d.t.Cleanup(r.close)
	var window string
	d.until(terminalStart, "the window of "+name, func() bool {
		search := exec.Command("xdotool", "search", "--onlyvisible", "--name", ".")
		search.Env = d.env()
		out, _ := search.Output()
		all := strings.Fields(string(out))
		if len(all) > 0 {
			window = all[len(all)-1]
		}
		return window != ""
	})
	d.xdo("windowmove", "--sync", window, "1", "1")
	d.xdo("windowmove", "--sync", window, "0", "0")
	d.xdo("windowfocus", "--sync", window)
	r.window = window
	return r
}

func (d *desk) write(path, text string, mode os.FileMode) {
	d.t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		d.t.Fatal(err)
	}
}

// until waits for a condition that nobody tells of.
func (d *desk) until(limit time.Duration, what string, ok func() bool) {
	d.t.Helper()
	for end := time.Now().Add(limit); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			d.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// unread is what the program has read since it was last taken.
func (r *reader) unread() []byte {
	b, err := os.ReadFile(r.file)
	if err != nil {
		r.desk.t.Fatal(err)
	}
	return b[min(r.seen, len(b)):]
}

// settle presses a key until it arrives in its final form: then the modes are in force everywhere.
func (r *reader) settle(end string) {
	r.desk.t.Helper()
	for range 20 {
		r.desk.xdo("key", "z")
		limit := time.Now().Add(time.Second)
		for time.Now().Before(limit) && !bytes.HasSuffix(r.unread(), []byte(end)) {
			time.Sleep(5 * time.Millisecond)
		}
		if bytes.HasSuffix(r.unread(), []byte(end)) {
			r.seen += len(r.unread())
			return
		}
	}
	r.desk.t.Fatalf("z does not come as %q; read so far: %q", end, r.unread())
}

// after gives what the program reads for what somebody does at the desk. A z behind it, which comes as end, says
// that all of it has come.
func (r *reader) after(end string, args ...string) string {
	r.desk.t.Helper()
	r.desk.xdo(args...)
	if end == "z" && strings.HasSuffix(args[len(args)-1], "Escape") { // z on its heels would be Alt with z
		r.desk.until(keyTime, "Escape", func() bool { return len(r.unread()) > 0 })
	}
	r.desk.xdo("key", "z")
	r.desk.until(keyTime, fmt.Sprintf("%q behind %q, read %q", end, args, r.unread()), func() bool { return bytes.HasSuffix(r.unread(), []byte(end)) })
	got := r.unread()
	r.seen += len(got)
	return string(bytes.TrimSuffix(got, []byte(end)))
}

// keypad is the keypad by the numbers of a PC's keyboard, so that xdotool does not touch Num Lock.
const keypad = "63 79 80 81 82 83 84 85 86 87 88 89 90 91 104 106"

// keyboard is what is pressed: each key with each of its modifiers. It holds keys of the US layout only: for
// others xdotool changes the keyboard under the terminals.
func keyboard(locks bool) (keys [][]string) {
	add := func(names, mods string) {
		for _, k := range strings.Fields(names) {
			for _, m := range strings.Fields(mods) {
				keys = append(keys, []string{"key", strings.TrimPrefix(m+"+"+k, "none+")})
			}
		}
	}
	add("a i 3 semicolon minus slash bracketleft space", "none shift alt ctrl shift+alt ctrl+alt ctrl+shift super")
	add("m j h 1 2 6 8 9 0 grave equal backslash bracketright apostrophe comma period question", "none ctrl alt ctrl+alt ctrl+shift")
	add("Return Escape BackSpace Tab", "none shift alt ctrl shift+alt ctrl+alt ctrl+shift super")
	add("Insert Delete Left Right Up Down Prior Next Home End F1 F2 F3 F4 F5 F12", "none shift alt ctrl ctrl+alt ctrl+shift super")
	add("F6 F7 F8 F9 F10 F11", "none ctrl")
	add("Menu Pause Print", "none")
	add(keypad, "none ctrl alt shift")
	if locks {
		add("Num_Lock", "none")
		add(keypad, "none ctrl alt")
		add("a 3 Return Escape Up F1 F5 Home", "none ctrl alt")
		add("Num_Lock", "none")
	}
	return keys
}

// keyMode is what a program asks of the keyboard, how a z comes then, and which terminals know it.
type keyMode struct{ name, on, z, terminals string }

var keyModes = []keyMode{
	{"nothing", "", "z", "kitty alacritty xterm"},
	{"DECCKM, DECKPAM", "\\033[?1h\\033=", "z", "kitty alacritty xterm"},
	{"DECBKM", "\\033[?67h", "z", "xterm"},
	{"VT52", "\\033[?2l", "z", "xterm"},
	{"VT52, DECKPAM", "\\033[?2l\\033=", "z", "xterm"},
	{"LNM", "\\033[20h", "z", "alacritty xterm"},
	{"modifyOtherKeys 1", "\\033[>4;1m", "z", "xterm"},
	{"modifyOtherKeys 2", "\\033[>4;2m", "z", "xterm"},
	{"modifyOtherKeys 1, formatOtherKeys", "\\033[>4;1m\\033[>4;1f", "z", "xterm-CSI-u"},
	{"modifyOtherKeys 2, formatOtherKeys", "\\033[>4;2m\\033[>4;1f", "z", "xterm-CSI-u"},
	{"kitty 1", "\\033[>1u", "z", "kitty"},
	{"kitty 1, DECCKM, DECKPAM", "\\033[>1u\\033[?1h\\033=", "z", "kitty"},
	{"kitty 2", "\\033[>2u", "z\x1b[122;1:3u", "kitty"},
	{"kitty 3", "\\033[>3u", "z\x1b[122;1:3u", "kitty"},
	{"kitty 5", "\\033[>5u", "z", "kitty"},
	{"kitty 9", "\\033[>9u", "\x1b[122u", "kitty"},
	{"kitty 15", "\\033[>15u", "\x1b[122u\x1b[122;1:3u", "kitty"},
	{"kitty 31", "\\033[>31u", "\x1b[122;;122u\x1b[122;1:3u", "kitty"},
}

// explained says why a key comes in another form within stet than without; "" where nobody knows.
func explained(terminal, mode, key, outside, inside string) string {
	number := regexp.MustCompile(`[0-9]+`)
	unlocked := number.ReplaceAllStringFunc(outside, func(s string) string {
		if n, _ := strconv.Atoi(s); n > 128 && n <= 136 {
			return strconv.Itoa(n - 128)
		}
		return s
	})
	switch {
	case terminal == "alacritty" && outside == "" && strings.HasPrefix(key, "shift+"):
		return "Alacritty scrolls its own history with these, but not on the alternate screen, which stet uses"
	case terminal == "alacritty" && mode == "LNM" && outside == strings.ReplaceAll(inside, "\r\n", "\r"):
		return "Enter is CR in Alacritty whatever LNM says; in stet and xterm it is CR LF"
	case terminal == "xterm" && mode == "DECBKM" && strings.Trim(outside+inside, "\b\x7f\u0088\u00ff") == "":
		return "xterm itself is not told of DECBKM, so that Ctrl with Backspace, 8 and ? are the bytes that they always are"
	case terminal != "kitty":
	case strings.HasPrefix(mode, "kitty") && strings.HasSuffix(key, "F3"):
		return "kitty 0.26 sends CSI R, a cursor position report; the protocol has CSI 13 ~ since"
	case !strings.HasPrefix(mode, "kitty") && strings.HasSuffix(outside, "u"):
		return "kitty sends CSI u for what the older forms cannot say to programs that have not asked; stet does as xterm does"
	case unlocked == inside, unlocked == "\x1b[13;1u" && inside == "\r":
		return "kitty 0.26 tells of Num Lock with keys that type text, the protocol leaves it out"
	case mode == "kitty 2" && strings.Contains(inside, "\x1b[127;3u"):
		return "Ctrl, Alt and 8 are the bytes of Alt and Backspace"
	}
	return ""
}

// TestKeysOfRealTerminals presses keys in real terminals: a program within stet must read what it reads without.
func TestKeysOfRealTerminals(t *testing.T) {
	for _, m := range keyModes {
		for _, name := range strings.Fields(m.terminals) {
			t.Run(name+"/"+m.name, func(t *testing.T) {
				keys := keyboard(m.z == "z")
				if name == "alacritty" {
					keys = slices.DeleteFunc(keys, func(k []string) bool { return k[1] == "ctrl+shift+space" }) // its vi mode
				}
				var read [2][]string
				for i := range read {
					func() {
						d := newDesk(t)
						r := d.open(name, m.on, i == 1)
						defer r.close()
						r.settle(m.z)
						for _, k := range keys {
							read[i] = append(read[i], r.after(m.z, k...))
						}
					}()
				}
				differ, why := 0, map[string][]string{}
				for i, k := range keys {
					if read[0][i] == read[1][i] {
						continue
					}
					differ++
					reason := explained(name, m.name, k[1], read[0][i], read[1][i])
					if reason == "" {
						t.Errorf("%s: %q in %s, %q in stet", k[1], read[0][i], name, read[1][i])
						continue
					}
					why[reason] = append(why[reason], k[1])
				}
				t.Logf("%s, %s: %d keys, %d differ", name, m.name, len(read[0]), differ)
				for reason, keys := range why {
					t.Logf("%d keys: %s: %s", len(keys), reason, strings.Join(keys, " "))
				}
			})
		}
	}
}

// gestures are what is done with the mouse. Motion is made of single steps: stet passes on the last of several
// that come at once.
var gestures = [][]string{
	{"mousemove", "205", "105", "click", "1"}, {"click", "2"}, {"click", "3"}, {"click", "4"}, {"click", "5"},
	{"keydown", "ctrl", "click", "1", "keyup", "ctrl"}, {"keydown", "alt", "click", "3", "keyup", "alt"},
	{"mousemove", "305", "105"}, {"mousemove", "306", "106"}, {"mousemove", "5", "3"}, {"mousemove", "300", "200"},
	{"mousedown", "1"}, {"mousemove", "330", "240"}, {"mousemove", "331", "241"}, {"mouseup", "1"},
	{"mousedown", "3"}, {"mousemove", "100", "50"}, {"mouseup", "3"},
	{"mousemove", "0", "0", "click", "1"},
}

// releases is a text of mouse reports of mode 1015 in which those are releases without a button that are releases
// in another one.
func releases(text, like string) string {
	report := regexp.MustCompile(`\x1b\[([0-9]+);[0-9]+;[0-9]+M`)
	other := report.FindAllStringSubmatch(like, -1)
	i := -1
	return report.ReplaceAllStringFunc(text, func(s string) string {
		i++
		code, err := 0, error(nil)
		if i < len(other) {
			code, err = strconv.Atoi(other[i][1])
		}
		if i >= len(other) || err != nil || code&3 != 3 || code >= 64 {
			return s
		}
		mine, _ := strconv.Atoi(report.FindStringSubmatch(s)[1])
		return strings.Replace(s, strconv.Itoa(mine), strconv.Itoa(mine|3), 1)
	})
}

// TestMouseOfRealTerminals does the same with the mouse: every mode in every encoding that a terminal has.
func TestMouseOfRealTerminals(t *testing.T) {
	for name, encodings := range map[string]string{"xterm": "0 1005 1006 1015 1016", "kitty": "0 1005 1006 1015 1016", "alacritty": "0 1005 1006"} {
		for _, enc := range strings.Fields(encodings) {
			for _, mode := range strings.Fields("9 1000 1002 1003") {
				if mode == "9" && name != "xterm" {
					continue
				}
				t.Run(name+"/"+mode+" "+enc, func(t *testing.T) {
					d := newDesk(t)
					on := "\\033[?" + mode + "h"
					if enc != "0" {
						on += "\\033[?" + enc + "h"
					}
					var read [2][]string
					for i := range read {
						func() {
							d.xdo("mousemove", "700", "500")
							r := d.open(name, on, i == 1)
							defer r.close()
							r.settle("z")
							d.until(keyTime, "the mouse", func() bool { return strings.Contains(r.after("z", "mousemove", "205", "105", "click", "1"), "\x1b[") })
							for _, g := range gestures {
								read[i] = append(read[i], r.after("z", g...))
							}
						}()
					}
					for i, g := range gestures {
						outside := read[0][i]
						if name == "kitty" && enc == "1015" { // it names the button in a release, which xterm does not
							outside = releases(read[0][i], read[1][i])
						}
						if outside != read[1][i] {
							t.Errorf("%s: %q in %s, %q in stet", g, read[0][i], name, read[1][i])
						}
					}
				})
			}
		}
	}
}

// TestFocusOfRealTerminals takes the focus away and gives it back. Without a window manager Alacritty does not
// notice the latter.
func TestFocusOfRealTerminals(t *testing.T) {
	for _, name := range []string{"xterm", "kitty"} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			var read [2]string
			for i := range read {
				func() {
					r := d.open(name, "\\033[?1004h", i == 1)
					defer r.close()
					r.settle("z")
					r.after("z", "key", "a")
					read[i] = r.after("z", "windowfocus", "0", "sleep", "0.5", "windowfocus", r.window)
				}()
			}
			if read[0] != read[1] || read[1] != "\x1b[O\x1b[I" {
				t.Errorf("%q in %s, %q in stet", read[0], name, read[1])
			}
		})
	}
}

// TestPasteOfRealTerminals pastes the X selection: what does no harm comes as without stet, and what would end
// the brackets or act as keys does not come.
func TestPasteOfRealTerminals(t *testing.T) {
	if _, err := exec.LookPath("xclip"); err != nil && os.Getenv("STET_TERMINALS") != "" {
		t.Skip(err)
	}
	for _, name := range []string{"xterm", "kitty", "alacritty"} {
		for _, on := range []string{"", "\\033[?2004h"} {
			t.Run(name+"/"+map[bool]string{true: "in brackets", false: "bare"}[on != ""], func(t *testing.T) {
				d := newDesk(t)
				d.xdo("mousemove", "200", "100")
				for _, c := range []struct {
					text     string
					harmless bool
				}{
					{"tide", true}, {"two\nlines\tand a tab", true}, {"日本語 👩\u200d💻 é", true}, {strings.Repeat("a long text, ", 2000), true},
					{"x\x1b[201~rm -r\r\x03\u009b201~y", false},
				} {
					var read [2]string
					for i := range read {
						func() {
							r := d.open(name, on, i == 1)
							defer r.close()
							r.settle("z")
							clip := exec.Command("xclip", "-quiet", "-selection", "primary")
							clip.Env = d.env()
							clip.Stdin = strings.NewReader(c.text + "|")
							if err := clip.Start(); err != nil {
								t.Fatal(err)
							}
							defer func() { clip.Process.Kill(); clip.Wait() }()
							end := "|"
							if on != "" {
								end = "|\x1b[201~"
							}
							d.until(keyTime, "the paste", func() bool { // until xclip has the selection
								if name == "kitty" { // its keys are off
									d.xdo("keydown", "shift", "click", "2", "keyup", "shift")
								} else {
									d.xdo("key", "shift+Insert")
								}
								for limit := time.Now().Add(2 * time.Second); time.Now().Before(limit); time.Sleep(5 * time.Millisecond) {
									if bytes.HasSuffix(r.unread(), []byte(end)) {
										return true
									}
								}
								return false
							})
							read[i] = string(r.unread())
						}()
					}
					if c.harmless && read[0] != read[1] {
						t.Errorf("%.60q: %.200q in %s, %.200q in stet", c.text, read[0], name, read[1])
					}
					inside := read[1]
					if on != "" {
						inside = strings.TrimSuffix(strings.TrimPrefix(inside, "\x1b[200~"), "\x1b[201~")
						if len(inside)+12 != len(read[1]) {
							t.Errorf("%.60q: no brackets around %.200q", c.text, read[1])
						}
					}
					if strings.ContainsAny(inside, "\x1b\x03\u009b") {
						t.Errorf("%.60q comes as %.200q", c.text, read[1])
					}
				}
			})
		}
	}
}
