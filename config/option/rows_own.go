package option

// ownRows are the options tmux does not have, sorted by name.
var ownRows = [...]Row{
	{
		Name: "agent-adopt", Type: Choice, Scope: Server,
		Default: "offer", Choices: []string{"off", "offer", "on"}, Own: true,
		Help: "What becomes of an AI coding agent that is typed into a shell: nothing (off), the people who look at it are told once that agent-adopt makes a record of it (offer), or the record is made at once, so that a restore resumes its conversation (on).",
	},
	{
		Name: "agent-notify", Type: Choice, Scope: Window | Pane,
		Default: "blocked,error,done", List: ",", Choices: []string{"blocked", "error", "done", "working", "idle", "unknown"}, Own: true,
		Help: "Of which statuses of an agent those are told who do not see its pane, in the way of the option notify; an empty list tells of none.",
	},
	{
		Name: "agent-resume", Type: Flag, Scope: Server,
		Default: "on", Own: true,
		Help: "A restore resumes the conversations of AI coding agents that agent-start has started or agent-adopt has taken up; off leaves them to agent-retry.",
	},
	{
		Name: "agent-resume-limit", Type: Number, Scope: Server,
		Default: "4", Min: 1, Max: 256, Own: true,
		Help: "How many AI coding agents may be coming up at once in a restore; the others wait for their turn, the visible ones first. agent-cancel ends the waiting.",
	},
	{
		Name: "command-notify-time", Type: Number, Scope: Window | Pane,
		Default: "30", Tmux: "0", Min: 0, Max: 86400, Unit: "s", Own: true,
		Help: "A command that has run for at least as long, in a pane that no client with the focus shows, is told of when it ends, in the way of the option notify, where the shell is integrated; 0 never.",
	},
	{
		Name: "hint-open-command", Type: String, Scope: Window,
		Default: "", Own: true,
		Help: "The shell command, such as xdg-open, that gets what hints pick by a capital letter; empty types it into the pane.",
	},
	{
		Name: "hint-patterns", Type: String, Scope: Window,
		Default: "", List: " ", Own: true,
		Help: "Expressions of what hints mark besides the usual; a group in one is what is picked.",
	},
	{
		Name: "notify", Type: Choice, Scope: Session,
		Default: "on", Tmux: "off", Choices: []string{"off", "on", "bell", "message"}, Own: true,
		Help: "How a client is told of something in a pane that it does not show: by a notification of its outer terminal, or the bell where it is not known to have any (on), by the bell, by a message, or not at all.",
	},
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
		Name: "restore-at-once", Type: Number, Scope: Server,
		Default: "8", Min: 1, Max: 4096, Own: true,
		Help: "How many panes a restore starts at once; one counts until it prints something, at most 250 ms. Panes in sight come first.",
	},
	{
		Name: "restore-command", Type: Choice, Scope: Window | Pane,
		Default: "never", Choices: policies[:], Own: true,
		Help: "What a restore does with the command that ran in a pane: nothing, and a shell starts (never), ask in the pane (ask), or start it again, a shell beneath (auto). Set for a window or a pane it goes before restore-commands.",
	},
	{
		Name: "restore-commands", Type: String, Scope: Server,
		Default: "", List: " ", Own: true, check: checkRestoreCommand,
		Help: "What a restore does with commands by pattern, each PATTERN=never, ask or auto; the first that matches counts, before the global restore-command. A pattern without a blank is that of a program, another one that of a whole command line; * is any text.",
	},
	{
		Name: "restore-report", Type: Choice, Scope: Server,
		Default: "on", Choices: []string{"off", "problems", "on"}, Own: true,
		Help: "Show the report to whoever attaches first after a restore: always (on), where a pane waits or has failed (problems), or never.",
	},
	{
		Name: "save-buffers", Type: Flag, Scope: Server,
		Default: "on", Own: true,
		Help: "Save the paste buffers with the workspace: the newest that fit into 256 KiB, each up to 64 KiB. None that was taken out of a pane of which nothing is saved is among them.",
	},
	{
		Name: "save-environment", Type: String, Scope: Server,
		Default: "", List: " ,", Own: true,
		Help: "Which variables of sessions and panes (new-session -e, split-window -e, set-environment, env of a declared session) are saved with their values, and given again by a restore; * is any text. A value lies on the disk as it is: name no secrets.",
	},
	{
		Name: "saving", Type: Flag, Scope: Window | Pane,
		Default: "on", Own: true,
		Help: "Save the workspace (globally), or the text of a window's panes or of one pane; where it is off nothing is written of what the programs say.",
	},
	{
		Name: "shelf-days", Type: Number, Scope: Server,
		Default: "7", Min: 0, Max: 36500, Own: true,
		Help: "For how many days shelve keeps a session; 0 until it is forgotten. A change is for what is put aside from then on.",
	},
	{
		Name: "shelf-idle-time", Type: Number, Scope: Session,
		Default: "60", Min: 1, Max: 86400, Unit: "s", Own: true,
		Help: "For how long nothing of a session has run or printed before shelve --when-idle puts it aside.",
	},
	{
		Name: "shell-history", Type: Number, Scope: Session,
		Default: "50", Min: 0, Max: 128, Own: true,
		Help: "How many of a restored pane's own last commands are the newest in its shell's history (bash and zsh, where they are integrated); 0 none.",
	},
	{
		Name: "shell-integration", Type: String, Scope: Session,
		Default: "on", Tmux: "off", Own: true, check: checkShells,
		Help: "Shells in new panes tell where their prompts and their commands are, by a script that they are given by their environment: on, off, or names of shells such as bash,zsh.",
	},
	{
		Name: "theme", Type: String, Scope: Session,
		Default: "auto", Tmux: "tmux", Own: true, check: checkTheme,
		Help: "The colours named theme-… in styles: dark, light, tmux, ansi, mono, one of config.toml, or auto, which follows the outer terminal.",
	},
	{
		Name: "undo-close-time", Type: Number, Scope: Session,
		Default: "60", Min: 0, Max: 86400, Unit: "s", Own: true,
		Help: "For how long what was closed by a key can come back, its programs running on; 0 closes at once.",
	},
}
