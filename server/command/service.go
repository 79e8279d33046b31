package command

import "fmt"

func serviceCommands() []Command {
	return []Command{
		{
			Name: "service-install", Own: true, Long: []string{"print"}, Min: 0, Max: 0, Usage: "[--print]", ReadOnly: true,
			Help: "In a shell: have systemd bring back the workspace when the machine starts, by a unit of the user's, which is shown. With --print nothing is written: for other systems, where that is all it does.", Exec: aboutMachine,
		},
		{
			Name: "service-status", Own: true, Long: []string{"json"}, Min: 0, Max: 0, Usage: "[--json]", ReadOnly: true,
			Help: "In a shell: tell whether the unit of service install is there, enabled, and right. Exit status 0: it is; 2: it is not; 1: it could not be found out.", Exec: aboutMachine,
		},
		{
			Name: "service-uninstall", Own: true, Min: 0, Max: 0, ReadOnly: true,
			Help: "In a shell: take the unit of service install away. What runs goes on.", Exec: aboutMachine,
		},
	}
}

func aboutMachine(c *Context) error {
	return fmt.Errorf("%s is about the machine: run stet %s in a shell", c.Row.Words(), c.Row.Words())
}
