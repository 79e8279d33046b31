package option

// ownRows are the options tmux does not have, sorted by name.
var ownRows = [...]Row{
	{
		Name: "prefix-hint-time", Type: Number, Scope: Session,
		Default: "700", Min: 0, Max: maxNumber, Unit: "ms", Own: true,
		Help: "How long after the prefix a row shows the commonest keys; 0 never.",
	},
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
