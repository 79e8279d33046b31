package server

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAPipeThatNobodyWritesToIsNoEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if b, err := readFile(path, 10); err == nil || !strings.Contains(err.Error(), "nobody writes to it") {
		t.Errorf("read %q, %v", b, err)
	}
}
