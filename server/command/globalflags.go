package command

// GlobalFlag is a flag in front of the command.
type GlobalFlag struct {
	Letter string
	Value  string // what it takes, "" for nothing
	Help   string
}

// GlobalFlags are those of the command line of stet, as its completion and its man page have them.
func GlobalFlags() []GlobalFlag {
	return []GlobalFlag{
		{"f", "file", "Start the server with that file in place of config.toml: in tmux's language, or TOML if it ends in .toml. It may be given several times."},
		{"h", "", "Print a short help."},
		{"L", "name", "Use the server of that name. Each has its own sessions, options and saved workspace."},
		{"S", "path", "Use the server with that socket."},
		{"V", "", "Print the version."},
	}
}
