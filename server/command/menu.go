package command

import (
	"fmt"
	"strings"

	"stet/config/syntax"
	"stet/server/model"
	"stet/vt/key"
)

func menuCommands() []Command {
	return []Command{
		{
			Name: "display-menu", Alias: "menu", Flags: "c:Ot:T:x:y:", Min: 1, Max: -1,
			Usage: "[-O] [-c target-client] [-t target-pane] [-T title] [-x position] [-y position] name key command ...",
			Help:  "Show a menu; each item is a name, a key and a command, an empty name is a line across, - in front of a name makes it one that cannot be chosen.", Target: PaneTarget,
			ClientFlag: "c", NeedClient: true, Exec: displayMenu,
		},
	}
}

// maxMenu bounds the items of a menu.
const maxMenu = 1000

// MenuRequest is what a menu shows, its formats expanded.
type MenuRequest struct {
	Title string
	Items []MenuItem
	X, Y  string // as -x and -y name a place: letters, or formats
	Pane  model.PaneID
	Mouse *MouseEvent // of the binding that opens it; nil for none
	Keep  bool
	// Expand reads a format, with variables besides the usual ones.
	Expand func(text string, extra map[string]string) string
}

// MenuItem is an item; one without a name is a line across.
type MenuItem struct {
	Name     string
	Key      key.Chord
	Disabled bool
}

func displayMenu(c *Context) error {
	a := c.Args
	r := MenuRequest{Title: c.Expand(a.Get("T"), c.Target), Pane: c.Target.Pane.ID, Mouse: c.Mouse, Keep: a.Has("O"),
		X: a.Get("x"), Y: a.Get("y"), Expand: c.expander(c.Target)}
	var commands []string
	for i := 0; i < a.Len(); {
		name := c.ExpandTime(a.Arg(i), c.Target)
		i++
		if a.Arg(i-1) == "" {
			r.Items, commands = append(r.Items, MenuItem{}), append(commands, "")
			continue
		}
		if i+1 >= a.Len() {
			return errorString("not enough arguments: each item of a menu has a name, a key and a command")
		}
		k, line := a.Arg(i), c.Expand(a.Arg(i+1), c.Target)
		i += 2
		if name == "" {
			continue // its format has left it out
		}
		item := MenuItem{Name: name}
		if rest, ok := strings.CutPrefix(name, "-"); ok {
			item.Name, item.Disabled = rest, true
		}
		if k != "" {
			chord, err := parseKey(k)
			if err != nil {
				return err
			}
			item.Key = chord
		}
		r.Items, commands = append(r.Items, item), append(commands, line)
	}
	r.Items, commands = tidyMenu(r.Items, commands)
	if len(r.Items) == 0 || len(r.Items) > maxMenu {
		return fmt.Errorf("a menu has 1 to %d items", maxMenu)
	}
	client, pane, mouse := c.TargetClient.ID, c.Target.Pane.ID, c.Mouse
	return c.Await(func(done func(error)) {
		c.Host.Menu(client, r, func(i int) {
			if i < 0 || i >= len(commands) {
				done(nil)
				return
			}
			list, err := syntax.Parse(commands[i], "")
			if err == nil {
				c.queue.Run(Request{Client: client, Commands: list, Pane: pane, HasPane: true, Mouse: mouse})
			}
			done(err)
		})
	})
}

// tidyMenu takes out lines across at the ends and those that follow each other, which are left where
// formats have taken items out.
func tidyMenu(items []MenuItem, commands []string) ([]MenuItem, []string) {
	var outItems []MenuItem
	var outCommands []string
	for i, it := range items {
		n := len(outItems)
		if it.Name == "" && (n == 0 || outItems[n-1].Name == "") {
			continue
		}
		outItems, outCommands = append(outItems, it), append(outCommands, commands[i])
	}
	if n := len(outItems); n > 0 && outItems[n-1].Name == "" {
		outItems, outCommands = outItems[:n-1], outCommands[:n-1]
	}
	return outItems, outCommands
}
