package server

import (
	"testing"

	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
)

func TestProgramsThatTheModelDoesNotKnowGetAWindow(t *testing.T) {
	s, _, _ := house(t) // has panes 0 and 1
	info := func(era, id uint64, argv ...string) *keeper.PaneInfo {
		return &keeper.PaneInfo{ID: era<<pane.EraShift | (id + 1), Argv: argv, Dir: "/d"}
	}
	closed := info(0, 1)
	exited := info(0, 7)
	exited.Exited = true
	if _, err := s.model.RemovePane(1); err != nil {
		t.Fatal(err)
	}
	s.adoptUnknown([]*keeper.PaneInfo{info(0, 5, "-sh"), exited, info(0, 3, "sh", "-c", "make"), closed, info(0, 0)})
	if err := s.model.Check(); err != nil {
		t.Fatal(err)
	}
	if s.model.Panes[1] != nil || s.model.Panes[7] != nil || s.model.Panes[0] == nil || len(s.model.Panes) != 3 {
		t.Errorf("panes %v", s.model.Panes)
	}
	if p := s.model.Panes[3]; p == nil || len(p.Argv) != 1 || p.Argv[0] != "make" || p.Cwd != "/d" {
		t.Errorf("pane 3 is %+v", p)
	}
	if p := s.model.Panes[5]; p == nil || p.Argv != nil {
		t.Errorf("pane 5 is %+v", p)
	}
	if ses := s.model.SessionNamed(recoveredName); ses == nil || len(ses.Links) != 2 || len(s.news.notes) != 1 || s.news.told {
		t.Errorf("%+v, notes %q", ses, s.news.notes)
	}
}

// The checkpoint may be older than a workspace that was brought back since: what it knows has ended.
func TestProgramsOfALaterEraThanTheModels(t *testing.T) {
	s, _, _ := house(t)
	s.pane(0).why = "no such file" // of a pane that has ended, too
	s.adoptUnknown([]*keeper.PaneInfo{{ID: 1, Dir: "/"}, {ID: 2<<pane.EraShift | 1, Dir: "/", Argv: []string{"-sh"}}})
	if err := s.model.Check(); err != nil {
		t.Fatal(err)
	}
	if s.era != 2 || len(s.model.Panes) != 1 || s.modelID(1) != -1 || s.keeperID(model.PaneID(0)) != 2<<pane.EraShift|1 {
		t.Errorf("era %d, panes %v", s.era, s.model.Panes)
	}
	if why := s.pane(0).why; why != "" {
		t.Errorf("the new pane of the same number has what was said of the old one: %q", why)
	}
}
