package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

const testHook = `[ -z "$STET" ] || stet agent report`

// installIn plans what is done to the one file of an agent.
func installIn(t *testing.T, home, name string, remove bool) *Change {
	t.Helper()
	in := Load("").Find(name)
	changes, err := in.Changes(testHook, nil, home, remove)
	if err != nil {
		t.Fatal(err)
	}
	if len(changes) != 1 {
		t.Fatalf("%d changes", len(changes))
	}
	return &changes[0]
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o640); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestInstallAndUninstallLeaveEveryByteOfTheUsers: whatever the file looked like, it holds the hooks
// afterwards and everything that it held before; a second time changes nothing; and uninstalling gives back
// exactly what there was.
func TestInstallAndUninstallLeaveEveryByteOfTheUsers(t *testing.T) {
	for _, c := range []struct{ name, agent, file, text string }{
		{"an empty object", "gemini", ".gemini/settings.json", "{}"},
		{"an empty object on its line", "gemini", ".gemini/settings.json", "{}\n"},
		{"an empty object on two lines", "gemini", ".gemini/settings.json", "{\n}\n"},
		{"one line", "gemini", ".gemini/settings.json", `{"theme":"x","hooks":{}}`},
		{"other settings", "gemini", ".gemini/settings.json", "{\n    \"theme\": \"GitHub\",\n    \"n\": [1, 2.5e3, true, null]\n}\n"},
		{"comments", "gemini", ".gemini/settings.json", "// mine\n{\n\t// a theme\n\t\"theme\": \"x\", /* why */\n\t\"hooks\": {\n\t\t// none yet\n\t},\n}\n"},
		{"hooks of others", "qwen", ".qwen/settings.json", "{\n  \"hooks\": {\n    \"SessionStart\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"true\"}]}\n    ],\n    \"Stop\": []\n  }\n}"},
		{"an empty list of ours", "qwen", ".qwen/settings.json", `{"hooks": {"SessionStart": [], "UserPromptSubmit": [ ]}}`},
		{"with a version", "cursor", ".cursor/hooks.json", "{\r\n  \"version\": 1,\r\n  \"hooks\": {}\r\n}\r\n"},
		{"TOML", "kimi", ".kimi-code/config.toml", "# mine\ndefault_model = \"k\" # why\n\n[[hooks]]\nevent = \"Stop\"\ncommand = \"true\"\n"},
		{"TOML without a last newline", "kimi", ".kimi-code/config.toml", "default_model = \"k\""},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			file := filepath.Join(home, c.file)
			put(t, file, c.text)
			if err := installIn(t, home, c.agent, false).Apply(); err != nil {
				t.Fatal(err)
			}
			with := get(t, file)
			want := 0 // one for each event
			for _, in := range builtins(t).Find(c.agent).Install {
				want += len(in.JSON) + strings.Count(in.Block, "{hook}")
			}
			if n := strings.Count(with, "stet agent report"); n != want || n < 2 {
				t.Errorf("%d commands of ours in\n%s", n, with)
			}
			rest := with
			for _, l := range strings.Split(c.text, "\n") { // in their order
				i := strings.Index(rest, strings.TrimSpace(l))
				if i < 0 && !strings.Contains(c.text, "{}") && !strings.Contains(c.text, "[]") {
					t.Errorf("%q is gone from\n%s", l, with)
				}
				if i >= 0 {
					rest = rest[i:]
				}
			}
			if st, _ := os.Stat(file); st.Mode().Perm() != 0o640 {
				t.Errorf("its mode is %v", st.Mode())
			}
			if again := installIn(t, home, c.agent, false); !again.Nothing() {
				t.Errorf("a second time:\n%s", again.Diff())
			}
			if err := installIn(t, home, c.agent, true).Apply(); err != nil {
				t.Fatal(err)
			}
			if got := get(t, file); got != c.text {
				t.Errorf("uninstalled:\n%q, and it was\n%q; with the hooks\n%s", got, c.text, with)
			}
			if again := installIn(t, home, c.agent, true); !again.Nothing() {
				t.Errorf("uninstalled a second time:\n%s", again.Diff())
			}
		})
	}
}

