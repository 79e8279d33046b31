package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/fxamacker/cbor/v2"

	"stet/config"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
	"stet/vt"
)

// RoleTrial is the hidden role of a dry start: a build that is to take over is given copies of all that it would find, and says whether
// it could go on from there. It touches nothing.
const RoleTrial = "__trial"

const (
	// trialTime bounds a dry start.
	trialTime = 20 * time.Second
	// trialBytes bounds what is copied of panes for it; those that are beyond are tried by the number of their format alone.
	trialBytes = 64 << 20
	// trialWord stands in front of the answer: what a program prints that is no stet is not taken for one.
	trialWord = "stet-trial "
)

// trialHead is the first thing that a dry start reads; so many trialPanes follow.
type trialHead struct {
	Keeper keeper.Range // what the keeper speaks
	Build  string       // and its build
	Image  []byte       // the model's checkpoint, nil if there is none
	Panes  int
	Files  string // see FilesVariable
	Both   bool   // the keeper is to be of this build, too: what the present one speaks does not matter
}

// trialPane is a pane's checkpoint.
type trialPane struct {
	ID    uint64
	State []byte
	// Blocks are the blocks of its scrollback that are in use, of an arena of so many bytes. nil where they are not copied: then only the
	// beginning of State is there, too.
	Arena  int
	Blocks map[int][]byte
}

// trialAnswer is what a dry start says when all is well.
type trialAnswer struct {
	Build  string       `json:"build"`
	Keeper keeper.Range `json:"keeper"` // what its servers can say to a keeper
	Panes  int          `json:"panes"`
}

// Trial is the dry start: it reads from r and answers to w, and returns the process's exit status. What is wrong goes to errs.
func Trial(r io.Reader, w, errs io.Writer) int {
	a, err := try(r)
	if err == nil {
		var b []byte
		if b, err = json.Marshal(a); err == nil {
			_, err = fmt.Fprintf(w, "%s%s\n", trialWord, b)
		}
	}
	if err != nil {
		fmt.Fprintln(errs, err)
		return 1
	}
	return 0
}

func try(r io.Reader) (a trialAnswer, err error) {
	defer func() { // what panics here would panic there
		if why := recover(); why != nil {
			err = fmt.Errorf("panic: %v", why)
		}
	}()
	mode, err := imageDecoding()
	if err != nil {
		return a, err
	}
	dec := mode.NewDecoder(r)
	var h trialHead
	if err := dec.Decode(&h); err != nil {
		return a, fmt.Errorf("a dry start is begun by stet itself: %w", err)
	}
	a = trialAnswer{Build: keeper.Build(), Keeper: keeper.Versions(), Panes: h.Panes}
	if !h.Both && !a.Keeper.Meets(h.Keeper) {
		return a, fmt.Errorf("the keeper (build %s) speaks protocol %v, a server of build %s %v; \"stet upgrade --keeper\" has the keeper go over, too", h.Build, h.Keeper, a.Build, a.Keeper)
	}
	if err := os.Setenv(FilesVariable, h.Files); err != nil {
		return a, err
	}
	s := newServer(Config{Build: a.Build, Log: io.Discard})
	if path := s.configPath(); path != "" {
		if _, err := config.Load(path, config.Options{Check: command.Check}); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return a, fmt.Errorf("the configuration: %w", err)
		}
	}
	if h.Image != nil {
		im, err := readImage(h.Image)
		if err != nil {
			return a, err
		}
		s.options.Apply(im.Options)
		s.keys.Apply(im.Keys)
	}
	for range h.Panes {
		var p trialPane
		if err := dec.Decode(&p); err != nil {
			return a, fmt.Errorf("a copy of a pane: %w", err)
		}
		if err := p.try(); err != nil {
			return a, fmt.Errorf("pane %%%d: %w", pane.Number(p.ID), err)
		}
	}
	return a, nil
}

// readImage reads a model's checkpoint as a whole or not at all. What a newer build has put there and this one does not know would be gone with
// this one's first checkpoint: who goes back to an older build is told, and keeps the newer one.
func readImage(b []byte) (im image, err error) {
	dec, err := imageMode(cbor.ExtraDecErrorUnknownField)
	if err == nil {
		err = dec.Unmarshal(b, &im)
	}
	if err == nil {
		_, err = model.DecodeWhole(im.Model)
	}
	if unknown := (*cbor.UnknownFieldError)(nil); errors.As(err, &unknown) {
		return image{}, errors.New("the workspace holds something that this build does not know and would lose: a newer build has made it. To go back all the same, kill-server first, and start this build, which brings back what is saved as far as it can read that")
	}
	if err != nil {
		return image{}, fmt.Errorf("the model's checkpoint cannot be read: %w", err)
	}
	return im, nil
}

