package shell

import (
	"slices"
	"strconv"
	"strings"
)

// Marked takes the commands out of lines of saved text whose marks (OSC 133;C) a token has signed: the last
// ones, at most limit, the newest last, each once in a row.
func Marked(token string, limit int, texts ...[]string) (commands []string) {
	begin := "\x1b]133;C;aid=" + token + ";cmdline_url="
	for i := len(texts) - 1; i >= 0; i-- {
		for j := len(texts[i]) - 1; j >= 0; j-- {
			line := texts[i][j]
			for at := strings.LastIndex(line, begin); at >= 0 && len(commands) < limit; at = strings.LastIndex(line, begin) {
				text, _, _ := strings.Cut(line[at+len(begin):], "\x1b")
				text, _, _ = strings.Cut(text, ";")
				if c := decode(text); c != "" && (len(commands) == 0 || commands[len(commands)-1] != c) {
					commands = append(commands, c)
				}
				line = line[:at]
			}
			if len(commands) >= limit {
				slices.Reverse(commands)
				return commands
			}
		}
	}
	slices.Reverse(commands)
	return commands
}

// decode replaces %XX. What is no text is none.
func decode(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b.WriteByte(s[i])
			continue
		}
		if i+2 >= len(s) {
			return ""
		}
		n, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return ""
		}
		b.WriteByte(byte(n))
		i += 2
	}
	text := b.String()
	if strings.ContainsFunc(text, func(r rune) bool { return r == '\uFFFD' || r < ' ' && r != '\n' && r != '\t' || r == 0x7f }) {
		return ""
	}
	return text
}

// Recent is a file of commands in the form in which a shell reads its history; nil for a shell that cannot be
// given any, as fish, which has all panes' commands in its history from the moment they are run.
func Recent(k Kind, commands []string) []byte {
	var out []byte
	for _, c := range commands {
		switch {
		case strings.HasSuffix(c, `\`): // the next one would be taken for its rest
		case k == Bash && !strings.Contains(c, "\n"): // one of more lines would become several
			out = append(append(out, c...), '\n')
		case k == Zsh:
			for i := range len(c) {
				switch b := c[i]; {
				case b == '\n':
					out = append(out, '\\', '\n')
				case b >= 0x83 && b <= 0xa2: // bytes that mean something to zsh, which it writes like this
					out = append(out, 0x83, b^0x20)
				default:
					out = append(out, b)
				}
			}
			out = append(out, '\n')
		}
	}
	return out
}
