package server

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/copymode"
	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/persist"
	"stet/server/proc"
	"stet/server/ring"
	"stet/vt"
	"stet/vt/key"
)

// keeperID is a pane's number in the keeper's language, in which 0 is none and no number is ever used
// again. A workspace that is brought back into a running keeper has panes of the same numbers as the one
// before it, so each such time is an era of its own; and each program that a pane has had has its number.
func (s *Server) keeperID(id model.PaneID) uint64 {
	run := uint64(0)
	if p := s.model.Lookup(id); p != nil {
		run = p.Run
	}
	return pane.MakeID(s.era, run, uint64(id))
}

// modelID is a pane's number; -1 for one of an earlier era, or for a program that another one has taken
// the place of: no window shows them.
func (s *Server) modelID(id uint64) model.PaneID {
	if id>>pane.EraShift != s.era {
		return -1
	}
	n := model.PaneID(pane.Number(id))
	if p := s.model.Lookup(n); p != nil && p.Run%pane.Runs != pane.Run(id) {
		return -1
	}
	return n
}

// hooks are what panes tell the loop. Notices of mere output are coalesced: at most one is outstanding.
func (s *Server) hooks() pane.Hooks {
	return pane.Hooks{
		Changed: func(p *pane.Pane, news bool) {
			if news {
				s.loop.post(func() { s.status.within(newsDelay); s.outputSeen() })
			} else if s.output.CompareAndSwap(false, true) {
				s.loop.post(s.outputSeen)
			}
		},
		Events: func(p *pane.Pane, ev []vt.Event) { s.loop.post(func() { s.events(s.modelID(p.ID), ev) }) },
		Broken: func(p *pane.Pane, why string, input []byte) {
			s.loop.post(func() { s.broken(s.modelID(p.ID), why, input) })
		},
		Ended: func(p *pane.Pane) { s.loop.post(func() { s.endIfOver(s.modelID(p.ID)) }) },
	}
}

// outputSeen notes that some pane has printed: names and the status line may have changed, and there is
// something to save.
func (s *Server) outputSeen() {
	s.names.within(nameDelay)
	s.watchOutput()
	s.screensSoon()
}

// Spawn starts the program of a pane that the model has. The model is checkpointed first: a server that
// takes over in between asks the keeper again, which does it once.
func (s *Server) Spawn(id model.PaneID, done func(error)) { s.spawn(id, nil, done) }

// spawn starts a program; with a picture, under the restored screen of an old one.
func (s *Server) spawn(id model.PaneID, old *picture, done func(error)) {
	p := s.model.Panes[id]
	if p == nil {
		s.loop.post(func() { done(fmt.Errorf("can't find pane: %v", id)) })
		return
	}
	s.ownTemp(p)
	s.fitWindows()
	s.checkpoint()
	req := s.request(p)
	s.asked[id] = [2]int{req.Cols, req.Rows}
	w := s.keeperAnswers(done)
	as, other := *p, s.shell
	go func() {
		why := withShell(&req, as, other)
		info, err := s.link.Spawn(req)
		s.loop.post(func() {
			if why != "" {
				s.log.Print(why)
				s.tellViewers(&as, why)
			}
			if w.inTime() {
				s.spawned(id, info, err, old, done)
			} else if err == nil {
				s.unwanted(info)
			}
		})
	}()
}

// request describes the pane's program for the keeper.
func (s *Server) request(p *model.Pane) keeper.SpawnRequest {
	file, argv := p.Command()
	r, _ := s.model.Rect(p.ID)
	limit := s.historyLimit(p.ID)
	sizes := ring.DefaultSizes()
	sizes.Arena = vt.ArenaSize(limit, max(r.W, 80))
	return keeper.SpawnRequest{
		ID: s.keeperID(p.ID), Path: file, Argv: argv, Dir: p.Cwd, Env: s.environment(p),
		Cols: max(r.W, 1), Rows: max(r.H, 1), Sizes: sizes,
	}
}

