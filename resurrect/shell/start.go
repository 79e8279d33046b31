package shell

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// Variables by which a script learns what it has to put back. It takes them out of the environment; programs
// never see them.
const (
	tokenVariable  = "STET_SHELL"        // what the marks are signed with
	howVariable    = "STET_SHELL_HOW"    // bash: by what it came to the script
	wasVariable    = "STET_SHELL_WAS"    // the value of the variable that the script came by; not there: it was not set
	recentVariable = "STET_SHELL_RECENT" // a file of commands for the top of the history
)

// Variables are the names of the above: no program may inherit them.
var Variables = []string{tokenVariable, howVariable, wasVariable, recentVariable}

// Request is a shell that is to be started.
type Request struct {
	Path string   // of the program
	Argv []string // one word: its name, with "-" before it for a login shell
	Env  []string // NAME=value
	// Token signs the marks of this shell, so that they can be told from those of programs that it runs:
	// letters and digits.
	Token string
	// Recent is a file of commands that are to be on top of the history, "" for none.
	Recent string
}

// Start makes of a request one that starts the shell with its script, which Install has put into dir. False:
// the request is as it was, since that shell, or one in that environment, can only be started without.
func (r *Request) Start(k Kind, dir string) bool {
	if len(r.Argv) != 1 || k == None {
		return false
	}
	env := slices.DeleteFunc(slices.Clone(r.Env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return slices.Contains(Variables, name)
	})
	set := func(name, value string) { env = append(env, name+"="+value) }
	replace := func(name, value string) {
		for i, e := range env {
			if was, ok := strings.CutPrefix(e, name+"="); ok {
				env = slices.Delete(env, i, i+1)
				set(wasVariable, was)
				break
			}
		}
		set(name, value)
	}
	argv := slices.Clone(r.Argv)
	switch k {
	case Bash:
		script := filepath.Join(dir, "stet.bash")
		switch {
		case strings.ContainsAny(script, "$`\\\""): // bash expands what ENV says
			return false
		case runtime.GOOS == "darwin" && r.Path == "/bin/bash":
			// Apple's does not look at ENV. So it is no login shell, but reads what one reads.
			how := "rc"
			if strings.HasPrefix(argv[0], "-") {
				how = "login"
			}
			argv = []string{strings.TrimPrefix(argv[0], "-"), "--rcfile", script}
			set(howVariable, how)
		case posix(env):
			return false
		default:
			// In posix mode an interactive shell reads the file that ENV names, and only that, and is a login
			// shell all the same. The script leaves the mode first.
			argv = append(argv, "--posix")
			replace("ENV", script)
			set(howVariable, "env")
		}
	case Zsh:
		replace("ZDOTDIR", dir)
	case Fish:
		dirs := variable(env, "XDG_DATA_DIRS")
		if dirs == "" {
			dirs = fishDirs(r.Path)
		}
		replace("XDG_DATA_DIRS", dir+":"+dirs)
	}
	set(tokenVariable, r.Token)
	if r.Recent != "" {
		set(recentVariable, r.Recent)
	}
	r.Argv, r.Env = argv, env
	return true
}

// posix tells whether bash would be in posix mode anyway, or would, being in it, not take a function from the
// environment that it takes otherwise.
func posix(env []string) bool {
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		if name == "POSIXLY_CORRECT" {
			return true
		}
		if f, ok := strings.CutPrefix(name, "BASH_FUNC_"); ok {
			f = strings.TrimSuffix(strings.TrimSuffix(f, "%%"), "()")
			if strings.ContainsFunc(f, func(c rune) bool {
				return c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
			}) {
				return true
			}
		}
	}
	return false
}

// fishDirs stands for an XDG_DATA_DIRS that is not set: fish then looks only where it was installed.
func fishDirs(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	return filepath.Join(filepath.Dir(filepath.Dir(path)), "share")
}

func variable(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}
