package overlay

import (
	"strings"
	"testing"
)

// words completes the word at the cursor from a list.
func words(list ...string) func(string, int) Completion {
	return func(text string, at int) Completion {
		from := strings.LastIndexByte(text[:at], ' ') + 1
		c := Completion{From: from, To: at}
		for _, w := range list {
			if strings.HasPrefix(w, text[from:at]) {
				c.Candidates = append(c.Candidates, Candidate{Text: strings.TrimSuffix(w, "+"), Note: "note of " + w, More: strings.HasSuffix(w, "+")})
			}
		}
		return c
	}
}

// What is looked for may take its time: it goes on from Tab, and only shows where something was typed meanwhile.
func TestCompletionThatComesLater(t *testing.T) {
	known := false
	p := NewPrompt(PromptOptions{Text: "k", Complete: func(text string, at int) Completion {
		if !known {
			return Completion{From: at, To: at, Usage: "looking", Wait: true}
		}
		return words("kill-pane", "kill-server")(text, at)
	}})
	if p.HandleKey(keys(t, "Tab")[0]); p.menu == nil || p.menu.Usage != "looking" || p.Text() != "k" {
		t.Fatalf("%q, %+v", p.Text(), p.menu)
	}
	known = true
	if p.Found(); p.Text() != "kill-" || len(p.menu.Candidates) != 2 {
		t.Errorf("%q, %+v", p.Text(), p.menu)
	}
	known = false
	p.SetText("k")
	p.HandleKey(keys(t, "Tab")[0])
	p.HandleKey(keys(t, "'i")[0])
	known = true
	if p.Found(); p.Text() != "ki" || p.menu == nil || len(p.menu.Candidates) != 2 {
		t.Errorf("%q, %+v", p.Text(), p.menu)
	}
}

func TestCompletion(t *testing.T) {
	complete := words("split-window", "show-options", "show-messages", "kill-pane", "ses:+", "Σa", "Τb")
	for name, c := range map[string]struct {
		keys, want string
		menu       int // candidates in the menu, -1 for none
	}{
		"the only one":              {"'k Tab", "kill-pane |", -1},
		"the only one that goes on": {"'ses Tab", "ses:|", -1},
		"what they begin with":      {"'sh Tab", "show-|", 2},
		"choosing":                  {"'sh Tab Tab Tab Enter", "show-messages |", -1},
		"choosing backwards":        {"'sh Tab Up Enter", "show-messages |", -1},
		"round":                     {"'sh Tab Down Down Down Enter", "show-options |", -1},
		"typing narrows":            {"'sh Tab 'o", "show-o|", 1},
		"typing on until none":      {"'sh Tab 'z", "show-z|", -1},
		"escape closes the menu":    {"'sh Tab Escape 'x", "show-x|", -1},
		"nothing":                   {"'zzz Tab", "zzz|", -1},
		"the second word":           {"'x Space 'k Tab", "x kill-pane |", -1},
		"in front of a blank":       {"'k Space 'x Home Right Tab", "kill-pane |x", -1},
		"no half character":         {"Tab", "|", 7},
	} {
		t.Run(name, func(t *testing.T) {
			p := NewPrompt(PromptOptions{Complete: complete})
			for _, e := range keys(t, strings.Fields(c.keys)...) {
				if done, _ := p.HandleKey(e); done {
					t.Fatal("ended")
				}
			}
			if got := p.text[:p.at] + "|" + p.text[p.at:]; got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			menu := -1
			if p.menu != nil {
				menu = len(p.menu.Candidates)
			}
			if menu != c.menu {
				t.Errorf("%d candidates, want %d", menu, c.menu)
			}
		})
	}
}

func TestEnterWithNothingChosenAnswers(t *testing.T) {
	p := NewPrompt(PromptOptions{Complete: words("aa", "ab")})
	for _, e := range keys(t, "'a", "Tab") {
		p.HandleKey(e)
	}
	if done, a := p.HandleKey(keys(t, "Enter")[0]); !done || a != (Answer{true, "a"}) {
		t.Errorf("%v %+v", done, a)
	}
}

func TestMenuFitsEveryScreen(t *testing.T) {
	var list []string
	for range 30 {
		list = append(list, strings.Repeat("日本", len(list)+1))
	}
	p := NewPrompt(PromptOptions{Label: ":", Complete: func(text string, at int) Completion {
		c := words(list...)(text, at)
		c.Usage = "name [-abc] [-t target] something that is long"
		return c
	}})
	for _, e := range keys(t, "Tab", "Up") {
		p.HandleKey(e)
	}
	for cols := range 90 {
		for rows := 1; rows < 30; rows++ {
			for _, row := range []int{0, rows - 1} {
				d, ok := p.Menu(Screen{Cols: cols, Rows: rows}, row)
				if !ok {
					continue
				}
				if d.X < 0 || d.Y < 0 || d.X+d.W > cols || d.Y+d.H > rows || d.Y <= row && row < d.Y+d.H {
					t.Fatalf("%d by %d, row %d: %+v", cols, rows, row, d)
				}
				for _, r := range d.Rows {
					if spansWidth(r) > d.W {
						t.Fatalf("%d by %d: a row of %d cells in %d", cols, rows, spansWidth(r), d.W)
					}
				}
			}
		}
	}
	if d, ok := p.Menu(Screen{Cols: 80, Rows: 24}, 23); !ok || len(d.Rows) < 5 {
		t.Errorf("%v %+v", ok, d)
	}
}
