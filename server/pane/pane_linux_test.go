package pane

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
	"stet/vt"
)

func TestOutputReachesTheEmulator(t *testing.T) {
	r := begin(t)
	r.SetWatch([]Watch{{r, true}})
	before := r.SaveVersion()
	r.print("\x1b]2;a title\x07\x1b[31mred\x1b[m plain\r\nsecond\a")
	if got := lines(t, r.Pane, false); got[0] != "red plain" || got[1] != "second" {
		t.Errorf("text %q", got)
	}
	f := r.Facts()
	if f.Title != "a title" || f.Cols != testCols || f.Rows != testRows || f.Cursor.X != 6 || f.Cursor.Y != 1 || f.EOF || f.Damage != "" {
		t.Errorf("facts %+v", f)
	}
	if r.SaveVersion() <= before {
		t.Error("a save would not see the output")
	}
	if r.rung.Load() == 0 || r.news.Load() == 0 {
		t.Errorf("%d rings, %d notices of a new title", r.rung.Load(), r.news.Load())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var bell, title bool
	for _, e := range r.events {
		bell = bell || e.Kind == vt.EventBell
		title = title || e.Kind == vt.EventTitle && e.Text == "a title"
	}
	if !bell || !title {
		t.Errorf("events %+v", r.events)
	}
}

func TestAFloodOfSeveralRingsArrivesWhole(t *testing.T) {
	r := begin(t)
	var line string
	for i := range 20000 {
		line = fmt.Sprintf("line %d", i)
		r.write(line + "\r\n")
	}
	r.parsed()
	if r.sent < 3*uint64(r.ring.Sizes().Ring) {
		t.Fatalf("%d bytes are no flood", r.sent)
	}
	all := lines(t, r.Pane, false)
	if got := all[testHistory+testRows-2]; len(all) != testHistory+testRows || got != line {
		t.Errorf("%d lines, last %q, want %q", len(all), got, line)
	}
	if f := r.Facts(); f.HistoryLines != testHistory || f.HistoryLimit != testHistory || f.Damage != "" {
		t.Errorf("facts %+v", f)
	}
}

func TestACheckpointIsTakenWhenHalfTheRingIsUsed(t *testing.T) {
	r := begin(t)
	half := uint64(r.ring.Sizes().Ring) / 2
	first := r.ring.S()
	r.print(strings.Repeat("x", 1000))
	if r.ring.S() != first {
		t.Fatal("a checkpoint is taken for nothing")
	}
	for r.sent < half+1000 {
		r.print(strings.Repeat("y", 1000))
	}
	if s := r.ring.S(); s <= first || r.sent-s > half {
		t.Errorf("checkpoint at %d of %d bytes", s, r.sent)
	}
}

func TestAQuietPaneIsCheckpointed(t *testing.T) {
	r := begin(t)
	r.print("something")
	until(t, "a checkpoint of a quiet pane", func() bool { return r.ring.S() == r.sent })
}

func TestAnUnfinishedSequenceIsNotCutByACheckpoint(t *testing.T) {
	r := begin(t)
	r.print("a\x1b[3")
	done(t, func(f func(error)) { r.SetHistory(testHistory, f) }) // a checkpoint at this very place
	r.print("1mred")
	want := r.digest()
	if next, _ := r.lost(); next.term.Digest() != want {
		t.Errorf("recovered\n%s", next.term.Dump())
	}
}

func TestQueriesAreAnsweredOnce(t *testing.T) {
	r := begin(t)
	r.print("ab\x1b[6n")
	if s := r.typed(6); s != "\x1b[1;3R" {
		t.Fatalf("answer %q", s)
	}
	r.untyped()
	if a := r.ring.Answered(); a != r.sent {
		t.Errorf("answered up to %d of %d", a, r.sent)
	}
	r.mu.Lock()
	r.events = nil
	r.mu.Unlock()
	next, wrote := r.lost()
	if len(*wrote) > 0 {
		t.Errorf("answered again: %q", *wrote)
	}
	if next.Facts().Parsed != r.sent {
		t.Errorf("replayed up to %d of %d", next.Facts().Parsed, r.sent)
	}
}

func TestAnAnswerThatIsStillOwedIsGivenAfterACrash(t *testing.T) {
	r := begin(t)
	r.print("ab\x1b[6n")
	r.typed(6)
	r.Close()
	// Read by the server that died, not answered. A bell and a title beside it are not told any more.
	r.ring.Append([]byte("c\x1b[6n\a\x1b]2;new\x07"))
	r.mu.Lock()
	r.events = nil
	r.mu.Unlock()
	next, wrote := r.found()
	if string(*wrote) != "\x1b[1;4R" {
		t.Errorf("answers %q", *wrote)
	}
	r.mu.Lock()
	if len(r.events) > 0 {
		t.Errorf("told during the replay: %+v", r.events)
	}
	r.mu.Unlock()
	if next.Facts().Title != "new" {
		t.Errorf("title %q", next.Facts().Title)
	}
	if _, wrote = r.found(); len(*wrote) > 0 {
		t.Errorf("the server after that answers again: %q", *wrote)
	}
}

func TestResizesAreRecordedAndReachTheProgram(t *testing.T) {
	r := begin(t)
	r.print("0123456789012345\r\n")
	size := func() (cols, rows int) {
		c, err := r.tty.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		c.Control(func(fd uintptr) {
			w, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
			if err != nil {
				t.Fatal(err)
			}
			cols, rows = int(w.Col), int(w.Row)
		})
		return cols, rows
	}
	r.Resize(10, 7)
	until(t, "the new size", func() bool { f := r.Facts(); return f.Cols == 10 && f.Rows == 7 })
	if c, n := size(); c != 10 || n != 7 {
		t.Errorf("the program has %dx%d", c, n)
	}
	if n := r.ring.Resizes(); n != 1 {
		t.Fatalf("%d resizes recorded", n)
	}
	if z := r.ring.ResizeAt(0); z != (ring.Resize{Pos: r.sent, Cols: 10, Rows: 7}) {
		t.Errorf("recorded %+v at byte %d", z, r.sent)
	}
	r.Resize(10, 7) // nothing changes
	s, err := r.State(true)
	if err != nil || s.Resizes != 1 || len(s.Log) != 1 || s.Log[0] != (Resized{0, r.sent, 10, 7}) || s.Dump == "" || s.Pane != r.String() {
		t.Errorf("state %+v, %v", s, err)
	}
}

func TestMoreResizesThanTheLogHolds(t *testing.T) {
	r := begin(t)
	r.print("0123456789012345678901234567890\r\n$ ")
	n := 2*ring.MaxLog + 3
	for i := range n {
		r.Resize(10+i%7, 4+i%3)
	}
	want := r.digest() // asked of the owner behind all of them
	if c := r.ring.Resizes(); c != uint64(n) {
		t.Errorf("%d of %d resizes recorded", c, n)
	}
	next, _ := r.lost()
	if next.term.Digest() != want {
		t.Errorf("recovered\n%s", next.term.Dump())
	}
}

func TestAResizeThatCannotBeRecordedIsNotMade(t *testing.T) {
	z := testSizes()
	z.Slot = ring.MinSlot
	r := beginWith(t, z)
	r.Resize(testCols+60, testRows+40)
	r.print(motley(3000)) // a state that does not fit into the slot
	for i := range 2 * ring.MaxLog {
		r.Resize(testCols+i%2, testRows+41)
	}
	if s, err := r.State(false); err != nil || s.Resizes > ring.MaxLog+1 || !strings.Contains(s.Damage, "checkpoint") {
		t.Fatalf("state %+v, %v", s, err)
	}
	want := r.digest()
	if next, _ := r.lost(); next.term.Digest() != want {
		t.Errorf("recovered\n%s", next.term.Dump())
	}
}

// motley is n characters, each of another colour.
func motley(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "\x1b[48;2;%d;%d;9m%c", i%256, i/256, 'a'+i%26)
	}
	return b.String()
}

