package server

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"stet/config"
	"stet/server/command"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/wire"
)

// fileTime is how long the server itself waits for a file that is none on a disk.
const fileTime = 30 * time.Second

// transfer is a file that a client is asked to read or write.
type transfer struct {
	data  []byte
	limit int
	done  func([]byte, error)

	pours bool // shown in a pane as it comes; see Server.PourInput
	into  model.PaneID
}

// ReadFile reads a file where a client is.
func (s *Server) ReadFile(id command.ClientID, path string, limit int, done func([]byte, error)) {
	c := s.clients[id]
	if c == nil || c.info.Attached() || c.attaching {
		if path == "-" {
			s.loop.post(func() { done(nil, errors.New("there is no standard input here")) })
			return
		}
		s.ownFile(func() ([]byte, error) { return readFile(s.beside(c, path), limit) }, done)
		return
	}
	if n, err := c.transfer(limit, done); err != nil {
		s.loop.post(func() { done(nil, err) })
	} else {
		c.say(wire.KindFile, wire.File{ID: n, Path: path})
	}
}

// MatchFiles finds the files of a pattern without holding up the loop.
func (s *Server) MatchFiles(pattern string, limit int, done func([]string, error)) {
	go func() {
		list, err := config.Glob(pattern)
		s.loop.post(func() { done(list[:min(len(list), limit)], err) })
	}()
}

// WriteFile writes a file where a client is.
func (s *Server) WriteFile(id command.ClientID, path string, data []byte, more bool, done func(error)) {
	c, end := s.clients[id], func(_ []byte, err error) { done(err) }
	if c == nil || c.info.Attached() || c.attaching {
		s.ownFile(func() ([]byte, error) { return nil, writeFile(s.beside(c, path), data, more) }, end)
		return
	}
	n, err := c.transfer(0, end)
	if err != nil {
		s.loop.post(func() { done(err) })
		return
	}
	m := wire.File{ID: n, Path: path, Write: true, Append: more}
	for {
		k := min(len(data), wire.FileChunk)
		m.Data, data = data[:k], data[k:]
		m.Last = len(data) == 0
		c.say(wire.KindFile, m)
		if m.Last {
			return
		}
		m = wire.File{ID: n, Write: true}
	}
}

// transfer gives a file a number.
func (c *client) transfer(limit int, done func([]byte, error)) (int, error) {
	if !c.conn.Hello.Files {
		return 0, errors.New("this client is of an older build, which passes no files")
	}
	c.lastFile++
	if c.files == nil {
		c.files = map[int]*transfer{}
	}
	c.files[c.lastFile] = &transfer{limit: limit, done: done}
	return c.lastFile, nil
}

// fileSays takes a piece of a file from a client. It returns the pane that has to take it before there can be
// more; nil for none.
func (s *Server) fileSays(c *client, m wire.FileData) *pane.Pane {
	t := c.files[m.ID]
	if t == nil {
		return nil
	}
	if t.pours {
		return s.pour(c, t, m)
	}
	var err error
	switch {
	case m.Err != "":
		err = errors.New(m.Err)
	case len(t.data)+len(m.Data) > t.limit:
		err = tooLarge(t.limit)
	default:
		t.data = append(t.data, m.Data...)
	}
	if err == nil && !m.Last {
		return nil
	}
	delete(c.files, m.ID)
	t.done(t.data, err)
	return nil
}

// dropFiles ends what a client that has gone was asked for.
func (c *client) dropFiles() {
	for id, t := range c.files {
		delete(c.files, id)
		t.done(nil, errors.New("the client has gone"))
	}
}

// Write gives a command line bytes for its standard output.
func (s *Server) Write(id command.ClientID, data []byte) {
	c := s.clients[id]
	if c == nil || c.info.Attached() {
		s.print(id, strings.TrimSuffix(string(data), "\n"), false)
		return
	}
	for len(data) > 0 {
		n := min(len(data), wire.FileChunk)
		c.say(wire.KindOutput, wire.Output{Text: data[:n]})
		data = data[n:]
	}
}

// ownFile does something with a file without holding up the loop.
func (s *Server) ownFile(work func() ([]byte, error), done func([]byte, error)) {
	go func() {
		data, err := work()
		s.loop.post(func() { done(data, err) })
	}()
}

// beside is a path as a client means it.
func (s *Server) beside(c *client, path string) string {
	if filepath.IsAbs(path) || c == nil {
		return path
	}
	return filepath.Join(c.info.Cwd, path)
}

// readFile reads a bounded file, and gives up one that has nothing to say.
func readFile(path string, limit int) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, plainReason(err)
	}
	defer f.Close()
	_ = f.SetReadDeadline(time.Now().Add(fileTime)) // a file on a disk has no deadline, and needs none
	b, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	switch {
	case err != nil:
		return nil, plainReason(err)
	case len(b) > limit:
		return nil, tooLarge(limit)
	case len(b) == 0:
		if info, err := f.Stat(); err == nil && info.Mode()&os.ModeNamedPipe != 0 {
			return nil, errors.New("it is a pipe, and nobody writes to it")
		}
	}
	return b, nil
}

func writeFile(path string, data []byte, more bool) error {
	how := os.O_TRUNC
	if more {
		how = os.O_APPEND
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|syscall.O_NONBLOCK|how, 0o666)
	if err != nil {
		return plainReason(err)
	}
	_ = f.SetWriteDeadline(time.Now().Add(fileTime))
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		return plainReason(err)
	}
	return nil
}

func tooLarge(limit int) error { return fmt.Errorf("more than %d bytes are too much", limit) }

// plainReason is what the system says, without the call and the name.
func plainReason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
