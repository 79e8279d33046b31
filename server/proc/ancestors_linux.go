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
		comm, f, err := statFields(at)
		if err != nil {
			return nil, err
		}
		in.Comm = comm
		parent, err := strconv.Atoi(f[4-behindName])
		if err != nil {
			return nil, fmt.Errorf("process %d: its parent: %w", at, err)
		}
		if in.Started, err = strconv.ParseUint(f[22-behindName], 10, 64); err != nil {
			return nil, fmt.Errorf("process %d: its start: %w", at, err)
		}
		chain = append(chain, in)
		if at == upTo {
			return chain, nil
		}
		at = parent
	}
	return nil, fmt.Errorf("process %d is not below %d", pid, upTo)
}

// behindName is the number of the field of /proc/PID/stat, by proc(5), that comes behind the short name.
const behindName = 3

// statFields reads a process's short name and the fields behind it, of which there are at least those up to 22.
func statFields(pid int) (comm string, f []string, err error) {
	b, err := read(pid, "stat", maxStat)
	if err != nil {
		return "", nil, fmt.Errorf("process %d: %w", pid, err)
	}
	open, end := bytes.IndexByte(b, '('), bytes.LastIndexByte(b, ')') // the name may hold anything
	if open < 0 || end < open {
		return "", nil, fmt.Errorf("process %d: unreadable stat", pid)
	}
	if f = strings.Fields(string(b[end+1:])); len(f) <= 22-behindName {
		return "", nil, fmt.Errorf("process %d: unreadable stat", pid)
	}
	return string(b[open+1 : end]), f, nil
}
