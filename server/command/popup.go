package command

import (
	"fmt"
	"slices"

	"stet/config/option"
	"stet/config/style"
	"stet/server/model"
)

func popupCommands() []Command {
	return []Command{{
		Name: "display-popup", Alias: "popup", Flags: "BCb:c:d:e:Eh:s:S:t:T:w:x:y:", Min: 0, Max: -1,
		Usage: "[-BCE] [-b border-lines] [-c target-client] [-d start-directory] [-e environment] [-h height] [-s style] [-S border-style] [-t target-pane] [-T title] [-w width] [-x position] [-y position] [shell-command]",
		Help: "Run a program in a box over the panes; -E closes it when the program ends, -EE when it ends well, else Escape or C-c closes it then. " +
			"-C closes the one that is open. Without a command it is the shell.",
		Target: PaneTarget, ClientFlag: "c", NeedClient: true, Exec: displayPopup,
	}}
}

// PopupClose says when a popup closes by itself.
type PopupClose uint8

// When a popup closes by itself.
const (
	CloseByKey     PopupClose = iota // never: when the program has ended, Escape or C-c closes it
	CloseOnExit                      // with its program (-E)
	CloseOnSuccess                   // with its program, if that has not failed (-EE)
)

// PopupRequest is what a popup shows, its formats expanded. What is left of it where a server takes over
// from one that was killed is what is exported but for Expand.
type PopupRequest struct {
	Title         string // with #[…] styles
	X, Y          string // as -x and -y name a place: letters, or formats
	W, H          int    // cells, the border included; 0 is half the screen
	Lines         string // a choice of popup-border-lines; "" what that says
	Style, Border string // laid over popup-style and popup-border-style
	Argv          []string
	Shell         string // that runs it
	Dir           string
	Env           []string // NAME=value
	Session       model.SessionID
	Pane          model.PaneID // that the place is about
	Close         PopupClose

	// Mouse is the event of the binding that opens it; nil for none. Expand reads a format, with variables
	// besides the usual ones.
	Mouse  *MouseEvent                                               `cbor:"-"`
	Expand func(text string, extra map[string]string) (value string) `cbor:"-"`
}

// PopupHost is about popups: each attached client has one at most.
type PopupHost interface {
	// Popup opens one. done gets the exit status of its program, as a shell gives it, when the popup is
	// closed, or why there is none.
	Popup(id ClientID, r PopupRequest, done func(status int, err error))
	// ClosePopup closes the one that a client has, if it has one, and ends its program.
	ClosePopup(id ClientID)
	// PopupClient is the client that has the popup with a terminal, or with a number (%5), 0 for none.
	PopupClient(tty, number string) ClientID
}

func displayPopup(c *Context) error {
	client := c.TargetClient
	if c.Args.Has("C") {
		c.Host.ClosePopup(client.ID)
		return nil
	}
	r, err := c.popup(client)
	if err != nil {
		return err
	}
	if c.Client == 0 { // a file or a hook: nobody waits, and others of that kind must not wait for a person
		c.Host.Popup(client.ID, r, func(_ int, err error) {
			if err != nil {
				c.Host.Fail(0, "display-popup: "+err.Error())
			}
		})
		return nil
	}
	return c.Await(func(done func(error)) {
		c.Host.Popup(client.ID, r, func(status int, err error) {
			if err == nil && !c.Info.Attached() {
				c.Host.ExitStatus(c.Client, status)
			}
			done(err)
		})
	})
}

// popup reads the flags.
func (c *Context) popup(client ClientInfo) (r PopupRequest, err error) {
	a, t := c.Args, c.Target
	spec := c.paneSpec(OptionTarget{Scope: ScopeSession, Session: t.Session.ID}, a.Texts(0))
	r = PopupRequest{
		Title: c.Expand(a.Get("T"), t), X: a.Get("x"), Y: a.Get("y"), Lines: a.Get("b"), Style: a.Get("s"), Border: a.Get("S"),
		Argv: spec.Argv, Shell: spec.Shell, Dir: c.directory(a.Get("d"), t), Session: t.Session.ID, Pane: t.Pane.ID, Mouse: c.Mouse,
		Close: PopupClose(min(len(a.All("E")), int(CloseOnSuccess))), Expand: c.expander(t),
	}
	if a.Has("B") {
		r.Lines = "none"
	} else if known := option.Lookup("popup-border-lines").Choices; a.Has("b") && !slices.Contains(known, r.Lines) {
		return r, fmt.Errorf("unknown popup-border-lines: %q (one of %v)", r.Lines, known)
	}
	for _, look := range []string{r.Style, r.Border} {
		if _, err := style.Parse(look); err != nil {
			return r, err
		}
	}
	for _, d := range []struct {
		flag, what string
		screen     int
		to         *int
	}{{"w", "width", client.W, &r.W}, {"h", "height", client.H, &r.H}} {
		if !a.Has(d.flag) {
			continue
		}
		if *d.to, err = part(a.Get(d.flag), d.what, d.screen); err != nil {
			return r, err
		}
	}
	r.Env, err = environment(a.All("e"))
	return r, err
}

// part reads a size in cells, or in per cent of a screen, that is at least 1 and at most the screen's.
func part(text, what string, screen int) (int, error) {
	n, err := cells(text, what, screen)
	switch {
	case err != nil:
		return 0, err
	case n < 1:
		return 0, fmt.Errorf("%s too small", what)
	case n > screen:
		return 0, fmt.Errorf("%s too large (the client has %d)", what, screen)
	}
	return n, nil
}

// expander reads formats about a place later, with variables besides the usual ones.
func (c *Context) expander(t Target) func(text string, extra map[string]string) string {
	return func(text string, extra map[string]string) string {
		v := c.Variables(t)
		more := map[string]string{}
		for _, m := range []map[string]string{v.extra, extra} {
			for name, value := range m {
				more[name] = value
			}
		}
		v.extra = more
		return c.expandWith(text, v)
	}
}