func TestAStateThatIsTooLargeDoesNotStopTheProgram(t *testing.T) {
	z := testSizes()
	z.Ring, z.Slot = ring.MinRing, ring.MinSlot
	r := beginWith(t, z)
	r.Resize(testCols+60, testRows+40)
	for range 3 { // each several rings
		r.print(motley(3000))
	}
	if d := r.Facts().Damage; !strings.Contains(d, "does not fit") {
		t.Errorf("damage %q", d)
	}
	r.Close()
	next, _ := r.found()
	if got := next.term.Text(0, 0, vt.TextOptions{}); !strings.Contains(got[0], "too large") {
		t.Errorf("recovered %q", got)
	}
}

func TestAStateThatFitsAgainIsNoDamage(t *testing.T) {
	z := testSizes()
	z.Slot = ring.MinSlot
	r := beginWith(t, z)
	r.Resize(testCols+60, testRows+40)
	r.print(motley(3000))
	c := make(chan error, 1)
	r.SetHistory(testHistory, func(err error) { c <- err })
	if err := <-c; err == nil {
		t.Fatal("the state fits after all")
	}
	if r.digest(); r.Facts().Damage == "" {
		t.Error("nobody is told")
	}
	r.print("\x1bc")
	done(t, func(f func(error)) { r.SetHistory(testHistory, f) })
	if r.digest(); r.Facts().Damage != "" {
		t.Errorf("damage %q", r.Facts().Damage)
	}
}

