package ring

import (
	"bytes"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMapRefusesMemoryThatCouldShrink(t *testing.T) {
	fd, err := unix.MemfdCreate("loose", unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		t.Skip(err)
	}
	defer unix.Close(fd)
	if err := unix.Ftruncate(fd, small.total()); err != nil {
		t.Fatal(err)
	}
	if _, err := Map(fd); err == nil {
		t.Error("mapped memory without seals")
	}
	if _, err := MapSlots(fd); err == nil {
		t.Error("mapped slots without seals")
	}
	if _, err := MapStage(fd); err == nil {
		t.Error("mapped a stage without seals")
	}
}

func TestPunchedRingKeepsWhatIsNotReleased(t *testing.T) {
	s := Sizes{Ring: 64 << 10, Slot: 64 << 10, Arena: 128 << 10}
	_, r := create(t, s)
	fill := bytes.Repeat([]byte("0123456789abcdef"), s.Ring/16)
	r.Append(fill[:60000])
	if err := r.Checkpoint(50000, 0, none); err != nil {
		t.Fatal(err)
	}
	r.Append(fill[:20000]) // wraps
	before := append(bytes.Clone(r.Bytes(50000, r.W())), r.Bytes(uint64(s.Ring), r.W())...)
	copy(r.Arena(), fill)
	copy(r.Arena()[64<<10:], fill)
	used := resident(t, r)
	r.PunchRing()
	r.PunchIdle()
	r.PunchArena(64<<10, 64<<10)
	after := append(bytes.Clone(r.Bytes(50000, r.W())), r.Bytes(uint64(s.Ring), r.W())...)
	if !bytes.Equal(before, after) {
		t.Error("bytes that were not released are gone")
	}
	if !bytes.Equal(r.Arena()[:64<<10], fill) {
		t.Error("a block that was not named is gone")
	}
	if now := resident(t, r); now >= used {
		t.Errorf("%d bytes before, %d after", used, now)
	}
	for _, b := range r.Arena()[64<<10:] {
		if b != 0 {
			t.Fatal("the free block is still there")
		}
	}
}

// resident counts the allocated bytes of the pane's memory.
func resident(t *testing.T, r *Ring) int64 {
	var st unix.Stat_t
	for i := 0; i < 4096; i++ { // the mapping itself has no descriptor; find the file through the keeper's
		if unix.Fstat(i, &st) == nil && st.Size == r.s.total() && st.Mode&unix.S_IFMT == unix.S_IFREG {
			return st.Blocks * 512
		}
	}
	t.Skip("the file is not to be found")
	return 0
}
