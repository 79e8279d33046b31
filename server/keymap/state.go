package keymap

import (
	"time"

	"stet/vt/key"
)

// State is what one client's earlier keys mean for its next one. The zero value waits for nothing.
type State struct {
	table    string // "" is the root table, or that of the mode the active pane is in
	repeated bool   // the last binding may be repeated until until
	until    time.Time
	// held are the keys whose press was not given to the program, so that their release is kept from
	// it too (only terminals with kitty's protocol tell of releases).
	held [maxHeld]key.Key
}

// maxHeld bounds the keys down at a time that are remembered; hands have ten fingers.
const maxHeld = 10

// Settings are the options that decide on keys, and the mode of the client's active pane.
type Settings struct {
	Prefix, Prefix2 key.Chord     // zero: none
	Repeat          time.Duration // repeat-time; 0 switches repeating off
	Table           string        // option key-table; "" is Root
	Mode            string        // table of the active pane's mode, "" when it has none
	InMode          bool          // the active pane is in a mode: what no table binds is for that
}

// Action is what to do with a key.
type Action uint8

// Actions.
const (
	Pass    Action = iota // give it to the program
	Swallow               // nobody gets it
	Run                   // run the binding's command
	ToMode                // give it to the mode that the active pane is in
)

// Result is what Key and Mouse have found.
type Result struct {
	Action  Action
	Table   string // the table the binding is from
	Binding Binding
}

// Key looks an event up and steps to the state behind it. Focus, paste and replies pass. A release
// goes where its press went.
func (s *State) Key(t *Tables, e key.Event, set Settings, now time.Time) Result {
	if e.Kind != key.KindKey {
		return Result{Action: Pass}
	}
	if IsModifier(e.Key) {
		return Result{Action: Pass} // Shift pressed for the % of C-b % is not the key behind the prefix.
	}
	if e.Act == key.Release {
		if s.letGo(e.Key) {
			return Result{Action: Swallow}
		}
		return Result{Action: Pass}
	}
	chords := [2]key.Chord{e.Chord()}
	if c, ok := e.Alternate(); ok {
		chords[1] = c
	}
	r := s.look(t, chords, set, now)
	if r.Action != Pass {
		s.hold(e.Key)
	} else {
		s.letGo(e.Key)
	}
	return r
}

// Mouse looks up a gesture. Unlike a key one that is not bound does not end the wait behind the
// prefix, because the mouse also moves without anybody meaning to say something.
func (s *State) Mouse(t *Tables, c key.Chord, set Settings, now time.Time) Result {
	s.expire(now)
	if s.table != "" {
		if b, ok := t.Lookup(s.table, c); ok {
			return s.found(s.table, b, set, now)
		}
	}
	for _, table := range [...]string{set.home(), set.base()} { // as for keys: a mode's table, then the usual one
		if b, ok := t.Lookup(table, c); ok {
			return Result{Run, table, b}
		}
	}
	return Result{Action: Pass}
}

// home is the table looked into when nothing is waited for.
func (set Settings) home() string {
	if set.Mode != "" {
		return set.Mode
	}
	return set.base()
}

// base is that table outside of modes.
func (set Settings) base() string {
	if set.Table != "" {
		return set.Table
	}
	return Root
}

// look follows tmux: the prefix works everywhere but behind the prefix; a key not bound in the table
// waited for, or not to be repeated while repeating, is looked up in the root table; where that fails
// too it reaches the program only if nothing was waited for.
func (s *State) look(t *Tables, chords [2]key.Chord, set Settings, now time.Time) Result {
	s.expire(now)
	table := s.table
	if table == "" {
		table = set.home()
	}
	waited := s.table != ""
	for {
		if table != Prefix && set.isPrefix(chords) {
			s.table, s.repeated = Prefix, false
			return Result{Action: Swallow, Table: Prefix}
		}
		b, ok := find(t, table, chords)
		if ok && (!s.repeated || b.Repeat) {
			return s.found(table, b, set, now)
		}
		if s.repeated {
			waited = false // The key that ends repeating is an ordinary one.
			s.Reset()
			table = set.home()
			continue
		}
		s.Reset()
		if table == set.base() {
			break
		}
		table = set.base()
	}
	switch {
	case waited:
		return Result{Action: Swallow}
	case set.InMode:
		return Result{Action: ToMode}
	}
	return Result{Action: Pass}
}

func (s *State) found(table string, b Binding, set Settings, now time.Time) Result {
	if b.Repeat && set.Repeat > 0 {
		s.table, s.repeated, s.until = table, true, now.Add(set.Repeat)
	} else {
		s.Reset()
	}
	return Result{Run, table, b}
}

func find(t *Tables, table string, chords [2]key.Chord) (Binding, bool) {
	for _, c := range chords {
		if c.Key != key.None {
			if b, ok := t.Lookup(table, c); ok {
				return b, true
			}
		}
	}
	if chords[0].Key == key.None {
		return Binding{}, false // text of an input method has no key
	}
	return t.Lookup(table, key.Chord{Key: key.Any})
}

func (set Settings) isPrefix(chords [2]key.Chord) bool {
	for _, c := range chords {
		if c.Key != key.None && (c == set.Prefix || c == set.Prefix2) {
			return true
		}
	}
	return false
}

// expire ends the time to repeat.
func (s *State) expire(now time.Time) {
	if s.repeated && now.After(s.until) {
		s.Reset()
	}
}

// Reset waits for nothing any more.
func (s *State) Reset() { s.table, s.repeated, s.until = "", false, time.Time{} }

// Switch makes the next key be looked up in a table (switch-client -T); Root resets.
func (s *State) Switch(table string) {
	s.Reset()
	if table != Root {
		s.table = table
	}
}

// Waiting returns the table the next key is looked up in first, "" when it is the usual one, and
// whether that is for repeating.
func (s *State) Waiting(now time.Time) (table string, repeating bool) {
	s.expire(now)
	return s.table, s.repeated
}

// Deadline is when the state changes by itself, so that the status line can be drawn anew.
func (s *State) Deadline() (time.Time, bool) { return s.until, s.repeated }

func (s *State) hold(k key.Key) {
	free := -1
	for i, h := range s.held {
		if h == k {
			return
		}
		if h == key.None {
			free = i
		}
	}
	if free >= 0 && k != key.None {
		s.held[free] = k
	}
}

func (s *State) letGo(k key.Key) bool {
	for i, h := range s.held {
		if h == k && k != key.None {
			s.held[i] = key.None
			return true
		}
	}
	return false
}

// IsModifier tells keys that only change others. Terminals tell of them on request only.
func IsModifier(k key.Key) bool {
	return k >= key.LeftShift && k <= key.Level5Shift || k >= key.CapsLock && k <= key.NumLock
}
