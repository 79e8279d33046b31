// Package arch holds the house rules that a machine can check: who may import whom, and calls that are
// forbidden where they look harmless.
package arch

import (
	"bufio"
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// rule says what a package must never import, directly or through others of ours.
type rule struct {
	pkg string // below the module; a trailing /... takes what is below, too
	// only are the packages of ours that it may reach; nil: any but never. "-" stands for none.
	only  []string
	never []string
	why   string
}

var rules = []rule{
	{pkg: "vt", only: []string{"vt/width"}, never: []string{"os", "net", "os/exec", "syscall"}, why: "no escape sequence starts a process, opens a file or touches the network"},
	{pkg: "vt/width", only: []string{"-"}, why: "tables without opinions"},
	{pkg: "vt/key", only: []string{"-"}, never: []string{"os", "net"}, why: "client and server share it"},
	{pkg: "layout", only: []string{"-"}, never: []string{"os", "net"}, why: "pure geometry"},
	{pkg: "config/nesting", only: []string{"-"}, never: []string{"os", "net"}, why: "whoever reads TOML shares it"},
	{pkg: "config/near", only: []string{"-"}, never: []string{"os", "net"}, why: "whoever has names shares it"},
	{pkg: "config/...", never: []string{"stet/server", "stet/client"}, why: "configuration is read by others, it does not act"},
	{pkg: "resurrect", never: []string{"stet/server", "stet/client"}, why: "a snapshot is data"},
	{pkg: "resurrect/store", never: []string{"stet/server", "stet/client", "stet/vt"}, why: "the disk knows text, not terminals"},
	{pkg: "resurrect/agent", only: []string{"config/nesting", "resurrect", "layout", "vt/width"}, never: []string{"stet/server", "stet/client", "stet/vt", "net", "os/exec"}, why: "what is known of agents starts nothing"},
	{pkg: "resurrect/shell", only: []string{"-"}, never: []string{"net", "os/exec"}, why: "scripts and how they are given; it starts nothing"},
	{pkg: "client", only: []string{"server/wire", "server/sock", "server/direct", "vt/key", "vt/width"}, why: "the client holds no state that matters"},
	{pkg: "server/wire", only: []string{"-"}, why: "the protocol stands alone"},
	{pkg: "server/direct", only: []string{"-"}, why: "bytes without meaning, for all three processes"},
	{pkg: "server/sock", only: []string{"-"}, why: "client and keeper share it"},
	{pkg: "server/ring", only: []string{"-"}, why: "the keeper must outlive every change elsewhere"},
	{pkg: "server/keeper", only: []string{"server/ring", "server/sock", "server/direct"}, why: "the keeper parses nothing and must outlive every server"},
	{pkg: "server/model", only: []string{"layout"}, never: []string{"os", "net", "sync"}, why: "plain data with one owner"},
	{pkg: "server/command", never: []string{"stet/server", "stet/server/pane", "stet/client"}, why: "commands see the server through an interface"},
	{pkg: "server/job", only: []string{"server/direct"}, why: "it starts programs and knows nothing of panes"},
	{pkg: "server/keymap", never: []string{"stet/server"}, why: "tables do not act"},
	{pkg: "server/overlay", never: []string{"stet/server"}, why: "state machines without a server"},
	{pkg: "server/buffer", only: []string{"-"}, never: []string{"os", "net", "sync"}, why: "plain data with one owner"},
	{pkg: "server/mode/tree", never: []string{"stet/server", "stet/server/pane", "stet/server/model", "stet/server/command"}, why: "it knows neither sessions nor buffers"},
	{pkg: "server/mode/clock", never: []string{"stet/server", "stet/server/pane", "stet/server/model", "stet/server/command"}, why: "modes say what is to happen, and do nothing"},
	{pkg: "server/mode", never: []string{"stet/server", "stet/server/pane"}, why: "modes say what is to happen, and do nothing"},
	{pkg: "server/hints", never: []string{"stet/server", "stet/server/pane", "stet/server/command"}, why: "a state machine over one picture"},
	{pkg: "server/copymode", never: []string{"stet/server", "stet/server/pane", "stet/server/command"}, why: "a state machine over a terminal of its own"},
	{pkg: "server/appear", only: []string{"-"}, why: "it says when to look, and does not look"},
	{pkg: "server/boot", only: []string{"-"}, why: "a file and systemctl"},
	{pkg: "server/login", only: []string{"-"}, why: "facts from the system"},
	{pkg: "server/proc", never: []string{"stet/server"}, why: "facts from the system"},
	{pkg: "server/pane", never: []string{"stet/server/model"}, why: "a pane does not know where it is shown"},
	{pkg: "server/scene", never: []string{"stet/server/pane", "stet/server/command"}, why: "a picture is made of views"},
	{pkg: "server/attach", never: []string{"stet/server/model"}, why: "a client does not know sessions"},
	{pkg: "server/persist", never: []string{"stet/server"}, why: "arrows run one way"},
	{pkg: "tests/fakeagent", only: []string{"-"}, why: "it knows agents from what is published of them, not from how they are treated here"},
	{pkg: "server", never: []string{"stet/client"}, why: "arrows run one way"},
}

// imports lists every package of the module with the packages it imports directly.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "stet/...")
	var errb bytes.Buffer
	cmd.Stderr = &errb
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, errb.String())
	}
	all := map[string][]string{}
	for sc := bufio.NewScanner(bytes.NewReader(out)); sc.Scan(); {
		f := strings.Fields(sc.Text())
		all[f[0]] = f[1:]
	}
	if len(all) < 10 {
		t.Fatalf("only %d packages found", len(all))
	}
	return all
}

