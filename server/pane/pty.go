package pane

import (
	"golang.org/x/sys/unix"

	"stet/server/direct"
	"stet/server/keeper"
)

// tryWrite writes what the terminal takes at once.
func tryWrite(m *keeper.Master, b []byte) (n int, err error) {
	err = m.Control(func(fd int) error {
		for n < len(b) {
			k, err := direct.Write(uintptr(fd), b[n:])
			switch {
			case err == unix.EINTR:
			case err == unix.EAGAIN || err == nil && k == 0:
				return nil
			case err != nil:
				return err
			default:
				n += k
			}
		}
		return nil
	})
	return n, err
}

// windowSize is the size that the program's terminal has at present; 80x24 where it cannot be asked.
func windowSize(m *keeper.Master) (cols, rows int) {
	cols, rows = 80, 24
	_ = m.Control(func(fd int) error {
		w, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
		if err == nil && w.Col > 0 && w.Row > 0 {
			cols, rows = int(w.Col), int(w.Row)
		}
		return err
	})
	return cols, rows
}
