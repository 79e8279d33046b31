package store

import (
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"syscall"
)

// memFS is a file system in memory that can fail at any operation, and that
// knows what is durable: crash gives what a machine could find after its power
// went, with any part of what was not synced lost.
type memFS struct {
	root *memDir

	ops    int
	failAt int   // the operation that fails, from 1; 0: none
	err    error // with this; nil: a write that is short
	stay   bool  // and so do all after it
}

func newMemFS() *memFS {
	m := &memFS{}
	m.root = newMemDir(m)
	return m
}

type memOp struct {
	from, to string // a rename when both are set, else to is made or removed
	node     any    // nil: removed
}

type memDir struct {
	m      *memFS
	live   map[string]any // *memDir or *memFile
	synced map[string]any
	ops    []memOp // since the last sync, in order
}

type memFile struct {
	m      *memFS
	data   []byte
	synced []byte
	// A sync that failed has dropped the bytes from lost to lostEnd. As on
	// Linux, those after it report success, and unless these bytes were
	// written again they are not on the disk all the same.
	lost, lostEnd int
}

// lateError makes an operation fail although it was carried out, as a rename
// may over a network.
type lateError struct{ error }

func (e lateError) Unwrap() error { return e.error }

func newMemDir(m *memFS) *memDir {
	return &memDir{m: m, live: map[string]any{}, synced: map[string]any{}}
}

// arm makes the n-th operation from now fail.
func (m *memFS) arm(n int, err error, stay bool) {
	m.ops, m.failAt, m.err, m.stay = 0, n, err, stay
}

func (m *memFS) disarm() { m.failAt = 0 }

// step counts an operation. short means: do part of it.
func (m *memFS) step() (err error, short bool) {
	m.ops++
	if m.failAt > 0 && (m.ops == m.failAt || m.stay && m.ops > m.failAt) {
		return m.err, true
	}
	return nil, false
}

func (m *memFS) Root(string, bool) (Dir, error) {
	if err, _ := m.step(); err != nil {
		return nil, err
	}
	return m.root, nil
}

// clone copies everything; what was synced stays apart from what was not.
func (m *memFS) clone() *memFS {
	c := &memFS{}
	seen := map[any]any{}
	var node func(n any) any
	node = func(n any) any {
		if n == nil {
			return nil
		}
		if d, ok := seen[n]; ok {
			return d
		}
		switch n := n.(type) {
		case *memFile:
			f := &memFile{m: c, data: append([]byte(nil), n.data...), synced: append([]byte(nil), n.synced...), lost: n.lost, lostEnd: n.lostEnd}
			seen[n] = f
			return f
		case *memDir:
			d := newMemDir(c)
			seen[n] = d
			for k, v := range n.live {
				d.live[k] = node(v)
			}
			for k, v := range n.synced {
				d.synced[k] = node(v)
			}
			for _, op := range n.ops {
				d.ops = append(d.ops, memOp{op.from, op.to, node(op.node)})
			}
			return d
		}
		return nil
	}
	c.root = node(m.root).(*memDir)
	return c
}

// crash gives what is found after a power failure. How much of what was not
// synced survives is drawn from r: of each file any mix of old and new bytes,
// of each directory any of its changes. nil: nothing survives.
func (m *memFS) crash(r *rand.Rand) *memFS {
	c := m.clone()
	done := map[any]bool{}
	var settle func(n any)
	settle = func(n any) {
		if done[n] {
			return
		}
		done[n] = true
		switch n := n.(type) {
		case *memFile:
			n.data = torn(n.synced, n.data, r)
			n.synced, n.lost, n.lostEnd = append([]byte(nil), n.data...), 0, 0
		case *memDir:
			now := map[string]any{}
			for k, v := range n.synced {
				now[k] = v
			}
			for _, op := range n.ops {
				if r == nil || r.IntN(2) == 0 {
					continue
				}
				if op.from != "" {
					delete(now, op.from)
				}
				if op.node == nil {
					delete(now, op.to)
				} else {
					now[op.to] = op.node
				}
			}
			n.ops = nil
			n.live, n.synced = now, map[string]any{}
			for k, v := range now {
				n.synced[k] = v
				settle(v)
			}
		}
	}
	settle(c.root)
	return c
}

// torn mixes old and new contents in pieces.
func torn(old, now []byte, r *rand.Rand) []byte {
	if r == nil {
		return append([]byte(nil), old...)
	}
	size := len(old)
	if r.IntN(2) == 0 {
		size = len(now)
	}
	out := make([]byte, size) // zeros where neither reached the disk
	copy(out, old)
	for i := 0; i < len(now) && i < size; {
		n := 1 + r.IntN(64)
		if r.IntN(2) == 0 {
			copy(out[i:min(i+n, size)], now[i:])
		}
		i += n
	}
	return out
}

func (d *memDir) get(name string) (any, error) {
	if n, ok := d.live[name]; ok {
		return n, nil
	}
	return nil, fs.ErrNotExist
}

func (d *memDir) set(op memOp) {
	d.ops = append(d.ops, op)
	if op.from != "" {
		delete(d.live, op.from)
	}
	if op.node == nil {
		delete(d.live, op.to)
	} else {
		d.live[op.to] = op.node
	}
}

