package option

// ownRows are the options tmux does not have, sorted by name.
var ownRows = [...]Row{
	{
		Name: "restore", Type: Choice, Scope: Server,
		Default: "on", Choices: []string{"off", "on", "ask"}, Own: true,
		Help: "Bring the saved workspace back when the server starts: yes (on), no, or ask first.",
	},
	{
		Name: "saving", Type: Flag, Scope: Window | Pane,
		Default: "on", Own: true,
		Help: "Save the workspace: all of it, a window, or a pane.",
	},
}
