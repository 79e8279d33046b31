package server

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sort"

	"github.com/fxamacker/cbor/v2"

	"stet/config"
	"stet/config/option"
	"stet/resurrect"
	"stet/server/buffer"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/ring"
)

// image is what survives a crash of the server besides the panes: it lies in memory that the keeper holds.
type image struct {
	Model       []byte
	Era         uint64                         // see keeperID
	Attachments map[string]model.SessionID     // clients by the name they gave themselves
	Options     []command.OptionChange         // set by hand
	Keys        []keymap.Change                // bindings changed by hand
	Configured  bool                           // Config is what was in force; false: it was too large, or the build did not keep it
	Config      []config.File                  `cbor:",omitempty"` // the files of the configuration in force
	Buffers     []*buffer.Buffer               // paste buffers, the newest first
	FileOptions []sharedOption                 `cbor:",omitempty"` // what the files of -f have set
	FileKeys    []boundKey                     `cbor:",omitempty"`
	Environ     []command.EnvChange            // the global environment, as far as commands have changed it
	Untouched   map[model.PaneID]untouchedPane // restored panes that nobody has typed into
	Notes       map[model.PaneID]string        // why panes could not be started
	Report      *resurrect.Report              // of the restore this keeper began with
	Greeted     bool
	Popups      []keptPopup
	Focused     []model.PaneID                            `cbor:",omitempty"` // panes that know they have the focus
	Blurred     []string                                  `cbor:",omitempty"` // clients whose terminals have lost it
	Idling      map[model.SessionID]command.ShelveOptions `cbor:",omitempty"` // sessions that wait to be put aside
	Owns        bool                                      // see Server
	HadSession  bool                                      // a server that has lost its last session is about to end, one that never had any waits
}

type untouchedPane struct {
	Saved   resurrect.Pane
	Divider string
}

// checkpoints is what writing one checkpoint after the other needs, and keeps. There is one with every
// change of the workspace, so it shall not leave much behind for the collector.
type checkpoints struct {
	slots  *ring.Slots // in the keeper's memory
	failed error       // why the last one is not whole

	model model.Encoder
	buf   bytes.Buffer
	mode  cbor.UserBufferEncMode // nil before the first
}

// recovered is what a server that takes over from another one has found.
type recovered struct {
	orphans bool                       // programs that its model does not know
	pipes   string                     // panes whose pipes ended with the server before
	awaited map[string]model.SessionID // clients that have yet to come back
	panes   map[model.PaneID]bool      // whose programs never stopped
	blurred []string                   // those whose terminals had lost the focus
	// starts are what is done when this server serves: readers and owners of panes, of which no checkpoint is taken before. Should this be
	// a build on trial, the one before it must still be able to read what is there.
	starts []func()
}

// encode returns the image as bytes that stay until the next call. Equal images give equal bytes.
func (c *checkpoints) encode(im *image) ([]byte, error) {
	if c.mode == nil {
		m, err := cbor.EncOptions{Sort: cbor.SortBytewiseLexical}.UserBufferEncMode()
		if err != nil {
			return nil, err
		}
		c.mode = m
	}
	c.buf.Reset()
	if err := c.mode.MarshalToBuffer(im, &c.buf); err != nil {
		return nil, err
	}
	return c.buf.Bytes(), nil
}

// checkpoint writes the model into the keeper's memory. Whoever takes over after a SIGKILL goes on from
// there, so what clients are told comes after it.
func (s *Server) checkpoint() {
	s.revision = s.model.Revision()
	for _, id := range s.looks {
		if p := s.model.Panes[id]; p != nil {
			p.Seen = s.outputNumber(p)
		}
	}
	m, err := s.kept.model.Encode(s.model)
	if err != nil {
		s.log.Printf("checkpoint of the model: %v", err)
		return
	}
	im := image{Model: m, Era: s.era, Attachments: s.attachments, Report: s.restoring.report, Greeted: s.news.told, HadSession: s.hadSession,
		Owns: s.owns, Popups: s.keptPopups(), Focused: s.focused, Blurred: s.blurred(), Idling: s.idlingKept()}
	im.Untouched, im.Notes = map[model.PaneID]untouchedPane{}, map[model.PaneID]string{}
	for id, p := range s.panes {
		if p.untouched != nil {
			im.Untouched[id] = untouchedPane{p.untouched.saved, p.untouched.divider}
		}
		if p.why != "" {
			im.Notes[id] = p.why
		}
	}
	im.Options, im.Keys = s.options.Changes(), s.keys.Changes()
	im.Config, im.Configured = s.config.kept, s.config.kept != nil || s.config.have == nil
	im.FileOptions, im.FileKeys = s.files.options, s.files.keys
	im.Environ = s.environ.Changes(s.began)
	im.Buffers = s.buffers.Newest(keptBuffers, keptBuffer)
	err = s.kept.publish(&im)
	if errors.Is(err, ring.ErrTooLarge) { // where everything is counts more than how it is set
		im.Options, im.Keys, im.Config, im.Configured, im.Report, im.Buffers = nil, nil, nil, false, nil, nil
		if again := s.kept.publish(&im); again != nil {
			err = again
		} else {
			err = fmt.Errorf("without options, keys and paste buffers: %w", err)
		}
	}
	s.checkpointed(err)
}

