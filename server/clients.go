package server

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os/user"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"stet/server/attach"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt/key"
)

// client is one connection, attached or not. It belongs to the core loop.
type client struct {
	id   command.ClientID
	conn *attach.Client
	info command.ClientInfo
	cols int
	rows int

	keys     keymap.State
	drag     *drag
	clicks   clicks
	prompt   *prompt
	numbers  *numbers // of the panes, while they are shown
	pager    *pager
	box      *box                         // what covers a part of the screen
	popup    *popup                       // below that
	boxed    bool                         // a button is held down that was pressed there
	hintAt   time.Time                    // when the row of keys behind the prefix comes; zero: no key is waited for
	hint     string                       // the table that the row is about, while it is shown
	spec     *scene.Spec                  // shown last
	title    string                       // told last
	told     map[wire.OuterKind]time.Time // when the terminal was last made to do something
	message  string
	messageT time.Time // when it ends; zero: with the next key
	// messageStays says that keys do not end it; they are dropped.
	messageStays bool
	features     wire.Features
	key          string // the name that the client gave itself, for reconnects

	attaching bool // Attached was sent
	exit      *wire.Exit
	failed    bool
	status    int // exit status that a command has asked for
	running   int // commands under way
	held      []held
	stale     bool     // its picture must be described anew
	starting  []string // notes of the server's start, for the client that caused it
	pan       *pan     // nil: its view follows the cursor
	suspended bool     // told to stop itself, and not back yet
	files     map[int]*transfer
	lastFile  int // number of the last of them
}

// held is something for the client that waits for the checkpoint of what it acknowledges.
type held struct {
	kind wire.Kind
	v    any
}

// serve runs one accepted connection.
func (s *Server) serve(conn net.Conn) {
	if s.ending.Load() { // without a word: the client comes again, to our successor
		conn.Close()
		return
	}
	var c *client
	var into atomic.Pointer[pane.Pane] // where this client's input goes, as the loop saw it last
	attach.Serve(conn, s.cfg.Build, s.pid, func(a *attach.Client, e attach.Event) {
		s.loop.do(func() {
			if c == nil && e.Kind != attach.Hello {
				return // it was turned away; what was read with its Hello means nothing
			}
			switch e.Kind {
			case attach.Hello:
				c = s.hello(a)
			case attach.Input:
				s.keysFrom(c, e.Keys)
				a.AckInput(e.Seq)
				if id, ok := s.typesInto(c); ok {
					into.Store(s.panes[id])
				}
			case attach.Resize:
				c.resized(e.Resize)
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
				s.fileSays(c, e.File)
			case attach.Gone:
				s.clientGone(c)
			}
		})
		if p := into.Load(); p != nil && e.Kind == attach.Input {
			p.AwaitRoom() // holds up the reader of this client alone
		}
	})
}

// resized notes the size of the client's outer terminal.
func (c *client) resized(r wire.Resize) {
	c.cols, c.rows = r.Cols, r.Rows
	c.info.W, c.info.H = r.Cols, r.Rows
	c.info.CellW, c.info.CellH = 0, 0
	if r.Cols > 0 && r.Rows > 0 {
		c.info.CellW, c.info.CellH = max(r.XPixel, 0)/r.Cols, max(r.YPixel, 0)/r.Rows
	}
}

