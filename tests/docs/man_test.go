package docs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stet/config/option"
	"stet/server/command"
	"stet/server/keymap"
)

// tour are the keys of the first two minutes, behind the prefix; what they do is in the table of keys.
var tour = [...]string{
	"%", `"`, "Up", "Down", "Left", "Right", "o", ";", "z", "c", "n", "p", "0", "w", "s", "[", "]", "F", "e", "x", "U", "?", ":", "d",
}

// manDate is when the page took its shape; formatters ask for one.
const manDate = "2026-11-30"

const manBegin = `.SH DESCRIPTION
stet is a terminal multiplexer whose panes outlive the client, the server and a restart of the machine, and which says of each what did
not. A
.I session
has
.IR windows ,
a window is divided into
.IR panes ,
and a program runs in each. Commands, targets, formats and keys are those of tmux.
.PP
Without a command stet attaches to the session used last, brings back the saved workspace, or makes a new session.
A command is run by the server and its output printed. Those that need a server say so when none runs; only those that are marked
so start one.
.PP
The programs are children of a
.I keeper
that does nothing else. When the
.I server
is killed or upgraded they run on, and clients come back by themselves. When keeper or machine are gone, layout, names, directories,
screens and scrollback are restored, with a fresh shell in each pane; no program is started again by itself.
.SH OPTIONS
`

const manFormats = `.SH FORMATS
Where a format is taken,
.B #{name}
is replaced by a variable, and conditions, comparisons, sizes, matches and loops work as in tmux.
.B stet display\-message \-a
lists all variables with their values. Styles,
.BR #[fg=red] ,
change how the text behind them looks where it is drawn.
.SH FILES
.TP
.I $XDG_CONFIG_HOME/stet/config.toml
Options, keys, themes and sessions that are declared; usually
.IR \(ti/.config/stet/config.toml .
It is followed: a change takes effect when it is saved. A mistake is told with its line, and what was in force stays.
.TP
.I $XDG_CONFIG_HOME/stet/agents.d/NAME.toml
What is known of an AI coding agent of one's own.
.TP
.I $XDG_STATE_HOME/stet/NAME/
The saved workspace of the server of that name
.RB ( default
without
.BR \-L ),
the lock, and
.I keeper.log
and
.IR server.log ;
usually
.IR \(ti/.local/state/stet/default/ .
For nobody else to read.
.TP
.I $XDG_RUNTIME_DIR/stet/NAME
The socket; without that variable
.IR /tmp/stet\-UID/NAME .
.SH ENVIRONMENT
.TP
.BR XDG_CONFIG_HOME ", " XDG_STATE_HOME ", " XDG_RUNTIME_DIR
See above. Only absolute paths count.
.TP
.BR STET_STATE_DIR ", " STET_RUNTIME_DIR
In place of
.I $XDG_STATE_HOME/stet
and
.IR $XDG_RUNTIME_DIR/stet .
.TP
.B SHELL
The shell of new panes, where the option
.B default\-shell
is empty.
.TP
.BR VISUAL ", " EDITOR
The editor, where the option
.B editor
is empty.
.TP
.BR TERM ", " COLORTERM
In panes
.B xterm\-256color
and
.BR truecolor ,
unless the option
.B default\-terminal
says another name.
.TP
.BR STET ", " STET_PANE
Set in panes: which server and which pane a program is in. Commands that are typed there are about them.
.SH EXIT STATUS
.TP
.B 0
The command was run; the client was detached, or its session ended.
.TP
.B 1
It failed, was wrong, or there is no server; what is the matter is on standard error.
.TP
.B 2
.B stet doctor
has found a kind of persistence that does not hold on this machine; or an attached client has ended by a fault of its own, and says so.
.TP
.RI 128 + n
The client was ended by signal
.IR n .
.SH SEE ALSO
.BR tmux (1),
.BR sh (1),
.BR systemd (1)
.PP
.BR "stet help" ,
and
.B C\-b ?
in stet, search all keys, commands and options as they are in force.
.B stet completion
prints what makes
.BR bash ", " zsh " and " fish
complete them. The directory
.I docs
of the source says what survives what, how a restore goes, and where stet differs from tmux.
`

