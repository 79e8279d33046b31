package keeper

import (
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuildsOfUnknownSourcesAreToldApart(t *testing.T) {
	const id = "HeMkSW1pKnybfgWn9uNw/ytLfnx6axM6N7OkncPnz/qslIur_AWCe5_u1l87Zf/ChzHxcUmKkZiwbhH5DTn"
	for name, c := range map[string]struct{ head, want string }{
		"a note":       {"junk\x04\x00\x00\x00\x53\x00\x00\x00\x04\x00\x00\x00Go\x00\x00" + id + "more", "ChzHxcUm"},
		"text":         {"junk\xff Go build ID: \"" + id + "\"\n \xffmore", "ChzHxcUm"},
		"none":         {"junk", ""},
		"cut off":      {"junk\x04\x00\x00\x00\x53\x00\x00\x00\x04\x00\x00\x00Go\x00\x00" + id[:70], ""},
		"too long":     {"junk\x04\x00\x00\x00\xff\xff\xff\xff\x04\x00\x00\x00Go\x00\x00a/b/c/d", ""},
		"control text": {"junk\xff Go build ID: \"a/b/c/\x1b]0;xxxx\"\n \xff", ""},
	} {
		if got := contentID([]byte(c.head)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if len(buildID()) != 8 {
		t.Errorf("this test's own is %q", buildID())
	}
	set := func(kv ...string) (s []debug.BuildSetting) {
		for i := 0; i < len(kv); i += 2 {
			s = append(s, debug.BuildSetting{Key: kv[i], Value: kv[i+1]})
		}
		return s
	}
	rev := strings.Repeat("ab", 20)
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
		exact    bool
	}{
		{"(devel)", nil, "(devel)", false},
		{"v1.2.3", nil, "v1.2.3", true},
		{"(devel)", set("vcs.revision", rev), "(devel) abababababab", true},
		{"(devel)", set("vcs.revision", rev, "vcs.modified", "true"), "(devel) abababababab+", false},
		{"v0.0.0-2026-abababababab", set("vcs.revision", rev), "v0.0.0-2026-abababababab", true},
	} {
		name, exact := versionOf(&debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings})
		if name != c.want || exact != c.exact {
			t.Errorf("%s: %q, %v", c.version, name, exact)
		}
	}
}