// story is output with much state in it, in pieces that cut sequences and characters.
func story() []string {
	var out []string
	for i := range 60 {
		out = append(out, fmt.Sprintf("\x1b[3%dmline %d with wörds that wrap at the edge\r\n", i%8, i))
	}
	return append(out,
		"\x1b[2;4r\x1b[4;1Hinside\r\n\r\nmargins", "\x1b[?1h\x1b[?2004h\x1b[>1u\x1b]8;;http://example.org\x07li", "nk\x1b]8;;\x07",
		"\x1b[?1049h\x1b[Halternate", "\x1b[?1049l\x1b[r\x1b7", "\x1b(0lqk\x1b(B\xe4\xb8", "\xad\xe6\x96\x87", "\x1bH\x1b]2;ti", "tle\x07\x1b[38;5", ";9mx\x1b[4",
	)
}

func TestRecoveryEqualsWhatWasNeverInterrupted(t *testing.T) {
	r := begin(t)
	reference := vt.New(vt.Options{Cols: testCols, Rows: testRows, History: testHistory})
	for i, s := range story() {
		r.print(s)
		reference.Write([]byte(s))
		if i%9 == 8 {
			cols, rows := 12+i%11, 3+i%4
			r.Resize(cols, rows)
			r.digest() // it is made where this output ends
			reference.Resize(cols, rows)
		}
		if got := r.digest(); got != reference.Digest() {
			t.Fatalf("the pane differs after piece %d", i)
		}
		if i%5 == 0 {
			r.Close()
			next, wrote := r.found()
			if next.term.Digest() != reference.Digest() {
				t.Fatalf("recovered after piece %d\n%s\nwant\n%s", i, next.term.Dump(), reference.Dump())
			}
			if len(*wrote) > 0 {
				t.Fatalf("wrote %q", *wrote)
			}
			r.restart()
		}
	}
}

// restart is what happens to a pane when the server dies and the next one takes it over.
func (r *rig) restart() {
	r.t.Helper()
	r.info.Close()
	the.leave()
	the.join(r.t)
	for _, info := range the.welcome.Panes {
		if info.ID == r.info.ID {
			r.info = info
		}
	}
	r.Pane = New(r.info, testHistory, r.hooks())
	if why := r.Recover(); why != "" {
		r.t.Fatal(why)
	}
	r.Start(the.link.Reader(r.info))
}

func TestOutputWhileThereIsNoServerIsReplayed(t *testing.T) {
	r := begin(t)
	r.print("before ")
	r.Close()
	r.info.Close()
	the.leave()
	r.write("meanwhile ") // the keeper reads
	the.join(t)
	r.info = the.welcome.Panes[len(the.welcome.Panes)-1]
	r.Pane = New(r.info, testHistory, r.hooks())
	if why := r.Recover(); why != "" {
		t.Fatal(why)
	}
	r.Start(the.link.Reader(r.info))
	r.print("\r\nafter")
	if got := lines(t, r.Pane, false); got[0] != "before meanwhile" || got[1] != "after" {
		t.Errorf("text %q", got)
	}
}

