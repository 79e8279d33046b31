package option

// sessionRows are the options of sessions, sorted by name.
var sessionRows = [...]Row{
	{
		Name: "activity-action", Type: Choice, Scope: Session,
		Default: "other", Choices: alerts,
		Help: "In which windows activity counts: any, current, other, or none.",
	},
	{
		Name: "assume-paste-time", Type: Number, Scope: Session,
		Default: "1", Min: 0, Max: maxNumber, Unit: "ms",
		Help: "Keys that follow each other faster than this are taken for a paste; 0 for none.",
	},
	{
		Name: "base-index", Type: Number, Scope: Session,
		Default: "0", Min: 0, Max: maxNumber,
		Help: "The index of the first window.",
	},
	{
		Name: "bell-action", Type: Choice, Scope: Session,
		Default: "any", Choices: alerts,
		Help: "In which windows a bell counts: any, current, other, or none.",
	},
	{
		Name: "default-command", Type: String, Scope: Session,
		Default: "",
		Help:    "The shell command run in new panes; empty starts a login shell.",
	},
	{
		Name: "default-shell", Type: String, Scope: Session,
		Default: "", check: checkShell,
		Help: "The full path of the shell for new panes; empty takes SHELL from the environment.",
	},
	{
		Name: "default-size", Type: String, Scope: Session,
		Default: "80x24", check: checkSize,
		Help: "The size of windows no client shows.",
	},
	{
		Name: "destroy-unattached", Type: Choice, Scope: Session,
		Default: "off", Choices: []string{"off", "on", "keep-last", "keep-group"},
		Help: "Destroy a session when its last client leaves it; keep-last and keep-group spare the last session, or the last of its group.",
	},
	{
		Name: "detach-on-destroy", Type: Choice, Scope: Session,
		Default: "on", Choices: []string{"off", "on", "no-detached", "previous", "next"},
		Help: "What becomes of a client whose session is destroyed: detached (on), or moved to another session.",
	},
	{
		Name: "display-panes-active-colour", Type: Colour, Scope: Session,
		Default: "red",
		Help:    "The colour of the active pane's number in display-panes.",
	},
	{
		Name: "display-panes-colour", Type: Colour, Scope: Session,
		Default: "theme-number", Tmux: "blue",
		Help: "The colour of the other panes' numbers in display-panes.",
	},
	{
		Name: "display-panes-time", Type: Number, Scope: Session,
		Default: "1000", Min: 1, Max: maxNumber, Unit: "ms",
		Help: "How long display-panes shows its numbers.",
	},
	{
		Name: "display-time", Type: Number, Scope: Session,
		Default: "750", Min: 0, Max: maxNumber, Unit: "ms",
		Help: "How long messages are shown; 0 waits for a key.",
	},
	{
		Name: "history-limit", Type: Number, Scope: Session,
		Default: "10000", Tmux: "2000", Min: 0, Max: maxNumber, Unit: "lines",
		Help: "How many lines of scrollback new panes keep.",
	},
	{
		Name: "key-table", Type: String, Scope: Session,
		Default: "root",
		Help:    "The key table looked at first.",
	},
	{
		Name: "lock-after-time", Type: Number, Scope: Session,
		Default: "0", Min: 0, Max: maxNumber, Unit: "s",
		Help: "Lock the session after this time without a key; 0 never.",
	},
	{
		Name: "lock-command", Type: String, Scope: Session,
		Default: "lock -np",
		Help:    "The command that locks a client.",
	},
	{
		Name: "message-command-style", Type: Style, Scope: Session,
		Default: "bg=theme-message-text,fg=theme-message", Tmux: "bg=black,fg=yellow",
		Help: "The style of the prompt in vi's command mode.",
	},
	{
		Name: "message-line", Type: Choice, Scope: Session,
		Default: "0", Choices: []string{"0", "1", "2", "3", "4"},
		Help: "On which status line messages and prompts stand, 0 the first; the last one where there are fewer.",
	},
	{
		Name: "message-style", Type: Style, Scope: Session,
		Default: "bg=theme-message,fg=theme-message-text", Tmux: "bg=yellow,fg=black",
		Help: "The style of messages and prompts.",
	},
	{
		Name: "mouse", Type: Flag, Scope: Session,
		Default: "on", Tmux: "off",
		Help: "Use the mouse; with Shift held it stays the outer terminal's.",
	},
	{
		Name: "prefix", Type: Key, Scope: Session,
		Default: "C-b",
		Help:    "The key before the keys of the prefix table.",
	},
	{
		Name: "prefix2", Type: Key, Scope: Session,
		Default: "None",
		Help:    "A second prefix key.",
	},
	{
		Name: "prompt-cursor-colour", Type: Colour, Scope: Session,
		Default: "default",
		Help:    "The colour of the cursor in prompts.",
	},
	{
		Name: "prompt-cursor-style", Type: Choice, Scope: Session,
		Default: "default", Choices: []string{"default", "blinking-block", "block", "blinking-underline", "underline", "blinking-bar", "bar"},
		Help: "The shape of the cursor in prompts.",
	},
	{
		Name: "renumber-windows", Type: Flag, Scope: Session,
		Default: "off",
		Help:    "Close the gap in the window indexes when a window goes.",
	},
	{
		Name: "repeat-time", Type: Number, Scope: Session,
		Default: "500", Min: 0, Max: 10000, Unit: "ms",
		Help: "For how long a repeatable key may follow another without the prefix.",
	},
	{
		Name: "set-titles", Type: Flag, Scope: Session,
		Default: "off",
		Help:    "Set the title of the outer terminal.",
	},
	{
		Name: "set-titles-string", Type: String, Scope: Session,
		Default: `#S:#I:#W - "#T" #{session_alerts}`,
		Help:    "The title set by set-titles, a format.",
	},
	{
		Name: "silence-action", Type: Choice, Scope: Session,
		Default: "other", Choices: alerts,
		Help: "In which windows silence counts: any, current, other, or none.",
	},
	{
		Name: "status", Type: Choice, Scope: Session,
		Default: "on", Choices: []string{"off", "on", "2", "3", "4", "5"},
		Help: "Show the status line, or up to five of them.",
	},
	{
		Name: "status-bg", Type: Colour, Scope: Session,
		Default: "default",
		Help:    "The background of the status line; default leaves that of status-style.",
	},
	{
		Name: "status-fg", Type: Colour, Scope: Session,
		Default: "default",
		Help:    "The text colour of the status line; default leaves that of status-style.",
	},
	{
		Name: "status-format", Type: String, Scope: Session,
		Items: statusLines, List: " ",
		Help: "The format of each status line; the first is made of the other status options, and the second shows the panes.",
	},
	{
		Name: "status-interval", Type: Number, Scope: Session,
		Default: "15", Min: 0, Max: maxNumber, Unit: "s",
		Help: "How often the status line is drawn anew while it shows the time or a command's output; 0 never. Everything else in it changes at once.",
	},
	{
		Name: "status-justify", Type: Choice, Scope: Session,
		Default: "left", Choices: []string{"left", "centre", "right", "absolute-centre"},
		Help: "Where the window list stands.",
	},
	{
		Name: "status-keys", Type: Choice, Scope: Session,
		Default: "emacs", Choices: []string{"emacs", "vi"},
		Help: "Editing keys at prompts.",
	},
	{
		Name: "status-left", Type: String, Scope: Session,
		Default: "[#{session_name}] ",
		Help:    "The left part of the status line, a format.",
	},
	{
		Name: "status-left-length", Type: Number, Scope: Session,
		Default: "10", Min: 0, Max: 32767, Unit: "cells",
		Help: "The most cells of the left part.",
	},
	{
		Name: "status-left-style", Type: Style, Scope: Session,
		Default: "fg=theme-session#{?client_prefix,#,reverse,}", Tmux: "default",
		Help: "The style of the left part.",
	},
	{
		Name: "status-position", Type: Choice, Scope: Session,
		Default: "bottom", Choices: []string{"top", "bottom"},
		Help: "At which edge the status line stands.",
	},
	{
		Name: "status-right", Type: String, Scope: Session,
		Default: `#{?window_bigger,[#{window_offset_x}#,#{window_offset_y}] ,}"#{=21:pane_title}"#{?stet_saved_time, saved #{stet_saved_time},}`, Tmux: `#{?window_bigger,[#{window_offset_x}#,#{window_offset_y}] ,}"#{=21:pane_title}" %H:%M %d-%b-%y`,
		Help: "The right part of the status line, a format.",
	},
	{
		Name: "status-right-length", Type: Number, Scope: Session,
		Default: "40", Min: 0, Max: 32767, Unit: "cells",
		Help: "The most cells of the right part.",
	},
	{
		Name: "status-right-style", Type: Style, Scope: Session,
		Default: "fg=theme-muted", Tmux: "default",
		Help: "The style of the right part.",
	},
	{
		Name: "status-style", Type: Style, Scope: Session,
		Default: "bg=theme-bar,fg=theme-bar-text", Tmux: "bg=green,fg=black",
		Help: "The style of the status line.",
	},
	{
		Name: "update-environment", Type: String, Scope: Session,
		Default: "DISPLAY KRB5CCNAME SSH_ASKPASS SSH_AUTH_SOCK SSH_AGENT_PID SSH_CONNECTION WINDOWID XAUTHORITY", List: " ,",
		Help: "Environment variables a session takes from each client that attaches.",
	},
	{
		Name: "visual-activity", Type: Choice, Scope: Session,
		Default: "off", Choices: visual,
		Help: "Tell activity by a message (on), a bell (off), or both.",
	},
	{
		Name: "visual-bell", Type: Choice, Scope: Session,
		Default: "off", Choices: visual,
		Help: "Tell a bell by a message (on), the bell (off), or both.",
	},
	{
		Name: "visual-silence", Type: Choice, Scope: Session,
		Default: "off", Choices: visual,
		Help: "Tell silence by a message (on), a bell (off), or both.",
	},
	{
		Name: "word-separators", Type: String, Scope: Session,
		Default: "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~",
		Help:    "Characters that end words in copy mode, blanks aside.",
	},
}