// publish writes an image into the keeper's memory, unless that is what lies there. One that is too large
// leaves the last one in force.
func (c *checkpoints) publish(im *image) error {
	b, err := c.encode(im)
	if err != nil {
		return err
	}
	if last, err := c.slots.Load(); err == nil && bytes.Equal(last, b) {
		return nil
	}
	return c.slots.Checkpoint(func(dst []byte) (int, error) {
		if len(b) > len(dst) {
			return 0, fmt.Errorf("%d bytes, room for %d: %w", len(b), len(dst), ring.ErrTooLarge)
		}
		return copy(dst, b), nil
	})
}

// checkpointed tells, once, that the checkpoint is not what it should be, and once that it is again.
func (s *Server) checkpointed(err error) {
	if (err == nil) == (s.kept.failed == nil) {
		return
	}
	s.kept.failed = err
	text := "the workspace is kept whole across a crash of the server again"
	if err != nil {
		text = fmt.Sprintf("a crash of the server would lose something: the checkpoint is not whole: %v", err)
	}
	s.log.Print(text)
	for _, c := range s.attached {
		s.Message(c.id, text, newsTime)
	}
}

// imageDecoding takes what checkpoint can have written; strings need not be UTF-8.
func imageDecoding() (cbor.DecMode, error) { return imageMode(cbor.ExtraDecErrorNone) }

func imageMode(unknown cbor.ExtraDecErrorCond) (cbor.DecMode, error) {
	return cbor.DecOptions{ExtraReturnErrors: unknown, UTF8: cbor.UTF8DecodeInvalid, MaxArrayElements: 1 << 21, MaxMapPairs: 1 << 16}.DecMode()
}

// decode reads the last server's image into this one. What cannot be read is left empty.
func (s *Server) decode(b []byte) (im image) {
	dec, err := imageDecoding()
	if err == nil {
		err = dec.Unmarshal(b, &im)
	}
	if err != nil {
		s.log.Printf("the model's checkpoint cannot be read: %v", err)
		return image{}
	}
	m, err := model.Decode(im.Model)
	if err != nil {
		s.log.Printf("the model's checkpoint cannot be read: %v", err)
		return im
	}
	s.use(m)
	return im
}

// recover takes over from a server that died. crashed is false when there was none: nothing is in the
// keeper's memory.
func (s *Server) recover(w *keeper.Welcome) (crashed bool, err error) {
	b, err := s.kept.slots.Load()
	if err != nil {
		s.log.Printf("the model's checkpoint cannot be read: %v", err)
	}
	if b == nil && len(w.Panes) == 0 {
		return false, nil
	}
	var im image
	switch {
	case b == nil:
	case s.upgrade.onTrial(): // the build before this one can go on, so nothing is left out here
		if im, err = readImage(b); err != nil {
			return true, err
		}
		fallthrough
	default:
		im = s.decode(b)
	}
	s.era = im.Era
	s.restoring.report, s.news.told = im.Report, im.Greeted
	maps.Copy(s.attachments, im.Attachments)
	s.focusAgain(&im)
	for id, why := range im.Notes {
		s.pane(id).why = why
	}
	for id, u := range im.Untouched {
		s.pane(id).untouched = &picture{saved: u.Saved, divider: u.Divider}
	}
	s.files.options, s.files.keys = im.FileOptions, im.FileKeys
	s.optionsOf(&im)
	s.buffers.Restore(im.Buffers)
	s.environ.Apply(im.Environ)
	s.adoptUnknown(w.Panes)
	if s.era == im.Era { // else their numbers mean others by now
		s.recallPopups(im.Popups)
	}
	if err := s.recoverPanes(w); err != nil {
		return true, err
	}
	if err := s.unpack(w.Luggage); err != nil {
		if s.upgrade.onTrial() {
			return true, err
		}
		s.note(err.Error())
	}
	s.popupsAgain()
	s.stillsAgain()
	s.watchMissing()
	s.idlingAgain(im.Idling)
	s.owns = im.Owns
	s.hadSession = im.HadSession || len(w.Panes) > 0
	return true, nil
}

// isHookName tells whether an option's name, which may have an index, is that of a hook.
func isHookName(name string) bool {
	base, _, err := option.Cut(name)
	return err == nil && option.IsHook(base)
}

