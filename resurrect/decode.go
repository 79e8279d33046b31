package resurrect

import (
	"encoding/base64"
	"fmt"
	"reflect"
	"strings"
)

// Decode reads the text of a workspace file. The name is used in errors only.
// Every error is a *[FileError]. Nothing is repaired: a file is understood as
// a whole, or refused.
func Decode(name string, data []byte) (*Workspace, error) {
	d, tree, err := open(name, data)
	if err != nil {
		return nil, err
	}
	ws := new(Workspace)
	if err := d.fill(reflect.ValueOf(ws).Elem(), tree, nil); err != nil {
		return nil, err
	}
	if err := check(ws, d.errorf); err != nil {
		return nil, err
	}
	return ws, nil
}

// open parses a file and checks that its format is ours.
func open(name string, data []byte) (*document, map[string]any, error) {
	if len(data) == 0 {
		return nil, nil, &FileError{File: name, Line: 1, Why: "the file is empty"}
	}
	d, tree, err := parse(name, data)
	if err != nil {
		return nil, nil, err
	}
	at := place(nil).key("format")
	v, ok := tree["format"]
	if !ok {
		return nil, nil, d.errorf(at, "is missing; this is no file of ours, or it was cut short")
	}
	n, ok := v.(int64)
	if !ok || n < 1 {
		return nil, nil, d.errorf(at, "should be a number from 1 to %d", Format)
	}
	if n > Format {
		build, _ := tree["build"].(string)
		by := "a newer build"
		if build != "" {
			by = fmt.Sprintf("build %q", build)
		}
		return nil, nil, &FileError{File: name, Line: at.line(d.text), Newer: true, Build: build,
			Why: fmt.Sprintf("format %d was written by %s; this build reads formats up to %d", n, by, Format)}
	}
	return d, tree, nil
}

// screenFile is the file form of a Screen, for the strict decoder.
type screenFile struct {
	Format       int        `toml:"format"`
	Pane         string     `toml:"pane"`
	Cols         int        `toml:"cols"`
	Rows         int        `toml:"rows"`
	Title        string     `toml:"title"`
	Cursor       cursorFile `toml:"cursor"`
	Modes        Modes      `toml:"modes"`
	Margins      []int      `toml:"margins"`
	Tabs         []int      `toml:"tabs"`
	HistoryFirst uint64     `toml:"history_first"`
	HistoryNext  uint64     `toml:"history_next"`
	Interrupted  bool       `toml:"interrupted"` // was never set; files may have it
	Before       string     `toml:"before"`
	Wrapped      []int      `toml:"wrapped"`
	Main         []string   `toml:"main"`
	AltActive    bool       `toml:"alternate_active"`
	Alternate    []string   `toml:"alternate"`
	Unfinished   string     `toml:"unfinished"`
	State        []string   `toml:"state"`
}

type cursorFile struct {
	X      int  `toml:"x"`
	Y      int  `toml:"y"`
	Hidden bool `toml:"hidden"`
	Shape  int  `toml:"shape"`
}

// DecodeScreen reads the text of a screen file. Every error is a *[FileError].
func DecodeScreen(name string, data []byte) (*Screen, error) {
	d, tree, err := open(name, data)
	if err != nil {
		return nil, err
	}
	var f screenFile
	if err := d.fill(reflect.ValueOf(&f).Elem(), tree, nil); err != nil {
		return nil, err
	}
	s := &Screen{Format: f.Format, Pane: f.Pane, Cols: f.Cols, Rows: f.Rows, Title: f.Title,
		Cursor: Cursor(f.Cursor), Modes: f.Modes, Tabs: f.Tabs,
		HistoryFirst: f.HistoryFirst, HistoryNext: f.HistoryNext,
		Before: f.Before, Main: f.Main, Wrapped: f.Wrapped, AltActive: f.AltActive, Alternate: f.Alternate, Unfinished: f.Unfinished}
	switch len(f.Margins) {
	case 0:
	case 2:
		s.Top, s.Bottom = f.Margins[0], f.Margins[1]
	default:
		return nil, d.errorf(place(nil).key("margins"), "should be two rows")
	}
	if len(f.State) > 0 {
		if s.State, err = base64.StdEncoding.DecodeString(strings.Join(f.State, "")); err != nil {
			return nil, d.errorf(place(nil).key("state"), "is no base64")
		}
	}
	if err := checkScreen(s, d.errorf); err != nil {
		return nil, err
	}
	return s, nil
}
