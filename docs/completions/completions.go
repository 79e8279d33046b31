// Package completions holds the scripts that make a shell complete command lines of stet. They know no
// command themselves: they ask "stet __complete", which answers from the table of commands, and from the
// server where one runs.
//
// The first line of the answer says what kind of words follows: "words"; "part", where the only one goes on
// without a blank; "files", "directories" and "commands", which the shell may add by itself. Each line behind
// it is a word, and for zsh and fish a tab and what it is. For bash the words are quoted as they are to stand
// there, without what lies before the last of the characters at which bash breaks words.
package completions

import _ "embed" // the scripts

var (
	//go:embed stet.bash
	bash string
	//go:embed _stet
	zsh string
	//go:embed stet.fish
	fish string
)

// Script is that of a shell: "bash", "zsh" or "fish".
func Script(shell string) (text string, ok bool) {
	switch shell {
	case "bash":
		return bash, true
	case "zsh":
		return zsh, true
	case "fish":
		return fish, true
	}
	return "", false
}
