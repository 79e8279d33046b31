package direct

import (
	"net"
	"path/filepath"
	"testing"
)

// TestHungUp: an end that has gone is seen although what it sent is unread, and one that is there is not
// taken for gone although it is silent.
func TestHungUp(t *testing.T) {
	ln, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	for _, wrapped := range []bool{false, true} {
		far, err := net.Dial("unix", ln.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		near, err := ln.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if wrapped {
			near = Conn(near)
		}
		if HungUp(near) {
			t.Errorf("wrapped %v: gone, though silent only", wrapped)
		}
		if _, err := far.Write([]byte("command")); err != nil {
			t.Fatal(err)
		}
		if HungUp(near) {
			t.Errorf("wrapped %v: gone, though it has written only", wrapped)
		}
		far.Close()
		if !HungUp(near) {
			t.Errorf("wrapped %v: there, though closed behind what it wrote", wrapped)
		}
		near.Close()
	}
	a, b := net.Pipe()
	b.Close()
	if HungUp(a) {
		t.Error("of a connection that is no descriptor nothing is known")
	}
}
