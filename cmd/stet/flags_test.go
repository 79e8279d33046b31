package main

import (
	"reflect"
	"testing"

	"stet/server/command"
)

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		want options
		err  string
	}{
		{nil, options{}, ""},
		{[]string{"ls"}, options{argv: []string{"ls"}}, ""},
		{[]string{"-V"}, options{version: true}, ""},
		{[]string{"--version"}, options{version: true}, ""},
		{[]string{"-L", "work", "ls"}, options{name: "work", argv: []string{"ls"}}, ""},
		{[]string{"-Lwork", "ls"}, options{name: "work", argv: []string{"ls"}}, ""},
		{[]string{"-S", "/tmp/s"}, options{socket: "/tmp/s"}, ""},
		{[]string{"-S/tmp/s", "-L-x"}, options{socket: "/tmp/s", name: "-x"}, ""},
		{[]string{"-L", "-S", "ls"}, options{name: "-S", argv: []string{"ls"}}, ""}, // as getopt takes it
		{[]string{"-2u", "-8lq", "attach"}, options{argv: []string{"attach"}}, ""},
		{[]string{"-2uLwork", "-uV"}, options{name: "work", version: true}, ""},
		{[]string{"-L", "a", "-L", "b"}, options{name: "b"}, ""},
		{[]string{"-f", "a.conf", "-fb.toml", "ls"}, options{files: []string{"a.conf", "b.toml"}, argv: []string{"ls"}}, ""},
		{[]string{"-uf/dev/null"}, options{files: []string{"/dev/null"}}, ""},
		{[]string{"-f"}, options{}, "option -f needs a value"},
		// What follows the command's name belongs to the command.
		{[]string{"new-session", "-L", "x"}, options{argv: []string{"new-session", "-L", "x"}}, ""},
		{[]string{"-L", "a", "--", "-V"}, options{name: "a", argv: []string{"-V"}}, ""},
		{[]string{"--"}, options{argv: []string{}}, ""},
		{[]string{"-"}, options{argv: []string{"-"}}, ""},
		{[]string{"", "x"}, options{argv: []string{"", "x"}}, ""},
		// Mistakes.
		{[]string{"-L"}, options{}, "option -L needs a value"},
		{[]string{"-uS"}, options{}, "option -S needs a value"},
		{[]string{"-L", "", "kill-server"}, options{}, "option -L needs a value, not an empty text"}, // a variable that is not set
		{[]string{"-S", ""}, options{}, "option -S needs a value, not an empty text"},
		{[]string{"-f", ""}, options{}, "option -f needs a value, not an empty text"},
		{[]string{"-x"}, options{}, "unknown option -x"},
		{[]string{"-ux", "ls"}, options{}, "unknown option -x"},
		{[]string{"--verbose"}, options{}, "unknown option --verbose"},
		{[]string{"-é"}, options{}, "unknown option -é"},
	} {
		o, err := parse(c.args)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if text != c.err {
			t.Errorf("%q: error %q, want %q", c.args, text, c.err)
		}
		if err != nil {
			continue
		}
		if len(o.argv) == 0 {
			o.argv = nil
		}
		if len(c.want.argv) == 0 {
			c.want.argv = nil
		}
		if !reflect.DeepEqual(o, c.want) {
			t.Errorf("%q: %+v, want %+v", c.args, o, c.want)
		}
	}
}

func TestTheServerThatAPaneBelongsTo(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("STET_RUNTIME_DIR", dir)
	t.Setenv("STET_STATE_DIR", dir+"/state")
	t.Setenv("STET", "")
	usual, err := resolve(options{})
	if err != nil {
		t.Fatal(err)
	}
	named, err := resolve(options{name: "work"})
	if err != nil {
		t.Fatal(err)
	}
	if named.Socket == usual.Socket || named.Name != "work" {
		t.Fatalf("%+v and %+v", usual, named)
	}
	for _, c := range []struct {
		inside string
		o      options
		socket string
	}{
		{named.Socket + ",12,0", options{}, named.Socket},
		{named.Socket + ",12,0", options{name: "default"}, usual.Socket},
		{named.Socket + ",12,0", options{socket: "/tmp/other/sock"}, "/tmp/other/sock"},
		{"/tmp/elsewhere/sock,12,0", options{}, "/tmp/elsewhere/sock"},
		{"no server's word", options{}, usual.Socket},
	} {
		t.Setenv("STET", c.inside)
		p, err := resolve(c.o)
		if err != nil || p.Socket != c.socket {
			t.Errorf("STET=%s %+v: %s, %v, want %s", c.inside, c.o, p.Socket, err, c.socket)
		}
	}
}

// TestGlobalFlagsAreTold: what the man page and the completion have is what is read.
func TestGlobalFlagsAreTold(t *testing.T) {
	for _, f := range command.GlobalFlags() {
		o, err := parse([]string{"-" + f.Letter, "x"})
		if err != nil {
			t.Errorf("-%s: %v", f.Letter, err)
		}
		if takes := len(o.argv) == 0; takes != (f.Value != "") {
			t.Errorf("-%s: its value is called %q, and %q is left for the command", f.Letter, f.Value, o.argv)
		}
	}
}
