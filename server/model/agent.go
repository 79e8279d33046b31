package model

import (
	"slices"
	"time"
)

// Agent is the AI coding agent that a pane was started with, or that a restore could not resume there.
type Agent struct {
	Name         string    // of its integration
	Conversation string    // "" unknown
	ReportedAt   time.Time // when the agent has said so; zero where it was chosen for it
	Args         []string  // what a resume keeps of its arguments
	Exe          string    // the file that was executed
	Cwd          string    // where it was started, and alone may be resumed
	Env          []string  // NAME=value that say where it keeps its conversations
	State        AgentState
	Why, Next    string // of one that waits or has failed: why, and what the person can do

	// Launch is the command that is being started, "" nothing. It may hold prompts and secrets: it is in no
	// snapshot. Token is what the agent's environment has, so that reports can be told from others'.
	Launch []string
	Token  string
	// Variables are for that command alone, as NAME=value; the user's of these names go before.
	Variables []string `cbor:",omitempty"`
	Resumed   bool     // it was told to go on; when it ends a shell is beneath
	// Hooked: it was started with hooks that report. Heard: one has. Ready: it has come up, as far as that can
	// be seen.
	Hooked, Heard, Ready bool

	// Adopted: somebody has typed it into a shell, and the record was made while it ran. Pid and Started name
	// its process, while it runs.
	Adopted bool
	Pid     int
	Started uint64

	// What it does: what each source has said last, what came of it, and what was typed meanwhile. It is in no
	// snapshot: an agent that is resumed says it anew.
	Words   []AgentWord `cbor:",omitempty"`
	Status  AgentStatus
	Touched Touched
}

// AgentState is how far an agent has come.
type AgentState string

// States of an agent. One that has ended as it should has no record any more.
const (
	AgentLaunching AgentState = "launching" // the record is written, the program is not running yet
	AgentRunning   AgentState = "running"
	AgentQueued    AgentState = "queued"  // to be resumed, when its turn has come
	AgentWaiting   AgentState = "waiting" // could not be resumed, and can be when something is put right
	AgentShelved   AgentState = "shelved" // ran when its session was put aside
	AgentFailed    AgentState = "failed"  // has ended in a way nobody asked for
)

// Clone returns a copy that shares nothing changeable; of nil it is nil.
func (a *Agent) Clone() *Agent {
	if a == nil {
		return nil
	}
	c := *a
	c.Args, c.Env, c.Launch, c.Words = slices.Clone(a.Args), slices.Clone(a.Env), slices.Clone(a.Launch), slices.Clone(a.Words)
	c.Variables = slices.Clone(a.Variables)
	return &c
}

// Replace makes a pane ready for another program beneath what it shows: the agent's shell, or the agent
// again. What the pane is and was made for stays. Its text begins anew, so its unique id is a new one.
func (m *Model) Replace(id PaneID, uid string) error {
	p := m.Panes[id]
	if p == nil {
		return ErrNoPane
	}
	if err := m.checkUID(uid); err != nil {
		return err
	}
	p.UID, p.State, p.Status, p.Signal = uid, Starting, 0, 0
	p.Run++
	m.revision++
	return nil
}
