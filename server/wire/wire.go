// Package wire is what client and server say to each other: numbered messages in length-prefixed
// envelopes, versioned by a range that both name in their first message.
//
// It promises that a decoder never panics, never allocates more than MaxMessage for what a peer
// announces, and skips message kinds it does not know. It knows nothing of sessions, terminals or
// sockets: a Conn works over any stream. Key events travel as opaque bytes (package vt/key
// encodes them), cells in the form of Frame.
//
// Cells, runs and input are encoded by hand because they are the hot path; everything else is CBOR.
package wire

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/fxamacker/cbor/v2"
)

// Protocol versions this build speaks. A server answers a Hello outside of its range with a Refusal.
const (
	MinVersion = 1
	MaxVersion = 1
)

// versions is "MIN-MAX" in builds for tests of what builds of different ages say to each other, set with -ldflags "-X …"; else "".
var versions string

// Versions are those of the protocol that this build speaks: MinVersion and MaxVersion, but for such tests.
//
// Hello, Welcome, Refusal, Output, Again and Exit are the same in all versions, now and later: a client and a server that have no
// version in common must still be able to say so, and to upgrade (see Hello.Upgrades).
func Versions() (lowest, highest int) {
	lowest, highest = MinVersion, MaxVersion
	if versions != "" {
		fmt.Sscanf(versions, "%d-%d", &lowest, &highest)
	}
	return lowest, highest
}

// MaxMessage bounds the body of one message in bytes. A 1000×400 screen of clusters stays far below.
const MaxMessage = 16 << 20

// MaxClipboard bounds what is put on an outer terminal's clipboard, in bytes. Terminals take less, or more,
// without a word.
const MaxClipboard = 1 << 20

// Kind numbers a message. Numbers are never used again for something else.
type Kind uint8

// Messages of the client.
const (
	KindHello    Kind = 1 // Hello: first message of every connection
	KindInput    Kind = 2 // Input: numbered key, mouse, paste and focus events
	KindResize   Kind = 3 // Resize: the outer terminal's size
	KindAck      Kind = 4 // Ack: a frame has been written to the outer terminal
	KindFeatures Kind = 5 // Features: what the outer terminal can do, as far as it has answered
	KindLeave    Kind = 6 // Leave: the client goes (hang-up, signal); nothing is asked of the server
	KindResumed  Kind = 7 // Resumed: the client is in the foreground again and needs everything drawn
	KindFileData Kind = 8 // FileData: what a file of the client holds, or how writing it went
)

// Messages of the server.
const (
	KindWelcome  Kind = 32 // Welcome: the server accepted the Hello
	KindRefusal  Kind = 33 // Refusal: it did not
	KindOutput   Kind = 34 // Output: text of a command, for standard output or error
	KindExit     Kind = 35 // Exit: the connection's work is done
	KindAttached Kind = 36 // Attached: frames follow from here on
	KindFrame    Kind = 37 // Frame
	KindOuter    Kind = 38 // Outer: something for the outer terminal that is not a cell
	KindInputAck Kind = 39 // InputAck: input up to this number was handled
	KindSuspend  Kind = 40 // Suspend: stop yourself, as C-z does
	KindFile     Kind = 41 // File: read or write a file where the client is
	KindAgain    Kind = 42 // Again: what to ask the next server, should this one go away
	KindKeys     Kind = 43 // Keys: how to read the outer terminal's keys from now on
	KindGoing    Kind = 44 // Going: the server goes, and another comes
)

// Hello is the client's first message.
type Hello struct {
	Min, Max int      `cbor:",omitempty"`
	Build    string   `cbor:",omitempty"`
	Argv     []string `cbor:",omitempty"` // the command line behind the global flags; empty: attach or create
	Cwd      string   `cbor:",omitempty"`
	Env      []string `cbor:",omitempty"` // NAME=value; what sessions and panes may take over
	Pid      int      `cbor:",omitempty"`
	// Terminal says that the client has an outer terminal and may be attached.
	Terminal bool   `cbor:",omitempty"`
	TTY      string `cbor:",omitempty"` // its device name
	Term     string `cbor:",omitempty"` // its TERM
	Cols     int    `cbor:",omitempty"`
	Rows     int    `cbor:",omitempty"`
	XPixel   int    `cbor:",omitempty"` // size of the outer terminal in pixels, 0 unknown
	YPixel   int    `cbor:",omitempty"`
	ReadOnly bool   `cbor:",omitempty"`
	// Client names this client for as long as it runs. A client that lost its server says Reconnect
	// and gets its session back; LastInput is the number of the last input it has sent, and Unused how long
	// ago in milliseconds it was used last.
	Client    string `cbor:",omitempty"`
	Reconnect bool   `cbor:",omitempty"`
	LastInput uint64 `cbor:",omitempty"`
	Unused    int64  `cbor:",omitempty"`
	// Starter says that this client had to start the keeper, Lost why the one before is gone ("" unknown).
	Starter bool   `cbor:",omitempty"`
	Lost    string `cbor:",omitempty"`
	// Files says that this client answers File messages.
	Files bool `cbor:",omitempty"`
}

