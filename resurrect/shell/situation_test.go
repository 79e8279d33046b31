package shell

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// preexecLike does what the widely used library for hooks in bash does to PROMPT_COMMAND and the DEBUG trap.
const preexecLike = `
bash_preexec_imported=defined
precmd_functions=() preexec_functions=()
__bp_interactive_mode() { __bp_on=1; }
__bp_precmd() { local s=$?; local f; for f in "${precmd_functions[@]}"; do (exit $s); $f; done; return $s; }
__bp_preexec() {
	if [[ -z ${__bp_on-} ]]; then return; fi
	__bp_on=
	case $PROMPT_COMMAND in *"$BASH_COMMAND"*) return;; esac
	local f; for f in "${preexec_functions[@]}"; do $f "$BASH_COMMAND"; done
}
__bp_setup() {
	PROMPT_COMMAND=__bp_precmd$'\n'"${PROMPT_COMMAND//__bp_setup/:}"
	if ((BASH_VERSINFO[0] > 5 || BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 1)); then PROMPT_COMMAND+=(__bp_interactive_mode); else PROMPT_COMMAND+=$'\n'__bp_interactive_mode; fi
	trap __bp_preexec DEBUG
	__bp_precmd
	__bp_interactive_mode
}
PROMPT_COMMAND=${PROMPT_COMMAND:+$PROMPT_COMMAND$'\n'}__bp_setup
preexec_functions+=(mine); mine() { echo "pre:$1"; }
precmd_functions+=(after); after() { echo "post:$?"; }
`

