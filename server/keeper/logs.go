package keeper

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

const (
	keeperLog = "keeper.log"
	serverLog = "server.log"
	logLimit  = 1 << 20
)

// openLog opens a log of the state directory to append to, 0600. One that has grown beyond 1 MiB begins anew.
func openLog(dir, name string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_APPEND|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a file", name)
	}
	if err == nil && st.Size() > logLimit {
		err = f.Truncate(0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("log: %w", err)
	}
	return f, nil
}

// takeStdio lets go of whatever the starter left on the standard descriptors: input is /dev/null, output the keeper's log.
func takeStdio(dir string) error {
	null, err := os.OpenFile(os.DevNull, os.O_RDONLY, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	out, err := openLog(dir, keeperLog)
	if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
		out, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	if err != nil {
		return err
	}
	defer out.Close()
	fds, done, err := rawFds(null, out)
	if err != nil {
		return err
	}
	defer done()
	for to, from := range [...]uintptr{fds[0], fds[1], fds[1]} {
		if err := unix.Dup2(int(from), to); err != nil {
			return fmt.Errorf("standard descriptors: %w", err)
		}
	}
	return nil
}