func (s *Server) spawned(id model.PaneID, info *keeper.PaneInfo, err error, old *picture, done func(error)) {
	if err == nil && (s.model.Panes[id] == nil || info.ID != s.keeperID(id)) { // closed while it was being started
		s.unwanted(info)
		err = fmt.Errorf("pane %v was closed", id)
	}
	if err != nil {
		done(err)
		return
	}
	p := pane.New(info, s.historyLimit(id), s.hooks())
	if err := s.begin(id, p, info, old); err != nil {
		s.log.Printf("pane %v: %v", id, err)
	}
	s.adopt(id, p)
	if err := s.model.Started(id); err != nil {
		s.log.Print(err)
	}
	s.names.within(nameDelay) // it may never print anything
	if b := s.early[id]; len(b) > 0 {
		delete(s.early, id)
		if err := s.input(id, p, b); err != nil {
			s.log.Printf("pane %v: %v", id, err)
		}
	}
	done(nil)
}

// begin gives a pane its first picture.
func (s *Server) begin(id model.PaneID, p *pane.Pane, info *keeper.PaneInfo, old *picture) error {
	if info.Existed { // a server before us had it started and died before it heard
		if why := p.Recover(); why != "" {
			return errors.New(why)
		}
		return nil
	}
	size := s.asked[id]
	if old == nil {
		return p.Begin(size[0], size[1])
	}
	if err := p.Restore(size[0], size[1], old.text, old.divider); err != nil {
		return errors.Join(err, p.Begin(size[0], size[1]))
	}
	old.text = nil
	s.untouched[id] = old
	return nil
}

// kill ends a pane's processes, without waiting for the keeper.
func (s *Server) kill(kid uint64) {
	go func() {
		if err := s.link.Kill(kid, keeper.Escalate); err != nil && !errors.Is(err, keeper.ErrGone) {
			s.loop.post(func() { s.log.Printf("kill pane %v: %v", s.modelID(kid), err) })
		}
	}()
}

// adopt takes a pane with its terminal into the running server.
func (s *Server) adopt(id model.PaneID, p *pane.Pane) {
	s.panes[id] = p
	if pipe, m := s.pipes[id], s.model.Lookup(id); pipe != nil && m != nil && m.Piped != "" {
		p.SetTap(pipe.Write) // it goes on with the pane's next program
	}
	p.Start(s.link.Reader(p.Info()))
	if s.colours != ([2]uint32{}) {
		p.SetColours(s.colours[0], s.colours[1])
	}
	s.rewatch = true
	if e, ok := s.exits[p.ID]; ok {
		delete(s.exits, p.ID)
		s.exited(p.ID, e)
	}
}

// exited notes that a program has ended. Its pane is over when its output has been shown, too.
func (s *Server) exited(kid uint64, status exit) {
	id := s.modelID(kid)
	if s.dying[kid] {
		delete(s.dying, kid)
		s.forget(kid)
		return
	}
	if s.panes[id] == nil {
		s.exits[kid] = status // the answer to its spawn is still on the way
		return
	}
	s.hasExited[id] = true
	s.over[id] = status
	s.endIfOver(id)
	if _, open := s.over[id]; open {
		s.endings.within(drainTime) // something that the program left behind holds its terminal open
	}
}

// endIfOver ends a pane whose program has exited and whose output is parsed.
func (s *Server) endIfOver(id model.PaneID) {
	p, st := s.panes[id], s.over[id]
	if _, exited := s.over[id]; p == nil || !exited || !p.Facts().EOF {
		return
	}
	s.end(id, st)
}

// endDrained ends the panes whose program exited a while ago, although their terminal is still held
// open by a process in the background.
func (s *Server) endDrained() {
	for _, id := range slices.Sorted(maps.Keys(s.over)) {
		s.end(id, s.over[id])
	}
}

