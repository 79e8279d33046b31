package server

import "stet/server/scene"

// extendedKeys is what the option extended-keys says.
func (s *Server) extendedKeys() scene.Keys {
	switch s.option(serverScope, "extended-keys") {
	case "off":
		return scene.KeysPlain
	case "always":
		return scene.KeysAlways
	}
	return scene.KeysAsked
}
