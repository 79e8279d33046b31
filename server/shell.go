package server

import (
	"fmt"

	"stet/server/model"
)

// program is what a pane runs. A shell that is gone meanwhile, or cannot be run any more, would leave
// people without any: then it is the one that there is.
func (s *Server) program(p *model.Pane) (file string, argv []string) {
	file, argv = p.Command()
	if len(p.Argv) > 1 || validShell(file) != "" {
		return file, argv
	}
	other := *p
	other.Shell = s.Server().Shell
	why := fmt.Sprintf("pane %v: its shell %s cannot be run; it gets %s (see default-shell)", p.ID, p.Shell, other.Shell)
	s.log.Print(why)
	s.tellViewers(p, why)
	return other.Command()
}
