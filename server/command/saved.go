package command

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"stet/config/syntax"
	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/model"
	"stet/vt/width"
)

func savedCommands() []Command {
	return []Command{
		{
			Name: "shelve", Own: true, Flags: "t:", Long: []string{"note=", "when-idle", "cancel", "detach"}, Min: 0, Max: 0,
			Usage:  "[--note=text] [--when-idle] [--cancel] [--detach] [-t target-session]",
			Help:   "Put a session aside: everything of it is saved and read back, then its programs end. It is kept for the days of the option shelf-days; saved-resume brings it back. --when-idle waits until nothing of it has run or printed for the time of the option shelf-idle-time, --cancel takes that back. Its clients show another session, with --detach they are detached.",
			Target: SessionTarget, Exec: shelve,
		},
		{
			Name: "choose-saved", Own: true, Flags: "c:", Min: 0, Max: 0, Usage: "[-c target-client]",
			Help: "Choose a session that was put aside from a menu, to bring it back.", ClientFlag: "c", NeedClient: true, Exec: chooseSaved,
		},
		{
			Name: "saved-list", Own: true, Flags: "aF:f:", Long: []string{"json"}, Min: 0, Max: 0, Usage: "[-a] [--json] [-F format] [-f filter]",
			Help: "List the sessions that were put aside, pinned ones first, then the newest first; -a also those in the archive. Those that cannot be read are listed last, and left alone.", StartsServer: true, Visits: true, ReadOnly: true, Exec: savedList,
		},
		{
			Name: "saved-show", Own: true, Long: []string{"json"}, Min: 1, Max: 1, Usage: "[--json] name",
			Help: "Tell of a session that was put aside what is in it: its windows, and of each pane the program, the directory and how much text there is.", StartsServer: true, Visits: true, ReadOnly: true, Exec: savedShow,
		},
		{
			Name: "saved-resume", Own: true, Flags: "d", Long: []string{"as="}, Min: 1, Max: 1, Usage: "[-d] [--as=session-name] name",
			Help: "Bring back a session that was put aside, as a restore does, with --as under another name; an attached client shows it, unless -d. The note that it was put aside with is told.", StartsServer: true, Exec: savedResume,
		},
		{
			Name: "saved-pin", Own: true, Flags: "u", Min: 1, Max: 1, Usage: "[-u] name",
			Help: "Keep a session that was put aside for ever, and list it first; -u takes that back.", StartsServer: true, Visits: true, Exec: savedPin,
		},
		{
			Name: "saved-archive", Own: true, Flags: "u", Min: 1, Max: 1, Usage: "[-u] name",
			Help: "Keep a session that was put aside for ever, and leave it out of the list; -u takes that back.", StartsServer: true, Visits: true, Exec: savedArchive,
		},
		{
			Name: "saved-forget", Own: true, Flags: "y", Min: 1, Max: 1, Usage: "[-y] name",
			Help: "Remove a session that was put aside, for good: an attached client is asked first, a command line needs -y.", StartsServer: true, Visits: true, Exec: savedForget,
		},
	}
}

// menuEntries bounds the menu of choose-saved: it has to fit into a terminal.
const menuEntries = 15

// chooseSaved shows the newest entries in a menu.
func chooseSaved(c *Context) error {
	return c.Await(func(done func(error)) {
		c.Host.Shelf(func(all []store.Shelved, err error) {
			menu := []string{"display-menu", "-c", c.TargetClient.Name, "-T", "#[align=centre]Saved sessions", "-x", "C", "-y", "C"}
			n, more := 0, 0
			for _, e := range all {
				switch {
				case e.Err != nil || !e.Archived.IsZero():
				case n == menuEntries:
					more++
				default:
					text := fmt.Sprintf("%s  %s, %s", e.Name, resurrect.Plural(e.Panes, "pane"), e.SavedAt.Local().Format("2006-01-02 15:04"))
					if e.Note != "" {
						text += ": " + e.Note
					}
					key := ""
					if n++; n < 10 {
						key = strconv.Itoa(n)
					}
					menu = append(menu, strings.ReplaceAll(shortened(model.CleanText(text), 60), "#", "##"), key, quoted("saved-resume", e.ID))
				}
			}
			if more > 0 {
				menu = append(menu, "", fmt.Sprintf("-and %d more: stet saved list", more), "", "")
			}
			if err == nil && n == 0 {
				err = errorString(emptyShelf(len(all)))
			}
			if err == nil {
				var list []syntax.Command
				if list, err = syntax.ParseArgv(menu); err == nil {
					err = c.Insert(list)
				}
			}
			done(err)
		})
	})
}

