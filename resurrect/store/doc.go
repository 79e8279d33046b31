// Package store keeps the generations of a workspace on disk.
//
// It promises: whatever fails and whenever the machine stops, the directory
// holds the old state or the new one, never something between; published bytes
// of a history are never rewritten; a failed commit says which step failed on
// which file and why, leaves no temporary file behind that the next Open does
// not remove, and may simply be repeated; a file that is damaged, newer than
// this build or not ours is left as it is and never replaced. A commit that
// returned nil is durable as far as fsync is honoured below us.
//
// The directory (docs/state-format.md has the details):
//
//	workspace.toml            the published generation
//	generations/NNNN.toml     older ones
//	panes/UID/screen-N.toml   what a pane showed
//	panes/UID/hist-N          its history, appended to
//	report.json               how the last start came out
//
// The order of a commit is what carries the promise: history is appended and
// synced, screens are written under new names and synced, their directories
// are synced, the replaced generation is copied aside, workspace.toml is
// written beside, synced and renamed, the directory is synced, and only then
// is removed what no generation names any more.
//
// It does not lock: one process, the one that holds the state lock, may have
// the directory open for writing. A [Store] belongs to one goroutine (the
// saver) and has no locks of its own. It starts no goroutines, keeps no timers
// and never panics on what it finds on disk.
package store
