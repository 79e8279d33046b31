package command

import (
	"stet/server/buffer"
	"stet/server/model"
)

// BufferHost keeps the paste buffers.
type BufferHost interface {
	// Buffers are the paste buffers; who changes them calls BuffersChanged.
	Buffers() *buffer.Store
	BuffersChanged()
	// SetClipboard puts text on the clipboard of a client's outer terminal, as far as the option
	// set-clipboard lets it.
	SetClipboard(client ClientID, text string)
}

// FileHost reads and writes files where a client is: a command line does so itself, in its directory and
// with its standard input, for an attached client or none the server does.
type FileHost interface {
	// ReadFile reads a file of at most so many bytes; "-" is standard input. The error is in the
	// system's words and names no file.
	ReadFile(client ClientID, path string, limit int, done func(data []byte, err error))
	// PourInput shows a command line's standard input in a pane without a program, as it comes. An attached
	// client has none: that is an error.
	PourInput(client ClientID, id model.PaneID, done func(error))
	// MatchFiles finds the files of a pattern, in order and at most so many, where the server is. It fails where there are too many
	// directories to look into.
	MatchFiles(pattern string, limit int, done func(paths []string, err error))
	// WriteFile writes a file, or with more adds to it.
	WriteFile(client ClientID, path string, data []byte, more bool, done func(error))
	// Write gives a command line bytes for its standard output, as they are; an attached client gets
	// them to read.
	Write(client ClientID, data []byte)
}
