package keymap

// The menus of the default bindings: what they are about and their items.
const (
	paneMenu    = `display-menu -T "#[align=centre]#{pane_index} (#{pane_id})"`
	paneItems   = ` "Horizontal Split" h { split-window -h } "Vertical Split" v { split-window } "" "#{?#{>:#{window_panes},1},,-}Swap Up" u { swap-pane -U } "#{?#{>:#{window_panes},1},,-}Swap Down" d { swap-pane -D } "#{?pane_marked_set,,-}Swap Marked" s { swap-pane } "" Kill X { kill-pane } Respawn R { respawn-pane -k } "#{?pane_marked,Unmark,Mark}" m { select-pane -m } "#{?#{>:#{window_panes},1},,-}#{?window_zoomed_flag,Unzoom,Zoom}" z { resize-pane -Z }`
	windowMenu  = `display-menu -T "#[align=centre]#{window_index}:#{window_name}"`
	windowItems = ` "#{?#{>:#{session_windows},1},,-}Swap Left" l { swap-window -t :-1 } "#{?#{>:#{session_windows},1},,-}Swap Right" r { swap-window -t :+1 } "#{?pane_marked_set,,-}Swap Marked" s { swap-window } "" Kill X { kill-window } "#{?pane_marked,Unmark,Mark}" m { select-pane -m } Rename n { command-prompt -I "#W" { rename-window -- "%%" } } "" "New After" w { new-window -a } "New At End" W { new-window }`
	sessionMenu = `display-menu -T "#[align=centre]#{session_name}" -t = -x M -y W Next n { switch-client -n } Previous p { switch-client -p } "" Renumber N { move-window -r } Rename n { command-prompt -I "#S" { rename-session -- "%%" } } "" "New Session" s { new-session } "New Window" w { new-window }`
)
