package command

import (
	"errors"
	"fmt"
	"strings"
)

func capturePane(c *Context) error {
	a := c.Args
	if !a.Has("p") && c.Info.Attached() && c.Info.ReadOnly {
		return errorString("client is read-only")
	}
	o := CaptureOptions{
		Escapes: a.Has("e"), Join: a.Has("J"), KeepTrailing: a.Has("N"),
		Alternate: a.Has("a"), Mode: a.Has("M"),
	}
	var err error
	if o.From, err = captureEdge(c.Expand(a.Get("S"), c.Target), "start line", 0); err != nil {
		return err
	}
	if o.To, err = captureEdge(c.Expand(a.Get("E"), c.Target), "end line", LastLine); err != nil {
		return err
	}
	return c.Await(func(done func(error)) {
		c.Host.Capture(c.Target.Pane.ID, o, func(lines []string, err error) {
			if errors.Is(err, ErrNoAlternate) && a.Has("q") {
				err, lines = nil, nil
			}
			if err == nil && len(lines) > 0 {
				if a.Has("C") {
					for i := range lines {
						lines[i] = octal(lines[i])
					}
				}
				text := strings.Join(lines, "\n")
				if a.Has("p") {
					c.Print(text)
				} else {
					err = c.fillBuffer([]byte(text + "\n"))
				}
			}
			done(err)
		})
	})
}

func captureEdge(text, what string, usual int) (CaptureRange, error) {
	switch text {
	case "":
		return CaptureRange{Line: usual}, nil
	case "-":
		return CaptureRange{Edge: true}, nil
	}
	n, err := number(text, what, -1<<31, LastLine)
	return CaptureRange{Line: n}, err
}

// octal writes control characters and backslashes so that they can be read (capture-pane -C).
func octal(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			b.WriteString(`\\`)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