func (d *memDir) open(name string) (File, error) {
	if err, _ := d.m.step(); err != nil {
		return nil, err
	}
	n, err := d.get(name)
	if err != nil {
		return nil, err
	}
	f, ok := n.(*memFile)
	if !ok {
		return nil, &RefusedError{Name: name, Why: "it is no regular file"}
	}
	return f, nil
}

func (d *memDir) Open(name string) (File, error)   { return d.open(name) }
func (d *memDir) Append(name string) (File, error) { return d.open(name) }

func (d *memDir) Create(name string) (File, error) {
	if err, _ := d.m.step(); err != nil {
		return nil, err
	}
	if _, ok := d.live[name]; ok {
		return nil, fs.ErrExist
	}
	f := &memFile{m: d.m}
	d.set(memOp{to: name, node: f})
	return f, nil
}

func (d *memDir) Rename(from, to string) error {
	fault, _ := d.m.step()
	if fault != nil && !errors.As(fault, new(lateError)) {
		return fault
	}
	n, err := d.get(from)
	if err != nil {
		return err
	}
	d.set(memOp{from: from, to: to, node: n})
	return fault
}

func (d *memDir) Remove(name string) error {
	if err, _ := d.m.step(); err != nil {
		return err
	}
	n, err := d.get(name)
	if _, ok := n.(*memDir); ok {
		return syscall.EISDIR
	}
	if err == nil {
		d.set(memOp{to: name})
	}
	return err
}

func (d *memDir) RemoveDir(name string) error {
	if err, _ := d.m.step(); err != nil {
		return err
	}
	n, err := d.get(name)
	if err != nil {
		return err
	}
	if len(n.(*memDir).live) > 0 {
		return syscall.ENOTEMPTY
	}
	d.set(memOp{to: name})
	return nil
}

func (d *memDir) Names() ([]string, error) {
	if err, _ := d.m.step(); err != nil {
		return nil, err
	}
	var names []string
	for n := range d.live {
		names = append(names, n)
	}
	return names, nil
}

func (d *memDir) Dir(name string, create bool) (Dir, error) {
	if err, _ := d.m.step(); err != nil {
		return nil, err
	}
	n, err := d.get(name)
	if errors.Is(err, fs.ErrNotExist) && create {
		sub := newMemDir(d.m)
		d.set(memOp{to: name, node: sub})
		return sub, nil
	}
	if err != nil {
		return nil, err
	}
	sub, ok := n.(*memDir)
	if !ok {
		return nil, &RefusedError{Name: name, Why: "it is no directory"}
	}
	return sub, nil
}

func (d *memDir) Sync() error {
	if err, _ := d.m.step(); err != nil {
		return err
	}
	d.ops = nil
	d.synced = map[string]any{}
	for k, v := range d.live {
		d.synced[k] = v
	}
	return nil
}

func (d *memDir) Close() error { return nil }

func (f *memFile) Size() (int64, error) {
	err, _ := f.m.step()
	return int64(len(f.data)), err
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	if err, _ := f.m.step(); err != nil {
		return 0, err
	}
	if off >= int64(len(f.data)) {
		return 0, io.EOF
	}
	return copy(p, f.data[off:]), nil
}

func (f *memFile) WriteAt(p []byte, off int64) (int, error) {
	err, short := f.m.step()
	if short {
		p = p[:len(p)/2]
	}
	if need := int(off) + len(p); need > len(f.data) {
		f.data = append(f.data, make([]byte, need-len(f.data))...)
	}
	copy(f.data[off:], p)
	if int(off) <= f.lost {
		f.lost = max(f.lost, int(off)+len(p))
	} else {
		f.lostEnd = min(f.lostEnd, int(off))
	}
	return len(p), err
}

func (f *memFile) Truncate(size int64) error {
	if err, _ := f.m.step(); err != nil {
		return err
	}
	f.data = f.data[:min(size, int64(len(f.data)))]
	f.lostEnd = min(f.lostEnd, len(f.data))
	return nil
}

func (f *memFile) Sync() error {
	if err, _ := f.m.step(); err != nil {
		if !errors.Is(err, syscall.EINTR) {
			f.lost, f.lostEnd = 0, len(f.data)
			for f.lost < len(f.data) && f.lost < len(f.synced) && f.data[f.lost] == f.synced[f.lost] {
				f.lost++
			}
		}
		return err
	}
	now := append([]byte(nil), f.data...)
	for i := f.lost; i < f.lostEnd && i < len(now); i++ {
		now[i] = 0
		if i < len(f.synced) {
			now[i] = f.synced[i]
		}
	}
	f.synced = now
	return nil
}

func (f *memFile) Close() error {
	err, _ := f.m.step()
	return err
}

// temps lists temporary files anywhere.
func (m *memFS) temps() []string {
	var found []string
	var walk func(path string, d *memDir)
	walk = func(path string, d *memDir) {
		for n, v := range d.live {
			if isTemp(n) {
				found = append(found, path+n)
			}
			if sub, ok := v.(*memDir); ok {
				walk(path+n+"/", sub)
			}
		}
	}
	walk("", m.root)
	return found
}

// files lists every file and directory of the panes.
func (m *memFS) files() []string {
	var found []string
	panes, ok := m.root.live[panesDir].(*memDir)
	if !ok {
		return nil
	}
	for uid, d := range panes.live {
		for n := range d.(*memDir).live {
			found = append(found, uid+"/"+n)
		}
	}
	return found
}
