package store

import (
	"errors"
	"fmt"
	"slices"

	"stet/resurrect"
)

const (
	askLines   = 1024      // lines asked for at a time
	flushBytes = 256 << 10 // bytes gathered before a write
)

// saved is what a pane's files will be once the commit is published.
type saved struct {
	screen string
	sum    uint64
	first  uint64
	ranges []resurrect.Range
	// newLast: the last segment was made by this commit, so that nobody else
	// can name anything in it.
	newLast bool
}

// paneWriter writes the files of one pane in a commit.
type paneWriter struct {
	s    *Store
	p    *paneFiles
	dir  Dir
	path string // of dir, with a slash, for errors

	made  []string // files made, to be removed when the commit fails
	dirty bool     // dir has names to be synced
}

// history appends what is not on disk yet and gives the ranges that make up
// the pane's history. The pane has remembered d already.
func (w *paneWriter) history(d PaneData) (uint64, []resurrect.Range, error) {
	p := w.p
	first, ranges := p.first, slices.Clone(p.ranges)
	seal := p.seal
	if p.reset || d.First < first || d.Next < d.First {
		first, ranges, seal = d.First, nil, true
	}
	end := first + uint64(lineCount(ranges))
	upto := min(end, p.low-1)
	if upto < end {
		// Lines came back out of the history. What is on disk behind them may
		// be named by an older generation, so it stays and is no longer used.
		seal = true
		var ok bool
		if ranges, ok = w.cutTail(ranges, int(max(upto, first)-first)); !ok {
			first, ranges, upto = d.First, nil, d.First
		}
	}
	first, ranges = cutFront(first, ranges, d.First)
	if len(ranges) == 0 {
		first, upto, seal = d.First, d.First, true
	}
	if d.Lines == nil || upto >= d.Next {
		return first, ranges, nil
	}
	out := segmentWriter{w: w, ranges: ranges, sealed: seal}
	err := out.lines(d, upto)
	return first, out.ranges, errors.Join(err, out.finish(err))
}

// cutFront drops what lies before a line: whole ranges, and lines to skip at
// the beginning of the first that stays.
func cutFront(first uint64, ranges []resurrect.Range, to uint64) (uint64, []resurrect.Range) {
	for len(ranges) > 0 && first < to {
		r := &ranges[0]
		n := uint64(r.Lines - r.Skip)
		if n <= to-first {
			first += n
			ranges = ranges[1:]
			continue
		}
		r.Skip += int(to - first)
		first = to
	}
	return first, ranges
}

// cutTail keeps the first n lines. It reads the segment to find where the line
// ends; false means that it could not be read as it was written.
func (w *paneWriter) cutTail(ranges []resurrect.Range, n int) ([]resurrect.Range, bool) {
	for i := range ranges {
		r := &ranges[i]
		have := r.Lines - r.Skip
		if n >= have {
			n -= have
			continue
		}
		if n == 0 {
			return ranges[:i], true
		}
		p, err := readRange(w.dir, *r)
		if err != nil {
			return nil, false
		}
		end, ok := offsetOf(p, r.Skip+n)
		if !ok {
			return nil, false
		}
		r.To, r.Lines = r.From+int64(end), r.Skip+n
		return ranges[:i+1], true
	}
	return ranges, true
}

// segmentWriter appends lines to segments, beginning a new one when the last
// is full or must not be touched.
type segmentWriter struct {
	w      *paneWriter
	ranges []resurrect.Range
	sealed bool // no more into the last segment of ranges

	f     File
	name  string
	size  int64 // bytes of the segment that are written
	buf   []byte
	count int // lines in buf
}

func (o *segmentWriter) lines(d PaneData, from uint64) error {
	for from < d.Next {
		to := min(from+askLines, d.Next)
		got := d.Lines(from, to)
		if uint64(len(got)) > to-from {
			got = got[:to-from]
		}
		for _, line := range got {
			if err := o.line(line); err != nil {
				return err
			}
		}
		if uint64(len(got)) < to-from {
			return nil
		}
		from = to
	}
	return nil
}

func (o *segmentWriter) line(line string) error {
	if o.f == nil {
		if err := o.open(); err != nil {
			return err
		}
	}
	o.buf = appendLine(o.buf, line)
	o.count++
	full := o.size+int64(len(o.buf)) >= o.w.s.o.SegmentBytes
	if full || len(o.buf) >= flushBytes {
		if err := o.flush(); err != nil {
			return err
		}
	}
	if full {
		o.sealed = true
		return o.finish(nil)
	}
	return nil
}

