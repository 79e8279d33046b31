package client

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"stet/server/wire"
)

// pipeTime is how long a pipe may have nobody at its other end. Who has made one by hand gets there in it, and
// a pipe that was forgotten is told.
const pipeTime = 10 * time.Second

// files carries out what a server asks of files for a command line. Its own calls are those of the
// goroutine that reads the connection; each file that is read has a goroutine, since standard input may
// keep it waiting, which ends with the file, with the connection, or with the process.
type files struct {
	stdin *os.File
	link  *link
	open  map[int]*os.File // being written
}

// take carries out one message.
func (f *files) take(m wire.File) {
	if m.Write {
		f.write(m)
		return
	}
	go func() {
		in, err := f.stdin, error(nil)
		if m.Path != "-" {
			in, err = openToRead(m.Path, pipeTime)
		}
		if err != nil {
			f.answer(wire.FileData{ID: m.ID, Last: true, Err: reason(err)})
			return
		}
		f.read(m.ID, in)
	}()
}

// openToRead opens a file, and waits at most so long for somebody to write to a pipe. A pipe without a name
// (that of a shell's <(command) ) never makes it wait.
func openToRead(path string, patience time.Duration) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
		return os.Open(path)
	}
	type opened struct {
		f   *os.File
		err error
	}
	got, late := make(chan opened), make(chan struct{})
	go func() {
		f, err := os.Open(path)
		select {
		case got <- opened{f, err}:
		case <-late:
			f.Close()
		}
	}()
	select {
	case o := <-got:
		return o.f, o.err
	case <-time.After(patience):
	}
	close(late)
	// A writer wakes whoever waits in open. It fails where the pipe may not be written to: then the goroutine
	// ends with the process, which is done after this command.
	if w, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
		w.Close()
	}
	return nil, errors.New("it is a pipe, and nobody writes to it")
}

// read sends a file in pieces, as fast as the server takes them.
func (f *files) read(id int, in *os.File) {
	defer in.Close()
	buf := make([]byte, wire.FileChunk)
	for {
		n, err := in.Read(buf)
		m := wire.FileData{ID: id, Data: buf[:n]}
		if err != nil {
			m.Last = true
			if !errors.Is(err, io.EOF) {
				m.Err = reason(err)
			}
		}
		if f.answer(m) != nil || m.Last || !f.link.room() {
			return
		}
	}
}

// write takes a piece of a file that is written, and answers the last one.
func (f *files) write(m wire.File) {
	out, begun := f.open[m.ID]
	if begun && out == nil {
		return // it has failed, and that was told
	}
	var err error
	if !begun {
		out, err = openToWrite(m.Path, m.Append, pipeTime)
	}
	if err == nil {
		_, err = out.Write(m.Data)
	}
	if err == nil && !m.Last {
		f.open[m.ID] = out
		return
	}
	f.open[m.ID] = nil
	if out != nil {
		err = errors.Join(err, out.Close())
	}
	a := wire.FileData{ID: m.ID, Last: true}
	if err != nil {
		a.Err = reason(err)
	}
	f.answer(a)
}

// openToWrite makes or opens a file, and waits at most so long for somebody to read a pipe.
func openToWrite(path string, more bool, patience time.Duration) (*os.File, error) {
	how := os.O_TRUNC
	if more {
		how = os.O_APPEND
	}
	for end := time.Now().Add(patience); ; time.Sleep(patience / 200) {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|syscall.O_NONBLOCK|how, 0o666)
		if !errors.Is(err, syscall.ENXIO) { // no reader yet
			return f, err
		}
		if info, err := os.Stat(path); err != nil || info.Mode()&fs.ModeNamedPipe == 0 {
			return nil, syscall.ENXIO
		}
		if time.Now().After(end) {
			return nil, errors.New("it is a pipe, and nobody reads it")
		}
	}
}

func (f *files) answer(m wire.FileData) error { return f.link.wire.Send(wire.KindFileData, m) }

// reason is what the system says, without the call and the name.
func reason(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
