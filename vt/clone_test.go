package vt

import (
	"fmt"
	"testing"
)

func TestCloneStandsStillWhileTheTerminalGoesOn(t *testing.T) {
	for _, arena := range [][]byte{nil, make([]byte, 8*BlockSize)} {
		term := New(Options{Cols: 20, Rows: 5, History: 100, Arena: arena})
		for i := range 200 {
			fmt.Fprintf(term, "\x1b[3%dmline %d \x1b[m漢字\r\n", i%8, i)
		}
		want := term.Digest()
		c := term.Clone()
		if c == nil || c.Digest() != want {
			t.Fatal("the copy differs")
		}
		for i := range 20000 {
			fmt.Fprintf(term, "later %d\r\n", i)
			term.Published()
		}
		if c.Digest() != want {
			t.Fatal("the copy has changed with the terminal")
		}
	}
}

func TestMainTextBehindTheAlternateScreen(t *testing.T) {
	term := New(Options{Cols: 20, Rows: 2})
	term.Write([]byte("main\x1b[?1049halt"))
	if got, wrapped := term.MainText(TextOptions{}); len(got) != 2 || got[0] != "main" || got[1] != "" || wrapped[0] {
		t.Fatalf("%q", got)
	}
	term.Write([]byte("\x1b[?1049l\r\x1b[J0123456789012345678  x"))
	if got, wrapped := term.MainText(TextOptions{}); got[0] != "0123456789012345678 " || got[1] != " x" || !wrapped[0] || wrapped[1] {
		t.Fatalf("%q %v", got, wrapped)
	}
}
