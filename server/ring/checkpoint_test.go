package ring

import (
	"bytes"
	"errors"
	"testing"
)

func put(s string) func([]byte) (int, error) {
	return func(b []byte) (int, error) { return copy(b, s), nil }
}

func TestCheckpointComesBack(t *testing.T) {
	_, r := create(t, small)
	if off, n, s, err := r.Load(); off != 0 || n != 0 || s != nil || err != nil {
		t.Fatalf("a new pane has %d %d %q %v", off, n, s, err)
	}
	r.Append(make([]byte, 100))
	if err := r.Record(Resize{60, 100, 30}); err != nil {
		t.Fatal(err)
	}
	for i, state := range []string{"first", "", "third"} {
		if err := r.Checkpoint(uint64(50+i), 1, put(state)); err != nil {
			t.Fatal(err)
		}
		off, n, s, err := r.Load()
		if off != uint64(50+i) || n != 1 || string(s) != state || err != nil {
			t.Errorf("%d %d %q %v", off, n, s, err)
		}
	}
	if r.S() != 52 || r.Used() != 48 {
		t.Errorf("released %d, used %d", r.S(), r.Used())
	}
}

func TestCheckpointThatFailsChangesNothing(t *testing.T) {
	_, r := create(t, small)
	r.Append(make([]byte, 100))
	if err := r.Checkpoint(10, 0, put("good")); err != nil {
		t.Fatal(err)
	}
	boom := errors.New("boom")
	for name, c := range map[string]struct {
		off, n uint64
		write  func([]byte) (int, error)
		is     error
	}{
		"the writer fails":        {20, 0, func(b []byte) (int, error) { clear(b); return 0, boom }, boom},
		"longer than the slot":    {20, 0, func(b []byte) (int, error) { return len(b) + 1, nil }, ErrTooLarge},
		"behind the output":       {101, 0, none, nil},
		"before what is released": {9, 0, none, nil},
		"resizes that never were": {20, 1, none, nil},
	} {
		err := r.Checkpoint(c.off, c.n, c.write)
		if err == nil || c.is != nil && !errors.Is(err, c.is) {
			t.Errorf("%s: %v", name, err)
		}
		if off, _, s, err := r.Load(); off != 10 || string(s) != "good" || err != nil {
			t.Errorf("%s: afterwards %d %q %v", name, off, s, err)
		}
	}
}

func TestDamagedCheckpointIsNoticed(t *testing.T) {
	for name, spoil := range map[string]func(s []byte, r *Ring){
		"state":          func(s []byte, _ *Ring) { s[slotHead+3]++ },
		"offset":         func(s []byte, _ *Ring) { s[sMeta]++ },
		"resizes":        func(s []byte, _ *Ring) { s[sMeta+8]++ },
		"length":         func(s []byte, _ *Ring) { s[sLen]-- },
		"absurd length":  func(s []byte, _ *Ring) { s[sLen+7] = 0xff },
		"slot number":    func(_ []byte, r *Ring) { r.store(hActive, 3) },
		"other slot":     func(_ []byte, r *Ring) { r.store(hActive, 2) },
		"output is less": func(_ []byte, r *Ring) { r.store(hW, 5) },
		"output is far":  func(_ []byte, r *Ring) { r.store(hW, 1<<40) },
	} {
		t.Run(name, func(t *testing.T) {
			_, r := create(t, small)
			r.Append(make([]byte, 100))
			if err := r.Checkpoint(50, 0, put("state")); err != nil {
				t.Fatal(err)
			}
			spoil(r.pair.slot[0], r)
			if _, _, s, err := r.Load(); err == nil {
				t.Fatalf("loaded %q", s)
			}
			r.Abandon()
			if r.Used() != 0 || r.Free() != small.Ring {
				t.Errorf("after giving up: used %d, free %d", r.Used(), r.Free())
			}
			if err := r.Checkpoint(r.W(), r.Resizes(), put("new")); err != nil {
				t.Error(err)
			}
			if _, _, s, err := r.Load(); string(s) != "new" || err != nil {
				t.Error(string(s), err)
			}
		})
	}
}

