package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"stet/resurrect"
)

// Latest gives the newest readable generation, and notes about what is not as
// it should be. A workspace.toml that cannot be read is left as it is, an older
// generation stands in with a note that says so, and the store is blocked. With
// nothing saved it is ErrNone; when something is saved and nothing of it can be
// read, it is the *[BlockedError], or the error about the newest generation.
//
// After Latest, Commit is allowed: whoever calls it decides what is restored.
func (s *Store) Latest() (*resurrect.Workspace, []Note, error) {
	if s.closed {
		return nil, nil, ErrClosed
	}
	s.decided = true
	if s.o.ReadOnly {
		s.load()
	}
	if s.pub != nil {
		return s.pub.Clone(), s.verify(s.pub), nil
	}
	var notes []Note
	var why error
	if s.blocked != nil {
		why = s.blocked
		notes = append(notes, note(workspaceFile, s.blocked.Err, "it is left as it is, and nothing is saved until it is moved away"))
	}
	numbers, err := s.oldNumbers()
	if err != nil {
		return nil, notes, errors.Join(why, fmt.Errorf("list generations: %w", err))
	}
	for _, n := range slices.Backward(numbers) {
		ws, err := s.readOld(n)
		if err != nil {
			notes = append(notes, note(generationsDir+"/"+generationFile(n), err, "it is left as it is"))
			if why == nil {
				why = err
			}
			continue
		}
		text := fmt.Sprintf("generation %d, saved %s, stands in", n, ws.SavedAt.Local().Format("2006-01-02 15:04:05"))
		if s.blocked == nil {
			text = "is not there; " + text
		}
		notes = append(notes, Note{File: workspaceFile, Text: text})
		return ws, append(notes, s.verify(ws)...), nil
	}
	if why == nil {
		why = ErrNone
	}
	return nil, notes, why
}

// note makes a Note of an error about a file.
func note(file string, err error, also string) Note {
	n := Note{File: file, Text: err.Error()}
	var fe *resurrect.FileError
	var re *RefusedError
	switch {
	case errors.As(err, &fe):
		n.Line, n.Text = fe.Line, fe.Why
	case errors.As(err, &re):
		n.Text = "refused: " + re.Why
	default:
		n.Text = "cannot be read: " + cause(err).Error()
	}
	if also != "" {
		n.Text += "; " + also
	}
	return n
}

// verify looks whether the files that a generation names are there and long
// enough. What is missing costs the pane its screen or its lines, not its place.
func (s *Store) verify(ws *resurrect.Workspace) []Note {
	var notes []Note
	panes, perr := openDir(s.root, panesDir, false)
	if perr == nil {
		defer panes.Close()
	}
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if p.Screen == "" && len(p.History) == 0 {
			return
		}
		path := panesDir + "/" + p.UID
		add := func(file string, err error) {
			n := note(file, err, "")
			n.UID = p.UID
			notes = append(notes, n)
		}
		if perr != nil {
			add(path, perr)
			return
		}
		d, err := openDir(panes, p.UID, false)
		if err != nil {
			add(path, err)
			return
		}
		defer d.Close()
		if p.Screen != "" {
			if _, err := sizeOf(d, p.Screen); err != nil {
				add(path+"/"+p.Screen, err)
			}
		}
		for _, r := range p.History {
			size, err := sizeOf(d, r.Segment)
			if err == nil && size < r.To {
				err = &resurrect.FileError{Why: fmt.Sprintf("ends at byte %d, should reach %d", size, r.To)}
			}
			if err != nil {
				add(path+"/"+r.Segment, err)
			}
		}
	})
	return notes
}

