package command

import (
	"strconv"
	"strings"
	"testing"
)

// TestBuffersAsTmux compares the whole life of buffers with tmux's.
func TestBuffersAsTmux(t *testing.T) {
	p := newPair(t)
	p.both("new-session", "-d", "-s", "a", "-x", "80", "-y", "24")
	for _, line := range [][]string{
		{"show-buffer"}, {"show-buffer", "-b", "x"}, {"list-buffers"}, {"delete-buffer"}, {"delete-buffer", "-b", "x"},
		{"set-buffer"}, {"set-buffer", ""}, {"set-buffer", "-n", "foo"}, {"set-buffer", "-b", "", "x"}, {"set-buffer", "a", "b"},
		{"set-buffer", "-b", "q", "hello\nwor\tld \x1b[m é"}, {"set-buffer", "abc"}, {"set-buffer", "-a", "-b", "q", "XX"}, {"list-buffers"},
		{"set-buffer", "-a", "more"}, {"list-buffers"}, {"set-buffer", "-a", "-b", "fresh", "x"},
		{"list-buffers", "-F", "#{buffer_name} #{buffer_size}", "-f", "#{==:#{buffer_name},q}"},
		{"set-buffer", "-b", "q", "-n", "r"}, {"set-buffer", "-b", "q", "-n", "r"}, {"set-buffer", "-n", ""}, {"set-buffer", "-n", "top"},
		{"list-buffers"}, {"set-buffer", "-b", "empty", ""}, {"delete-buffer"}, {"delete-buffer", "-b", "r"}, {"list-buffers"},
		{"paste-buffer", "-b", "no"}, {"set-option", "-s", "buffer-limit", "2"}, {"set-buffer", "1"}, {"set-buffer", "2"}, {"set-buffer", "3"},
		{"list-buffers"}, {"set-buffer", "-b", "kept", "x"}, {"set-buffer", "4"}, {"list-buffers"}, {"load-buffer"},
		{"load-buffer", "/nope/nope"}, {"save-buffer", "/nope/nope"}, {"save-buffer", "-b", "nope", "/tmp/x"}, {"display-message", "-p", "[#{buffer_name} #{buffer_size} #{buffer_sample}]"},
	} {
		p.both(line...)
	}
}

func TestShowBufferAddsNothing(t *testing.T) {
	s := attached(t, 1)
	s.run("set-buffer 'no newline' ; show-buffer ; save-buffer /out ; save-buffer -a /out ; save-buffer -a /out")
	if got := s.raw.String(); got != "no newline" {
		t.Errorf("printed %q", got)
	}
	if got := s.files["/out"]; got != strings.Repeat("no newline", 3) {
		t.Errorf("saved %q", got)
	}
	if out := s.run("save-buffer -"); out != "-: there is no standard output here; show-buffer shows it" {
		t.Errorf("an attached client's standard output: %q", out)
	}
}

func TestLoadBuffer(t *testing.T) {
	s := attached(t, 1)
	s.files = map[string]string{"/in": "text\n", "/work.txt": "named", "/empty": ""}
	if out := s.run("load-buffer /in ; load-buffer -wb x '/#S.txt' ; load-buffer /empty ; list-buffers"); out != "x: 5 bytes: \"named\"\nbuffer0: 5 bytes: \"text\\n\"" {
		t.Errorf("loaded %q", out)
	}
	if want := "buffers; buffers; clipboard 1 \"named\""; strings.Join(s.log, "; ") != want {
		t.Errorf("asked for %q, want %q", s.log, want)
	}
}

func TestSetBufferSetsTheClipboard(t *testing.T) {
	s := attached(t, 1)
	s.run("set-buffer -w text")
	s.run("set-buffer -b e -w ''")
	if want := `buffers; clipboard 1 "text"`; strings.Join(s.log, "; ") != want {
		t.Errorf("asked for %q, want %q", s.log, want)
	}
}

func TestPasteBuffer(t *testing.T) {
	for _, c := range []struct {
		name, flags, want string
		brackets          bool
	}{
		{"lines end as Enter does", "", "a\rb\r", false},
		{"as they are", "-r", "a\nb\n", false},
		{"with a separator", "-s ', '", "a, b, ", false},
		{"brackets that the program does not want", "-p", "a\rb\r", false},
		{"in brackets", "-p", "\x1b[200~a\rb\r\x1b[201~", true},
		{"brackets nobody asked for", "", "a\rb\r", true},
	} {
		s := attached(t, 1)
		id := s.model.Sessions[0].Links[0].Window
		pane := s.model.Windows[id].Active
		s.facts[pane] = PaneFacts{BracketedPaste: c.brackets}
		s.buffers.Set("b", []byte("a\nb\n"), s.Now())
		s.log = nil
		if out := s.run("paste-buffer -b b " + c.flags); out != "" || len(s.log) != 1 || s.log[0] != "bytes "+pane.String()+" "+strconv.Quote(c.want) {
			t.Errorf("%s: %q %q, want %q", c.name, out, s.log, c.want)
		}
	}
}

func TestPasteIsHarmless(t *testing.T) {
	s := attached(t, 1)
	s.buffers.Set("evil", []byte("x\x1b[201~\x03"), s.Now())
	s.run("paste-buffer -b evil ; paste-buffer -S -d -b evil ; paste-buffer -b evil")
	want := []string{`bytes %0 "x [201~ "`, `bytes %0 "x\x1b[201~\x03"`, "buffers"}
	if strings.Join(s.log, "; ") != strings.Join(want, "; ") {
		t.Errorf("asked for %q, want %q", s.log, want)
	}
	if s.buffers.Len() != 0 {
		t.Error("paste-buffer -d left the buffer")
	}
	if out := s.run("paste-buffer"); out != "" {
		t.Errorf("nothing to paste is no mistake, as in tmux: %q", out)
	}
}

func TestPasteGrowsWithinBounds(t *testing.T) {
	s := attached(t, 1)
	s.buffers.Set("b", []byte(strings.Repeat("\n", 1<<20)), s.Now())
	if out := s.run("paste-buffer -b b -s '" + strings.Repeat("x", 200) + "'"); out != "the paste is too long with this separator" {
		t.Errorf("pasted: %q", out)
	}
}

func TestListBuffersAsJSON(t *testing.T) {
	s := attached(t, 1)
	if out := s.run("list-buffers --json"); out != "[]" {
		t.Errorf("no buffers: %s", out)
	}
	if out := s.run("set-buffer x ; list-buffers --json"); !strings.Contains(out, `"name": "buffer0"`) || !strings.Contains(out, `"automatic": true`) {
		t.Errorf("a buffer: %s", out)
	}
}

func TestAReadOnlyClientFillsNoBuffer(t *testing.T) {
	s := attached(t, 1)
	s.client(1).ReadOnly = true
	for _, line := range []string{"capture-pane", "set-buffer x", "delete-buffer", "paste-buffer"} {
		if out := s.run(line); out != "client is read-only" {
			t.Errorf("%s: %q", line, out)
		}
	}
}
