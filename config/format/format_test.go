package format

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// world is a session with windows a, b, c; b is current and has two panes.
type world struct{ Map }

func (w world) Loop(k Kind, f func(Lookup, bool) bool) bool {
	names := map[Kind][]string{Sessions: {"s1"}, Windows: {"a", "b", "c"}, Panes: {"%1", "%2"}}[k]
	for i, n := range names {
		m := Map{"name": n, "window_name": n, "end": boolean(i == len(names)-1)}
		if !f(world{m}, n == "b" || n == "%2" || n == "s1") {
			break
		}
	}
	return true
}

func (w world) HasName(k Kind, name string) bool { return k == Windows && name == "b" }

func (w world) Search(pattern string, regex, ignoreCase bool) int {
	return len(pattern) + map[bool]int{true: 100}[regex] + map[bool]int{true: 1000}[ignoreCase]
}

var testWorld = world{Map{
	"session_name": "main", "window_index": "1", "window_name": "vim", "window_flags": "*Z", "pane_id": "%3", "pane_index": "0",
	"pane_title": "title", "host": "box.example", "host_short": "box", "path": "/home/me/src/", "one": "1", "zero": "0", "empty": "",
	"seven": "7", "created": "1700000000", "wide": "日本語", "styled": "#[fg=red]abc#[default]def", "hash": "a#b", "self": "x#{E:self}",
	"both": "#{E:both}#{E:both}", "clock": "%H:%M #{session_name}", "quote": `a b'c"$d`, "-": "dash",
}}

func TestExpand(t *testing.T) {
	now := time.Date(2024, 2, 29, 15, 4, 5, 0, time.UTC)
	opts := Options{Now: now, Job: func(c string) string { return "<" + c + "#{session_name}#(no)>" }}
	for _, c := range []struct{ in, want string }{
		{"plain 100%", "plain 100%"},
		{"#S:#I:#W#F #P #T #H #h #D", "main:1:vim*Z 0 title box.example box %3"},
		{"#X ## #, #} #", "#X # , } #"},
		{"#[fg=#ff0000]#S", "#[fg=#ff0000]main"},
		{"##[x] ###S", "##[x] #main"},
		{"#{session_name} #{nothing}.", "main ."},
		{"a#{session_name", "a"},
		{"#{?one,yes,no} #{?zero,yes,no} #{?empty,yes,no} #{?nothing,yes,no}", "yes no no no"},
		{"#{?#{==:#{seven},7},#{?one,a,b},c}", "a"},
		{"#{?one,a#,b,c}", "a,b"},
		{"a#{?one,x}b", "a"},
		{"#{==:a,a}#{==:a,b}#{!=:a,b}#{<:a,b}#{>:a,b}#{<=:a,a}#{>=:a,b}", "1011010"},
		{"#{||:0,1}#{||:0,}#{&&:1,a}#{&&:1,0}", "1010"},
		{"#{m:v*,#{window_name}}#{m:v,#{window_name}}#{m/i:V??,#{window_name}}#{m/r:^v.m$,#{window_name}}#{m/ri:VIM,#{window_name}}#{m/r:(,x}", "101110"},
		{"#{=2:window_name}|#{=-2:window_name}|#{=/2/…:window_name}|#{=/-2/…:window_name}|#{=/3/…:window_name}", "vi|im|vi…|…im|vim"},
		{"#{=3:wide}|#{=-3:wide}|#{w:wide}|#{n:wide}", "日|語|6|9"},
		{"#{=4:styled}|#{w:styled}", "#[fg=red]abc#[default]d|6"},
		{"#{p5:one}|#{p-5:one}|#{p1:window_name}", "1    |    1|vim"},
		{"#{s/i/o/:window_name} #{s/([a-z])m/<\\1>/:window_name} #{s/I/o/i:window_name} #{s!/!+!:path}", "vom v<i> vom +home+me+src+"},
		{"#{b:path} #{d:path} #{b;s/s/x/:path}", "src /home/me xrc"},
		{"#{q:quote} #{q/h:hash}", `a\ b\'c\"\$d a##b`},
		{"#{l:#{one}} #{l:a#,b}", "#{one} a#,b"},
		{"#{E:clock} #{T:clock}", "%H:%M main 15:04 main"},
		{"#{t:created} #{t/p:created} #{t/f/%Y-%m-%d:created} #{t:empty}.", "Tue Nov 14 22:13:20 2023 14Nov 2023-11-14 ."},
		{"#{a:65}#{a:1}#{a:x}", "A"},
		{"#{c:red} #{c:#112233} #{c:nope}.", "800000 112233 ."},
		{"#{e|+:1,2} #{e|-:1,2} #{e|*|f:1.5,3} #{e|/|f|4:1,3} #{e|/:7,2} #{e|m:7,4} #{e|<:1,2} #{e|==:1,1} #{e|+:x,2}.", "3 -1 4.50 0.3333 3 3 1 1 ."},
		{"#{!:one}#{!:#{one}}#{!:#{zero}}#{!!:#{seven}}", "0011"},
		{"#{R:ab,3}#{R:a,0}#{R:a,-1}", "ababab"},
		{"#{W:[#{name}],<#{name}>}", "[a]<b>[c]"},
		{"#{W:#{name}#{?end,,|}}", "a|b|c"},
		{"#{S:#{name}:#{W:#{name}}}", "s1:abc"},
		{"#{P:#{name} ,(#{name})}", "%1 (%2)"},
		{"#{N/w:b}#{N/w:z}#{N:b}#{N/s:b}", "1010"},
		{"#{C:abc} #{C/r:abc} #{C/ri:abc}", "3 103 1103"},
		{"[#(date +%H)]", "[<date +%Hmain>]"},
		{"#(a (b) c)#(open", "<a (b) cmain>"},
		{"#{=5;p8:session_name}|", "main    |"},
		{"#{b:#{path}}", "/home/me/src/"},
		{"#{#{one}}", "1"},
		{"#{-}", "dash"},
	} {
		if got := Expand(c.in, testWorld, opts); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.in, got, c.want)
		}
	}
	if got := Expand("%H:%M #{clock}", testWorld, Options{Now: now, Strftime: true}); got != "15:04 %H:%M #{session_name}" {
		t.Errorf("only the format is a time: %q", got)
	}
	if got := Expand("#{x} #{W:a}b", nil, Options{}); got != " " {
		t.Errorf("without a lookup: %q", got)
	}
}

