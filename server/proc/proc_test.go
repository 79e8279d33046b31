package proc

import (
	"errors"
	"io/fs"
	"os"
	"runtime"
	"testing"
)

func TestLookupOfOurselves(t *testing.T) {
	in, err := Lookup(os.Getpid())
	if runtime.GOOS != "linux" {
		if !errors.Is(err, ErrUnsupported) {
			t.Fatalf("want ErrUnsupported, got %v", err)
		}
		return
	}
	wd, _ := os.Getwd()
	if err != nil || in.Cwd != wd || len(in.Argv) == 0 || in.Argv[0] != os.Args[0] || in.Name == "" {
		t.Fatalf("%+v, %v", in, err)
	}
}

func TestLookupOfAProcessThatIsGone(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc")
	}
	if _, err := Lookup(1 << 30); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("want not-exist, got %v", err)
	}
}
