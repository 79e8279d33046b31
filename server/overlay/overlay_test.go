package overlay

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"stet/vt/key"
)

// keys makes events of words: key names, and text in quotes that is typed.
func keys(t testing.TB, words ...string) []key.Event {
	var list []key.Event
	for _, w := range words {
		if text, ok := strings.CutPrefix(w, "'"); ok {
			for _, r := range text {
				list = append(list, key.Event{Key: key.Key(r), Text: string(r)})
			}
			continue
		}
		e, err := key.Parse(w)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, e)
	}
	return list
}

func TestEditing(t *testing.T) {
	for name, c := range map[string]struct {
		keys string
		want string // with | at the cursor
	}{
		"typing":                       {"'abc", "abc|"},
		"typing in the middle":         {"'ac Left 'b", "ab|c"},
		"home and end":                 {"'bc C-a 'a C-e 'd", "abcd|"},
		"named home and end":           {"'bc Home 'a End 'd", "abcd|"},
		"backspace":                    {"'abc BSpace C-h", "a|"},
		"backspace at the begin":       {"'a Home BSpace", "|a"},
		"delete":                       {"'abc Home DC C-d", "|c"},
		"delete at the end":            {"'abc DC", "abc|"},
		"kill to the end, yank":        {"'abcd Left Left C-k C-a C-y", "cd|ab"},
		"kill the line":                {"'abcd Left C-u", "|"},
		"kill the word behind":         {"'ab_c@d.e C-w", "ab_c@d.|"},
		"kill the separators behind":   {"'rename@.: C-w", "rename|"},
		"kill a word, letters only":    {"'a/bc M-BSpace", "a/|"},
		"words":                        {"'ab.cd.ef M-b M-b M-b 'X M-f 'Y", "ab.XcdY|.ef"},
		"words by arrows":              {"'ab.cd C-Left 'X C-Right 'Y", "ab.XcdY|"},
		"kill what was killed twice":   {"'ab.cd C-w C-w C-y C-y", "ab..|"},
		"kill the word ahead":          {"'ab.cd Home M-d", "|.cd"},
		"transpose at the end":         {"'abc C-t", "acb|"},
		"transpose in the middle":      {"'abc Left C-t", "acb|"},
		"transpose one":                {"'a C-t", "a|"},
		"wide characters":              {"'日本語 Left BSpace", "日|語"},
		"a flag is one character":      {"'🇩🇪🇫🇷 BSpace", "🇩🇪|"},
		"a family is one character":    {"'x👨‍👩‍👧y Left BSpace", "x|y"},
		"an accent of its own":         {"'ae\u0301 Left 'x", "ax|e\u0301"},
		"an accent put in afterwards":  {"'ab Left '\u0301", "a\u0301|b"},
		"keypad digits":                {"KP1 KP2", "12|"},
		"unknown keys do nothing":      {"'a F5 C-] M-z Tab", "a|"},
		"shifted letters":              {"S-a 'b", "Ab|"},
		"space":                        {"'a Space 'b", "a b|"},
		"left at the begin, right end": {"Left 'a Right", "a|"},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPrompt(PromptOptions{Label: "x ", Separators: "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"})
			for _, e := range keys(t, strings.Fields(c.keys)...) {
				if done, _ := p.HandleKey(e); done {
					t.Fatal("ended")
				}
			}
			if got := p.text[:p.at] + "|" + p.text[p.at:]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestKillsAWordUpToBlanks(t *testing.T) {
	p := NewPrompt(PromptOptions{Text: "rename-window  old-name  "})
	p.HandleKey(keys(t, "C-w")[0])
	if p.text != "rename-window  " {
		t.Errorf("%q", p.text)
	}
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		keys string
		ok   bool
		text string
	}{
		{"'hi Enter", true, "hi"}, {"'hi C-j", true, "hi"}, {"'hi KPEnter", true, "hi"},
		{"'hi Escape", false, ""}, {"'hi C-c", false, ""}, {"'hi C-g", false, ""}, {"Enter", true, ""},
	} {
		p := NewPrompt(PromptOptions{})
		list := keys(t, strings.Fields(c.keys)...)
		for i, e := range list {
			done, a := p.HandleKey(e)
			if done != (i == len(list)-1) {
				t.Fatalf("%s: done %v at %d", c.keys, done, i)
			}
			if done && a != (Answer{c.ok, c.text}) {
				t.Errorf("%s: %+v", c.keys, a)
			}
		}
	}
}

func TestOneKey(t *testing.T) {
	for k, want := range map[string]Answer{
		"a": {true, "a"}, "A": {true, "A"}, "Escape": {}, "Enter": {}, "Space": {true, " "}, "é": {true, "é"},
	} {
		p := NewPrompt(PromptOptions{OneKey: true})
		for _, e := range keys(t, "Up", "C-x", "M-a") {
			if done, _ := p.HandleKey(e); done {
				t.Errorf("%s is a character", e.Name())
			}
		}
		if done, a := p.HandleKey(keys(t, k)[0]); !done || a != want {
			t.Errorf("%s: %v %+v", k, done, a)
		}
	}
}

func TestNameOfAKey(t *testing.T) {
	for _, k := range []string{"a", "Up", "C-x", "M-a", "Escape", "Enter", "Space", "C-c"} {
		p := NewPrompt(PromptOptions{KeyName: true})
		if done, a := p.HandleKey(keys(t, k)[0]); !done || a != (Answer{true, k}) {
			t.Errorf("%s: %v %+v", k, done, a)
		}
	}
}

func TestHistory(t *testing.T) {
	h := &History{}
	for _, s := range []string{"one", "two", "two", "", "three"} {
		h.Add(s)
	}
	p := NewPrompt(PromptOptions{History: h})
	var seen []string
	for _, e := range keys(t, "'x", "Up", "Up", "Up", "Up", "Down", "C-n", "Down", "Down", "C-p") {
		p.HandleKey(e)
		seen = append(seen, p.text)
	}
	if got := strings.Join(seen, " "); got != "x three two one one two three x x three" {
		t.Error(got)
	}
	p.HandleKey(keys(t, "Enter")[0])
	if h.Len() != 3 || h.Entry(1) != "three" || h.Entry(4) != "" {
		t.Errorf("%q", h.entries)
	}
	for range 3 * maxHistory {
		h.Add("a")
		h.Add("b")
	}
	if h.Len() != maxHistory {
		t.Errorf("%d entries", h.Len())
	}
}

func TestPasteIsFilteredAndNeverAnswers(t *testing.T) {
	p := NewPrompt(PromptOptions{})
	for i, piece := range []string{"a\nb\x1b[31m\xe6\x97", "\xa5\tc\r", "\xff\xe6"} {
		done, _ := p.HandleKey(key.Event{Kind: key.KindPaste, Data: []byte(piece), End: i == 2})
		if done {
			t.Fatal("a paste has answered")
		}
	}
	if p.text != "a b[31m日 c " {
		t.Errorf("%q", p.text)
	}
	p.HandleKey(key.Event{Kind: key.KindPaste, Data: []byte(strings.Repeat("é", maxText)), End: true})
	if len(p.text) > maxText || !utf8.ValidString(p.text) {
		t.Errorf("%d bytes", len(p.text))
	}
}

func TestWhatIsNoKeyDoesNothing(t *testing.T) {
	for _, o := range []Overlay{NewPrompt(PromptOptions{Text: "t"}), NewConfirm("sure?", 'y', false), NewPrompt(PromptOptions{OneKey: true})} {
		for _, e := range []key.Event{
			{Kind: key.KindMouse}, {Kind: key.KindFocus}, {Kind: key.KindReply, Data: []byte("\x1b[0n")},
			{Key: 'y', Act: key.Release}, {Key: key.LeftShift},
		} {
			if done, _ := o.HandleKey(e); done {
				t.Errorf("%T ended by %+v", o, e)
			}
		}
	}
	if done, _ := NewConfirm("", 'y', false).HandleKey(key.Event{Kind: key.KindPaste, Data: []byte("y")}); done {
		t.Error("a paste has confirmed")
	}
}

func TestConfirm(t *testing.T) {
	for k, want := range map[string]bool{"y": true, "Y": true, "n": false, "Enter": false, "Escape": false, "C-y": false, "M-y": false, "x": false} {
		if done, a := NewConfirm("kill?", 'y', false).HandleKey(keys(t, k)[0]); !done || a.OK != want {
			t.Errorf("%s: %v %+v", k, done, a)
		}
	}
}

func TestConfirmWithAnotherKey(t *testing.T) {
	for k, want := range map[string]bool{"x": true, "X": false, "y": false, "Y": false, "Enter": true, "KPEnter": true, "C-x": false, "n": false} {
		if done, a := NewConfirm("kill?", 'x', true).HandleKey(keys(t, k)[0]); !done || a.OK != want {
			t.Errorf("%s: %v %+v", k, done, a)
		}
	}
}

func TestView(t *testing.T) {
	for _, c := range []struct {
		label, text string
		lefts       int
		cells       int
		want        View
	}{
		{"name: ", "abc", 0, 20, View{"name: ", "abc", 9}},
		{"name: ", "abc", 2, 20, View{"name: ", "abc", 7}},
		{"n ", "abcdefgh", 0, 6, View{"n ", "fgh", 5}},
		{"n ", "abcdefgh", 8, 6, View{"n ", "abcd", 2}},
		{"n ", "日本語", 0, 7, View{"n ", "本語", 6}},
		{"a long label: ", "abc", 0, 9, View{"a lon", "abc", 8}},
		{"(x)", "", 0, 1, View{"", "", 0}},
		{"(x)", "y", 0, 0, View{"", "", -1}},
		{"tab\there\x1b", "", 0, 20, View{"tab here", "", 8}},
	} {
		p := NewPrompt(PromptOptions{Label: c.label, Text: c.text})
		for range c.lefts {
			p.HandleKey(keys(t, "Left")[0])
		}
		if got := p.View(c.cells); got != c.want {
			t.Errorf("%q %q in %d: %+v, want %+v", c.label, c.text, c.cells, got, c.want)
		}
	}
	if got := NewConfirm("kill it? (y/n)", 'y', false).View(6); got != (View{"kill i", "", 5}) {
		t.Errorf("%+v", got)
	}
}

func TestMessage(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	m := Message{"saved\x1b日本", now.Add(time.Second)}
	if m.Expired(now) || !m.Expired(now.Add(time.Second)) || (Message{}).Expired(now) {
		t.Error("expiry")
	}
	if v := m.View(8); v != (View{"", "saved日", -1}) {
		t.Errorf("%+v", v)
	}
}

func FuzzPrompt(f *testing.F) {
	f.Add("abc\u0301", []byte("\x01\x02"), 10)
	f.Add("👨‍👩‍👧🇩🇪", []byte("\x05\x06\xff"), 3)
	names := []string{"Left", "Right", "C-w", "C-t", "M-b", "M-f", "M-d", "BSpace", "DC", "C-k", "C-y", "C-a", "C-e", "Up", "Down"}
	f.Fuzz(func(t *testing.T, text string, ops []byte, cells int) {
		h := &History{}
		h.Add(text)
		p := NewPrompt(PromptOptions{Label: text, History: h})
		for _, op := range ops {
			if int(op) < len(names) {
				p.HandleKey(keys(t, names[op])[0])
			} else {
				p.HandleKey(key.Event{Kind: key.KindPaste, Data: []byte(text), End: op&1 == 0})
			}
			if p.at < 0 || p.at > len(p.text) || !utf8.ValidString(p.text) || len(p.text) > maxText {
				t.Fatalf("%q at %d", p.text, p.at)
			}
			if len(p.text) > 200 {
				return
			}
		}
		cells = cells & 255
		v := p.View(cells)
		if measure(v.Label)+measure(v.Text) > cells || v.Cursor >= cells && cells > 0 {
			t.Fatalf("%d cells: %+v", cells, v)
		}
	})
}

func BenchmarkViewOfALongLine(b *testing.B) {
	p := NewPrompt(PromptOptions{Text: strings.Repeat("é日", maxText)})
	for b.Loop() {
		p.View(80)
	}
}
