package resurrect

import (
	"os/exec"
	"strings"
	"testing"
)

func TestWordsShowWhatIsInThem(t *testing.T) {
	for _, c := range []struct {
		give []string
		want string
	}{
		{[]string{"vim", "a b", "it's", ""}, `vim 'a b' 'it'\''s' ''`},
		{[]string{"sh", "-c", "one\ntwo"}, `sh -c $'one\ntwo'`},
		{[]string{"echo", "\x1b[2J\r\t\x7f"}, `echo $'\033[2J\015\t\177'`},
		{[]string{"echo", "it's \\ \n"}, `echo $'it\'s \\ \n'`},
		{[]string{"cat", "x\u202egpj.exe", "a\u200bb"}, `cat $'x\u202egpj.exe' $'a\u200bb'`},
		{[]string{"cat", "\xff1", "\U000e0041", "é ñ"}, `cat $'\3771' $'\U000e0041' 'é ñ'`},
	} {
		if got := Words(c.give); got != c.want {
			t.Errorf("%q: got %s, want %s", c.give, got, c.want)
		}
	}
}

// TestShellsReadWordsAgain: a person may take a line of a report to a shell.
func TestShellsReadWordsAgain(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash here: ", err)
	}
	argv := []string{"one\ntwo", "it's \\n\t", "\x1b[1m", "\xff\xfe7", "x\u202ey", "\U000e0041", "plain", "", "$(x) `y` \"z\"\n"}
	cmd := exec.Command(bash, "-c", `printf '%s\0' `+Words(argv))
	cmd.Env = []string{"LC_ALL=C.UTF-8"}
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Join(argv, "\x00") + "\x00"; string(out) != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

func TestWordsAreBounded(t *testing.T) {
	for _, argv := range [][]string{{strings.Repeat("é", 10000)}, {strings.Repeat("\x1b", 10000)}, {strings.Repeat("a", 10000)}, strings.Fields(strings.Repeat("word ", 10000))} {
		if got := Words(argv); len(got) > maxWords+len("…") || !strings.HasSuffix(got, "…") {
			t.Errorf("%d bytes: %s", len(got), got)
		}
	}
}
