//go:build !linux

package main

import "time"

func cpuTime(pid int) (time.Duration, error) {
	st, err := readStat(pid)
	return st.cpu, err
}