func TestFormatsThatReferToThemselvesEnd(t *testing.T) {
	if got := Expand("#{E:self}", testWorld, Options{}); !strings.HasPrefix(got, "xxx") || len(got) > 2*maxDepth {
		t.Errorf("one reference: %d bytes", len(got))
	}
	if got := Expand("#{E:both}", testWorld, Options{}); len(got) > maxOutput {
		t.Errorf("two references: %d bytes", len(got))
	}
	deep := strings.Repeat("#{?", 5000) + "a,b,c" + strings.Repeat(",d,e}", 5000)
	Expand(deep, testWorld, Options{})
	Expand(strings.Repeat("#{R:", 50)+"aaaa"+strings.Repeat(",99999}", 50), testWorld, Options{})
	if got := Expand("#{p999999999:one}", testWorld, Options{}); len(got) > maxValue {
		t.Errorf("padding: %d bytes", len(got))
	}
}

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"", "", true}, {"", "a", false}, {"*", "", true}, {"*", "a/b", true}, {"a*c", "abbc", true}, {"a*c", "abb", false},
		{"?", "日", true}, {"[a-c]x", "bx", true}, {"[!a-c]x", "bx", false}, {"[^a-c]x", "dx", true}, {"[]]", "]", true},
		{`\*`, "*", true}, {`\*`, "a", false}, {"[", "[", true}, {"[[:digit:]]*", "7x", true}, {"[[:alpha:]]", "7", false},
		{"*a*b*c*", "xxaxxbxxc", true}, {"[a", "[a", true}, {"a[-]b", "a-b", true},
	} {
		if got := Glob(c.pattern, c.text, false); got != c.want {
			t.Errorf("Glob(%q, %q) = %v", c.pattern, c.text, got)
		}
	}
	if !Glob("A?C", "abc", true) {
		t.Error("ignoring case")
	}
}

func TestStrftimeAsDate(t *testing.T) {
	date, err := exec.LookPath("date")
	if err != nil {
		t.Skip("there is no date command to compare with")
	}
	conversions := "%a|%A|%b|%B|%c|%C|%d|%D|%e|%F|%g|%G|%h|%H|%I|%j|%k|%l|%m|%M|%p|%P|%r|%R|%s|%S|%T|%u|%U|%V|%w|%W|%x|%X|%y|%Y|%z|%Z|%%|%Ey|%Od"
	for _, at := range []int64{0, 951782400, 1704067199, 1704067200, 1709219045, 1735689600, 4102444800} {
		cmd := exec.Command(date, "-u", "-d", "@"+strconv.FormatInt(at, 10), "+"+conversions)
		cmd.Env = []string{"LC_ALL=C", "TZ=UTC0"}
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("this date command cannot be asked for a given time: %v", err)
		}
		got := Strftime(conversions, time.Unix(at, 0).UTC())
		if want := strings.TrimSuffix(string(out), "\n"); got != want {
			t.Errorf("at %d:\n got %s\nwant %s", at, got, want)
		}
	}
}