func TestEverySituation(t *testing.T) {
	type step struct{ line, status, shows string }
	for name, c := range map[string]struct {
		kind  Kind
		rc    string
		env   []string
		steps []step
		late  bool // what comes before the first command is not told
	}{
		"bash, set -u":                                {kind: Bash, rc: "set -u\n"},
		"zsh, set -u":                                 {kind: Zsh, rc: "set -u\n"},
		"bash, vi mode":                               {kind: Bash, rc: "set -o vi\n"},
		"zsh, vi mode":                                {kind: Zsh, rc: "bindkey -v\nzle-keymap-select() { zle reset-prompt }\nzle -N zle-keymap-select\n"},
		"fish, vi mode":                               {kind: Fish, rc: "fish_vi_key_bindings\n"},
		"bash, a prompt of lines":                     {kind: Bash, rc: `PS1='one\ntwo\n$ '` + "\n"},
		"zsh, a prompt of lines":                      {kind: Zsh, rc: "PROMPT=$'one\\ntwo\\n%# '\n"},
		"fish, a prompt of lines":                     {kind: Fish, rc: "function fish_prompt\n printf 'one\\ntwo\\n> '\nend\n"},
		"bash, PROMPT_COMMAND":                        {kind: Bash, rc: "PROMPT_COMMAND='echo was:$?:${PIPESTATUS[*]}'\n", steps: []step{{"(exit 5)|true", "0", "was:0:5 0"}, {"false", "1", "was:1:1"}}},
		"bash, PROMPT_COMMAND array":                  {kind: Bash, rc: "PROMPT_COMMAND=('echo was:$?' 'echo pipe:${PIPESTATUS[*]}')\n", steps: []step{{"(exit 5)|true", "0", "pipe:5 0"}, {"false", "1", "was:1"}}},
		"bash, PROMPT_COMMAND sets PS1":               {kind: Bash, rc: "PROMPT_COMMAND='PS1=\"<$?> \"'\n", steps: []step{{"false", "1", "<1> "}}},
		"bash, PROMPT_COMMAND that ends ;":            {kind: Bash, rc: "PROMPT_COMMAND='echo hi; '\n"},
		"bash, PROMPT_COMMAND set later":              {kind: Bash, steps: []step{{"PROMPT_COMMAND='echo was:$?'", "0", "was:0"}, {"(exit 9)", "9", "was:9"}}},
		"bash, PROMPT_COMMAND changes the status":     {kind: Bash, rc: "PROMPT_COMMAND='echo was:$?; (exit 42)'\n", steps: []step{{"(exit 9)", "9", "was:9"}}},
		"bash, an array changes the status":           {kind: Bash, rc: "PROMPT_COMMAND=('(exit 42)' 'echo was:$?; false')\n", steps: []step{{"(exit 9)", "9", "was:9"}}},
		"bash, PROMPT_COMMAND behind ours":            {kind: Bash, steps: []step{{"PROMPT_COMMAND+=('echo was:$?; (exit 42)')", "0", "was:0"}, {"(exit 9)", "9", "was:9"}}},
		"bash, PROMPT_COMMAND before ours":            {kind: Bash, steps: []step{{`PROMPT_COMMAND="(exit 42); echo in front;$PROMPT_COMMAND"`, "0", "in front"}, {"(exit 9)", "9", "in front"}}},
		"bash 5.0, PROMPT_COMMAND changes the status": {kind: Bash, rc: "PROMPT_COMMAND='echo was:$?; (exit 42)'\n", env: []string{"__stet_old=1"}, steps: []step{{"(exit 9)", "9", "was:9"}}},
		"bash 5.0, PROMPT_COMMAND behind ours":        {kind: Bash, env: []string{"__stet_old=1"}, steps: []step{{"PROMPT_COMMAND=\"$PROMPT_COMMAND; echo was:\\$?; (exit 42)\"\rtrue untold", "0", "was:0"}, {"(exit 9)", "9", "was:9"}, {"(exit 8)", "8", "was:8"}}},
		"bash 5.0, PROMPT_COMMAND before ours":        {kind: Bash, env: []string{"__stet_old=1"}, steps: []step{{`PROMPT_COMMAND="true; echo in front;$PROMPT_COMMAND"`, "0", "in front"}, {"(exit 9)", "9", "in front"}, {"(exit 8)", "8", "in front"}}},
		"bash, a prompt like starship's":              {kind: Bash, rc: "pre() { local s=$?; PS1=\"[$s ${#PIPESTATUS[@]}]\\n> \"; return 0; }\ntrap 'pre_exec \"$_\"' DEBUG\npre_exec() { :; }\nPROMPT_COMMAND=\"pre;${PROMPT_COMMAND:-}\"\n", steps: []step{{"(exit 9)", "9", "[9 1]"}}},
		"bash, a DEBUG trap":                          {kind: Bash, rc: "trap 'seen=$BASH_COMMAND' DEBUG\n", steps: []step{{"true a", "0", ""}, {"echo it was $seen", "0", "it was echo it was"}}},
		"bash, PS0":                                   {kind: Bash, rc: "PS0='begun at \\#\\n'\n", steps: []step{{"true", "0", "begun at "}}},
		"bash, no promptvars":                         {kind: Bash, rc: "shopt -u promptvars\nPS1='$x '\n", steps: []step{{"false", "1", "$x "}}},
		"bash, an array named like ours":              {kind: Bash, rc: "IFS=0123456789\nGLOBIGNORE='*'\nshopt -s nullglob failglob nocasematch extglob\n"},
		"bash, aliases and functions":                 {kind: Bash, rc: "alias printf=false history=false local=false read=false\nprintf() { return 1; }\nhistory() { return 1; }\n"},
		"zsh, aliases and functions":                  {kind: Zsh, rc: "alias printf=false local=false emulate=false typeset=false\nprintf() { return 1 }\nsetopt ksh_arrays sh_word_split no_nomatch glob_subst warn_create_global\n"},
		"bash, something like preexec":                {kind: Bash, rc: preexecLike, steps: []step{{"true one", "0", "pre:true one"}, {"(exit 4)", "4", "post:4"}, {"true two", "0", "pre:true two"}}},
		"zsh, precmd functions":                       {kind: Zsh, rc: "precmd() { PROMPT=\"<$?> \" }\npreexec() { echo \"pre:$1\" }\n", steps: []step{{"(exit 3)", "3", "<3> "}, {"true x", "0", "pre:true x"}}},
		"zsh, another list of functions":              {kind: Zsh, rc: "mine() { echo was:$? }\nprecmd_functions=(mine)\n", steps: []step{{"(exit 3)", "3", "was:3"}}, late: true},
		"zsh, a prompt that is replaced":              {kind: Zsh, rc: "zle-line-finish() { local old=$PROMPT; PROMPT='> '; zle reset-prompt; PROMPT=$old }\nzle -N zle-line-finish\nPROMPT='a long prompt %# '\n", steps: []step{{"(exit 3)", "3", "a long prompt"}}},
		"zsh, prompt_subst":                           {kind: Zsh, rc: "setopt prompt_subst\nPROMPT='${x:-why} %# '\n", steps: []step{{"x=because", "0", "because"}}},
		"zsh, no prompt_percent":                      {kind: Zsh, rc: "setopt no_prompt_percent\nPROMPT='50% '\n", steps: []step{{"false", "1", "50% "}}},
		"fish, a prompt with status":                  {kind: Fish, rc: "function fish_prompt\n echo -n \"<$status $pipestatus> \"\nend\n", steps: []step{{"sh -c 'exit 6'", "6", "<6 6> "}}},
		"bash, HISTCONTROL":                           {kind: Bash, rc: "HISTCONTROL=ignoreboth\n"},
		"bash, no history":                            {kind: Bash, rc: "set +o history\n"},
		"bash 5.0 and earlier":                        {kind: Bash, rc: "PROMPT_COMMAND='echo was:$?'\n", env: []string{"__stet_old=1"}, steps: []step{{"(exit 8)", "8", "was:8"}, {"true; false; (exit 2)", "2", "was:2"}}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrill(t, c.kind, setting{files: rc(c.kind, c.rc+"\n"), env: c.env})
			if c.late {
				d.write("true\r")
			}
			d.until("a prompt", func(string) bool { return d.count("A") >= 1 && d.count("7727") >= 1 })
			steps := append([]step{{"true", "0", ""}, {"sh -c 'exit 7'", "7", ""}}, c.steps...)
			for _, s := range steps {
				from, done := len(d.text()), d.count("D")
				d.write(s.line + "\r")
				d.until("the end of "+s.line, func(text string) bool { return endedIn(text, done, "\x1b]133;A") })
				if got := status(d.last("D")); got != s.status {
					t.Errorf("%s: status %q, want %q", s.line, got, s.status)
				}
				d.until(s.line+" to show "+s.shows, func(text string) bool { return strings.Contains(text[from:], s.shows) })
			}
			if n, m := d.count("C"), d.count("D"); n != m || n != len(steps) && !c.late {
				t.Errorf("%d commands, %d begun, %d ended\n%q", len(steps), n, m, d.text())
			}
			for _, bad := range []string{"unbound", "not found", "parameter not set", "command not"} {
				if strings.Contains(d.text(), bad) {
					t.Errorf("something is %s: %q", bad, d.text())
				}
			}
		})
	}
}