// TestEveryInstallationOfANewFileIsUndone: the file was not there, and is not there afterwards.
func TestEveryInstallationOfANewFileIsUndone(t *testing.T) {
	n := 0
	for _, in := range Load("").All() {
		if len(in.Install) == 0 {
			continue
		}
		n++
		home := t.TempDir()
		c := installIn(t, home, in.ID, false)
		if c.Exists || !strings.HasPrefix(c.File, home) {
			t.Fatalf("%+v", c)
		}
		if err := c.Apply(); err != nil {
			t.Fatal(in.ID, err)
		}
		text := get(t, c.File)
		if strings.HasSuffix(c.File, ".json") && !json.Valid([]byte(text)) {
			t.Errorf("%s is no JSON:\n%s", in.ID, text)
		}
		if in.ID == "cursor" && !strings.Contains(text, "\n  \"version\": 1\n}") { // without it Cursor reads no hook
			t.Errorf("no version in\n%s", text)
		}
		if !strings.Contains(text, "stet agent report") || strings.Contains(text, "{hook}") {
			t.Errorf("%s:\n%s", in.ID, text)
		}
		if !installIn(t, home, in.ID, false).Nothing() {
			t.Errorf("%s: a second time there is something to do", in.ID)
		}
		if err := installIn(t, home, in.ID, true).Apply(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(c.File); !os.IsNotExist(err) {
			t.Errorf("%s: %v", in.ID, err)
		}
	}
	if n < 6 {
		t.Errorf("%d agents can be installed", n)
	}
}

// TestWhatIsNotUnderstoodIsLeftAlone: it is said what is to be added by hand, and no byte changes.
func TestWhatIsNotUnderstoodIsLeftAlone(t *testing.T) {
	for _, c := range []struct{ name, agent, file, text string }{
		{"no JSON", "gemini", ".gemini/settings.json", "{ theme: x }"},
		{"cut off", "gemini", ".gemini/settings.json", `{"hooks": {"SessionStart": [`},
		{"hooks are a list", "gemini", ".gemini/settings.json", `{"hooks": []}`},
		{"the list is none", "gemini", ".gemini/settings.json", `{"hooks": {"SessionStart": true}}`},
		{"a list", "gemini", ".gemini/settings.json", `[1]`},
		{"nested without end", "gemini", ".gemini/settings.json", strings.Repeat("[", 5000)},
		{"a file of stet's with another text", "copilot", ".copilot/hooks/stet.json", `{"version": 1}`},
		{"TOML that is none", "kimi", ".kimi-code/config.toml", "a = = b"},
		{"hooks in one line", "kimi", ".kimi-code/config.toml", "hooks = []\n"},
		{"half of ours", "kimi", ".kimi-code/config.toml", "# >>> stet agent install kimi\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			file := filepath.Join(home, c.file)
			put(t, file, c.text)
			ch := installIn(t, home, c.agent, false)
			if ch.Why == "" || ch.Apply() == nil || get(t, file) != c.text {
				t.Errorf("%+v", ch)
			}
			if d := ch.Diff(); !strings.Contains(d, "left alone") || c.name != "half of ours" && !strings.Contains(d, "stet agent report") {
				t.Errorf("people are told %q", d)
			}
		})
	}
}

