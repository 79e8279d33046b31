package server

import (
	"time"

	"stet/server/attach"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt/key"
)

// client is one connection, attached or not. It belongs to the core loop.
type client struct {
	id   command.ClientID
	conn *attach.Client
	peer int // the process at the other end, as the system says; 0 unknown
	info command.ClientInfo
	cols int
	rows int

	keys     keymap.State
	drag     *drag
	clicks   clicks
	reads    bool        // the text under the mouse is being read, for what a click has asked for
	behind   []key.Event // typed meanwhile
	prompt   *prompt
	numbers  *numbers // of the panes, while they are shown
	pager    *pager
	box      *box                         // what covers a part of the screen
	popup    *popup                       // below that
	boxed    bool                         // a button is held down that was pressed there
	mouseAt  key.Event                    // the last of the mouse
	hintAt   time.Time                    // when the row of keys behind the prefix comes; zero: no key is waited for
	hint     string                       // the table that the row is about, while it is shown
	spec     *scene.Spec                  // shown last
	title    string                       // told last
	told     map[wire.OuterKind]time.Time // when the terminal was last made to do something
	notices  notices                      // what it was told of panes that it does not see
	message  string
	messageT time.Time // when it ends; zero: with the next key
	// messageStays says that keys do not end it; they are dropped.
	messageStays bool
	features     wire.Features
	key          string // the name that the client gave itself, for reconnects

	attaching bool // Attached was sent
	returned  bool // from a server that is no more
	exit      *wire.Exit
	failed    bool
	status    int  // exit status that a command has asked for
	running   int  // commands under way
	ends      bool // one of them is to end the server
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

// resized notes the size of the client's outer terminal.
func (c *client) resized(r wire.Resize) {
	c.cols, c.rows = r.Cols, r.Rows
	c.info.W, c.info.H = r.Cols, r.Rows
	c.info.CellW, c.info.CellH = 0, 0
	if r.Cols > 0 && r.Rows > 0 {
		c.info.CellW, c.info.CellH = max(r.XPixel, 0)/r.Cols, max(r.YPixel, 0)/r.Rows
	}
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
