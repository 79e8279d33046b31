package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"stet/resurrect"
)

// minGeneration is how long a generation lasts at least before a structural
// change begins the next.
const minGeneration = time.Minute

// Commit publishes the workspace. When it returns nil, the state is durable,
// and ws has its format, number, time and the files of its panes filled in;
// after an error ws is as it was, what was published stays readable, and the
// same Commit, or any later one, may be called again: nothing is doubled and
// nothing is lost.
//
// Panes of ws that have no PaneData keep the files they have. PaneData of
// panes that are not in ws, or have NoSave set, is ignored. A commit that
// would change nothing writes nothing.
//
// Besides *[CommitError] it returns ErrDraft, ErrEmpty, ErrUndecided,
// ErrReadOnly, ErrClosed, a *[BlockedError], or what [resurrect.Check] finds
// wrong with ws.
func (s *Store) Commit(ws *resurrect.Workspace, panes []PaneData, kind Kind) error {
	if err := s.admit(ws); err != nil {
		return err
	}
	c := commit{s: s, ws: ws.Clone(), kind: kind, saved: map[string]saved{}}
	err := c.run(panes)
	s.pending = err
	if err != nil {
		return err
	}
	c.fillIn(ws)
	return nil
}

// placed is a directory that knows whether its path still leads to it.
type placed interface{ InPlace() error }

// admit tells whether a commit may be tried at all.
func (s *Store) admit(ws *resurrect.Workspace) error {
	if err := s.writable(); err != nil {
		return err
	}
	if d, ok := s.root.(placed); ok {
		if err := d.InPlace(); err != nil {
			return &CommitError{Step: "find", File: ".", Err: err}
		}
	}
	if ws.Draft && s.blocked == nil {
		return ErrDraft
	}
	if !s.decided {
		if s.pub != nil || s.blocked != nil {
			return ErrUndecided
		}
		numbers, err := s.oldNumbers()
		if err != nil {
			return &CommitError{Step: "list", File: generationsDir, Err: err}
		}
		if len(numbers) > 0 {
			return ErrUndecided
		}
		s.decided = true
	}
	if s.blocked != nil {
		// The user may have moved it, or put it right.
		if s.load(); s.blocked != nil {
			return s.blocked
		}
		s.rescued, s.old.loaded, s.sweepDue = s.pub != nil, false, true
	}
	if ws.Draft { // that nothing else could be saved either has been said
		return ErrDraft
	}
	if ws.PaneCount() == 0 && ws.Intent != resurrect.IntentClosed {
		return ErrEmpty
	}
	return nil
}

// commit is one Commit on its way.
type commit struct {
	s     *Store
	ws    *resurrect.Workspace // a copy, being filled in
	kind  Kind
	dir   Dir      // panes/
	fresh []string // panes whose directories may not be durable yet
	saved map[string]saved
	back  map[string]saved // panes that keep files of an older generation; they are theirs from now on
	wrote []*paneWriter
}

func (c *commit) run(panes []PaneData) (err error) {
	s := c.s
	how := notYet
	defer func() { c.close(how) }()
	if c.kind != Meta {
		if err := c.savePanes(panes); err != nil {
			return err
		}
	}
	c.name()
	changed, err := c.differs()
	if err != nil {
		return err
	}
	if !changed && s.inPlace() {
		how = durable
		return nil
	}
	fresh, err := c.begin()
	if err != nil {
		return err
	}
	text, err := resurrect.Encode(c.ws)
	if err != nil {
		return err
	}
	if len(text) > maxFile {
		return &CommitError{Step: "write workspace", File: workspaceFile, Err: errors.New("it would be too large to be read again")}
	}
	how, err = publish(s.root, "", workspaceFile, "workspace", text)
	if how < visible {
		return err
	}
	replaced := c.adopt(text, fresh)
	s.doubtful = err != nil
	if err != nil {
		// A power failure may bring back the file before it, so what that
		// names stays until a later commit succeeds.
		s.sweepDue = true
		return err
	}
	if c.kind == Meta && !s.old.loaded {
		// Reading the older generations takes time that the next save of
		// screens has, and whoever waits to close a pane has not.
		s.sweepDue = true
		return nil
	}
	s.cleanup = s.collect(replaced)
	return nil
}

// inPlace says whether what is published is still there: somebody may have moved it away.
func (s *Store) inPlace() bool {
	_, err := sizeOf(s.root, workspaceFile)
	return !errors.Is(err, fs.ErrNotExist)
}

