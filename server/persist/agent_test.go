package persist

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"stet/resurrect"
	"stet/server/model"
)

// TestAnAgentsRecordHasNoPromptAndNoToken: what goes to disk is what a resume needs.
func TestAnAgentsRecordHasNoPromptAndNoToken(t *testing.T) {
	m, at := model.New(), time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	rec := &model.Agent{
		Name: "claude", Conversation: "id", ReportedAt: at, Args: []string{"--model", "x"}, Exe: "/bin/claude", Cwd: "/src",
		Env: []string{"A=b", "C=d=e"}, State: model.AgentRunning, Launch: []string{"claude", "my prompt"}, Token: "my token",
	}
	_, _, p, err := m.NewSession(model.SessionSpec{Name: "s", Cwd: "/", W: 80, H: 24, Now: at}, model.PaneSpec{UID: "u1", Shell: "/bin/sh", Agent: rec})
	if err != nil {
		t.Fatal(err)
	}
	facts := func(*model.Pane) PaneFacts {
		return PaneFacts{Cols: 80, Rows: 24, Running: []string{"claude", "my prompt"}}
	}
	ws := Export(m, "b", resurrect.IntentRunning, at, facts, func(model.PaneID) bool { return false })
	if ws.Draft {
		t.Error("an agent is not worth saving")
	}
	ws.Generation = 1
	text, err := resurrect.Encode(ws)
	if err != nil {
		t.Fatal(err)
	}
	if s := string(text); strings.Contains(s, "my prompt") || strings.Contains(s, "my token") {
		t.Errorf("on disk:\n%s", s)
	}
	read, err := resurrect.Decode("workspace.toml", text)
	if err != nil {
		t.Fatal(err)
	}
	back, err := Import(read)
	if err != nil {
		t.Fatal(err)
	}
	want := rec.Clone()
	want.Launch, want.Token = nil, ""
	if got := back.Panes[p.ID].Agent; !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}
