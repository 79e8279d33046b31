package command

import "strings"

// The usage of a command says what its flags and arguments are: "[-t target-pane] [option]". What is
// offered for them is found by these names.

// flagNames are the names of the values that flags take.
func flagNames(row *Command) map[string]string {
	names := map[string]string{}
	for _, part := range brackets(row.Usage) {
		flag, name, ok := strings.Cut(part, " ")
		if ok && len(flag) == 2 && flag[0] == '-' {
			names[flag[1:]] = name
		}
	}
	return names
}

// brackets are the pieces in outer brackets.
func brackets(usage string) []string {
	var list []string
	depth, from := 0, 0
	for i := range len(usage) {
		switch usage[i] {
		case '[':
			if depth == 0 {
				from = i + 1
			}
			depth++
		case ']':
			if depth--; depth == 0 {
				list = append(list, usage[from:i])
			}
		}
	}
	return list
}

// arguments are the names of what stands behind the flags.
func arguments(row *Command) []string {
	usage := row.Usage
	for _, part := range brackets(usage) {
		if strings.HasPrefix(part, "-") {
			usage = strings.Replace(usage, "["+part+"]", "", 1)
		}
	}
	return strings.Fields(strings.NewReplacer("[", " ", "]", " ").Replace(usage))
}

// argumentName is the name of an argument; of those behind the last one it is the last one's where that
// stands for several.
func argumentName(row *Command, n int) string {
	list := arguments(row)
	switch {
	case len(list) == 2 && list[1] == "...":
		return list[0]
	case n < len(list):
		return list[n]
	case len(list) > 0 && (list[len(list)-1] == "..." || list[len(list)-1] == "arguments"):
		return list[len(list)-1]
	}
	return ""
}

// commandAt is which argument begins another command.
func commandAt(row *Command) int {
	for i, name := range arguments(row) {
		if name == "command" {
			return i
		}
	}
	return 0
}

// flagsOf are the flags that may stand where a word begins with -; those typed already are left out.
func flagsOf(row *Command, word string) []Candidate {
	if strings.HasPrefix(word, "--") {
		return longFlags(row, word)
	}
	names := flagNames(row)
	typed := word[1:]
	var list []Candidate
	for i := range len(row.Flags) {
		f := row.Flags[i : i+1]
		if f == ":" {
			continue
		}
		takes := strings.HasPrefix(row.Flags[i+1:], ":")
		if strings.Contains(typed, f) {
			if takes {
				return nil // its value follows in the same word
			}
			continue
		}
		c := Candidate{Text: word + f, Note: names[f], More: !takes}
		list = append(list, c)
	}
	if typed == "" {
		list = append(list, longFlags(row, "--")...)
	}
	return list
}

func longFlags(row *Command, word string) []Candidate {
	var list []Candidate
	for _, l := range row.Long {
		name, takes := strings.CutSuffix(l, "=")
		if takes {
			name += "="
		}
		if strings.HasPrefix("--"+name, word) {
			list = append(list, Candidate{Text: "--" + name, More: takes})
		}
	}
	return list
}
