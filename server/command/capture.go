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
	if a.Has("P") {
		return c.capturePending()
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
				if a.Has("p") {
					lines = []string{""} // an end of a line is printed
				}
			}
			if err == nil && len(lines) > 0 {
				if a.Has("C") {
					for i := range lines {
						lines[i] = octal(lines[i])
					}
				}
				err = c.captured(strings.Join(lines, "\n"), "\n")
			}
			done(err)
		})
	})
}

// unsaved says that nothing is written to disk of what a pane's programs say.
func (c *Context) unsaved(t Target) bool {
	saving := OptionTarget{Scope: ScopePane, Pane: t.Pane.ID, Window: t.Window.ID}
	return c.Host.Model().Ephemeral(t.Window.ID) || !c.Host.OptionSet(saving).Flag("saving")
}

// captured prints what was captured, or makes a buffer of it with an end behind it.
func (c *Context) captured(text, end string) error {
	if !c.Args.Has("p") {
		return c.fillBuffer([]byte(text+end), c.unsaved(c.Target))
	}
	c.verbatim = true
	c.Print(text)
	return nil
}

// capturePending is capture-pane -P: the beginning of a sequence that the program has not ended yet.
func (c *Context) capturePending() error {
	return c.Await(func(done func(error)) {
		c.Host.Pending(c.Target.Pane.ID, func(seq []byte, err error) {
			if err == nil {
				text := string(seq)
				if c.Args.Has("C") {
					text = octal(text)
				}
				err = c.captured(text, "")
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
