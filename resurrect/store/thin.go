package store

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"
)

// How many generations stay. They are counted, not compared with the clock, so
// that a clock that jumps by years throws nothing away.
const (
	keepLast  = 10 // the newest
	keepHours = 24 // then the newest of each hour that has one
	keepDays  = 30 // then the newest of each day that has one
	keepEmpty = 2  // the newest of those without a pane, beyond all that
	keepKept  = 8  // those kept after a sudden shrink, beyond all that
)

// thinned chooses the generations that go, from those ordered oldest first.
func thinned(gens []*older) []*older {
	var drop []*older
	count, kept, empty := 0, 0, 0
	hours, days := map[time.Time]bool{}, map[string]bool{}
	for _, g := range slices.Backward(gens) {
		if g.Err != nil {
			// What we cannot read is not ours to judge.
			continue
		}
		if g.Kept != "" && kept < keepKept {
			kept++
			continue
		}
		if g.Panes == 0 { // a workspace that was closed: there is nothing to go back to
			if empty++; empty > keepEmpty {
				drop = append(drop, g)
			}
			continue
		}
		count++
		hour := g.SavedAt.UTC().Truncate(time.Hour)
		day := g.SavedAt.UTC().Format(time.DateOnly)
		switch {
		case count <= keepLast:
		case !hours[hour] && len(hours) < keepHours:
			hours[hour] = true
		case !days[day] && len(days) < keepDays:
			days[day] = true
		default:
			drop = append(drop, g)
		}
	}
	return drop
}

// overweight chooses, oldest first, what must go until the history bytes that
// only older generations name fit into the bound. The newest older generation
// and those kept on purpose stay.
func overweight(gens []*older, published map[string]bool, bound int64) []*older {
	users := map[string]int{}
	size := map[string]int64{}
	var total int64
	for _, g := range gens {
		for k, to := range g.sizes() {
			if published[k] {
				continue
			}
			users[k]++
			total += max(0, to-size[k])
			size[k] = max(size[k], to)
		}
	}
	var drop []*older
	for i, g := range gens {
		if total <= bound || i == len(gens)-1 {
			break
		}
		if g.Kept != "" || g.Err != nil {
			continue
		}
		drop = append(drop, g)
		for k := range g.sizes() {
			if published[k] {
				continue
			}
			if users[k]--; users[k] == 0 {
				total -= size[k]
			}
		}
	}
	return drop
}

// sizes gives the bytes of each segment the generation needs.
func (g *older) sizes() map[string]int64 {
	m := map[string]int64{}
	for _, r := range g.refs {
		m[r.key()] = max(m[r.key()], r.to)
	}
	return m
}

// thin removes the generations that are due and gives the files they named.
// The removals are durable before anything they name may be removed, so that
// no generation that can come back after a power failure lacks its files.
func (s *Store) thin() ([]ref, error) {
	drop := thinned(s.old.gens)
	left := slices.DeleteFunc(slices.Clone(s.old.gens), func(g *older) bool { return slices.Contains(drop, g) })
	published := map[string]bool{}
	if s.pub != nil {
		for _, r := range refsOf(s.pub) {
			published[r.key()] = true
		}
	}
	drop = append(drop, overweight(left, published, s.o.OldBytes)...)
	if len(drop) == 0 {
		return nil, s.settle()
	}
	d, err := openDir(s.root, generationsDir, false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var refs []ref
	for _, g := range drop {
		if rerr := remove(d, generationFile(g.Number)); rerr != nil {
			err = errors.Join(err, fmt.Errorf("remove generation %d: %w", g.Number, rerr))
			continue
		}
		refs = append(refs, g.refs...)
		s.old.gens = slices.DeleteFunc(s.old.gens, func(o *older) bool { return o == g })
	}
	s.old.count()
	s.old.settled = false
	return refs, errors.Join(err, s.settle())
}

// settle makes durable what the directories show: generations that were
// removed, and the workspace.toml that was found at the start. The server
// before us may have been killed between a change and its sync.
func (s *Store) settle() error {
	if s.old.settled {
		return nil
	}
	if err := again(s.root.Sync); err != nil {
		return err
	}
	d, err := openDir(s.root, generationsDir, false)
	if errors.Is(err, fs.ErrNotExist) {
		s.old.settled = true
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	err = again(d.Sync)
	s.old.settled = err == nil
	return err
}