// shortened is a text of at most so many characters.
func shortened(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// ShelveOptions say how a session is put aside.
type ShelveOptions struct {
	Note   string
	Detach bool // its clients are detached
}

// ShelfHost is about sessions that are put aside. Names are those of entries, or of their sessions.
type ShelfHost interface {
	// ShelveSession puts a session aside, and ends nothing of it before all of it is on the disk and was read back; done gets the entry,
	// or why everything is as it was.
	ShelveSession(id model.SessionID, o ShelveOptions, done func(store.Shelved, error))
	// ShelveWhenIdle does so as soon as nothing has run or printed in it for a while; with nil for the options it does not any more. It tells
	// whether it was to do so before.
	ShelveWhenIdle(id model.SessionID, o *ShelveOptions) (was bool)
	// Shelf lists the entries, Shelved finds one with its session and what of that cannot be read.
	Shelf(done func([]store.Shelved, error))
	Shelved(name string, done func(store.Shelved, *resurrect.Workspace, []store.Note, error))
	// ResumeShelved brings a session back, under another name where as is not empty; done gets the entry, the session and the number of its panes.
	ResumeShelved(name, as string, done func(e store.Shelved, id model.SessionID, panes int, err error))
	// ChangeShelved changes what is known of an entry, ForgetShelved removes it.
	ChangeShelved(name string, change func(*resurrect.Shelf), done func(store.Shelved, error))
	ForgetShelved(name string, done func(store.Shelved, error))
}

func shelve(c *Context) error {
	a, ses := c.Args, c.Target.Session
	o := ShelveOptions{Note: a.Get("note"), Detach: a.Has("detach")}
	if len(o.Note) > resurrect.MaxNote || !utf8.ValidString(o.Note) {
		return fmt.Errorf("the note must be text of at most %d bytes", resurrect.MaxNote)
	}
	if a.Has("cancel") {
		if !c.Host.ShelveWhenIdle(ses.ID, nil) {
			return fmt.Errorf("session %s does not wait to be shelved", ses.Name)
		}
		c.Print(ses.Name + " stays")
		return nil
	}
	if a.Has("when-idle") {
		c.Host.ShelveWhenIdle(ses.ID, &o)
		idle := time.Duration(c.Host.OptionSet(OptionTarget{Scope: ScopeSession, Session: ses.ID}).Number("shelf-idle-time")) * time.Second
		c.Print(fmt.Sprintf("%s is shelved when nothing of it has run or printed for %v; stet shelve --cancel -t %s takes that back", ses.Name, idle, ses.Name))
		return nil
	}
	return c.Await(func(done func(error)) {
		c.Host.ShelveSession(ses.ID, o, func(e store.Shelved, err error) {
			if err == nil {
				c.Print(ShelvedLine(e, c.Host.Now()))
			}
			done(err)
		})
	})
}

// ShelvedLine tells somebody that a session was put aside, and how it comes back.
func ShelvedLine(e store.Shelved, now time.Time) string {
	return fmt.Sprintf("%s is on the shelf with %s as %s, %s; stet saved resume %s brings it back", e.Name, resurrect.Plural(e.Panes, "pane"), e.ID, keptFor(e, now), e.ID)
}

// keptFor says for how long an entry stays.
func keptFor(e store.Shelved, now time.Time) string {
	ends := e.Ends()
	switch {
	case !e.Archived.IsZero():
		return "archived"
	case !e.Pinned.IsZero():
		return "pinned"
	case ends.IsZero():
		return "kept until it is forgotten"
	case !ends.After(now):
		return "expired, goes with the next start or shelve"
	}
	return "expires in " + span(ends.Sub(now))
}

// span is a time to come, in the unit that a person counts it by.
func span(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "less than a minute"
	case d < time.Hour:
		return resurrect.Plural(int(d/time.Minute), "minute")
	case d < 48*time.Hour:
		return resurrect.Plural(int(d.Round(time.Hour)/time.Hour), "hour")
	}
	return resurrect.Plural(int(d.Round(time.Hour)/(24*time.Hour)), "day")
}

// savedJSON is an entry of saved-list --json. Fields are added, never renamed.
type savedJSON struct {
	Name      string    `json:"name"`
	Session   string    `json:"session,omitempty"`
	State     string    `json:"state"` // shelved, shelving, resuming or unreadable
	SavedAt   time.Time `json:"saved_at,omitzero"`
	Note      string    `json:"note,omitempty"`
	Windows   int       `json:"windows"`
	Panes     int       `json:"panes"`
	Live      int       `json:"live"`
	Unread    int       `json:"unread"`
	Pinned    bool      `json:"pinned"`
	Archived  bool      `json:"archived"`
	ExpiresAt time.Time `json:"expires_at,omitzero"`
	Error     string    `json:"error,omitempty"`
}