// savePanes writes history and screens of the panes.
func (c *commit) savePanes(panes []PaneData) error {
	wanted := map[string]bool{}
	c.ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		wanted[p.UID] = !p.NoSave
	})
	// What no longer holds on disk is remembered before the first pane can
	// fail, and until a commit succeeds.
	for _, d := range panes {
		if wanted[d.UID] {
			c.s.pane(d.UID).remember(d)
		}
	}
	for _, d := range panes {
		if !wanted[d.UID] || !resurrect.ValidUID(d.UID) {
			continue
		}
		if err := c.savePane(d); err != nil {
			return err
		}
	}
	return c.syncDirs()
}

func (c *commit) savePane(d PaneData) error {
	p := c.s.pane(d.UID)
	path := panesDir + "/" + d.UID + "/"
	if _, ok := c.saved[d.UID]; ok {
		return &CommitError{Step: "write", File: path, Err: errors.New("the pane is given twice")}
	}
	dir, err := c.paneDir(d.UID)
	if err != nil {
		return &CommitError{Step: "open directory", File: path, Err: err}
	}
	w := &paneWriter{s: c.s, p: p, dir: dir, path: path}
	c.wrote = append(c.wrote, w)
	c.saved[d.UID], err = w.save(d)
	return err
}

// pane is what is known of a pane's files, which may be nothing yet.
func (s *Store) pane(uid string) *paneFiles {
	p := s.panes[uid]
	if p == nil {
		p = &paneFiles{uid: uid}
		s.panes[uid] = p
	}
	return p
}

// paneDir opens the pane's directory.
func (c *commit) paneDir(uid string) (Dir, error) {
	if c.dir == nil {
		d, err := c.s.topDir(panesDir)
		if err != nil {
			return nil, err
		}
		c.dir = d
	}
	d, err := openDir(c.dir, uid, true)
	if err == nil && !c.s.lasting[uid] {
		c.fresh = append(c.fresh, uid)
	}
	return d, err
}

// syncDirs makes the panes' directories themselves durable. That a directory
// is there does not mean it is: the commit that made it may have failed, or
// the server that made it may have been killed.
func (c *commit) syncDirs() error {
	if len(c.fresh) == 0 {
		return nil
	}
	if err := again(c.dir.Sync); err != nil {
		return &CommitError{Step: "sync directory", File: panesDir, Err: err}
	}
	for _, uid := range c.fresh {
		c.s.lasting[uid] = true
	}
	return nil
}

// topDir opens, or makes, a directory in the state directory, durably.
func (s *Store) topDir(name string) (Dir, error) {
	d, err := openDir(s.root, name, true)
	if err != nil || s.lasting[name+"/"] {
		return d, err
	}
	if err := again(s.root.Sync); err != nil {
		d.Close()
		return nil, err
	}
	s.lasting[name+"/"] = true
	return d, nil
}

// name fills in which files belong to the generation. A pane that says itself which it shows, and is not
// saved anew, was brought back, perhaps from an older generation, and nobody has touched it since: those it keeps.
func (c *commit) name() {
	c.back = map[string]saved{}
	c.ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		own := saved{screen: p.Screen, first: p.HistoryFirst, ranges: p.History}
		p.Screen, p.HistoryFirst, p.History = "", 0, nil
		if p.NoSave {
			return
		}
		n, ok := c.saved[p.UID]
		if f := c.s.panes[p.UID]; !ok && f != nil {
			n = saved{screen: f.screen, first: f.first, ranges: f.ranges}
		}
		if !ok && own.names() && !own.same(n) && c.s.whole(p.UID, own) {
			n = own
			c.back[p.UID] = own
		}
		p.Screen, p.HistoryFirst, p.History = n.screen, n.first, n.ranges
	})
}

// names says whether there is any file.
func (n saved) names() bool { return n.screen != "" || len(n.ranges) > 0 }

func (n saved) same(o saved) bool {
	return n.screen == o.screen && n.first == o.first && slices.Equal(n.ranges, o.ranges)
}

// whole says whether a pane's files are all there.
func (s *Store) whole(uid string, n saved) bool {
	return len(s.verify(resurrect.Alone(resurrect.Pane{UID: uid, Screen: n.screen, History: n.ranges}))) == 0
}

