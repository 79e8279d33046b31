package syntax

import "strings"

// parser reads statements: commands, assignments and conditions.
type parser struct {
	lexer
	group int
	ifs   []condition
}

// condition is an %if that is open.
type condition struct {
	at      token
	depth   int  // blocks around it
	outer   bool // what is around it is read
	taken   bool // some branch was
	active  bool // the present branch is
	hasElse bool
}

// skipping tells whether the present lines are in a branch not taken.
func (p *parser) skipping() bool {
	return len(p.ifs) > 0 && !p.ifs[len(p.ifs)-1].active
}

// statements reads commands up to the end of the text or, with depth above 0,
// up to the brace that closes the block; open is the brace that began it.
func (p *parser) statements(depth int, open token) ([]Command, error) {
	var cmds []Command
	p.group++
	for {
		t, err := p.token(false)
		if err != nil {
			return nil, err
		}
		switch t.kind {
		case endOfText:
			if depth > 0 {
				return nil, p.errorf(open.line, open.col, "{ is not closed")
			}
			return cmds, p.unclosedIf(depth)
		case closeBrace:
			if depth == 0 {
				return nil, p.errorf(t.line, t.col, "} without {")
			}
			return cmds, p.unclosedIf(depth)
		case newline:
			p.group++
		case semicolon:
			// Empty commands do nothing, as in tmux behind another one.
		case openBrace:
			return nil, p.errorf(t.line, t.col, "expected a command, not {")
		case word:
			c, err := p.statement(t, depth)
			if err != nil {
				return nil, err
			}
			if c != nil && !p.skipping() {
				cmds = append(cmds, *c)
			}
		}
	}
}

func (p *parser) unclosedIf(depth int) error {
	if n := len(p.ifs); n > 0 && p.ifs[n-1].depth == depth {
		at := p.ifs[n-1].at
		return p.errorf(at.line, at.col, "%%if without %%endif")
	}
	return nil
}

// statement reads what begins with the word t; there is no command when it was
// a condition or belongs to a branch not taken.
func (p *parser) statement(t token, depth int) (*Command, error) {
	switch t.raw {
	case "%if", "%elif", "%else", "%endif":
		return nil, p.condition(t, depth)
	case "%hidden":
		v, err := p.token(false)
		if err != nil {
			return nil, err
		}
		if name, value, ok := assignment(v); ok {
			return p.assign(t, name, value, true)
		}
		return nil, p.errorf(v.line, v.col, "%%hidden must be followed by NAME=value")
	}
	if name, value, ok := assignment(t); ok {
		return p.assign(t, name, value, false)
	}
	if len(t.raw) > 1 && t.raw[0] == '%' && strings.Trim(t.raw, "%0123456789") != "" {
		return nil, p.errorf(t.line, t.col, "unknown directive %s: there are %%if, %%elif, %%else, %%endif and %%hidden", t.raw)
	}
	return p.command(t, depth)
}

// assignment takes NAME=value apart. The name must be written bare.
func assignment(t token) (name, value string, ok bool) {
	if t.kind != word {
		return "", "", false
	}
	n := strings.IndexByte(t.raw, '=')
	if n <= 0 || !strings.HasPrefix(t.text, t.raw[:n+1]) {
		return "", "", false
	}
	for i := range n {
		if !isNameByte(int(t.raw[i]), i == 0) {
			return "", "", false
		}
	}
	return t.text[:n], t.text[n+1:], true
}

// assign makes a command of an assignment and lets the text that follows see
// it.
func (p *parser) assign(t token, name, value string, hidden bool) (*Command, error) {
	if !p.skipping() {
		if p.set == nil {
			p.set = make(map[string]string)
		}
		p.set[name] = value
	}
	flags := "-g"
	if hidden {
		flags = "-gh"
	}
	c := &Command{Name: "set-environment", File: p.file, Line: t.line, Col: t.col, Group: p.group}
	for _, s := range [...]string{flags, "--", name, value} {
		c.Args = append(c.Args, Arg{Text: s, Line: t.line, Col: t.col})
	}
	return c, nil
}

// command reads the arguments of a command up to the end of the line, a ";",
// the end of the block, or a directive that stands on the same line.
func (p *parser) command(t token, depth int) (*Command, error) {
	c := &Command{Name: t.text, File: p.file, Line: t.line, Col: t.col, Group: p.group}
	for {
		before := p.lexer
		t, err := p.token(false)
		if err != nil {
			return nil, err
		}
		switch t.kind {
		case endOfText, newline, semicolon, closeBrace:
			if t.kind != semicolon {
				p.back(before) // the caller counts lines and closes blocks
			}
			return c, nil
		case openBrace:
			a, err := p.block(t, depth)
			if err != nil {
				return nil, err
			}
			c.Args = append(c.Args, a)
		case word:
			switch t.raw {
			case "%elif", "%else", "%endif":
				p.back(before)
				return c, nil
			}
			c.Args = append(c.Args, Arg{Text: t.text, Line: t.line, Col: t.col})
		}
	}
}

func (p *parser) back(to lexer) {
	set := p.set
	p.lexer = to
	p.set = set
}

// block reads the commands behind an open brace.
func (p *parser) block(open token, depth int) (Arg, error) {
	if depth+1 > maxDepth {
		return Arg{}, p.errorf(open.line, open.col, "blocks are nested more than %d deep", maxDepth)
	}
	group := p.group
	p.group = 0
	cmds, err := p.statements(depth+1, open)
	p.group = group
	if err != nil {
		return Arg{}, err
	}
	return Arg{Text: Text(cmds), Block: cmds, IsBlock: true, Line: open.line, Col: open.col}, nil
}

// condition carries out %if, %elif, %else and %endif.
func (p *parser) condition(t token, depth int) error {
	if t.raw == "%if" {
		if len(p.ifs) >= maxDepth {
			return p.errorf(t.line, t.col, "%%if is nested more than %d deep", maxDepth)
		}
		outer := !p.skipping()
		yes, err := p.test(t, outer)
		p.ifs = append(p.ifs, condition{at: t, depth: depth, outer: outer, taken: yes, active: outer && yes})
		return err
	}
	if n := len(p.ifs); n == 0 || p.ifs[n-1].depth != depth {
		return p.errorf(t.line, t.col, "%s without %%if", t.raw)
	}
	c := &p.ifs[len(p.ifs)-1]
	if c.hasElse && t.raw != "%endif" {
		return p.errorf(t.line, t.col, "%s behind %%else", t.raw)
	}
	switch t.raw {
	case "%elif":
		yes, err := p.test(t, c.outer && !c.taken)
		if err != nil {
			return err
		}
		c.active = c.outer && !c.taken && yes
		c.taken = c.taken || yes
	case "%else":
		c.active = c.outer && !c.taken
		c.hasElse = true
	case "%endif":
		p.ifs = p.ifs[:len(p.ifs)-1]
	}
	return nil
}

// test reads the format behind %if or %elif and, when it matters, asks for its
// value.
func (p *parser) test(t token, matters bool) (bool, error) {
	f, err := p.token(true)
	if err != nil {
		return false, err
	}
	if f.kind != word {
		return false, p.errorf(t.line, t.col, "%s must be followed by a format", t.raw)
	}
	if !matters {
		return false, nil
	}
	if p.env.If == nil {
		return false, p.errorf(t.line, t.col, "%s cannot be used here", t.raw)
	}
	v := p.env.If(f.text)
	return v != "" && v != "0", nil
}
