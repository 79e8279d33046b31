package store

import (
	"errors"
	"io"
	"io/fs"
	"syscall"
)

// FS is how the store reaches the disk. It is an interface so that tests can
// make any single operation fail, and lose what was not synced.
type FS interface {
	// Root opens the state directory. When create is set it is made, 0700,
	// with its parents.
	Root(path string, create bool) (Dir, error)
}

// Dir is an open directory. All names are single path elements, and no
// operation follows a link.
type Dir interface {
	Open(name string) (File, error)            // for reading
	Create(name string) (File, error)          // a new file, 0600, for writing; fails when the name is taken
	Append(name string) (File, error)          // an existing file, for writing
	Rename(from, to string) error              // within the directory, replacing
	Remove(name string) error                  // a file
	Names() ([]string, error)                  // in any order
	Dir(name string, create bool) (Dir, error) // a directory in this one; create makes it, 0700
	RemoveDir(name string) error               // an empty directory in this one
	Sync() error                               // names made, renamed or removed so far are durable
	Close() error
}

// File is an open regular file of ours. WriteAt may write less than it was
// given without an error; the store goes on with the rest.
type File interface {
	Size() (int64, error)
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}

// again repeats an operation that a signal interrupted. The bound keeps a
// broken file system from holding the saver for ever.
func again(op func() error) error {
	var err error
	for range 100 {
		if err = op(); !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	return err
}

// writeAt writes all of p, whatever pieces the file takes it in.
func writeAt(f File, p []byte, off int64) error {
	for len(p) > 0 {
		n := 0
		err := again(func() (err error) {
			n, err = f.WriteAt(p, off)
			if n > 0 && errors.Is(err, syscall.EINTR) {
				err = nil
			}
			return err
		})
		if n < 0 || n > len(p) {
			return io.ErrShortWrite
		}
		p, off = p[n:], off+int64(n)
		if err != nil {
			return err
		}
		if n == 0 {
			return io.ErrShortWrite
		}
	}
	return nil
}

// readAt fills p from off. A file that ends early gives what there is.
func readAt(f File, p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		n := 0
		err := again(func() (err error) {
			n, err = f.ReadAt(p[done:], off+int64(done))
			return err
		})
		done += max(n, 0)
		if errors.Is(err, io.EOF) || err == nil && n <= 0 {
			break
		}
		if err != nil {
			return done, err
		}
	}
	return done, nil
}

// readFile reads a whole file of at most limit bytes.
func readFile(d Dir, name string, limit int64) ([]byte, error) {
	f, err := openFile(d, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	if size > limit {
		return nil, &RefusedError{Name: name, Why: "it is far too large"}
	}
	p := make([]byte, size)
	n, err := readAt(f, p, 0)
	return p[:n], err
}

func openFile(d Dir, name string) (f File, err error) {
	err = again(func() (err error) { f, err = d.Open(name); return err })
	return f, err
}

func openDir(d Dir, name string, create bool) (sub Dir, err error) {
	err = again(func() (err error) { sub, err = d.Dir(name, create); return err })
	return sub, err
}

// closeFile closes a file that was synced. A signal during close says nothing
// about the contents, and the descriptor is gone all the same.
func closeFile(f File) error {
	if err := f.Close(); err != nil && !errors.Is(err, syscall.EINTR) {
		return err
	}
	return nil
}

// remove removes a file; one that is gone already is as good.
func remove(d Dir, name string) error {
	err := again(func() error { return d.Remove(name) })
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
