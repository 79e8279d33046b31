package arch

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// document is what the tests of this file hold against the code.
const document = "docs/ARCHITECTURE.md"

// names are the declarations of the code: of packages by their names, of types with their methods and fields.
// Names that several packages or types share are joined: the document must only not name what is nowhere.
type names struct {
	packages map[string]map[string]bool
	types    map[string]map[string]bool
	files    map[string]bool // paths below the root
}

func declared(t *testing.T) *names {
	t.Helper()
	n := &names{packages: map[string]map[string]bool{}, types: map[string]map[string]bool{}, files: map[string]bool{}}
	root := filepath.Join("..", "..")
	fset := token.NewFileSet()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git":
			return fs.SkipDir
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		n.files[filepath.ToSlash(rel)] = true
		if d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			n.declaration(f.Name.Name, decl)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func put(m map[string]map[string]bool, in, name string) {
	if m[in] == nil {
		m[in] = map[string]bool{}
	}
	m[in][name] = true
}

func (n *names) declaration(pkg string, decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			put(n.packages, pkg, d.Name.Name)
			return
		}
		put(n.types, receiver(d.Recv.List[0].Type), d.Name.Name)
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				for _, id := range s.Names {
					put(n.packages, pkg, id.Name)
				}
			case *ast.TypeSpec:
				put(n.packages, pkg, s.Name.Name)
				n.members(s)
			}
		}
	}
}

// members are a struct's fields and an interface's methods.
func (n *names) members(s *ast.TypeSpec) {
	var list *ast.FieldList
	switch u := s.Type.(type) {
	case *ast.StructType:
		list = u.Fields
	case *ast.InterfaceType:
		list = u.Methods
	default:
		return
	}
	for _, f := range list.List {
		for _, id := range f.Names {
			put(n.types, s.Name.Name, id.Name)
		}
	}
}

func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
}

// has tells whether pkg.Name, Type.Member or pkg.Type.Member is declared.
func (n *names) has(name string) bool {
	p := strings.Split(name, ".")
	if len(p) == 3 {
		return n.packages[p[0]][p[1]] && n.types[p[1]][p[2]]
	}
	return n.packages[p[0]][p[1]] || n.types[p[0]][p[1]]
}

var (
	quoted   = regexp.MustCompile("`([^`\n]+)`")
	dotted   = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_]\w*){1,2}$`)
	fileName = regexp.MustCompile(`^[\w/.-]+\.(go|md|toml|json|log|mod|txt)$`)
)

func readDocument(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(document)))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestDocumentNamesWhatIsThere: every name in backticks that looks like pkg.Func or Type.Method is in the code, and
// every path of a Go file or a page of ours is a file.
func TestDocumentNamesWhatIsThere(t *testing.T) {
	code := declared(t)
	count := 0
	for i, line := range strings.Split(readDocument(t), "\n") {
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			name := strings.TrimSuffix(m[1], "()")
			switch {
			case fileName.MatchString(name):
				if strings.Contains(name, "/") && (strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "docs/")) && !code.files[name] {
					t.Errorf("%s:%d: there is no file %s", document, i+1, name)
				}
			case dotted.MatchString(name):
				if count++; !code.has(name) {
					t.Errorf("%s:%d: the code has no %s", document, i+1, name)
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("only %d names of the code found in %s: has its form changed?", count, document)
	}
}

// TestMapNamesEveryPackage: the map has one line for each package of the module, and none for what is not there.
func TestMapNamesEveryPackage(t *testing.T) {
	_, text, ok := strings.Cut(readDocument(t), "\n## The map\n")
	if !ok {
		t.Fatalf("%s has no section called The map", document)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	inMap := map[string]bool{}
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 {
			continue
		}
		if m := quoted.FindStringSubmatch(cells[1]); m != nil {
			inMap[m[1]] = true
		}
	}
	all := imports(t)
	for pkg := range all {
		if name := strings.TrimPrefix(pkg, "stet/"); !inMap[name] {
			t.Errorf("the map in %s lacks %s", document, name)
		}
	}
	for name := range inMap {
		if _, there := all["stet/"+name]; !there {
			t.Errorf("the map in %s names %s, which is no package", document, name)
		}
	}
}
