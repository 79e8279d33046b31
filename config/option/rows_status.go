package option

// statusLines are the formats of the first two status lines. The first one is what the other status
// options amount to: the left part, the windows, the right part. The second one shows the panes.
var statusLines = []string{
	`#[align=left range=left #{E:status-left-style}]#[push-default]#{T;=/#{status-left-length}:status-left}#[pop-default]#[norange default]` +
		`#[list=on align=#{status-justify}]#[list=left-marker]<#[list=right-marker]>#[list=on]` +
		`#{W:#[range=window|#{window_index} #{E:window-status-style}#{?#{&&:#{window_last_flag},#{!=:#{E:window-status-last-style},default}}, #{E:window-status-last-style},}#{?#{&&:#{window_bell_flag},#{!=:#{E:window-status-bell-style},default}}, #{E:window-status-bell-style},#{?#{&&:#{||:#{window_activity_flag},#{window_silence_flag}},#{!=:#{E:window-status-activity-style},default}}, #{E:window-status-activity-style},}}]#[push-default]#{T:window-status-format}#[pop-default]#[norange default]#{?window_end_flag,,#{window-status-separator}},` +
		`#[range=window|#{window_index} list=focus #{?#{!=:#{E:window-status-current-style},default},#{E:window-status-current-style},#{E:window-status-style}}#{?#{&&:#{window_last_flag},#{!=:#{E:window-status-last-style},default}}, #{E:window-status-last-style},}#{?#{&&:#{window_bell_flag},#{!=:#{E:window-status-bell-style},default}}, #{E:window-status-bell-style},#{?#{&&:#{||:#{window_activity_flag},#{window_silence_flag}},#{!=:#{E:window-status-activity-style},default}}, #{E:window-status-activity-style},}}]#[push-default]#{T:window-status-current-format}#[pop-default]#[norange list=on default]#{?window_end_flag,,#{window-status-separator}}}` +
		`#[nolist align=right range=right #{E:status-right-style}]#[push-default]#{T;=/#{status-right-length}:status-right}#[pop-default]#[norange default]`,
	"#[align=centre]#{P:#{?pane_active,#[reverse],}#[range=pane|#{pane_id}]#{pane_index}[#{pane_width}x#{pane_height}]#[norange default] }",
}

// windowText is a window in the window list, and agentMark the mark of what its agents do, where it has any: on the
// ground of alerts where one waits for somebody.
const (
	windowText = "#I:#W#{?window_flags,#{window_flags}, }"
	agentMark  = "#{?window_agent_status,#{?#{m/r:^(blocked|error)$,#{window_agent_status}},#[bg=theme-alert#,fg=theme-alert-text],#{?#{==:#{window_agent_status},done},#[fg=theme-notice],}}#{window_agent_symbol}#[default],}"
)
