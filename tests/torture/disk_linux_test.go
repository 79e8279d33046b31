package torture

import "golang.org/x/sys/unix"

// smallDisk puts a disk of 1 MiB at dir, and gives what takes it away.
func smallDisk(dir string) (release func() error, err error) {
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m,mode=0700"); err != nil {
		return nil, err
	}
	return func() error { return unix.Unmount(dir, 0) }, nil
}
