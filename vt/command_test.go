package vt

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// session is what a shell of an id says around a few commands.
func session(id string, commands ...[3]string) string {
	var b strings.Builder
	for _, c := range commands {
		fmt.Fprintf(&b, "\x1b]133;A;aid=%s\a$ \x1b]133;B\a%s\r\n\x1b]133;C;aid=%s;cmdline_url=%s\a%s\x1b]133;D;%s;aid=%s;took=20\a", id, c[0], id, escapeMark(c[0]), c[1], c[2], id)
	}
	return b.String() + "\x1b]133;A;aid=" + id + "\a$ \x1b]133;B\a"
}

func summary(cs []Command) (out []string) {
	for _, c := range cs {
		out = append(out, fmt.Sprintf("%s=%d/%d %v", c.Text, c.Status, c.Took, c.Over))
	}
	return out
}

func expectOutput(t *testing.T, v *Terminal, i int, want ...string) {
	t.Helper()
	cs := v.Commands()
	got, _, ok := v.Output(cs[i], false)
	if !ok || !slices.Equal(got, want) {
		t.Errorf("output of %q: %q %v, want %q", cs[i].Text, got, ok, want)
	}
}

func TestCommandsHaveTextStatusAndOutput(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 6, History: 100})
	v.Write([]byte(session("x", [3]string{"ls", "a\r\nb  \r\n", "0"}, [3]string{"printf hi; x", "hi", "3"}, [3]string{"true", "", "0"})))
	if got, want := summary(v.Commands()), []string{"ls=0/20 true", "printf hi; x=3/20 true", "true=0/20 true"}; !slices.Equal(got, want) {
		t.Fatalf("%q", got)
	}
	expectOutput(t, v, 0, "a", "b")
	expectOutput(t, v, 1, "hi")
	expectOutput(t, v, 2)
	running, over := v.LastCommands()
	if running.Number != 0 || over.Text != "true" || over.Number != 3 {
		t.Errorf("%+v %+v", running, over)
	}
	v.Write([]byte("make\r\n\x1b]133;C;aid=x;cmdline_url=make;start=1700000000123\aone\r\ntw"))
	if running, _ = v.LastCommands(); running.Text != "make" || running.Over || running.Started != 1700000000123 {
		t.Errorf("%+v", running)
	}
	expectOutput(t, v, 3, "one", "tw")
	v.Write([]byte(strings.Repeat("o 0123456789012345678\r\n", 9)))
	for _, size := range [][2]int{{20, 6}, {7, 4}, {60, 30}, {20, 6}} {
		v.Resize(size[0], size[1])
		expectOutput(t, v, 0, "a", "b")
		expectOutput(t, v, 1, "hi")
		if got, _, ok := v.Output(v.Commands()[3], false); !ok || len(got) != 10 || got[0] != "one" || got[1] != "two 0123456789012345678" || got[9] != "o 0123456789012345678" {
			t.Errorf("at %v: %q %v", size, got, ok)
		}
	}
}

func TestAShellWithinACommandIsNotTheOutermost(t *testing.T) {
	v := New(Options{Cols: 40, Rows: 24, History: 100})
	v.Write([]byte("\x1b]133;A;aid=1\a$ \r\n\x1b]133;C;aid=1;cmdline_url=bash\a"))
	v.Write([]byte(session("2", [3]string{"inner", "x\r\n", "1"})))
	running, over := v.LastCommands()
	if running.Text != "bash" || over.Text != "inner" {
		t.Errorf("%+v %+v", running, over)
	}
	v.Write([]byte("\r\n\x1b]133;C;aid=2;cmdline_url=sleep\a"))
	if running, _ = v.LastCommands(); running.Text != "bash" {
		t.Errorf("%+v", running)
	}
	v.Write([]byte("\r\n\x1b]133;D;5;aid=1\a"))
	if got, want := summary(v.Commands()), []string{"bash=5/-1 true", "inner=1/20 true", "sleep=-1/-1 true"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	// A shell that is at a prompt again has no command, whatever it forgot to say.
	v.Write([]byte("\x1b]133;C;aid=1;cmdline_url=exec bash\a\x1b]133;A;aid=1\a"))
	if running, _ = v.LastCommands(); running.Number != 0 {
		t.Errorf("%+v", running)
	}
	v.Write([]byte("\x1b]133;D;0;aid=9\a\x1b]133;D;0\a")) // of nobody
	if _, over = v.LastCommands(); over.Status != -1 {
		t.Errorf("%+v", over)
	}
}

func TestErasedOutputIsNotThereAnyMore(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 6, History: 3})
	v.Write([]byte(session("x", [3]string{"ls", "a\r\nb\r\n", "0"}, [3]string{"clear", "\x1b[H\x1b[2J\x1b[3J", "0"})))
	for i := range 2 {
		if got, _, ok := v.Output(v.Commands()[i], false); ok {
			t.Errorf("%d: %q", i, got)
		}
	}
	v.Write([]byte(session("x", [3]string{"long", strings.Repeat("line\r\n", 20), "0"})))
	if got, lost, ok := v.Output(v.Commands()[2], false); !ok || lost == 0 || len(got)+int(lost) != 20 {
		t.Errorf("%d lines, %d lost, %v", len(got), lost, ok)
	}
	if _, _, ok := v.Output(Command{}, false); ok {
		t.Error("no command has output")
	}
}

