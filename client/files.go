package client

import (
	"errors"
	"io"
	"os"

	"stet/server/wire"
)

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
	in, err := f.stdin, error(nil)
	if m.Path != "-" {
		in, err = os.Open(m.Path)
	}
	if err != nil {
		f.answer(wire.FileData{ID: m.ID, Last: true, Err: reason(err)})
		return
	}
	go f.read(m.ID, in)
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
		out, err = create(m.Path, m.Append)
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

func create(path string, more bool) (*os.File, error) {
	how := os.O_TRUNC
	if more {
		how = os.O_APPEND
	}
	return os.OpenFile(path, os.O_WRONLY|os.O_CREATE|how, 0o666)
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
