package server

import (
	"time"

	"stet/config/style"
	"stet/layout"
	"stet/server/overlay"
	"stet/server/scene"
	"stet/vt/key"
)

// hintAfter sees to the row of keys after a key has been looked up: the row that was shown is over, and
// where another key is waited for now, the row comes when that takes long.
func (s *Server) hintAfter(c *client, e key.Event) {
	if e.Act == key.Release {
		return // of the prefix itself
	}
	c.stale = c.stale || c.hint != ""
	c.hint, c.hintAt = "", time.Time{}
	table, repeating := c.keys.Waiting(s.Now())
	d := time.Duration(s.number(ofSession(c.info.Session), "prefix-hint-time", 700)) * time.Millisecond
	if table == "" || repeating || d <= 0 {
		return
	}
	c.hintAt = s.Now().Add(d)
	s.clock.within(d)
}

// hintDue shows the row of keys when its time has come.
func (s *Server) hintDue(c *client, now time.Time) {
	switch {
	case c.hintAt.IsZero():
	case now.Before(c.hintAt):
		s.clock.within(c.hintAt.Sub(now))
	default:
		c.hintAt = time.Time{}
		c.hint, _ = c.keys.Waiting(now)
		c.stale = true
	}
}

// hintRow is the row of keys: the last one above the status line, or the first below it.
func (s *Server) hintRow(c *client, spec *scene.Spec) (scene.Overlay, bool) {
	if c.hint == "" || c.prompt != nil || c.box != nil {
		return scene.Overlay{}, false
	}
	var keys []overlay.HintKey
	for _, h := range s.keys.Hints(c.hint) {
		keys = append(keys, overlay.HintKey{Key: h.Key, Text: h.Text})
	}
	row := overlay.Hint(keys, c.cols, s.clientLook(c, style.Style{}, "message-style"))
	if row == nil {
		return scene.Overlay{}, false
	}
	y := c.rows - 1 - spec.StatusRows(c.rows)
	if spec.Status != nil && spec.Status.Top {
		y = spec.StatusRows(c.rows)
	}
	return scene.Overlay{Rect: layout.Rect{Y: max(y, 0), W: c.cols, H: 1}, Lines: [][]scene.Segment{sceneSegments(row)}}, true
}
