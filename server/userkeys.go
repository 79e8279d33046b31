package server

import (
	"stet/server/wire"
	"stet/vt/key"
)

// sayKeys tells a client how to read its terminal's keys.
func (s *Server) sayKeys(c *client) {
	k := wire.Keys{EscapeTime: s.number(serverScope, "escape-time", 10)}
	for _, it := range s.OptionSet(serverScope).List("user-keys") {
		if it.Value != "" && it.Index < key.MaxUser && len(it.Value) <= key.MaxUserBytes {
			k.User = append(k.User, wire.UserKey{Number: it.Index, Sequence: []byte(it.Value)})
		}
	}
	c.say(wire.KindKeys, k)
}

// backspace makes Backspace the key that the option of that name says; its modifiers are added to those that are
// held.
func (s *Server) backspace(keys []key.Event) []key.Event {
	to, err := key.ParseChord(s.option(serverScope, "backspace"))
	if err != nil || to == (key.Chord{Key: '?', Mod: key.Ctrl}) || to.Key == key.Backspace {
		return keys
	}
	out := make([]key.Event, len(keys))
	for i, e := range keys {
		if e.Kind == key.KindKey && e.Key == key.Backspace {
			e = key.Event{Key: to.Key, Mod: e.Mod | to.Mod, Act: e.Act}
		}
		out[i] = e
	}
	return out
}