// Upgrades tells whether the client is there to upgrade the server: then it is served whatever version it speaks, since that is the way to
// one that both do.
func (h *Hello) Upgrades() bool { return len(h.Argv) > 0 && h.Argv[0] == "upgrade" }

// Welcome answers a Hello, before anything is begun that the client wants. Version is the protocol version in force.
type Welcome struct {
	Version int    `cbor:",omitempty"`
	Build   string `cbor:",omitempty"`
	Pid     int    `cbor:",omitempty"`
}

// Refusal answers a Hello that the server cannot serve, in words for a person.
type Refusal struct {
	Min, Max int    `cbor:",omitempty"`
	Build    string `cbor:",omitempty"`
	Reason   string `cbor:",omitempty"`
}

// Output is text of a command. Err selects standard error. Words is text for people, whole lines with names, titles and paths of anybody's making: on a
// terminal it must not be more than that. Without it the bytes are what was asked for (capture-pane -e, show-buffer, a shell command's output).
type Output struct {
	Text  []byte `cbor:",omitempty"`
	Err   bool   `cbor:",omitempty"`
	Words bool   `cbor:",omitempty"`
}

// Again says that the server may go away before the command is done, on purpose: the client then connects anew and has its
// successor run Argv, which tells how the command came out.
type Again struct {
	Argv []string `cbor:",omitempty"`
}

// Going is a server's last message when it makes room for another: input up to Seq was handled, and nothing behind it was or will be.
type Going struct {
	Seq uint64 `cbor:",omitempty"`
}

// ExitReason says why a connection ends.
type ExitReason string

// Reasons. They are part of the protocol.
const (
	ExitDone         ExitReason = "done"          // a one-shot command has ended
	ExitDetached     ExitReason = "detached"      // detach-client
	ExitSessionEnded ExitReason = "session-ended" // the last pane of the session ended, or it was killed
	ExitServer       ExitReason = "server-exited" // kill-server
	ExitReplaced     ExitReason = "replaced"      // another client took over
	ExitLostKeeper   ExitReason = "lost-keeper"   // the keeper is gone, and with it every program
)

// Exit ends the connection. Code is the exit status of the client process, Text what it prints.
type Exit struct {
	Code   int        `cbor:",omitempty"`
	Reason ExitReason `cbor:",omitempty"`
	Text   string     `cbor:",omitempty"`
	// HangUp has the client hang up its parent (detach-client -P), Exec replaces it by a program
	// (detach-client -E), both once the terminal is given back.
	HangUp bool     `cbor:",omitempty"`
	Exec   []string `cbor:",omitempty"`
}

// Attached says that frames follow. EscapeTime is how long the client waits behind an Escape for the rest of
// a key.
type Attached struct {
	Session    string `cbor:",omitempty"`
	EscapeTime int    `cbor:",omitempty"` // milliseconds
}

// Keys is how a client reads its terminal's keys; what Attached said of EscapeTime no longer holds.
type Keys struct {
	EscapeTime int       `cbor:",omitempty"` // milliseconds
	User       []UserKey `cbor:",omitempty"`
}

// UserKey is a sequence of the outer terminal that is the key User<Number>.
type UserKey struct {
	Number   int
	Sequence []byte
}

// Input is a batch of events, marshalled one behind the other by vt/key. Seq numbers the batches of
// one client from 1; a batch is handled at most once.
type Input struct {
	Seq  uint64
	Data []byte
}

// Resize is the outer terminal's size in cells, and in pixels where known.
type Resize struct{ Cols, Rows, XPixel, YPixel int }

// Ack tells that the frame with this number was written.
type Ack struct{ Frame uint64 }

// InputAck tells that all input up to Seq was handled.
type InputAck struct{ Seq uint64 }

// Features are what the outer terminal has said about itself.
type Features struct {
	Name       string `cbor:",omitempty"` // XTVERSION
	Sync       bool   `cbor:",omitempty"`
	Clusters   bool   `cbor:",omitempty"`
	Kitty      bool   `cbor:",omitempty"`
	Background string `cbor:",omitempty"` // OSC 11, rgb:…
	Foreground string `cbor:",omitempty"`
	Dark       int    `cbor:",omitempty"` // mode 2031: 1 dark, 2 light, 0 not said
	Colors     int    `cbor:",omitempty"` // how many it shows: 1, 16 or 256; 0 all
}

// Outer is something for the outer terminal besides cells. Text has no control characters for kinds
// other than OuterClipboard (base64 by the client).
type Outer struct {
	Kind OuterKind `cbor:",omitempty"`
	Text string    `cbor:",omitempty"`
	Data []byte    `cbor:",omitempty"` // any bytes, of an OuterPass
	Ring bool      `cbor:",omitempty"` // of an OuterNotify: by the bell where the terminal is not known to show notifications
}

// OuterKind numbers what an Outer is.
type OuterKind uint8

// Kinds of Outer.
const (
	OuterBell      OuterKind = 1
	OuterTitle     OuterKind = 2
	OuterClipboard OuterKind = 3
	OuterNotify    OuterKind = 4
	OuterPass      OuterKind = 5 // Data as a program has it, which the client ends
)

