package option

// serverRows are the options of the server, sorted by name.
var serverRows = [...]Row{
	{
		Name: "backspace", Type: Key, Scope: Server,
		Default: "C-?",
		Help:    "The key sent for Backspace.",
	},
	{
		Name: "buffer-limit", Type: Number, Scope: Server,
		Default: "50", Min: 1, Max: maxNumber,
		Help: "How many paste buffers are kept; the oldest automatic one goes first.",
	},
	{
		Name: "command-alias", Type: String, Scope: Server,
		Default: "split-pane=split-window,splitp=split-window,server-info=show-messages -JT,info=show-messages -JT,choose-window=choose-tree -w,choose-session=choose-tree -s", List: ",",
		Help: "Other names for commands, each NAME=COMMAND.",
	},
	{
		Name: "copy-command", Type: String, Scope: Server,
		Default: "",
		Help:    "The shell command copied text is piped to where copy-pipe is given none.",
	},
	{
		Name: "default-client-command", Type: Command, Scope: Server,
		Default: "new-session",
		Help:    "The command run when none is given on the command line.",
	},
	{
		Name: "default-terminal", Type: String, Scope: Server,
		Default: "xterm-256color", Tmux: "tmux-256color",
		Help: "TERM in new panes.",
	},
	{
		Name: "editor", Type: String, Scope: Server,
		Default: "", Tmux: "/usr/bin/vi",
		Help: "The editor for text; empty takes EDITOR or VISUAL from the environment.",
	},
	{
		Name: "escape-time", Type: Number, Scope: Server,
		Default: "10", Tmux: "500", Min: 0, Max: maxNumber, Unit: "ms",
		Help: "How long to wait after an Escape for the rest of a key.",
	},
	{
		Name: "exit-empty", Type: Flag, Scope: Server,
		Default: "on",
		Help:    "The server ends with its last session.",
	},
	{
		Name: "exit-unattached", Type: Flag, Scope: Server,
		Default: "off",
		Help:    "The server ends when no client is attached.",
	},
	{
		Name: "extended-keys", Type: Choice, Scope: Server,
		Default: "on", Tmux: "off", Choices: []string{"off", "on", "always"},
		Help: "Send keys in their extended form to programs: when they ask (on), always, or never (off).",
	},
	{
		Name: "focus-events", Type: Flag, Scope: Server,
		Default: "on", Tmux: "off",
		Help: "Pass focus changes of the outer terminal to programs that ask for them.",
	},
	{
		Name: "history-file", Type: String, Scope: Server,
		Default: "",
		Help:    "A file that keeps what was typed at prompts; empty keeps none.",
	},
	{
		Name: "message-limit", Type: Number, Scope: Server,
		Default: "1000", Min: 0, Max: maxNumber,
		Help: "How many messages show-messages remembers.",
	},
	{
		Name: "prompt-history-limit", Type: Number, Scope: Server,
		Default: "100", Min: 0, Max: maxNumber,
		Help: "How many entries the history of each kind of prompt holds.",
	},
	{
		Name: "set-clipboard", Type: Choice, Scope: Server,
		Default: "on", Tmux: "external", Choices: []string{"off", "external", "on", "ask"},
		Help: "Who may set the clipboard of the outer terminal: nobody (off), copy mode (external), programs in panes too (on), or those when a person says so (ask).",
	},
	{
		Name: "terminal-features", Type: String, Scope: Server,
		Default: "xterm*:clipboard:ccolour:cstyle:focus:title,screen*:title", List: ",",
		Help: "What outer terminals can do: PATTERN:FEATURE:FEATURE….",
	},
	{
		Name: "terminal-overrides", Type: String, Scope: Server,
		Default: "", List: ",",
		Help: "Changes to the description of outer terminals: PATTERN:NAME=VALUE….",
	},
	{
		Name: "user-keys", Type: String, Scope: Server,
		Default: "", List: ",",
		Help: "Sequences of the outer terminal that are keys named User0, User1 and so on.",
	},
}
