package main

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// options are the flags in front of the command.
type options struct {
	name, socket string
	files        []string
	version      bool
	help         bool
	argv         []string
}

// parse reads the global flags as getopt does: letters may be joined, a value may be attached. The
// first word that is no flag begins the command. -2, -8, -l, -q and -u are accepted for tmux's sake
// and mean nothing: colours and UTF-8 are found out, not told.
func parse(args []string) (o options, err error) {
	for len(args) > 0 {
		a := args[0]
		if a == "--" {
			o.argv = args[1:]
			return o, nil
		}
		if len(a) < 2 || a[0] != '-' {
			break
		}
		args = args[1:]
		if a == "--version" || a == "--help" || a == "-h" {
			o.version, o.help = o.version || a == "--version", o.help || a != "--version"
			continue
		}
		for a = a[1:]; a != ""; {
			f := a[0]
			a = a[1:]
			switch {
			case f == 'V':
				o.version = true
			case strings.IndexByte("28lqu", f) >= 0:
			case f == 'L' || f == 'S' || f == 'f':
				v := a
				if a = ""; v == "" {
					if len(args) == 0 {
						return o, fmt.Errorf("option -%c needs a value", f)
					}
					v, args = args[0], args[1:]
				}
				if v == "" { // a script's variable that is not set must not end the usual server
					return o, fmt.Errorf("option -%c needs a value, not an empty text", f)
				}
				switch f {
				case 'L':
					o.name = v
				case 'S':
					o.socket = v
				default:
					o.files = append(o.files, v)
				}
			case f == '-':
				return o, fmt.Errorf("unknown option --%s", a)
			default:
				r, _ := utf8.DecodeRuneInString(string([]byte{f}) + a)
				return o, fmt.Errorf("unknown option -%c", r)
			}
		}
	}
	o.argv, o.help = args, o.help || len(args) == 1 && args[0] == "help"
	return o, nil
}
