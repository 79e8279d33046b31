package option

import "sort"

// hooks are the events commands can be hooked to, beside "after-" and the name
// of a command, sorted.
var hooks = [...]string{
	"alert-activity", "alert-bell", "alert-silence", "client-active", "client-attached", "client-detached",
	"client-focus-in", "client-focus-out", "client-resized", "client-session-changed", "pane-died", "pane-exited",
	"pane-focus-in", "pane-focus-out", "pane-mode-changed", "pane-set-clipboard", "pane-title-changed",
	"session-closed", "session-created", "session-renamed", "session-window-changed", "window-layout-changed",
	"window-linked", "window-pane-changed", "window-renamed", "window-resized", "window-unlinked",
}

// Hooks returns the names of the events that are not the end of a command.
func Hooks() []string { return hooks[:] }

// IsHook tells whether commands can be hooked to a name: one of Hooks, or
// "after-" and the name of a command, which is not looked up here.
func IsHook(name string) bool {
	if i := sort.SearchStrings(hooks[:], name); i < len(hooks) && hooks[i] == name {
		return true
	}
	const after = "after-"
	return len(name) > len(after) && name[:len(after)] == after
}
