package command

import (
	"time"

	"stet/server/model"
)

// Job is a shell command to run.
type Job struct {
	Text string
	Dir  string
	// Session whose environment it gets; -1 for the global one.
	Session model.SessionID
	Input   []byte
	// Errors keeps what it writes to standard error with the rest of its output.
	Errors bool
}

// JobResult is how it went.
type JobResult struct {
	Output string // without what is too much
	Code   int    // exit status
	Signal int    // that ended it, 0 none
	Err    error  // it could not be started
}

// Status is the exit status as a shell gives it.
func (r JobResult) Status() int {
	switch {
	case r.Err != nil:
		return 127
	case r.Signal != 0:
		return 128 + r.Signal
	}
	return r.Code
}

// JobHost runs shell commands.
type JobHost interface {
	RunJob(j Job, done func(JobResult))
	// After calls f after a time.
	After(d time.Duration, f func())
	// ShowOutput gives the output of a shell command to those who see a pane.
	ShowOutput(id model.PaneID, text string)
	// ExitStatus sets the exit status of a command line, if it ends well otherwise.
	ExitStatus(client ClientID, code int)
}

// EnvironHost keeps the global environment.
type EnvironHost interface {
	// GlobalEnviron are the variables that every new program starts with; EnvironChanged says that a
	// command has changed them.
	GlobalEnviron() *Environ
	EnvironChanged()
}