// end takes a pane whose program is over out of the workspace, or leaves it as a dead one.
func (s *Server) end(id model.PaneID, st exit) {
	delete(s.over, id)
	m := s.model.Panes[id]
	if m == nil {
		if !s.popupOver(id, st) {
			s.closedEnded(id)
		}
		return
	}
	if keep := s.option(ofPane(id), "remain-on-exit"); keep == "on" || keep == "failed" && st.failed() {
		if err := s.model.Exited(id, st.code(), st.signal(), s.Now()); err != nil {
			s.log.Print(err)
		}
		return
	}
	if st.signal() != 0 && s.before == nil {
		s.before = s.export(resurrect.IntentRunning)
	}
	if st.failed() {
		s.tellViewers(m, fmt.Sprintf("pane %v: %s", id, st))
	}
	s.paneEvent("pane-exited", id)
	s.remove(id)
	s.saveSoon(store.Structural, exitDelay(st))
}

// remove takes a pane out of the model and the server and tells clients whose session went.
func (s *Server) remove(id model.PaneID) {
	s.drop(id)
	if s.model.Panes[id] == nil {
		return
	}
	gone, err := s.model.RemovePane(id)
	if err != nil {
		s.log.Print(err)
		return
	}
	s.sessionsGone(gone)
	s.options.Forget(gone)
	command.Renumber(s, gone)
}

// drop lets go of everything that the server has for a pane, and of the pane in the keeper once its
// program has ended.
func (s *Server) drop(id model.PaneID) {
	s.rewatch = true
	s.closePipe(id)
	if p := s.panes[id]; p != nil {
		s.closing.Add(1)
		go func() {
			defer s.closing.Done()
			p.Close()
			p.Info().Close()
		}()
		if p.Info().Exited || s.hasExited[id] {
			s.forget(p.ID)
		} else {
			s.dying[p.ID] = true
		}
	}
	s.LeaveModes(id)
	delete(s.modes, id)
	delete(s.panes, id)
	delete(s.asked, id)
	delete(s.hasExited, id)
	delete(s.over, id)
	delete(s.stills, id)
	delete(s.early, id)
	delete(s.untouched, id)
	delete(s.note, id)
	s.dropTemp(id)
}

// forget lets the keeper drop a pane whose program has exited and which is in no window any more.
func (s *Server) forget(kid uint64) {
	s.closing.Add(1)
	go func() {
		defer s.closing.Done()
		if err := s.link.Forget(kid); err != nil && !errors.Is(err, keeper.ErrGone) {
			s.loop.post(func() { s.log.Printf("forget pane %v: %v", s.modelID(kid), err) })
		}
	}()
}

// Close ends panes on purpose: first the snapshot without them is on disk, then their programs go. So
// they stay closed whatever happens next.
func (s *Server) Close(ids []model.PaneID, done func(error)) {
	s.durably(ids, done, func() {
		for _, id := range ids {
			s.closeNow(id)
		}
	})
}

// durably goes on once the snapshot without these panes is on disk.
func (s *Server) durably(ids []model.PaneID, done func(error), then func()) {
	for _, id := range ids {
		s.leaving[id] = true
	}
	s.save(persist.Job{Kind: store.Structural, Done: func(err error) {
		if errors.Is(err, s.noSaving) {
			err = nil // there is no snapshot that could bring them back
		}
		s.loop.post(func() {
			for _, id := range ids {
				delete(s.leaving, id)
			}
			then()
			done(err)
		})
	}})
}

func (s *Server) closeNow(id model.PaneID) {
	switch p := s.model.Lookup(id); {
	case p == nil:
		return // it has ended meanwhile
	case s.model.IsClosed(id):
		s.forsakePane(p)
		return
	}
	s.kill(s.keeperID(id))
	s.remove(id)
}