func TestSetEEndsTheShellNoSooner(t *testing.T) {
	for _, k := range []Kind{Bash, Zsh} {
		t.Run(string(k), func(t *testing.T) {
			d := newDrill(t, k, setting{files: rc(k, "set -eu\n")})
			d.prompts(1)
			for range 3 {
				d.expectStatus("true", "0")
			}
		})
	}
}

func TestTheDirectoryAndTheBranch(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		d := newDrill(t, k, setting{files: none(k)})
		d.prompts(1)
		for dir, want := range map[string]string{
			"plain": "plain", "a b": "a( |%20)b", "50%": "50%25", "semi;colon": "semi(;|%3[Bb])colon", "\u00e4\u65e5": "(\u00e4\u65e5|%C3%A4%E6%97%A5)", "tab\ttab": "tab%09tab", "esc\x1bx": "esc%1[Bb]x", "line\nline": "line%0[Aa]line",
		} {
			if err := os.MkdirAll(filepath.Join(d.home, dir, ".git"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(d.home, dir, ".git", "HEAD"), []byte("ref: refs/heads/work/x\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			link := filepath.Join(d.home, "link")
			os.Remove(link)
			os.WriteFile(link, []byte("cd '"+filepath.Join(d.home, dir)+"'\n"), 0o600) // no key has to be typed for it
			d.run(". ~/link")
			if got := d.last("7"); !regexp.MustCompile(`^file://[^/]*`+regexp.QuoteMeta(d.home)+"/"+want+"$").MatchString(got) && !strings.Contains(got, "%2F") {
				t.Errorf("%q: %q", dir, got)
			}
			if got := d.last("7727"); got != "work/x" {
				t.Errorf("%q: branch %q", dir, got)
			}
		}
		sub := filepath.Join(d.home, "plain/deep/er")
		if err := os.MkdirAll(sub, 0o700); err != nil {
			t.Fatal(err)
		}
		d.run("cd " + sub)
		if got := d.last("7727"); got != "work/x" {
			t.Errorf("below: branch %q", got)
		}
		for head, want := range map[string]string{"0123456789abcdef0123\n": "0123456789", "": "", "ref: refs/heads/a=b\n": "", "\x1b]0;x\x07": ""} {
			os.WriteFile(filepath.Join(d.home, "plain/.git/HEAD"), []byte(head), 0o600)
			d.run("true")
			if got := d.last("7727"); got != want {
				t.Errorf("%q: branch %q, want %q", head, got, want)
			}
		}
		os.MkdirAll(filepath.Join(d.home, "tree"), 0o700)
		os.WriteFile(filepath.Join(d.home, "tree/.git"), []byte("gitdir: ../a b/.git\n"), 0o600)
		d.run("cd ~/tree")
		if got := d.last("7727"); got != "work/x" {
			t.Errorf("worktree: branch %q", got)
		}
		d.run("cd /")
		if got := d.last("7727"); got != "" {
			t.Errorf("outside: branch %q", got)
		}
	})
}

func TestSecretsAreNotTold(t *testing.T) {
	for name, c := range map[string]struct {
		kind Kind
		rc   string
	}{
		"bash": {Bash, "HISTCONTROL=ignorespace\n"}, "bash, ignoreboth": {Bash, "HISTCONTROL=ignoreboth\n"}, "bash, HISTIGNORE": {Bash, "HISTIGNORE=' *'\n"},
		"zsh": {Zsh, "setopt hist_ignore_space\n"}, "zsh, HISTORY_IGNORE": {Zsh, "HISTORY_IGNORE='*secret*'\n"}, "fish": {Fish, ""},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDrill(t, c.kind, setting{files: rc(c.kind, c.rc+"\n")})
			d.prompts(1)
			d.run("true open")
			if got := d.last("C"); !strings.Contains(got, "open") {
				t.Fatalf("C%s", got)
			}
			for range 2 {
				d.run(" true secret")
				if got := d.last("C"); strings.Contains(got, "cmdline") {
					t.Errorf("C%s", got)
				}
			}
			d.run("true again")
			if got := d.last("C"); !strings.Contains(got, "again") {
				t.Errorf("C%s", got)
			}
			d.run("true " + strings.Repeat("x", 5000))
			if got := d.last("C"); strings.Contains(got, "cmdline") {
				t.Errorf("a long text is told")
			}
		})
	}
}

