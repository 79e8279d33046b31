package model

import (
	"reflect"
	"testing"
	"time"
)

func TestAnAgentSurvivesACheckpoint(t *testing.T) {
	m := New()
	at := time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)
	rec := &Agent{
		Name: "claude", Conversation: "id", ReportedAt: at, Args: []string{"--model", "x"}, Exe: "/bin/claude", Cwd: "/src", Env: []string{"A=b"},
		State: AgentLaunching, Why: "w", Next: "n", Launch: []string{"claude", "a prompt \xff"}, Token: "t", Resumed: true, Hooked: true, Heard: true, Ready: true,
	}
	_, _, p, err := m.NewSession(SessionSpec{Name: "s", Cwd: "/", W: 80, H: 24, Now: at}, PaneSpec{UID: "u1", Shell: "/bin/sh", Agent: rec})
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	back, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if got := back.Panes[p.ID].Agent; !reflect.DeepEqual(got, rec) {
		t.Errorf("%+v, want %+v", got, rec)
	}
	c := m.Clone()
	m.Panes[p.ID].Agent.State, m.Panes[p.ID].Agent.Args[1] = AgentRunning, "y"
	if got := c.Panes[p.ID].Agent; got.State != AgentLaunching || got.Args[1] != "x" {
		t.Errorf("a clone changes with what it was made of: %+v", got)
	}
}

func TestAnotherProgramEndsAnAgentsRecordAndOneBeneathDoesNot(t *testing.T) {
	m := New()
	_, _, p, err := m.NewSession(SessionSpec{Name: "s", Cwd: "/", W: 80, H: 24}, PaneSpec{UID: "u1", Shell: "/bin/sh", Agent: &Agent{Name: "claude"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Replace(p.ID, "u1"); err == nil {
		t.Error("the text of two programs has one name")
	}
	run := p.Run
	if err := m.Replace(p.ID, "u2"); err != nil || p.Agent == nil || p.UID != "u2" || p.Run == run || p.State != Starting {
		t.Errorf("%v, %+v", err, p)
	}
	if err := m.Respawn(p.ID, PaneSpec{UID: "u3"}); err != nil || p.Agent != nil {
		t.Errorf("%v, %+v", err, p.Agent)
	}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
}