// Facts are what the pane's owner has published last.
func (s *Server) Facts(id model.PaneID) command.PaneFacts {
	p := s.panes[id]
	if p == nil {
		r, _ := s.model.Rect(id)
		return s.modeFacts(id, command.PaneFacts{Cols: r.W, Rows: r.H})
	}
	f := p.Facts()
	out := command.PaneFacts{
		Pid: p.Info().Pid, TTY: p.Info().TTY, Cols: f.Cols, Rows: f.Rows,
		CursorX: f.Cursor.X, CursorY: f.Cursor.Y, CursorVisible: f.Cursor.Visible, CursorShape: int(f.Cursor.Shape),
		Title: f.Title, Path: f.Cwd, HistorySize: f.HistoryLines, HistoryLimit: f.HistoryLimit, AlternateOn: f.Modes.AltScreen,
		KeypadCursor: f.Modes.AppCursor, Keypad: f.Modes.AppKeypad, BracketedPaste: f.Modes.BracketedPaste,
		MouseAny: f.Modes.Mouse != 0, MouseStandard: f.Modes.Mouse == 1000, MouseButton: f.Modes.Mouse == 1002, MouseAll: f.Modes.Mouse == 1003,
		MouseSGR: f.Modes.MouseEnc == 1006, MouseUTF8: f.Modes.MouseEnc == 1005, Wrap: true, ScrollLower: f.Rows - 1,
		CursorCharacter: cmp.Or(f.Cluster, string(f.Under.Rune())), Tabs: f.Tabs,
	}
	return s.modeFacts(id, out)
}

// Process asks the system for the pane's foreground process.
func (s *Server) Process(id model.PaneID) command.ProcessFacts {
	in, ok := s.foreground(id)
	if !ok {
		return command.ProcessFacts{}
	}
	return command.ProcessFacts{Command: in.Name, Path: in.Cwd}
}

// foreground is the process that has the pane's terminal, else the one that was started there.
func (s *Server) foreground(id model.PaneID) (proc.Info, bool) {
	p := s.panes[id]
	if p == nil {
		return proc.Info{}, false
	}
	if pg, err := p.Info().Foreground(); err == nil {
		if in, err := proc.Lookup(pg); err == nil {
			return in, true
		}
	}
	in, err := proc.Lookup(p.Info().Pid)
	return in, err == nil
}

// cwd is the pane's directory: of the foreground process, else what its shell said, else where it began.
func (s *Server) cwd(id model.PaneID) string {
	in, _ := s.foreground(id)
	var told, start string
	if p := s.panes[id]; p != nil {
		told = p.Facts().Cwd
	}
	if m := s.model.Panes[id]; m != nil {
		start = m.Cwd
	}
	return cmp.Or(in.Cwd, told, start)
}

// SendKeys gives the program key events, encoded for the modes it has set at this instant, and to those
// of the panes that are synchronised with it.
func (s *Server) SendKeys(id model.PaneID, keys []key.Event) error {
	for _, other := range s.synchronised(id) {
		_ = s.sendKeys(other, typedOnly(keys)) // whoever types is told of the pane that they see the keys go to
	}
	return s.sendKeys(id, keys)
}

func (s *Server) sendKeys(id model.PaneID, keys []key.Event) error {
	p := s.panes[id]
	var modes key.Modes // of a new terminal
	if p != nil {
		modes = keyModes(p.Facts().Modes)
	}
	modes.Kitty, modes.ModifyOtherKeys = s.extendedKeys().Of(modes.Kitty, modes.ModifyOtherKeys)
	var b []byte
	for _, e := range keys {
		b = key.Append(b, e, modes)
	}
	return s.input(id, p, b)
}

// SendBytes gives the program bytes as they are, and those of the panes that are synchronised with it.
func (s *Server) SendBytes(id model.PaneID, data []byte) error {
	for _, other := range s.synchronised(id) {
		_ = s.input(other, s.panes[other], data)
	}
	return s.input(id, s.panes[id], data)
}

// input gives a program bytes. What is meant for one that is just being started waits for it: the keys
// behind the one that opened the pane belong to the pane.
func (s *Server) input(id model.PaneID, p *pane.Pane, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	m := s.model.Panes[id]
	if m != nil && (m.InputOff || m.State == model.Dead) {
		return nil
	}
	starting := m != nil && m.State == model.Starting || s.popups[id] != nil && !s.popups[id].started
	if p == nil && starting && len(s.early[id])+len(b) <= maxEarly {
		s.early[id] = append(s.early[id], b...)
		return nil
	}
	if p == nil {
		return fmt.Errorf("pane %v has no program", id)
	}
	s.touch(id)
	return p.Input(b)
}

