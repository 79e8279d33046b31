package command

import (
	"strings"
	"testing"
	"time"

	"stet/vt/width"
)

func reportSample() []ReportRow {
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.Local)
	return []ReportRow{
		{Pane: "%1", Session: "work", Window: 0, State: "restored", Reason: "a fresh shell", SavedAt: at},
		{Pane: "%12", Session: "日本語", Window: 10, State: "waiting", Reason: "directory /a/very/long/path/that/has/no/blank/in/it/at/all/and/goes/on is missing", Next: "stet restore-pane --create -t %12", SavedAt: at},
		{Pane: "%3", State: "reattached", Reason: "its program never stopped"},
		{Pane: "%4", Session: "x\x1b[2Jy", Window: 1, State: "failed", Reason: "no\nsuch", SavedAt: at},
	}
}

func TestReportLinesAreAligned(t *testing.T) {
	lines := reportLines(reportSample())
	for i, want := range []string{"a fresh shell", "directory", "its program", "no"} {
		before, _, ok := strings.Cut(lines[i], "  "+want)
		if !ok || width.String(before) != 4-1+2+9+2+10+2+25 {
			t.Errorf("%q begins its reason at %d", lines[i], width.String(before))
		}
		if strings.ContainsAny(lines[i], "\x1b\n") {
			t.Errorf("%q acts on a terminal", lines[i])
		}
	}
	if got := ReportSummary(reportSample()); got != "4 panes: 1 reattached, 1 restored, 1 waiting, 1 failed" {
		t.Error(got)
	}
}

func TestALongNameLeavesRoomInAReport(t *testing.T) {
	rows := append(reportSample(), ReportRow{Pane: "%5", Session: strings.Repeat("語", 170), Window: 7, State: "restored", Reason: "a fresh shell"})
	lines := reportLines(rows)
	if l := lines[len(lines)-1]; width.String(l) > 120 || !strings.Contains(l, "語…:7") {
		t.Errorf("%d columns: %s", width.String(l), l)
	}
}

func TestReportViewCutsNothingOff(t *testing.T) {
	for cols := 1; cols < 130; cols++ {
		lines := ReportView(reportSample(), []string{"a note of some words"}, time.Time{}, cols)
		text := strings.Join(lines, "\n")
		if cols >= 40 {
			for _, l := range lines {
				if width.String(l) > cols && !strings.Contains(l, "saved 2031") {
					t.Fatalf("%d columns: %q", cols, l)
				}
			}
		}
		if failed, waiting := strings.Index(text, "%4"), strings.Index(text, "%12"); failed < 0 || failed > waiting {
			t.Fatalf("%d columns: what failed does not come first:\n%s", cols, text)
		}
		if squeezed := strings.NewReplacer(" ", "", "\n", "").Replace(text); !strings.Contains(squeezed, "/a/very/long/path/that/has/no/blank/in/it/at/all/and/goes/on") && cols > 12 {
			t.Fatalf("%d columns: something is missing:\n%s", cols, text)
		}
	}
}
