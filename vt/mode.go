package vt

// mode is a set of modes. The values are part of the saved state: new ones go
// to the end.
type mode uint64

const (
	modeInsert mode = 1 << iota // IRM
	modeNewLine
	modeAppCursor
	modeReverseVideo
	modeAutowrap
	modeShowCursor
	modeReverseWrap
	modeLeftRight // DECLRMM
	modeAllowColumns
	modeColumns
	modeKeypad
	modeBackarrow
	modeFocus
	modeAltScroll
	modePaste
	modeSync
	modeColorScheme
	modeAutorepeat
	modeBlink
	// From here to modeEncPixels: not kept in Terminal.modes but elsewhere; they
	// are here to be saved and reported.
	modeOrigin
	modeAlternate
	modeMouseX10
	modeMouseClick
	modeMouseDrag
	modeMouseAny
	modeEncUTF8
	modeEncSGR
	modeEncURXVT
	modeEncPixels
	modeExtendedWrap
	modeKeepScreen   // DECNCSM: DECCOLM does not clear
	modeSixelDisplay // DECSDM
	modeInBandSize   // 2048: sizes are told as they change
	modeSmooth       // DECSCLM, DECPFF, DECPEX and DECNRCM are kept, and change nothing
	modePrintFF
	modePrintExtent
	modeNational
	modeEightBit // S8C1T: answers begin with C1 controls of one byte
	modeGuard    // SPA or EPA was used rather than DECSCA
	modeKeyLock  // KAM, SRM and DECHEBM are for keyboards, and change nothing here
	modeSendReceive
	modeHebrew
	modeTabWraps   // 41: a tab behind a full row goes on in the next
	modeFormatKeys // formatOtherKeys: modifyOtherKeys sends CSI u
	modeVT52       // DECANM
	modeNoAlternate
	modeClearLoses
	modePasses
	modeTitleHex // XTSMTITLE 0
)

// modeRules are those that the owner sets (SetRules); no reset changes them.
const modeRules = modeNoAlternate | modeClearLoses | modePasses

// Rules are what the owner lets programs do. They are part of the state, since the same output must come to the
// same in a replay. The zero value is a terminal as it is without an owner's word.
type Rules struct {
	NoAlternate bool // 47, 1047 and 1049 are ignored on the main screen
	ClearLoses  bool // what is on the screen when all of it is erased does not go to the history
	Passes      bool // DCS tmux; gives an EventPass
}

// SetRules sets them, for what is written from now on.
func (t *Terminal) SetRules(r Rules) {
	t.flag(modeNoAlternate, r.NoAlternate)
	t.flag(modeClearLoses, r.ClearLoses)
	t.flag(modePasses, r.Passes)
}

// Rules are those in force.
func (t *Terminal) Rules() Rules {
	return Rules{t.modes&modeNoAlternate != 0, t.modes&modeClearLoses != 0, t.modes&modePasses != 0}
}

const initialModes = modeAutowrap | modeShowCursor | modeAltScroll | modeAutorepeat | modeSendReceive

// Modes are the modes that those who send keys or draw must know.
type Modes struct {
	AppCursor       bool // DECCKM
	AppKeypad       bool // DECKPAM
	BracketedPaste  bool // 2004
	Focus           bool // 1004
	AltScreen       bool // 47, 1047, 1049
	Sync            bool // 2026; the owner limits how long it holds a frame back
	Mouse           int  // 0, or 9, 1000, 1002, 1003
	MouseEnc        int  // 0, or 1005, 1006, 1015, 1016
	ModifyOtherKeys int  // 0-2
	FormatOtherKeys bool // XTFMTKEYS 4: what modifyOtherKeys makes comes as CSI u
	CellW, CellH    int  // of a cell in pixels, as programs are told, which mode 1016 counts in
	Kitty           int  // flags in force on the active screen
	Backarrow       bool // DECBKM: backspace sends BS
	AltScroll       bool // 1007: the wheel sends arrows on the alternate screen
	NewLine         bool // LNM
	VT52            bool // DECANM is reset
	Origin          bool // DECOM
	NoWrap          bool // DECAWM is reset
	ReverseVideo    bool // DECSCNM: the whole screen with colours swapped
	ColorScheme     bool // 2031: the program wants to hear of a change between dark and light
}

