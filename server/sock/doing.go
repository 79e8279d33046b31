package sock

import (
	"fmt"
	"time"
)

// ServerRole is the word that a server's process has behind the program's name.
const ServerRole = "__server"

// Silent says, for people, who it is that does not answer where a keeper's server should have, and what
// to try. keeper is 0 where its process is not known.
func Silent(keeper int, after time.Duration) string {
	server := ServerOf(keeper)
	switch {
	case keeper == 0:
		return fmt.Sprintf("the server does not answer within %v; see whether its process is stopped", after)
	case Stopped(server):
		return fmt.Sprintf("server %d does not answer: its process is stopped; try kill -CONT %d, or kill -KILL %d: the programs go on, and another server takes over", server, server, server)
	case Stopped(keeper):
		return fmt.Sprintf("keeper %d does not answer: its process is stopped; try kill -CONT %d", keeper, keeper)
	case server == 0:
		return fmt.Sprintf("keeper %d has no server that answers within %v; see its keeper.log and server.log", keeper, after)
	}
	return fmt.Sprintf("server %d (keeper %d) does not answer within %v; try again, or kill -KILL %d: the programs go on, and another server takes over", server, keeper, after, server)
}

// AnyStopped says that a keeper or its server is stopped: waiting makes no sense.
func AnyStopped(keeper int) bool { return Stopped(keeper) || Stopped(ServerOf(keeper)) }
