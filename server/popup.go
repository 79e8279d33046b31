package server

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stet/layout"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/model"
	"stet/server/overlay"
	"stet/server/pane"
	"stet/server/ring"
	"stet/vt"
)

// popup is a program in a box over the screen of one client. It is in no window of the model and in no
// snapshot, but its program is the keeper's, under a number that the model has given as to a pane: so its
// terminal is a pane's, across a crash of the server, too. It ends with its client.
type popup struct {
	id      model.PaneID
	owner   string  // the name that its client gave itself
	pid     int     // of its client
	client  *client // nil: it waits for its client to come back
	req     command.PopupRequest
	box     overlay.Popup
	started bool
	ended   *exit // nil while the program runs
	done    func(status int, err error)
}

const (
	// popupWait is how long a popup waits for its client after a crash of the server, popupLook when it is
	// looked whether that still runs. A client searches for the next server for up to 30 s.
	popupWait = 40 * time.Second
	popupLook = 3 * time.Second
	// closedStatus is the exit status of a popup that is closed before its program has ended: as if a hang-up
	// had ended it.
	closedStatus = 128 + 1
)

// Popup opens a popup.
func (s *Server) Popup(id command.ClientID, r command.PopupRequest, done func(int, error)) {
	fail := func(err error) { s.loop.post(func() { done(0, err) }) }
	c := s.clients[id]
	switch {
	case c == nil || !c.info.Attached():
		fail(errors.New("the client is not attached"))
		return
	case c.info.ReadOnly:
		fail(errors.New("client is read-only"))
		return
	case c.popup != nil:
		fail(errors.New("the client has a popup already (display-popup -C closes it)"))
		return
	}
	p := &popup{id: s.model.TakeNumber(), owner: c.key, pid: c.info.Pid, req: r, done: done}
	if err := s.placePopup(c, p); err != nil {
		fail(err)
		return
	}
	p.req.Mouse, p.req.Expand = nil, nil
	s.popups[p.id] = p
	s.showPopup(c, p)
	s.spawnPopup(p)
}

// showPopup puts a popup over a client's screen.
func (s *Server) showPopup(c *client, p *popup) {
	p.client, c.popup = c, p
	c.keys.Reset()
	c.hint, c.hintAt, c.drag = "", time.Time{}, nil
	c.stale, s.rewatch = true, true
	s.fitPopup(p)
}

// placePopup finds where a new popup goes.
func (s *Server) placePopup(c *client, p *popup) error {
	if p.req.Lines == "" {
		p.req.Lines = s.windowOption(c, "popup-border-lines")
	}
	p.box.Bare = p.req.Lines == "none"
	least := p.box.Least()
	usual := func(asked, screen int) int {
		if asked > 0 {
			return min(asked, screen)
		}
		return min(max(screen/2, least), screen)
	}
	w, h := usual(p.req.W, c.cols), usual(p.req.H, c.rows)
	if w < least || h < least {
		return fmt.Errorf("a popup of %d by %d cells has no room for its border (-w, -h; -B leaves the border out)", w, h)
	}
	room := s.boxRoom(c, p.req.Pane, p.req.Mouse)
	x, y := room.At(p.req.X, p.req.Y, w, h, p.req.Expand)
	p.box.Want = layout.Rect{X: x, Y: y, W: w, H: h}
	return nil
}

// inner is what a popup's border leaves of it on its client's screen; without a client, where it was made.
func (p *popup) inner() layout.Rect {
	r := p.box.Want
	if p.client != nil {
		r = p.box.On(p.client.cols, p.client.rows)
	}
	return p.box.Inside(r)
}

// size is the size of its program's terminal.
func (p *popup) size() [2]int {
	r := p.inner()
	return [2]int{max(r.W, 1), max(r.H, 1)}
}

// fitPopup gives the program the size of its box.
func (s *Server) fitPopup(p *popup) {
	size := p.size()
	live := s.live(p.id)
	if live == nil || s.pane(p.id).asked == size {
		return
	}
	s.pane(p.id).asked = size
	live.Resize(size[0], size[1])
}

// spawnPopup starts a popup's program. As for a pane, the checkpoint that knows it comes first.
func (s *Server) spawnPopup(p *popup) {
	s.checkpoint()
	ring.Crash("popup-known")
	req := s.popupRequest(p)
	s.pane(p.id).asked = [2]int{req.Cols, req.Rows}
	w := s.keeperAnswers(func(err error) { s.popupFailed(p, err) })
	as, other := p.program(), s.shell
	go func() {
		withShell(&req, as, other)
		info, err := s.link.Spawn(req)
		ring.Crash("popup-begun")
		s.loop.post(func() {
			if err != nil && info != nil { // the keeper has it, and we cannot
				s.unwanted(info)
			}
			switch {
			case err != nil && w.inTime():
				s.popupFailed(p, err)
			case err == nil && (!w.inTime() || s.popups[p.id] != p): // closed while it was being started
				s.unwanted(info)
			case err == nil:
				s.popupStarted(p, info)
			}
		})
	}()
}

// program is what runs in it, as a pane has it.
func (p *popup) program() model.Pane {
	return model.Pane{ID: p.id, Argv: p.req.Argv, Shell: p.req.Shell}
}

