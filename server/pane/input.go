package pane

import (
	"errors"
	"os"
	"sync"
	"time"
)

// maxInput bounds the bytes that wait for a program that does not read, in bytes.
const maxInput = 1 << 20

// ErrInputFull says that a program has not read its input for so long that no more is kept.
var ErrInputFull = errors.New("the program does not read: 1 MiB of input waits, and this is refused")

// ErrInputLong says that input is longer than what may wait for any program, whether it reads or not.
var ErrInputLong = errors.New("more than 1 MiB at once is too much for a pane: nothing of it was sent")

// ErrEnded says that the pane's program has no terminal any more.
var ErrEnded = errors.New("the pane's program has ended")

// input is the writing side of one pseudo-terminal. Bytes are written at once where the terminal takes
// them; what it does not take is kept, in order, and a goroutine that exists only meanwhile waits for it.
type input struct {
	try  func(b []byte) (int, error)                     // writes what the terminal takes at once
	wait func(b []byte, deadline time.Time) (int, error) // waits for it to take more

	mu     sync.Mutex
	queue  []byte
	taken  uint64        // bytes that the program has taken out of the queue
	busy   bool          // the goroutine runs
	stuck  bool          // the program has not read while somebody waited for that
	waited time.Duration // by callers of AwaitRoom, since the program had taken mark bytes
	mark   uint64
	closed bool
	wg     sync.WaitGroup
}

// Write queues b whole or refuses it whole.
func (in *input) Write(b []byte) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.closed {
		return ErrEnded
	}
	if len(b) > maxInput {
		return ErrInputLong
	}
	if len(in.queue)+len(b) > maxInput {
		return ErrInputFull
	}
	if !in.busy {
		n, err := in.try(b)
		if err != nil {
			return err
		}
		b = b[n:]
	}
	if len(b) == 0 {
		return nil
	}
	in.queue = append(in.queue, b...)
	if !in.busy {
		in.busy = true
		in.wg.Add(1)
		go in.drain()
	}
	return nil
}

// drain writes the queue, waiting for the program, and ends when it is empty.
func (in *input) drain() {
	defer in.wg.Done()
	in.mu.Lock()
	defer in.mu.Unlock()
	for len(in.queue) > 0 && !in.closed {
		b := in.queue[:min(len(in.queue), 4096)]
		in.mu.Unlock()
		n, err := in.wait(b, time.Now().Add(time.Second)) // an end to the waiting, so that close is seen
		in.mu.Lock()
		if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
			in.queue = nil
			break
		}
		in.queue = in.queue[n:]
		in.taken += uint64(n)
		in.stuck = in.stuck && n == 0
	}
	in.busy, in.waited = false, 0
	if cap(in.queue) > 64<<10 && len(in.queue) == 0 {
		in.queue = nil
	}
}

// Times and sizes of AwaitRoom.
const (
	crowded  = 256 << 10              // bytes that may wait before more is held back
	patience = 2 * time.Second        // how long it is held back for each MiB that the program takes
	stillFor = 250 * time.Millisecond // a program that reads nothing for so long does not read
	lookTime = 2 * time.Millisecond
)

// AwaitRoom waits while a lot of input waits for a program that reads it: what is pasted into one that
// reads more slowly than the client sends is not refused. It does not wait for a program that does not
// read, and gives up on one that reads slowly, until all is read: the keys of the prefix come behind the
// paste, and the person must get away.
func (in *input) AwaitRoom() {
	in.mu.Lock()
	defer in.mu.Unlock()
	began := time.Now()
	moved, last := began, in.taken
	for len(in.queue) > crowded && !in.stuck && !in.closed {
		if in.taken-in.mark > 1<<20 {
			in.waited, in.mark = 0, in.taken
		}
		if in.waited > patience {
			return
		}
		in.mu.Unlock()
		time.Sleep(lookTime)
		in.mu.Lock()
		now := time.Now()
		in.waited += now.Sub(began)
		began = now
		if in.taken != last {
			moved, last = now, in.taken
		} else if now.Sub(moved) > stillFor {
			in.stuck = true
		}
	}
}

// Pending is how many bytes wait.
func (in *input) Pending() int {
	in.mu.Lock()
	defer in.mu.Unlock()
	return len(in.queue)
}

func (in *input) close() {
	in.mu.Lock()
	in.closed = true
	in.mu.Unlock()
	in.wg.Wait()
}

// rest takes what was never written, once it is closed.
func (in *input) rest() []byte {
	in.mu.Lock()
	defer in.mu.Unlock()
	rest := in.queue
	in.queue = nil
	return rest
}
