package keymap

import "stet/vt/key"

// def is one row of the default bindings.
type def struct {
	table, key, command string
	repeat              bool
	note                string
}

// defaults are tmux's bindings for the commands there are. Where ours differs, the row says why.
var defaults = append([]def{
	{Prefix, "C-b", "send-prefix", false, "Send the prefix key"},
	{Prefix, "C-z", "suspend-client", false, "Suspend the current client"},
	{Prefix, "Space", "next-layout", false, "Select next layout"},
	{Prefix, `"`, "split-window", false, "Split window vertically"},
	{Prefix, "%", "split-window -h", false, "Split window horizontally"},
	{Prefix, "&", `confirm-before -p "kill-window #W? (y/n)" kill-window`, false, "Kill the current window"},
	{Prefix, "'", `command-prompt -T window-target -p index { select-window -t ":%%" }`, false, "Prompt for a window index to select"},
	{Prefix, "c", "new-window", false, "Create a new window"},
	{Prefix, "l", "last-window", false, "Select the previously current window"},
	{Prefix, "n", "next-window", false, "Select the next window"},
	{Prefix, "p", "previous-window", false, "Select the previous window"},
	{Prefix, "0", "select-window -t :=0", false, "Select window 0"},
	{Prefix, "1", "select-window -t :=1", false, "Select window 1"},
	{Prefix, "2", "select-window -t :=2", false, "Select window 2"},
	{Prefix, "3", "select-window -t :=3", false, "Select window 3"},
	{Prefix, "4", "select-window -t :=4", false, "Select window 4"},
	{Prefix, "5", "select-window -t :=5", false, "Select window 5"},
	{Prefix, "6", "select-window -t :=6", false, "Select window 6"},
	{Prefix, "7", "select-window -t :=7", false, "Select window 7"},
	{Prefix, "8", "select-window -t :=8", false, "Select window 8"},
	{Prefix, "9", "select-window -t :=9", false, "Select window 9"},
	{Prefix, ".", `command-prompt -T target { move-window -t "%%" }`, false, "Move the current window"},
	{Prefix, "!", "break-pane", false, "Break pane to a new window"},
	{Prefix, "C-o", "rotate-window", false, "Rotate through the panes"},
	{Prefix, "M-o", "rotate-window -D", false, "Rotate through the panes in reverse"},
	{Prefix, "M-n", "next-window -a", false, "Select the next window with an alert"},
	{Prefix, "M-p", "previous-window -a", false, "Select the previous window with an alert"},
	{Prefix, "#", "list-buffers", false, "List all paste buffers"},
	{Prefix, "$", `command-prompt -I "#S" { rename-session -- "%%" }`, false, "Rename current session"},
	{Prefix, ",", `command-prompt -I "#W" { rename-window -- "%%" }`, false, "Rename current window"},
	{Prefix, "-", "delete-buffer", false, "Delete the most recent paste buffer"},
	{Prefix, "/", `command-prompt -kpkey { list-keys -1N "%%" }`, false, "Describe key binding"},
	{Prefix, ":", "command-prompt", false, "Prompt for a command"},
	{Prefix, ";", "last-pane", false, "Move to the previously active pane"},
	// tmux lists the keys; here they can be searched, and commands and options with them.
	{Prefix, "?", "help", false, "Search keys, commands and options"},
	{Prefix, "~", "show-messages", false, "Show messages"},
	{Prefix, "E", "select-layout -E", false, "Spread panes out evenly"},
	{Prefix, "M", "select-pane -M", false, "Clear the marked pane"},
	{Prefix, "A", "next-attention", false, "Go to the next pane whose agent wants you"},
	{Prefix, "U", "undo-close", false, "Bring back what was closed last"},
	{Prefix, "[", "copy-mode", false, "Enter copy mode"},
	{Prefix, "]", "paste-buffer -p", false, "Paste the most recent paste buffer"},
	{Prefix, "(", "switch-client -p", false, "Switch to the previous session"},
	{Prefix, ")", "switch-client -n", false, "Switch to the next session"},
	{Prefix, "L", "switch-client -l", false, "Switch to the last session"},
	{Prefix, "C", "customize-mode -Z", false, "Customize options"},
	{Prefix, "D", "choose-client -Z", false, "Choose a client from a list"},
	{Prefix, "=", "choose-buffer -Z", false, "Choose a paste buffer from a list"},
	{Prefix, "s", "choose-tree -Zs", false, "Choose a session from a list"},
	{Prefix, "w", "choose-tree -Zw", false, "Choose a window from a list"},
	{Prefix, "f", `command-prompt { find-window -Z -- "%%" }`, false, "Search for a pane"},
	{Prefix, "t", "clock-mode", false, "Show a clock"},
	{Prefix, "F", "hints", false, "Pick a path, address or number from the screen"},
	{Prefix, "e", "edit-scrollback", false, "Open the scrollback in an editor"},
	{Prefix, "<", windowMenu + " -x W -y W" + windowItems, false, "Display window menu"},
	{Prefix, ">", paneMenu + " -x P -y P" + textItems + paneItems, false, "Display pane menu"},
	{Root, "MouseDown3Pane", `if-shell -F -t = "#{||:#{mouse_any_flag},#{&&:#{pane_in_mode},#{?` + inCopyMode + `,0,1}}}" { select-pane -t = ; send-keys -M } { ` + paneMenu + " -t = -x M -y M" + textItems + paneItems + " }", false, ""},
	{Root, "M-MouseDown3Pane", paneMenu + " -t = -x M -y M" + textItems + paneItems, false, ""},
	{Root, "MouseDown3Status", windowMenu + " -t = -x W -y W" + windowItems, false, ""},
	{Root, "MouseDown3StatusLeft", sessionMenu, false, ""},
	{Prefix, "d", "detach-client", false, "Detach the current client"},
	{Prefix, "i", "display-message", false, "Display window information"},
	{Prefix, "m", "select-pane -m", false, "Toggle the marked pane"},
	{Prefix, "o", "select-pane -t :.+", false, "Select the next pane"},
	{Prefix, "q", "display-panes", false, "Display pane numbers"},
	{Prefix, "r", "refresh-client", false, "Redraw the current client"},
	{Prefix, "DC", "refresh-client -c", true, "Reset so the visible part of the window follows the cursor"},
	{Prefix, "S-Up", "refresh-client -U 10", true, "Move the visible part of the window up"},
	{Prefix, "S-Down", "refresh-client -D 10", true, "Move the visible part of the window down"},
	{Prefix, "S-Left", "refresh-client -L 10", true, "Move the visible part of the window left"},
	{Prefix, "S-Right", "refresh-client -R 10", true, "Move the visible part of the window right"},
	// tmux does not say what runs in the pane that is about to be killed.
	{Prefix, "x", `confirm-before -p "kill-pane #P (#{pane_current_command})? (y/n)" kill-pane`, false, "Kill the active pane"},
	{Prefix, "z", "resize-pane -Z", false, "Zoom the active pane"},
	{Prefix, "{", "swap-pane -U", false, "Swap the active pane with the pane above"},
	{Prefix, "}", "swap-pane -D", false, "Swap the active pane with the pane below"},
	{Prefix, "PPage", "copy-mode -u", false, "Enter copy mode and scroll up"},
	{Prefix, "Up", "select-pane -U", true, "Select the pane above the active pane"},
	{Prefix, "Down", "select-pane -D", true, "Select the pane below the active pane"},
	{Prefix, "Left", "select-pane -L", true, "Select the pane to the left of the active pane"},
	{Prefix, "Right", "select-pane -R", true, "Select the pane to the right of the active pane"},
	{Prefix, "M-1", "select-layout even-horizontal", false, "Set the even-horizontal layout"},
	{Prefix, "M-2", "select-layout even-vertical", false, "Set the even-vertical layout"},
	{Prefix, "M-3", "select-layout main-horizontal", false, "Set the main-horizontal layout"},
	{Prefix, "M-4", "select-layout main-vertical", false, "Set the main-vertical layout"},
	{Prefix, "M-5", "select-layout tiled", false, "Select the tiled layout"},
	{Prefix, "M-6", "select-layout main-horizontal-mirrored", false, "Set the main-horizontal-mirrored layout"},
	{Prefix, "M-7", "select-layout main-vertical-mirrored", false, "Set the main-vertical-mirrored layout"},
	{Prefix, "M-Up", "resize-pane -U 5", true, "Resize the pane up by 5"},
	{Prefix, "M-Down", "resize-pane -D 5", true, "Resize the pane down by 5"},
	{Prefix, "M-Left", "resize-pane -L 5", true, "Resize the pane left by 5"},
	{Prefix, "M-Right", "resize-pane -R 5", true, "Resize the pane right by 5"},
	{Prefix, "C-Up", "resize-pane -U", true, "Resize the pane up"},
	{Prefix, "C-Down", "resize-pane -D", true, "Resize the pane down"},
	{Prefix, "C-Left", "resize-pane -L", true, "Resize the pane left"},
	{Prefix, "C-Right", "resize-pane -R", true, "Resize the pane right"},

	{Root, "MouseDown1Pane", "select-pane -t = ; send-keys -M", false, ""},
	{Root, "MouseDown1Status", "switch-client -t =", false, ""}, // a window, and in a format of one's own a pane or a session
	{Root, "WheelUpStatus", "previous-window", false, ""},
	{Root, "WheelDownStatus", "next-window", false, ""},
	{Root, "MouseDrag1Border", "resize-pane -M", false, ""},
	{Root, "MouseDown2Pane", `select-pane -t = ; if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { paste-buffer -p }`, false, ""},
	{Root, "MouseDrag1Pane", `if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { copy-mode -M }`, false, ""},
	{Root, "DoubleClick1Pane", `select-pane -t = ; if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { copy-mode -H ; send-keys -X select-word ; run-shell -d 0.3 ; send-keys -X copy-pipe-and-cancel }`, false, ""},
	{Root, "TripleClick1Pane", `select-pane -t = ; if-shell -F "#{||:#{pane_in_mode},#{mouse_any_flag}}" { send-keys -M } { copy-mode -H ; send-keys -X select-line ; run-shell -d 0.3 ; send-keys -X copy-pipe-and-cancel }`, false, ""},
	{Root, "WheelUpPane", `if-shell -F "#{||:#{pane_in_mode},#{||:#{mouse_any_flag},#{alternate_on}}}" { send-keys -M } { copy-mode -e ; send-keys -X -N 5 scroll-up }`, false, ""},

	// tmux has no keys for a pane that remain-on-exit keeps: nothing in it takes what is typed.
	{DeadPane, "Enter", "respawn-pane", false, "Start the program again"},
	{DeadPane, "C-c", "kill-pane", false, "Close the pane"},

	// So has it none for a pane that a restore could not start.
	{Waiting, "Enter", "restore-pane", false, "Look again whether the directory is there, or resume the agent now"},
	{Waiting, "c", "restore-pane --create", false, "Make the directory and start there"},
	{Waiting, "n", "restore-pane --nearest", false, "Start in the nearest directory above"},
	{Waiting, "p", AskDirectory, false, "Choose a directory"},
	{Waiting, "s", "agent-cancel -t .", false, "Do not resume the agent: a shell"},
	{Waiting, "C-c", "kill-pane", false, "Close the pane"},
	{Asking, "Enter", "restore-pane --run", false, "Run the pane's command again"},
}, copyDefaults...)

// Defaults returns new tables with the bindings stet begins with. Every key in the rows is one that
// package key can read; a test holds that.
func Defaults() *Tables {
	t := &Tables{tables: map[string]map[key.Chord]Binding{}}
	for i := range defaults {
		d := &defaults[i]
		if chord, err := key.ParseChord(d.key); err == nil {
			t.Bind(d.table, Binding{chord, d.command, d.repeat, d.note})
		}
	}
	return t
}
