package server

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
)

// historyFile writes what was typed at prompts beside the loop: one write at a time, and of texts that
// come meanwhile only the last. The zero value is ready.
type historyFile struct {
	wg   sync.WaitGroup // the goroutine that writes, while there is one
	mu   sync.Mutex
	busy bool
	next *historyText // nil: nothing waits
}

type historyText struct{ path, text string }

// write puts text at path soon, and tells failed what went wrong, from another goroutine.
func (f *historyFile) write(path, text string, failed func(error)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.next = &historyText{path, text}
	if f.busy {
		return
	}
	f.busy = true
	f.wg.Go(func() {
		for t := f.take(); t != nil; t = f.take() {
			if err := writePrivate(t.path, t.text); err != nil {
				failed(err)
			}
		}
	})
}

// take is what waits; nil ends the goroutine.
func (f *historyFile) take() *historyText {
	f.mu.Lock()
	defer f.mu.Unlock()
	t := f.next
	f.next = nil
	f.busy = t != nil
	return t
}

// wait returns when everything is written.
func (f *historyFile) wait() { f.wg.Wait() }

// writePrivate puts a file in another's place, so that there is always a whole one; nobody else may read
// it.
func writePrivate(path, text string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return plainReason(err)
	}
	_, err = f.WriteString(text) // CreateTemp has made it 0600
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return plainReason(err)
	}
	return nil
}
