package agent

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestPluginsGoWithALaunch: agents that read what reports from a file are given one of stet's own, and nothing of the user's is changed.
func TestPluginsGoWithALaunch(t *testing.T) {
	base := filepath.Join(t.TempDir(), `it's a "state"`)
	for _, c := range []struct {
		agent, argument string
		variables       []string // {URL} is the file's
	}{
		{agent: "pi", argument: "-e"},
		{agent: "opencode", variables: []string{`OPENCODE_CONFIG_CONTENT={"plugin":["{URL}"]}`, "npm_config_fetch_retries=0"}},
	} {
		in := builtins(t).Find(c.agent)
		file, err := in.WritePlugin(base, testHook)
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(file)
		if err != nil || !strings.HasPrefix(file, base+"/") || !strings.Contains(string(b), "stet agent report") || strings.Contains(string(b), "{hook}") {
			t.Errorf("%s: %s, %v:\n%s", c.agent, file, err, b)
		}
		before, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := in.WritePlugin(base, testHook); err != nil || again != file {
			t.Errorf("%s: %s, %v", c.agent, again, err)
		} else if now, err := os.Stat(file); err != nil || !os.SameFile(before, now) {
			t.Errorf("%s is written although it is there", file)
		}
		by := Reporter{Hook: testHook, Plugin: file}
		st, err := in.Start(nil, chosen, by)
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.Index(st.Argv, file); c.argument != "" && (i < 1 || st.Argv[i-1] != c.argument) {
			t.Errorf("%s is started as %q", c.agent, st.Argv)
		}
		url := "file://" + strings.NewReplacer(" ", "%20", "'", "%27", `"`, "%22").Replace(file)
		want := slices.Clone(c.variables)
		for i := range want {
			want[i] = strings.ReplaceAll(want[i], "{URL}", url)
		}
		if got := in.Variables(by); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", c.agent, got, want)
		}
		// Where it could not be written the agent starts all the same, and is not told of a file that is not there.
		st, err = in.Start(nil, chosen, Reporter{Hook: testHook})
		if err != nil || slices.Contains(st.Argv, "-e") || st.Hooked || len(in.Variables(Reporter{Hook: testHook})) > 0 {
			t.Errorf("%s: %+v, %v", c.agent, st, err)
		}
	}
	if file, err := builtins(t).Find("claude").WritePlugin(base, testHook); file != "" || err != nil {
		t.Errorf("claude: %s, %v", file, err)
	}
}
