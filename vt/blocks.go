package vt

// blocks gives out memory for history. Numbers below the length of the arena
// are blocks of it; higher ones lie on the heap: all of them when there is no
// arena, and otherwise those that were needed while the arena's free blocks
// were waiting for a checkpoint. Such blocks travel inside the state and move
// into the arena when it is published.
type blocks struct {
	arena   []byte
	status  []blockStatus // of the arena's blocks
	heap    [][]byte      // block len(status)+i, nil when free
	spare   []byte        // one heap block for reuse: fresh pages are dear
	used    int           // blocks in use
	usable  int           // when so many are used the oldest must go
	retired int
}

type blockStatus uint8

const (
	blockFree blockStatus = iota
	blockUsed
	blockRetired
)

func (b *blocks) init(arena []byte) {
	n := len(arena) / BlockSize
	b.arena = arena[:n*BlockSize]
	b.status = make([]blockStatus, n)
	b.usable = heapBlocks
	if n > 0 {
		b.usable = max(1, n-min(reserveBlocks, n/2))
	}
}

// mem is the memory of a block.
func (b *blocks) mem(n int) []byte {
	if n < len(b.status) {
		return b.arena[n*BlockSize : (n+1)*BlockSize : (n+1)*BlockSize]
	}
	return b.heap[n-len(b.status)]
}

// take gives a block that nothing refers to. Its number depends on what has
// been published; nothing else may depend on the number.
func (b *blocks) take() int {
	b.used++
	for i, s := range b.status {
		if s == blockFree {
			b.status[i] = blockUsed
			return i
		}
	}
	m := b.spare
	b.spare = nil
	if m == nil {
		m = make([]byte, BlockSize)
	}
	for i, h := range b.heap {
		if h == nil {
			b.heap[i] = m
			return len(b.status) + i
		}
	}
	b.heap = append(b.heap, m)
	return len(b.status) + len(b.heap) - 1
}

// give takes a block back. One of the arena is retired: the last checkpoint
// may refer to it.
func (b *blocks) give(n int) {
	b.used--
	if n < len(b.status) {
		b.status[n] = blockRetired
		b.retired++
		return
	}
	b.spare = b.heap[n-len(b.status)]
	b.heap[n-len(b.status)] = nil
}

// overflow is the number of heap blocks in use.
func (b *blocks) overflow() int {
	n := 0
	for _, h := range b.heap {
		if h != nil {
			n++
		}
	}
	return n
}

// Published tells that a checkpoint with the present AppendState is out:
// retired blocks may be used again. Nothing may have been written between that
// AppendState and this call.
func (t *Terminal) Published() {
	b := &t.hist.blocks
	if b.retired > 0 {
		for i, s := range b.status {
			if s == blockRetired {
				b.status[i] = blockFree
			}
		}
		b.retired = 0
	}
	if len(b.status) == 0 {
		return
	}
	for i, m := range b.heap {
		if m != nil {
			t.hist.toArena(len(b.status)+i, m)
		}
	}
}

// toArena moves a heap block into the arena if there is room.
func (h *history) toArena(from int, m []byte) {
	b := &h.blocks
	for i, s := range b.status {
		if s != blockFree {
			continue
		}
		b.status[i] = blockUsed
		copy(b.mem(i), m)
		for k := range h.extents {
			if h.extents[k].block == from {
				h.extents[k].block = i
			}
		}
		if h.open == from {
			h.open = i
		}
		b.heap[from-len(b.status)] = nil
		return
	}
}

// NeedsCheckpoint tells that free blocks run low because of retired ones: the
// owner should publish a state before the next Write.
func (t *Terminal) NeedsCheckpoint() bool {
	b := &t.hist.blocks
	if len(b.status) == 0 {
		return false
	}
	free := len(b.status) - b.used - b.retired
	return b.retired > 0 && free < min(reserveBlocks, len(b.status)/2)/2 || b.overflow() > 0
}

// FreeBlocks lists the arena's blocks that are not in use: their memory may be
// given back to the system (they must read as any bytes again, not fault).
// Retired ones are not among them.
func (t *Terminal) FreeBlocks() []int {
	var free []int
	for i, s := range t.hist.blocks.status {
		if s == blockFree {
			free = append(free, i)
		}
	}
	return free
}

// CopyBlocks gives copies of the arena's blocks that are in use, by number, and the size of the arena: what [Load] needs beside a
// state. nil when it would be more than most bytes.
func (t *Terminal) CopyBlocks(most int) (arena int, blocks map[int][]byte) {
	b := &t.hist.blocks
	if b.used*BlockSize > most {
		return 0, nil
	}
	blocks = map[int][]byte{}
	for i, s := range b.status {
		if s == blockUsed {
			blocks[i] = append([]byte(nil), b.mem(i)...)
		}
	}
	return len(b.arena), blocks
}
