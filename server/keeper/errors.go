package keeper

// ErrorKind is the part of a refusal that a program can act on. The numbers are part of the protocol.
type ErrorKind uint8

// What can be wrong with a request.
const (
	KindExists      ErrorKind = iota + 1 // a pane of that id is there
	KindUnknown                          // no pane of that id
	KindRunning                          // the pane's program still runs
	KindBad                              // the request makes no sense
	KindNotFound                         // no such command
	KindNotAllowed                       // the command is there, but may not be executed
	KindDir                              // the working directory is missing or closed to us
	KindTerminals                        // no more PTYs
	KindDescriptors                      // no more file descriptors
	KindMemory                           // no more memory
	KindProcesses                        // no more processes
	KindClosing                          // the keeper is ending
	KindSystem                           // anything else
)

// Error is a refusal of the keeper, in words for the user.
type Error struct {
	Kind ErrorKind
	Text string
}

func (e *Error) Error() string { return e.Text }
