package main

import (
	"bytes"
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	o, err := parseFlags([]string{"-runs", "7", "-only", "^echo", "-json", "x"})
	if err != nil || o.runs != 7 || !o.only.MatchString("echo idle") || o.only.MatchString("output echo") || o.json != "x" {
		t.Errorf("%+v, %v", o, err)
	}
	for _, bad := range []string{"-runs 0", "-runs 5000", "-only (", "echo"} {
		if _, err := parseFlags(strings.Fields(bad)); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestMeasuresHaveNamesAndLimits(t *testing.T) {
	names, titles := map[string]bool{}, map[string]bool{}
	for _, m := range measures() {
		if m.limit <= 0 || m.take == nil || names[m.name] {
			t.Errorf("%q: no limit, nothing to do, or its name is taken", m.name)
		}
		names[m.name] = true
		for _, r := range m.rows {
			if titles[r.title] {
				t.Errorf("two rows are called %q", r.title)
			}
			titles[r.title] = true
		}
	}
}

func TestWithoutTmuxThereIsNothingToCompareWith(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it runs on Linux only")
	}
	var out bytes.Buffer
	err := run(context.Background(), []string{"-tmux", "/nowhere/tmux", "-stet", "/bin/true", "-only", "^none of them$"}, &out)
	if err != nil || !strings.Contains(out.String(), "nothing to compare with") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestNothingToMeasureIsAnError(t *testing.T) {
	if err := run(context.Background(), []string{"-tmux", "-", "-stet", "-"}, io.Discard); err == nil {
		t.Error("no error")
	}
}
