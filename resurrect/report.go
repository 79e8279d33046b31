package resurrect

import "time"

// State is how a pane came out of a start.
type State string

// The states, from best to worst.
const (
	Reattached State = "reattached" // the program never stopped
	Resumed    State = "resumed"    // an agent goes on with its own conversation
	Restored   State = "restored"   // a fresh shell under the old screen
	Waiting    State = "waiting"    // needs the user; Next says what to press or run
	Failed     State = "failed"     // Reason says why
)

// Row is the outcome for one pane. The JSON names are stable.
type Row struct {
	PaneID  int       `json:"pane_id"`
	Target  string    `json:"target"` // session:window.pane
	State   State     `json:"state"`
	Reason  string    `json:"reason,omitempty"`    // why it is not better
	Next    string    `json:"next,omitempty"`      // what the user can do
	SavedAt time.Time `json:"saved_at,omitzero"`   // when the saved state was true
	Lines   int       `json:"lines_restored"`      // screen and history lines shown again
	Missing int       `json:"lines_lost"`          // lines that were saved and could not be read
	Dir     string    `json:"directory,omitempty"` // where the program runs
}

// Report is the outcome of one start.
type Report struct {
	Format     int       `json:"format"`
	Build      string    `json:"build"`
	At         time.Time `json:"at"`                // when the restore was finished
	Generation uint64    `json:"generation"`        // what was restored; 0: nothing on disk was used
	SavedAt    time.Time `json:"saved_at,omitzero"` // when that was saved
	Notes      []string  `json:"notes,omitempty"`   // what concerns no single pane: a damaged file, an older generation
	Rows       []Row     `json:"panes"`
}
