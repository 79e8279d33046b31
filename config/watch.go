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

// GoneError says that a configuration that was there has been taken away.
type GoneError struct{ Path string }

func (e *GoneError) Error() string {
	return e.Path + " is gone: what it said stays in force while this server runs; an empty file takes it back"
}

// Watcher reads a configuration again when its file, or one that it includes,
// changes. Its goroutine owns everything but the channel and ends with Close.
//
// It watches directories, not files, so that a file replaced by renaming
// another one over it is followed, as are symbolic links anywhere on the path,
// files that come to match a pattern, and directories that do not exist yet.
// A file that goes away and comes back, as when an editor writes it, is no
// news.
type Watcher struct {
	path    string
	opts    Options
	notify  *fsnotify.Watcher
	updates chan Update
	stop    chan struct{}
	done    chan struct{}

	// Of the goroutine.
	sum    [sha256.Size]byte // of what was delivered last
	some   bool              // sum is of something
	fail   string            // the last error delivered that was not about contents
	had    bool              // there has been a file
	absent time.Time         // since when a file that must be there is not
	empty  int               // files without a byte, of what was delivered last
	seen   *seen             // of the last loading
	dirs   map[string]map[string]bool
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
		updates: make(chan Update, 1), stop: make(chan struct{}), done: make(chan struct{}), seen: &seen{},
	}
	w.seen.note(path)
	if have != nil {
		w.sum, w.some, w.had = have.sum, true, true
		for _, f := range have.Files { // look notes them all, but a change before it must not be missed
			w.seen.note(f.Path)
		}
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
// reading, but not later than patience after the first step. A file that is not
// there may be on its way for so long, too.
const (
	settle   = 30 * time.Millisecond
	patience = time.Second
)

func (w *Watcher) run() {
	defer close(w.done)
	defer close(w.updates)
	quiet := time.NewTimer(0) // look at once
	defer quiet.Stop()
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
			again := w.look(time.Now())
			switch {
			case w.follow(): // files were named that had not been watched: they may have changed before they were, without an event
				quiet.Reset(settle)
			case again == 0:
				since = time.Time{}
			case again == settle && !since.IsZero() && time.Since(since) > patience:
				since = time.Time{} // it changes all the time; it comes to rest with an event
			default:
				quiet.Reset(again)
			}
		}
	}
}

// concerns tells whether an event is about something the path goes through.
func (w *Watcher) concerns(e fsnotify.Event) bool {
	base := filepath.Base(e.Name)
	for name := range w.dirs[filepath.Dir(e.Name)] {
		if ok, _ := filepath.Match(name, base); ok || name == base {
			return true
		}
	}
	// A directory watched has itself gone or moved.
	_, watched := w.dirs[e.Name]
	return watched && e.Op&(fsnotify.Remove|fsnotify.Rename) != 0
}

// follow brings the directories watched in line with where the paths lead, and tells whether there are others
// than before.
func (w *Watcher) follow() (changed bool) {
	want := w.seen.places()
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
	changed = !maps.EqualFunc(have, w.dirs, maps.Equal)
	w.dirs = have
	return changed
}

// maxWatched bounds the directories that one pattern makes a Watcher watch.
const maxWatched = 1000

// steps adds the directories in which a change can make a path or a pattern lead
// to other files, and in each the names that matter: those that hold the file, a
// symbolic link on the way, the first part that does not exist, or a part of a
// pattern.
func steps(path string, out map[string]map[string]bool) {
	links, left := 0, maxWatched
	walk("/", strings.Split(strings.TrimPrefix(filepath.Clean(path), "/"), "/"), out, &links, &left)
}

func walk(dir string, rest []string, out map[string]map[string]bool, links, left *int) {
	note := func(dir, name string) {
		if out[dir] == nil {
			out[dir] = make(map[string]bool)
		}
		out[dir][name] = true
	}
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			dir = filepath.Dir(dir)
			continue
		}
		if strings.ContainsAny(name, "*?[") {
			note(dir, name)
			all, _ := filepath.Glob(filepath.Join(dir, name))
			for _, at := range all {
				if *left--; *left < 0 {
					return
				}
				if info, err := os.Lstat(at); err == nil && (info.IsDir() && len(rest) > 0 || info.Mode()&fs.ModeSymlink != 0) {
					walk(dir, append([]string{filepath.Base(at)}, rest...), out, links, left)
				}
			}
			return
		}
		full := filepath.Join(dir, name)
		info, err := os.Lstat(full)
		switch {
		case err != nil || len(rest) == 0 && info.Mode()&fs.ModeSymlink == 0:
			note(dir, name)
			return
		case info.Mode()&fs.ModeSymlink != 0:
			note(dir, name)
			target, err := os.Readlink(full)
			if *links++; err != nil || *links > 40 {
				return
			}
			if filepath.IsAbs(target) {
				dir = "/"
			}
			rest = append(strings.Split(target, "/"), rest...)
		default:
			dir = full
		}
	}
}

// look reads the files and delivers what is new. It returns when to look again: 0 not before something
// happens.
func (w *Watcher) look(now time.Time) (again time.Duration) {
	at := &seen{}
	at.note(w.path)
	defer func() { w.seen = at }()
	text, err := disk{}.read(w.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !w.had:
		return 0
	case errors.Is(err, fs.ErrNotExist):
		if again = w.missing(now); again == 0 {
			w.failed(&GoneError{w.path})
		}
		return again
	case err != nil:
		w.had = true
		w.failed(readError(w.path, err))
		return 0
	}
	w.had = true
	l := &loading{opts: w.opts, from: disk{}, seen: at, c: &Config{Path: w.path}}
	l.file(text, w.path, nil)
	l.finish()
	if !at.stands() {
		return settle // it was changing under our eyes
	}
	empty := 0
	for _, f := range l.c.Files {
		if f.Text == "" {
			empty++
		}
	}
	// Many an editor empties a file before it writes it.
	if at.missing || w.some && empty > w.empty {
		if again = w.missing(now); again > 0 {
			return again
		}
	}
	w.absent, w.empty = time.Time{}, empty
	w.fail = ""
	if w.some && l.c.sum == w.sum {
		return 0
	}
	w.sum, w.some = l.c.sum, true
	if len(l.errs) > 0 {
		w.deliver(Update{Err: l.errs})
	} else {
		w.deliver(Update{Config: l.c})
	}
	return 0
}

// missing notes that a file that must be there is not, and returns how long it may still come.
func (w *Watcher) missing(now time.Time) time.Duration {
	if w.absent.IsZero() {
		w.absent = now
	}
	return max(w.absent.Add(patience).Sub(now), 0)
}

// failed delivers an error that is not about what is in the files, once.
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