// Modes gives the present modes.
func (t *Terminal) Modes() Modes {
	m := t.modes
	return Modes{
		AppCursor:       m&modeAppCursor != 0,
		AppKeypad:       m&modeKeypad != 0,
		BracketedPaste:  m&modePaste != 0,
		Focus:           m&modeFocus != 0,
		AltScreen:       t.scr == &t.alt,
		Sync:            m&modeSync != 0,
		Mouse:           t.mouse,
		MouseEnc:        t.mouseEnc,
		ModifyOtherKeys: t.modifyKeys,
		FormatOtherKeys: m&modeFormatKeys != 0,
		CellW:           t.cellW,
		CellH:           t.cellH,
		Kitty:           int(t.scr.kbd.flags),
		Backarrow:       m&modeBackarrow != 0,
		AltScroll:       m&modeAltScroll != 0,
		NewLine:         m&modeNewLine != 0,
		VT52:            m&modeVT52 != 0,
		Origin:          t.cur.origin,
		NoWrap:          m&modeAutowrap == 0,
		ReverseVideo:    m&modeReverseVideo != 0,
		ColorScheme:     m&modeColorScheme != 0,
	}
}

// privateMode gives the flag of a DEC private mode, 0 for unknown ones.
func privateMode(n int) mode {
	switch n {
	case 1:
		return modeAppCursor
	case 3:
		return modeColumns
	case 5:
		return modeReverseVideo
	case 6:
		return modeOrigin
	case 7:
		return modeAutowrap
	case 8:
		return modeAutorepeat
	case 9:
		return modeMouseX10
	case 12:
		return modeBlink
	case 25:
		return modeShowCursor
	case 35:
		return modeHebrew
	case 40:
		return modeAllowColumns
	case 41:
		return modeTabWraps
	case 45:
		return modeReverseWrap
	case 47, 1047, 1049:
		return modeAlternate
	case 66:
		return modeKeypad
	case 67:
		return modeBackarrow
	case 69:
		return modeLeftRight
	case 1000:
		return modeMouseClick
	case 1002:
		return modeMouseDrag
	case 1003:
		return modeMouseAny
	case 1004:
		return modeFocus
	case 1005:
		return modeEncUTF8
	case 1006:
		return modeEncSGR
	case 1007:
		return modeAltScroll
	case 1015:
		return modeEncURXVT
	case 1045:
		return modeExtendedWrap
	case 1016:
		return modeEncPixels
	case 4:
		return modeSmooth
	case 18:
		return modePrintFF
	case 19:
		return modePrintExtent
	case 42:
		return modeNational
	case 80:
		return modeSixelDisplay
	case 95:
		return modeKeepScreen
	case 2004:
		return modePaste
	case 2048:
		return modeInBandSize
	case 2026:
		return modeSync
	case 2031:
		return modeColorScheme
	}
	return 0
}

// ansiMode gives the flag of a mode of ECMA-48, 0 for unknown ones.
func ansiMode(n int) mode {
	switch n {
	case 2:
		return modeKeyLock
	case 4:
		return modeInsert
	case 12:
		return modeSendReceive
	case 20:
		return modeNewLine
	}
	return 0
}

// currentModes is modes with those that are kept elsewhere.
func (t *Terminal) currentModes() mode {
	m := t.modes
	if t.cur.origin {
		m |= modeOrigin
	}
	if t.scr == &t.alt {
		m |= modeAlternate
	}
	return m | privateMode(t.mouse) | privateMode(t.mouseEnc)
}

// setMode is SM and RM.
func (t *Terminal) setMode(n int, on bool) {
	t.flag(ansiMode(n), on)
}

