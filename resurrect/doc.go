// Package resurrect says what a snapshot of a workspace is, how it is brought
// back, and how the outcome is told.
//
// It promises: a documented, versioned text form (docs/state-format.md) that
// comes back equal ([Encode], [Decode], [Diff]); a decoder which refuses what
// it does not understand, naming file and line, instead of guessing; a plan
// ([Plan]) that says for each pane what to start where and what the user must
// be told; and a report ([Report]) that never claims more than happened.
//
// It does not touch the disk apart from asking whether a directory is there
// (package store owns the files), starts no process and knows no server. All
// its values are plain data; whoever holds one owns it.
package resurrect