// popupRequest describes a popup's program for the keeper.
func (s *Server) popupRequest(p *popup) keeper.SpawnRequest {
	as := p.program()
	file, argv := as.Command()
	size := p.size()
	sizes := ring.DefaultSizes()
	sizes.Arena = vt.ArenaSize(s.historyLimit(p.id), max(size[0], 80)) // it may become a pane; untouched memory costs nothing
	return keeper.SpawnRequest{
		ID: s.keeperID(p.id), Path: file, Argv: argv, Dir: p.req.Dir, Env: s.programEnv(s.model.Sessions[p.req.Session], p.req.Env, "STET_POPUP="+p.id.String()),
		Cols: size[0], Rows: size[1], Sizes: sizes,
	}
}

func (s *Server) popupStarted(p *popup, info *keeper.PaneInfo) {
	live := pane.New(info, 0, s.hooks())
	if info.Existed { // a server before us had it started and died before it heard
		if why := live.Recover(); why != "" {
			s.log.Printf("popup %v: %s", p.id, why)
		}
	} else if size := s.pane(p.id).asked; live.Begin(size[0], size[1]) != nil {
		s.log.Printf("popup %v: no checkpoint of its terminal", p.id)
	}
	p.started = true
	s.adopt(p.id, live)
	s.fitPopup(p)
	state := s.pane(p.id)
	if b := state.early; len(b) > 0 {
		state.early = nil
		_ = s.input(p.id, live, b) // a program that does not read loses it, as it would what is typed now
	}
	if p.client != nil {
		p.client.stale = true
	}
}

func (s *Server) popupFailed(p *popup, err error) {
	if s.popups[p.id] != p {
		return
	}
	done := p.done
	p.done = nil
	s.endPopup(p)
	if done != nil {
		done(0, fmt.Errorf("popup failed: %w", err))
	}
}

// popupOver notes that the program of a popup has ended; false where the number is no popup's.
func (s *Server) popupOver(id model.PaneID, st exit) bool {
	p := s.popups[id]
	if p == nil {
		return false
	}
	p.ended = &st
	if p.req.Close == command.CloseOnExit || p.req.Close == command.CloseOnSuccess && !st.failed() {
		s.endPopup(p)
	} else if p.client != nil {
		p.client.stale = true
	}
	return true
}

// status is the exit status of a popup's program as a shell has it.
func (p *popup) status() int {
	switch {
	case p.ended == nil:
		return closedStatus
	case p.ended.signal() != 0:
		return 128 + p.ended.signal()
	}
	return p.ended.code()
}

// ClosePopup closes the popup that a client has.
func (s *Server) ClosePopup(id command.ClientID) {
	if c := s.clients[id]; c != nil && c.popup != nil {
		s.endPopup(c.popup)
	}
}

// PopupClient is the client that has the popup with a terminal, or with a number.
func (s *Server) PopupClient(tty, number string) command.ClientID {
	for id, p := range s.popups {
		live := s.live(id)
		if p.client != nil && (number == id.String() || tty != "" && live != nil && live.Info().TTY == tty) {
			return p.client.id
		}
	}
	return 0
}

// nestedInPopup says that a client is about to be attached in a popup of this server, without having said
// that this is meant.
func (s *Server) nestedInPopup(c *client) bool {
	return c.info.Terminal && s.PopupClient(c.info.TTY, "") != 0 && slices.ContainsFunc(c.info.Env, func(e string) bool { return strings.HasPrefix(e, "STET=") })
}

// endPopup closes a popup and ends its program. A server that takes over before that has come to the keeper
// finds a program of no window, and ends it.
func (s *Server) endPopup(p *popup) {
	if s.popups[p.id] != p {
		return
	}
	delete(s.popups, p.id)
	if c := p.client; c != nil {
		c.popup, c.stale = nil, true
		if c.box != nil && c.box.popup == p {
			s.dropBox(c)
		}
	}
	if live := s.live(p.id); live != nil && p.ended == nil && !live.Info().Exited {
		s.kill(live.ID)
	}
	s.drop(p.id)
	s.minor = true
	if done := p.done; done != nil {
		status := p.status()
		s.loop.post(func() { done(status, nil) })
	}
}

// runs says that the program has begun and has not ended.
func (p *popup) runs() bool { return p.started && p.ended == nil }

// popupToPane makes a pane of a popup's program, beside or below the active one of the window.
func (s *Server) popupToPane(c *client, p *popup, beside bool) {
	w, live := s.windowOf(c), s.live(p.id)
	if w == nil || live == nil || !p.runs() || c.info.ReadOnly {
		return
	}
	spec := model.PaneSpec{
		UID: s.UID(), Argv: p.req.Argv, Shell: p.req.Shell, Cwd: p.req.Dir, Env: p.req.Env, Title: live.Facts().Title,
		Number: p.id, Numbered: true,
	}
	if _, err := s.model.SplitPane(w.Active, model.Split{SplitOptions: layout.SplitOptions{Horizontal: beside}}, spec, s.Now()); err != nil {
		s.Message(c.id, err.Error(), 0)
		return
	}
	delete(s.popups, p.id)
	c.popup, c.stale, s.rewatch = nil, true, true
	if err := s.model.Started(p.id); err != nil {
		s.log.Print(err)
	}
	live.SetHistory(s.historyLimit(p.id), nil)
	if done := p.done; done != nil {
		s.loop.post(func() { done(0, nil) })
	}
}

// endPopups closes all popups: the numbers that they have are about to be given anew.
func (s *Server) endPopups() {
	for _, id := range slices.Sorted(maps.Keys(s.popups)) {
		s.endPopup(s.popups[id])
	}
}
