package resurrect

import "time"

// Format is the number of the file format this build writes and the newest it
// reads. It is raised for every change that an older build would misread,
// which includes each new key: an older build that ignored a key would drop it
// at its next save.
const Format = 3

// What the user meant when the workspace was saved for the last time.
const (
	// IntentRunning: nobody asked for an end, so the next start restores.
	IntentRunning = "running"
	// IntentKilled: kill-server ended it, so the next start only offers it.
	IntentKilled = "killed"
	// IntentShelved: the user has put its one session aside, so it is brought back when it is asked for.
	IntentShelved = "shelved"
	// IntentClosed: the user closed the last pane. It is the only intent under
	// which a workspace without panes is saved.
	IntentClosed = "closed"
)

// Limits of what a snapshot may name. They bound what a damaged or hostile
// file can make us allocate and lie far above real use.
const (
	MaxCells = 65535   // columns or rows of a window, as in the emulator
	MaxPanes = 100_000 // panes in a workspace
	MaxID    = 1 << 31 // numbers of sessions, windows and panes lie below it

	MaxBuffers     = 1024      // paste buffers
	MaxBufferBytes = 256 << 10 // in all of them
	MaxBindings    = 10_000    // key bindings
)

// Workspace is one snapshot of everything that lives behind one socket name.
type Workspace struct {
	Format     int       `toml:"format"`
	Build      string    `toml:"build"`                // version of the program that wrote it
	SavedAt    time.Time `toml:"saved_at"`             // wall clock, for people only
	Generation uint64    `toml:"generation"`           // counts published generations from 1
	Kept       string    `toml:"kept,omitempty"`       // why thinning must not drop this generation
	Intent     string    `toml:"intent"`               // IntentRunning, IntentKilled, IntentShelved or IntentClosed
	LastActive int       `toml:"last_active,omitzero"` // session used last, 0 may mean unknown

	NextSession int `toml:"next_session"` // ids are never used again, so the counters are saved
	NextWindow  int `toml:"next_window"`
	NextPane    int `toml:"next_pane"`

	// What commands have set for all, as far as no file of the user's says it.
	Options        map[string]string `toml:"options,omitempty"`         // of the server
	SessionOptions map[string]string `toml:"session_options,omitempty"` // of all sessions
	WindowOptions  map[string]string `toml:"window_options,omitempty"`  // of all windows
	Bindings       []Binding         `toml:"binding,omitempty"`

	Buffers     []Buffer  `toml:"buffer,omitempty"`      // paste buffers, the newest first
	BuffersLeft int       `toml:"buffers_left,omitzero"` // how many there were beside them
	Sessions    []Session `toml:"session,omitempty"`

	// Draft marks a workspace with nothing worth saving (one untouched shell).
	// It is never written and never replaces what is saved.
	Draft bool `toml:"-"`
}

// Binding is what a command has bound a key to.
type Binding struct {
	Table   string `toml:"table"`
	Key     string `toml:"key"`
	Command string `toml:"command,omitempty"` // in the command language; "": nothing, although it has a default
	Repeat  bool   `toml:"repeat,omitempty"`
	Note    string `toml:"note,omitempty"`
}

// Buffer is one paste buffer.
type Buffer struct {
	Name      string    `toml:"name"`
	Automatic bool      `toml:"automatic,omitempty"` // nobody has named it
	Created   time.Time `toml:"created"`
	Text      string    `toml:"text"`
}

// Session is one session in list order.
type Session struct {
	ID          int               `toml:"id"`
	Name        string            `toml:"name"`
	Group       string            `toml:"group,omitempty"`
	Declared    string            `toml:"declared,omitempty"` // the declaration in the configuration that it was opened from
	Cwd         string            `toml:"cwd"`                // where new windows start
	Created     time.Time         `toml:"created"`
	Activity    time.Time         `toml:"activity,omitempty"`
	Attached    time.Time         `toml:"attached,omitempty"` // when a client was attached last; zero: never
	Current     int               `toml:"current"`            // index of the current window
	Last        []int             `toml:"last,omitempty"`     // indexes of windows, most recent first
	Options     map[string]string `toml:"options,omitempty"`
	Environment map[string]string `toml:"environment,omitempty"` // allow-listed names only; the exporter filters
	Windows     []Window          `toml:"window,omitempty"`
}

// Window is one window at its index in a session.
type Window struct {
	ID       int    `toml:"id"`
	Index    int    `toml:"index"`
	Link     bool   `toml:"link,omitempty"` // the window with this id stands in an earlier session; nothing but id and index is set here
	Name     string `toml:"name,omitempty"`
	AutoName bool   `toml:"auto_name,omitempty"`
	Layout   string `toml:"layout,omitempty"` // tmux's layout string; names exactly the panes below, by id
	Zoomed   bool   `toml:"zoomed,omitempty"`
	Active   int    `toml:"active"`         // pane id
	Last     []int  `toml:"last,omitempty"` // pane ids, most recent first

	Options map[string]string `toml:"options,omitempty"`
	Panes   []Pane            `toml:"pane,omitempty"`
}