func sizeOf(d Dir, name string) (int64, error) {
	f, err := openFile(d, name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return f.Size()
}

// paneDir opens the directory of a pane for reading.
func (s *Store) paneDir(uid string) (Dir, error) {
	if s.closed {
		return nil, ErrClosed
	}
	if !resurrect.ValidUID(uid) {
		return nil, &RefusedError{Name: uid, Why: "it names no pane"}
	}
	panes, err := openDir(s.root, panesDir, false)
	if err != nil {
		return nil, err
	}
	defer panes.Close()
	return openDir(panes, uid, false)
}

// ReadScreen reads the screen that the pane's generation names. It is ErrNone
// when it names none.
func (s *Store) ReadScreen(p resurrect.Pane) (*resurrect.Screen, error) {
	if p.Screen == "" {
		return nil, ErrNone
	}
	path := panesDir + "/" + p.UID + "/" + p.Screen
	d, err := s.paneDir(p.UID)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer d.Close()
	data, err := readFile(d, p.Screen, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	scr, err := resurrect.DecodeScreen(path, data)
	if err != nil {
		return nil, err
	}
	if scr.Pane != p.UID {
		return nil, &resurrect.FileError{File: path, Why: fmt.Sprintf("holds the screen of pane %s", scr.Pane)}
	}
	return scr, nil
}

// ReadHistory reads the newest maxLines lines of the pane's history, oldest
// first; 0 means all. Lines are text with SGR and OSC 8, as they were given to
// Commit. When some cannot be read, it gives the others and an error that says
// which are missing, so that nothing is lost silently.
func (s *Store) ReadHistory(p resurrect.Pane, maxLines int) ([]string, error) {
	total := p.HistoryLines()
	if total == 0 {
		return nil, nil
	}
	drop := 0
	if maxLines > 0 {
		drop = max(0, total-maxLines)
	}
	d, err := s.paneDir(p.UID)
	if err != nil {
		return nil, fmt.Errorf("read history of pane %s: %w", p.UID, err)
	}
	defer d.Close()
	var lines []string
	var errs []error
	for _, r := range p.History {
		n := min(drop, r.Lines-r.Skip)
		drop -= n
		r.Skip += n
		if r.Skip >= r.Lines {
			continue
		}
		got, err := readLines(d, r)
		lines = append(lines, got...)
		if err != nil {
			errs = append(errs, &resurrect.FileError{File: panesDir + "/" + p.UID + "/" + r.Segment,
				Why: fmt.Sprintf("%d of %d lines cannot be read: %v", r.Lines-r.Skip-len(got), r.Lines-r.Skip, cause(err)), Err: err})
		}
	}
	return lines, errors.Join(errs...)
}

// readLines reads the lines of one range. Lines that are whole are given even
// when others are not.
func readLines(d Dir, r resurrect.Range) ([]string, error) {
	p, err := readRange(d, r)
	if err == nil && int64(len(p)) < r.To-r.From {
		err = fmt.Errorf("the file ends %d bytes early", r.To-r.From-int64(len(p)))
	}
	at, ok := offsetOf(p, r.Skip)
	if !ok {
		return nil, errors.Join(err, errors.New("it holds fewer lines than it should"))
	}
	p = p[at:]
	// The bytes bound the lines, whatever the range says.
	lines := make([]string, 0, min(r.Lines-r.Skip, len(p)))
	for len(lines) < r.Lines-r.Skip {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			break
		}
		lines = append(lines, strings.ToValidUTF8(parseLine(p[:i]), "\uFFFD"))
		p = p[i+1:]
	}
	switch {
	case err != nil:
	case len(lines) < r.Lines-r.Skip:
		err = errors.New("it holds fewer lines than it should")
	case len(p) > 0:
		err = errors.New("it holds more than it should")
	}
	return lines, err
}

// WriteReport keeps the report of a start, for asking afterwards.
func (s *Store) WriteReport(r *resurrect.Report) error {
	if err := s.writable(); err != nil {
		return err
	}
	data, err := r.JSON()
	if err != nil {
		return err
	}
	_, err = publish(s.root, "", reportFile, "report", data)
	return err
}

// ReadReport reads the report of the last start; ErrNone when there is none.
func (s *Store) ReadReport() (*resurrect.Report, error) {
	if s.closed {
		return nil, ErrClosed
	}
	data, err := readFile(s.root, reportFile, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNone
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", reportFile, err)
	}
	return resurrect.ParseReport(reportFile, data)
}
