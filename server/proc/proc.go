// Package proc is what the operating system tells of a pane's programs: the foreground process, its
// command line and its working directory. Answers are snapshots and may be out of date when they
// arrive; a process that is gone, or not ours, gives an error and never a guess.
package proc

import "errors"

// ErrUnsupported is returned where the system has no way to ask.
var ErrUnsupported = errors.New("process information is not available on this system")

// Info is what is known of one process.
type Info struct {
	Pid  int
	Argv []string // as the process was started, at most maxArgs bytes
	Name string   // base name of argv[0] without the leading dash of a login shell, else the kernel's short name
	Comm string   // the kernel's short name; filled in by Ancestors alone
	Cwd  string   // absolute; "" when it may not be read
	// Started is what Started tells of it; filled in by Ancestors alone.
	Started uint64
}

// maxArgs bounds what is read of a command line, in bytes.
const maxArgs = 64 << 10
