package harness

import "testing"

// A program that asks for the keypad's keys (DECKPAM) gets them, the next one that does not gets what they type.
func TestKeypadReachesAProgramThatAsked(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("split-window", "-h", "stty raw -echo; printf '\\033=key''pad '; exec cat -v")
	c.WaitFor("keypad")
	w.Wait("the outer terminal to be asked for the keypad", func() bool { return c.modes().AppKeypad })
	c.Type("\x1bOj\x1bO5k\x1bOM")
	c.WaitFor("^[Oj^[O5k^[OM")
	w.Run("split-window", "-h", "stty raw -echo; printf 'pla''in '; exec cat -v")
	c.WaitFor("plain")
	w.Wait("the outer terminal to be asked for what the keypad types", func() bool { return !c.modes().AppKeypad })
	c.Type("\x1bOj\x1bOq\x1bOM") // pressed before it heard of that
	c.WaitFor("*1^M")
}

// A program that made a VT52 of its terminal (DECANM) gets that terminal's keys, without modifiers.
func TestAVT52HasKeysOfItsOwn(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("split-window", "-h", "stty raw -echo; printf '\\033[?2lvt''52 '; exec cat -v")
	c.WaitFor("vt52")
	c.Type("\x1b[A\x1b[1;5C\x1bOPx")
	c.WaitFor("^[A^[C^[Px")
}
