package harness

import "stet/server/keymap"

const (
	prefix = keymap.Prefix
	root   = keymap.Root
)

// three is a window of three panes: 0 above 1 on the left, 2 on the right.
const three = "split-window -h cat ; split-window -t t:.0 cat ; select-pane -t t:.0 ; set-option -g @three '#{window_layout}'"

var keyGroups = []keyGroup{
	{"panes", [2]int{80, 24}, three, []keyRow{
		{table: prefix, key: "Down", says: "#{pane_index}", want: "1"},
		{table: prefix, key: "Up", says: "#{pane_index}", want: "0"},
		{table: prefix, key: "Right", says: "#{pane_index}", want: "2"},
		{table: prefix, key: "Left", says: "#{pane_left}", want: "0"},
		{table: prefix, key: ";", says: "#{pane_index}", want: "2", after: "select-pane -t t:.0"},
		{table: prefix, key: "o", says: "#{pane_index}", want: "1"},
		{table: prefix, key: "{", says: "#{pane_index}", want: "0"},
		{table: prefix, key: "}", says: "#{pane_index}", want: "1", after: "select-pane -t t:.0"},
		{table: prefix, key: "C-o", says: "#{P:#{pane_id} }", want: "%2 %1 %0 "},
		{table: prefix, key: "M-o", says: "#{P:#{pane_id} }", want: "%0 %2 %1 ", after: "select-pane -t t:.0"},
		{table: prefix, key: "q", shows: "40x11", then: "\x1b"},
		{table: prefix, key: "z", says: "#{window_zoomed_flag}", want: "1", after: "resize-pane -Z"},
		{table: prefix, key: "C-Down", says: "#{pane_height}", want: "12"},
		{table: prefix, key: "C-Up", says: "#{pane_height}", want: "11"},
		{table: prefix, key: "M-Down", says: "#{pane_height}", want: "16"},
		{table: prefix, key: "M-Up", says: "#{pane_height}", want: "11"},
		{table: prefix, key: "C-Right", says: "#{pane_width}", want: "41"},
		{table: prefix, key: "C-Left", says: "#{pane_width}", want: "40"},
		{table: prefix, key: "M-Right", says: "#{pane_width}", want: "45"},
		{table: prefix, key: "M-Left", says: "#{pane_width}", want: "40"},
		{table: prefix, key: "E", before: "resize-pane -t t:.0 -y 5", says: "#{pane_height}", want: "11"},
		{table: prefix, key: "m", says: "#{pane_marked}", want: "1"},
		{table: prefix, key: "M", says: "#{pane_marked_set}", want: "0"},
		{table: prefix, key: "x", shows: "kill-pane 0 (sh)? (y/n)", then: "n"},
		{table: prefix, key: "U", before: "send-keys -K C-b x y ; wait-for -S x", says: "#{window_panes}", want: "3"},
		{table: prefix, key: "M-1", says: "#{pane_width}x#{pane_height}", want: "26x23"},
		{table: prefix, key: "Space", says: "#{pane_width}", want: "80"},
		{table: prefix, key: "M-5", says: "#{pane_width}x#{pane_height}", want: "39x11"},
		{table: prefix, key: "M-2", says: "#{pane_width}", want: "80"},
		{table: prefix, key: "M-3", before: "set-option -w main-pane-height 15", says: "#{P:#{pane_width}x#{pane_height}/#{pane_top} }", want: "80x15/0 39x7/16 40x7/16 "},
		{table: prefix, key: "M-4", before: "set-option -w main-pane-width 50", says: "#{P:#{pane_width}x#{pane_height}/#{pane_left} }", want: "50x23/0 29x11/51 29x11/51 "},
		{table: prefix, key: "M-6", says: "#{P:#{pane_width}x#{pane_height}/#{pane_top} }", want: "39x7/0 40x7/0 80x15/8 "},
		{table: prefix, key: "M-7", says: "#{P:#{pane_width}x#{pane_height}/#{pane_left} }", want: "29x11/0 29x11/0 50x23/30 "},
		{table: prefix, key: `"`, before: "select-layout tiled", says: "#{window_panes} #{pane_width}", want: "4 40", after: "kill-pane"},
		{table: prefix, key: "%", before: "select-layout even-vertical", says: "#{window_panes} #{pane_width}", want: "4 39", after: "kill-pane"},
		{table: root, key: "MouseDown1Pane", before: "set-option -g mouse on ; select-layout even-horizontal ; select-pane -t t:.2", typed: click(left, 3, 3), says: "#{pane_index}", want: "0"},
		{table: root, key: "MouseDrag1Border", typed: press(left, 26, 5) + press(left+motion, 20, 5) + release(left, 20, 5), says: "#{pane_width}", want: "20"},
		{table: root, key: "MouseDown2Pane", before: "set-buffer 'by the mouse'", typed: click(1, 3, 3), shows: "by the mouse"},
		{table: prefix, key: "!", says: "#{window_panes} #{session_windows}", want: "1 2"},
	}},
	{"windows", [2]int{80, 24}, windows, []keyRow{
		{table: prefix, key: "0", says: "#{window_index}", want: "0", before: "select-window -t t:1"},
		{table: prefix, key: "1", says: "#{window_index}", want: "1"},
		{table: prefix, key: "2", says: "#{window_index}", want: "2"},
		{table: prefix, key: "3", says: "#{window_index}", want: "3"},
		{table: prefix, key: "4", says: "#{window_index}", want: "4"},
		{table: prefix, key: "5", says: "#{window_index}", want: "5"},
		{table: prefix, key: "6", says: "#{window_index}", want: "6"},
		{table: prefix, key: "7", says: "#{window_index}", want: "7"},
		{table: prefix, key: "8", says: "#{window_index}", want: "8"},
		{table: prefix, key: "9", says: "#{window_index}", want: "9"},
		{table: prefix, key: "l", says: "#{window_index}", want: "8"},
		{table: prefix, key: "n", says: "#{window_index}", want: "9"},
		{table: prefix, key: "p", says: "#{window_index}", want: "8"},
		{table: root, key: "WheelUpStatus", typed: press(wheelUp, 12, 23), says: "#{window_index}", want: "7"},
		{table: root, key: "WheelDownStatus", typed: press(wheelDown, 12, 23), says: "#{window_index}", want: "8"},
		{table: root, key: "MouseDown1Status", typed: click(left, 5, 23), says: "#{window_index}", want: "0"},
		{table: root, key: "MouseDown3Status", typed: press(2, 5, 23), shows: "New At End", then: "q"},
		{table: root, key: "MouseDown3StatusLeft", typed: press(2, 1, 23), shows: "Renumber", then: "q"},
		{table: prefix, key: "'", shows: "index", then: "5\r", after: "wait-for -S x"},
		{table: prefix, key: ",", shows: "(rename-window)", then: "\x15named\r"},
		{table: prefix, key: "c", says: "#{session_windows}", want: "11"},
		{table: prefix, key: "&", shows: "kill-window", then: "y"},
		{table: prefix, key: ".", shows: "(move-window)", then: "20\r"},
		{table: prefix, key: "f", shows: "(find-window)", then: "\x03"},
		{table: prefix, key: "M-n", before: "select-window -t t:0 ; " + bell, ready: rung, says: "#{window_index}", want: "7"},
		{table: prefix, key: "M-p", before: "select-window -t t:9 ; " + bell, ready: rung, says: "#{window_index}", want: "7"},
		{table: prefix, key: "A", shows: "no other pane wants attention", then: "\x1b"},
		{table: prefix, key: "w", says: "#{pane_mode}", want: "tree-mode", after: "copy-mode -q"},
		{table: prefix, key: "<", shows: "New At End", then: "q"},
	}},
	{"rest", [2]int{80, 24}, "set-option -g mouse on ; set-buffer 'pasted here' ; respawn-pane -k \"seq 50; echo /some/path/here; cat\" ; new-session -d -s u cat", []keyRow{
		{table: prefix, key: "C-b", shows: "^B", after: "send-keys Enter"},
		{table: prefix, key: "]", shows: "pasted here", after: "send-keys Enter"},
		{table: prefix, key: "#", shows: "buffer0: 11 bytes", then: "q"},
		{table: prefix, key: "=", says: "#{pane_mode}", want: "buffer-mode", after: "copy-mode -q"},
		{table: prefix, key: "-", lists: "list-buffers", want: ""},
		{table: prefix, key: "C", says: "#{pane_mode}", want: "options-mode", after: "copy-mode -q"},
		{table: prefix, key: "D", says: "#{pane_mode}", want: "client-mode", after: "copy-mode -q"},
		{table: prefix, key: "s", says: "#{pane_mode}", want: "tree-mode", after: "copy-mode -q"},
		{table: prefix, key: "t", says: "#{pane_mode}", want: "clock-mode", after: "copy-mode -q"},
		{table: prefix, key: "[", says: "#{pane_mode}", want: "copy-mode", after: "copy-mode -q"},
		{table: prefix, key: "PPage", says: "#{pane_mode} #{?#{>:#{scroll_position},10},far,near}", want: "copy-mode far", after: "copy-mode -q"},
		{table: prefix, key: "F", says: "#{pane_in_mode}", want: "1", after: "copy-mode -q"},
		{table: prefix, key: "e", before: "set-environment -g EDITOR 'tail -f'", says: "#{window_panes}", want: "2", after: "kill-pane"},
		{table: prefix, key: "?", shows: "Help", then: "\x1b"},
		{table: prefix, key: ":", then: "rename-window typed\r", hides: "0:one*"},
		{table: prefix, key: "$", shows: "(rename-session)", then: "\x03"},
		{table: prefix, key: "i", shows: "current pane 0", then: "q"},
		{table: prefix, key: "/", typed: "\x02/c", shows: "Create a new window", then: "q"},
		{table: prefix, key: ">", shows: "Horizontal Split", then: "q"},
		{table: prefix, key: ")", says: "#{client_session}", want: "u"},
		{table: prefix, key: "(", says: "#{client_session}", want: "t"},
		{table: prefix, key: "L", says: "#{client_session}", want: "u", after: "switch-client -l"},
		{table: root, key: "MouseDown3Pane", typed: press(2, 5, 5), shows: "Horizontal Split", then: "q"},
		{table: root, key: "M-MouseDown3Pane", before: "run-shell -d 0.5 true", typed: press(2+8, 5, 5), shows: "Horizontal Split", then: "q"},
		{table: root, key: "WheelUpPane", typed: press(wheelUp, 5, 5), says: "#{pane_mode} #{scroll_position}", want: "copy-mode 5", after: "copy-mode -q"},
		{table: root, key: "MouseDrag1Pane", typed: press(left, 2, 2) + press(left+motion, 5, 2), says: "#{pane_mode} #{selection_present}", want: "copy-mode 1", then: release(left, 5, 2), after: "copy-mode -q"},
		{table: root, key: "DoubleClick1Pane", before: "send-keys -R ; send-keys 'alpha beta' Enter ; run-shell -d 0.5 true", typed: click(left, 0, 0) + click(left, 0, 0), lists: "list-buffers -F #{buffer_size}", want: "5", after: "delete-buffer"},
		{table: root, key: "TripleClick1Pane", before: "run-shell -d 0.5 true", typed: click(left, 0, 0) + click(left, 0, 0) + click(left, 0, 0), lists: "list-buffers -F #{buffer_size}", want: "10", after: "delete-buffer"},
		{table: prefix, key: "r", more: true},
		{table: prefix, key: "C-z", hides: "[t]"},
		{table: prefix, key: "d", shows: "[detached (from session t)]"},
	}},
	{"views", [2]int{60, 12}, "set-option -w window-size manual ; resize-window -x 100 -y 40", []keyRow{
		{table: prefix, key: "S-Right", says: "#{window_offset_x},#{window_offset_y}", want: "10,0"},
		{table: prefix, key: "S-Down", says: "#{window_offset_x},#{window_offset_y}", want: "10,10"},
		{table: prefix, key: "S-Left", says: "#{window_offset_x},#{window_offset_y}", want: "0,10"},
		{table: prefix, key: "S-Up", says: "#{window_offset_x},#{window_offset_y}", want: "0,0"},
		{table: prefix, key: "DC", before: "refresh-client -R 10", says: "#{window_offset_x}", want: "0"},
	}},
}

// windows is a session with the windows 0 to 9.
const windows = "set-option -g mouse on ; new-window -d -n two cat ; new-window -d cat ; new-window -d cat ; new-window -d cat ; new-window -d cat ; new-window -d cat ; new-window -d cat ; new-window -d cat ; new-window -d cat"

// bell rings in window 7.
const bell = `respawn-window -k -t t:7 "printf '\a'; cat"`

// rung says whether it was heard.
const rung = "-t t:7 #{window_bell_flag}"
