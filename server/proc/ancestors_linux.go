package proc

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// maxAncestors bounds the way up.
const maxAncestors = 64

// Ancestors are the processes from one up to another, both included, the lower first. It is an error when
// the other is not above it.
func Ancestors(pid, upTo int) ([]Info, error) {
	var chain []Info
	for at := pid; at > 1 && len(chain) < maxAncestors; {
		in, err := Lookup(at)
		if err != nil {
			return nil, err
		}
		comm, parent, err := stat(at)
		if err != nil {
			return nil, err
		}
		in.Comm = comm
		chain = append(chain, in)
		if at == upTo {
			return chain, nil
		}
		at = parent
	}
	return nil, fmt.Errorf("process %d is not below %d", pid, upTo)
}

// stat reads a process's short name and its parent from /proc/PID/stat (proc(5)).
func stat(pid int) (comm string, parent int, err error) {
	b, err := read(pid, "stat", maxStat)
	if err != nil {
		return "", 0, fmt.Errorf("process %d: %w", pid, err)
	}
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')') // the name may hold anything
	if open < 0 || end < open {
		return "", 0, fmt.Errorf("process %d: unreadable stat", pid)
	}
	f := strings.Fields(string(b[end+1:]))
	if len(f) < 2 {
		return "", 0, fmt.Errorf("process %d: unreadable stat", pid)
	}
	parent, err = strconv.Atoi(f[1])
	return string(b[open+1 : end]), parent, err
}
