package main

import (
	"fmt"
	"os"
	"path/filepath"

	"stet/client"
	"stet/config"
	"stet/server"
	"stet/server/command"
	"stet/server/sock"
)

// configHere runs what of the commands about the configuration needs no server. done says that it was one.
func configHere(o options) (code int, done bool) {
	name, args := named("config", o.argv)
	switch {
	case name == "config-default" && len(args) == 0:
		fmt.Print(command.DefaultConfig())
		return 0, true
	case name == "config-check" && (len(args) == 0 || len(args) == 1 && (len(args[0]) < 2 || args[0][0] != '-')):
		return configCheck(o.files, args), true
	case name == "config-show" && (len(args) == 0 || len(args) == 1 && args[0] == "--json"):
		return configShow(o, len(args) == 1)
	}
	return 0, false // the table says what is wrong
}

func configCheck(files, args []string) int {
	path := server.ConfigPath(files)
	if len(args) > 0 {
		path = args[0]
	}
	var c *config.Config
	var err error
	if path, err = filepath.Abs(path); err == nil { // so that it can be told where it is
		c, err = config.Load(path, config.Options{Check: command.Check})
	}
	text, err := command.Checked(path, len(args)+len(files) > 0, c, err)
	if err != nil {
		fmt.Fprintln(os.Stderr, client.Words(command.ShortWords(err.Error())))
		return 1
	}
	fmt.Println(client.Words(text))
	return 0
}

// configShow asks the server, where one runs.
func configShow(o options, asJSON bool) (code int, done bool) {
	p, err := resolve(o)
	if err != nil {
		return fail(err), true
	}
	if st, err := sock.Look(p); err == nil && st.Kind == sock.Running {
		return 0, false
	}
	text, err := server.ShowConfig(server.ConfigPath(o.files), asJSON)
	if err != nil {
		return fail(err), true
	}
	if asJSON {
		text += "\n"
	}
	fmt.Print(text)
	return 0, true
}
