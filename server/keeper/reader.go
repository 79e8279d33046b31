package keeper

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
)

// ErrFull says that the ring has no room: the owner must take a checkpoint now, whatever it thinks about the time.
var ErrFull = errors.New("ring is full")

// Reader waits for a pane's output, whoever reads it. Wait is called by one goroutine; the other methods by any.
type Reader struct {
	l    *Link
	p    *PaneInfo
	x    *ring.ExactReader // nil: the keeper reads
	seen uint64
	told bool // of the full ring

	wake   chan struct{} // room (we read) or output (the keeper reads)
	closed chan struct{}
}

// Reader makes the reader of a pane. There is one at a time. Make it only after every pane of the welcome has been replayed, so that a death
// while reading does not count as a death by another pane's bytes.
func (l *Link) Reader(p *PaneInfo) *Reader {
	r := &Reader{l: l, p: p, wake: make(chan struct{}, 1), closed: make(chan struct{})}
	if l.mode == Hybrid {
		r.x = l.stage.Reader(p.Master.file, p.Ring, p.ID)
	} else {
		l.watch(r)
	}
	r.Released()
	return r
}

// Wait returns nil when there is output behind what the last Wait showed ([ring.Ring.W] tells how far), io.EOF when there will
// never be any more, ErrFull (once) when the ring has no room and the owner must take a checkpoint, os.ErrClosed after Close, ErrGone
// when the keeper is gone.
func (r *Reader) Wait() error {
	select {
	case <-r.closed:
		return os.ErrClosed
	default:
	}
	if r.x != nil {
		return r.read()
	}
	return r.follow()
}

// read is for the mode in which we read ourselves.
func (r *Reader) read() error {
	g := r.p.Ring
	for {
		if w := g.W(); w != r.seen { // read by the keeper, before our time
			r.seen = w
			return nil
		}
		if g.EOF() {
			return io.EOF
		}
		if g.Free() == 0 {
			if err := r.waitRoom(); err != nil {
				return err
			}
			continue
		}
		r.told = false
		_, err := r.x.Read()
		switch {
		case err == nil:
		case !isErrno(err): // the file's word: closed, or told to stop. It says nothing about the terminal
			return os.ErrClosed
		case errors.Is(err, unix.EIO):
			g.SetEOF()
		default:
			g.SetEOF()
			return fmt.Errorf("read pane %d: %w", r.p.ID, err)
		}
	}
}

func (r *Reader) waitRoom() error {
	g := r.p.Ring
	g.WantRoom()
	if g.Free() > 0 {
		g.TakeWantRoom()
		return nil
	}
	if !r.told {
		r.told = true
		return ErrFull
	}
	select {
	case <-r.wake:
		return nil
	case <-r.closed:
		return os.ErrClosed
	}
}

// follow is for the mode in which the keeper reads.
func (r *Reader) follow() error {
	g := r.p.Ring
	for {
		eof := g.EOF() // before W: the last bytes come before it
		if w := g.W(); w != r.seen {
			r.seen, r.told = w, false
			return nil
		}
		if eof {
			return io.EOF
		}
		if !r.told && g.RoomWanted() && g.Free() == 0 {
			r.told = true
			return ErrFull
		}
		g.WantBell()
		if g.W() != r.seen || g.EOF() || !r.told && g.RoomWanted() && g.Free() == 0 {
			g.TakeBell()
			continue
		}
		select {
		case <-r.wake:
		case <-r.closed:
			return os.ErrClosed
		case <-r.l.done:
			return ErrGone
		}
	}
}

// Released is to be called after each checkpoint: a reader may have waited for the room.
func (r *Reader) Released() {
	if !r.p.Ring.TakeWantRoom() {
		return
	}
	if r.x != nil {
		poke(r.wake)
	} else {
		r.l.Room(r.p.ID)
	}
}

// Quiet gives memory back that a pane without output does not need: ring pages that are released, and the idle state slot. The owner calls it,
// after a checkpoint.
func (r *Reader) Quiet() {
	r.p.Ring.PunchIdle()
	if r.x != nil {
		r.p.Ring.PunchRing()
	} else {
		r.l.quiet(r.p.ID)
	}
}

// Close makes Wait return os.ErrClosed, now and later. Call it once. The pane's Master and Ring stay open.
func (r *Reader) Close() {
	close(r.closed)
	if r.x != nil {
		_ = r.p.Master.file.SetReadDeadline(time.Unix(1, 0)) // it fails only if the file is closed, which is as good
	} else {
		r.l.unwatch(r)
	}
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
