package resurrect

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func sampleReport() *Report {
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	return &Report{Build: "1.2.3", At: at, Generation: 7, Notes: []string{"workspace.toml:3: bad \x1b[2J"}, Rows: []Row{
		{PaneID: 1, Target: "main:0.0", State: Reattached, SavedAt: at, Dir: "/home/me"},
		{PaneID: 22, Target: "näme\x1b]0;x\x07:1.0", State: Waiting, Reason: "directory /x is missing; started in /", Next: "make the directory, then change to it", Lines: 1204, Dir: "/"},
		{PaneID: 3, Target: "main:1.0", State: Failed, Reason: "no", Lines: 5, Lost: 17},
	}}
}

func TestReportAsText(t *testing.T) {
	want := `3 panes: 1 reattached, 1 waiting, 1 failed
note: workspace.toml:3: bad �[2J
PANE  TARGET          STATE       LINES        DIRECTORY  WHY, AND WHAT TO DO
%1    main:0.0        reattached  0            /home/me
%22   näme�]0;x�:1.0  waiting     1204         /          directory /x is missing; started in /; to do: make the directory, then change to it
%3    main:1.0        failed      5 (17 lost)             no
`
	if got := sampleReport().Text(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := (&Report{}).Text(); got != "0 panes\n" {
		t.Errorf("empty: %q", got)
	}
}

func TestReportAsJSON(t *testing.T) {
	data, err := sampleReport().JSON()
	if err != nil {
		t.Fatal(err)
	}
	for _, field := range []string{`"format": 1`, `"pane_id": 22`, `"target"`, `"state": "waiting"`, `"reason"`, `"next"`, `"saved_at": "2031-05-06T07:08:09Z"`, `"lines_restored": 1204`, `"lines_lost": 17`, `"directory"`, `"generation": 7`, `"panes"`, `"notes"`} {
		if !strings.Contains(string(data), field) {
			t.Errorf("%s is missing in\n%s", field, data)
		}
	}
	got, err := ParseReport("report.json", data)
	if err != nil || got.Text() != sampleReport().Text() {
		t.Errorf("%+v %v", got, err)
	}
	for _, bad := range []string{"", "{", `{"format": 9, "build": "x"}`, "{\n\"format\": x}"} {
		var fe *FileError
		if _, err := ParseReport("report.json", []byte(bad)); !errors.As(err, &fe) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestFailKeepsWhatWasKnown(t *testing.T) {
	st := Step{PaneID: 1, State: Restored, Reason: "a fresh shell", Dir: "/"}
	r := st.Row(time.Time{})
	r.Fail(errors.New("fork: no more processes"), "respawn the pane")
	if r.State != Failed || r.Reason != "fork: no more processes (a fresh shell)" || r.Next != "respawn the pane" {
		t.Errorf("%+v", r)
	}
}
