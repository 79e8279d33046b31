package main

import (
	"os"
	"runtime"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	const rest = " 4242 77 1 0 -1 4194560 900 0 0 0 123 45 6 7 20 0 8 0 5000 1000 200"
	for _, c := range []struct {
		name, line string
		state      byte
	}{
		{"plain", "77 (stet) S" + rest, 'S'},
		{"a name with blanks and parentheses", "77 (a) R 1 (b c)) Z" + rest, 'Z'},
	} {
		st, err := parseStat(c.line)
		if err != nil || st.state != c.state || st.parent != 4242 || st.cpu != 1680*time.Millisecond {
			t.Errorf("%s: %+v, %v", c.name, st, err)
		}
	}
	for _, bad := range []string{"", "77 stet S 1", "77 (stet) S 1 2 3", "77 (stet) S x 77 1 0 -1 4194560 900 0 0 0 123 45 6"} {
		if _, err := parseStat(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestParseRollup(t *testing.T) {
	m, err := parseRollup("55a9c0000000-7ffc5a9f5000 ---p 00000000 00:00 0    [rollup]\nRss:                5640 kB\n" +
		"Pss:                2140 kB\nPss_Dirty:          1000 kB\nPss_Anon:            900 kB\nPss_File:           1200 kB\nPss_Shmem:            40 kB\n")
	if err != nil || m != (memory{2140, 900, 1200, 40}) {
		t.Errorf("%+v, %v", m, err)
	}
	if _, err := parseRollup("Rss: 1 kB\nPss: many kB\n"); err == nil {
		t.Error("nonsense was taken")
	}
}

func TestFieldFindsTheWholeName(t *testing.T) {
	const status = "Name:\tstet\nnonvoluntary_ctxt_switches:\t9\nvoluntary_ctxt_switches:\t31\n"
	if n, err := field(status, "voluntary_ctxt_switches", ""); err != nil || n != 31 {
		t.Errorf("%d, %v", n, err)
	}
}

func TestFiguresOfThisProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	pid := os.Getpid()
	if !alive(pid) || alive(1<<30) {
		t.Error("who is alive?")
	}
	for _, f := range []func() (int64, error){
		func() (int64, error) { m, err := readMemory(pid); return m.pss, err },
		func() (int64, error) { d, err := cpuTime(pid); return int64(d), err },
		func() (int64, error) { return switches(pid) },
	} {
		if n, err := f(); err != nil || n <= 0 {
			t.Errorf("%d, %v", n, err)
		}
	}
	if _, err := cpuTime(1 << 22); err == nil {
		t.Error("a process that is not there has used time")
	}
}
