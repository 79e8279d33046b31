package server

import (
	"fmt"
	"syscall"
	"time"

	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
)

// stubbornTime is how long people can read that a program does not go.
const stubbornTime = 4 * time.Second

// stubborn tells everybody that a pane's program was closed and does not go. The pane is in no window
// any more, so nobody would see it otherwise.
func (s *Server) stubborn(e keeper.Event) {
	text := stubbornText(model.PaneID(pane.Number(e.Pane)), e.Signal, e.Left)
	s.log.Print(text)
	for _, c := range s.attached {
		s.Message(c.id, text, stubbornTime)
	}
}

func stubbornText(id model.PaneID, sent syscall.Signal, left int) string {
	what := "still running"
	if left > 1 {
		what = fmt.Sprintf("%d processes still running", left)
	}
	switch sent {
	case syscall.SIGTERM:
		return fmt.Sprintf("pane %v: %s after SIGHUP, SIGTERM sent", id, what)
	case syscall.SIGKILL:
		return fmt.Sprintf("pane %v: %s after SIGTERM, SIGKILL sent", id, what)
	}
	return fmt.Sprintf("pane %v: %s after SIGKILL: the system does not let it go", id, what)
}
