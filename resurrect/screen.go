package resurrect

// Screen is what one pane showed when it was saved.
//
// Rows are UTF-8 text with SGR and OSC 8 sequences, each complete in itself:
// it starts from default rendition, and ends there. Trailing blanks may be
// missing, and so may blank rows at the end.
type Screen struct {
	Format int
	Pane   string // UID
	Cols   int
	Rows   int
	Title  string
	Cursor Cursor
	Modes  Modes
	Top    int   // DECSTBM, rows counted from 1; 0 and 0: the whole screen
	Bottom int   //
	Tabs   []int // tab stops, columns counted from 0; nil: every eight

	// State is all of the terminal but its history, as the emulator has it: what is here for a person to read and
	// what only a program can. nil in files of builds that did not write it.
	State      []byte
	Unfinished string // the beginning of a sequence that the program had not ended; "" too where it is long

	HistoryFirst uint64 // bounds of the history that belongs above these rows,
	HistoryNext  uint64 // as logical line numbers

	Before    string   // what of the first row's line has scrolled into the history, when that line goes on here
	Main      []string // the normal screen
	Wrapped   []int    // rows of Main that go on in the next row, from 0
	AltActive bool     // the alternate screen was showing
	Alternate []string // its rows, only when AltActive
}

// Cursor is the cursor of the active screen, in cells from 0.
type Cursor struct {
	X, Y   int
	Hidden bool
	Shape  int // DECSCUSR 0..6
}

// Modes are the modes worth telling. They are not set again in a fresh shell;
// they say what state the program was in.
type Modes struct {
	AppCursor      bool `toml:"app_cursor,omitempty"`      // DECCKM
	AppKeypad      bool `toml:"app_keypad,omitempty"`      // DECKPAM
	BracketedPaste bool `toml:"bracketed_paste,omitempty"` // 2004
	Focus          bool `toml:"focus,omitempty"`           // 1004
	Mouse          int  `toml:"mouse,omitzero"`            // 0, 9, 1000, 1002, 1003
	MouseEncoding  int  `toml:"mouse_encoding,omitzero"`   // 0, 1005, 1006, 1015, 1016
	Kitty          int  `toml:"kitty,omitzero"`            // keyboard flags in force
	Origin         bool `toml:"origin,omitempty"`          // DECOM
	NoWrap         bool `toml:"no_wrap,omitempty"`         // DECAWM off
}
