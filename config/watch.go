package config

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Update is what a Watcher delivers: a new Config, or why there is none. With
// an error the last good Config stays in force.
type Update struct {
	Config *Config
	Err    error
}

// Watcher reads a configuration file again when it changes. Its goroutine owns
// everything but the channel and ends with Close.
//
// It watches directories, not the file, so that a file replaced by renaming
// another one over it is followed, as are symbolic links anywhere on the path
// and directories that do not exist yet. A file that goes away is no news:
// what it said stays in force until it is back.
type Watcher struct {
	path    string
	opts    Options
	notify  *fsnotify.Watcher
	updates chan Update
	stop    chan struct{}
	done    chan struct{}

	// Of the goroutine.
	sum  [sha256.Size]byte // of what was delivered last
	some bool              // sum is of something
	fail string            // the last error delivered that was not about contents
	dirs map[string]map[string]bool
}

// Watch begins to watch a file. have is the Config the caller has from it, or
// nil; a file that says something else than that by now is delivered at once.
func Watch(path string, have *Config, o Options) (*Watcher, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("watching the configuration: %w", err)
	}
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, fmt.Errorf("watching the configuration: %w", err)
	}
	w := &Watcher{
		path: path, opts: o, notify: n,
		updates: make(chan Update, 1), stop: make(chan struct{}), done: make(chan struct{}),
	}
	if have != nil {
		w.sum, w.some = have.sum, true
	}
	go w.run()
	return w, nil
}

// Updates is where news arrive. Only the newest is kept for a reader that is
// late. The channel is closed by Close.
func (w *Watcher) Updates() <-chan Update { return w.updates }

// Close ends the watching and returns when the goroutine has. It may be called
// once.
func (w *Watcher) Close() error {
	close(w.stop)
	<-w.done
	return w.notify.Close()
}

// Times of the debouncing. An editor writes a file in several steps; it is read
// when nothing has happened for settle and it looks the same before and after
// reading, but not later than patience after the first step.
const (
	settle   = 30 * time.Millisecond
	patience = time.Second
)

func (w *Watcher) run() {
	defer close(w.done)
	defer close(w.updates)
	w.follow()
	w.look()
	quiet := time.NewTimer(0)
	quiet.Stop()
	var since time.Time // of the first change not looked at yet
	for {
		select {
		case <-w.stop:
			return
		case e, ok := <-w.notify.Events:
			if !ok {
				return
			}
			if !w.concerns(e) {
				continue
			}
			now := time.Now()
			if since.IsZero() {
				since = now
			}
			quiet.Reset(min(settle, max(since.Add(patience).Sub(now), 0)))
		case err, ok := <-w.notify.Errors:
			if !ok {
				return
			}
			if errors.Is(err, fsnotify.ErrEventOverflow) {
				quiet.Reset(settle) // changes were lost: look what is there
				continue
			}
			w.failed(fmt.Errorf("watching the configuration: %w", err))
		case <-quiet.C:
			// Directories first: what changes after this is an event again.
			w.follow()
			if w.look() || time.Since(since) > patience {
				since = time.Time{}
				continue
			}
			quiet.Reset(settle)
		}
	}
}

// concerns tells whether an event is about something the path goes through.
func (w *Watcher) concerns(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod {
		return false
	}
	if w.dirs[filepath.Dir(e.Name)][filepath.Base(e.Name)] {
		return true
	}
	// A directory watched has itself gone or moved.
	_, watched := w.dirs[e.Name]
	return watched && e.Op&(fsnotify.Remove|fsnotify.Rename) != 0
}

// follow brings the directories watched in line with where the path leads.
func (w *Watcher) follow() {
	want := steps(w.path)
	for dir := range w.dirs {
		if want[dir] == nil {
			_ = w.notify.Remove(dir) // it may have gone with the directory
		}
	}
	have := maps.Clone(want)
	for dir := range want {
		// Adding again what is watched does nothing, and watches a directory
		// made anew under an old name.
		if err := w.notify.Add(dir); err != nil {
			delete(have, dir)
			if !errors.Is(err, fs.ErrNotExist) {
				w.failed(fmt.Errorf("watching %s: %w", dir, err))
			}
		}
	}
	w.dirs = have
}

// steps returns the directories in which a change can make the path lead to
// another file, and in each the names that matter: those that hold the file, a
// symbolic link on the way, or the first part that does not exist.
func steps(path string) map[string]map[string]bool {
	out := make(map[string]map[string]bool)
	note := func(dir, name string) {
		if out[dir] == nil {
			out[dir] = make(map[string]bool)
		}
		out[dir][name] = true
	}
	dir, rest := "/", strings.Split(strings.TrimPrefix(filepath.Clean(path), "/"), "/")
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			dir = filepath.Dir(dir)
			continue
		}
		full := filepath.Join(dir, name)
		info, err := os.Lstat(full)
		switch {
		case err != nil || len(rest) == 0 && info.Mode()&fs.ModeSymlink == 0:
			note(dir, name)
			return out
		case info.Mode()&fs.ModeSymlink != 0:
			note(dir, name)
			target, err := os.Readlink(full)
			if links++; err != nil || links > 40 {
				return out
			}
			if filepath.IsAbs(target) {
				dir = "/"
			}
			rest = append(strings.Split(target, "/"), rest...)
		default:
			dir = full
		}
	}
	return out
}

// look reads the file and delivers what is new. It is false when the file was
// changing under its eyes.
func (w *Watcher) look() bool {
	before, err := os.Stat(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	text, err := read(w.path)
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		w.failed(err)
		return true
	}
	after, err := os.Stat(w.path)
	if err != nil || before == nil || !os.SameFile(before, after) || before.Size() != after.Size() || !before.ModTime().Equal(after.ModTime()) {
		return false
	}
	w.fail = ""
	sum := sha256.Sum256([]byte(text))
	if w.some && sum == w.sum {
		return true
	}
	w.sum, w.some = sum, true
	c, err := Parse(text, w.path, w.opts)
	w.deliver(Update{c, err})
	return true
}

// failed delivers an error that is not about what is in the file, once.
func (w *Watcher) failed(err error) {
	if err.Error() == w.fail {
		return
	}
	w.fail = err.Error()
	// When the file can be read again it is news, changed or not.
	w.some = false
	w.deliver(Update{Err: err})
}

// deliver puts an update into the channel in place of one not taken yet. Only
// the goroutine sends, so there is room after taking one out.
func (w *Watcher) deliver(u Update) {
	select {
	case <-w.updates:
	default:
	}
	w.updates <- u
}
