package main

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMemoryFilesCountOnceAndUnmapped(t *testing.T) {
	before, err := shared([]int{os.Getpid()})
	if err != nil {
		t.Fatal(err)
	}
	fd, err := unix.MemfdCreate("bench", unix.MFD_CLOEXEC)
	if err != nil {
		t.Skip("no memory files:", err)
	}
	defer unix.Close(fd)
	if _, err := unix.Write(fd, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	second, err := unix.Dup(fd)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(second)
	after, err := shared([]int{os.Getpid(), os.Getpid()})
	if err != nil || after-before != 1024 {
		t.Errorf("one MiB in two descriptors counts as %d KiB, %v", after-before, err)
	}
}