// TestAnotherStetTakesThePlaceOfTheOldOne: its command has another path, and there is one all the same.
func TestAnotherStetTakesThePlaceOfTheOldOne(t *testing.T) {
	for _, name := range []string{"gemini", "copilot", "kimi", "opencode", "pi"} {
		home := t.TempDir()
		in := Load("").Find(name)
		for _, hook := range []string{`'/old/place/stet' agent report`, testHook} {
			changes, err := in.Changes(hook, nil, home, false)
			if err != nil {
				t.Fatal(err)
			}
			if err := changes[0].Apply(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		text := get(t, installIn(t, home, name, false).File)
		if strings.Contains(text, "/old/place") || !strings.Contains(text, "|| stet agent report") {
			t.Errorf("%s:\n%s", name, text)
		}
		if err := installIn(t, home, name, true).Apply(); err != nil {
			t.Error(err)
		}
	}
}

// TestAFileOfAnotherVersionIsReplaced: what an older stet has installed is not refused. It may have been changed by hand, so it is kept.
func TestAFileOfAnotherVersionIsReplaced(t *testing.T) {
	const comment = "// Tells stet which conversation this pane is in, and what its agent does. Outside of stet it does nothing.\n"
	for name, older := range map[string]string{
		"copilot":  `{"version": 1, "hooks": {"sessionStart": [{"type": "command", "bash": "'/old/stet' agent report --event=sessionStart"}]}}`,
		"grok":     `{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "timeout": 3, "command": "[ -z \"$STET\" ] || stet agent report"}]}]}}`,
		"opencode": comment + "export const Stet = async ({ $ }) => ({ event: async () => $`stet agent report` })\n",
		"pi":       comment + "export default function (pi: any) { pi.exec(\"stet agent report\"); }\n",
	} {
		for _, remove := range []bool{false, true} {
			home := t.TempDir()
			file := installIn(t, home, name, false).File
			put(t, file, older)
			c := installIn(t, home, name, remove)
			if d := c.Diff(); !strings.Contains(d, file+".old") || !strings.Contains(d, "agent report") {
				t.Errorf("%s: people are told %q", name, d)
			}
			if err := c.Apply(); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if got := get(t, file+".old"); got != older {
				t.Errorf("%s: %q is kept", name, got)
			}
			if _, err := os.Stat(file); remove != os.IsNotExist(err) {
				t.Errorf("%s, remove %v: %v", name, remove, err)
			}
			if !installIn(t, home, name, remove).Nothing() {
				t.Errorf("%s: a second time there is something to do", name)
			}
			put(t, file, older) // what is kept by that name is nobody's to lose
			if err := installIn(t, home, name, remove).Apply(); err == nil || !strings.Contains(err.Error(), "move it away") || get(t, file) != older {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	for name, mine := range map[string]string{
		"copilot":  `{"version": 1, "hooks": {"sessionStart": [{"type": "command", "bash": "stet agent report --event=sessionStart"}, {"type": "command", "bash": "mine"}]}}`,
		"grok":     `{"mine": 1, "hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "stet agent report"}]}]}}`,
		"opencode": "// Mine.\nexport const Stet = async ({ $ }) => ({ event: async () => $`stet agent report` })\n",
	} {
		home := t.TempDir()
		put(t, installIn(t, home, name, false).File, mine)
		if c := installIn(t, home, name, false); c.Why == "" || c.Apply() == nil {
			t.Errorf("%s: what is the user's is replaced: %+v", name, c)
		}
	}
}

// TestALinkedFileStaysALink: what it leads to is changed.
func TestALinkedFileStaysALink(t *testing.T) {
	home := t.TempDir()
	real := filepath.Join(home, "dotfiles", "gemini.json")
	put(t, real, "{}")
	link := filepath.Join(home, ".gemini", "settings.json")
	if err := os.MkdirAll(filepath.Dir(link), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if err := installIn(t, home, "gemini", false).Apply(); err != nil {
		t.Fatal(err)
	}
	if to, err := os.Readlink(link); err != nil || to != real || !strings.Contains(get(t, real), "stet agent report") {
		t.Errorf("%s, %v", to, err)
	}
}

// TestAFileThatChangesMeanwhileIsNotWritten: the agent itself may write its settings.
func TestAFileThatChangesMeanwhileIsNotWritten(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".gemini", "settings.json")
	put(t, file, "{}")
	c := installIn(t, home, "gemini", false)
	put(t, file, `{"theme":1}`)
	if err := c.Apply(); err == nil || get(t, file) != `{"theme":1}` {
		t.Errorf("%v, %s", err, get(t, file))
	}
}

// TestWhatAnAgentHasWrittenAnewIsTakenOut: it has read its settings and written them in its own way.
func TestWhatAnAgentHasWrittenAnewIsTakenOut(t *testing.T) {
	home := t.TempDir()
	file := filepath.Join(home, ".gemini", "settings.json")
	put(t, file, `{"theme":"x"}`)
	if err := installIn(t, home, "gemini", false).Apply(); err != nil {
		t.Fatal(err)
	}
	for _, indent := range []string{"", "    "} {
		var v any
		if err := json.Unmarshal([]byte(get(t, file)), &v); err != nil {
			t.Fatal(err)
		}
		b, _ := json.MarshalIndent(v, "", indent)
		put(t, file, string(b))
		if !installIn(t, home, "gemini", false).Nothing() {
			t.Error("it is not seen any more")
		}
	}
	if err := installIn(t, home, "gemini", true).Apply(); err != nil {
		t.Fatal(err)
	}
	var got any
	if err := json.Unmarshal([]byte(get(t, file)), &got); err != nil || !reflect.DeepEqual(got, map[string]any{"theme": "x"}) {
		t.Errorf("%v, %v", got, err)
	}
}

func FuzzJSONEdit(f *testing.F) {
	for _, s := range []string{"{}", `{"hooks":{"A":[]}}`, "// c\n{\"a\":1,}", `{"hooks":{"A":[1,{"c":"stet agent report"}]}}`, "[", `{"a":"\ud800"}`} {
		f.Add(s)
	}
	like := map[string]any{"c": "{hook}"}
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parseJSON(text); err != nil {
			return
		}
		if chain, _ := hasJSON(text, []string{"hooks", "A"}, like); chain != nil {
			return
		}
		with, err := putJSON(text, []string{"hooks", "A"}, `{"c":"stet agent report"}`)
		if err != nil {
			return
		}
		if _, err := parseJSON(with); err != nil {
			t.Fatalf("%q became %q: %v", text, with, err)
		}
		if got, _ := takeJSON(with, []string{"hooks", "A"}, like); got != text {
			t.Fatalf("%q became %q and then %q", text, with, got)
		}
	})
}
