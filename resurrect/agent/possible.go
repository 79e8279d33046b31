package agent

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
)

// Possible tells whether the integrations could recognise a process, without reading them: that takes longer than
// all else that a program's start costs, and few programs are agents. It says yes to more than [Set.Recognise]
// does, and to all where the directory holds files of the user's.
func Possible(dir string, p Proc) bool {
	if dir != "" {
		if own, err := filepath.Glob(filepath.Join(dir, "*.toml")); err != nil || len(own) > 0 {
			return true
		}
	}
	names := []string{p.Comm}
	if len(p.Argv) > 0 {
		names = append(names, p.name())
		if at := p.script(); at > 0 {
			names = append(names, filepath.Base(p.Argv[at]))
		}
	}
	files, err := fs.Glob(builtin, "builtin/*.toml")
	if err != nil {
		return true
	}
	for _, f := range files {
		data, err := builtin.ReadFile(f)
		if err != nil {
			return true
		}
		_, process, _ := bytes.Cut(data, []byte("[process]"))
		process, _, _ = bytes.Cut(process, []byte("\n["))
		if slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(process, []byte(strconv.Quote(name))) }) {
			return true
		}
	}
	return false
}
