package server

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/proc"
)

// mounted tells whether something is mounted at a path, as far as the system tells of mounts. A mount point
// that has something in it counts: what was mounted there may have become a directory.
func mounted() func(string) bool {
	mounts, err := proc.Mounts()
	if err != nil {
		return nil
	}
	return func(path string) bool {
		if slices.Contains(mounts, path) {
			return true
		}
		d, err := os.Open(path)
		if err != nil {
			return false
		}
		defer d.Close()
		names, _ := d.Readdirnames(1)
		return len(names) > 0
	}
}

// await makes a restored pane wait for its directory.
func (s *Server) await(p *model.Pane, m *resurrect.Missing, old *picture) {
	p.Empty = true
	p.Wait = &model.Wait{For: model.WaitDirectory, Why: m.Why, Dir: m.Dir, Mount: m.Mount, Near: m.Near, Creatable: m.Creatable}
	old.text.Below, old.divider = s.waitLines(p), waitDivider(old.saved)
}

// waitLines are what stands in a pane that waits, below what it showed.
func (s *Server) waitLines(p *model.Pane) []string {
	w := p.Wait
	if w.For == model.WaitCommand {
		return s.askLines(p)
	}
	lines := []string{model.CleanText(w.Why) + ".", "Nothing was started."} // two, or a narrow pane breaks a word
	if w.For == model.WaitTurn {
		lines = []string{model.CleanText(w.Why) + ": others come up first."}
	}
	for _, h := range waitKeys {
		if k := s.keyFor(keymap.Waiting, h.command); k != "" && h.when(w) {
			lines = append(lines, fmt.Sprintf("  %-5s  %s", k, model.CleanText(h.text(w))))
		}
	}
	switch {
	case w.For == model.WaitTurn:
		return lines
	case w.Mount == "":
		return append(lines, "It starts by itself when the directory is there.")
	}
	return append(lines, "It starts by itself when "+model.CleanText(w.Mount)+" is mounted.")
}

// waitKeys are what can be done about a directory that is missing, with the commands that keys are bound to.
var waitKeys = [...]struct {
	command string
	when    func(*model.Wait) bool
	text    func(*model.Wait) string
}{
	{"restore-pane --create", func(w *model.Wait) bool { return w.Creatable }, func(w *model.Wait) string { return "make " + w.Dir }},
	{"restore-pane --nearest", func(w *model.Wait) bool { return w.Near != "" }, func(w *model.Wait) string { return "start in " + w.Near }},
	{keymap.AskDirectory, func(w *model.Wait) bool { return w.For == model.WaitDirectory }, func(*model.Wait) string { return "choose a directory" }},
	{"restore-pane", func(*model.Wait) bool { return true }, func(w *model.Wait) string {
		if w.For == model.WaitTurn {
			return "resume it now"
		}
		return "look again"
	}},
	{"agent-cancel -t .", func(w *model.Wait) bool { return w.For == model.WaitTurn }, func(*model.Wait) string { return "do not resume it: a shell" }},
}

// waitDivider is the line above them.
func waitDivider(p resurrect.Pane) string { return agentDivider(p, "nothing runs yet") }

// RestorePane lets a pane go on that waits, as it is answered. With the zero answer it looks again.
func (s *Server) RestorePane(id model.PaneID, a command.PaneAnswer, done func(error)) {
	fail := func(err error) { s.loop.post(func() { done(err) }) }
	p := s.model.Panes[id]
	switch {
	case p == nil:
		fail(fmt.Errorf("can't find pane: %v", id))
		return
	case p.State == model.Starting:
		fail(fmt.Errorf("pane %v is being started", id))
		return
	case p.WaitsFor(model.WaitTurn) && a != (command.PaneAnswer{}):
		fail(fmt.Errorf("the agent of pane %v waits for its turn, not for a directory", id))
		return
	case p.WaitsFor(model.WaitTurn):
		s.RetryAgent(id, false, done)
		return
	case p.Wait == nil && a.Run:
		s.rerunNow(p, done)
		return
	case p.Wait == nil:
		fail(fmt.Errorf("pane %v waits for nothing", id))
		return
	case (a.Run || a.Shell) && p.Wait.For != model.WaitCommand, a != (command.PaneAnswer{Run: a.Run, Shell: a.Shell}) && p.Wait.For != model.WaitDirectory:
		fail(fmt.Errorf("pane %v waits for a %s, which is another question", id, p.Wait.For))
		return
	case p.Wait.For == model.WaitCommand && !a.Run && !a.Shell:
		fail(fmt.Errorf("pane %v waits for --run or --shell: %s", id, p.Wait.Why))
		return
	}
	w, st, saved, limit := p.Wait, s.saves.store, s.savedPane(p), s.historyLimit(p.ID)
	policy := s.policy(&saved)
	switch {
	case a.Run:
		policy, saved.RunFailed = resurrect.Auto, false
	case a.Shell:
		policy = resurrect.Never
	}
	in := saved
	if w.For == model.WaitCommand {
		in.Cwd = p.Cwd
	}
	go func() {
		dir, err := in.Cwd, error(nil)
		if w.For == model.WaitDirectory {
			if dir, err = chosen(w, a); err == nil {
				in.Cwd, in.Mount = dir, ""
			}
		}
		var old *picture
		var step resurrect.Step
		if err == nil {
			old = readPicture(st, saved, limit)
			step = planAgain(in, policy)
		}
		s.loop.post(func() {
			if m := s.model.Panes[id]; m != p || m.Wait != w {
				done(fmt.Errorf("pane %v waits no more", id))
				return
			}
			if err != nil {
				done(err)
				return
			}
			if w.For == model.WaitDirectory && dir != w.Dir {
				step.Reason = joinReason(step.Reason, w.Why+", and "+dir+" was chosen")
			}
			if a.Shell {
				old.saved.Running, old.saved.RunFailed = nil, false // it was answered for good
				step.State, step.Next, step.Reason = resurrect.Restored, "", "a shell was chosen; this ran: "+w.Why
			}
			s.goOn(p, step, old)
			s.watchMissing()
			done(nil)
		})
	}()
}