func savedObject(e store.Shelved) savedJSON {
	if e.Err != nil {
		return savedJSON{Name: e.ID, State: "unreadable", Error: e.Err.Error()}
	}
	return savedJSON{
		Name: e.ID, Session: e.Name, State: e.State, SavedAt: e.SavedAt, Note: e.Note, Windows: e.Windows, Panes: e.Panes, Live: e.Live,
		Unread: e.Unread, Pinned: !e.Pinned.IsZero(), Archived: !e.Archived.IsZero(), ExpiresAt: e.Ends(),
	}
}

// The text of an entry's line.
const savedFormat = "#{p32:saved_name} #{?saved_error,cannot be read#, and is left alone: #{saved_error}," +
	"#{saved_at}  #{saved_session}: #{saved_windows} window#{?#{==:#{saved_windows},1},,s}#, #{saved_panes} pane#{?#{==:#{saved_panes},1},,s} (#{saved_live} live#, #{saved_unread} unread)#, #{saved_kept}" +
	"#{?saved_note,: #{saved_note},}}"

// savedVariables are what formats can ask about an entry.
func savedVariables(e store.Shelved, now time.Time) map[string]string {
	v := map[string]string{"saved_name": e.ID}
	if e.Err != nil {
		v["saved_error"] = model.CleanText(e.Err.Error())
		return v
	}
	flag := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return "1"
	}
	for name, value := range map[string]string{
		"session": e.Name, "state": e.State, "at": e.SavedAt.Local().Format(time.DateTime), "time": strconv.FormatInt(e.SavedAt.Unix(), 10), "note": model.CleanText(e.Note),
		"windows": strconv.Itoa(e.Windows), "panes": strconv.Itoa(e.Panes), "live": strconv.Itoa(e.Live), "unread": strconv.Itoa(e.Unread),
		"pinned": flag(e.Pinned), "archived": flag(e.Archived), "kept": keptFor(e, now),
	} {
		v["saved_"+name] = value
	}
	return v
}

func savedList(c *Context) error {
	return c.Await(func(done func(error)) {
		c.Host.Shelf(func(all []store.Shelved, err error) {
			var list []store.Shelved
			for _, e := range all {
				if e.Archived.IsZero() || c.Args.Has("a") {
					list = append(list, e)
				}
			}
			if err == nil {
				err = rows(c, list, savedFormat, func(e store.Shelved) *Variables {
					v := c.placeVariables(Target{})
					v.extra = savedVariables(e, c.Host.Now())
					return v
				}, func(e store.Shelved) any { return savedObject(e) })
			}
			if err == nil && len(list) == 0 && !c.Args.Has("json") && !c.Args.Has("F") {
				c.Print(emptyShelf(len(all)))
			}
			done(err)
		})
	})
}

func emptyShelf(archived int) string {
	if archived > 0 {
		return fmt.Sprintf("no session is on the shelf; %s in the archive (saved list -a)", resurrect.Plural(archived, "session"))
	}
	return "no session is on the shelf; stet shelve puts one there"
}

// savedPaneJSON is a pane of saved-show --json.
type savedPaneJSON struct {
	Window    int      `json:"window"`
	Pane      int      `json:"pane"`
	Title     string   `json:"title,omitempty"`
	Directory string   `json:"directory,omitempty"`
	Running   []string `json:"running,omitempty"`
	Agent     string   `json:"agent,omitempty"`
	Dead      bool     `json:"dead,omitempty"`
	NoSave    bool     `json:"no_save,omitempty"`
	Lines     int      `json:"lines"` // of scrollback
}

func savedShow(c *Context) error {
	return c.Await(func(done func(error)) {
		c.Host.Shelved(c.Args.Arg(0), func(e store.Shelved, ws *resurrect.Workspace, notes []store.Note, err error) {
			if err != nil {
				done(err)
				return
			}
			var panes []savedPaneJSON
			var heads []string // the window's line in front of each pane; "" for none
			for _, w := range ws.Sessions[0].Windows {
				for i, p := range w.Panes {
					head := ""
					if i == 0 {
						head = fmt.Sprintf("  %d: %s", w.Index, model.CleanText(w.Name))
					}
					heads, panes = append(heads, head), append(panes, savedPane(w.Index, i, &p))
				}
			}
			if c.Args.Has("json") {
				texts := make([]string, len(notes))
				for i, n := range notes {
					texts[i] = n.String()
				}
				done(c.printJSON(map[string]any{"entry": savedObject(e), "panes": panes, "notes": texts}))
				return
			}
			c.Print(fmt.Sprintf("%s: session %s of %s, %s", e.ID, e.Name, e.SavedAt.Local().Format(time.DateTime), keptFor(e, c.Host.Now())))
			if e.Note != "" {
				c.Print("note: " + model.CleanText(e.Note))
			}
			for i, p := range panes {
				if heads[i] != "" {
					c.Print(heads[i])
				}
				c.Print("    " + p.line())
			}
			for _, n := range notes {
				c.Print("note: " + n.String())
			}
			done(nil)
		})
	})
}

