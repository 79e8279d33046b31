package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// tempName is what a file is called until it is whole. There is one writer, so
// a fixed name is enough, and what a crash left behind is found again.
func tempName(name string) string { return "." + name + ".tmp" }

func isTemp(name string) bool {
	return strings.HasPrefix(name, ".") && strings.HasSuffix(name, ".tmp")
}

// published tells how far a publication got when it failed.
type published uint8

const (
	notYet  published = iota // the old file is in its place
	unknown                  // the rename failed; either file may be there
	visible                  // the new file is in its place, but a power failure may bring the old one back
	durable
)

// publish puts data under name in the directory, whole or not at all. path is
// the directory's path in errors, and steps name what is written.
func publish(d Dir, path, name, what string, data []byte) (published, error) {
	temp := tempName(name)
	fail := func(step string, err error) error {
		return &CommitError{Step: step + " " + what, File: path + name, Err: err}
	}
	if step, err := writeNew(d, temp, data); err != nil {
		// When this fails too, the next Open tidies; one message is enough.
		_ = remove(d, temp)
		return notYet, fail(step, err)
	}
	if err := again(func() error { return d.Rename(temp, name) }); err != nil {
		_ = remove(d, temp)
		return unknown, fail("publish", err)
	}
	if err := again(d.Sync); err != nil {
		return visible, &CommitError{Step: "sync directory of", File: path + name, Err: err}
	}
	return durable, nil
}

// writeNew writes a new file and makes its contents durable; the name is not
// durable until the directory is synced. After an error the file may be there.
func writeNew(d Dir, name string, data []byte) (step string, err error) {
	var f File
	create := func() (err error) { f, err = d.Create(name); return err }
	err = again(create)
	if errors.Is(err, fs.ErrExist) {
		// Left by a crash, under a name that nothing refers to.
		if err = remove(d, name); err == nil {
			err = again(create)
		}
	}
	if err != nil {
		return "create", err
	}
	if err = writeAt(f, data, 0); err != nil {
		f.Close()
		return "write", err
	}
	// An error of fsync is final for the file: the kernel may have dropped the
	// pages and would report success the next time. So it is never repeated on
	// the same file, and the next attempt writes a new one.
	if err = again(f.Sync); err != nil {
		f.Close()
		return "sync", err
	}
	size, err := f.Size()
	if err == nil && size != int64(len(data)) {
		err = fmt.Errorf("%d bytes were written and %d are there", len(data), size)
	}
	if err != nil {
		f.Close()
		return "check", err
	}
	if err = closeFile(f); err != nil {
		return "close", err
	}
	return "", nil
}

// tidy removes temporary files in a directory.
func tidy(d Dir) error {
	names, err := d.Names()
	if err != nil {
		return err
	}
	for _, n := range names {
		if isTemp(n) {
			err = errors.Join(err, remove(d, n))
		}
	}
	return err
}
