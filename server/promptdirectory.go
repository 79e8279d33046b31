package server

import (
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"stet/server/command"
	"stet/server/overlay"
	"stet/vt/width"
)

// Bounds of looking into directories while somebody types the name of one.
const (
	maxListings = 64   // directories that a prompt remembers
	maxListed   = 4000 // entries that are looked at in one
	maxLooking  = 4    // at a time: one on a mount that is dead answers when it likes
)

// listing is what is in a directory.
type listing struct {
	done  bool
	names []string // of the directories in it, sorted
	err   error
}

// completeDirectory finds the directories that a name may go on with. They are looked for beside the loop, since a mount may take its time.
func (s *Server) completeDirectory(id command.ClientID, text string, at int) overlay.Completion {
	none := overlay.Completion{From: at, To: at}
	c := s.clients[id]
	dir, begun := cutPath(text[:at])
	if c == nil || c.prompt == nil || c.prompt.line == nil || dir == "" {
		return none
	}
	p := c.prompt
	l := p.dirs[dir]
	switch {
	case l == nil && s.listing >= maxLooking:
		none.Usage = "other directories do not answer"
		return none
	case l == nil:
		s.lookInto(c, dir)
		fallthrough
	case !l.finished():
		none.Wait, none.Usage = true, "looking into "+dir
		return none
	case l.err != nil:
		none.Usage = dir + ": " + plainReason(l.err).Error()
		return none
	}
	out := overlay.Completion{From: at - len(begun), To: at}
	for _, n := range l.names {
		if strings.HasPrefix(n, begun) && (begun != "" || n[0] != '.') {
			out.Candidates = append(out.Candidates, overlay.Candidate{Text: n + "/", More: true})
		}
	}
	if len(out.Candidates) == 0 {
		out.Usage = "no directory in " + dir
		if begun != "" {
			out.Usage += " begins so"
		}
	}
	return out
}

func (l *listing) finished() bool { return l != nil && l.done }

// cutPath cuts what was typed of a path behind its last directory; "" is none that could be looked into.
func cutPath(path string) (dir, begun string) {
	i := strings.LastIndexByte(path, '/')
	if i < 0 || path[0] != '/' && !strings.HasPrefix(path, "~/") {
		return "", path
	}
	return path[:i+1], path[i+1:]
}

// lookInto reads a directory for a client's prompt, which goes on when that is done.
func (s *Server) lookInto(c *client, dir string) {
	p := c.prompt
	if p.dirs == nil || len(p.dirs) >= maxListings {
		p.dirs = map[string]*listing{}
	}
	l := &listing{}
	p.dirs[dir] = l
	path := dir
	if rest, ok := strings.CutPrefix(dir, "~/"); ok {
		home := ""
		if v, ok := s.environ.Find("HOME"); ok {
			home = v.Value
		}
		path = home + "/" + rest
	}
	s.listing++
	go func() {
		names, err := directoriesIn(path)
		s.loop.post(func() {
			s.listing--
			l.done, l.names, l.err = true, names, err
			if c.prompt == p && p.line != nil {
				c.stale = true
				p.line.Found()
			}
		})
	}()
}

// directoriesIn are the names of the directories in one that can be shown, sorted.
func directoriesIn(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list, err := f.ReadDir(maxListed)
	if len(list) == 0 && err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var names []string
	for _, e := range list {
		isDir := e.IsDir()
		if e.Type()&os.ModeSymlink != 0 {
			info, err := os.Stat(path + "/" + e.Name())
			isDir = err == nil && info.IsDir()
		}
		if isDir && e.Name() == width.Printable(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	return names, nil
}