func (t *Terminal) flag(m mode, on bool) {
	t.modes &^= m
	if on {
		t.modes |= m
	}
}

// setPrivateMode is DECSET and DECRST.
func (t *Terminal) setPrivateMode(n int, on bool) {
	if t.beyond(n) {
		return
	}
	switch n {
	case 1, 4, 5, 7, 8, 12, 18, 19, 25, 35, 40, 41, 42, 45, 66, 67, 80, 95, 1004, 1007, 1045, 2004, 2026, 2031:
		t.flag(privateMode(n), on)
		if n == 5 {
			t.touchAll()
		}
	case 2048:
		t.flag(modeInBandSize, on)
		t.sizeReport(false)
	case 2: // DECANM
		if !on {
			t.enterVT52()
		}
	case 3: // DECCOLM: the size is not the program's to change, the rest is done; as in tmux also without mode 40
		t.flag(modeColumns, on)
		if t.modes&modeKeepScreen == 0 {
			t.resetMargins()
			t.clearScreen()
			t.moveTo(0, 0)
		}
	case 6:
		t.cur.origin = on
		t.moveTo(0, 0)
	case 69:
		t.flag(modeLeftRight, on)
		if !on {
			t.left, t.right = 0, t.cols-1
		} else if t.main.doubled || t.alt.doubled {
			t.allSingle()
		}
	case 9, 1000, 1002, 1003:
		if on {
			t.mouse = n
		} else {
			t.mouse = 0
		}
	case 1005, 1006, 1015, 1016:
		if on {
			t.mouseEnc = n
		} else if t.mouseEnc == n {
			t.mouseEnc = 0
		}
	case 47, 1047:
		if !on && n == 1047 && t.scr == &t.alt {
			t.clearScreen()
			t.cur.pending = false
		}
		t.switchScreen(on)
	case 1048:
		if on {
			t.saveCursor()
		} else {
			t.restoreCursor()
		}
	case 1049:
		switch {
		case t.scr == &t.main && t.modes&modeNoAlternate != 0: // nor does it move the cursor
		case on: // also on the alternate screen, which is cleared again
			t.saveCursor()
			t.switchScreen(true)
			t.clearScreen()
		case !on: // also on the main screen, where no cursor may have been saved
			t.switchScreen(false)
			t.restoreCursor()
		}
	}
}

// switchScreen makes the alternate screen or the main one active. The cursor
// stays where it is.
func (t *Terminal) switchScreen(alternate bool) {
	if alternate == (t.scr == &t.alt) || alternate && t.modes&modeNoAlternate != 0 {
		return
	}
	t.scr = &t.main
	if alternate {
		if t.alt.rows == nil {
			t.allocate(&t.alt)
		}
		t.scr = &t.alt
	}
	t.event(Event{Kind: EventScreen})
}

// keyboard is the state of kitty's keyboard protocol on one screen.
type keyboard struct {
	flags uint8
	stack [16]uint8
	n     uint8
}

const kittyFlags = 31

// push saves the flags in force and sets others; the oldest of too many saved
// ones is forgotten.
func (k *keyboard) push(flags uint8) {
	if int(k.n) == len(k.stack) {
		copy(k.stack[:], k.stack[1:])
		k.n--
	}
	k.stack[k.n] = k.flags
	k.n++
	k.flags = flags & kittyFlags
}

// pop goes back n times; with nothing left all flags are off.
func (k *keyboard) pop(n int) {
	for n = min(n, len(k.stack)+1); n > 0; n-- {
		if k.n == 0 {
			k.flags = 0
			return
		}
		k.n--
		k.flags = k.stack[k.n]
	}
}

func (k *keyboard) set(flags uint8, how int) {
	switch how {
	case 1:
		k.flags = flags
	case 2:
		k.flags |= flags
	case 3:
		k.flags &^= flags
	}
	k.flags &= kittyFlags
}
