package keeper

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// The protocol between keeper and server. It is meant to stay: a keeper outlives many builds of the server. A frame is a head (length of the
// body, number of descriptors, both 32 bits, little endian) and a body; descriptors ride on the head. A body is one byte of kind
// and then fields: tag byte, length (uvarint), bytes; a number is a uvarint in its bytes. Unknown tags are skipped, so
// fields can be added without a new version; absent ones are zero. Strings are bytes: argv and environment need not be UTF-8.
//
//	server                          keeper
//	hello {min, max, build}    →
//	                           ←    welcome {version, mode, panes, …} + listener, doorbell, model[, stage]
//	                           ←    pane {…} + master, memory      (as often as welcome says)
//	                           ←    luggage + memory               (if it says so)
//	spawn, kill, forget, shutdown, plain {req, …}  →
//	upgrade {req, …} + executable[, luggage]  →    (to a keeper that says it is able to)
//	                           ←    answer {req, error…}, to a spawn also {pane…} + master, memory
//	serving, room, quiet       →    (no answer)
//	                           ←    exit {pane, status}, stubborn {pane, how, count}, listener + listener   (at any time)

const (
	protoMin = 1
	protoMax = 1
)

const (
	frameLimit = 4 << 20 // a spawn carries a whole environment
	fdLimit    = 8
	listLimit  = 16 << 10
)

type kind byte

const (
	kHello kind = iota + 1
	kWelcome
	kRefuse
	kPane
	kSpawn
	kKill
	kForget
	kShutdown
	kPlain // the server cannot lock the staging slots: the keeper is to read
	kAnswer
	kServing
	kRoom
	kQuiet
	kExit
	kListener
	kStubborn
	kUpgrade // brings the executable of the build to go over to, and perhaps luggage
	kLuggage // behind the panes, where the welcome has announced it
)

const (
	tReq byte = iota + 1
	tPane
	tPid
	tArgv
	tEnv
	tPath
	tDir
	tTitle
	tTTY
	tCols
	tRows
	tRing
	tSlot
	tArena
	tExited
	tStatus
	tStarted
	tErrKind
	tErrText
	tMin
	tMax
	tMode
	tCount
	tSocket
	tState
	tHow
	tBuild
	tLost
	tEmpty
	tAble
	tUpgrade
	tOutcome
	tFrom
	tTo
	tWhy
	tKeeper
	tLuggage
)

// message is any frame's body; which fields matter depends on the kind.
type message struct {
	kind kind

	req, pane         uint64
	pid               uint64
	argv, env         []string
	path, dir         string
	title, tty        string
	cols, rows        uint64
	ring, slot, arena uint64
	exited            uint64
	status            uint64
	started           uint64 // nanoseconds since the epoch

	errKind uint64
	errText string

	min, max, mode, count uint64
	socket, state, build  string
	how                   uint64
	lost, empty           uint64

	able     uint64 // what the keeper can do beyond the first version of the protocol, see canUpgrade
	upgrade  uint64 // number of the last upgrade
	outcome  uint64 // an Outcome
	from, to string // builds
	why      string
	keeper   uint64 // 1: the keeper is to go over, too
	luggage  uint64 // 1: there is some
}

type field struct {
	tag byte
	num *uint64
	str *string
	lst *[]string
}

// fields is the table that both directions follow.
func (m *message) fields() [37]field {
	n := func(t byte, p *uint64) field { return field{tag: t, num: p} }
	s := func(t byte, p *string) field { return field{tag: t, str: p} }
	l := func(t byte, p *[]string) field { return field{tag: t, lst: p} }
	return [37]field{
		n(tReq, &m.req), n(tPane, &m.pane), n(tPid, &m.pid), l(tArgv, &m.argv), l(tEnv, &m.env),
		s(tPath, &m.path), s(tDir, &m.dir), s(tTitle, &m.title), s(tTTY, &m.tty), n(tCols, &m.cols), n(tRows, &m.rows),
		n(tRing, &m.ring), n(tSlot, &m.slot), n(tArena, &m.arena), n(tExited, &m.exited), n(tStatus, &m.status), n(tStarted, &m.started),
		n(tErrKind, &m.errKind), s(tErrText, &m.errText), n(tMin, &m.min), n(tMax, &m.max), n(tMode, &m.mode), n(tCount, &m.count),
		s(tSocket, &m.socket), s(tState, &m.state), n(tHow, &m.how), s(tBuild, &m.build), n(tLost, &m.lost), n(tEmpty, &m.empty),
		n(tAble, &m.able), n(tUpgrade, &m.upgrade), n(tOutcome, &m.outcome), s(tFrom, &m.from), s(tTo, &m.to), s(tWhy, &m.why), n(tKeeper, &m.keeper), n(tLuggage, &m.luggage),
	}
}

func (m *message) append(b []byte) []byte {
	b = append(b, byte(m.kind))
	str := func(t byte, s string) {
		b = append(b, t)
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	for _, f := range m.fields() {
		switch {
		case f.num != nil && *f.num != 0:
			var v [binary.MaxVarintLen64]byte
			n := binary.PutUvarint(v[:], *f.num)
			b = append(b, f.tag, byte(n))
			b = append(b, v[:n]...)
		case f.str != nil && *f.str != "":
			str(f.tag, *f.str)
		case f.lst != nil:
			for _, s := range *f.lst {
				str(f.tag, s)
			}
		}
	}
	return b
}

var errFrame = errors.New("malformed frame")

func parseMessage(b []byte) (*message, error) {
	if len(b) == 0 {
		return nil, fmt.Errorf("%w: empty", errFrame)
	}
	m := &message{kind: kind(b[0])}
	fields := m.fields()
	for b = b[1:]; len(b) > 0; {
		tag := b[0]
		n, w := binary.Uvarint(b[1:])
		if w <= 0 || n > uint64(len(b)-1-w) {
			return nil, fmt.Errorf("%w: field %d", errFrame, tag)
		}
		v := b[1+w:][:n]
		b = b[1+w+int(n):]
		if tag == 0 || int(tag) > len(fields) {
			continue // of a later build
		}
		switch f := fields[tag-1]; {
		case f.num != nil:
			x, w := binary.Uvarint(v)
			if w != len(v) || w == 0 {
				return nil, fmt.Errorf("%w: number %d", errFrame, tag)
			}
			*f.num = x
		case f.str != nil:
			*f.str = string(v)
		default:
			if len(*f.lst) >= listLimit {
				return nil, fmt.Errorf("%w: list %d is too long", errFrame, tag)
			}
			*f.lst = append(*f.lst, string(v))
		}
	}
	return m, nil
}
