package proc

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestLookupOfLongArguments(t *testing.T) {
	long := []string{"cat", strings.Repeat("a", 700), "", strings.Repeat("b", 3000), "-"}
	for _, args := range [][]string{long, append(slices.Clone(long), strings.Repeat("c", maxArgs))} {
		cmd := exec.Command("sh", append([]string{"-c", "echo; read x"}, args...)...)
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // before it runs its arguments may not be there
			t.Fatal(err)
		}
		want := strings.Join(cmd.Args, "\x00")
		want = want[:min(len(want), maxArgs)]
		got, err := Lookup(cmd.Process.Pid)
		if s := strings.Join(got.Argv, "\x00"); err != nil || s != want {
			t.Errorf("%d bytes, want %d: %v", len(s), len(want), err)
		}
		in.Close()
		if err := cmd.Wait(); err != nil && cmd.ProcessState.ExitCode() != 1 { // what read has at the end of its input
			t.Error(err)
		}
	}
}

func TestReadOfWhatIsNotThere(t *testing.T) {
	if b, err := read(os.Getpid(), "nothing", maxStat); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%q, %v", b, err)
	}
	if b, err := read(os.Getpid(), "task", maxStat); err == nil {
		t.Errorf("a directory says %q", b)
	}
	if b, err := read(os.Getpid(), "stat", 5); err != nil || len(b) != 5 {
		t.Errorf("%q, %v", b, err)
	}
}
