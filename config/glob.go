package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Bounds of a pattern of file names: "/*/*/*/*" is all there is on a machine.
const (
	maxGlobDirs    = 2000    // directories that are read
	maxGlobEntries = 200_000 // names in them that are compared
)

// Glob returns the files of a pattern, sorted, as [filepath.Glob] does: what cannot be read has none. It fails
// where the pattern is none, and where it leads into more directories or files than a person can mean.
func Glob(pattern string) ([]string, error) {
	if _, err := filepath.Match(pattern, ""); err != nil {
		return nil, err
	}
	g := globbing{dirs: maxGlobDirs, entries: maxGlobEntries}
	found := []string{""}
	if strings.HasPrefix(pattern, "/") {
		found = []string{"/"}
	}
	for part := range strings.SplitSeq(pattern, "/") {
		if part == "" {
			continue
		}
		var next []string
		for _, dir := range found {
			if !strings.ContainsAny(part, `*?[\`) {
				next = append(next, filepath.Join(dir, part))
				continue
			}
			names, err := g.names(dir, part)
			if err != nil {
				return nil, err
			}
			for _, n := range names {
				next = append(next, filepath.Join(dir, n))
			}
		}
		found = next
	}
	found = slices.DeleteFunc(found, func(path string) bool { _, err := os.Lstat(path); return err != nil })
	slices.Sort(found)
	return slices.Compact(found), nil // ".." leads to some more than once
}

// globbing is what is left of the bounds.
type globbing struct{ dirs, entries int }

// names are those in a directory that match.
func (g *globbing) names(dir, pattern string) ([]string, error) {
	if dir == "" {
		dir = "."
	}
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil, nil
	}
	if g.dirs--; g.dirs < 0 {
		return nil, fmt.Errorf("it leads into more than %d directories", maxGlobDirs)
	}
	f, err := os.Open(dir)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	var out []string
	for {
		names, err := f.Readdirnames(1024)
		if g.entries -= len(names); g.entries < 0 {
			return nil, fmt.Errorf("it leads to more than %d files", maxGlobEntries)
		}
		for _, n := range names {
			if ok, _ := filepath.Match(pattern, n); ok { // the pattern is one
				out = append(out, n)
			}
		}
		if err != nil || len(names) == 0 {
			return out, nil
		}
	}
}
