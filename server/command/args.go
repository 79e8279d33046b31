package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"stet/config/near"
	"stet/config/syntax"
)

// Word is one argument as the command language gives it: text, or a block of commands.
type Word = syntax.Arg

// maxArgs bounds the words of one command.
const maxArgs = 4096

// Args are the flags and arguments of one command.
type Args struct {
	flags []flag
	rest  []Word
}

type flag struct {
	name  string // one letter, or the name of a long one
	value Word
}

// Has tells whether a flag was given: a letter, or the name of a long flag ("json").
func (a *Args) Has(name string) bool {
	_, ok := a.flag(name)
	return ok
}

// Get returns the value of a flag, "" when it was not given. Of several the last counts.
func (a *Args) Get(name string) string {
	w, _ := a.flag(name)
	return w.Text
}

// All returns the values of a flag that may be given several times.
func (a *Args) All(name string) []string {
	var all []string
	for _, f := range a.flags {
		if f.name == name {
			all = append(all, f.value.Text)
		}
	}
	return all
}

func (a *Args) flag(name string) (Word, bool) {
	for _, f := range slices.Backward(a.flags) {
		if f.name == name {
			return f.value, true
		}
	}
	return Word{}, false
}

// Len is the number of arguments behind the flags.
func (a *Args) Len() int { return len(a.rest) }

// Arg returns an argument's text, "" when there are not so many.
func (a *Args) Arg(i int) string { return a.Word(i).Text }

// Word returns an argument, the zero Word when there are not so many.
func (a *Args) Word(i int) Word {
	if i < 0 || i >= len(a.rest) {
		return Word{}
	}
	return a.rest[i]
}

// Texts returns the texts of the arguments from the i-th on.
func (a *Args) Texts(i int) []string {
	var texts []string
	for _, w := range a.rest[min(i, len(a.rest)):] {
		texts = append(texts, w.Text)
	}
	return texts
}

// Number reads a flag's value as a whole number between two limits. Its errors are tmux's, "width too
// large". set is false when the flag was not given.
func (a *Args) Number(name, what string, least, most int) (n int, set bool, err error) {
	w, ok := a.flag(name)
	if !ok {
		return 0, false, nil
	}
	n, err = number(w.Text, what, least, most)
	return n, true, err
}

func number(text, what string, least, most int) (int, error) {
	n, err := strconv.ParseInt(strings.TrimLeft(text, " \t"), 10, 64)
	switch {
	case err != nil && isRange(err) && strings.Contains(text, "-"), err == nil && n < int64(least):
		return 0, fmt.Errorf("%s too small", what)
	case err != nil && isRange(err), err == nil && n > int64(most):
		return 0, fmt.Errorf("%s too large", what)
	case err != nil:
		return 0, fmt.Errorf("%s invalid", what)
	}
	return int(n), nil
}

func isRange(err error) bool {
	e, ok := err.(*strconv.NumError)
	return ok && e.Err == strconv.ErrRange
}

// cells reads a size in cells or, with a % behind it, in per cent of a whole, as split-window -l and
// resize-pane -x take it.
func cells(text, what string, whole int) (int, error) {
	digits, percent := strings.CutSuffix(text, "%")
	if !percent {
		return number(text, what, 0, 1<<31-1)
	}
	n, err := number(digits, what, 0, 100)
	return whole * n / 100, err
}

// errUsage asks for the usage line (-?), or, with help, for that and what the command does (--help).
type errUsage struct{ help bool }

func (errUsage) Error() string { return "usage" }

// errTooFew says that arguments are missing.
type errTooFew struct{ have, least int }

func (e *errTooFew) Error() string {
	return fmt.Sprintf("too few arguments (need at least %d)", e.least)
}

// errTooMany says that there are more arguments than there may be; flag is the first of them that looks like a flag.
type errTooMany struct {
	most int
	flag string
}

