package keeper

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
	"stet/server/sock"
)

// RoleAgain is the hidden role of a keeper that goes on in the place of another: same process, same children, same descriptors.
const RoleAgain = "__keeper-again"

// How a keeper goes on.
const (
	againGo    = "go"    // for good, or back to the build before if that cannot read the state
	againBack  = "back"  // the build before, again
	againTrial = "trial" // a child of the keeper: read a copy of the state, with copies of the descriptors, and say whether that went well
)

// againWord stands in front of the answer of a trial: what a program prints that is no stet is not taken for one.
const againWord = "stet-keeper "

// becomeWait bounds that trial.
const becomeWait = 10 * time.Second

// become executes another build in this process. With the mutex held, no server there, and from the goroutine that starts them. It returns when that does
// not work, with all as it was and the reason in the change.
func (k *keeper) become(exe executable) {
	back := k.change.Outcome == GoingBack
	err := k.exec(exe, back)
	logf("cannot become build %s: %v", printable(k.change.To), err)
	if k.change.Why == "" {
		k.change.Why = "the keeper cannot execute it: " + reason(err)
	}
}

// exec does not return unless it fails. The mutex is given back for a moment, in which the readers end; nobody starts any while there is no server and
// this goroutine is here.
func (k *keeper) exec(exe executable, back bool) error {
	k.mu.Unlock()
	k.stopDrains()
	k.mu.Lock()
	defer func() {
		for _, id := range k.order {
			k.startDrain(k.panes[id])
		}
	}()
	s, done, err := k.keep()
	if err != nil {
		return err
	}
	defer done()
	how := againGo
	if back { // to the keeper and the server from before
		how = againBack
		s.Exe, s.ExePath = k.change.old.fd, k.change.old.path
	} else {
		s.Exe, s.ExePath = exe.fd, exe.path
		s.Old, s.OldPath, s.OldKeeper, s.Path = k.exe.fd, k.exe.path, k.self.fd, k.self.path
		s.Change.Outcome = OnTrial
	}
	fd, err := s.write()
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	closing := func(on bool) {
		set := func(fd *int) { closeOnExec(*fd, on) }
		s.each(set)
		set(&fd)
	}
	closing(false)
	defer closing(true)
	// What comes before the next program catches signals would end or stop it. Blocked ones wait; but Go's runtime keeps none of those blocked that end
	// a process, and lets those that stop one through a moment before it handles them, so these are ignored. Its programs do not inherit that: it
	// catches them before it starts any. SIGTERM and SIGQUIT can neither be blocked nor ignored that way: for the few milliseconds of the
	// runtime's start they do what they do to any process.
	signal.Ignore(passing...)
	defer signal.Notify(k.drop, passing...)
	defer blockSignals()()
	return syscall.Exec(exe.path, againArgs(k.cfg.Paths, fd, how), os.Environ())
}

func againArgs(p sock.Paths, fd int, how string) []string {
	return slices.Concat([]string{"stet", RoleAgain}, Args(p)[2:], []string{strconv.Itoa(fd), how})
}

func closeOnExec(fd int, on bool) {
	flags := 0
	if on {
		flags = unix.FD_CLOEXEC
	}
	_, _ = unix.FcntlInt(uintptr(fd), unix.F_SETFD, flags) // fails only for what is not open
}

// Again is the life of a keeper that another one has made way for, from behind the role's name: os.Args[2:]. It returns the exit status.
func Again(args []string) int {
	if len(args) != 7 {
		fmt.Fprintln(os.Stderr, "stet: a keeper is started by stet itself")
		return ExitFailed
	}
	cfg, err := ParseArgs(args[:5])
	fd, e := strconv.Atoi(args[5])
	if err = errors.Join(err, e); err != nil {
		fmt.Fprintln(os.Stderr, "stet:", err)
		return ExitFailed
	}
	cfg.Ready = -1
	if args[6] == againTrial {
		return tryAgain(cfg, fd)
	}
	signal.Notify(make(chan os.Signal, 1), dropped...) // before anything that takes time
	k, s, err := again(cfg, fd, args[6])
	if err == nil {
		return k.live()
	}
	logf("build %s cannot go on as the keeper: %v", Build(), err)
	if s != nil && args[6] == againGo && s.OldKeeper >= 0 { // it knows what it has written, and the descriptors are all open
		back := adoptExecutable(s.OldKeeper, s.Path)
		s.each(func(fd *int) { closeOnExec(*fd, false) })
		closeOnExec(fd, false)
		err := syscall.Exec(back.path, againArgs(cfg.Paths, fd, againBack), os.Environ())
		runtime.KeepAlive(k)
		logf("cannot go back to the keeper before: %v", err)
	}
	return ExitFailed
}

// refuseAgain is a test's chance to be a build that cannot go on.
var refuseAgain error

