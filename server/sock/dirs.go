package sock

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/sys/unix"
)

// Make creates the directories as needed, and checks them. An unsafe directory is an error that says what is wrong with it. Where the state directory
// cannot be written to, a makeshift one takes its place in p, and Unsaved says why.
func (p *Paths) Make() error {
	if err := p.MakeRuntime(); err != nil {
		return err
	}
	if p.Unsaved == "" {
		err := makeState(p.State)
		if err == nil || !unwritable(err) {
			return err
		}
		*p = p.makeshift(err.Error())
	}
	return privateDir(p.State)
}

func makeState(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return fmt.Errorf("state directory %s: %w", dir, err)
	}
	if err := privateDir(dir); err != nil {
		return err
	}
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return fmt.Errorf("state directory %s: %w", dir, err)
	}
	return nil
}

// unwritable: nothing is wrong with the directory but that it cannot be made or written to.
func unwritable(err error) bool {
	for _, e := range [...]unix.Errno{unix.EROFS, unix.EACCES, unix.EPERM, unix.ENOSPC, unix.EDQUOT, unix.ENOTDIR, unix.ENOENT, unix.EIO} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// MakeRuntime does that for the directory of the socket alone. One that the user named by -S must be there.
func (p Paths) MakeRuntime() error {
	if p.Explicit {
		st, err := os.Stat(p.Runtime)
		if err == nil && !st.IsDir() {
			err = syscall.ENOTDIR
		}
		if err != nil {
			return fmt.Errorf("directory of the socket: %w", err)
		}
		return nil
	}
	return privateDir(p.Runtime)
}

// privateDir makes a directory for us alone, or checks the one that is there. In /tmp anyone could have made it first.
func privateDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make directory: %w", err)
	}
	return CheckDir(dir)
}

// CheckDir tells whether a directory may be trusted: it is a directory and not a link to one, it is ours, and nobody else can write to or read it.
func CheckDir(dir string) error {
	var st unix.Stat_t
	if err := unix.Lstat(dir, &st); err != nil {
		return fmt.Errorf("directory %s: %w", dir, err)
	}
	switch {
	case st.Mode&unix.S_IFMT == unix.S_IFLNK:
		return fmt.Errorf("directory %s is a symbolic link; refusing to follow it", dir)
	case st.Mode&unix.S_IFMT != unix.S_IFDIR:
		return fmt.Errorf("%s is not a directory", dir)
	case int(st.Uid) != os.Getuid():
		return fmt.Errorf("directory %s belongs to user %d, not to you (%d)", dir, st.Uid, os.Getuid())
	case st.Mode&0o077 != 0:
		return fmt.Errorf("directory %s is open to others (mode %03o); chmod 700 it", dir, st.Mode&0o777)
	}
	return nil
}

// HoldDir takes a shared lock on a directory for as long as the file stays open, which keeps systemd-tmpfiles from
// removing what is in it. The answer is nil where the file system knows no locks.
func HoldDir(dir string) *os.File {
	f, err := os.OpenFile(dir, os.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if err != nil {
		return nil
	}
	if err := flock(f, unix.LOCK_SH|unix.LOCK_NB); err != nil {
		f.Close()
		return nil
	}
	return f
}

// lockFile is the system's call; tests play a file system that has no locks.
var lockFile = unix.Flock

// flock locks an open file without making it blocking, as File.Fd would.
func flock(f *os.File, how int) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := c.Control(func(fd uintptr) {
		for {
			if inner = lockFile(int(fd), how); inner != unix.EINTR {
				return
			}
		}
	}); err != nil {
		return err
	}
	return inner
}