// Pane is one pane. Its files on disk lie in a directory named UID.
type Pane struct {
	ID       int      `toml:"id"`
	UID      string   `toml:"uid"`                 // stable over restarts: lower-case letters, digits, '-'
	Argv     []string `toml:"argv,omitempty"`      // empty: the shell
	Shell    string   `toml:"shell,omitempty"`     // the shell of the pane
	StartDir string   `toml:"start_dir,omitempty"` // directory the pane was made with
	Cwd      string   `toml:"cwd,omitempty"`       // directory of the foreground program at save time
	Mount    string   `toml:"mount,omitempty"`     // mount point below which Cwd lay, when it was not the root
	Title    string   `toml:"title,omitempty"`
	Cols     int      `toml:"cols"`
	Rows     int      `toml:"rows"`
	Running  []string `toml:"running,omitempty"` // argv of the foreground program, when it was not the shell
	NoSave   bool     `toml:"no_save,omitempty"` // neither screen nor history are written
	Dead     bool     `toml:"dead,omitempty"`    // the program had exited and the pane was kept
	Status   int      `toml:"status,omitzero"`   // its exit status
	Why      string   `toml:"why,omitempty"`     // why it was not even started
	Empty    bool     `toml:"empty,omitempty"`   // it never had a program
	Output   uint64   `toml:"output,omitzero"`   // counts what it has printed in its life, and what has happened in it
	Seen     uint64   `toml:"seen,omitzero"`     // up to which of that somebody has looked
	// RunFailed: a restore has started its command again, and that failed.
	RunFailed bool `toml:"run_failed,omitempty"`

	// SavedAt is when screen and history were saved, where that was not with the workspace: a restored pane
	// that nobody has used keeps what it was restored from.
	SavedAt time.Time `toml:"saved_at,omitempty"`

	Agent       *Agent            `toml:"agent,omitempty"`
	Environment map[string]string `toml:"environment,omitempty"` // allow-listed names only
	Options     map[string]string `toml:"options,omitempty"`

	// Filled in by the store.
	Screen       string  `toml:"screen,omitempty"`       // file in the pane's directory
	HistoryFirst uint64  `toml:"history_first,omitzero"` // logical number of the oldest line in History
	History      []Range `toml:"history,omitempty"`
}

// Agent is the recovery record of an agent launched in a pane. It holds names
// and ids, never secrets.
type Agent struct {
	Name         string            `toml:"name"`                   // integration
	Conversation string            `toml:"conversation,omitempty"` // id last reported; empty: none yet
	Argv         []string          `toml:"argv,omitempty"`         // what may be carried to a resume
	Exe          string            `toml:"exe,omitempty"`          // absolute path of the program as launched
	Cwd          string            `toml:"cwd,omitempty"`          // the only directory in which it may be resumed
	Environment  map[string]string `toml:"environment,omitempty"`  // allow-listed names only
	State        string            `toml:"state,omitempty"`        // how far the launch got, in the words of the integration
	ReportedAt   time.Time         `toml:"reported_at,omitempty"`
	Adopted      bool              `toml:"adopted,omitempty"` // it was typed into the pane's shell
}

// Range is a run of published bytes in one history segment.
type Range struct {
	Segment string `toml:"segment"` // file in the pane's directory: hist-N
	From    int64  `toml:"from"`    // first byte
	To      int64  `toml:"to"`      // the byte behind the last, always just behind a line's end
	Lines   int    `toml:"lines"`   // lines in From..To
	Skip    int    `toml:"skip"`    // lines at the beginning that no longer belong to the history
}

// HistoryLines is the number of history lines the pane's ranges hold.
func (p *Pane) HistoryLines() int {
	n := 0
	for _, r := range p.History {
		n += r.Lines - r.Skip
	}
	return n
}

// EachPane calls f for every pane in order. Linked windows have no panes of
// their own, so each pane comes once.
func (ws *Workspace) EachPane(f func(s *Session, w *Window, p *Pane)) {
	for i := range ws.Sessions {
		s := &ws.Sessions[i]
		for j := range s.Windows {
			w := &s.Windows[j]
			for k := range w.Panes {
				f(s, w, &w.Panes[k])
			}
		}
	}
}

// Alone is a workspace that has one pane and nothing else, for what is asked of workspaces. It is none that could
// be saved.
func Alone(p Pane) *Workspace {
	return &Workspace{Sessions: []Session{{Windows: []Window{{Panes: []Pane{p}}}}}}
}

// PaneCount is the number of panes.
func (ws *Workspace) PaneCount() int {
	n := 0
	for i := range ws.Sessions {
		for j := range ws.Sessions[i].Windows {
			n += len(ws.Sessions[i].Windows[j].Panes)
		}
	}
	return n
}

// ActivePane is the pane that has the focus. A focus that names no pane of the
// window is not worth losing a window for: the first pane stands in.
func (w *Window) ActivePane() int {
	for i := range w.Panes {
		if w.Panes[i].ID == w.Active {
			return w.Active
		}
	}
	if len(w.Panes) > 0 {
		return w.Panes[0].ID
	}
	return 0
}
