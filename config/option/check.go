package option

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stet/config/style"
	"stet/config/syntax"
	"stet/vt/key"
)

// maxValue is the longest value of an option, in bytes.
const maxValue = 64 << 10

// Check tells whether the option takes a value and returns it as it is kept
// and shown: "yes" for a flag is "on", a key gets its proper name. For a list
// it is about one item. Errors are worded as tmux's and add what is allowed.
func (r *Row) Check(value string) (string, error) {
	if len(value) > maxValue {
		return "", fmt.Errorf("value of %s is too long: %d bytes (at most %d)", r.Name, len(value), maxValue)
	}
	bad := func(what string) error {
		return fmt.Errorf("%s: %s (%s takes %s)", what, value, r.Name, r.Allowed())
	}
	switch r.Type {
	case Number:
		n, err := strconv.Atoi(value)
		switch {
		case err != nil:
			return "", bad("value is invalid")
		case n < r.Min:
			return "", bad("value is too small")
		case n > r.Max:
			return "", bad("value is too large")
		}
		return strconv.Itoa(n), nil
	case Flag:
		switch strings.ToLower(value) {
		case "on", "yes", "1":
			return "on", nil
		case "off", "no", "0":
			return "off", nil
		}
		return "", bad("bad value")
	case Choice:
		for _, c := range r.Choices {
			if c == value {
				return c, nil
			}
		}
		return "", bad("unknown value")
	case Colour:
		if strings.Contains(value, "#{") {
			return value, nil
		}
		if _, err := style.ParseColour(value); err != nil {
			return "", err
		}
		return value, nil
	case Style:
		if strings.Contains(value, "#{") {
			return value, nil
		}
		if _, err := style.Parse(value); err != nil {
			return "", err
		}
		return value, nil
	case Key:
		e, err := key.Parse(value)
		if err != nil {
			return "", fmt.Errorf("bad key: %w", err)
		}
		return e.Name(), nil
	case Command:
		if _, err := syntax.Parse(value, ""); err != nil {
			return "", fmt.Errorf("bad command for %s: %w", r.Name, err)
		}
		return value, nil
	}
	if r.check != nil {
		if err := r.check(value); err != nil {
			return "", err
		}
	}
	return value, nil
}

// checkSize is for default-size.
func checkSize(v string) error {
	w, h, ok := strings.Cut(v, "x")
	if ok {
		for _, s := range [...]string{w, h} {
			n, err := strconv.Atoi(s)
			ok = ok && err == nil && n >= 1 && n <= 10000
		}
	}
	if !ok {
		return fmt.Errorf("value is invalid: %s (write WIDTHxHEIGHT, such as 80x24)", v)
	}
	return nil
}

// checkCells is for sizes of panes: cells, or a share of the window.
func checkCells(v string) error {
	digits, share := strings.CutSuffix(v, "%")
	n, err := strconv.Atoi(digits)
	if err != nil || n < 0 || share && n > 100 || n > 10000 {
		return fmt.Errorf("value is invalid: %s (write a number of cells, or 1%% to 100%%)", v)
	}
	return nil
}

// checkShell is for default-shell. Whether the file can be run is seen when it
// is needed.
func checkShell(v string) error {
	if v != "" && !strings.HasPrefix(v, "/") {
		return fmt.Errorf("not a suitable shell: %s (write its full path)", v)
	}
	return nil
}

// checkTheme bounds the name of a theme; whether there is one of that name only the server knows.
func checkTheme(v string) error {
	if v == "" || len(v) > 32 {
		return fmt.Errorf("a theme's name has 1 to 32 bytes, such as auto, dark or light")
	}
	return nil
}

// checkShells takes on, off, or names of shells.
func checkShells(v string) error {
	if v == "on" || v == "off" {
		return nil
	}
	names := strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })
	for _, n := range names {
		if n != "bash" && n != "fish" && n != "zsh" {
			return fmt.Errorf("%s is no shell that can be integrated: on, off, or some of bash, fish, zsh", strconv.Quote(n))
		}
	}
	if len(names) == 0 {
		return fmt.Errorf("on, off, or some of bash, fish, zsh")
	}
	return nil
}

// policies are what a restore does with a command.
var policies = [...]string{"never", "ask", "auto"}

// checkRestoreCommand takes PATTERN=POLICY.
func checkRestoreCommand(v string) error {
	i := strings.LastIndexByte(v, '=')
	if i < 1 || len(v) > 1024 {
		return fmt.Errorf("write PATTERN=POLICY, such as vim=auto or ssh *=ask")
	}
	return CheckPolicy(v[i+1:])
}

// CheckPolicy tells whether a word is one for what a restore does with a command, as the option restore-command has it.
func CheckPolicy(v string) error {
	if !slices.Contains(policies[:], v) {
		return fmt.Errorf("unknown policy %q: use never, ask or auto", v)
	}
	return nil
}