// TestPublishedNotReleased: the server died between the two.
func TestPublishedNotReleased(t *testing.T) {
	_, r := create(t, small)
	r.Append(make([]byte, small.Ring))
	if err := r.pair.checkpoint([2]uint64{8000, 0}, put("x")); err != nil {
		t.Fatal(err)
	}
	if r.Free() != 0 {
		t.Fatal("released already")
	}
	if off, _, _, err := r.Load(); off != 8000 || err != nil || r.Free() != 8000 {
		t.Error(off, err, r.Free())
	}
}

func TestResizeLogKeepsOrderAndAsksForCheckpoints(t *testing.T) {
	k, r := create(t, small)
	r.Append(make([]byte, 1000))
	for i := range MaxLog {
		if err := r.Record(Resize{uint64(i), 80 + i, 24}); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := r.Record(Resize{500, 1, 1}); !errors.Is(err, ErrLogFull) {
		t.Fatal(err)
	}
	if err := r.Checkpoint(10, 11, none); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(Resize{500, 1 << 20, -3}); err != nil {
		t.Fatal(err)
	}
	fresh, err := k.Whole() // the next server
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	_, n, _, err := fresh.Load()
	if err != nil || n != 11 {
		t.Fatal(n, err)
	}
	zs := fresh.ResizesFrom(n)
	if len(zs) != MaxLog+1-11 || zs[0] != (Resize{11, 91, 24}) || zs[len(zs)-1] != (Resize{500, 65535, 1}) {
		t.Error(zs)
	}
	if fresh.ResizeAt(0) != (Resize{}) {
		t.Error("the oldest has been overwritten, and is not to be told")
	}
	for i := range 10 {
		if err := fresh.Record(Resize{600, 80, 24}); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := fresh.Record(Resize{600, 80, 24}); !errors.Is(err, ErrLogFull) {
		t.Error("the next server does not know what its checkpoint holds: ", err)
	}
}

func TestGuardCountsDeathsAtOnePlace(t *testing.T) {
	_, r := create(t, small)
	die := func(at ...uint64) (skip bool) { // a life that is killed during its replay
		skip = r.BeginReplay(0)
		for _, p := range at {
			r.ReplayAt(p)
		}
		return
	}
	for i, at := range []uint64{100, 100, 100} {
		if die(50, at) {
			t.Fatalf("skipped in life %d", i+1)
		}
	}
	if !r.Suspect() || !die() {
		t.Fatal("three deaths at one place, and it is not skipped")
	}
	r.EndReplay()
	if r.Suspect() {
		t.Error("still a suspect after a replay that ended")
	}
	for i := range 20 { // killed for reasons of its own, at ever other places
		if die(uint64(i)) {
			t.Fatalf("skipped after deaths at %d different places", i)
		}
	}
}

func TestSlots(t *testing.T) {
	s, err := CreateSlots(8192)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if b, err := s.Load(); b != nil || err != nil {
		t.Fatal(b, err)
	}
	other, err := MapSlots(s.Descriptor())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, text := range []string{"one", "two", "three"} {
		if err := s.Checkpoint(put(text)); err != nil {
			t.Fatal(err)
		}
		if b, err := other.Load(); string(b) != text || err != nil {
			t.Errorf("%q %v", b, err)
		}
	}
	s.Punch()
	full := bytes.Repeat([]byte("z"), s.Capacity())
	if err := s.Checkpoint(put(string(full))); err != nil {
		t.Fatal(err)
	}
	if b, err := other.Load(); !bytes.Equal(b, full) || err != nil {
		t.Error(len(b), err)
	}
	if err := s.Checkpoint(func(b []byte) (int, error) { return len(b) + 1, nil }); !errors.Is(err, ErrTooLarge) {
		t.Error(err)
	}
	for _, n := range []int{0, 100, MaxSlot + 4096} {
		if _, err := CreateSlots(n); err == nil {
			t.Error("slots of ", n)
		}
	}
}