// The formats both are asked for. Values come from tmux, so that only the
// language is compared.
var asTmux = []string{
	"plain", "a#", "a##b", "a#,b#}c", "#S #I #W #P #D", "#X#1#:", "##[x] ###[x] ####[x]", "#[fg=#ff0000]#S", "#{", "a#{session_name", "#{session_name}",
	"#{nope}.", "#{?window_active,yes,no}", "#{?nope,yes,no}", "#{?1,yes,no}", "#{?@zero,yes,no}", "#{?@one,yes,no}", "#{?@empty,yes,no}",
	"#{?#{@one},yes,no}", "#{?#{@zero},yes,no}", "#{?@one,a}z", "#{?@one,a,b,c}", "#{?@zero,a,b,c}", "#{?@one,a#,b,c}", "#{?@one,#{?@zero,x,y},z}",
	"#{?#{==:#{@one},1},#[fg=red#,bold]a,b}", "x#{?@one", "#{?}y", "#{?,a,b}", "a#{==:x}b", "#{==:a,a}#{==:a,b}", "#{==:#{session_name},main}", "#{!=:a,b}",
	"#{<:a,b}#{>:a,b}#{<=:a,b}#{>=:a,b}", "#{<:10,9}", "#{||:,1}#{||:0,0}#{&&:1,1}#{&&:1,}", "#{m:*ai*,main}#{m:ai,main}#{m:m?in,main}#{m:[l-n]ain,main}",
	"#{m:[!m]*,main}", "#{m/i:MAIN,main}", "#{m/r:^m.*n$,main}#{m/r:x,main}#{m/ri:^M,main}", "#{m/r:[,a}", "#{m:a#,b,a#,b}", "#{=2:session_name}",
	"#{=-2:session_name}", "#{=/2/..:session_name}", "#{=/-2/..:session_name}", "#{=/9/..:session_name}", "#{=0:session_name}", "#{=x:session_name}",
	"#{=|3|...:@path}", "#{=5:@wide}", "#{=-5:@wide}", "#{=/5/>:@wide}", "#{=4:@styled}", "#{=-4:@styled}", "#{=2:@hashes}", "#{=-2:@hashes}", "#{=1:@hashes}",
	"#{p10:session_name}|", "#{p-10:session_name}|", "#{p2:session_name}|", "#{p7:@wide}|", "#{=2;p6:session_name}|", "#{p6;=2:session_name}|", "#{n:session_name}",
	"#{w:session_name}", "#{w:@wide}", "#{n:@wide}", "#{w:@styled}", "#{n:@styled}", "#{w:@hashes}", "#{s/a/b/:session_name}", "#{s/A/b/i:session_name}",
	"#{s/(.)a/<\\1>/:session_name}", "#{s/(.)(.)/\\2\\1/:session_name}", "#{s/x*/-/:session_name}", "#{s/a*/-/:session_name}", "#{s/^m/X/:session_name}",
	"#{s/n$/X/:session_name}", "#{s/./X/:session_name}", "#{s|/|:|:@path}", "#{s|/|#:|:@path}", "#{s!/!+!:@path}", "#{s/a/b/;s/b/c/:session_name}", "#{s/a/#{@one}/:session_name}", "#{s/a:session_name}",
	"#{s/[/x/:session_name}", "#{b:@path}", "#{d:@path}", "#{b:@slash}", "#{d:@slash}", "#{b;s/m/x/:@path}", "#{b:#{@path}}", "#{q:@quote}", "#{q/e:@hash}",
	"#{q/h:@hash}", "#{l:#{session_name}}", "#{l:a#,b#}c}", "#{l:a:b}", "#{E:@format}", "#{T:@format}", "#{@format}", "#{E:@loop}", "#{t/f/%Y-%m-%d:@time}",
	"#{t/f/%H#:%M:@time}", "#{t:@time}", "#{t:@empty}.", "#{t:session_name}.", "#{a:65}#{a:97}#{a:31}#{a:127}", "#{a:x}.", "#{a:#{@code}}", "#{c:red}", "#{c:colour200}",
	"#{c:#123456}", "#{c:default}.", "#{c:nope}.", "#{e|+:1,2}", "#{e|-:1,2}", "#{e|*:3,4}", "#{e|/:7,2}", "#{e|m:7,4}", "#{e|m:-7,4}", "#{e|%%:7,4}", "#{e|+|f:1.5,2}",
	"#{e|/|f|4:1,3}", "#{e|/:1,0}", "#{e|/|f:1,0}", "#{e|-|f:0.1,0.3}", "#{e|==:1,1}#{e|!=:1,1}#{e|<:1,2}#{e|>:1,2}#{e|<=:2,2}#{e|>=:1,2}", "#{e|+:1.9,1.9}",
	"#{e|+:x,1}.", "#{e|+:,1}.", "#{e|+:1}.", "#{e|?:1,1}.", "#{e|*|f|0:2.5,1}", "#{e|+:#{@one},#{@one}}", "#{e|-:0,5}", "#{=#{@one}:session_name}",
	"#{N/s:main}#{N/s:nope}", "#{N/w:nope}", "#{x:session_name}", "#{b:}", "#{:session_name}", "#{;session_name}", "#{#{session_name}}", "#{l}", "#{==:,}", "#{}",
	"#{session_name}#{", "}#{session_name}{", "%H 100%%", "#{?#{m:*n,#{session_name}},1,2}", "#{&&:#{==:a,a},#{!=:a,a}}", "#{@one},#{@zero}", "#{=|2|a,b:session_name}",
	"#{E:@nested}", "#{E:E:@nested}", "#{E;=3:@format}", "#{n:#{l:abc}}", "#{w;p5:@wide}|", "#{d;b:@path}", "#{m:*,}", "#{m:,}",
}