func (e *errTooMany) Error() string {
	return fmt.Sprintf("too many arguments (need at most %d)", e.most)
}

// parseArgs sorts words into flags and arguments. flags is in tmux's form: letters, those that take a
// value followed by a colon. long are the names of flags with two dashes, which take no value; an
// entry ending in = takes one, behind a = or as the next word.
func parseArgs(words []Word, flags string, long []string, least, most int) (*Args, error) {
	a := &Args{}
	if len(words) > maxArgs {
		return nil, fmt.Errorf("too many arguments (need at most %d)", maxArgs)
	}
	ended := false // by --: what stands behind is no flag
	for len(words) > 0 {
		w := words[0]
		if w.IsBlock || len(w.Text) < 2 || w.Text[0] != '-' {
			break
		}
		words = words[1:]
		if w.Text == "--" {
			ended = true
			break
		}
		var err error
		if name, ok := strings.CutPrefix(w.Text, "--"); ok {
			words, err = a.addLong(name, long, words)
		} else {
			words, err = a.addShort(w.Text[1:], words, flags)
		}
		if err != nil {
			return nil, err
		}
	}
	a.rest = words
	if least >= 0 && len(words) < least {
		return nil, &errTooFew{len(words), least}
	}
	if most >= 0 && len(words) > most {
		many := &errTooMany{most: most}
		for _, w := range words[most:] {
			if many.flag == "" && !ended && !w.IsBlock && len(w.Text) > 1 && w.Text[0] == '-' {
				many.flag = w.Text
			}
		}
		return nil, many
	}
	return a, nil
}

// addShort takes a group of letters, the last of which may have its value behind it or in the next
// word.
func (a *Args) addShort(group string, words []Word, flags string) ([]Word, error) {
	for i := 0; i < len(group); i++ {
		c := group[i]
		at := strings.IndexByte(flags, c)
		switch {
		case c == '?':
			return nil, errUsage{}
		case c >= 0x80 || !isAlnum(c):
			return nil, fmt.Errorf("invalid flag -%s", firstRune(group[i:]))
		case at < 0:
			return nil, fmt.Errorf("unknown flag -%c", c)
		case at+1 >= len(flags) || flags[at+1] != ':':
			a.flags = append(a.flags, flag{name: string(rune(c))})
			continue
		}
		value := Word{Text: group[i+1:]}
		if value.Text == "" {
			if len(words) == 0 {
				return nil, fmt.Errorf("-%c expects an argument", c)
			}
			value, words = words[0], words[1:]
			if value.IsBlock {
				return nil, fmt.Errorf("-%c argument must be a string", c)
			}
		}
		a.flags = append(a.flags, flag{string(rune(c)), value})
		return words, nil
	}
	return words, nil
}

// addLong adds a flag with two dashes. Its value is behind a = or the next word; what is left is returned.
func (a *Args) addLong(text string, long []string, words []Word) ([]Word, error) {
	name, value, has := strings.Cut(text, "=")
	for _, l := range long {
		known, takes := strings.CutSuffix(l, "=")
		switch {
		case known != name:
		case !takes && has:
			return nil, fmt.Errorf("--%s takes no value", name)
		case takes && !has:
			if len(words) == 0 || words[0].IsBlock {
				return nil, fmt.Errorf("--%s expects a value", name)
			}
			a.flags = append(a.flags, flag{name, words[0]})
			return words[1:], nil
		default:
			a.flags = append(a.flags, flag{name, Word{Text: value}})
			return words, nil
		}
	}
	if name == "help" {
		return nil, errUsage{help: true}
	}
	return nil, fmt.Errorf("unknown flag --%s%s", name, near.Meant(name, func(yield func(string) bool) {
		for _, l := range long {
			if !yield(strings.TrimSuffix(l, "=")) {
				return
			}
		}
	}))
}

func isAlnum(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// firstRune returns the first character, one byte of it when that is not UTF-8.
func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}
