package server

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"stet/resurrect/shell"
	"stet/server/keeper"
	"stet/server/model"
	"stet/server/sock"
)

// scripting is what is needed to give a pane's shell the script by which it tells where it is.
type scripting struct {
	setting string   // of the option shell-integration
	dirs    []string // where the scripts may lie, the best first
	token   string
	recent  []string // commands for the top of the history
	keep    func(data []byte) (file string, err error)
}

// scripting of a pane is made in the loop, and used beside it.
func (s *Server) scripting(p *model.Pane, old *picture) scripting {
	in := ofSession(s.sessionOf(p))
	g := scripting{setting: s.option(in, "shell-integration"), token: shellToken(p)}
	g.dirs = s.scriptDirs()
	if old != nil && old.text != nil {
		g.recent = shell.Marked(g.token, s.number(in, "shell-history", 50), old.text.History, old.text.Main)
	}
	temps := s.tempDir()
	g.keep = func(data []byte) (string, error) { return tempFile(temps, "history", data) }
	return g
}

// scriptDirs are the directories for what programs are given to read, the best first. A runtime directory vanishes
// at logout, and programs may need it longer.
func (s *Server) scriptDirs() []string { return []string{s.cfg.StateDir, s.cfg.Socket + ".scripts"} }

// ownDir makes a directory that is this user's alone, or says why it is not.
func ownDir(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return sock.CheckDir(dir)
}

// give makes a request for a shell one for a shell with its script. Where that is impossible it stays as it
// is, and the error says why; it is nil where nobody wants one. history is the file with its last commands, which
// is to go with the pane.
func (g scripting) give(req *keeper.SpawnRequest) (history string, err error) {
	kind := shell.Of(req.Path)
	if !shell.Set(g.setting, kind) {
		return "", nil
	}
	var why error
	for _, base := range g.dirs {
		if why = ownDir(base); why != nil {
			continue
		}
		dir, err := shell.Install(base)
		if err != nil {
			why = err
			continue
		}
		if data := shell.Recent(kind, g.recent); len(data) > 0 {
			if history, err = g.keep(data); err != nil {
				err = fmt.Errorf("its last commands: %w", err) // the rest matters more
			}
		}
		r := shell.Request{Path: req.Path, Argv: req.Argv, Env: req.Env, Token: g.token, Recent: history}
		if !r.Start(kind, dir) {
			return history, fmt.Errorf("%s cannot be integrated in this environment", kind)
		}
		req.Argv, req.Env = r.Argv, r.Env
		return history, err
	}
	return "", why
}

// shellToken signs the marks of a pane's own shell. Nobody who merely writes to the terminal knows it; it is
// the same for every server that has the pane, also after a restore.
func shellToken(p *model.Pane) string {
	h := sha256.Sum256([]byte("shell " + p.UID))
	return hex.EncodeToString(h[:6])
}