func (p *trialPane) try() error {
	switch {
	case len(p.State) == 0:
		return nil
	case p.Blocks == nil:
		return vt.Readable(p.State)
	case p.Arena < 0 || p.Arena > trialBytes:
		return fmt.Errorf("an arena of %d bytes", p.Arena)
	}
	arena := make([]byte, p.Arena)
	for n, b := range p.Blocks {
		if n < 0 || n >= p.Arena/vt.BlockSize || len(b) != vt.BlockSize {
			return fmt.Errorf("block %d of %d bytes", n, len(b))
		}
		copy(arena[n*vt.BlockSize:], b)
	}
	_, err := vt.Load(p.State, vt.Options{Arena: arena}, 0)
	return err
}

// trial is a dry start as the present server runs it, in a goroutine of its own.
type trial struct {
	exe   *os.File
	path  string
	head  trialHead
	panes []*pane.Pane
	env   []string
}

// run starts the build and returns what it says. Everything it writes is bounded, and it ends with its time.
func (t *trial) run(ctx context.Context) (a trialAnswer, err error) {
	ctx, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	file, done, err := executableName(t.exe, t.path)
	if err != nil {
		return a, err
	}
	defer done()
	cmd := exec.CommandContext(ctx, file, RoleTrial)
	cmd.Args[0] = "stet"
	cmd.Dir, cmd.Env = "/", t.env
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	runtime.LockOSThread() // what dieWithUs asks for comes with the end of the thread
	defer runtime.UnlockOSThread()
	dieWithUs(cmd.SysProcAttr)
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	var out, errs words
	cmd.Stdout, cmd.Stderr = &out, &errs
	in, err := cmd.StdinPipe()
	if err != nil {
		return a, err
	}
	if err := cmd.Start(); err != nil {
		return a, fmt.Errorf("%s: %w", t.path, cause(err))
	}
	go func() { // it may end before it has read all; then the pipe breaks
		defer in.Close()
		_ = t.feed(in)
	}()
	err = cmd.Wait()
	said, _, _ := strings.Cut(strings.TrimSpace(errs.String()), "\n")
	answer, isOurs := strings.CutPrefix(strings.TrimSpace(out.String()), trialWord)
	switch {
	case ctx.Err() != nil:
		return a, fmt.Errorf("%s did not end its dry start within %v", t.path, trialTime)
	case err != nil && said != "":
		return a, fmt.Errorf("%s: %s", t.path, said)
	case err != nil:
		return a, fmt.Errorf("%s: the dry start: %w", t.path, err)
	case !isOurs || json.Unmarshal([]byte(answer), &a) != nil || a.Panes != t.head.Panes:
		return a, fmt.Errorf("%s is not a stet, or one from before upgrades", t.path)
	}
	return a, nil
}

// cause is the system's word, without the descriptor's name that means nothing to anybody.
func cause(err error) error {
	var e syscall.Errno
	if errors.As(err, &e) {
		return e
	}
	return err
}

// feed writes what a dry start reads. A pane is copied when its turn comes, so that there is one copy at a time.
func (t *trial) feed(w io.Writer) error {
	enc := cbor.NewEncoder(w)
	if err := enc.Encode(&t.head); err != nil {
		return err
	}
	left := trialBytes
	for _, p := range t.panes {
		c := trialPane{ID: p.ID}
		state, arena, blocks := p.Copy(left)
		c.State, c.Arena, c.Blocks = state, arena, blocks
		left -= len(state) + len(blocks)*vt.BlockSize
		if err := enc.Encode(&c); err != nil {
			return err
		}
	}
	return nil
}

// words is the first piece of what a program prints.
type words struct{ bytes.Buffer }

func (w *words) Write(b []byte) (int, error) {
	const most = 16 << 10
	_, err := w.Buffer.Write(b[:min(len(b), max(0, most-w.Len()))])
	return len(b), err
}

// plan is the dry start of a build, as things are now.
func (s *Server) plan(exe *os.File, path string, both bool) *trial {
	t := &trial{exe: exe, path: path, env: s.began.Strings(), head: trialHead{Keeper: s.hosts.versions, Build: s.hosts.build, Files: s.files.text, Both: both}}
	if b, err := s.kept.slots.Load(); err == nil {
		t.head.Image = bytes.Clone(b)
	}
	for _, p := range s.panes {
		if p.live != nil {
			t.panes = append(t.panes, p.live)
		}
	}
	t.head.Panes = len(t.panes)
	return t
}

// hosts is what the welcome said of the keeper that is of use later.
type hosts struct {
	build    string
	versions keeper.Range
	able     bool // to upgrade the server
	itself   bool // and itself
}