// reach are the packages that pkg imports: of ours everything behind them too, of others the direct ones.
func reach(all map[string][]string, pkg string, seen map[string]string, by string) {
	for _, imp := range all[pkg] {
		if _, ok := seen[imp]; ok {
			continue
		}
		seen[imp] = strings.TrimPrefix(by+" → ", " → ") + imp
		if strings.HasPrefix(imp, "stet/") {
			reach(all, imp, seen, seen[imp])
		}
	}
}

func TestArrowsRunOneWay(t *testing.T) {
	all := imports(t)
	for _, r := range rules {
		n := 0
		for pkg := range all {
			name := strings.TrimPrefix(pkg, "stet/")
			below, ok := strings.CutSuffix(r.pkg, "/...")
			if name != r.pkg && !(ok && (name == below || strings.HasPrefix(name, below+"/"))) {
				continue
			}
			n++
			r.check(t, all, pkg)
		}
		if n == 0 {
			t.Errorf("no package is called %s: the rule is out of date", r.pkg)
		}
	}
}

func (r rule) check(t *testing.T, all map[string][]string, pkg string) {
	t.Helper()
	seen := map[string]string{}
	reach(all, pkg, seen, "")
	for imp, path := range seen {
		ours, isOurs := strings.CutPrefix(imp, "stet/")
		if isOurs && r.only != nil && !contains(r.only, ours) {
			t.Errorf("%s imports %s (%s): it may reach only %v, because %s", pkg, imp, path, r.only, r.why)
		}
		if contains(r.never, imp) {
			t.Errorf("%s imports %s (%s): %s", pkg, imp, path, r.why)
		}
	}
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// TestNoHarmlessLookingCalls: pty.Setsize and File.Fd clear O_NONBLOCK on an open file description that
// keeper, server and a person's shell share.
func TestNoHarmlessLookingCalls(t *testing.T) {
	root := filepath.Join("..", "..")
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			sel, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, _ := sel.X.(*ast.Ident)
			switch {
			case sel.Sel.Name == "Fd" && len(call.Args) == 0:
				t.Errorf("%s: File.Fd makes a shared description blocking; use SyscallConn", fset.Position(call.Pos()))
			case x != nil && x.Name == "pty" && (sel.Sel.Name == "Setsize" || sel.Sel.Name == "InheritSize" || strings.HasPrefix(sel.Sel.Name, "Start")):
				t.Errorf("%s: pty.%s makes a shared description blocking; use an ioctl", fset.Position(call.Pos()), sel.Sel.Name)
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
