package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
)

// Dir is the directory of the scripts, below the one that Install is given.
const Dir = "shell"

// keptVersions bounds how many versions of the scripts are kept. A shell reads its script once, when it
// starts; the older ones are there for those that are just being started.
const keptVersions = 4

// files are what is installed, by its path in the directory of a version.
var files = map[string]string{
	"stet.bash": "stet.bash",
	"stet.zsh":  "stet.zsh",
	".zshenv":   "zshenv",
	"fish/vendor_conf.d/stet-integration-1.fish": "stet.fish",
}

// version names the scripts by what is in them.
func version() string {
	h := sha256.New()
	for _, name := range sortedFiles() {
		b, _ := scripts.ReadFile("scripts/" + files[name]) // they are part of the program
		fmt.Fprintf(h, "%s %d\n%s", name, len(b), b)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

func sortedFiles() []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Install makes sure that the scripts lie below base, which must be the user's own directory, and returns
// the directory in which they are. What is there and is not what it should be is written anew. It may take as
// long as the disk does.
func Install(base string) (dir string, err error) {
	dir = filepath.Join(base, Dir, version())
	for _, name := range sortedFiles() {
		b, err := scripts.ReadFile("scripts/" + files[name])
		if err == nil {
			err = install(base, filepath.Join(dir, name), b)
		}
		if err != nil {
			return "", fmt.Errorf("shell integration: %w", err)
		}
	}
	prune(filepath.Join(base, Dir), filepath.Base(dir))
	return dir, nil
}

// install puts one file in place, unless it lies there.
func install(base, path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && string(old) == string(content) {
		return nil
	}
	parent := filepath.Dir(path)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return err
	}
	for d := parent; len(d) > len(base); d = filepath.Dir(d) {
		if err := own(d); err != nil {
			return err
		}
	}
	f, err := os.CreateTemp(parent, "new") // with mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if end := f.Close(); err == nil {
		err = end
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// own refuses a directory in which somebody else could put a script: shells execute what lies there.
func own(dir string) error {
	st, err := os.Lstat(dir)
	if err != nil {
		return err
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	switch {
	case !st.IsDir():
		return fmt.Errorf("%s is no directory", dir)
	case ok && int(sys.Uid) != os.Getuid():
		return fmt.Errorf("directory %s belongs to user %d", dir, sys.Uid)
	case st.Mode()&0o022 != 0:
		return fmt.Errorf("others can write in directory %s", dir)
	}
	return nil
}

// prune removes versions of the scripts beyond the newest.
func prune(dir, current string) {
	list, err := os.ReadDir(dir)
	if err != nil || len(list) <= keptVersions {
		return
	}
	age := func(e fs.DirEntry) int64 {
		st, err := e.Info()
		if err != nil {
			return 0
		}
		return st.ModTime().UnixNano()
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int {
		switch x, y := age(a), age(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	for _, e := range list[keptVersions:] {
		if e.Name() != current && e.IsDir() {
			_ = os.RemoveAll(filepath.Join(dir, e.Name()))
		}
	}
}

// Remove takes the scripts away that Install has put below base. Shells that run do not miss them.
func Remove(base string) error {
	err := os.RemoveAll(filepath.Join(base, Dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
