package keymap

// The menus of the default bindings: what they are about and their items.
const (
	paneMenu = `display-menu -T "#[align=centre]#{pane_index} (#{pane_id})"`
	// What is about text: the word and the line under the mouse, and in copy mode its ends.
	textItems   = ` "#{?` + inCopyMode + `,Go To Top,}" < { send-keys -X history-top } "#{?` + inCopyMode + `,Go To Bottom,}" > { send-keys -X history-bottom } "" "#{?mouse_word,Search For #[underscore]#{=/9/...:mouse_word},}" C-r { if-shell -F "#{?` + inCopyMode + `,0,1}" "copy-mode -t =" ; send-keys -X -t = search-backward "#{q:mouse_word}" } "#{?mouse_word,Type #[underscore]#{=/9/...:mouse_word},}" C-y { copy-mode -q ; send-keys -l -- "#{q:mouse_word}" } "#{?mouse_word,Copy #[underscore]#{=/9/...:mouse_word},}" c { copy-mode -q ; set-buffer -- "#{q:mouse_word}" } "#{?mouse_line,Copy Line,}" l { copy-mode -q ; set-buffer -- "#{q:mouse_line}" } "#{?mouse_hyperlink,Type #[underscore]#{=/9/...:mouse_hyperlink},}" C-h { copy-mode -q ; send-keys -l -- "#{q:mouse_hyperlink}" } "#{?mouse_hyperlink,Copy #[underscore]#{=/9/...:mouse_hyperlink},}" h { copy-mode -q ; set-buffer -- "#{q:mouse_hyperlink}" } ""`
	paneItems   = ` "Horizontal Split" h { split-window -h } "Vertical Split" v { split-window -v } "" "#{?#{>:#{window_panes},1},,-}Swap Up" u { swap-pane -U } "#{?#{>:#{window_panes},1},,-}Swap Down" d { swap-pane -D } "#{?pane_marked_set,,-}Swap Marked" s { swap-pane } "" Kill X { kill-pane } Respawn R { respawn-pane -k } "#{?pane_marked,Unmark,Mark}" m { select-pane -m } "#{?#{>:#{window_panes},1},,-}#{?window_zoomed_flag,Unzoom,Zoom}" z { resize-pane -Z }`
	windowMenu  = `display-menu -T "#[align=centre]#{window_index}:#{window_name}"`
	windowItems = ` "#{?#{>:#{session_windows},1},,-}Swap Left" l { swap-window -t :-1 } "#{?#{>:#{session_windows},1},,-}Swap Right" r { swap-window -t :+1 } "#{?pane_marked_set,,-}Swap Marked" s { swap-window } "" Kill X { kill-window } Respawn R { respawn-window -k } "#{?pane_marked,Unmark,Mark}" m { select-pane -m } Rename n { command-prompt -F -I "#W" { rename-window -t "#{window_id}" -- "%%" } } "" "New After" w { new-window -a } "New At End" W { new-window }`
	sessionMenu = `display-menu -T "#[align=centre]#{session_name}" -t = -x M -y W Next n { switch-client -n } Previous p { switch-client -p } "" Renumber N { move-window -r } Rename n { command-prompt -I "#S" { rename-session -- "%%" } } "" "New Session" s { new-session } "New Window" w { new-window }`

	inCopyMode = `#{m/r:(copy|view)-mode,#{pane_mode}}`
)
