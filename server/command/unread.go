package command

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"stet/server/model"
)

func unreadCommands() []Command {
	return []Command{
		{
			Name: "mark-read", Own: true, Flags: "at:", Long: []string{"number="}, Min: 0, Max: 0, Usage: "[-a] [--number=n] [-t target-pane]",
			Help: "Take a pane for read without looking at it, -a all of them. With the number that unread has told, only if it has printed nothing since: else that is said, and nothing is done.", Target: PaneTarget, Exec: markRead,
		},
		{
			Name: "next-attention", Own: true, Flags: "c:u", Min: 0, Max: 0, Usage: "[-u] [-c target-client]",
			Help:       "Go to the next pane whose agent waits for an answer, was ended by an error or is done, in this order; -u also to those that are unread.",
			ClientFlag: "c", NeedClient: true, ReadOnly: true, Exec: nextAttention,
		},
		{
			Name: "unread", Own: true, Flags: "F:f:", Long: []string{"json"}, Min: 0, Max: 0, Usage: "[--json] [-F format] [-f filter]",
			Help: "List the panes that have printed something, or whose agent wants somebody, since anybody looked at them.", ReadOnly: true, Exec: listUnread,
		},
	}
}

// UnreadHost is about what nobody has looked at yet.
type UnreadHost interface {
	// Unread tells what a pane has to be read.
	Unread(id model.PaneID) Unread
	// MarkRead takes a pane for read up to a number that Unread has told; one that is not its newest is
	// refused.
	MarkRead(id model.PaneID, number uint64) error
}

// Unread is what a pane has to be read. Its number grows with all that it prints and with what happens in it.
type Unread struct {
	Number uint64
	Seen   uint64 // up to which somebody has looked
	Since  time.Time
}

// Is says that there is something.
func (u Unread) Is() bool { return u.Seen < u.Number }

func (v *Variables) unread() Unread { return v.host.Unread(v.target.Pane.ID) }

// countUnread is how many of some panes are unread.
func (v *Variables) countUnread(panes []model.PaneID) string {
	n := 0
	for _, id := range panes {
		if v.host.Unread(id).Is() {
			n++
		}
	}
	return num(n)
}

// sessionPanes are the panes of the session's windows.
func (v *Variables) sessionPanes() []model.PaneID { return v.model.PanesOf(v.target.Session.ID) }

// unreadJSON is one entry of unread --json. Fields are added, never renamed.
type unreadJSON struct {
	Pane    string    `json:"pane"`
	Session string    `json:"session"`
	Window  int       `json:"window"`
	Name    string    `json:"window_name"`
	Number  uint64    `json:"number"` // for mark-read
	Seen    uint64    `json:"seen"`
	Since   time.Time `json:"since,omitzero"`
	Agent   string    `json:"agent,omitempty"`
	Status  string    `json:"status,omitempty"`
}

func listUnread(c *Context) error {
	var all []Target
	for _, id := range slices.Sorted(maps.Keys(c.Model.Panes)) {
		if t, ok := c.At(id, nil); ok && c.Host.Unread(id).Is() {
			all = append(all, t)
		}
	}
	usual := "#{pane_id} #{session_name}:#{window_index} #{window_name}, number #{pane_output}#{?agent_status,: #{agent_name} #{agent_status},}"
	return rows(c, all, usual, c.placeVariables, func(t Target) any {
		u := c.Host.Unread(t.Pane.ID)
		return unreadJSON{
			Pane: t.Pane.ID.String(), Session: t.Session.Name, Window: t.Index, Name: t.Window.Name, Number: u.Number, Seen: u.Seen, Since: u.Since,
			Agent: c.placeVariables(t).agent(func(a *model.Agent) string { return a.Name }), Status: statusText(t.Pane.Agent),
		}
	})
}

func markRead(c *Context) error {
	a := c.Args
	if a.Has("a") {
		if a.Has("number") {
			return errorString("a number is one pane's: -a has none")
		}
		for _, id := range slices.Sorted(maps.Keys(c.Model.Panes)) {
			if err := c.Host.MarkRead(id, c.Host.Unread(id).Number); err != nil {
				return err
			}
		}
		return nil
	}
	id := c.Target.Pane.ID
	number := c.Host.Unread(id).Number
	if a.Has("number") {
		var err error
		if number, err = strconv.ParseUint(a.Get("number"), 10, 64); err != nil {
			return fmt.Errorf("not a number: %s (stet unread tells it)", a.Get("number"))
		}
	}
	return c.Host.MarkRead(id, number)
}

// wanting is a pane that wants somebody.
type wanting struct {
	pane  model.PaneID
	rank  int
	since time.Time
}

// attention are the panes that want somebody: by what their agents do, and among equals the one that has waited
// longest first. with says that those that are merely unread are among them, last.
func (c *Context) attention(unread bool) []wanting {
	var all []wanting
	for id, p := range c.Model.Panes {
		if _, ok := c.At(id, nil); !ok {
			continue
		}
		switch u := c.Host.Unread(id); {
		case p.Agent != nil && statusOf(p.Agent).WantsPerson():
			all = append(all, wanting{id, statusOf(p.Agent).Rank(), p.Agent.Status.Since})
		case unread && u.Is():
			all = append(all, wanting{id, model.StatusUnknown.Rank() + 1, u.Since})
		}
	}
	slices.SortFunc(all, func(a, b wanting) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), a.since.Compare(b.since), cmp.Compare(a.pane, b.pane))
	})
	return all
}

// nextAttention shows a client the pane behind its own among those that want somebody, and else the first.
func nextAttention(c *Context) error {
	all := c.attention(c.Args.Has("u"))
	at := -1
	if s := c.Model.Sessions[c.TargetClient.Session]; s != nil {
		here := c.finder().ofSession(s)
		at = slices.IndexFunc(all, func(w wanting) bool { return here.Pane != nil && w.pane == here.Pane.ID })
	}
	if len(all) == 0 || at >= 0 && len(all) == 1 {
		c.Host.Message(c.TargetClient.ID, "no other pane wants attention", 0)
		return nil
	}
	t, ok := c.At(all[(at+1)%len(all)].pane, c.Model.Sessions[c.TargetClient.Session])
	if !ok {
		t, ok = c.At(all[(at+1)%len(all)].pane, nil)
	}
	if !ok {
		return errorString("no current target")
	}
	if err := c.Model.SelectWindow(t.Session.ID, t.Index); err != nil {
		return err
	}
	if t.Window.Active != t.Pane.ID {
		if _, err := c.Model.SelectPane(t.Pane.ID, true); err != nil {
			return err
		}
	}
	c.SetCurrent(t)
	if t.Session.ID == c.TargetClient.Session {
		return nil
	}
	return c.Host.Attach(c.TargetClient.ID, t.Session.ID, AttachOptions{ReadOnly: c.TargetClient.ReadOnly})
}
