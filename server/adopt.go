package server

import (
	"fmt"
	"slices"
	"strings"

	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
)

// recoveredName is the session that programs are put into which the model knows nothing of.
const recoveredName = "recovered"

// adoptUnknown gives programs a window that run in the keeper and are newer than the model's checkpoint:
// the checkpoint could not be written, or cannot be read. A pane is checkpointed before its program is
// started and its number is never used again, so a number that the model has yet to give belongs to such
// a program, and any other number without a pane belongs to one that was closed. Nothing that runs is
// ever ended because we have forgotten where it was shown.
func (s *Server) adoptUnknown(infos []*keeper.PaneInfo) {
	infos = slices.Clone(infos)
	slices.SortFunc(infos, func(a, b *keeper.PaneInfo) int { return int(a.ID) - int(b.ID) })
	for _, info := range infos {
		if era := info.ID >> pane.EraShift; era > s.era { // what is in the model ended when this era began
			s.era = era
			s.use(model.New())
		}
	}
	n := 0
	for _, info := range infos {
		id := s.modelID(info.ID)
		if id < s.model.NextPane || info.Exited {
			continue
		}
		if err := s.adoptPane(id, info); err != nil {
			s.log.Printf("pane %v: %v", id, err)
			continue
		}
		n++
	}
	if n == 0 {
		return
	}
	note := fmt.Sprintf("the server was lost together with what it knew of %d running programs: they are in session %q", n, recoveredName)
	s.note(note)
	s.news.told, s.recovered.orphans = false, true
}

func (s *Server) adoptPane(id model.PaneID, info *keeper.PaneInfo) error {
	s.model.NextPane = id // the pane keeps the number that the keeper and its own environment have
	spec := model.PaneSpec{UID: s.UID(), Cwd: info.Dir, Title: info.Title, Shell: s.Server().Shell, Argv: asGiven(info.Argv)}
	var err error
	if ses := s.model.SessionNamed(recoveredName); ses != nil {
		_, _, err = s.model.NewWindow(ses.ID, 0, true, "", spec, s.Now())
	} else {
		_, _, _, err = s.model.NewSession(model.SessionSpec{Name: recoveredName, Cwd: info.Dir, Now: s.Now()}, spec)
	}
	if p := s.model.Panes[id]; p != nil {
		p.Run = pane.Run(info.ID)
	}
	return err
}

// asGiven is the pane's command as it was given, out of what was executed; see model.Pane.Command.
func asGiven(argv []string) []string {
	switch {
	case len(argv) == 1 && strings.HasPrefix(argv[0], "-"):
		return nil
	case len(argv) == 3 && argv[1] == "-c":
		return argv[2:]
	}
	return argv
}
