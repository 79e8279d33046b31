package option

// windowRows are the options of windows and panes, sorted by name.
var windowRows = [...]Row{
	{
		Name: "aggressive-resize", Type: Flag, Scope: Window,
		Default: "off",
		Help:    "Size a window by the clients that show it, not by all of its sessions.",
	},
	{
		Name: "allow-passthrough", Type: Choice, Scope: Window | Pane,
		Default: "off", Choices: []string{"off", "on", "all"},
		Help: "Let programs give the outer terminal sequences (DCS tmux;) while their pane is seen, or always (all).",
	},
	{
		Name: "allow-rename", Type: Flag, Scope: Window | Pane,
		Default: "off",
		Help:    "Let programs name their window.",
	},
	{
		Name: "alternate-screen", Type: Flag, Scope: Window | Pane,
		Default: "on",
		Help:    "Let programs use the alternate screen.",
	},
	{
		Name: "automatic-rename", Type: Flag, Scope: Window,
		Default: "on",
		Help:    "Name the window after what runs in it, until it is named by hand.",
	},
	{
		Name: "automatic-rename-format", Type: String, Scope: Window,
		Default: "#{?pane_in_mode,[stet],#{pane_current_command}}#{?pane_dead,[dead],}", Tmux: "#{?pane_in_mode,[tmux],#{pane_current_command}}#{?pane_dead,[dead],}",
		Help: "The name automatic-rename gives, a format.",
	},
	{
		Name: "clock-mode-colour", Type: Colour, Scope: Window,
		Default: "blue",
		Help:    "The colour of the clock.",
	},
	{
		Name: "clock-mode-style", Type: Choice, Scope: Window,
		Default: "24", Choices: []string{"12", "24"},
		Help: "Hours of the clock.",
	},
	{
		Name: "copy-mode-current-match-style", Type: Style, Scope: Window,
		Default: "bg=magenta,fg=black",
		Help:    "The style of the match the cursor is at.",
	},
	{
		Name: "copy-mode-mark-style", Type: Style, Scope: Window,
		Default: "bg=red,fg=black",
		Help:    "The style of the marked line.",
	},
	{
		Name: "copy-mode-match-style", Type: Style, Scope: Window,
		Default: "bg=cyan,fg=black",
		Help:    "The style of the other matches.",
	},
	{
		Name: "cursor-colour", Type: Colour, Scope: Window | Pane,
		Default: "default",
		Help:    "The colour of the cursor.",
	},
	{
		Name: "cursor-style", Type: Choice, Scope: Window | Pane,
		Default: "default", Choices: []string{"default", "blinking-block", "block", "blinking-underline", "underline", "blinking-bar", "bar"},
		Help: "The shape of the cursor where the program sets none.",
	},
	{
		Name: "fill-character", Type: String, Scope: Window,
		Default: "",
		Help:    "The character for the space outside a window; empty shows dots.",
	},
	{
		Name: "main-pane-height", Type: String, Scope: Window,
		Default: "24", check: checkCells,
		Help: "The height of the main pane in main-horizontal, in cells or per cent.",
	},
	{
		Name: "main-pane-width", Type: String, Scope: Window,
		Default: "80", check: checkCells,
		Help: "The width of the main pane in main-vertical, in cells or per cent.",
	},
	{
		Name: "mode-keys", Type: Choice, Scope: Window,
		Default: "emacs", Choices: []string{"emacs", "vi"},
		Help: "Keys in copy mode.",
	},
	{
		Name: "mode-style", Type: Style, Scope: Window,
		Default: "bg=theme-select,fg=theme-select-text", Tmux: "bg=yellow,fg=black",
		Help: "The style of what is chosen or selected in a mode.",
	},
	{
		Name: "monitor-activity", Type: Flag, Scope: Window,
		Default: "off",
		Help:    "Watch the window for output.",
	},
	{
		Name: "monitor-bell", Type: Flag, Scope: Window,
		Default: "on",
		Help:    "Watch the window for bells.",
	},
	{
		Name: "monitor-silence", Type: Number, Scope: Window,
		Default: "0", Min: 0, Max: maxNumber, Unit: "s",
		Help: "Watch the window for this long without output; 0 not at all.",
	},
	{
		Name: "other-pane-height", Type: String, Scope: Window,
		Default: "0", check: checkCells,
		Help: "The height of the other panes in main-horizontal; 0 leaves them the rest.",
	},
	{
		Name: "other-pane-width", Type: String, Scope: Window,
		Default: "0", check: checkCells,
		Help: "The width of the other panes in main-vertical; 0 leaves them the rest.",
	},
	{
		Name: "pane-active-border-style", Type: Style, Scope: Window,
		Default: "#{?pane_in_mode,fg=theme-active-mode,#{?synchronize-panes,fg=red,fg=theme-active}}", Tmux: "#{?pane_in_mode,fg=yellow,#{?synchronize-panes,fg=red,fg=green}}",
		Help: "The style of the active pane's border.",
	},
	{
		Name: "pane-base-index", Type: Number, Scope: Window,
		Default: "0", Min: 0, Max: 65535,
		Help: "The index of the first pane.",
	},
	{
		Name: "pane-border-format", Type: String, Scope: Window,
		Default: `#{?pane_active,#[reverse],}#{pane_index}#[default] "#{pane_title}"`,
		Help:    "The text in pane borders, a format.",
	},
	{
		Name: "pane-border-indicators", Type: Choice, Scope: Window,
		Default: "colour", Choices: []string{"off", "colour", "arrows", "both"},
		Help: "How the border tells the active of two panes.",
	},
	{
		Name: "pane-border-lines", Type: Choice, Scope: Window,
		Default: "single", Choices: lineStyles,
		Help: "The characters of pane borders.",
	},
	{
		Name: "pane-border-status", Type: Choice, Scope: Window,
		Default: "off", Choices: []string{"off", "top", "bottom"},
		Help: "Where pane borders have text.",
	},
	{
		Name: "pane-border-style", Type: Style, Scope: Window,
		Default: "fg=theme-border", Tmux: "default",
		Help: "The style of pane borders.",
	},
	{
		Name: "pane-colours", Type: Colour, Scope: Window | Pane,
		Default: "", List: " ,",
		Help: "The colours that stand for the numbered ones, 0 to 255, where a program sets none.",
	},
	{
		Name: "popup-border-lines", Type: Choice, Scope: Window,
		Default: "single", Choices: []string{"single", "double", "heavy", "simple", "rounded", "padded", "none"},
		Help: "The characters of popup borders.",
	},
	{
		Name: "popup-border-style", Type: Style, Scope: Window,
		Default: "default",
		Help:    "The style of popup borders.",
	},
	{
		Name: "popup-style", Type: Style, Scope: Window,
		Default: "default",
		Help:    "The style of popups.",
	},
	{
		Name: "remain-on-exit", Type: Choice, Scope: Window | Pane,
		Default: "off", Choices: []string{"off", "on", "failed"},
		Help: "Keep a pane when its program ends: always (on), or when it failed.",
	},
	{
		Name: "remain-on-exit-format", Type: String, Scope: Window | Pane,
		Default: "Pane is dead (#{?#{!=:#{pane_dead_status},},status #{pane_dead_status},}#{?#{!=:#{pane_dead_signal},},signal #{pane_dead_signal},}, #{t:pane_dead_time})",
		Help:    "The line shown in a pane kept by remain-on-exit, a format.",
	},
	{
		Name: "scroll-on-clear", Type: Flag, Scope: Window | Pane,
		Default: "on",
		Help:    "Clearing the screen moves it into the scrollback first.",
	},
	{
		Name: "synchronize-panes", Type: Flag, Scope: Window | Pane,
		Default: "off",
		Help:    "Send what is typed to all panes of the window that have this on.",
	},
	{
		Name: "window-active-style", Type: Style, Scope: Window | Pane,
		Default: "default",
		Help:    "The style of the active pane.",
	},
	{
		Name: "window-size", Type: Choice, Scope: Window,
		Default: "latest", Choices: []string{"largest", "smallest", "manual", "latest"},
		Help: "Whose size a window takes: the largest client, the smallest, the latest active one, or none (manual).",
	},
	{
		Name: "window-status-activity-style", Type: Style, Scope: Window,
		Default: "fg=theme-notice,underscore", Tmux: "reverse",
		Help: "The style in the window list after activity.",
	},
	{
		Name: "window-status-bell-style", Type: Style, Scope: Window,
		Default: "bg=theme-alert,fg=theme-alert-text", Tmux: "reverse",
		Help: "The style in the window list after a bell.",
	},
	{
		Name: "window-status-current-format", Type: String, Scope: Window,
		Default: windowText + agentMark, Tmux: windowText,
		Help: "The current window in the window list, a format.",
	},
	{
		Name: "window-status-current-style", Type: Style, Scope: Window,
		Default: "bg=theme-current,fg=theme-current-text", Tmux: "default",
		Help: "The style of the current window in the window list.",
	},
	{
		Name: "window-status-format", Type: String, Scope: Window,
		Default: windowText + agentMark, Tmux: windowText,
		Help: "The other windows in the window list, a format.",
	},
	{
		Name: "window-status-last-style", Type: Style, Scope: Window,
		Default: "default",
		Help:    "The style of the last window in the window list.",
	},
	{
		Name: "window-status-separator", Type: String, Scope: Window,
		Default: " ",
		Help:    "What stands between windows in the window list.",
	},
	{
		Name: "window-status-style", Type: Style, Scope: Window,
		Default: "default",
		Help:    "The style of the window list.",
	},
	{
		Name: "window-style", Type: Style, Scope: Window | Pane,
		Default: "default",
		Help:    "The style of panes.",
	},
	{
		Name: "wrap-search", Type: Flag, Scope: Window,
		Default: "on",
		Help:    "Searches in copy mode go on at the other end.",
	},
	{
		Name: "xterm-keys", Type: Flag, Scope: Window,
		Default: "on",
		Help:    "Does nothing; kept because configurations set it.",
	},
}