func savedPane(window, index int, p *resurrect.Pane) savedPaneJSON {
	out := savedPaneJSON{Window: window, Pane: index, Title: p.Title, Directory: p.Cwd, Running: p.Running, Dead: p.Dead, NoSave: p.NoSave, Lines: p.HistoryLines()}
	if len(out.Running) == 0 {
		out.Running = p.Argv
	}
	if p.Agent != nil {
		out.Agent = p.Agent.Name
	}
	return out
}

func (p savedPaneJSON) line() string {
	what := "a shell"
	switch {
	case p.Agent != "":
		what = "agent " + p.Agent
	case len(p.Running) > 0:
		what = resurrect.Words(p.Running)
	}
	if p.Dead {
		what += " (ended)"
	}
	line := fmt.Sprintf("%d: %s in %s", p.Pane, what, cmp.Or(p.Directory, "?"))
	if p.NoSave {
		return width.Printable(line + "; its text is not kept")
	}
	return width.Printable(line + "; " + resurrect.Plural(p.Lines, "line") + " of scrollback")
}

func savedResume(c *Context) error {
	return c.Await(func(done func(error)) {
		c.Host.ResumeShelved(c.Args.Arg(0), c.Args.Get("as"), func(e store.Shelved, id model.SessionID, panes int, err error) {
			ses, note := c.Model.Sessions[id], model.CleanText(e.Note)
			switch {
			case err != nil || ses == nil:
			case c.Info.Attached() && !c.Args.Has("d"):
				if err = c.Host.Attach(c.Client, id, AttachOptions{}); err == nil && note != "" {
					c.Host.Message(c.Client, ses.Name+" is back: "+note, 0)
				}
			default:
				c.Print(fmt.Sprintf("%s is back with %s (stet report); stet attach -t %s shows it", ses.Name, resurrect.Plural(panes, "pane"), ses.Name))
				if note != "" {
					c.Print("note: " + note)
				}
			}
			done(err)
		})
	})
}

// change does something to what is known of an entry, and says what it is now.
func (c *Context) change(f func(*resurrect.Shelf)) error {
	return c.Await(func(done func(error)) {
		c.Host.ChangeShelved(c.Args.Arg(0), f, func(e store.Shelved, err error) {
			if err == nil {
				c.Print(e.ID + ": " + keptFor(e, c.Host.Now()))
			}
			done(err)
		})
	})
}

func savedPin(c *Context) error {
	return c.change(func(r *resurrect.Shelf) { r.Pinned = c.since(r.Pinned) })
}

func savedArchive(c *Context) error {
	return c.change(func(r *resurrect.Shelf) { r.Archived = c.since(r.Archived) })
}

// since is when something was done: before, or now; with -u it was not.
func (c *Context) since(before time.Time) time.Time {
	switch {
	case c.Args.Has("u"):
		return time.Time{}
	case before.IsZero():
		return c.Host.Now()
	}
	return before
}

func savedForget(c *Context) error {
	name := c.Args.Arg(0)
	forget := func(done func(error)) {
		c.Host.ForgetShelved(name, func(e store.Shelved, err error) {
			if err == nil {
				c.Print(e.ID + " is gone for good")
			}
			done(err)
		})
	}
	switch {
	case c.Args.Has("y"):
		return c.Await(forget)
	case !c.Info.Attached():
		return fmt.Errorf("saved forget removes %s for good: stet saved forget -y %s does it", name, name)
	}
	ask := func(done func(error)) {
		c.Host.Confirm(c.Client, Question{Label: fmt.Sprintf("forget %s for good? (y/n)", model.CleanText(name)), Key: 'y'}, func(yes bool) {
			if !yes {
				done(nil)
				return
			}
			forget(done)
		})
	}
	return c.Await(func(done func(error)) {
		c.Host.Shelf(func(all []store.Shelved, err error) { // nobody is asked about what is not there
			if err == nil && !slices.ContainsFunc(all, func(e store.Shelved) bool { return strings.HasPrefix(e.ID, name) || e.Name == name }) {
				err = fmt.Errorf("nothing on the shelf is called %q; stet saved list shows what there is", name)
			}
			if err != nil {
				done(err)
				return
			}
			ask(done)
		})
	})
}
