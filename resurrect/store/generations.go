package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"stet/resurrect"
)

// index knows the older generations and which files they name. It is loaded
// when it is first needed, in the saver's time, not at a start.
type index struct {
	loaded bool
	gens   []*older // by number, oldest first
	// named gives for each file ("UID/file") named by an older generation the
	// end of the bytes it names (0 for screens).
	named map[string]int64
	// foreign: there are files that may name pane files and that we could not
	// read. Nothing that we did not make ourselves is removed or truncated
	// while they lie there.
	foreign bool
	// settled: what the directories show is durable.
	settled bool
	// own holds the files ("UID/file") made by this Store.
	own map[string]bool
}

// older is one file in generations/.
type older struct {
	Generation
	refs []ref
}

// ref is one pane file named by a generation.
type ref struct {
	uid, file string
	to        int64
}

func (r ref) key() string { return r.uid + "/" + r.file }

func refsOf(ws *resurrect.Workspace) []ref {
	var refs []ref
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if p.Screen != "" {
			refs = append(refs, ref{p.UID, p.Screen, 0})
		}
		for _, r := range p.History {
			refs = append(refs, ref{p.UID, r.Segment, r.To})
		}
	})
	return refs
}

func summary(ws *resurrect.Workspace) Generation {
	g := Generation{Number: ws.Generation, SavedAt: ws.SavedAt, Sessions: len(ws.Sessions),
		Panes: ws.PaneCount(), Intent: ws.Intent, Kept: ws.Kept}
	for i := range ws.Sessions {
		for j := range ws.Sessions[i].Windows {
			if !ws.Sessions[i].Windows[j].Link {
				g.Windows++
			}
		}
	}
	return g
}

func generationFile(n uint64) string { return fmt.Sprintf("%04d.toml", n) }

// generationNumber is the number in a generation's file name, 0 for other names.
func generationNumber(name string) uint64 {
	s, ok := strings.CutSuffix(name, ".toml")
	if !ok {
		return 0
	}
	n, err := strconv.ParseUint(s, 10, 62)
	if err != nil || generationFile(n) != name {
		return 0
	}
	return n
}

// loadOld reads the older generations.
func (s *Store) loadOld() error {
	if s.old.loaded {
		return nil
	}
	ix := index{own: s.old.own, settled: s.old.settled}
	if ix.own == nil {
		ix.own = map[string]bool{}
	}
	numbers, err := s.oldNumbers()
	if err != nil {
		return err
	}
	for _, n := range numbers {
		ws, err := s.readOld(n)
		if err != nil {
			ix.foreign = true
			ix.gens = append(ix.gens, &older{Generation: Generation{Number: n, Err: err}})
			continue
		}
		ix.gens = append(ix.gens, &older{Generation: summary(ws), refs: refsOf(ws)})
	}
	names, err := s.root.Names()
	if err != nil {
		return err
	}
	for _, n := range names {
		if strings.HasPrefix(n, damagedPrefix) {
			ix.foreign = true
		}
	}
	ix.loaded = true
	ix.count()
	s.old = ix
	return nil
}

// oldNumbers lists the numbers in generations/, oldest first.
func (s *Store) oldNumbers() ([]uint64, error) {
	d, err := openDir(s.root, generationsDir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names, err := d.Names()
	if err != nil {
		return nil, err
	}
	var numbers []uint64
	for _, name := range names {
		if n := generationNumber(name); n > 0 {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return numbers, nil
}

// nextNumber is above the number of every older generation.
func (s *Store) nextNumber() (uint64, error) {
	if s.old.loaded {
		if n := len(s.old.gens); n > 0 {
			return s.old.gens[n-1].Number + 1, nil
		}
		return 1, nil
	}
	numbers, err := s.oldNumbers()
	if err != nil || len(numbers) == 0 {
		return 1, err
	}
	return numbers[len(numbers)-1] + 1, nil
}

func (s *Store) readOld(n uint64) (*resurrect.Workspace, error) {
	d, err := openDir(s.root, generationsDir, false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	data, err := readFile(d, generationFile(n), maxFile)
	if err != nil {
		return nil, err
	}
	ws, err := resurrect.Decode(generationsDir+"/"+generationFile(n), data)
	if err != nil {
		return nil, err
	}
	if ws.Generation != n {
		return nil, &resurrect.FileError{File: generationsDir + "/" + generationFile(n),
			Why: fmt.Sprintf("holds generation %d", ws.Generation)}
	}
	return ws, nil
}

// count makes named from the generations.
func (ix *index) count() {
	ix.named = map[string]int64{}
	for _, g := range ix.gens {
		for _, r := range g.refs {
			ix.named[r.key()] = max(ix.named[r.key()], r.to)
		}
	}
}

// put adds or replaces a generation. Before the index is loaded there is no
// need: it will be found on disk.
func (ix *index) put(g *older) {
	if !ix.loaded {
		return
	}
	i, found := slices.BinarySearchFunc(ix.gens, g.Number, func(a *older, n uint64) int {
		switch {
		case a.Number < n:
			return -1
		case a.Number > n:
			return 1
		}
		return 0
	})
	if found {
		ix.gens[i] = g
	} else {
		ix.gens = slices.Insert(ix.gens, i, g)
	}
	ix.count()
}

// Generations lists what can be restored, newest first. Files that this build
// cannot read are listed with the reason, and left alone.
func (s *Store) Generations() ([]Generation, error) {
	if s.closed {
		return nil, ErrClosed
	}
	if s.o.ReadOnly {
		// Another process writes; look again each time.
		s.load()
		s.old.loaded = false
	}
	if err := s.loadOld(); err != nil {
		return nil, fmt.Errorf("list generations: %w", err)
	}
	var list []Generation
	newest := uint64(0)
	switch {
	case s.pub != nil:
		g := summary(s.pub)
		g.Newest, newest = true, g.Number
		list = append(list, g)
	case s.blocked != nil:
		list = append(list, Generation{Newest: true, Err: s.blocked.Err})
	}
	for _, g := range slices.Backward(s.old.gens) {
		// A commit may have failed between copying a generation aside and
		// publishing the next.
		if g.Number != newest {
			list = append(list, g.Generation)
		}
	}
	return list, nil
}

// ReadGeneration reads one generation by number, published or older.
func (s *Store) ReadGeneration(n uint64) (*resurrect.Workspace, []Note, error) {
	if s.closed {
		return nil, nil, ErrClosed
	}
	if s.pub != nil && s.pub.Generation == n {
		return s.pub.Clone(), s.verify(s.pub), nil
	}
	ws, err := s.readOld(n)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("generation %d: %w under that number: it was thinned out, or never was; stet generations lists those that are", n, ErrNone)
	}
	if err != nil {
		return nil, nil, err
	}
	return ws, s.verify(ws), nil
}
