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
}

// scripting of a pane is made in the loop, and used beside it.
func (s *Server) scripting(p *model.Pane) scripting {
	setting := s.option(ofSession(s.sessionOf(p)), "shell-integration")
	// A runtime directory vanishes at logout, and shells need their scripts longer.
	return scripting{setting, []string{s.cfg.StateDir, s.cfg.Socket + ".scripts"}, shellToken(p)}
}

// give makes a request for a shell one for a shell with its script. Where that is impossible it stays as it
// is, and the error says why; it is nil where nobody wants one.
func (g scripting) give(req *keeper.SpawnRequest) error {
	kind := shell.Of(req.Path)
	if !shell.Set(g.setting, kind) {
		return nil
	}
	var why error
	for _, base := range g.dirs {
		if err := os.Mkdir(base, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			why = err
			continue
		}
		if err := sock.CheckDir(base); err != nil {
			why = err
			continue
		}
		dir, err := shell.Install(base)
		if err != nil {
			why = err
			continue
		}
		r := shell.Request{Path: req.Path, Argv: req.Argv, Env: req.Env, Token: g.token}
		if !r.Start(kind, dir) {
			return fmt.Errorf("%s cannot be integrated in this environment", kind)
		}
		req.Argv, req.Env = r.Argv, r.Env
		return nil
	}
	return why
}

// shellToken signs the marks of a pane's own shell. Nobody who merely writes to the terminal knows it; it is
// the same for every server that has the pane.
func shellToken(p *model.Pane) string {
	h := sha256.Sum256(fmt.Appendf(nil, "shell %s %d", p.UID, p.Run))
	return hex.EncodeToString(h[:6])
}
