package overlay

import (
	"strings"
	"testing"
)

const separators = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"

func TestViKeys(t *testing.T) {
	for name, c := range map[string]struct{ keys, want string }{
		"inserts at first":            {"'hjkl", "hjkl|"},
		"commands do not insert":      {"'ab Escape 'z", "ab|"},
		"left, insert":                {"'ac Escape 'hib", "ab|c"},
		"right behind, insert":        {"'ac Escape '0ab", "ab|c"},
		"begin and end":               {"'bc Escape 'Ia Escape 'Ad", "abcd|"},
		"change to the end":           {"'abc Escape '0lCx", "ax|"},
		"delete to the end":           {"'abc Escape '0lD", "a|"},
		"substitute the line":         {"'abc Escape 'Sx", "x|"},
		"substitute a character":      {"'abc Escape '0sx", "x|bc"},
		"delete the line":             {"'abc Escape 'd", "|"},
		"delete here and before":      {"'abcd Escape 'hhxX", "a|d"},
		"words":                       {"'ab.cd|ef Escape '0wwiX", "ab.X|cd|ef"},
		"big words":                   {"'ab.cd|ef Escape '0WiX", "ab.cd|efX|"},
		"back":                        {"'ab.cd Escape 'biX", "ab.X|cd"},
		"back a big word":             {"'ab.cd Escape 'BiX", "X|ab.cd"},
		"end of a word":               {"'ab.cd Escape '0eaX", "abX|.cd"},
		"paste what was deleted":      {"'abc Escape 'dppi", "abcabc|"},
		"escape inserts again":        {"'a Escape Escape 'h", "ah|"},
		"keys of Emacs while typing":  {"'abc C-a C-k 'x", "x|"},
		"other keys mean nothing":     {"'abc M-b C-b 'x", "abcx|"},
		"backspace commands go left":  {"'abc Escape BSpace 'ix", "abx|c"},
		"commands go by until insert": {"'abc Escape 'h0$ix", "abcx|"},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPrompt(PromptOptions{Vi: true, Separators: separators})
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

func TestViAnswersAndLeaves(t *testing.T) {
	for keysOf, want := range map[string]Answer{
		"'hi Enter": {true, "hi"}, "'hi Escape Enter": {true, "hi"}, "'hi C-c": {}, "'hi Escape 'q": {}, "'hi Escape C-c": {},
	} {
		p := NewPrompt(PromptOptions{Vi: true})
		list := keys(t, strings.Fields(keysOf)...)
		for i, e := range list {
			done, a := p.HandleKey(e)
			if done != (i == len(list)-1) || done && a != want {
				t.Errorf("%s: %v %+v after %d", keysOf, done, a, i)
			}
		}
	}
}

func TestYankFromTheBuffers(t *testing.T) {
	p := NewPrompt(PromptOptions{Separators: separators, Paste: func() string { return "one\ntwo" }})
	for _, e := range keys(t, "C-y") {
		p.HandleKey(e)
	}
	if p.Text() != "one" {
		t.Errorf("%q", p.Text())
	}
	for _, e := range keys(t, "'.x", "C-w", "C-y", "C-y") {
		p.HandleKey(e)
	}
	if p.Text() != "one.xx" {
		t.Errorf("what was cut comes first: %q", p.Text())
	}
}

func TestHistoryIsLimited(t *testing.T) {
	h := &History{}
	h.Limit(2)
	for _, s := range []string{"a", "b", "c", strings.Repeat("x", 2*maxText)} {
		h.Add(s)
	}
	if h.Len() != 2 || h.Entry(2) != "c" || len(h.Entry(1)) > maxText {
		t.Errorf("%d entries", h.Len())
	}
	if h.Limit(0); h.Len() != 0 {
		t.Error("a limit of nothing keeps nothing")
	}
	if h.Add("d"); h.Len() != 0 {
		t.Error("a limit of nothing takes nothing")
	}
}
