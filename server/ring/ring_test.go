package ring

import (
	"bytes"
	"math"
	"testing"
)

// small sizes make wrapping and filling quick.
var small = Sizes{Ring: 8192, Slot: 8192, Arena: 64 << 10}

// create gives the keeper's and the server's mapping of one pane.
func create(t testing.TB, s Sizes) (keeper, server *Ring) {
	t.Helper()
	k, err := Create(s)
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Whole()
	if err != nil {
		k.Close()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		r.Close()
		k.Close()
	})
	return k, r
}

func TestSizesAreChecked(t *testing.T) {
	for _, s := range []Sizes{
		{}, {Ring: 4096}, {Ring: 4097, Slot: 4096}, {Ring: -4096, Slot: 4096}, {Ring: 4096, Slot: 4096, Arena: -1},
		{Ring: MaxRing + 4096, Slot: 4096}, {Ring: 4096, Slot: MaxSlot + 4096}, {Ring: 4096, Slot: 4096, Arena: MaxArena + 4096}, {Ring: 4096, Slot: 4096, Arena: 5},
	} {
		if _, err := Create(s); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
	if err := DefaultSizes().Check(); err != nil {
		t.Error(err)
	}
}

func TestBothMappingsAreTheSameMemory(t *testing.T) {
	k, r := create(t, small)
	if n := r.Append([]byte("hello")); n != 5 {
		t.Fatalf("appended %d", n)
	}
	if got := k.Bytes(0, k.W()); string(got) != "hello" {
		t.Errorf("keeper sees %q", got)
	}
	if k.Arena() != nil {
		t.Error("the keeper has no business in the arena")
	}
	if len(r.Arena()) != small.Arena || r.StateCapacity() != small.Slot-slotHead {
		t.Errorf("arena %d, state %d", len(r.Arena()), r.StateCapacity())
	}
	r.Arena()[small.Arena-1] = 1 // the last byte is inside
	if r.Sizes() != small || k.Sizes() != small {
		t.Errorf("sizes %+v", r.Sizes())
	}
}

func TestOutputWrapsAndIsNeverOverwritten(t *testing.T) {
	_, r := create(t, small)
	chunk := make([]byte, 3000)
	var sent, got []byte
	for i := range 20 {
		for j := range chunk {
			chunk[j] = byte(i*31 + j)
		}
		n := r.Append(chunk)
		sent = append(sent, chunk[:n]...)
		if r.Used()+r.Free() != small.Ring {
			t.Fatalf("used %d, free %d", r.Used(), r.Free())
		}
		if i%3 == 2 { // let it get full now and then
			for p, w := r.S(), r.W(); p < w; {
				b := r.Bytes(p, w)
				got = append(got, b...)
				p += uint64(len(b))
			}
			if err := r.Checkpoint(r.W(), 0, none); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(sent) <= 2*small.Ring || !bytes.Equal(got, sent[:len(got)]) {
		t.Errorf("%d bytes sent, %d seen, equal %v", len(sent), len(got), bytes.Equal(got, sent[:len(got)]))
	}
}

func none([]byte) (int, error) { return 0, nil }

func TestMapBelievesNoHeader(t *testing.T) {
	for name, spoil := range map[string]func(*Ring){
		"ring larger than the file":   func(r *Ring) { r.store(hRingSize, uint64(small.Ring+4096)) },
		"arena larger than the file":  func(r *Ring) { r.store(hArenaSize, 1<<29) },
		"sizes that overflow":         func(r *Ring) { r.store(hSlotSize, math.MaxUint64) },
		"slot of half a page":         func(r *Ring) { r.store(hSlotSize, 2048) },
		"no ring":                     func(r *Ring) { r.store(hRingSize, 0) },
		"another layout":              func(r *Ring) { r.store(hMagic, ringMagic+1<<56) },
		"parts shifted, smaller sum":  func(r *Ring) { r.store(hArenaSize, 4096) },
		"everything is at its limits": func(r *Ring) { r.store(hRingSize, MaxRing); r.store(hSlotSize, MaxSlot); r.store(hArenaSize, MaxArena) },
	} {
		t.Run(name, func(t *testing.T) {
			k, r := create(t, small)
			spoil(r)
			if x, err := k.Whole(); err == nil {
				x.Close()
				t.Error("mapped")
			}
		})
	}
}

// TestHostileWords: whatever stands in the words that a peer writes, nothing faults and nothing reaches outside.
func TestHostileWords(t *testing.T) {
	values := []uint64{0, 1, 2, 3, 4095, 4096, 8191, 8192, 8193, 1 << 20, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64 - 4096, math.MaxUint64}
	words := []int{hW, hS, hAnswered, hActive, hEOF, hBell, hFull, hTries, hTryAt, hTryOld, hDamage, hDamageAt, hSkipped, hSkippedAt, hSizes, hSizeLog, hSizeLog + 8}
	k, r := create(t, small)
	buf := make([]byte, 10000)
	for _, a := range words {
		for _, b := range words {
			for i, v := range values {
				for _, w := range words {
					r.store(w, 0)
				}
				r.store(a, v)
				r.store(b, values[(i*7+3)%len(values)])
				poke(k, buf)
				poke(r, buf)
			}
		}
	}
}

// poke calls everything.
func poke(r *Ring, buf []byte) {
	if f := r.Free(); f < 0 || f > small.Ring {
		panic("free")
	}
	if u := r.Used(); u < 0 || u > small.Ring {
		panic("used")
	}
	r.Bytes(r.S(), r.W())
	r.Bytes(r.W(), r.S())
	r.Append(buf)
	_, _, _, err := r.Load()
	if err != nil {
		r.Abandon()
	}
	_ = r.Checkpoint(r.W(), r.Resizes(), none)
	_ = r.Record(Resize{r.W(), 80, 24})
	r.ResizesFrom(0)
	r.ResizeAt(math.MaxUint64)
	r.BeginReplay(r.S())
	r.EndReplay()
	r.PunchRing()
	r.PunchIdle()
	r.PunchArena(math.MaxInt, math.MaxInt)
	r.TakeBell()
	r.TakeWantRoom()
	r.MarkDamage(1)
	r.EOF()
}

func TestAnsweredOnlyRises(t *testing.T) {
	_, r := create(t, small)
	r.SetAnswered(10)
	r.SetAnswered(5)
	if r.Answered() != 10 {
		t.Error(r.Answered())
	}
}

func TestBellIsTakenOnce(t *testing.T) {
	k, r := create(t, small)
	r.WantBell()
	if !k.BellWanted() || !k.TakeBell() || k.TakeBell() || r.BellWanted() {
		t.Error("a wish is taken exactly once")
	}
	k.WantRoom()
	if !r.RoomWanted() || !r.TakeWantRoom() || r.TakeWantRoom() {
		t.Error("a wish is taken exactly once")
	}
}

func TestDamageKeepsTheFirstPlace(t *testing.T) {
	k, r := create(t, small)
	k.MarkDamage(100)
	k.MarkDamage(200)
	if n, at := r.Damage(); n != 2 || at != 100 {
		t.Error(n, at)
	}
	r.MarkSkipped(7)
	if n, at := r.Skipped(); n != 1 || at != 7 {
		t.Error(n, at)
	}
}

// A server may have written over what the next one maps by. Who made the memory puts it right, and marks the pane.
func TestRelabel(t *testing.T) {
	k, r := create(t, small)
	if k.Relabel() {
		t.Error("nothing was wrong")
	}
	for _, off := range []int{hMagic, hRingSize, hSlotSize, hArenaSize} {
		r.store(off, 0xa5a5a5a5a5a5a5a5)
		if m, err := Map(k.Descriptor()); err == nil {
			m.Close()
			t.Errorf("word %d: mapped all the same", off)
		}
		if !k.Relabel() {
			t.Errorf("word %d: nothing was wrong", off)
		}
		m, err := Map(k.Descriptor())
		if err != nil {
			t.Fatal(err)
		}
		m.Close()
	}
	if n, _ := r.Damage(); n != 4 {
		t.Errorf("marked %d times", n)
	}
	s, err := CreateSlots(MinSlot)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.m[lMagic]++
	if _, err := MapSlots(s.Descriptor()); err == nil {
		t.Error("slots are mapped all the same")
	}
	if !s.Relabel() || s.Relabel() {
		t.Error("what was wrong is put right once")
	}
	m, err := MapSlots(s.Descriptor())
	if err != nil {
		t.Fatal(err)
	}
	m.Close()
}
