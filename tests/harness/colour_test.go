package harness

import "testing"

// Editors choose their colours by the ground they stand on.
func TestProgramsHearTheOuterTerminalsGround(t *testing.T) {
	w := New(t)
	w.Ground = 0xfdf6e3
	c := w.Attach(80, 24)
	c.prompt()
	ask := "stty raw -echo; printf '\\033]11;?\\033\\\\'; a=$(dd bs=1 count=23 2>/dev/null | tr -d '\\033'); stty sane; echo \"heard<$a>\"\r"
	c.Type("clear\r" + ask)
	c.WaitFor("heard<]11;rgb:fdfd/f6f6/e3e3>")
	w.KillServer()
	w.WaitOutput("1", "list-clients", "-F", "1")
	c.Type("clear\r" + ask)
	c.WaitFor("heard<]11;rgb:fdfd/f6f6/e3e3>")
}