func TestTextsOfCommandsAreEncoded(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		d := newDrill(t, k, setting{files: none(k)})
		d.prompts(1)
		d.run("true '50% ; \u00e4'")
		got := d.last("C")
		_, text, _ := strings.Cut(got, "cmdline_url=")
		text, _, _ = strings.Cut(text, ";start=")
		if strings.ContainsAny(text, ";") || !strings.Contains(text, "50%25") {
			t.Errorf("C%s", got)
		}
	})
}

func TestSilentWhereNobodyListens(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		for name, env := range map[string][]string{"dumb": {"TERM=dumb"}, "outside": {"STET="}, "no pane": {"STET_PANE="}} {
			if k == Fish && name != "dumb" {
				continue // what is empty is set there
			}
			d := newDrill(t, k, setting{files: none(k), env: env})
			d.write("echo re''ady\r")
			d.until("an answer", func(text string) bool { return strings.Contains(text, "ready\r\n") })
			if m := d.marks(); len(m) > 0 {
				t.Errorf("%s: %v", name, m)
			}
		}
		d := newDrill(t, k, setting{files: none(k)})
		d.prompts(1)
		d.run(string(k) + " -c 'echo quiet' >~/out 2>&1")
		if b, _ := os.ReadFile(filepath.Join(d.home, "out")); string(b) != "quiet\n" {
			t.Errorf("%q", b)
		}
	})
}

