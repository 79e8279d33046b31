package resurrect

import "fmt"

// FileError says that a saved file was refused, and where. The file itself is
// left as it is.
type FileError struct {
	File   string // as it was named to the decoder
	Line   int    // from 1; 0: no particular line
	Column int    // from 1; 0: no particular column
	Why    string
	Newer  bool   // written in a format this build does not know
	Build  string // for Newer: the build that wrote it
	Err    error  // what lies beneath, if anything
}

func (e *FileError) Error() string {
	switch {
	case e.Line > 0 && e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Why)
	case e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Why)
	}
	return e.File + ": " + e.Why
}

// Unwrap gives the error beneath.
func (e *FileError) Unwrap() error { return e.Err }