// differs tells whether the workspace, under the number and time of what is published, is any different
// from it.
func (c *commit) differs() (changed bool, err error) {
	s := c.s
	c.ws.Format = resurrect.Format
	c.ws.Kept = ""
	if s.pub == nil {
		c.ws.Generation, c.ws.SavedAt = 1, s.o.Clock()
	} else {
		c.ws.Generation, c.ws.SavedAt = s.pub.Generation, s.pub.SavedAt
	}
	if err := resurrect.Check(c.ws); err != nil {
		return false, fmt.Errorf("not saved: the workspace is not whole: %w", err)
	}
	if s.pub == nil {
		return true, nil
	}
	text, err := resurrect.Encode(c.ws)
	if err != nil {
		return false, err
	}
	return s.doubtful || s.rescued || !bytes.Equal(text, s.pubText), nil
}

// begin gives the commit its number and time, and first keeps what it replaces
// when that is a generation of its own.
func (c *commit) begin() (fresh bool, err error) {
	s := c.s
	now := s.o.Clock()
	c.ws.SavedAt = now
	next, err := s.nextNumber()
	if err != nil {
		return false, &CommitError{Step: "list", File: generationsDir, Err: err}
	}
	if s.pub == nil {
		c.ws.Generation = next
		return true, nil
	}
	shrunk := shrinks(s.pub.PaneCount(), c.ws.PaneCount())
	other := foreign(s.pub, c.ws)
	if c.kind == Structural || shrunk || other || s.rescued {
		age := now.Sub(s.made)
		if shrunk || other || s.rescued || s.made.IsZero() || age >= minGeneration || age < 0 {
			kept := ""
			if shrunk {
				kept = shrinkWords(s.pub.PaneCount(), c.ws.PaneCount())
			} else if s.rescued {
				kept = "put right by hand"
			}
			if err := s.keep(s.pub, kept); err != nil {
				return false, err
			}
			c.ws.Generation = max(next, s.pub.Generation+1)
			return true, nil
		}
	}
	c.ws.Generation = s.pub.Generation
	if next > s.pub.Generation {
		// A commit failed after what is published was copied aside. The copy
		// is as good as any older generation, and keeps its number.
		c.ws.Generation = next
		return true, nil
	}
	return false, s.guard(c.ws)
}

// adopt makes the commit the published state and gives the files that only
// the state before it may have named.
func (c *commit) adopt(text []byte, fresh bool) []ref {
	s := c.s
	var replaced []ref
	if s.pub != nil {
		replaced = refsOf(s.pub)
	}
	s.pub, s.pubText, s.rescued = c.ws, text, false
	if fresh {
		s.made = c.ws.SavedAt
	}
	alive := map[string]bool{}
	c.ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		alive[p.UID] = !p.NoSave
	})
	for uid, n := range c.saved {
		p := s.panes[uid]
		if n.newLast {
			p.seal = false
		}
		p.screen, p.sum, p.first, p.ranges = n.screen, n.sum, n.first, n.ranges
		p.reset, p.low = false, 0
	}
	for uid, n := range c.back { // sealed: what is behind their ends is named by others
		s.panes[uid] = &paneFiles{uid: uid, screen: n.screen, first: n.first, ranges: n.ranges, seal: true}
	}
	for uid := range s.panes {
		if !alive[uid] && !s.spared[uid] {
			delete(s.panes, uid)
		}
	}
	return replaced
}

// close ends the commit: how far it got decides what becomes of the files it
// made.
func (c *commit) close(how published) {
	for _, w := range c.wrote {
		switch how {
		case notYet:
			if w.undo() != nil {
				c.s.sweepDue = true
			}
		case unknown:
			// The new workspace.toml may be in place after all. Its files
			// stay, and bytes that it may name are not written over.
			w.p.seal = true
			c.s.sweepDue = true
		}
		w.dir.Close()
	}
	if c.dir != nil {
		c.dir.Close()
	}
}

// fillIn tells the caller what was saved.
func (c *commit) fillIn(ws *resurrect.Workspace) {
	done := c.s.pub
	ws.Format, ws.SavedAt, ws.Generation, ws.Kept = done.Format, done.SavedAt, done.Generation, done.Kept
	files := map[string]*resurrect.Pane{}
	done.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) { files[p.UID] = p })
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if f := files[p.UID]; f != nil {
			p.Screen, p.HistoryFirst = f.Screen, f.HistoryFirst
			p.History = append([]resurrect.Range(nil), f.History...)
		}
	})
}
