package vt

import (
	"fmt"
	"strconv"
	"sync"
)

// keyCapabilities are what XTGETTCAP tells of keys, by the names of terminfo and termcap in hexadecimal: what the
// key sends, as in xterm.
var keyCapabilities = sync.OnceValue(func() map[string]string {
	out := make(map[string]string)
	add := func(sends string, names ...string) {
		for _, n := range names {
			out[fmt.Sprintf("%X", n)] = sends
		}
	}
	for _, k := range [...]struct{ terminfo, termcap, sends string }{
		{"kcuu1", "ku", "\x1b[A"}, {"kcud1", "kd", "\x1b[B"}, {"kcuf1", "kr", "\x1b[C"}, {"kcub1", "kl", "\x1b[D"},
		{"khome", "kh", "\x1b[H"}, {"kend", "@7", "\x1b[F"}, {"kb2", "K2", "\x1b[E"},
		{"kich1", "kI", "\x1b[2~"}, {"kdch1", "kD", "\x1b[3~"}, {"kpp", "kP", "\x1b[5~"}, {"knp", "kN", "\x1b[6~"},
		{"kri", "kR", "\x1b[1;2A"}, {"kind", "kF", "\x1b[1;2B"}, {"kRIT", "%i", "\x1b[1;2C"}, {"kLFT", "#4", "\x1b[1;2D"},
		{"kHOM", "#2", "\x1b[1;2H"}, {"kEND", "*7", "\x1b[1;2F"}, {"kIC", "#3", "\x1b[2;2~"}, {"kDC", "*4", "\x1b[3;2~"},
		{"kPRV", "%e", "\x1b[5;2~"}, {"kNXT", "%c", "\x1b[6;2~"},
		{"kbs", "kb", "\x7f"}, {"kcbt", "kB", "\x1b[Z"},
	} {
		add(k.sends, k.terminfo, k.termcap)
	}
	numbers := [12]int{0, 0, 0, 0, 15, 17, 18, 19, 20, 21, 23, 24} // F1 to F4 have letters
	for n := 1; n <= 63; n++ {
		key := (n - 1) % 12
		mod := [...]int{1, 2, 5, 6, 3, 4}[(n-1)/12] // F13 is F1 with Shift, F25 with Ctrl, and so on
		sends := ""
		switch letter := string(rune('P' + key)); {
		case key < 4 && mod == 1:
			sends = "\x1bO" + letter
		case key < 4:
			sends = "\x1b[1;" + strconv.Itoa(mod) + letter
		case mod == 1:
			sends = "\x1b[" + strconv.Itoa(numbers[key]) + "~"
		default:
			sends = "\x1b[" + strconv.Itoa(numbers[key]) + ";" + strconv.Itoa(mod) + "~"
		}
		add(sends, "kf"+strconv.Itoa(n), functionName(n))
	}
	return out
})

// functionName is termcap's name of a function key.
func functionName(n int) string {
	switch {
	case n < 10:
		return "k" + strconv.Itoa(n)
	case n == 10:
		return "k;"
	case n < 20:
		return "F" + strconv.Itoa(n-10)
	case n < 46:
		return "F" + string(rune('A'+n-20))
	}
	return "F" + string(rune('a'+n-46))
}

// keyCapability is the answer to XTGETTCAP for a key, by its name in hexadecimal; "" where there is none. Of keys
// with a form for applications it is that of the mode in force.
func (t *Terminal) keyCapability(name string) string {
	sends := keyCapabilities()[name]
	if sends == "" {
		return ""
	}
	if sends == "\x7f" && t.modes&modeBackarrow != 0 {
		sends = "\b"
	}
	if t.modes&modeAppCursor != 0 && len(sends) == 3 && sends[1] == '[' && sends[2] != 'Z' {
		sends = "\x1bO" + sends[2:]
	}
	return "\x1bP1+r" + name + "=" + fmt.Sprintf("%X", sends) + "\x1b\\"
}
