package command

import (
	"fmt"
	"slices"
	"strconv"

	"stet/server/keymap"
	"stet/server/model"
)

func clientCommands() []Command {
	return []Command{
		{
			Name: "detach-client", Alias: "detach", Flags: "aE:Ps:t:", Min: 0, Max: 0,
			Usage: "[-aP] [-E shell-command] [-s target-session] [-t target-client]",
			Help:  "Let go of a client; programs run on. -a detaches all others, -s all of a session; -P hangs up its parent, -E runs a command in its place.",
			// -s names a session here, and then no client is needed.
			ClientFlag: "t", ReadOnly: true, Exec: detachClient,
		},
		{
			Name: "suspend-client", Alias: "suspendc", Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-client]",
			Help: "Suspend a client, as C-z does a program.", ClientFlag: "t", NeedClient: true, ReadOnly: true,
			Exec: func(c *Context) error { c.Host.Suspend(c.TargetClient.ID); return nil },
		},
		{
			Name: "refresh-client", Alias: "refresh", Flags: "A:B:cC:Df:F:lLRSt:U", Min: 0, Max: 1,
			Usage:      "[-cDlLRSU] [-A pane:state] [-B name:what:format] [-C size] [-f flags] [-F flags] [-t target-client] [adjustment]",
			Help:       "Draw everything again, -S the status line; -L, -R, -U and -D move the view of a window larger than the screen, -c lets it follow the cursor; -f sets flags of the client.",
			ClientFlag: "t", NeedClient: true, ReadOnly: true, Exec: refreshClient,
		},
		{
			Name: "switch-client", Alias: "switchc", Flags: "c:Elnprt:T:Z", Min: 0, Max: 0,
			Usage:      "[-ElnprZ] [-c target-client] [-t target-session] [-T key-table]",
			Help:       "Show another session to a client; -n and -p the next and previous one, -l the last. -T looks its next key up in a table.",
			ClientFlag: "c", NeedClient: true, ReadOnly: true, Exec: switchClient,
		},
	}
}

func detachClient(c *Context) error {
	o := DetachOptions{Kill: c.Args.Has("P"), Exec: c.Args.Get("E")}
	if o.Exec != "" && c.Info.ReadOnly {
		return errorString("client is read-only")
	}
	if c.Args.Has("s") {
		t, err := c.Find(c.Args.Get("s"), SessionTarget, 0)
		if err != nil {
			return err
		}
		c.detachAll(o, func(i ClientInfo) bool { return i.Session == t.Session.ID })
		return nil
	}
	if !c.HasClient {
		return c.noClient()
	}
	if c.Args.Has("a") {
		c.detachAll(o, func(i ClientInfo) bool { return i.ID != c.TargetClient.ID })
		return nil
	}
	c.Host.Detach(c.TargetClient.ID, o)
	return nil
}

// noClient says that there is no client the command could be about.
func (c *Context) noClient() error {
	if name := c.Args.Get(c.Row.ClientFlag); name != "" {
		return errorString("can't find client: " + name)
	}
	return errorString("no current client")
}

func (c *Context) detachAll(o DetachOptions, which func(ClientInfo) bool) {
	for _, i := range slices.Clone(c.Host.Clients()) {
		if which(i) {
			c.Host.Detach(i.ID, o)
		}
	}
}

func switchClient(c *Context) error {
	a := c.Args
	if table := a.Get("T"); table != "" {
		if table != keymap.Root && !c.Host.Keys().Has(table) {
			return errorString("table " + table + " doesn't exist")
		}
		c.Host.SwitchTable(c.TargetClient.ID, table)
		return nil
	}
	var to *model.Session
	switch {
	case a.Has("n"):
		to = c.neighbourSession(1)
	case a.Has("p"):
		to = c.neighbourSession(-1)
	case a.Has("l"):
		if to = c.Model.Sessions[c.TargetClient.LastSession]; to == nil {
			return errorString("can't find last session")
		}
	default:
		t, show, err := c.findSession(a.Get("t"), 0)
		if err == nil {
			err = show()
		}
		if err != nil {
			return err
		}
		to = t.Session
	}
	if to == nil {
		return errorString("no current session")
	}
	if !a.Has("E") {
		c.updateEnv(to, c.TargetClient)
	}
	if !a.Has("r") {
		return c.Host.Attach(c.TargetClient.ID, to.ID, AttachOptions{ReadOnly: c.TargetClient.ReadOnly})
	}
	if !c.TargetClient.ReadOnly {
		return c.Host.Attach(c.TargetClient.ID, to.ID, AttachOptions{ReadOnly: true})
	}
	if err := c.setClientFlags(c.TargetClient.ID, "!read-only"); err != nil {
		return err
	}
	return c.Host.Attach(c.TargetClient.ID, to.ID, AttachOptions{})
}

// neighbourSession is the session before or behind the client's in the order of names, going round.
func (c *Context) neighbourSession(step int) *model.Session {
	all := c.Model.SortedSessions()
	i := slices.IndexFunc(all, func(s *model.Session) bool { return s.ID == c.TargetClient.Session })
	if i < 0 {
		return nil
	}
	return all[(i+step+len(all))%len(all)]
}

// refreshClient draws again, or moves the view of a window that is larger than the screen.
func refreshClient(c *Context) error {
	a, id := c.Args, c.TargetClient.ID
	for _, flag := range []string{"A", "B", "C"} {
		if a.Has(flag) {
			return errorString("not a control client")
		}
	}
	if a.Has("l") {
		return errorString("refresh-client -l: the clipboard of the outer terminal is not read")
	}
	for _, flag := range []string{"f", "F"} {
		if a.Has(flag) {
			return c.setClientFlags(id, a.Get(flag))
		}
	}
	if a.Has("S") {
		c.Host.Restyle(id)
		return nil
	}
	if a.Has("c") {
		c.Host.Follow(id)
		return nil
	}
	for _, d := range [...]struct {
		flag   string
		dx, dy int
	}{{"L", -1, 0}, {"R", 1, 0}, {"U", 0, -1}, {"D", 0, 1}} {
		if a.Has(d.flag) {
			n, err := adjustment(a)
			if err == nil {
				c.Host.Pan(id, n*d.dx, n*d.dy)
			}
			return err
		}
	}
	c.Host.Refresh(id)
	return nil
}

// adjustment is by how many cells a view moves, 1 where nothing is said.
func adjustment(a *Args) (int, error) {
	if a.Len() == 0 {
		return 1, nil
	}
	n, err := strconv.Atoi(a.Arg(0))
	if err != nil || n < 1 || n > model.MaxSize {
		return 0, fmt.Errorf("adjustment %s: write a number of cells, 1 to %d", a.Arg(0), model.MaxSize)
	}
	return n, nil
}
