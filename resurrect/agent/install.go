package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/BurntSushi/toml"

	"stet/config/nesting"
)

// Install is one file that the agent reads its hooks from, where it is not given them at a launch. Exactly
// one of Text, Block and JSON is set; {hook} in them is the command that reports.
type Install struct {
	File  string   `toml:"file"`  // a path as that of Resume.Needs, without * and {id}
	Text  string   `toml:"text"`  // all of a file of stet's own
	Block string   `toml:"block"` // lines at the end of a TOML file of the user's
	JSON  []Insert `toml:"json"`  // what goes into a JSON file of the user's
	Begin string   `toml:"begin"` // what that file is where there is none: an object, which the agent may ask for a version
}

// Insert is an element of a list in a JSON file.
type Insert struct {
	At  []string `toml:"at"`  // names of objects, each in the one before it; the last is the list
	Add string   `toml:"add"` // the element, as JSON
}

// maxSettings bounds the size of a file that is changed, in bytes.
const maxSettings = 4 << 20

// Change is what an installation does to a file.
type Change struct {
	File   string // what is written; where the user has a link, what that leads to
	Exists bool
	Before string
	After  string // "" with Remove
	Remove bool   // the file is stet's own, or nothing is left in it
	// Keep is where Apply puts what is there, "" for nowhere: it may have been changed by hand.
	Keep string
	// Why says that stet does not understand what is there, and leaves it alone; Add is what is to be added
	// by hand, or taken out.
	Why, Add string
}

// Nothing says that a file is already as it should be.
func (c *Change) Nothing() bool {
	return c.Why == "" && !c.Remove && c.Before == c.After
}

func (i *Install) check() string {
	n := 0
	for _, set := range []bool{i.Text != "", i.Block != "", len(i.JSON) > 0} {
		if set {
			n++
		}
	}
	switch {
	case n != 1:
		return "needs exactly one of text, block and json"
	case !strings.HasPrefix(i.File, "{home}/") && !strings.HasPrefix(i.File, "{env:"):
		return "needs a file that begins with {home}/ or {env:NAME|default}"
	case strings.ContainsAny(i.File, "*?[") || strings.Contains(i.File, "{id") || slices.Contains(strings.Split(i.File, "/"), ".."):
		return "names more than one file"
	case i.Text != "" && !strings.Contains(filepath.Base(i.File), "stet"):
		return "a file of stet's own has stet in its name"
	}
	if n, err := parseJSON(i.Begin); i.Begin != "" && (err != nil || n.kind != '{' || len(i.JSON) == 0) {
		return "begin is the object that a JSON file begins as"
	}
	for _, in := range i.JSON {
		if len(in.At) == 0 || slices.Contains(in.At, "") || !json.Valid([]byte(fill(in.Add, "x"))) || !strings.Contains(in.Add, "{hook}") {
			return "json needs at, the names down to a list, and add, an element of it with {hook}"
		}
	}
	return ""
}

// where is the file as people read it.
func (i *Install) where() string {
	name := strings.Replace(i.File, "{home}", "~", 1)
	if rest, ok := strings.CutPrefix(name, "{env:"); ok {
		spec, rest, _ := strings.Cut(rest, "}")
		_, def, _ := strings.Cut(spec, "|")
		name = def + rest
	}
	return name
}

// fill puts a command into a template, in which it stands in a string of JSON, of TOML or of JavaScript,
// which are written alike.
func fill(template, hook string) string {
	return strings.ReplaceAll(template, "{hook}", quoted(hook))
}

// quoted is a text as it stands between the quotation marks of such a string.
func quoted(text string) string {
	q := quote(text)
	return q[1 : len(q)-1]
}

// plugin is the file of stet's own that the agent is given at a launch, nil where it takes none.
func (in *Integration) plugin() *Install {
	for _, w := range slices.Concat(in.Launch.Inject, in.Launch.Environment) {
		if !strings.Contains(w, "{plugin}") && !strings.Contains(w, "{plugin_url}") {
			continue
		}
		for i := range in.Install {
			if in.Install[i].Text != "" {
				return &in.Install[i]
			}
		}
	}
	return nil
}

// WritePlugin writes the file that the agent is given at a launch, below a directory that is the user's alone.
// "" without an error: it takes none. Agents that run have read theirs.
func (in *Integration) WritePlugin(base, hook string) (file string, err error) {
	i := in.plugin()
	if i == nil {
		return "", nil
	}
	c := Change{File: filepath.Join(base, "agents", in.ID, filepath.Base(i.File)), After: fill(strings.TrimLeft(i.Text, "\n"), hook)}
	if c.Before, c.Exists, err = readSettings(c.File); err != nil {
		return "", err
	}
	return c.File, c.Apply()
}

