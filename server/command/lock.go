package command

import "fmt"

// lockCommands are known so that who asks for them is told what to use: locking a screen is the work of the
// outer terminal's system, which knows passwords, and a lock that can be walked around is none.
func lockCommands() []Command {
	refuse := func(c *Context) error {
		return fmt.Errorf("%s: stet does not lock terminals: detach (detach-client), or run a program that locks in its place (detach-client -E vlock)", c.Row.Name)
	}
	return []Command{
		{
			Name: "lock-client", Alias: "lockc", Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-client]",
			Help: "Not done: says what to use instead.", Exec: refuse,
		},
		{
			Name: "lock-server", Alias: "lock", Min: 0, Max: 0,
			Help: "Not done: says what to use instead.", Exec: refuse,
		},
		{
			Name: "lock-session", Alias: "locks", Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-session]",
			Help: "Not done: says what to use instead.", Exec: refuse,
		},
	}
}