// man is the man page, in the macros of man(7).
func man(t *testing.T) string {
	b := new(strings.Builder)
	b.WriteString(".\\\" " + made + "\n.TH STET 1 \"" + manDate + "\" \"stet\" \"User Commands\"\n.nh\n.ad l\n.SH NAME\nstet \\- terminal multiplexer whose panes outlive what can be outlived\n")
	b.WriteString(".SH SYNOPSIS\n.B stet\n")
	flags := command.GlobalFlags()
	for _, f := range flags {
		b.WriteString(usage(strings.TrimSpace("[-"+f.Letter+" "+f.Value)+"]") + "\n")
	}
	b.WriteString(usage("[command [flags] [arguments]]") + "\n" + manBegin)
	for _, f := range flags {
		fmt.Fprintf(b, ".TP\n%s\n%s\n", usage(strings.TrimSpace("-"+f.Letter+" "+f.Value)), roff(f.Help))
	}
	manTour(t, b)
	manCommands(t, b)
	manOptions(t, b)
	b.WriteString(manFormats)
	return b.String()
}

func manTour(t *testing.T, b *strings.Builder) {
	b.WriteString(".SH KEYS\nThe prefix is\n.BR C\\-b :\npress Ctrl and b, then the key. These are for the first two minutes;\n.B stet list\\-keys \\-N\nlists all of them, and\n.B bind\\-key\nchanges them.\n")
	list := keymap.Defaults().List(keymap.Prefix)
	for _, name := range tour {
		at := slices.IndexFunc(list, func(k keymap.Binding) bool { return k.Chord.Name() == name })
		if at < 0 || list[at].Note == "" {
			t.Errorf("no key %s that has a note is bound behind the prefix", name)
			continue
		}
		fmt.Fprintf(b, ".TP\n\\fBC\\-b %s\\fR\n%s.\n", verbatim(name), roff(list[at].Note))
	}
}

func manCommands(t *testing.T, b *strings.Builder) {
	b.WriteString(".SH COMMANDS\n" + manText(commandsText))
	for _, c := range command.Commands().All() {
		name := "\\fB" + verbatim(c.Name) + "\\fR"
		if c.Alias != "" {
			name += " (\\fB" + verbatim(c.Alias) + "\\fR)"
		}
		help := c.Help
		if c.StartsServer {
			help += " Starts the server when none runs."
		}
		if c.Own {
			help += " Not in tmux."
		}
		fmt.Fprintf(b, ".PP\n%s %s\n.RS 4\n%s\n.RE\n", name, usage(c.Usage), roff(help))
	}
}

func manOptions(t *testing.T, b *strings.Builder) {
	used := usedOptions(t)
	var idle []string
	b.WriteString(".SH SERVER, SESSION, WINDOW AND PANE OPTIONS\n" + manText(strings.SplitN(optionsText, "\n\n", 2)[0]))
	for _, scope := range []option.Scope{option.Server, option.Session, option.Window, option.Pane} {
		fmt.Fprintf(b, ".SS Of a %s\n", scope)
		between := "" // a heading has a paragraph of its own
		for _, r := range option.Table() {
			if r.Scope.String() != scope.String() {
				continue
			}
			if !used[r.Name] {
				idle = append(idle, r.Name)
				continue
			}
			fmt.Fprintf(b, "%s\\fB%s\\fR: %s; %s\n.RS 4\n%s\n.RE\n", between, verbatim(r.Name), roff(r.Allowed()), manDefault(&r), roff(r.Help))
			between = ".PP\n"
		}
	}
	b.WriteString(".SS Without effect yet\nThey can be set and shown, and do nothing:\n")
	for i, name := range idle {
		end := ","
		if i == len(idle)-1 {
			end = "."
		}
		b.WriteString("\\fB" + verbatim(name) + "\\fR" + end + "\n")
	}
}

func manDefault(r *option.Row) string {
	switch {
	case len(r.Items) > 0:
		return "its default is what \\fBshow\\-options \\-g " + verbatim(r.Name) + "\\fR says"
	case strings.TrimSpace(r.Default) == "":
		return "empty by default"
	}
	return "by default \\fB" + strings.ReplaceAll(verbatim(r.Default), ",", `,\:`) + "\\fR" // a line may break there
}

