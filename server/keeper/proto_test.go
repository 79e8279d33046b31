package keeper

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"reflect"
	"strconv"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/sock"
)

func TestMessageKeepsEveryField(t *testing.T) {
	m := &message{kind: kPane}
	seen := map[byte]bool{}
	for i, f := range m.fields() {
		if int(f.tag) != i+1 || seen[f.tag] {
			t.Errorf("field %d has tag %d", i, f.tag)
		}
		seen[f.tag] = true
		switch {
		case f.num != nil:
			*f.num = uint64(i) << (i * 2)
		case f.str != nil:
			*f.str = "s" + itoa(i) + "\x00\xff"
		default:
			*f.lst = []string{"", itoa(i), ""}
		}
	}
	back, err := parseMessage(m.append(nil))
	if err != nil || !reflect.DeepEqual(m, back) {
		t.Errorf("%v\n%+v\n%+v", err, m, back)
	}
}

func itoa(n int) string { return strconv.Itoa(n) }

func TestFieldsOfLaterBuildsAreSkipped(t *testing.T) {
	b := (&message{kind: kExit, pane: 4}).append(nil)
	b = append(b, 200, 3, 'x', 'y', 'z')
	if m, err := parseMessage(b); err != nil || m.pane != 4 {
		t.Error(m, err)
	}
}

func FuzzMessage(f *testing.F) {
	f.Add([]byte{})
	f.Add((&message{kind: kSpawn, pane: 1, argv: []string{"a", "b"}, dir: "/", cols: 80}).append(nil))
	f.Add([]byte{1, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Add([]byte{1, 1, 11, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := parseMessage(b)
		if err != nil {
			return
		}
		again, err := parseMessage(m.append(nil))
		if err != nil || !reflect.DeepEqual(m, again) {
			t.Errorf("%v\n%+v\n%+v", err, m, again)
		}
	})
}

func pair(t *testing.T) (*conn, *conn) {
	a, b, err := socketpair()
	if err != nil {
		t.Fatal(err)
	}
	x, err := newConn(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := newConn(b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.close(); y.close() })
	return x, y
}

func TestDescriptorsRideOnTheirFrame(t *testing.T) {
	a, b := pair(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	fd, err := sock.Duplicate(w)
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		var fds []int
		if i == 1 {
			fds = []int{fd}
		}
		if err := a.send(&message{kind: kExit, pane: uint64(i + 1)}, fds...); err != nil {
			t.Fatal(err)
		}
	}
	unix.Close(fd)
	for i := range 3 {
		m, fds, err := b.recv()
		if err != nil || m.pane != uint64(i+1) || len(fds) != i%2 {
			t.Fatalf("%d: %+v %v %v", i, m, fds, err)
		}
		for _, f := range fds {
			if fl, _ := unix.FcntlInt(uintptr(f), unix.F_GETFD, 0); fl&unix.FD_CLOEXEC == 0 {
				t.Error("it would be inherited")
			}
			unix.Write(f, []byte("x"))
		}
		closeAll(fds)
	}
	if n, err := io.Copy(io.Discard, r); n != 1 || err != nil {
		t.Error(n, err)
	}
}

func TestBadFramesEndTheConnection(t *testing.T) {
	for name, raw := range map[string][]byte{
		"empty body":                    {0, 0, 0, 0, 0, 0, 0, 0},
		"longer than the limit":         {0xff, 0xff, 0xff, 0x7f, 0, 0, 0, 0},
		"descriptors that did not come": {1, 0, 0, 0, 1, 0, 0, 0, 5},
		"torn head":                     {1, 0},
		"torn body":                     {9, 0, 0, 0, 0, 0, 0, 0, 1, 1},
		"field beyond its frame":        {3, 0, 0, 0, 0, 0, 0, 0, 1, 1, 200},
	} {
		a, b := pair(t)
		a.c.Write(raw)
		a.c.CloseWrite()
		if m, _, err := b.recv(); err == nil {
			t.Errorf("%s: %+v", name, m)
		}
	}
	a, b := pair(t)
	fd, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(fd)
	var h [9]byte
	binary.LittleEndian.PutUint32(h[:], 1)
	h[8] = byte(kExit)
	a.c.WriteMsgUnix(h[:], unix.UnixRights(fd), nil)
	if _, fds, err := b.recv(); !errors.Is(err, errFrame) || fds != nil {
		t.Errorf("an unannounced descriptor: %v %v", fds, err)
	}
}

func TestPeerThatDoesNotReadIsDropped(t *testing.T) {
	a, b := pair(t)
	began := time.Now()
	var err error
	for err == nil && time.Since(began) < 20*time.Second {
		err = a.send(&message{kind: kExit, errText: string(make([]byte, 1000))})
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	if err := a.send(&message{kind: kExit}); !errors.Is(err, net.ErrClosed) {
		t.Error("a torn stream goes on: ", err)
	}
	_ = b
}