// again takes over what the keeper before has left open.
func again(cfg Config, fd int, how string) (k *keeper, s *kept, err error) {
	if s, err = readKept(fd); err != nil {
		return nil, s, err
	}
	s.each(func(fd *int) { closeOnExec(*fd, true) })
	closeOnExec(fd, true)
	if k, err = s.adopt(cfg); err != nil {
		return k, s, err
	}
	if k.self, err = openExecutable(); err != nil {
		return k, s, err
	}
	if refuseAgain != nil && how == againGo {
		return k, s, refuseAgain
	}
	closeInherited(-1)
	self := s.Owner
	self.Build = Build()
	if err := k.lock.Update(self); err != nil {
		logf("lock: %v", err) // it holds all the same
	}
	unix.Close(fd)
	nameProcess("stet-keeper")
	noCoreDumps()
	k.catchSignals() // those that came meanwhile, too
	k.reap()         // who has ended meanwhile
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.mode == Hybrid && k.stage == nil {
		k.mode = KeeperReads
		for _, id := range k.order {
			if err := ring.PacketMode(k.panes[id].master, false); err != nil {
				logf("pane %d: packet mode: %v", id, err)
			}
		}
	}
	if s.Build != Build() {
		logf("the keeper is build %s now, and was %s; %d panes", Build(), printable(s.Build), len(k.order))
	} else {
		logf("the keeper has executed itself anew; %d panes", len(k.order))
	}
	if how == againBack && k.change.Outcome == OnTrial { // the build that took our place could not go on there
		c := &k.change
		k.exe.close()
		c.keeper.close()
		k.exe, c.old, c.keeper = c.old, executable{}, executable{}
		c.Outcome, c.Why = GoingBack, "as the keeper it could not go on; see keeper.log"
	}
	for i := range s.Panes {
		if s.Panes[i].Ending {
			k.escalate(k.panes[s.Panes[i].ID], 2*time.Second)
		}
	}
	k.away = false // whoever read before this program does not any more
	k.takeOver()
	return k, s, nil
}

// tryAgain is the trial: everything that a keeper does to go on, but with what is not seen outside.
func tryAgain(cfg Config, fd int) int {
	s, err := readKept(fd)
	if err == nil {
		_, err = s.adopt(cfg)
	}
	if err != nil {
		fmt.Println(err)
		return ExitFailed
	}
	fmt.Printf("%s%s\n", againWord, Build())
	return ExitOK
}

// tryBecoming has another build read a copy of the state, as a child.
func (k *keeper) tryBecoming(exe executable) error {
	k.mu.Lock()
	s, done, err := k.keep()
	if err != nil {
		k.mu.Unlock()
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		done()
		k.mu.Unlock()
		return err
	}
	defer r.Close()
	pid, err := k.startTrial(exe, s, w)
	w.Close()
	done()
	k.trial = pid
	k.mu.Unlock()
	if err != nil {
		return fmt.Errorf("execute it: %s", reason(err))
	}
	defer func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.trial == pid { // not reaped, so it is that process
			_ = unix.Kill(pid, unix.SIGKILL)
		}
	}()
	if err := r.SetReadDeadline(time.Now().Add(becomeWait)); err != nil {
		return err
	}
	b, err := io.ReadAll(io.LimitReader(r, 4096))
	line, _, _ := bytes.Cut(bytes.TrimSpace(b), []byte("\n"))
	text := string(line)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("it did not end its dry start within %v", becomeWait)
	case strings.HasPrefix(text, againWord):
		return nil
	case text == "":
		return errors.New("it said nothing in its dry start: it is no stet, or one from before upgrades of the keeper")
	}
	return errors.New(printable(text))
}

// startTrial forks it, with the state as descriptor 3 and all others behind that. With the mutex held: else a pane's descriptors might be
// closed meanwhile, and others opened in their place.
func (k *keeper) startTrial(exe executable, s *kept, out *os.File) (pid int, err error) {
	copied := *s
	copied.Panes, copied.Bell = slices.Clone(s.Panes), slices.Clone(s.Bell)
	var open []uintptr
	copied.each(func(fd *int) {
		open = append(open, uintptr(*fd))
		*fd = 3 + len(open)
	})
	state, err := copied.write()
	if err != nil {
		return 0, err
	}
	defer unix.Close(state)
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	defer null.Close()
	std, done, err := rawFds(null, out, null)
	if err != nil {
		return 0, err
	}
	defer done()
	files := append(append(std, uintptr(state)), open...)
	// ForkExec makes copies above the highest number it is given, and then those that the child is to have; the executable must be above them all.
	copyOf, err := exe.above(int(slices.Max(files)) + 2*len(files) + 8)
	if err != nil {
		return 0, err
	}
	defer copyOf.close()
	return forkExec(copyOf.path, againArgs(k.cfg.Paths, 3, againTrial), &syscall.ProcAttr{
		Dir: "/", Env: os.Environ(), Files: files, Sys: &syscall.SysProcAttr{Setsid: true},
	})
}

// sameContent tells whether two builds are the same, byte by byte.
func sameContent(a, b executable) (bool, error) {
	x, err := a.open()
	if err != nil {
		return false, err
	}
	defer x.Close()
	y, err := b.open()
	if err != nil {
		return false, err
	}
	defer y.Close()
	sx, err := x.Stat()
	if err != nil {
		return false, err
	}
	sy, err := y.Stat()
	if err != nil || sx.Size() != sy.Size() {
		return false, err
	}
	if os.SameFile(sx, sy) {
		return true, nil
	}
	p, q := make([]byte, 64<<10), make([]byte, 64<<10)
	for {
		n, err := io.ReadFull(x, p)
		m, err2 := io.ReadFull(y, q)
		if n != m || !bytes.Equal(p[:n], q[:m]) {
			return false, nil
		}
		if err != nil || err2 != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return true, nil
			}
			return false, errors.Join(err, err2)
		}
	}
}