// Changes plans the installation of the agent's hooks, or with remove their removal. env is what says where
// the agent has its files, as NAME=value.
func (in *Integration) Changes(hook string, env []string, home string, remove bool) ([]Change, error) {
	if len(in.Install) == 0 {
		switch {
		case len(in.Launch.Inject) > 0:
			return nil, fmt.Errorf("%s is given its hooks at each launch: there is nothing to install", in.Name)
		case len(in.Hook.ID) == 0:
			return nil, fmt.Errorf("%s has no hooks that report", in.Name)
		}
		return nil, fmt.Errorf("for %s nothing can be installed: stet agent support %s says what is to be set up", in.Name, in.ID)
	}
	var out []Change
	for i := range in.Install {
		c, err := in.Install[i].change(in.ID, hook, env, home, remove)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

func (i *Install) change(id, hook string, env []string, home string, remove bool) (Change, error) {
	file, err := expandPlain(i.File, env, home)
	if err != nil {
		return Change{}, err
	}
	if to, err := filepath.EvalSymlinks(file); err == nil {
		file = to
	}
	c := Change{File: file}
	if c.Before, c.Exists, err = readSettings(file); err != nil {
		return c, err
	}
	c.After = c.Before
	switch {
	case i.Text != "":
		i.own(&c, hook, remove)
	case i.Block != "":
		i.block(&c, id, hook, remove)
	default:
		i.json(&c, hook, remove)
	}
	if c.Why != "" {
		c.After, c.Remove = c.Before, false
	}
	return c, nil
}

// expandPlain is expandPath for one file, whose name is taken as it is.
func expandPlain(p string, env []string, home string) (string, error) {
	out, err := expandPath(p, "", env, home)
	return strings.NewReplacer(`\\`, `\`, `\*`, "*", `\?`, "?", `\[`, "[").Replace(out), err
}

// readSettings reads a file that the user owns.
func readSettings(name string) (text string, exists bool, err error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	st, err := f.Stat()
	switch sys, ok := st.Sys().(*syscall.Stat_t); {
	case err != nil:
		return "", false, err
	case !st.Mode().IsRegular():
		return "", false, fmt.Errorf("%s is no plain file", name)
	case ok && int(sys.Uid) != os.Getuid():
		return "", false, fmt.Errorf("%s belongs to user %d: it is left alone", name, sys.Uid)
	case st.Size() > maxSettings:
		return "", false, fmt.Errorf("%s is larger than %d bytes: it is left alone", name, maxSettings)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	return string(b), true, err
}

func (i *Install) own(c *Change, hook string, remove bool) {
	template := strings.TrimLeft(i.Text, "\n")
	exact := !c.Exists || ours(c.Before, template)
	if !exact && ofAnotherVersion(c.Before, template) {
		exact, c.Keep = true, c.File+".old"
	}
	switch {
	case !exact:
		c.Why, c.Add = "is not as stet writes it", fill(template, hook)
		if remove {
			c.Add = ""
		}
	case remove:
		c.Remove, c.After = c.Exists, ""
	default:
		c.After = fill(template, hook)
	}
}

func (i *Install) begin() string { return strings.TrimLeft(i.Begin, "\n") }

func (i *Install) json(c *Change, hook string, remove bool) {
	var what []string
	refuse := func(err error) {
		c.Why = err.Error()
		for _, in := range i.JSON {
			what = append(what, "in "+strings.Join(in.At, ".")+": "+fill(in.Add, hook))
		}
		c.Add = strings.Join(what, "\n")
	}
	text, gone := c.Before, false
	if !remove && strings.TrimSpace(text) == "" {
		text = i.begin()
	}
	if strings.TrimSpace(text) != "" {
		if _, err := parseJSON(text); err != nil {
			refuse(err)
			return
		}
	}
	for _, in := range slices.Backward(i.JSON) { // each goes in front
		var like any
		if err := json.Unmarshal([]byte(in.Add), &like); err != nil {
			refuse(err)
			return
		}
		if !remove {
			if chain, index := hasJSON(text, in.At, like); chain != nil {
				v := chain[len(chain)-1].children[index[len(index)-1]].value
				text = text[:v.start] + again(text[v.start:v.end], fill(in.Add, hook)) + text[v.end:]
				continue
			}
			out, err := putJSON(text, in.At, fill(in.Add, hook))
			if err != nil {
				refuse(err)
				return
			}
			text = out
			continue
		}
		for { // one that was copied by hand goes, too
			out, empty := takeJSON(text, in.At, like)
			gone = gone || empty
			if out == text {
				break
			}
			text = out
		}
	}
	if gone && strings.TrimSpace(text) == "" || remove && i.Begin != "" && text != c.Before && text == i.begin() {
		c.Remove, text = true, ""
	}
	if _, err := parseJSON(text); err != nil && !c.Remove && text != c.Before {
		refuse(fmt.Errorf("cannot be changed so that it stays what it is: %w", err))
		return
	}
	c.After = text
}

// again is an element of ours that is there: as it is written, unless its command is another one.
func again(there, want string) string {
	var a, b any
	if json.Unmarshal([]byte(there), &a) == nil && json.Unmarshal([]byte(want), &b) == nil {
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if string(x) == string(y) {
			return there
		}
	}
	return want
}

// block puts lines at the end of a TOML file, between two comments by which they are found again. The first
// is another one where the file did not end with its line.
func (i *Install) block(c *Change, id, hook string, remove bool) {
	end := "# <<< stet agent install " + id + "\n"
	text := c.Before
	for _, begin := range []string{"# >>> stet agent install " + id + "\n", "\n#>>> stet agent install " + id + "\n"} {
		from := strings.Index(text, begin)
		if from < 0 {
			continue
		}
		n := strings.Index(text[from:], end)
		if n < 0 {
			c.Why = fmt.Sprintf("has the line %q and not the line %q behind it", strings.TrimSpace(begin), strings.TrimSpace(end))
			return
		}
		text = text[:from] + text[from+n+len(end):]
		break
	}
	lines := fill(strings.TrimLeft(i.Block, "\n"), hook)
	if err := validTOML(text); err != nil {
		c.Why, c.Add = err.Error(), lines
		return
	}
	if remove {
		c.After = text
		c.Remove = c.Exists && text == "" && c.Before != ""
		return
	}
	begin := "# >>> stet agent install " + id + "\n"
	if text != "" && !strings.HasSuffix(text, "\n") {
		begin = "\n#>>> stet agent install " + id + "\n"
	}
	c.After = text + begin + lines + end
	if err := validTOML(c.After); err != nil {
		c.Why, c.Add = "would not be TOML any more: "+err.Error(), lines
	}
}

func validTOML(text string) (err error) {
	if line := nesting.TooDeep(text); line > 0 {
		return fmt.Errorf("line %d: it is nested too deep", line)
	}
	defer func() { // the library guards itself against its own panics only in part
		if r := recover(); r != nil {
			err = fmt.Errorf("it cannot be parsed: %v", r)
		}
	}()
	var tree map[string]any
	return toml.Unmarshal([]byte(text), &tree)
}

// Apply writes a change, all of it or nothing. A file that is not as the change was planned for is left
// alone.
func (c *Change) Apply() error {
	if c.Why != "" {
		return fmt.Errorf("%s: %s", c.File, c.Why)
	}
	if c.Nothing() {
		return nil
	}
	now, exists, err := readSettings(c.File)
	if err != nil {
		return err
	}
	if now != c.Before || exists != c.Exists {
		return fmt.Errorf("%s has changed meanwhile: nothing was written, try again", c.File)
	}
	if c.Keep != "" {
		if err := os.Link(c.File, c.Keep); errors.Is(err, fs.ErrExist) {
			return fmt.Errorf("%s is there already, and %s was to be kept by that name: move it away and try again", c.Keep, c.File)
		} else if err != nil {
			return fmt.Errorf("%s cannot be kept: %w", c.File, err)
		}
	}
	if c.Remove {
		return os.Remove(c.File)
	}
	mode := fs.FileMode(0o600)
	if st, err := os.Stat(c.File); err == nil {
		mode = st.Mode().Perm()
	}
	dir := filepath.Dir(c.File)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".stet-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // it has another name by then
	_, err = f.WriteString(c.After)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	if err := os.Rename(f.Name(), c.File); err != nil {
		return err
	}
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync() // the name survives a loss of power; the content does already
		d.Close()
	}
	return nil
}

// Diff shows a change to people: what goes with '-', what comes with '+', and a few lines around.
func (c *Change) Diff() string {
	var b strings.Builder
	switch {
	case c.Why != "":
		fmt.Fprintf(&b, "%s %s. It is left alone.\n", c.File, c.Why)
		if c.Add != "" {
			fmt.Fprintf(&b, "To add by hand:\n%s\n", strings.TrimRight(c.Add, "\n"))
		}
		return b.String()
	case c.Nothing():
		return c.File + ": nothing to do\n"
	}
	if c.Keep != "" {
		fmt.Fprintf(&b, "%s is by another version of stet, or was changed by hand. What it is now is kept as %s.\n", c.File, c.Keep)
	}
	fmt.Fprintf(&b, "--- %s\n+++ %s\n", orNone(c.File, c.Exists), orNone(c.File, !c.Remove))
	was, is := lines(c.Before), lines(c.After)
	head := 0
	for head < len(was) && head < len(is) && was[head] == is[head] {
		head++
	}
	tail := 0
	for tail < len(was)-head && tail < len(is)-head && was[len(was)-1-tail] == is[len(is)-1-tail] {
		tail++
	}
	const around = 3
	show := func(sign string, l []string) {
		for _, s := range l {
			b.WriteString(sign + s + "\n")
		}
	}
	show(" ", was[max(0, head-around):head])
	show("-", was[head:len(was)-tail])
	show("+", is[head:len(is)-tail])
	show(" ", was[len(was)-tail:len(was)-tail+min(around, tail)])
	return b.String()
}

func orNone(file string, there bool) string {
	if there {
		return file
	}
	return "/dev/null"
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}
