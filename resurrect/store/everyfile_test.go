package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/resurrect"
)

// harms are what can become of a file. Each gets its path, that of another file of the same kind, and its content.
var harms = []struct {
	name string
	root bool // only root can do it
	do   func(path, other string, was []byte) error
}{
	{"empty", false, func(path, _ string, _ []byte) error { return os.WriteFile(path, nil, 0o600) }},
	{"cut after a third", false, func(path, _ string, was []byte) error { return os.Truncate(path, int64(len(was)/3)) }},
	{"cut after two thirds", false, func(path, _ string, was []byte) error { return os.Truncate(path, int64(2*len(was)/3)) }},
	{"a block of zeros", false, func(path, _ string, was []byte) error {
		return overwrite(path, len(was)/3, make([]byte, max(1, len(was)/3)))
	}},
	{"a bit turned", false, func(path, _ string, was []byte) error {
		return overwrite(path, len(was)/2, []byte{was[len(was)/2] ^ 0x80})
	}},
	{"another bit turned", false, func(path, _ string, was []byte) error {
		return overwrite(path, len(was)/4, []byte{was[len(was)/4] ^ 0x01})
	}},
	{"garbage behind it", false, func(path, _ string, was []byte) error {
		return overwrite(path, len(was), []byte("\x00\xff]]garbage\x1b]2;x\a"))
	}},
	{"twice", false, func(path, _ string, was []byte) error { return overwrite(path, len(was), was) }},
	{"changed for another", false, func(path, other string, was []byte) error {
		b, err := os.ReadFile(other)
		return errors.Join(err, os.WriteFile(path, b, 0o600))
	}},
	{"not UTF-8", false, func(path, _ string, was []byte) error {
		return os.WriteFile(path, bytes.ReplaceAll(was, []byte("e"), []byte{0xe9}), 0o600)
	}},
	{"of a newer build", false, func(path, _ string, was []byte) error {
		return os.WriteFile(path, bytes.ReplaceAll(was, []byte("format = 1\n"), []byte("format = 99\n")), 0o600)
	}},
	{"open to others", false, func(path, _ string, _ []byte) error { return os.Chmod(path, 0o666) }},
	{"another user's", true, func(path, _ string, _ []byte) error { return os.Chown(path, 12345, 12345) }},
	{"a link", false, func(path, _ string, was []byte) error {
		aside := path + ".aside"
		return errors.Join(os.Rename(path, aside), os.Symlink(aside, path))
	}},
	{"a second name", false, func(path, _ string, was []byte) error { return os.Link(path, path+".aside") }},
	{"a directory", false, func(path, _ string, _ []byte) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) }},
	{"a pipe", false, func(path, _ string, _ []byte) error { return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o600)) }},
	{"gone", false, func(path, _ string, _ []byte) error { return os.Remove(path) }},
}

func overwrite(path string, at int, b []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(b, int64(at))
	return errors.Join(err, f.Close())
}

// looks is what a file is: kind, mode, owner, content.
func looks(path string) string {
	var st unix.Stat_t
	if err := unix.Lstat(path, &st); err != nil {
		return err.Error()
	}
	text := fmt.Sprintf("%o %d %d", st.Mode, st.Uid, st.Nlink)
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		b, err := os.ReadFile(path)
		text += fmt.Sprintf(" %q %v", b, err)
	case unix.S_IFLNK:
		to, err := os.Readlink(path)
		text += fmt.Sprintf(" %q %v", to, err)
	}
	return text
}

// content is that of a plain file, nil for anything else.
func content(path string) []byte {
	if st, err := os.Lstat(path); err != nil || !st.Mode().IsRegular() {
		return nil
	}
	b, _ := os.ReadFile(path)
	return b
}

