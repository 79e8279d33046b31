package server

import (
	"cmp"
	"net"
	"os/user"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"stet/server/attach"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/pane"
	"stet/server/ring"
	"stet/server/sock"
	"stet/server/wire"
)

// serve runs one accepted connection.
func (s *Server) serve(conn net.Conn) {
	if s.ending.Load() { // without a word: the client comes again, to our successor
		conn.Close()
		return
	}
	var c *client
	peer := 0 // the process at the other end, as the system says
	if u, ok := conn.(*net.UnixConn); ok {
		_, peer, _ = sock.Peer(u)
	}
	var into atomic.Pointer[pane.Pane]  // where this client's input goes, as the loop saw it last
	var pours atomic.Pointer[pane.Pane] // what shows the client's standard input
	attach.Serve(conn, s.cfg.Build, s.pid, func(a *attach.Client, e attach.Event) {
		heard := s.loop.do(func() {
			switch {
			case s.upgrade.leaving && e.Kind == attach.Hello:
				a.Close() // without a word: it comes again, to our successor
				return
			case s.upgrade.leaving, c == nil && e.Kind != attach.Hello:
				return // our successor hears of it; or it was turned away, and what was read with its Hello means nothing
			}
			switch e.Kind {
			case attach.Hello:
				c = s.hello(a, peer)
			case attach.Input:
				s.keysFrom(c, e.Keys)
				a.AckInput(e.Seq)
				if id, ok := s.typesInto(c); ok {
					into.Store(s.live(id))
				}
			case attach.Resize:
				c.resized(e.Resize)
				s.cellsFrom(c)
				c.stale, s.refit = true, true
				if c.popup != nil {
					s.fitPopup(c.popup)
				}
			case attach.Features:
				c.features, c.stale = e.Features, true // the theme may be another
				c.info.TermType, c.info.Features = e.Features.Name, featureList(e.Features)
				s.coloursFrom(e.Features)
			case attach.Resumed:
				s.refit = s.refit || c.suspended
				c.stale, c.suspended = true, false
			case attach.File:
				pours.Store(s.fileSays(c, e.File))
			case attach.Gone:
				s.clientGone(c)
			}
		})
		if !heard && e.Kind == attach.Hello {
			a.Close() // without a word, as in hello
		}
		if p := into.Load(); p != nil && e.Kind == attach.Input {
			p.AwaitRoom() // holds up the reader of this client alone
		}
		if p := pours.Load(); p != nil && e.Kind == attach.File {
			p.Caught()
		}
	})
}

// hello registers a connection and runs its command line.
func (s *Server) hello(a *attach.Client, peer int) *client {
	if s.stopping { // without a word: the client comes again, to our successor
		a.Close()
		return nil
	}
	ring.Crash("hello")
	welcome := a.Welcome()
	h := &a.Hello
	s.nextClient++
	c := &client{id: s.nextClient, conn: a, key: h.Client, peer: peer, told: map[wire.OuterKind]time.Time{}}
	c.info = command.ClientInfo{
		ID: c.id, Name: cmp.Or(h.TTY, "client-"+strconv.Itoa(h.Pid)), TTY: h.TTY, Term: h.Term, Pid: h.Pid, Uid: s.uid,
		Cwd: h.Cwd, Env: h.Env, Terminal: h.Terminal, Session: -1, LastSession: -1,
		Created: s.Now(), Activity: s.Now(), ReadOnly: h.ReadOnly, Focused: true, KeyTable: keymap.Root,
	}
	c.info.User = s.user
	c.resized(wire.Resize{Cols: h.Cols, Rows: h.Rows, XPixel: h.XPixel, YPixel: h.YPixel})
	s.clients[c.id] = c
	s.cellsFrom(c)
	a.Moved = func() { s.loop.post(func() { c.stale = true }) } // formats can show where it is
	if h.Reconnect {
		s.reconnected(c)
		return c
	}
	if h.Starter { // it has said itself that a server was lost
		c.starting = slices.DeleteFunc(slices.Clone(s.news.notes), func(n string) bool { return n == h.Lost })
	}
	if h.Starter && h.Lost != "" && !slices.Contains(s.news.notes, h.Lost) { // several may have wanted to start one
		s.news.add(h.Lost)
	}
	if !welcome || a.HungUp() { // it was told, or has told a person, that nobody answers: what it wanted must not happen later
		c.failed = true
		return c
	}
	if s.restoring.left > 0 && s.served && !attaches(h) {
		c.running++
		s.restoring.held = append(s.restoring.held, func() {
			c.running--
			s.runArgv(c, h.Argv)
		})
		return c
	}
	s.runArgv(c, h.Argv)
	return c
}