// manText is a page's text: code is bold, and nothing else is marked.
func manText(text string) string {
	var b strings.Builder
	for i, part := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			b.WriteString(".PP\n")
		}
		odd := false
		for _, piece := range splitCode(strings.ReplaceAll(part, "\n", " ")) {
			if odd {
				b.WriteString("\\fB" + verbatim(piece) + "\\fR")
			} else {
				b.WriteString(roff(piece))
			}
			odd = !odd
		}
		b.WriteString("\n")
	}
	return b.String()
}

// splitCode separates what stands between single backquotes.
func splitCode(text string) []string { return strings.Split(text, "`") }

// special are the characters that mean something to troff, or look otherwise than they should.
var special = map[rune]string{'\\': `\e`, '\'': `\(aq`, '`': `\(ga`, '^': `\(ha`, '~': `\(ti`, '"': `\(dq`}

// roff makes text harmless.
func roff(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch name := special[r]; {
		case name != "":
			b.WriteString(name)
		case r == '.' && i == 0:
			b.WriteString(`\&.`)
		case r == '-':
			b.WriteString(`\-`)
		case r < ' ':
			b.WriteByte(' ')
		case r > '~':
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// verbatim is text that a person types.
func verbatim(s string) string { return roff(s) }

var usageWord = regexp.MustCompile(`-?-?[^\s\[\]|=]+|.`)

// usage is a command's usage: what is typed as it stands is bold, what stands for something is italic.
func usage(s string) string {
	var b strings.Builder
	for _, w := range usageWord.FindAllString(s, -1) {
		switch {
		case w == "...":
			b.WriteString(w)
		case len(w) == 1 && strings.Contains(" []|=", w):
			b.WriteString(roff(w))
		case w[0] == '-':
			b.WriteString(`\fB` + roff(w) + `\fR`)
		default:
			b.WriteString(`\fI` + roff(w) + `\fR`)
		}
	}
	return `\&` + b.String()
}

// TestManPageRenders has the formatters that are installed read the page: they warn of nothing, and everything is in it.
func TestManPageRenders(t *testing.T) {
	page := filepath.Join("..", "..", "docs", "stet.1")
	for _, argv := range [][]string{
		{"groff", "-man", "-Tutf8", "-ww", "-P-c", page},
		{"man", "--warnings=w", "-P", "cat", "-l", page},
		{"mandoc", "-T", "utf8", "-W", "warning", page},
	} {
		t.Run(argv[0], func(t *testing.T) {
			path, err := exec.LookPath(argv[0])
			if err != nil {
				t.Skipf("%s is not installed: it does not read the page", argv[0])
			}
			cmd := exec.Command(path, argv[1:]...)
			cmd.Env = append(os.Environ(), "MANWIDTH=80", "LC_ALL=C.UTF-8", "GROFF_NO_SGR=1")
			var out, errb bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &errb
			if err := cmd.Run(); err != nil || errb.Len() > 0 {
				t.Fatalf("%v\n%s", err, errb.String())
			}
			text := overstrike.ReplaceAllString(out.String(), "")
			for _, c := range command.Commands().All() {
				if !strings.Contains(text, "\n       "+c.Name) {
					t.Errorf("no command %s", c.Name)
				}
			}
			for _, r := range option.Table() {
				if !strings.Contains(text, r.Name) {
					t.Errorf("no option %s", r.Name)
				}
			}
			for _, want := range []string{"C-b \"", "~/.config/stet/config.toml", "EXIT STATUS", "128+n"} {
				if !strings.Contains(text, want) {
					t.Errorf("no %s", want)
				}
			}
		})
	}
}

// overstrike is how a formatter without escape sequences makes text bold or underlined; the sequences are
// what others make.
var overstrike = regexp.MustCompile("(?s).\b|\x1b\\[[0-9;]*m")

func TestRoff(t *testing.T) {
	for in, want := range map[string]string{
		".x": `\&.x`, `a\b`: `a\eb`, "it's": `it\(aqs`, "-t": `\-t`, "a…": `a\[u2026]`, "a\nb": "a b", "'x": `\(aqx`, "": "",
	} {
		if got := roff(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := usage("[-aT] [--json] [-t target-pane] key ..."); got != `\&[\fB\-aT\fR] [\fB\-\-json\fR] [\fB\-t\fR \fItarget\-pane\fR] \fIkey\fR ...` {
		t.Error(got)
	}
}