func TestWhatIsNotOutputSurvivesACrash(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*rig, func(error))
		check  func(*Pane) bool
	}{
		"clear-history": {func(r *rig, f func(error)) { r.ClearHistory(true, f) }, func(p *Pane) bool { return p.term.HistoryLen() == 0 }},
		"trim":          {func(r *rig, f func(error)) { r.Trim(f) }, func(p *Pane) bool { return true }},
		"reset":         {func(r *rig, f func(error)) { r.Reset(f) }, func(p *Pane) bool { return !p.term.Modes().AppCursor }},
		"history-limit": {func(r *rig, f func(error)) { r.SetHistory(3, f) }, func(p *Pane) bool { return p.term.HistoryLen() == 3 }},
	} {
		t.Run(name, func(t *testing.T) {
			r := begin(t)
			r.print("\x1b[?1h" + strings.Repeat("line\r\n", 40))
			version := r.SaveVersion()
			done(t, func(f func(error)) { c.change(r, f) })
			if r.SaveVersion() <= version {
				t.Error("a save would not see it")
			}
			want := r.digest()
			next, _ := r.lost()
			if got := next.term.Digest(); got != want || !c.check(next) {
				t.Errorf("recovered\n%s", next.term.Dump())
			}
		})
	}
}

func TestEndedComesOnceAfterTheLastOutput(t *testing.T) {
	r := spawn(t, testSizes(), "seq", "1", "3000")
	r.Pane = New(r.info, testHistory, r.hooks())
	if err := r.Begin(testCols, testRows); err != nil {
		t.Fatal(err)
	}
	r.Start(the.link.Reader(r.info))
	until(t, "the end", func() bool { return r.ended.Load() > 0 })
	if f := r.Facts(); !f.EOF || f.Parsed != r.ring.W() {
		t.Errorf("facts %+v", f)
	}
	all := lines(t, r.Pane, false)
	if last := all[len(all)-2]; last != "3000" {
		t.Errorf("the last line is %q", last)
	}
	r.digest()
	if n := r.ended.Load(); n != 1 {
		t.Errorf("told %d times", n)
	}
	want := r.digest()
	if next, _ := r.lost(); next.term.Digest() != want {
		t.Error("recovered differently after the end")
	}
}

func TestSynchronisedOutputIsHeldForAWhileOnly(t *testing.T) {
	r := begin(t)
	r.SetWatch([]Watch{{r, true}})
	for range 2 { // a second time, too
		begun := time.Now()
		r.print("\x1b[?2026h\x1b[Hhalf a pict")
		if !r.View(nil, 0, 0).Modes.Sync && time.Since(begun) < syncTime {
			t.Error("shown at once")
		}
		if !r.Facts().Modes.Sync {
			t.Fatal("the emulator does not say so")
		}
		until(t, "the picture to be shown nevertheless", func() bool { return !r.View(nil, 0, 0).Modes.Sync })
		if !r.Facts().Modes.Sync {
			t.Fatal("the program has not ended it")
		}
		rung, version := r.rung.Load(), r.Version()
		if rung == 0 || version == 0 {
			t.Errorf("rung %d times, version %d", rung, version)
		}
		r.print("ure\x1b[?2026l")
		if r.View(nil, 0, 0).Modes.Sync {
			t.Error("still held after its end")
		}
	}
}

func TestAPaneThatHasEndedAnswersErrors(t *testing.T) {
	r := begin(t)
	r.Close()
	if _, err := r.State(false); err == nil {
		t.Error("a state")
	}
	if _, err := r.Freeze(); err == nil {
		t.Error("a frozen picture")
	}
	if _, err := r.Text(false, func(int, int) (int, int) { return 0, 0 }, vt.TextOptions{}); err == nil {
		t.Error("text")
	}
	if r.View(nil, 0, 0) != nil {
		t.Error("a view")
	}
	if err := r.Input([]byte("x")); err == nil {
		t.Error("input was taken")
	}
	r.Resize(3, 3) // these are lost, and nobody waits
	r.Close()
}
