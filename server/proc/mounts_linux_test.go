package proc

import (
	"slices"
	"testing"
)

func TestMounts(t *testing.T) {
	all, err := Mounts()
	if err != nil || !slices.Contains(all, "/proc") {
		t.Errorf("%q, %v", all, err)
	}
	if got := unescape(`/a\040b\134c\`); got != `/a b\c\` {
		t.Errorf("%q", got)
	}
}

func TestMountOf(t *testing.T) {
	mounts := []string{"/", "/mnt", "/mnt/usb", "/mnt/usbstick"}
	for dir, want := range map[string]string{"/": "", "/etc": "", "/mnt": "/mnt", "/mnt/x": "/mnt", "/mnt/usb/a/b": "/mnt/usb", "/mnt/usb2": "/mnt", "/mntx": ""} {
		if got := MountOf(dir, mounts); got != want {
			t.Errorf("%s lies on %q, want %q", dir, got, want)
		}
	}
}
