//go:build unix

package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Disk is the real file system. The state directory is opened once, and all
// else happens relative to it, so that nobody can put another directory in its
// place meanwhile. What is not a regular file of ours, or could be written by
// others, or is a link of either kind, is refused.
type Disk struct{}

// Root opens the state directory.
func (Disk) Root(path string, create bool) (Dir, error) {
	// A slash at the end would make the kernel follow a link.
	path = filepath.Clean(path)
	if create {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			return nil, err
		}
		if err := unix.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, &fs.PathError{Op: "mkdir", Path: path, Err: err}
		}
	}
	return openDiskDir(unix.AT_FDCWD, path)
}

type diskDir struct {
	f  *os.File
	fd int // of f; os.File.Fd would make it blocking each time
}

func openDiskDir(at int, name string) (Dir, error) {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENOTDIR) {
			return nil, &RefusedError{Name: name, Why: "it is no directory"}
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	if why := distrust(&st); why != "" {
		unix.Close(fd)
		return nil, &RefusedError{Name: name, Why: why}
	}
	return &diskDir{os.NewFile(uintptr(fd), name), fd}, nil
}

// InPlace says whether the directory is still what its path leads to: what is written into one that was
// moved, removed or replaced would not be found by the next start.
func (d *diskDir) InPlace() error {
	path := d.f.Name()
	var here, there unix.Stat_t
	if err := unix.Fstat(d.fd, &here); err != nil {
		return &fs.PathError{Op: "stat", Path: path, Err: err}
	}
	switch err := unix.Lstat(path, &there); {
	case err != nil:
		return fmt.Errorf("%s was moved or removed (%w): put it back, and the next try takes it", path, err)
	case here.Dev != there.Dev || here.Ino != there.Ino:
		return fmt.Errorf("%s is another one than at the start: put the old one back, and the next try takes it", path)
	}
	return nil
}

// distrust says what is wrong with the owner or mode, if anything.
func distrust(st *unix.Stat_t) string {
	switch {
	case int(st.Uid) != os.Geteuid():
		return fmt.Sprintf("it belongs to user %d", st.Uid)
	case st.Mode&0o022 != 0:
		return fmt.Sprintf("others may write to it (mode %04o)", st.Mode&0o7777)
	}
	return ""
}

// element refuses names that would leave the directory.
func element(name string) error {
	if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\x00") {
		return &RefusedError{Name: name, Why: "it is no file name"}
	}
	return nil
}

func (d *diskDir) open(name string, flags int) (File, error) {
	if err := element(name); err != nil {
		return nil, err
	}
	// O_NONBLOCK keeps a planted pipe from holding us; files do not mind it.
	fd, err := unix.Openat(d.fd, name, flags|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
	if err != nil {
		if errors.Is(err, unix.ELOOP) {
			return nil, &RefusedError{Name: name, Why: "it is a link"}
		}
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	why := distrust(&st)
	if st.Mode&unix.S_IFMT != unix.S_IFREG {
		why = "it is no regular file"
	} else if st.Nlink != 1 {
		why = "it has more than one name"
	}
	if why != "" {
		unix.Close(fd)
		return nil, &RefusedError{Name: name, Why: why}
	}
	return &diskFile{os.NewFile(uintptr(fd), name)}, nil
}

func (d *diskDir) Open(name string) (File, error) { return d.open(name, unix.O_RDONLY) }

func (d *diskDir) Create(name string) (File, error) {
	return d.open(name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL)
}

func (d *diskDir) Append(name string) (File, error) { return d.open(name, unix.O_WRONLY) }

func (d *diskDir) Rename(from, to string) error {
	if err := errors.Join(element(from), element(to)); err != nil {
		return err
	}
	return wrap("rename", to, unix.Renameat(d.fd, from, d.fd, to))
}

func (d *diskDir) Remove(name string) error {
	if err := element(name); err != nil {
		return err
	}
	return wrap("remove", name, unix.Unlinkat(d.fd, name, 0))
}

func (d *diskDir) RemoveDir(name string) error {
	if err := element(name); err != nil {
		return err
	}
	return wrap("remove", name, unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR))
}

func (d *diskDir) Names() ([]string, error) {
	// A descriptor of its own: listing moves the position of the descriptor.
	fd, err := unix.Openat(d.fd, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, wrap("list", d.f.Name(), err)
	}
	f := os.NewFile(uintptr(fd), d.f.Name())
	defer f.Close()
	names, err := f.Readdirnames(maxNames)
	if len(names) > 0 || err == nil {
		return names, nil
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	return nil, nil
}

func (d *diskDir) Dir(name string, create bool) (Dir, error) {
	if err := element(name); err != nil {
		return nil, err
	}
	if create {
		if err := unix.Mkdirat(d.fd, name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, wrap("mkdir", name, err)
		}
	}
	return openDiskDir(d.fd, name)
}

func (d *diskDir) Sync() error {
	err := d.f.Sync()
	// Some network and FUSE file systems cannot sync a directory and say so;
	// there is nothing better to do on them.
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOTSUP) {
		return nil
	}
	return err
}

func (d *diskDir) Close() error { return d.f.Close() }

// diskFile is a file of the real file system.
type diskFile struct{ *os.File }

func (f *diskFile) Size() (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

func wrap(op, name string, err error) error {
	if err == nil {
		return nil
	}
	return &fs.PathError{Op: op, Path: name, Err: err}
}
