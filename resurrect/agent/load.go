package agent

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"stet/resurrect"
)

//go:embed builtin/*.toml
var builtin embed.FS

// Dir is the directory of the user's integrations, below that of config.toml.
const Dir = "agents.d"

// maxFiles bounds how many files of a user are read.
const maxFiles = 256

// Set are the integrations in force. It must not be changed.
type Set struct {
	list []*Integration // by ID
	// Problems say which of the user's files were refused, and where; the others are in force.
	Problems []error
}

// Load reads the integrations: those built in, and over them what the directory holds. "" is no directory,
// and one that is not there is empty.
func Load(dir string) *Set {
	s := &Set{}
	files, err := fs.Glob(builtin, "builtin/*.toml")
	if err != nil {
		s.Problems = append(s.Problems, err)
	}
	for _, f := range files {
		data, err := builtin.ReadFile(f)
		if err == nil {
			err = s.add(f, data, "")
		}
		if err != nil {
			s.Problems = append(s.Problems, err)
		}
	}
	if dir != "" {
		s.loadUser(dir)
	}
	slices.SortFunc(s.list, func(a, b *Integration) int { return strings.Compare(a.ID, b.ID) })
	return s
}

func (s *Set) add(file string, data []byte, from string) error {
	in, err := Parse(file, data)
	if err != nil {
		return err
	}
	if name := strings.TrimSuffix(filepath.Base(file), ".toml"); name != in.ID {
		return &resurrect.FileError{File: file, Why: fmt.Sprintf("has the id %q: the file should be called %s.toml", in.ID, in.ID)}
	}
	in.File = from
	s.list = slices.DeleteFunc(s.list, func(o *Integration) bool { return o.ID == in.ID })
	s.list = append(s.list, in)
	return nil
}

func (s *Set) loadUser(dir string) {
	problem := func(err error) { s.Problems = append(s.Problems, err) }
	st, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return
	case err != nil:
		problem(err)
		return
	case !st.IsDir():
		problem(&resurrect.FileError{File: dir, Why: "is no directory"})
		return
	}
	if why := untrusted(st); why != "" {
		problem(&resurrect.FileError{File: dir, Why: why})
		return
	}
	names, err := filepath.Glob(filepath.Join(dir, "*.toml"))
	if err != nil {
		problem(err)
	}
	if len(names) > maxFiles {
		problem(&resurrect.FileError{File: dir, Why: fmt.Sprintf("has more than %d files: the others are not read", maxFiles)})
		names = names[:maxFiles]
	}
	for _, name := range names {
		data, err := read(name)
		if err == nil {
			err = s.add(name, data, name)
		}
		if err != nil {
			problem(err)
		}
	}
}

// read returns what a file says that only its owner, who is us, can have written.
func read(name string) ([]byte, error) {
	f, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !st.Mode().IsRegular() {
		return nil, &resurrect.FileError{File: name, Why: "is no plain file"}
	}
	if why := untrusted(st); why != "" {
		return nil, &resurrect.FileError{File: name, Why: why}
	}
	return io.ReadAll(io.LimitReader(f, MaxFile+1))
}

// untrusted says why somebody else could have written what is to be executed, "" if nobody could.
func untrusted(st fs.FileInfo) string {
	if sys, ok := st.Sys().(*syscall.Stat_t); ok && int(sys.Uid) != os.Getuid() && sys.Uid != 0 {
		return fmt.Sprintf("belongs to user %d", sys.Uid)
	}
	if st.Mode().Perm()&0o022 != 0 {
		return "can be written by others: chmod go-w"
	}
	return ""
}

// Find returns the integration of a name, nil if there is none.
func (s *Set) Find(id string) *Integration {
	for _, in := range s.list {
		if in.ID == id {
			return in
		}
	}
	return nil
}

// All are the integrations by id.
func (s *Set) All() []*Integration { return slices.Clone(s.list) }

// Names are their ids.
func (s *Set) Names() []string {
	var out []string
	for _, in := range s.list {
		out = append(out, in.ID)
	}
	return out
}

// Support is what people are told of an agent. The JSON names are stable.
type Support struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	Resume       string `json:"resume"`    // "yes", "experimental", or "starts fresh, by design"
	IDSource     string `json:"id_source"` // where the conversation's id comes from
	Limit        string `json:"limit,omitempty"`
	Tested       string `json:"tested,omitempty"`
	Setup        string `json:"setup,omitempty"`    // what the user has to do for it
	Installs     string `json:"installs,omitempty"` // the file that agent install changes for it
	File         string `json:"file,omitempty"`     // of the user's, where it is not built in
	Experimental bool   `json:"experimental,omitempty"`
}

// Support describes the agent.
func (in *Integration) Support() Support {
	out := Support{ID: in.ID, Name: in.Name, Resume: "yes", Limit: in.Limit, Tested: in.Tested, Setup: in.Hook.Setup, File: in.File, Experimental: in.Experimental}
	if len(in.Install) > 0 {
		out.Installs = in.Install[0].where()
		if out.Setup == "" {
			out.Setup = fmt.Sprintf("stet agent install %s puts its hooks into %s, once", in.ID, out.Installs)
			if in.plugin() != nil {
				out.Setup += "; only for one that is typed by hand, since it is given them where stet starts it"
			}
		}
	}
	switch {
	case in.Fresh:
		out.Resume = "starts fresh, by design"
	case in.Experimental:
		out.Resume = "experimental"
	}
	var from []string
	if len(in.Launch.NewID) > 0 {
		from = append(from, "chosen at launch")
	}
	switch {
	case len(in.Hook.ID) == 0:
	case len(in.Launch.Inject)+len(in.Launch.Environment) > 0:
		from = append(from, "its hooks, for this launch")
	case len(in.Install) > 0:
		from = append(from, "its hooks, once installed")
	default:
		from = append(from, "its hooks, once set up")
	}
	if len(in.Conversation.GivenBy) > 0 && len(from) == 0 {
		from = append(from, "given with "+in.Conversation.GivenBy[0])
	}
	if out.IDSource = strings.Join(from, "; "); out.IDSource == "" {
		out.IDSource = "none"
	}
	return out
}
