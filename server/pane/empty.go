package pane

import "fmt"

// prelude makes a terminal ready for text that no program's terminal has seen: a newline begins a line, and
// there is no cursor.
const prelude = "\x1b[20h\x1b[?25l"

// BeginEmpty gives a pane without a program its terminal, with the text that an old one showed; nil for
// none. A text that is its own has no divider, "": nothing of another kind comes below it.
func (p *Pane) BeginEmpty(cols, rows int, old *Text, divider string) error {
	err := p.Begin(cols, rows)
	if old != nil {
		err = p.Restore(cols, rows, old, divider)
	}
	if err == nil {
		err = p.print([]byte(prelude))
	}
	return err
}

// Print shows text in a pane without a program, as if one had printed it; what it asks of a terminal is
// answered to nobody. done is called when it would survive a crash, with an error where it would not. The
// text must stay as it is until then. Caught tells when it is time for more.
func (p *Pane) Print(text []byte, done func(error)) {
	p.do(func() { done(p.print(text)) })
}

// print puts text where a program's would stand, and takes it from there. With the mutex held.
func (p *Pane) print(text []byte) error {
	for len(text) > 0 {
		n := p.ring.Append(text[:min(len(text), piece)])
		text = text[n:]
		for p.parse() {
		}
		if n > 0 {
			continue
		}
		if err := p.checkpoint(); err != nil {
			return fmt.Errorf("pane %v takes no more text: %w", p, err)
		}
		if p.ring.Free() == 0 {
			return fmt.Errorf("pane %v takes no more text", p)
		}
	}
	return nil
}

// Caught returns when the pane has done what it was asked to do before.
func (p *Pane) Caught() { p.ask(func() {}) }
