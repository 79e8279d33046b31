package server

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"stet/resurrect"
	"stet/server/command"
)

// maxNews bounds what is kept for the report; the oldest goes first.
const maxNews = 1000

// newsTime is how long a line is shown that nobody has asked for, and that may be long: a message that answers
// a key takes display-time, and a key ends either.
const newsTime = 6 * time.Second

// news is what there is to tell of this server, its start above all. It belongs to the core loop.
type news struct {
	notes []string // the oldest first
	told  bool     // to somebody who has attached; stet report has it at any time
}

func (n *news) add(text string) {
	n.notes = append(n.notes, text)
	if over := len(n.notes) - maxNews; over > 0 {
		n.notes = slices.Delete(n.notes, 0, over)
	}
}

// drop takes back the newest note that says text, if there is one.
func (n *news) drop(text string) {
	for i, note := range slices.Backward(n.notes) {
		if note == text {
			n.notes = slices.Delete(n.notes, i, i+1)
			return
		}
	}
}

// note writes something down, for the log and for people.
func (s *Server) note(text string) {
	s.log.Print(text)
	s.news.add(text)
}

// Notes is what there is to tell of this server's start.
func (s *Server) Notes() []string { return slices.Clone(s.news.notes) }

// greetAll greets those who have attached while panes were still coming back.
func (s *Server) greetAll() {
	for _, c := range s.attached {
		s.greet(c)
	}
}

// greet tells a client that attaches what there is to know: after a restore by the report, unless nobody wants
// that.
func (s *Server) greet(c *client) {
	if s.restoring.left > 0 {
		return // there is no report yet
	}
	told := s.news.told
	note := s.greeting()
	if note == "" {
		return
	}
	if report := s.restoring.report; !told && report != nil {
		if show := s.option(serverScope, "restore-report"); show == "on" || show == "problems" && troubled(report) > 0 {
			s.openReport(c)
			return
		}
	}
	s.Message(c.id, note, newsTime)
}

// openReport shows a client how the panes came back. A key that scrolls scrolls, any other leaves it: nothing
// waits for an answer.
func (s *Server) openReport(c *client) {
	head := "This workspace was brought back"
	if at := s.restoring.report.SavedAt; !at.IsZero() {
		head += " as it was saved on " + at.Local().Format(time.DateTime)
	}
	lines := append([]string{head + "."}, command.ReportView(s.Report(), s.Notes(), s.restoring.report.SavedAt, c.cols)...)
	s.openPager(c, strings.Join(append(lines, "", "stet report says this again."), "\n"))
	c.pager.brief = true
}

// greeting is what a client that attaches should know: how a restore went, what is offered, and why
// nothing is saved. It is told once.
func (s *Server) greeting() string {
	if s.news.told {
		return ""
	}
	s.news.told = true
	report, notes := s.restoring.report, s.news.notes
	var parts []string
	if report != nil {
		t := fmt.Sprintf("stet report: %s restored as saved %s", resurrect.Plural(len(report.Rows), "pane"), report.SavedAt.Local().Format(minuteOf))
		if bad := troubled(report); bad > 0 {
			t += fmt.Sprintf(", %d to look at", bad)
		}
		parts = append(parts, t)
	}
	if ws := s.restoring.offer; ws != nil {
		parts = append(parts, offerText(ws))
	}
	if n := s.shelf.kept; n > 0 && report == nil {
		parts = append(parts, shelfText(n))
	}
	if n := len(notes); n > 0 && report == nil {
		note := notes[n-1]
		if n > 1 {
			note += fmt.Sprintf(" (and %d more: stet report)", n-1)
		}
		parts = append(parts, note)
	}
	return strings.Join(parts, "; ")
}

// troubled counts the panes of a report that somebody should look at.
func troubled(r *resurrect.Report) int { return r.Count(resurrect.Waiting) + r.Count(resurrect.Failed) }

// minuteOf is how the greeting writes times.
const minuteOf = "2006-01-02 15:04"

// offerText says that a workspace is offered.
func offerText(ws *resurrect.Workspace) string {
	return fmt.Sprintf("\"stet restore\" brings back the workspace saved %s", ws.SavedAt.Local().Format(minuteOf))
}

// endOffer forgets the workspace that is offered, and takes the line away that still says so.
func (s *Server) endOffer() {
	if s.restoring.offer == nil {
		return
	}
	text := offerText(s.restoring.offer)
	for _, c := range s.clients {
		if strings.Contains(c.message, text) {
			c.message, c.stale = "", true
		}
	}
	s.restoring.offer = nil
}