// TestEveryHarmToEveryFile: whatever becomes of any one file of a state directory, everything that is not in it is restored, a restore leaves it as it
// is, and so does a save that would be kept beside it.
func TestEveryHarmToEveryFile(t *testing.T) {
	model := t.TempDir()
	first, second := newTwin(1, 2), (*twin)(nil)
	c := newClock()
	{
		s := open(t, filepath.Join(model, "state"), c.options(nil))
		s.Latest()
		first.output(1, 20)
		first.output(2, 9)
		save(t, s, first, Structural)
		check(t, s.WriteReport(&resurrect.Report{}))
		second = first.clone()
		c.advance(time.Hour)
		second.output(1, 5)
		second.output(2, 5)
		rename(second, "second")
		save(t, s, second, Structural)
		s.Close()
	}
	var files []string
	check(t, filepath.WalkDir(filepath.Join(model, "state"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(filepath.Join(model, "state"), path)
			files = append(files, name)
		}
		return err
	}))
	if len(files) < 8 { // two workspaces, for each pane one history and two screens, the report
		t.Fatalf("only %q", files)
	}
	for _, name := range files {
		for _, h := range harms {
			t.Run(name+"/"+h.name, func(t *testing.T) {
				if h.root && os.Getuid() != 0 {
					t.Skip("only root can give a file away")
				}
				dir := filepath.Join(t.TempDir(), "state")
				check(t, os.CopyFS(dir, os.DirFS(filepath.Join(model, "state"))))
				check(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
					if err == nil && d.IsDir() {
						return os.Chmod(path, 0o700)
					}
					return errors.Join(err, os.Chmod(path, 0o600))
				}))
				harmed := filepath.Join(dir, name)
				was, err := os.ReadFile(harmed)
				check(t, err)
				check(t, h.do(harmed, filepath.Join(dir, likeThat(files, name)), was))
				before, harm := looks(harmed), content(harmed)

				s, err := Open(dir, c.options(nil))
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				ws, notes, err := s.Latest()
				if err != nil {
					t.Fatalf("nothing is restored: %v", err)
				}
				want := second
				if ws.Generation == 1 {
					want = first
				}
				if ws.Generation == 1 && name != workspaceFile {
					t.Errorf("an older generation is restored: %v", notes)
				}
				if before != looks(filepath.Join(model, "state", name)) && ws.Generation == 1 && len(notes) == 0 && h.name != "changed for another" {
					t.Error("an older generation is restored, and nobody is told")
				}
				if ws.PaneCount() != 2 {
					t.Fatalf("%d panes", ws.PaneCount())
				}
				for _, p := range ws.Sessions[0].Windows[0].Panes {
					mine := strings.HasPrefix(name, filepath.Join(panesDir, p.UID)+"/")
					lines, err := s.ReadHistory(p, 0)
					if whole := err == nil && slices.Equal(lines, want.panes[p.UID].lines); !whole && !(mine && strings.Contains(name, "hist")) {
						t.Errorf("history of %s: %d lines, %v", p.UID, len(lines), err)
					} else if !whole && err == nil && !strings.Contains(h.name, "bit") && h.name != "changed for another" && h.name != "not UTF-8" {
						t.Errorf("history of %s is another, and nothing is said", p.UID)
					}
					scr, err := s.ReadScreen(p)
					if whole := err == nil && slices.Equal(scr.Main, want.panes[p.UID].screen.Main); !whole && !(mine && strings.HasSuffix(name, "/"+p.Screen)) {
						t.Errorf("screen of %s: %v", p.UID, err)
					}
				}
				if looks(harmed) != before {
					t.Errorf("the restore has changed it:\n%s\nbefore\n%s", looks(harmed), before)
				}
				next := want.clone()
				for _, p := range next.panes {
					p.low, p.reset = 0, false
				}
				c.advance(time.Hour)
				next.output(2, 3)
				rename(next, "third")
				err = s.Commit(next.ws, next.data(), Structural)
				var blocked *BlockedError
				if err != nil && !(name == workspaceFile && errors.As(err, &blocked)) {
					t.Errorf("the next save: %v", err)
				}
				if now := looks(harmed); now != before && h.name != "gone" && (name != workspaceFile || err != nil) {
					// Behind the end that generations name, a history's last segment is cut off and goes on.
					published := harm[:min(len(harm), len(was))]
					if !strings.Contains(name, "hist") || !bytes.HasPrefix(content(harmed), published) {
						t.Errorf("the next save has changed it:\n%s\nbefore\n%s", now, before)
					}
				}
				ws, _, lerr := s.Latest()
				if lerr != nil {
					t.Fatalf("after the next save: %v", lerr)
				}
				if err == nil {
					want = next
				}
				for _, p := range ws.Sessions[0].Windows[0].Panes {
					if strings.HasPrefix(name, filepath.Join(panesDir, p.UID)+"/") {
						continue
					}
					if lines, err := s.ReadHistory(p, 0); err != nil || !slices.Equal(lines, want.panes[p.UID].lines) {
						t.Errorf("after the next save, history of %s: %d lines, %v", p.UID, len(lines), err)
					}
				}
			})
		}
	}
}

// likeThat is another file of the same kind, or else of any.
func likeThat(files []string, name string) string {
	base := filepath.Base(name)
	for _, f := range files {
		if f != name && filepath.Base(f)[:4] == base[:4] {
			return f
		}
	}
	for _, f := range files {
		if f != name && filepath.Ext(f) == filepath.Ext(name) {
			return f
		}
	}
	return files[0]
}