// open opens the last segment for appending, or makes a new one.
func (o *segmentWriter) open() error {
	if !o.sealed && len(o.ranges) > 0 {
		last := o.ranges[len(o.ranges)-1]
		if last.To < o.w.s.o.SegmentBytes {
			done, err := o.reopen(last)
			if done || err != nil {
				return err
			}
		}
	}
	f, name, err := o.w.create("hist-", "")
	if err != nil {
		return &CommitError{Step: "create history", File: o.w.path + name, Err: err}
	}
	o.f, o.name, o.size = f, name, 0
	o.sealed = false
	return nil
}

// reopen opens the segment whose end is known, and cuts off what an
// unfinished commit left behind it. It leaves the segment alone, for a new one
// to be made, when what lies behind may belong to another generation or the
// file is not as it should be.
func (o *segmentWriter) reopen(last resurrect.Range) (done bool, err error) {
	var f File
	err = again(func() (err error) { f, err = o.w.dir.Append(last.Segment); return err })
	if err != nil {
		// Lost or refused: the readers of its range will say so.
		return false, nil
	}
	size, err := f.Size()
	if err != nil || size < last.To {
		f.Close()
		return false, nil
	}
	if size > last.To {
		if !o.w.s.mayTruncate(ref{o.w.p.uid, last.Segment, last.To}) {
			f.Close()
			return false, nil
		}
		if err := again(func() error { return f.Truncate(last.To) }); err != nil {
			f.Close()
			return false, &CommitError{Step: "truncate history", File: o.w.path + last.Segment, Err: err}
		}
	}
	o.f, o.name, o.size = f, last.Segment, last.To
	return true, nil
}

// mayTruncate tells whether no other generation names bytes behind the end,
// nor one that was replaced or removed and may come back after a power failure.
func (s *Store) mayTruncate(r ref) bool {
	if s.doubtful || s.loadOld() != nil || s.settle() != nil {
		return false
	}
	if s.old.foreign && !s.old.own[r.key()] {
		return false
	}
	return s.old.named[r.key()] <= r.to
}

func (o *segmentWriter) flush() error {
	if len(o.buf) == 0 {
		return nil
	}
	if err := writeAt(o.f, o.buf, o.size); err != nil {
		return &CommitError{Step: "write history", File: o.w.path + o.name, Err: err}
	}
	n := int64(len(o.buf))
	if k := len(o.ranges); k > 0 && o.ranges[k-1].Segment == o.name && o.ranges[k-1].To == o.size {
		o.ranges[k-1].To += n
		o.ranges[k-1].Lines += o.count
	} else {
		o.ranges = append(o.ranges, resurrect.Range{Segment: o.name, From: o.size, To: o.size + n, Lines: o.count})
	}
	o.size += n
	o.buf, o.count = o.buf[:0], 0
	return nil
}

// finish writes what is left and makes the segment durable. After an error it
// only closes.
func (o *segmentWriter) finish(failed error) error {
	if o.f == nil {
		return nil
	}
	f := o.f
	if failed != nil {
		o.f = nil
		f.Close()
		return nil
	}
	err := o.flush()
	if err == nil {
		if serr := again(f.Sync); serr != nil {
			// See writeNew: nothing more goes into a file whose sync failed.
			o.w.p.seal = true
			err = &CommitError{Step: "sync history", File: o.w.path + o.name, Err: serr}
		}
	}
	o.f = nil
	if cerr := closeFile(f); err == nil && cerr != nil {
		o.w.p.seal = true
		err = &CommitError{Step: "close history", File: o.w.path + o.name, Err: cerr}
	}
	return err
}

// readRange reads the bytes of a range. A segment that ends early gives what
// there is.
func readRange(d Dir, r resurrect.Range) ([]byte, error) {
	if r.To-r.From > maxSegment {
		return nil, &RefusedError{Name: r.Segment, Why: fmt.Sprintf("%d bytes are far too many", r.To-r.From)}
	}
	f, err := openFile(d, r.Segment)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := make([]byte, r.To-r.From)
	n, err := readAt(f, p, r.From)
	return p[:n], err
}