// attaches tells whether a command line is one that shows a person a session. Such a one need not wait until the
// last pane of a restore has come.
func attaches(h *wire.Hello) bool {
	if !h.Terminal || len(h.Argv) == 0 {
		return h.Terminal
	}
	switch h.Argv[0] {
	case "attach-session", "attach", "new-session", "new":
		return true
	}
	return false
}

// findUser asks for the user's name, once and beside the loop: the answer may come over the network.
func (s *Server) findUser() {
	u, err := user.LookupId(strconv.Itoa(s.uid))
	if err != nil {
		return // formats show none
	}
	s.loop.post(func() {
		s.user = u.Username
		for _, c := range s.clients {
			c.info.User = s.user
		}
	})
}

// reconnected gives a client that lost its server its session back.
func (s *Server) reconnected(c *client) {
	s.awaitedCame(c)
	id, ok := s.attachments[c.key]
	if found := s.model.SessionNamed(recoveredName); !ok && s.recovered.orphans && found != nil {
		id, ok = found.ID, true
	}
	if ses := s.model.Sessions[id]; !ok || ses == nil {
		s.forsakePopups(c.key, "the session of its client has ended")
		s.bye(c, wire.Exit{Code: 1, Reason: wire.ExitSessionEnded, Text: "the session ended while the server was away"})
		return
	}
	if err := s.Attach(c.id, id, command.AttachOptions{ReadOnly: c.info.ReadOnly}); err != nil {
		s.bye(c, wire.Exit{Code: 1, Reason: wire.ExitSessionEnded, Text: err.Error()})
		return
	}
	s.usedAgo(c, c.conn.Hello.Unused)
	s.popupFor(c)
	back := cmp.Or(s.upgrade.news, "the server was lost and is back: every pane is as it was")
	if s.recovered.pipes != "" {
		back += "; pipe-pane ended: " + s.recovered.pipes
	}
	s.Message(c.id, back, 3*time.Second)
}

// runArgv runs a command line for a client and ends the connection when it is over, unless it attached.
func (s *Server) runArgv(c *client, argv []string) {
	c.running++
	s.queue.RunArgv(c.id, argv, func(failed bool) {
		c.running--
		s.ranFor(c, failed)
	})
}

func (s *Server) ranFor(c *client, failed bool) {
	ring.Crash("command-done")
	c.failed = c.failed || failed
	if c.info.Attached() || c.attaching || c.running > 0 || c.exit != nil {
		return
	}
	for _, n := range c.starting { // nobody has seen them, and who attaches later may not look for them
		c.say(wire.KindOutput, wire.Output{Text: []byte("stet: " + n + "\n"), Err: true, Words: true})
	}
	code := 0
	if c.failed {
		code = 1
	}
	code = cmp.Or(c.status, code)
	s.bye(c, wire.Exit{Code: code, Reason: wire.ExitDone})
}

// bye ends a connection.
func (s *Server) bye(c *client, e wire.Exit) {
	if c.exit != nil {
		return
	}
	c.exit = &e
	if c.popup != nil {
		s.endPopup(c.popup)
	}
	s.leave(c)
	c.held = append(c.held, held{wire.KindExit, e})
}

func (s *Server) clientGone(c *client) {
	if c == nil {
		return
	}
	if c.popup != nil {
		s.endPopup(c.popup)
	}
	s.leave(c)
	delete(s.clients, c.id)
	if c.exit != nil || !s.stopping {
		delete(s.attachments, c.key)
	}
	s.queue.Drop(c.id)
	c.dropFiles()
	if h := &c.conn.Hello; h.Starter && (c.failed || command.OnlyVisits(h.Argv)) {
		s.visited = true
	}
	if s.visited && !s.hadSession && len(s.clients) == 0 && !s.stopping {
		s.shutdown(false) // it was started for a command that came to nothing, or looked only
		return
	}
	s.exitIfEmpty()
}