// A shell in the shell has the environment of any program: it says nothing, and the marks around it are right.
func TestAShellInTheShell(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		d := newDrill(t, k, setting{files: none(k)})
		d.prompts(1)
		a := d.count("A")
		d.write(string(k) + "\r")
		d.until("the shell in the shell", func(string) bool { return d.count("C") == 1 })
		d.write("echo in''side\r")
		d.until("its answer", func(text string) bool { return strings.Contains(text, "inside\r\n") })
		if d.count("A") != a || d.count("C") != 1 {
			t.Errorf("it makes marks: %v", d.marks())
		}
		d.write("exit 5\r")
		d.until("its end", func(string) bool { return d.count("D") == 1 })
		if got := status(d.last("D")); got != "5" {
			t.Errorf("status %s", got)
		}
	})
}

// What people export of their prompt does not have the shells in the shell make its marks, nor know what signs them.
func TestAnExportedPromptIsNotMarked(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		bare := map[Kind]string{Bash: "bash --norc --noprofile", Zsh: "zsh -f"}[k]
		if bare == "" {
			t.Skipf("the prompt of %s is a function", k)
		}
		d := newDrill(t, k, setting{files: rc(k, "export PS1='mine> '\n")})
		d.prompts(1)
		a := d.count("A")
		d.write(bare + "\r")
		d.until("the shell in the shell", func(string) bool { return d.count("C") == 1 })
		d.write("env >~/environment; echo in''side\r")
		d.until("its answer", func(text string) bool { return strings.Contains(text, "inside\r\n") })
		if d.count("A") != a || d.count("C") != 1 {
			t.Errorf("it makes marks: %v", d.marks())
		}
		b, err := os.ReadFile(filepath.Join(d.home, "environment"))
		if err != nil || !strings.Contains(string(b), "PS1=") || strings.Contains(string(b), token) {
			t.Errorf("its environment: %v, %s", err, b)
		}
		d.write("exit 5\r")
		d.until("its end", func(string) bool { return d.count("D") == 1 && d.count("A") > a })
	})
}

// Evaluated in a startup file the script serves in a shell that was started without it, and is nothing in
// one that has it already.
func TestEvaluatedByAStartupFile(t *testing.T) {
	each(t, func(t *testing.T, k Kind) {
		file := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(file, []byte(Script(k)), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, plain := range []bool{true, false} {
			d := newDrill(t, k, setting{files: rc(k, "source "+file+"\n"), plain: plain})
			d.prompts(1)
			d.expectStatus("sh -c 'exit 3'", "3")
			if d.count("C") != 1 || d.count("D") != 1 || strings.Contains(d.last("C"), token) == plain {
				t.Errorf("plain %v: %v", plain, d.marks())
			}
		}
	})
}