// MaxPass bounds the Data of an OuterPass, in bytes; a longer one is dropped.
const MaxPass = 1 << 20

// Conn sends and receives messages over one stream. Send may be called from several goroutines,
// Receive from one.
type Conn struct {
	rw   io.Writer
	br   *bufio.Reader
	mu   sync.Mutex // guards out and the order of writes
	out  []byte
	in   []byte
	head [headLen]byte
}

const headLen = 5 // length of the body (little endian), kind

// NewConn wraps a stream.
func NewConn(rw io.ReadWriter) *Conn {
	return &Conn{rw: rw, br: bufio.NewReader(rw)}
}

// Send encodes v as CBOR and writes one message with a single Write. v may be nil.
func (c *Conn) Send(k Kind, v any) error {
	var body []byte
	if v != nil {
		var err error
		if body, err = cbor.Marshal(v); err != nil {
			return fmt.Errorf("encode message %d: %w", k, err)
		}
	}
	return c.SendRaw(k, body)
}

// SendRaw writes one message whose body is already encoded.
func (c *Conn) SendRaw(k Kind, body []byte) error {
	if len(body) > MaxMessage {
		return fmt.Errorf("message %d has %d bytes, more than %d", k, len(body), MaxMessage)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = appendMessage(c.out[:0], k, body)
	return c.flush()
}

// SendFrame writes an encoded Frame, and in front of it, when ack is not 0, an InputAck up to ack,
// with a single Write: the echo of a key and its acknowledgement wake the client once.
func (c *Conn) SendFrame(ack uint64, body []byte) error {
	if len(body) > MaxMessage {
		return fmt.Errorf("frame has %d bytes, more than %d", len(body), MaxMessage)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.out = c.out[:0]
	if ack > 0 {
		b, err := cbor.Marshal(InputAck{ack})
		if err != nil {
			return fmt.Errorf("encode acknowledgement: %w", err)
		}
		c.out = appendMessage(c.out, KindInputAck, b)
	}
	c.out = appendMessage(c.out, KindFrame, body)
	return c.flush()
}

func appendMessage(b []byte, k Kind, body []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(len(body)))
	return append(append(b, byte(k)), body...)
}

func (c *Conn) flush() error {
	_, err := c.rw.Write(c.out)
	if cap(c.out) > 1<<20 {
		c.out = nil // one huge frame must not stay for the connection's life
	}
	return err
}

// SendInput writes an Input.
func (c *Conn) SendInput(in Input) error {
	b := binary.AppendUvarint(make([]byte, 0, len(in.Data)+10), in.Seq)
	return c.SendRaw(KindInput, append(b, in.Data...))
}

// ErrTooLarge is returned by Receive for a message that announces more than MaxMessage bytes.
var ErrTooLarge = errors.New("message larger than the protocol allows")

// Receive returns the next message. The body is valid until the next call.
func (c *Conn) Receive() (Kind, []byte, error) {
	if _, err := io.ReadFull(c.br, c.head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.LittleEndian.Uint32(c.head[:])
	if n > MaxMessage {
		return 0, nil, fmt.Errorf("%w: %d bytes of kind %d", ErrTooLarge, n, c.head[4])
	}
	if cap(c.in) > 1<<20 && n < 64<<10 {
		c.in = nil
	}
	// The buffer grows with what arrives, not with what is announced.
	c.in = c.in[:0]
	for len(c.in) < int(n) {
		from := len(c.in)
		step := min(int(n)-from, max(64<<10, from))
		if cap(c.in)-from < step {
			c.in = append(make([]byte, 0, from+step), c.in...)
		}
		c.in = c.in[:from+step]
		if _, err := io.ReadFull(c.br, c.in[from:]); err != nil {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return 0, nil, err
		}
	}
	return Kind(c.head[4]), c.in, nil
}

// decoding refuses duplicate keys and deep nesting, which no peer of ours sends. Strings are taken as they
// are: arguments, directories and environments are bytes, and one that is not UTF-8 must not keep its owner
// out. A list may be as long as a command line can be.
var decoding = sync.OnceValue(func() cbor.DecMode {
	m, err := cbor.DecOptions{
		DupMapKey: cbor.DupMapKeyEnforcedAPF, UTF8: cbor.UTF8DecodeInvalid, MaxNestedLevels: 8, MaxArrayElements: 1 << 21, MaxMapPairs: 1 << 10,
	}.DecMode()
	if err != nil {
		panic(err) // the options are constants
	}
	return m
})

// Decode reads a CBOR body.
func Decode(k Kind, body []byte, v any) error {
	if err := decoding().Unmarshal(body, v); err != nil {
		return fmt.Errorf("decode message %d: %w", k, err)
	}
	return nil
}

// DecodeInput reads the body of a KindInput. Data aliases body.
func DecodeInput(body []byte) (Input, error) {
	seq, n := binary.Uvarint(body)
	if n <= 0 {
		return Input{}, errors.New("input without a number")
	}
	return Input{seq, body[n:]}, nil
}