// The marks go with the text that is saved, and with the state.
func TestCommandsComeBack(t *testing.T) {
	for _, rows := range []int{3, 6, 40} {
		v := New(Options{Cols: 20, Rows: rows, History: 100})
		v.Write([]byte(session("x", [3]string{"ls; 50%", "a\r\nb 0123456789012345678901234567\r\n", "0"}, [3]string{"printf", "hi", "3"}, [3]string{"exact", "01234567890123456789", "4"}, [3]string{"two\nlines", "\x1b[31mred\x1b[m\r\n", "0"})))
		want := summary(v.Commands())
		state, err := v.AppendState(nil)
		if err != nil || len(state) > v.StateSize() {
			t.Fatalf("%d bytes, %d were said, %v", len(state), v.StateSize(), err)
		}
		again, err := Load(state, Options{}, 0)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(again.Commands(), v.Commands()) || again.Digest() != v.Digest() {
			t.Errorf("%+v", again.Commands())
		}
		first, next := v.HistoryRange()
		lines := v.HistoryText(first, next)
		before := v.HistoryText(next, next+1)
		main, wrapped := v.MainText(TextOptions{Escapes: true, Marks: true})
		fed := New(Options{Cols: 20, Rows: rows, History: 100})
		text := strings.Join(append(lines, before...), "\r\n")
		if len(before) == 0 && len(lines) > 0 {
			text += "\r\n"
		}
		for y, l := range main {
			text += l
			if !wrapped[y] && y < len(main)-1 {
				text += "\r\n"
			}
		}
		fed.Write([]byte(text))
		if got := summary(fed.Commands()); !slices.Equal(got, want) {
			t.Errorf("%d rows: %q\nwant %q\nof %q", rows, got, want, text)
			continue
		}
		for i, c := range v.Commands() {
			got, _, ok := fed.Output(fed.Commands()[i], true)
			should, _, _ := v.Output(c, true)
			if !ok || !slices.Equal(got, should) {
				t.Errorf("%d rows: output of %q is %q, was %q", rows, c.Text, got, should)
			}
		}
		if plain, _ := v.MainText(TextOptions{Escapes: true}); strings.Contains(strings.Join(plain, ""), "]133") {
			t.Error("marks where nobody wants them")
		}
	}
}

func TestCommandsAreBounded(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 6, History: 100})
	for i := range 1000 {
		v.Write(fmt.Appendf(nil, "\x1b]133;C;aid=x;cmdline_url=%d%s\a\x1b]133;D;0;aid=x\a", i, strings.Repeat("y", 4000)))
	}
	cs, size := v.Commands(), 0
	for _, c := range cs {
		size += len(c.Text)
	}
	if len(cs) != maxCommands || size > maxTexts || !strings.HasPrefix(cs[len(cs)-1].Text, "999") {
		t.Errorf("%d commands, %d bytes", len(cs), size)
	}
	for _, s := range []string{
		"C;cmdline_url=%1B[31m", "C;cmdline_url=%", "C;cmdline_url=%zz", "C;cmdline_url=" + strings.Repeat("x", maxCommandText+1), "C;cmdline_url=%ff",
	} {
		v.Write([]byte("\x1b]133;" + s + "\a"))
		if running, _ := v.LastCommands(); running.Text != "" {
			t.Errorf("%q has the text %q", s, running.Text)
		}
		v.Interrupt()
	}
	for _, s := range []string{"C;start=-1;aid=" + strings.Repeat("x", 999), "D;99999999999999;took=-5", "D;-4", "C;;;=;aid", "D", "CC", ";", "C;took=99999999999999999999"} {
		v.Write([]byte("\x1b]133;" + s + "\a"))
	}
	state, _ := v.AppendState(nil)
	if _, err := Load(state, Options{}, 0); err != nil {
		t.Error(err)
	}
	v.Write([]byte("\x1b]7727;work\a"))
	if v.Branch() != "work" {
		t.Errorf("branch %q", v.Branch())
	}
	v.Write([]byte("\x1bc"))
	if running, _ := v.LastCommands(); running.Number != 0 {
		t.Errorf("%+v runs after a reset", running)
	}
}