func TestSameAsTmux(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: nothing to compare with")
	}
	t.Setenv("TMUX", "")
	t.Setenv("TMUX_TMPDIR", t.TempDir())
	t.Setenv("TZ", "UTC")
	t.Setenv("LC_ALL", "C.UTF-8")
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("tmux", append([]string{"-u", "-L", "stet-format"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %q: %v: %s", args, err, out)
		}
		return strings.TrimSuffix(string(out), "\n")
	}
	run("-f", "/dev/null", "new-session", "-d", "-s", "main", "-n", "win", "-x", "80", "-y", "24", "exec sleep 1000")
	defer exec.Command("tmux", "-L", "stet-format", "kill-server").Run()
	for name, v := range map[string]string{
		"one": "1", "zero": "0", "empty": "", "path": "/home/me/src/x.c", "slash": "/", "wide": "日本語です", "styled": "#[fg=red]abc#[default]def", "hashes": "a##b##c",
		"quote": `a b'c"$d`, "hash": "a#b", "format": "%Y #{session_name} %%", "loop": "x#{E:@loop}", "time": "1700000000", "code": "66", "nested": "#{l:#{session_name}}",
	} {
		run("set-option", "-g", "@"+name, v)
	}
	cache := map[string]string{}
	look := Func(func(name string) (string, bool) {
		if strings.ContainsAny(name, "#{}:;?,") || name == "" {
			return "", false
		}
		v, ok := cache[name]
		if !ok {
			if v = run("display-message", "-p", "#{"+name+"}"); strings.HasPrefix(name, "@") {
				v = run("show-options", "-gqv", name)
			}
			cache[name] = v
		}
		return v, v != ""
	})
	for _, f := range asTmux {
		// A minute may end while tmux answers: it read the clock at some
		// moment between the two readings here.
		before := time.Now().UTC()
		want := run("display-message", "-p", f)
		got := Expand(f, names{look}, Options{Strftime: true, Now: before})
		if got != want {
			got = Expand(f, names{look}, Options{Strftime: true, Now: time.Now().UTC()})
		}
		if got != want {
			t.Errorf("%s\n got %q\ntmux %q", f, got, want)
		}
	}
}

type names struct{ Func }

func (names) HasName(k Kind, name string) bool {
	return name == map[Kind]string{Sessions: "main", Windows: "win"}[k]
}

func FuzzExpand(f *testing.F) {
	for _, s := range asTmux {
		f.Add(s)
	}
	f.Add("#{W:#{S:#{P:x}}}#(x)%H")
	f.Fuzz(func(t *testing.T, s string) {
		start := time.Now()
		out := Expand(s, testWorld, Options{Strftime: true, Job: func(c string) string { return c }})
		if len(out) > 4*maxOutput {
			t.Errorf("%d bytes out of %d", len(out), len(s))
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("took %v", d)
		}
	})
}

func FuzzGlob(f *testing.F) {
	f.Add("a*[!b-c]?", "abcd")
	f.Add("[[:alpha:]", "x")
	f.Add("*\\", "x")
	f.Fuzz(func(t *testing.T, pattern, text string) {
		Glob(pattern, text, true)
		substitute(text, pattern, `<\0\1>`, "i")
		Strftime(pattern, time.Unix(0, 0))
	})
}

func BenchmarkStatusLine(b *testing.B) {
	f := "[#{session_name}] #{?window_flags,#{window_flags}, }#{=/20/…:pane_title} #{s/i/o/:window_name}"
	for b.Loop() {
		Expand(f, testWorld, Options{})
	}
}