// recoverPanes replays what every pane has printed since its checkpoint. What is seen first comes first,
// and panes whose replay killed a server come last.
func (s *Server) recoverPanes(w *keeper.Welcome) error {
	infos := slices.Clone(w.Panes)
	visible := s.visible()
	rank := func(p *keeper.PaneInfo) int {
		switch {
		case p.Unreached != nil || p.Ring.Suspect():
			return 2
		case visible[s.modelID(p.ID)]:
			return 0
		}
		return 1
	}
	sort.SliceStable(infos, func(i, j int) bool { return rank(infos[i]) < rank(infos[j]) })
	var back []*pane.Pane
	for _, info := range infos {
		id := s.modelID(info.ID)
		if s.model.Lookup(id) == nil && s.popups[id] == nil { // its end was decided, and the last server died before it could kill it
			s.log.Printf("pane %v is in no window: ending it", id)
			s.unwanted(info)
			continue
		}
		if info.Unreached != nil {
			switch {
			case s.upgrade.onTrial():
				return fmt.Errorf("pane %v: %w", id, info.Unreached)
			case s.popups[id] == nil: // a popup is asked for once more
				s.outOfReach(id, info)
			}
			continue
		}
		limit := s.historyLimit(id)
		if s.popups[id] != nil {
			limit = 0
		}
		p := pane.New(info, limit, s.hooks())
		if s.popups[id] == nil {
			p.Rule(s.rules(id))
		}
		old := s.stillToCome(id)
		if old != nil {
			p.Under(old.text, old.divider)
		}
		if s.upgrade.onTrial() {
			if _, err := p.TryRecover(); err != nil {
				return fmt.Errorf("pane %v: %w", id, err)
			}
		} else if why := p.Recover(); why != "" {
			s.note(fmt.Sprintf("pane %v: %s", id, why))
		}
		if old != nil {
			old.text = nil
		}
		back = append(back, p)
		s.pane(id).live = p
	}
	for _, p := range back { // all replays are over: see pane.Start
		id := s.modelID(p.ID)
		if p := s.model.Panes[id]; p != nil && p.State == model.Starting {
			s.begun(id)
		}
		if s.recovered.panes == nil {
			s.recovered.panes = map[model.PaneID]bool{}
		}
		s.recovered.panes[id] = !p.Info().Exited
		s.take(id, p)
		s.recovered.starts = append(s.recovered.starts, func() { p.Start(s.link.Reader(p.Info())) })
		if p.Info().Exited {
			s.exited(p.ID, exit(p.Info().Status))
		}
	}
	s.missing()
	s.closedAgain()
	s.pipesLost()
	return nil
}

// missing deals with panes that the model has and the keeper does not: those whose start had been asked
// for are started now, dead ones stay dead.
func (s *Server) missing() {
	for _, id := range slices.Sorted(maps.Keys(s.model.Panes)) {
		p := s.model.Panes[id]
		if s.live(id) != nil || s.pane(id).beyond != nil || p.State == model.Dead {
			continue
		}
		if p.State != model.Starting {
			s.log.Printf("pane %v: the keeper does not know it", id)
			s.remove(id)
			continue
		}
		old := s.stillToCome(id)
		s.spawn(id, old, func(err error) {
			switch {
			case err == nil, errors.Is(err, keeper.ErrGone), s.model.Panes[id] == nil:
			default:
				s.failedPane(id, err)
				if old != nil && old.text != nil {
					s.showStill(id, old)
				}
			}
		})
	}
	s.reportAgain()
}

// stillToCome is what a pane is to show that the server before us was just bringing back; nil for any other.
func (s *Server) stillToCome(id model.PaneID) *picture {
	m, state := s.model.Panes[id], s.pane(id)
	if m == nil || m.State != model.Starting || state.untouched == nil || s.saves.store == nil {
		return nil
	}
	old := readPicture(s.saves.store, state.untouched.saved, s.historyLimit(id))
	old.divider = state.untouched.divider
	if m.Wait != nil {
		old.text.Below = s.waitLines(m)
	}
	if r := m.Rerun; r != nil && r.Why != "" {
		old.text.Notes = rerunNotes(m)
	}
	state.untouched = old
	return old
}

// reportAgain adds to the report of a restore the panes that the server before us had not come to.
func (s *Server) reportAgain() {
	r := s.restoring.report
	if r == nil {
		return
	}
	have := map[int]bool{}
	for _, row := range r.Rows {
		have[row.PaneID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(s.model.Panes)) {
		p := s.model.Panes[id]
		if old := s.pane(id).untouched; p.Restored.State != "" && !have[int(id)] && old != nil {
			r.Rows = append(r.Rows, resurrect.Row{
				PaneID: int(id), State: resurrect.State(p.Restored.State), Reason: p.Restored.Reason, Next: p.Restored.Next,
				SavedAt: p.Restored.SavedAt, Dir: p.Cwd, Lines: old.lines, Lost: old.lost,
			})
		}
	}
}

// visible are the panes that somebody sees who attaches.
func (s *Server) visible() map[model.PaneID]bool {
	out := map[model.PaneID]bool{}
	for _, ses := range s.model.Sessions {
		l, ok := ses.Link(ses.Current)
		if !ok {
			continue
		}
		for _, id := range s.model.Windows[l.Window].Panes() {
			out[id] = true
		}
	}
	return out
}
