package client

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func pipe(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAPipeThatNobodyIsAtIsGivenUp(t *testing.T) {
	if _, err := openToRead(pipe(t), time.Millisecond); err == nil || !strings.Contains(err.Error(), "nobody writes to it") {
		t.Errorf("read: %v", err)
	}
	if _, err := openToWrite(pipe(t), false, time.Millisecond); err == nil || !strings.Contains(err.Error(), "nobody reads it") {
		t.Errorf("write: %v", err)
	}
}

func TestAPipeWaitsForItsOtherEnd(t *testing.T) {
	path, patience := pipe(t), time.Minute
	done := make(chan error, 1)
	go func() {
		f, err := openToWrite(path, false, patience)
		if err == nil {
			_, err = io.WriteString(f, "words")
			f.Close()
		}
		done <- err
	}()
	f, err := openToRead(path, patience)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if b, err := io.ReadAll(f); string(b) != "words" || err != nil {
		t.Errorf("read %q, %v", b, err)
	}
	if err := <-done; err != nil {
		t.Errorf("write: %v", err)
	}
}

func TestAFileThatIsNoPipeIsOpenedAtOnce(t *testing.T) {
	if f, err := openToRead(os.DevNull, 0); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	if _, err := openToRead(filepath.Join(t.TempDir(), "none"), 0); !os.IsNotExist(err) {
		t.Errorf("got %v", err)
	}
}
