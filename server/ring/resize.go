package ring

import "errors"

// MaxLog is how many resizes may be recorded that no checkpoint holds yet.
const MaxLog = 32

// Resize says that at stream offset Pos the pane became Cols by Rows. Both are 1..65535.
type Resize struct {
	Pos        uint64
	Cols, Rows int
}

// ErrLogFull is returned by Record when a checkpoint must come first.
var ErrLogFull = errors.New("resize log is full: take a checkpoint first")

// Record notes a resize, before it is carried out: a recovery replays it at the same position. Pos is how far the emulator
// has parsed. The order is record, emulator, then the terminal's own size (which is set once more after a recovery).
func (r *Ring) Record(z Resize) error {
	n := r.load(hSizes)
	if n-r.resizes.Load() >= MaxLog {
		return ErrLogFull
	}
	o := hSizeLog + int(n%MaxLog)*16
	r.store(o, z.Pos)
	r.store(o+8, uint64(clampSize(z.Cols))<<32|uint64(clampSize(z.Rows)))
	r.store(hSizes, n+1)
	crash("resize")
	return nil
}

// Resizes is how many resizes were ever recorded.
func (r *Ring) Resizes() uint64 { return r.load(hSizes) }

// ResizeAt is the resize of this number, counted from 0. Only the last MaxLog of them are kept; others give the zero value.
func (r *Ring) ResizeAt(i uint64) Resize {
	n := r.load(hSizes)
	if i >= n || n-i > MaxLog {
		return Resize{}
	}
	o := hSizeLog + int(i%MaxLog)*16
	x := r.load(o + 8)
	return Resize{r.load(o), clampSize(int(x >> 32)), clampSize(int(x & 0xffffffff))}
}

// ResizesFrom lists the resizes from number i on, at most the last MaxLog.
func (r *Ring) ResizesFrom(i uint64) []Resize {
	n := r.load(hSizes)
	if i >= n {
		return nil
	}
	i = max(i, n-min(n, MaxLog))
	zs := make([]Resize, 0, n-i)
	for ; i < n; i++ {
		zs = append(zs, r.ResizeAt(i))
	}
	return zs
}

func clampSize(n int) int { return max(1, min(n, 65535)) }
