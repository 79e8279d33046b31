package model

import "slices"

// Respawn makes a pane ready for another program in the place of the one it has, or had. What the spec
// leaves empty stays as it was: the command, which after a restore is the one that the pane was made for,
// and the directory. The unique id is a new one, since the pane's text begins anew.
func (m *Model) Respawn(id PaneID, p PaneSpec) error {
	old := m.Panes[id]
	if old == nil {
		return ErrNoPane
	}
	if err := m.checkUID(p.UID); err != nil {
		return err
	}
	switch {
	case len(p.Argv) > 0:
		old.Argv, old.Was = slices.Clone(p.Argv), nil
	case len(old.Argv) == 0 && len(old.Was) > 0:
		old.Argv, old.Was = old.Was, nil
	}
	if p.Cwd != "" {
		old.Cwd = p.Cwd
	}
	if p.Shell != "" {
		old.Shell = p.Shell
	}
	old.Env = append(slices.Clone(old.Env), p.Env...)
	if len(old.Env) > MaxEnv {
		old.Env = slices.Clone(old.Env[len(old.Env)-MaxEnv:])
	}
	old.UID, old.State, old.Status, old.Signal = p.UID, Starting, 0, 0
	old.Restored, old.Empty, old.Agent, old.Wait, old.Rerun = Restored{}, false, nil, nil, nil
	old.Run++
	m.revision++
	return nil
}

// MaxEnv bounds the variables that a pane has of its own; of more the oldest go.
const MaxEnv = 1024