// maxEarly bounds the input, in bytes, that waits for a program that is being started.
const maxEarly = 64 << 10

// touch begins the pane's own history on disk: until somebody types into it, a restored pane keeps the
// files that it was restored from, and so looks the same however often it is restored.
func (s *Server) touch(id model.PaneID) {
	s.own()
	m := s.model.Panes[id]
	if s.untouched[id] == nil || m == nil {
		return
	}
	delete(s.untouched, id)
	m.UID = s.UID()
	s.model.Touch()
}

func keyModes(m vt.Modes) key.Modes {
	return key.Modes{
		AppCursor: m.AppCursor, AppKeypad: m.AppKeypad, BracketedPaste: m.BracketedPaste, Focus: m.Focus,
		Backarrow: m.Backarrow, NewLine: m.NewLine, Mouse: m.Mouse, MouseEnc: m.MouseEnc,
		ModifyOtherKeys: m.ModifyOtherKeys, Kitty: m.Kitty,
	}
}

// Reset resets the pane's emulator.
func (s *Server) Reset(id model.PaneID) {
	if p := s.panes[id]; p != nil {
		p.Reset(nil)
	}
}

// Capture gets text out of a pane, without holding up the loop.
func (s *Server) Capture(id model.PaneID, o command.CaptureOptions, done func([]string, error)) {
	p := s.panes[id]
	if p == nil {
		s.loop.post(func() { done(nil, fmt.Errorf("pane %v has no terminal", id)) })
		return
	}
	if o.Alternate && !p.Facts().Modes.AltScreen {
		s.loop.post(func() { done(nil, command.ErrNoAlternate) })
		return
	}
	read, _ := s.modeOf(id).(*copymode.Mode)
	go func() {
		of := func(history, rows int) (int, int) {
			return captureLine(o.From, 0, history, rows), captureLine(o.To, history+rows-1, history, rows)
		}
		how := vt.TextOptions{Escapes: o.Escapes, Join: o.Join, KeepTrailing: o.KeepTrailing}
		var lines []string
		var err error
		ok := false
		if o.Mode && read != nil {
			lines, ok = read.Text(of, how)
		}
		if !ok {
			lines, err = p.Text(o.Alternate, of, how)
		}
		s.loop.post(func() {
			s.wakeLater() // keys may have waited for copy mode's text
			done(lines, err)
		})
	}()
}

// Pending gets the beginning of a sequence that a pane's program has not ended, without holding up the loop.
func (s *Server) Pending(id model.PaneID, done func([]byte, error)) {
	p := s.panes[id]
	if p == nil {
		s.loop.post(func() { done(nil, fmt.Errorf("pane %v has no terminal", id)) })
		return
	}
	go func() {
		seq, err := p.Unfinished()
		s.loop.post(func() { done(seq, err) })
	}()
}

// DumpPane describes the state of a pane's emulator as JSON.
func (s *Server) DumpPane(id model.PaneID, verbose bool, done func(string, error)) {
	p := s.panes[id]
	if p == nil {
		s.loop.post(func() { done("", fmt.Errorf("pane %v has no terminal", id)) })
		return
	}
	go func() {
		st, err := p.State(verbose)
		var b []byte
		if err == nil {
			b, err = json.Marshal(st)
		}
		s.loop.post(func() { done(string(b), err) })
	}()
}

// captureLine turns a line of capture-pane (0 is the first visible one, history is negative) into one
// counted from the oldest.
func captureLine(r command.CaptureRange, edge, history, rows int) int {
	if r.Edge {
		return edge
	}
	return max(0, min(history+r.Line, history+rows-1))
}

const (
	nameDelay = 500 * time.Millisecond
	newsDelay = 16 * time.Millisecond // of a new title or scroll position in the status line
	drainTime = 500 * time.Millisecond
)

// historyLimit is the limit of a pane's scrollback in lines.
func (s *Server) historyLimit(id model.PaneID) int {
	return max(0, s.number(ofPane(id), "history-limit", 10000))
}
