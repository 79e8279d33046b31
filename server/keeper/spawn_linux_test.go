package keeper

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stet/server/ring"
)

func TestSpawnFailures(t *testing.T) {
	g := newRig(t)
	dir := t.TempDir()
	write := func(name, text string, mode os.FileMode) string {
		f := filepath.Join(dir, name)
		if err := os.WriteFile(f, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return f
	}
	plain := write("plain", "no program", 0o600)
	orphan := write("orphan", "#!/no/such/interpreter\n", 0o700)
	write("tool", "#!/bin/sh\necho tool runs in $PWD\n", 0o700)
	base := g.spawnRequest(5, "sh")
	for name, c := range map[string]struct {
		change func(*SpawnRequest)
		kind   ErrorKind
		text   string
	}{
		"no such command":       {func(q *SpawnRequest) { q.Argv = []string{"no-such-command"} }, KindNotFound, "no-such-command: command not found"},
		"no such file":          {func(q *SpawnRequest) { q.Argv = []string{"/no/such"} }, KindNotFound, "/no/such: no such file"},
		"not executable":        {func(q *SpawnRequest) { q.Argv = []string{plain} }, KindNotAllowed, "permission denied"},
		"a directory":           {func(q *SpawnRequest) { q.Argv = []string{dir} }, KindNotAllowed, "permission denied"},
		"interpreter missing":   {func(q *SpawnRequest) { q.Argv = []string{orphan} }, KindNotFound, "interpreter"},
		"in PATH, not to run":   {func(q *SpawnRequest) { q.Argv = []string{"plain"}; q.Env = []string{"PATH=" + dir} }, KindNotAllowed, "permission denied"},
		"empty PATH":            {func(q *SpawnRequest) { q.Argv = []string{"sh"}; q.Env = []string{"PATH=/nowhere"} }, KindNotFound, "not found"},
		"no directory":          {func(q *SpawnRequest) { q.Dir = dir + "/gone" }, KindDir, "working directory"},
		"directory is a file":   {func(q *SpawnRequest) { q.Dir = plain }, KindDir, "not a directory"},
		"relative directory":    {func(q *SpawnRequest) { q.Dir = "x" }, KindBad, "absolute"},
		"no command":            {func(q *SpawnRequest) { q.Argv = nil }, KindBad, "command"},
		"empty command":         {func(q *SpawnRequest) { q.Argv = []string{""} }, KindBad, "empty"},
		"number 0":              {func(q *SpawnRequest) { q.ID = 0 }, KindBad, "number"},
		"odd ring":              {func(q *SpawnRequest) { q.Sizes.Ring = 5000 }, KindBad, "5000"},
		"arena beyond all":      {func(q *SpawnRequest) { q.Sizes.Arena = 1 << 40 }, KindBad, "impossible"},
		"arguments too long":    {func(q *SpawnRequest) { q.Argv = append(q.Argv, strings.Repeat("x", 200<<10)) }, KindBad, "argument"},
		"control bytes in text": {func(q *SpawnRequest) { q.Argv = []string{"a\x1b[31m"} }, KindNotFound, `a\x1b[31m: command`},
	} {
		q := base
		c.change(&q)
		r := g.ask(request{Op: "spawn", Spawn: q})
		if r.Kind != c.kind || !strings.Contains(r.Err, c.text) {
			t.Errorf("%s: kind %d %q, want %d %q", name, r.Kind, r.Err, c.kind, c.text)
		}
	}
	if r := g.list(); len(r.Panes) != 0 {
		t.Errorf("panes of failed requests: %+v", r.Panes)
	}
	// Nothing is left behind in the keeper either: terminals would run out.
	ptys := func() (n int) {
		fs, _ := filepath.Glob("/proc/" + itoa(g.list().Keeper) + "/fd/*")
		for _, f := range fs {
			if to, _ := os.Readlink(f); strings.Contains(to, "ptmx") || strings.Contains(to, "stet-pane") {
				n++
			}
		}
		return n
	}
	if n := ptys(); n != 0 {
		t.Errorf("%d descriptors of failed panes", n)
	}
	base.Argv, base.Dir, base.Env = []string{"tool"}, dir, []string{"PATH=.:/bin:/usr/bin"}
	if r := g.ask(request{Op: "spawn", Spawn: base}); r.Err != "" {
		t.Fatal(r.Err)
	}
	g.until(5, "a tool of a relative PATH", func(p paneReply) bool { return strings.Contains(p.Text, "tool runs in "+dir) })
	base = g.spawnRequest(6, "-name", "-c", "echo I am $0")
	base.Path, base.Argv = "sh", []string{"-sh", "-c", "echo I am $0"}
	if r := g.ask(request{Op: "spawn", Spawn: base}); r.Err != "" {
		t.Fatal(r.Err)
	}
	g.until(6, "a login shell's name", func(p paneReply) bool { return strings.Contains(p.Text, "I am -sh") })
}

func TestSpawnTwiceIsOnePane(t *testing.T) {
	g := newRig(t)
	a := g.spawn(1, "cat")
	if b := g.spawn(1, "cat"); !b.Existed || b.Pid != a.Pid || a.Existed {
		t.Errorf("%+v, then %+v", a, b)
	}
	g.killServer()
	if b := g.spawn(1, "cat"); !b.Existed || b.Pid != a.Pid {
		t.Errorf("%+v after the server's death", b)
	}
}

func TestArgumentsAndEnvironmentAreBytes(t *testing.T) {
	q := SpawnRequest{ID: 1, Argv: []string{"sh", "-c", `printf '[%s]' "$1" | od -An -tx1`, "sh", "\xff\xfe"}}
	m := &message{kind: kSpawn, argv: q.Argv, env: []string{"A=\x80", "", "B="}}
	back, err := parseMessage(m.append(nil))
	if err != nil || strings.Join(back.argv, "|") != strings.Join(q.Argv, "|") || len(back.env) != 3 || back.env[0] != "A=\x80" {
		t.Errorf("%+v %v", back, err)
	}
}

// TestSizesOfMemory: what is asked for is what the server maps.
func TestSizesOfMemory(t *testing.T) {
	if err := ring.DefaultSizes().Check(); err != nil {
		t.Fatal(err)
	}
	g := newRig(t)
	q := g.spawnRequest(1, "cat")
	q.Sizes = ring.Sizes{}
	if r := g.ask(request{Op: "spawn", Spawn: q}); r.Err != "" {
		t.Fatal(r.Err)
	}
}

// TestEmptyPane: a pane without a program is kept across servers, and goes when it is forgotten. Its pid of 0
// must hit nobody: a signal to that would end the keeper's own group.
func TestEmptyPane(t *testing.T) {
	g := newRig(t)
	q := g.spawnRequest(1)
	q.Argv, q.Dir, q.Empty = nil, "", true
	if r := g.ask(request{Op: "spawn", Spawn: q}); r.Err != "" {
		t.Fatal(r.Err)
	}
	for _, when := range []string{"at first", "after the server's death"} {
		r := g.list()
		if len(r.Panes) != 1 || r.Panes[0].Pid != 0 || !r.Panes[0].Exited || r.Panes[0].TTY != "" {
			t.Fatalf("%s: %+v", when, r.Panes)
		}
		if r := g.ask(request{Op: "kill", ID: 1}); r.Err != "" {
			t.Errorf("%s: %s", when, r.Err)
		}
		g.killServer()
	}
	if r := g.ask(request{Op: "forget", ID: 1}); r.Err != "" {
		t.Error(r.Err)
	}
	if r := g.list(); len(r.Panes) != 0 {
		t.Errorf("forgotten, and there: %+v", r.Panes)
	}
}