// hello registers a connection and runs its command line.
func (s *Server) hello(a *attach.Client) *client {
	if s.stopping { // without a word: the client comes again, to our successor
		a.Close()
		return nil
	}
	h := &a.Hello
	s.nextClient++
	c := &client{id: s.nextClient, conn: a, key: h.Client, told: map[wire.OuterKind]time.Time{}}
	c.info = command.ClientInfo{
		ID: c.id, Name: cmp.Or(h.TTY, "client-"+strconv.Itoa(h.Pid)), TTY: h.TTY, Term: h.Term, Pid: h.Pid, Uid: s.uid,
		Cwd: h.Cwd, Env: h.Env, Terminal: h.Terminal, Session: -1, LastSession: -1,
		Created: s.Now(), Activity: s.Now(), ReadOnly: h.ReadOnly, Focused: true, KeyTable: keymap.Root,
	}
	c.info.User = s.user
	c.resized(wire.Resize{Cols: h.Cols, Rows: h.Rows, XPixel: h.XPixel, YPixel: h.YPixel})
	s.clients[c.id] = c
	a.Moved = func() { s.loop.post(func() { c.stale = true }) } // formats can show where it is
	if h.Reconnect {
		s.reconnected(c)
		return c
	}
	if h.Starter { // it has said itself that a server was lost
		c.starting = slices.DeleteFunc(slices.Clone(s.notes), func(n string) bool { return n == h.Lost })
	}
	if h.Starter && h.Lost != "" && !slices.Contains(s.notes, h.Lost) { // several may have wanted to start one
		s.notes = append(s.notes, h.Lost)
	}
	if a.HungUp() { // it was told, or has told a person, that nobody answers: what it wanted must not happen later
		c.failed = true
		return c
	}
	s.runArgv(c, h.Argv)
	return c
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
	id, ok := s.attachments[c.key]
	if found := s.model.SessionNamed(recoveredName); !ok && s.orphans && found != nil {
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
	s.popupFor(c)
	back := "the server was lost and is back: every pane is as it was"
	if s.lostPipes != "" {
		back += "; pipe-pane ended: " + s.lostPipes
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
	c.failed = c.failed || failed
	if c.info.Attached() || c.attaching || c.running > 0 || c.exit != nil {
		return
	}
	for _, n := range c.starting { // nobody has seen them, and who attaches later may not look for them
		c.say(wire.KindOutput, wire.Output{Text: []byte("stet: " + n + "\n"), Err: true})
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

// leave takes a client out of its session.
func (s *Server) leave(c *client) {
	if i := slices.Index(s.attached, c); i >= 0 {
		s.attached = slices.Delete(s.attached, i, i+1)
	}
	if ses := s.model.Sessions[c.info.Session]; ses != nil {
		ses.Attached = max(0, ses.Attached-1)
		s.left(ses.ID)
		s.model.Touch()
	}
	if c.info.Session >= 0 {
		c.info.LastSession = c.info.Session
	}
	c.info.Session = -1
	s.dropPrompt(c)
	s.dropNumbers(c)
	s.dropBox(c)
	s.rewatch, s.refit = true, true
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
	if c.failed && c.conn.Hello.Starter && !s.hadSession && len(s.clients) == 0 && !s.stopping {
		s.shutdown("") // the client had started it for a command that came to nothing
		return
	}
	s.exitIfEmpty()
}

// say queues something for a client behind the checkpoint of this turn.
func (c *client) say(k wire.Kind, v any) { c.held = append(c.held, held{k, v}) }

// Client returns one connection's facts.
func (s *Server) Client(id command.ClientID) (command.ClientInfo, bool) {
	c := s.clients[id]
	if c == nil {
		return command.ClientInfo{}, false
	}
	return s.clientInfo(c), true
}

func (s *Server) clientInfo(c *client) command.ClientInfo {
	in := c.info
	if t, _ := c.keys.Waiting(s.Now()); t != "" {
		in.KeyTable, in.Prefix = t, t == keymap.Prefix
	}
	s.view(c, &in)
	return in
}

// Clients are the attached clients.
func (s *Server) Clients() []command.ClientInfo {
	out := make([]command.ClientInfo, 0, len(s.attached))
	for _, c := range s.attached {
		out = append(out, s.clientInfo(c))
	}
	return out
}

// Attach shows a session to a client.
func (s *Server) Attach(id command.ClientID, sid model.SessionID, o command.AttachOptions) error {
	c, ses := s.clients[id], s.model.Sessions[sid]
	switch {
	case c == nil || c.exit != nil:
		return errors.New("the client is gone")
	case ses == nil:
		return fmt.Errorf("can't find session: %v", sid)
	case s.nestedInPopup(c):
		return errors.New("sessions should be nested with care, unset $STET to force")
	case !c.info.Terminal:
		return errors.New("open terminal failed: not a terminal (a session can be made without one: new-session -d)")
	}
	if o.DetachOthers {
		for _, other := range slices.Clone(s.attached) {
			if other != c && other.info.Session == sid {
				s.Detach(other.id, command.DetachOptions{Kill: o.Kill})
			}
		}
	}
	if c.info.Attached() {
		s.leave(c)
	}
	c.info.Session, c.info.ReadOnly = sid, c.info.ReadOnly || o.ReadOnly
	c.info.Activity = s.Now()
	c.keys.Reset()
	ses.Attached++
	ses.LastAttached, ses.Activity = s.Now(), s.Now()
	s.model.Touch()
	s.attached = append(s.attached, c)
	s.looksAt(c)
	if c.key != "" {
		s.attachments[c.key] = sid
	}
	if !c.attaching {
		c.attaching = true
		c.say(wire.KindAttached, wire.Attached{Session: ses.Name, EscapeTime: s.number(serverScope, "escape-time", 10)})
		if note := s.greeting(); note != "" {
			s.Message(c.id, note, 6*time.Second)
		}
	}
	c.stale, s.rewatch, s.refit = true, true, true
	return nil
}

// greeting is what a client that attaches should know: how a restore went, what is offered, and why
// nothing is saved. It is told once.
func (s *Server) greeting() string {
	var parts []string
	if s.report != nil && !s.greeted {
		bad := 0
		for _, r := range s.report.Rows {
			if r.State == "failed" || r.State == "waiting" {
				bad++
			}
		}
		t := fmt.Sprintf("stet report: %d panes restored as saved %s", len(s.report.Rows), s.report.SavedAt.Local().Format("2006-01-02 15:04"))
		if bad > 0 {
			t += fmt.Sprintf(", %d need you", bad)
		}
		parts = append(parts, t)
	}
	if s.offer != nil && !s.greeted {
		parts = append(parts, fmt.Sprintf("stet restore: a workspace saved %s, in place of this shell", s.offer.SavedAt.Local().Format("2006-01-02 15:04")))
	}
	if n := len(s.notes); n > 0 && !s.greeted && s.report == nil {
		note := s.notes[n-1]
		if n > 1 {
			note += fmt.Sprintf(" (and %d more: stet report)", n-1)
		}
		parts = append(parts, note)
	}
	s.greeted = true
	return strings.Join(parts, "; ")
}

// Detach sends a client away.
func (s *Server) Detach(id command.ClientID, o command.DetachOptions) {
	c := s.clients[id]
	if c == nil {
		return
	}
	name := ""
	if ses := s.model.Sessions[c.info.Session]; ses != nil {
		name = ses.Name
	}
	delete(s.attachments, c.key)
	e := wire.Exit{Reason: wire.ExitDetached, Text: fmt.Sprintf("[detached (from session %s)]", name)}
	switch {
	case o.Exec != "":
		e.Text, e.Exec = "", []string{s.shellOf(c), "-c", o.Exec}
	case o.Kill:
		e.Text, e.HangUp = fmt.Sprintf("[detached and SIGHUP (from session %s)]", name), true
	}
	s.bye(c, e)
}

// Suspend makes a client stop itself.
func (s *Server) Suspend(id command.ClientID) {
	if c := s.clients[id]; c != nil {
		c.suspended, s.refit = true, true
		c.say(wire.KindSuspend, nil)
	}
}

// Refresh draws everything again.
func (s *Server) Refresh(id command.ClientID) {
	if c := s.clients[id]; c != nil {
		c.conn.Redraw()
		c.stale = true
	}
}

// Print gives a client a command's text.
func (s *Server) Print(id command.ClientID, text string) { s.print(id, text, false) }

// Fail gives a client an error's text.
func (s *Server) Fail(id command.ClientID, text string) {
	if id == 0 {
		s.fileTrouble(text)
	}
	s.print(id, text, true)
}

func (s *Server) print(id command.ClientID, text string, bad bool) {
	c := s.clients[id]
	switch {
	case c == nil:
		s.log.Print(text)
		s.Remember(0, "server", text)
	case c.info.Attached() && (strings.Contains(text, "\n") || scene.Columns(text) > c.cols):
		s.openPager(c, text)
		if bad {
			s.Remember(id, "error", text)
		}
	case c.info.Attached():
		s.Message(id, text, 0)
	default:
		c.failed = c.failed || bad
		if bad {
			s.Remember(id, "error", text)
		}
		c.say(wire.KindOutput, wire.Output{Text: []byte(text + "\n"), Err: bad})
	}
}

// Message shows a line to an attached client.
func (s *Server) Message(id command.ClientID, text string, d time.Duration) {
	if d == 0 {
		d = time.Duration(s.number(globalSession, "display-time", 750)) * time.Millisecond
	}
	s.ShowMessage(id, command.Message{Text: text, For: d})
}

// ShowMessage shows a line to an attached client as long as that says.
func (s *Server) ShowMessage(id command.ClientID, m command.Message) {
	c := s.clients[id]
	if c == nil {
		s.log.Print(m.Text)
		return
	}
	s.Remember(id, "message", m.Text)
	c.message, c.messageT, c.stale = m.Text, time.Time{}, true
	c.messageStays = m.IgnoreKeys && m.For > 0
	if m.For > 0 {
		c.messageT = s.Now().Add(m.For)
		s.clock.within(m.For)
	}
}

// SwitchTable makes a client look up its next key in a table.
func (s *Server) SwitchTable(id command.ClientID, table string) {
	if c := s.clients[id]; c != nil {
		c.keys.Switch(table)
		s.hintAfter(c, key.Event{})
	}
}

// Removed says that a command has taken a session out of the model.
func (s *Server) Removed(gone model.Removed) {
	s.sessionsGone(gone)
	s.options.Forget(gone)
	command.Renumber(s, gone)
}

// exitIfEmpty ends the server with its last session, when nobody is about to make another.
func (s *Server) exitIfEmpty() {
	if len(s.model.Sessions) > 0 || s.stopping || !s.hadSession {
		return
	}
	for _, c := range s.clients {
		if c.exit == nil {
			return
		}
	}
	if v := s.option(serverScope, "exit-empty"); v == "off" {
		return
	}
	s.ending.Store(true)
	s.lastSave(func() { s.shutdown("") })
}
