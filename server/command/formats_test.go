package command

import "testing"

// TestFormatsAsTmux prints formats in tmux and here, in the same workspace. What must differ (process ids,
// times, devices, sizes of memory) is not asked, nor what is of a later tmux, nor what docs/tmux.md says is
// left out.
func TestFormatsAsTmux(t *testing.T) {
	p := newPair(t)
	p.both("new-session", "-d", "-s", "one", "-x", "80", "-y", "24")
	p.both("new-session", "-d", "-s", "two", "-x", "80", "-y", "24")
	p.both("set-option", "-g", "@long", "a long value, with #{session_name} and %%")
	p.both("set-option", "-g", "@num", "42")
	p.both("set-option", "-g", "@path", "/usr/local/lib/x.tar.gz")
	p.both("set-option", "-g", "@quote", "it's \"so\" $x; (y)")
	p.both("set-option", "-g", "@fmt", "#{session_name}:#{window_index}")
	p.both("rename-window", "-t", "one", "alpha")
	p.both("rename-window", "-t", "two", "beta")
	p.both("set-environment", "-t", "one", "ENVVAR", "from session")
	for _, f := range formatsToCompare {
		p.both("display-message", "-t", "one", "-p", f)
	}
}

var formatsToCompare = []string{
	"#S #I #W #P #F #D", "#S:#I.#P", "##", "###S", "#,", "#}", "a#", "#", "#z", "#{}", "#{nope}", "#{nope}x", "#{", "#{session_name", "x#{session_name}y", "#{@num}", "#{@nope}", "#{@long}",
	"#{E:@long}", "#{E:@fmt}", "#{T:@fmt}", "#{l:#{session_name}}", "#{l:a#,b}", "#{?1,a,b}", "#{?0,a,b}", "#{?,a,b}", "#{?session_name,a,b}", "#{?nope,a,b}", "#{?#{session_name},a,b}", "#{?session_attached,a,b}", "#{?nope,a}", "#{?session_name,a}",
	"#{?nope,a,#{?session_name,b,c}}", "#{?session_name,x#,y,z}", "#{?#{==:#{session_name},one},is,not}", "#{==:a,a}", "#{==:a,b}", "#{!=:a,b}", "#{<:a,b}", "#{>:a,b}", "#{<=:a,a}", "#{>=:a,b}",
	"#{||:0,1}", "#{||:0,0}", "#{&&:1,1}", "#{&&:1,0}", "#{&&:#{==:a,a},#{!=:a,b}}", "#{m:*one*,xonex}", "#{m:one,xonex}", "#{m/r:^o,one}", "#{m/i:ONE,one}", "#{m/ri:^O,one}", "#{m:a?c,abc}",
	"#{=3:session_name}", "#{=2:@long}", "#{=-4:@long}", "#{=/5/...:@long}", "#{=/-5/...:@long}", "#{=5:@num}", "#{p10:session_name}|", "#{p-10:session_name}|", "#{p2:@long}|", "#{=3;p6:@long}|",
	"#{s/o/0/:session_name}", "#{s/O/0/i:session_name}", "#{s/(.)n/<\\1>/:session_name}", "#{s/^o/x/:session_name}", "#{s|/|_|:@path}", "#{s/a/b/;s/b/c/:@long}", "#{s/nope/x/:session_name}", "#{s/e*/x/:session_name}",
	"#{b:@path}", "#{d:@path}", "#{b:session_name}", "#{d:session_name}", "#{q:@quote}", "#{q/e:@quote}", "#{q/h:@long}", "#{n:session_name}", "#{w:session_name}", "#{n:@path}", "#{c:red}", "#{c:#ff0000}", "#{c:nope}", "#{a:65}", "#{a:x}", "#{a:97}",
	"#{e|+|:1,2}", "#{e|-|:1,2}", "#{e|*|:3,4}", "#{e|/|:7,2}", "#{e|m|:7,3}", "#{e|%%|:7,3}", "#{e|+|f:1.5,2}", "#{e|+|f|3:1.5,2}", "#{e|==|:1,1}", "#{e|!=|:1,1}", "#{e|<|:1,2}", "#{e|>|:1,2}", "#{e|<=|:2,2}", "#{e|>=|:1,2}", "#{e|/|:1,0}", "#{e|+|:a,1}", "#{e|+|:#{@num},8}", "#{e|x|:1,2}",
	"#{S:[#{session_name}] }", "#{W:#{window_index}:#{window_name} }", "#{W:#{window_name},<#{window_name}>}", "#{P:#{pane_index} }", "#{P:#{pane_index},<#{pane_index}>}", "#{S:#{W:#{window_name} }}", "#{N:alpha}", "#{N:beta}", "#{N/w:alpha}", "#{N/s:two}", "#{N/s:nope}", "#{N/w:nope}",
	"#{R:-,0}", "#{l:x}#{l:y}", "#{?#{l:1},a,b}", "#{E:nope}", "#{=:session_name}", "#{p:session_name}", "#{session_name:}", "#{:session_name}", "#{x:session_name}",
	"#{status}", "#{status-keys}", "#{base-index}", "#{mode-keys}", "#{pane-base-index}", "#{status-left-length}", "#{command-alias[1]}", "#{window-status-separator}|",
	"#{ENVVAR}", "#[fg=red]x", "#[fg=#{?1,red,blue}]x", "##[x]", "#{?#{m:*[0-9]*,a1},d,n}", "100%", "%%", "#(", "#()", "#(echo x)", "a,b", "#{?1,#[fg=red#,bg=blue]x,y}",
	"#{session_windows} #{session_attached} #{session_grouped} #{session_many_attached} #{session_id} #{session_alerts}|", "#{session_group}#{session_group_list}#{session_group_size}|#{session_group_attached}|#{session_stack}|", "#{session_marked}|#{session_format}#{window_format}#{pane_format}|",
	"#{window_id} #{window_index} #{window_active} #{window_panes} #{window_flags} #{window_raw_flags} #{window_width}x#{window_height}", "#{window_zoomed_flag}#{window_last_flag}#{window_start_flag}#{window_end_flag}#{window_marked_flag}#{window_bell_flag}#{window_activity_flag}#{window_silence_flag}",
	"#{window_linked} #{window_linked_sessions} #{window_linked_sessions_list} #{window_active_sessions} #{window_active_sessions_list} #{window_active_clients}|#{window_active_clients_list}|", "#{window_layout}|#{window_visible_layout}", "#{window_stack_index}|#{window_bigger}|#{window_offset_x}|#{window_offset_y}|",
	"#{pane_id} #{pane_index} #{pane_active} #{pane_width}x#{pane_height} #{pane_left},#{pane_top},#{pane_right},#{pane_bottom}", "#{pane_at_left}#{pane_at_right}#{pane_at_top}#{pane_at_bottom} #{pane_last} #{pane_marked} #{pane_marked_set}", "#{pane_dead}|#{pane_dead_status}|#{pane_dead_signal}|#{pane_dead_time}|#{pane_in_mode}|#{pane_mode}|#{pane_input_off}|#{pane_pipe}|#{pane_synchronized}|",
	"#{pane_search_string}|#{pane_start_command}|", "#{scroll_position}|#{selection_present}|#{search_present}|#{copy_cursor_x}|", "#{client_name}|#{client_session}|#{client_prefix}|#{client_width}|", "#{mouse_x}|#{mouse_word}|#{mouse_line}|#{mouse_hyperlink}|#{mouse_status_line}|",
	"#{active_window_index} #{last_window_index}", "#{hook}|#{hook_pane}|#{line}|#{command}|#{command_list_name}|", "#{popup_width}|#{popup_key_table}|", "#{next_session_id}", "#{?pane_in_mode,m,n}#{?window_zoomed_flag,Z,}",
	"#{buffer_name}|#{buffer_size}|", "#{t:nope}|", "#{t/p:nope}|", "#{t/f/%H:nope}|", "#{C:nothing}", "#{history_size}",
}
