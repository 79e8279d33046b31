package server

import (
	"os"
	"slices"
	"strings"
	"time"

	"stet/config"
	"stet/config/syntax"
	"stet/resurrect"
	"stet/server/command"
)

// FilesVariable names the files that a server is started with (stet -f), a line each. The keeper has it in
// its environment, so that the next server after a crash finds them, too; programs do not get it.
const FilesVariable = "STET_FILES"

const (
	// filesTime is how long clients wait at most for the commands in these files.
	filesTime = 5 * time.Second
	// maxFileNotes bounds what is kept of what went wrong in them.
	maxFileNotes = 20
)

// startFiles are the files that take the place of config.toml.
type startFiles struct {
	given   bool
	text    string   // as the variable had it
	toml    string   // the last one that is TOML; "" none
	sources []string // those in tmux's language
	running bool
	notes   int
	ran     bool                 // the sources, to their end
	options []sharedOption       // that they have set
	keys    []boundKey           // that they have bound
	behind  *resurrect.Workspace // what it has for all is set behind them; nil: none waits
}

// takeStartFiles reads the variable and takes it out of the environment.
func takeStartFiles() (f startFiles) {
	text := os.Getenv(FilesVariable)
	f.text = text
	_ = os.Unsetenv(FilesVariable) // fails only for a name that is none
	for _, path := range strings.Split(text, "\n") {
		switch {
		case path == "":
			continue
		case config.IsTOML(path):
			f.toml = path
		default:
			f.sources = append(f.sources, path)
		}
		f.given = true
	}
	return f
}

// configPath is the file to read and to follow, "" for none.
func (s *Server) configPath() string {
	if s.files.given {
		return s.files.toml
	}
	return config.Find(os.Getenv)
}

// configFiles are the files that the server is configured by: config.toml, or those given in its place.
func (s *Server) configFiles() []string {
	list := slices.Clone(s.files.sources)
	if path := s.configPath(); path != "" {
		list = append(list, path)
	}
	return list
}

// pending says that files are to be run, and have not come to their end.
func (f *startFiles) pending() bool { return len(f.sources) > 0 && !f.ran }

// runFiles runs the files in tmux's language that the server is started with. No client is served before,
// unless that takes long. What they have set survives a crash as all that is set by hand, so that they are
// not run again then.
func (s *Server) runFiles() {
	if len(s.files.sources) == 0 {
		return
	}
	source := syntax.Command{Name: "source-file"}
	for _, path := range s.files.sources {
		source.Args = append(source.Args, syntax.Arg{Text: literalPath(path)})
	}
	s.files.running = true
	end := time.AfterFunc(filesTime, func() { s.loop.post(s.filesRun) })
	s.queue.Run(command.Request{Commands: []syntax.Command{source}, Done: func(bool) {
		end.Stop()
		s.files.ran = true
		s.filesHaveSet()
		if ws := s.files.behind; ws != nil {
			s.files.behind = nil
			s.restoreShared(ws)
		}
		s.filesRun()
	}})
}

// literalPath is a pattern for one file.
func literalPath(path string) string {
	if !strings.ContainsAny(path, "*?[") {
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

func (s *Server) filesRun() {
	if !s.files.running {
		return
	}
	s.files.running = false
	if s.restoring.sight == 0 {
		s.serving()
	}
}

// fileTrouble keeps what went wrong in the files, for the first who attaches and for the report.
func (s *Server) fileTrouble(text string) {
	if s.files.running && s.files.notes < maxFileNotes {
		s.files.notes++
		s.news.add(text)
	}
}
