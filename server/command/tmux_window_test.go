package command

import (
	"strings"
	"testing"
)

// TestWindowsLikeTmux runs the same command lines about sessions and windows one after the other in tmux and
// here, and compares what they print and what there is then.
func TestWindowsLikeTmux(t *testing.T) {
	p := newPair(t)
	var (
		windows = "#{session_name}:#{window_index} #{window_id} #{window_name} #{window_raw_flags} #{window_linked} #{window_linked_sessions} #{window_layout}"
		panes   = "#{session_name}:#{window_index}.#{pane_index} #{pane_id} #{pane_active}"
	)
	for _, line := range []string{
		"new-session -d -s b -n b0 -x 80 -y 24", "new-session -d -s a -n a0 -x 80 -y 24",
		"new-window -n x", "new-window -d -n y", "new-window -t a:5 -n five", "new-window -t a:5", "new-window -t a", "new-window -n z -t b: -P", "new-window -t nope",
		"new-window -t @99", "new-window -t a:nope", "new-window -P -F #{window_index}/#{window_name}/#{pane_start_command} -n #S 'sleep 601'", "neww -d -P sleep 602",
		"new-window -a -n after -P", "new-window -b -n before -P", "new-window -a -t a:0 -P -d", "new-window -b -t a:0 -d -P", "new-window -a -t a:40 -P -d", "new-window -t a:! -P", "new-window -t a:+ -P", "new-window -t a:+3 -P -d",
		"new-window -k -t a:40 -n k -P", "new-window -dk -t a:5 -n five -P", "new-window -S -n five", "new-window -S -n x", "new-window -S -d -n b0 -P", "new-window -S -n five -t b",
		"new-window -t b:1 -e A=b", "new-window -t b:1 -k -n again -P",
		"select-window -t a:0", "select-window -t a:5", "select-window -l", "select-window -T -t a:5", "select-window -T -t a:0", "select-window -n", "select-window -p", "select-window -t b:0",
		"next-window", "next-window -t b", "previous-window", "prev -t b", "last-window", "last -t b", "next-window -a", "previous-window -a -t b", "next-window -t nope",
		"select-window -t a:!", "select-window -t a:^", "select-window -t a:$", "select-window -t a:+", "select-window -t a:-2", "select-window -t @1", "select-window -t a:nope",
		"move-window -t a:60", "move-window -s a:60 -t a:0", "move-window -s a:60", "move-window -d -s a:0 -t a:99", "move-window -s a:99 -t b", "move-window -s b:1 -t a:1", "move-window -s b:1 -t b:1",
		"move-window -a -s a:5 -t a:0", "move-window -b -s a:1 -t a:5", "move-window -a -s a:0 -t b:0", "move-window -b -t b:0", "move-window -r", "move-window -r -t b",
		"select-window -t a:0", "move-window -d -t a:70", "move-window -k -s b:0 -t a:70", "move-window -k -d -s b:0 -t a:3", "move-window -a -s a:1 -t a:3", "move-window -a -d -s a:70", "move-window -b -s a:0 -t a:!",
		"list-windows -t a", "list-windows -t b", "list-windows", "list-windows -a -F #S:#I", "list-windows -t nope", "list-windows -f #{window_active} -F #I",
		"swap-window -t a:0", "swap-window -s a:0 -t a:1", "swap-window -d -s a:0 -t a:1", "swap-window -s a:0 -t b:0", "swap-window -d -s b:0 -t a:2", "swap-window -s a:0 -t a:0", "swap-window -s a:77 -t a:0", "swap-window -s a:0 -t a:77",
		"link-window -s a:0 -t b:50", "link-window -s a:0 -t b:50", "link-window -d -s a:1 -t b:50", "link-window -d -s a:1 -t b", "link-window -a -s a:1 -t b:0", "link-window -b -d -s a:1 -t b:0", "link-window -s a:1 -t a:88", "link-window -k -d -s a:2 -t b:50",
		"list-windows -a", "select-window -t b:50", "select-window -t a:0", "swap-window -s a:0 -t b:50",
		"unlink-window -t a:0", "unlink-window -t b:50", "unlink-window -t a:88", "unlink-window -k -t a:70", "unlink-window -t b:99",
		"kill-window -t b:0", "kill-window -t a:99", "kill-window", "new-window -n k1", "new-window -n k2",
		"split-window -t b:0 -d", "split-window -t b:0 -h -d", "break-pane -s b:0.0 -P", "break-pane -d -s b:0.0 -n broken -t b:33 -P", "break-pane -s b:0.0 -t a:77 -P -F #{window_index}",
		"break-pane -s a:77.0 -t a:78", "break-pane -d -s a:78.0 -n #S -t b", "break-pane -s a:nope", "break-pane -t a:0", "split-window -h", "break-pane -t a:0", "break-pane -a -t a:0 -P", "split-window", "break-pane -db -t a:0 -P",
		"split-window -h -t a:0", "split-window -t a:0", "split-window -t a:0.0", "rotate-window -t a:0", "rotate-window -D -t a:0", "rotate-window", "resize-pane -Z -t a:0.1", "rotate-window -Z -t a:0", "rotate-window -U -t a:0", "rotate-window -t a:0 -D",
		"join-pane -s a:0.1 -t b:0", "join-pane -h -s a:0.0 -t a:1.0", "join-pane -d -s a:0.0 -t a:1.0 -l 5", "join-pane -s a:1.0 -t a:1.0", "join-pane -s a:1.0 -t a:1.1", "join-pane -hb -s a:1.0 -t a:1.2", "join-pane -f -s a:1.0 -t a:1.2",
		"move-pane -b -l 30% -s a:1.0 -t b:0.0", "move-pane -l x -s a:1.0 -t b:0.0", "move-pane -l 2 -s a:1.0 -t b:0.0", "join-pane -s a:99 -t b:0", "join-pane -s a:1 -t b:99",
		"select-pane -m -t b:0.0", "join-pane", "select-pane -m -t b:0.0", "swap-window", "select-pane -M", "join-pane",
		"set -g renumber-windows on", "kill-window -t a:0", "new-window -t a:50 -n far", "kill-window -t a:1", "move-window -s a:0 -t a:60", "move-window -t a:61", "set -g base-index 1", "new-window -d -t a", "move-window -r -t a", "kill-pane -t a:2", "set -g renumber-windows off",
		"kill-window -a -t b:0", "kill-window -a -t a:1",
		"new-session -d -s c -n c0 -x 80 -y 24", "new-window -d -n c1 -t c:", "new-window -d -n c2 -t c:",
		"new-session -d -t c", "new-session -d -t c -s d", "new-session -d -t fresh -s e -x 80 -y 24", "new-session -d -t e -n q", "new-session -d -t e -x 9 sleep 1",
		"list-sessions -F #S:#{session_grouped}:#{session_group}:#{session_group_size}:#{session_group_list}:#{session_windows}",
		"new-session -d -n nm -s f", "new-session -d -n nm -s f", "kill-session -t f", "select-window -t d:2", "new-window -t d: -n c3 -P", "kill-window -t c:1", "move-window -s d:2 -t d:20", "swap-window -s c:20 -t d:3", "swap-window -s c:20 -t c:3", "link-window -s c:3 -t d:9", "move-window -s c:3 -t d:9", "link-window -d -s a:1 -t c:9", "unlink-window -t d:9",
		"unlink-window -t c:20", "list-windows -a -F #S:#I", "kill-session -t d", "list-sessions -F #S:#{session_grouped}:#{session_group_list}", "select-window -t c:3",
		"kill-session -a -t a", "kill-session -C -t a", "kill-session -t nope", "list-sessions -F #S", "rename-window -t a:1 new", "rename-window ''", "rename-session -t a q", "has-session -t q", "has-session -t =qq", "kill-window -t q:1",
	} {
		if strings.HasPrefix(line, "new-session -d -t") {
			// tmux makes a window for such a session, too, and throws it away: its numbers go on elsewhere.
			windows = strings.NewReplacer(" #{window_id}", "", " #{window_layout}", "").Replace(windows)
			panes = strings.Replace(panes, " #{pane_id}", "", 1)
		}
		p.both(words(line)...)
		if len(p.model.Sessions) > 0 {
			p.both("list-windows", "-a", "-F", windows)
			p.both("list-panes", "-a", "-F", panes)
		}
		if t.Failed() {
			t.Fatalf("the first difference is behind %q", line)
		}
	}
}