// savedPane is what a restored pane was saved as.
func (s *Server) savedPane(p *model.Pane) resurrect.Pane {
	if old := s.pane(p.ID).untouched; old != nil {
		return old.saved
	}
	r, _ := s.model.Rect(p.ID) // what was on disk has gone
	return resurrect.Pane{ID: int(p.ID), UID: p.UID, Argv: p.Was, Cwd: p.Cwd, Cols: max(r.W, 1), Rows: max(r.H, 1), SavedAt: p.Restored.SavedAt}
}

// chosen is the directory that a pane is started in, which is there.
func chosen(w *model.Wait, a command.PaneAnswer) (string, error) {
	dir := w.Dir
	switch {
	case a.Create && !w.Creatable:
		return "", fmt.Errorf("%s cannot be made: %s", w.Dir, w.Why)
	case a.Create:
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return "", fmt.Errorf("make the directory: %w", err)
		}
	case a.Directory != "":
		dir = a.Directory
	case a.Nearest && w.Near == "":
		return "", fmt.Errorf("no directory above %s can be entered", w.Dir)
	case a.Nearest:
		dir = w.Near
	case w.Mount != "":
		if is := mounted(); is != nil && !is(w.Mount) {
			return "", errors.New("still waiting: " + w.Why)
		}
	}
	if err := resurrect.CheckDir(dir); err != nil {
		if dir == w.Dir && errors.Is(err, fs.ErrNotExist) {
			return "", errors.New("still waiting: " + w.Why)
		}
		return "", fmt.Errorf("directory %s %s", dir, resurrect.Describe(err))
	}
	return dir, nil
}

// planAgain plans one pane that has waited, with what is there now.
func planAgain(p resurrect.Pane, policy resurrect.Policy) resurrect.Step {
	return resurrect.PlanPane(p, resurrect.PlanOptions{Mounted: mounted(), Policy: func(*resurrect.Pane) resurrect.Policy { return policy }})
}

// goOn starts in a pane that has waited what a restore starts in a pane whose directory is there.
func (s *Server) goOn(p *model.Pane, step resurrect.Step, old *picture) {
	if err := s.model.Go(p.ID); err != nil {
		s.log.Print(err)
		return
	}
	s.vacate(p.ID)
	row := s.prepare(step, old)
	s.restorePane(step, old, row, func(row resurrect.Row) {
		s.correctReport(p.ID, row.State, row.Reason, row.Next)
		if row.State != resurrect.Failed {
			s.paneEvent("pane-restored", p.ID)
		}
	})
	s.saves.soon(store.Structural, structureDelay)
}

// watchMissing watches for what panes wait for.
func (s *Server) watchMissing() {
	var dirs []string
	for _, p := range s.model.Panes {
		if p.WaitsFor(model.WaitDirectory) {
			dirs = append(dirs, p.Wait.Dir)
		}
	}
	slices.Sort(dirs)
	s.appear.Watch(slices.Compact(dirs))
}

// lookAgain lets panes go on whose directories are there by now.
func (s *Server) lookAgain() {
	for _, id := range slices.Sorted(maps.Keys(s.model.Panes)) {
		if s.model.Panes[id].WaitsFor(model.WaitDirectory) {
			s.RestorePane(id, command.PaneAnswer{}, func(error) {})
		}
	}
	s.watchMissing() // of those that were closed nobody wants to know any more
}

// mountFacts remembers what directories lie on, so that a save of hundreds of panes need not ask each time.
type mountFacts struct {
	list  []string          // where something is mounted; nil: not asked yet
	known map[string]string // mount points of the directories that this export and the last one have asked for
	used  map[string]string // by this one
}

// begin begins another export.
func (f *mountFacts) begin() { f.list, f.known, f.used = nil, f.used, map[string]string{} }

// of is the mount point that a directory lies on, "" for the root.
func (f *mountFacts) of(dir string) string {
	at, ok := f.used[dir]
	if !ok {
		if at, ok = f.known[dir]; !ok {
			if f.list == nil {
				f.list, _ = proc.Mounts()
			}
			at = proc.MountOf(dir, f.list)
		}
		if f.used != nil {
			f.used[dir] = at
		}
	}
	return at
}
