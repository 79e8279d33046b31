// Package appear tells when directories that are missing may be there: something was made, moved or mounted
// where they would be. What it says is a hint to look again, and it never looks at anything by the clock. It
// cannot see what happens on another machine's disk.
package appear

import (
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// settle is how long a hint waits for others: a tree that is copied makes many.
const settle = 100 * time.Millisecond

// maxWatched bounds the directories that are watched. Those of more missing ones are looked for when somebody
// asks again.
const maxWatched = 256

// Watcher watches for directories. Its goroutine runs while there is one that is wanted.
type Watcher struct {
	changed func()

	mu     sync.Mutex
	wanted []string // what is to be watched for; nil: nothing
	bell   chan struct{}
	stop   chan struct{} // nil: nothing runs
	done   chan struct{}
}

// New returns a watcher that watches for nothing yet. changed is called from its goroutine.
func New(changed func()) *Watcher { return &Watcher{changed: changed} }

// Watch says which directories are missing; none ends the watching. It does not wait for a disk.
func (w *Watcher) Watch(dirs []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wanted = dirs
	switch {
	case len(dirs) == 0 && w.stop != nil:
		close(w.stop)
		w.stop = nil
	case len(dirs) > 0 && w.stop == nil:
		w.stop, w.done, w.bell = make(chan struct{}), make(chan struct{}), make(chan struct{}, 1)
		go w.run(w.stop, w.done, w.bell)
	case len(dirs) > 0:
		select {
		case w.bell <- struct{}{}:
		default:
		}
	}
}

// Close ends the watching and returns when the goroutine has, unless a disk does not answer it.
func (w *Watcher) Close() {
	w.Watch(nil)
	w.mu.Lock()
	done := w.done
	w.mu.Unlock()
	if done != nil {
		select {
		case <-done:
		case <-time.After(time.Second):
		}
	}
}

func (w *Watcher) run(stop, done, bell chan struct{}) {
	defer close(done)
	notify, err := fsnotify.NewWatcher()
	if err != nil {
		return // whoever asks again looks again
	}
	defer notify.Close()
	mounted := make(chan struct{}, 1)
	end := watchMounts(mounted)
	defer end()
	next := w.follow(notify, nil)
	quiet := time.NewTimer(settle)
	if !there(next) {
		quiet.Stop()
	}
	defer quiet.Stop()
	for {
		select {
		case <-stop:
			return
		case <-bell:
			if next = w.follow(notify, next); there(next) {
				quiet.Reset(settle)
			}
		case e, ok := <-notify.Events:
			if !ok {
				return
			}
			if next[e.Name] || e.Op&(fsnotify.Remove|fsnotify.Rename) != 0 {
				quiet.Reset(settle)
			}
		case <-notify.Errors: // what was lost may have been news
			quiet.Reset(settle)
		case <-mounted:
			quiet.Reset(settle)
		case <-quiet.C:
			next = w.follow(notify, next)
			w.changed()
		}
	}
}

// follow watches, for each missing directory, the nearest one that is there, and returns the names whose
// appearance would be news.
func (w *Watcher) follow(notify *fsnotify.Watcher, before map[string]bool) map[string]bool {
	w.mu.Lock()
	wanted := w.wanted
	w.mu.Unlock()
	next, keep := map[string]bool{}, map[string]bool{}
	for _, dir := range wanted {
		for at := filepath.Clean(dir); filepath.IsAbs(at); {
			up := filepath.Dir(at)
			if up == at || len(keep) >= maxWatched && !keep[up] {
				break
			}
			if st, err := os.Stat(up); err == nil && st.IsDir() && notify.Add(up) == nil {
				next[at], keep[up] = true, true
				break
			}
			at = up
		}
	}
	for at := range before {
		if up := filepath.Dir(at); !keep[up] {
			_ = notify.Remove(up) // it may have gone
		}
	}
	return next
}

// there tells whether something appeared before it was watched for.
func there(next map[string]bool) bool {
	for at := range next {
		if _, err := os.Lstat(at); err == nil {
			return true
		}
	}
	return false
}
