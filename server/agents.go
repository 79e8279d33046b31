package server

import (
	"os"
	"path/filepath"

	"stet/config"
	"stet/resurrect/agent"
	"stet/server/command"
)

// Agents reads what is known of agents.
func (s *Server) Agents() *agent.Set { return agent.Load(AgentsDir(os.Getenv)) }

// AgentsDir is the directory of the user's integrations, "" where there is no home.
func AgentsDir(getenv func(string) string) string {
	file := config.Find(getenv)
	if file == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(file), agent.Dir)
}

var _ command.AgentHost = (*Server)(nil)
