package ring

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// sealedMemory makes sparse memory of a fixed size. The seals matter: if a peer could shrink the file, the next touch
// would be a SIGBUS, in the keeper the end of every pane. Writing and punching holes stay possible. The first
// reserve bytes are allocated at once.
//
// ftruncate obeys RLIMIT_FSIZE even here, so a small `ulimit -f` shows as EFBIG.
func sealedMemory(name string, size, reserve int64) (int, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return -1, fmt.Errorf("memfd_create: %w", err)
	}
	if err = unix.Ftruncate(fd, size); err == nil {
		err = unix.Fallocate(fd, 0, 0, reserve)
	}
	if err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, wantSeals)
	}
	if err != nil {
		unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

const wantSeals = unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_SEAL

// sealedSize is the size of memory that nobody can change any more.
func sealedSize(fd int) (int64, error) {
	seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	if err != nil {
		return 0, fmt.Errorf("seals: %w", err)
	}
	if seals&wantSeals != wantSeals {
		return 0, errors.New("not sealed")
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return 0, err
	}
	return st.Size, nil
}

// punch gives the whole pages within b, a piece of a shared mapping, back to the system; they read as zeros afterwards.
func punch(b []byte) {
	page := os.Getpagesize()
	if len(b) < page {
		return
	}
	from := int(-address(b)) & (page - 1)
	to := len(b) - (int(address(b))+len(b))&(page-1)
	if from < to {
		_ = unix.Madvise(b[from:to], unix.MADV_REMOVE) // only memory is at stake
	}
}
