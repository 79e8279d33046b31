package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestMessagesAreBounded(t *testing.T) {
	var l messageLog
	for _, text := range []string{"one", "two\x1b[31m\nlines", strings.Repeat("é", maxMessage)} {
		l.add(text, time.Time{}, 2)
	}
	if len(l) != 2 || l[0].Text != "two [31m lines" || len(l[1].Text) > maxMessage+len("…") {
		t.Errorf("%v", l)
	}
	long := l[1].Text
	for range 3 {
		l.add("again", time.Time{}.Add(time.Hour), 2)
	}
	if len(l) != 2 || l[0].Text != long || l[1].Times != 3 || l[1].At.IsZero() {
		t.Errorf("what is said again and again: %v", l)
	}
	if l.add("x", time.Time{}, 0); len(l) != 0 {
		t.Errorf("a limit of nothing keeps %v", l)
	}
}

func TestHistoryFileIsReadAsTmuxWritesIt(t *testing.T) {
	got := readHistory("command:new-window\nsearch:a:b\nold line: x\ntarget:\r\n")
	if strings.Join(got["command"], "|") != "new-window|old line: x" || strings.Join(got["search"], "|") != "a:b" || len(got["target"]) != 1 {
		t.Errorf("%q", got)
	}
}

func TestPrivateFilesReplaceTheOldOne(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := writePrivate(link, "new"); err != nil {
		t.Fatal(err)
	}
	b, _ := os.ReadFile(path)
	info, _ := os.Stat(path)
	if string(b) != "new" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v", b, info.Mode())
	}
	if l, err := os.Lstat(link); err != nil || l.Mode()&os.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
	if list, _ := os.ReadDir(dir); len(list) != 2 {
		t.Errorf("something was left: %v", list)
	}
	if err := writePrivate(filepath.Join(dir, "nowhere", "x"), ""); err == nil {
		t.Error("a directory that is not there")
	}
}
