package key

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestEncode says what programs receive, by key name.
func TestEncode(t *testing.T) {
	appCursor, appKeypad := Modes{AppCursor: true}, Modes{AppKeypad: true}
	mok1, mok2 := Modes{ModifyOtherKeys: 1}, Modes{ModifyOtherKeys: 2}
	k1, k3, k8 := Modes{Kitty: 1}, Modes{Kitty: 3}, Modes{Kitty: 8}
	for _, c := range []struct {
		key  string
		m    Modes
		want string
	}{
		{"a", Modes{}, "a"},
		{"A", Modes{}, "A"},
		{"é", Modes{}, "é"},
		{"M-a", Modes{}, "\x1ba"},
		{"M-A", Modes{}, "\x1bA"},
		{"C-a", Modes{}, "\x01"},
		{"C-S-a", Modes{}, "\x01"},
		{"C-M-a", Modes{}, "\x1b\x01"},
		{"C-Space", Modes{}, "\x00"},
		{"S-Space", Modes{}, " "},
		{"C-[", Modes{}, "\x1b"},
		{"C-\\", Modes{}, "\x1c"},
		{"C-/", Modes{}, "\x1f"},
		{"C-_", Modes{}, "\x1f"},
		{"C-2", Modes{}, "\x00"},
		{"C-8", Modes{}, "\x7f"},
		{"C-?", Modes{}, "\x7f"},
		{"C-1", Modes{}, "1"},
		{"C-;", Modes{}, ";"},
		{"C-i", Modes{}, "\t"},
		{"C-m", Modes{}, "\r"},
		{"D-a", Modes{}, ""},
		{"Enter", Modes{}, "\r"},
		{"M-Enter", Modes{}, "\x1b\r"},
		{"S-Enter", Modes{}, "\r"},
		{"Enter", Modes{NewLine: true}, "\r\n"},
		{"Tab", Modes{}, "\t"},
		{"C-Tab", Modes{}, "\t"},
		{"BTab", Modes{}, "\x1b[Z"},
		{"M-BTab", Modes{}, "\x1b\x1b[Z"},
		{"Escape", Modes{}, "\x1b"},
		{"M-Escape", Modes{}, "\x1b\x1b"},
		{"BSpace", Modes{}, "\x7f"},
		{"C-BSpace", Modes{}, "\x08"},
		{"M-BSpace", Modes{}, "\x1b\x7f"},
		{"C-h", Modes{}, "\x08"},
		{"BSpace", Modes{Backarrow: true}, "\x08"},
		{"C-BSpace", Modes{Backarrow: true}, "\x7f"},
		{"C-h", Modes{Backarrow: true}, "\x08"},

		{"Up", Modes{}, "\x1b[A"},
		{"Up", appCursor, "\x1bOA"},
		{"C-Up", appCursor, "\x1b[1;5A"},
		{"C-M-S-Up", Modes{}, "\x1b[1;8A"},
		{"Home", Modes{}, "\x1b[H"},
		{"End", appCursor, "\x1bOF"},
		{"IC", Modes{}, "\x1b[2~"},
		{"DC", appCursor, "\x1b[3~"},
		{"S-PPage", Modes{}, "\x1b[5;2~"},
		{"F1", Modes{}, "\x1bOP"},
		{"S-F1", Modes{}, "\x1b[1;2P"},
		{"C-F3", Modes{}, "\x1b[1;5R"},
		{"F5", Modes{}, "\x1b[15~"},
		{"F12", appCursor, "\x1b[24~"},
		{"F13", Modes{}, "\x1b[25~"},
		{"F35", Modes{}, "\x1b[56~"},
		{"D-Up", Modes{}, "\x1b[1;9A"},
		{"LeftShift", Modes{}, ""},
		{"MediaPlay", Modes{}, ""},
		{"Any", Modes{}, ""},
		{"None", Modes{}, ""},

		{"KP1", Modes{}, "1"},
		{"KP1", appKeypad, "\x1bOq"},
		{"KPEnter", Modes{}, "\r"},
		{"KPEnter", appKeypad, "\x1bOM"},
		{"KP*", appKeypad, "\x1bOj"},
		{"M-KP1", appKeypad, "\x1bO3q"},
		{"C-KP*", appKeypad, "\x1bO5j"},
		{"M-KP1", Modes{}, "\x1b1"},

		{"C-a", mok1, "\x01"},
		{"M-a", mok1, "\x1ba"},
		{"A", mok1, "A"},
		{"C-;", mok1, "\x1b[27;5;59~"},
		{"C-1", mok1, "\x1b[27;5;49~"},
		{"C-M-;", mok1, "\x1b[27;7;59~"},
		{"S-Enter", mok1, "\x1b[27;2;13~"},
		{"C-Tab", mok1, "\x1b[27;5;9~"},
		{"BTab", mok1, "\x1b[Z"},
		{"C-BSpace", mok1, "\x08"},
		{"Escape", mok1, "\x1b"},
		{"C-Up", mok1, "\x1b[1;5A"},
		{"C-a", Modes{ModifyOtherKeys: 2, FormatOtherKeys: true}, "\x1b[97;5u"},
		{"S-Enter", Modes{ModifyOtherKeys: 1, FormatOtherKeys: true}, "\x1b[13;2u"},
		{"C-a", Modes{FormatOtherKeys: true}, "\x01"},
		{"C-a", mok2, "\x1b[27;5;97~"},
		{"C-S-a", mok2, "\x1b[27;6;65~"},
		{"M-A", mok2, "\x1b[27;4;65~"},
		{"A", mok2, "A"},
		{"S-Space", mok2, "\x1b[27;2;32~"},
		{"C-BSpace", mok2, "\b"},
		{"C-BSpace", Modes{ModifyOtherKeys: 2, Backarrow: true}, "\x7f"},
		{"C-M-BSpace", mok2, "\x1b[27;7;8~"},
		{"S-BSpace", mok2, "\x1b[27;2;127~"},
		{"BSpace", mok2, "\x7f"},
		{"M-Escape", mok2, "\x1b[27;3;27~"},
		{"BTab", mok2, "\x1b[Z"},
		{"Up", Modes{ModifyOtherKeys: 2, AppCursor: true}, "\x1bOA"},

		{"a", k1, "a"},
		{"A", k1, "A"},
		{"C-a", k1, "\x1b[97;5u"},
		{"C-S-a", k1, "\x1b[97;6u"},
		{"M-A", k1, "\x1b[97;4u"},
		{"M-A", Modes{Kitty: 5}, "\x1b[97:65;4u"},
		{"C-Space", k1, "\x1b[32;5u"},
		{"Escape", k1, "\x1b[27u"},
		{"Enter", k1, "\r"},
		{"Tab", k1, "\t"},
		{"BSpace", k1, "\x7f"},
		{"S-Enter", k1, "\x1b[13;2u"},
		{"BTab", k1, "\x1b[9;2u"},
		{"C-BSpace", k1, "\x1b[127;5u"},
		{"Up", k1, "\x1b[A"},
		{"Up", Modes{Kitty: 1, AppCursor: true}, "\x1b[A"},
		{"C-Up", k1, "\x1b[1;5A"},
		{"F1", k1, "\x1b[P"},
		{"F3", k1, "\x1b[13~"},
		{"C-F3", k1, "\x1b[13;5~"},
		{"F5", k1, "\x1b[15~"},
		{"F13", k1, "\x1b[57376u"},
		{"KP1", k1, "1"},
		{"KPEnter", k1, "\x1b[57414u"},
		{"MediaPlay", k1, "\x1b[57428u"},
		{"LeftShift", k1, ""},
		{"D-a", k1, "\x1b[97;9u"},
		{"Up", Modes{VT52: true}, "\x1bA"},
		{"C-S-Up", Modes{VT52: true, AppCursor: true}, "\x1bA"},
		{"Home", Modes{VT52: true}, "\x1bH"},
		{"M-F2", Modes{VT52: true}, "\x1bQ"},
		{"C-F5", Modes{VT52: true}, "\x1b[15~"},
		{"S-PageUp", Modes{VT52: true}, "\x1b[5~"},
		{"KP1", Modes{VT52: true}, "1"},
		{"KP1", Modes{VT52: true, AppKeypad: true}, "\x1b?q"},
		{"C-KPEnter", Modes{VT52: true, AppKeypad: true}, "\x1b?M"},
		{"BTab", Modes{VT52: true}, "\x1b[Z"},
		{"C-a", Modes{Kitty: 1, ModifyOtherKeys: 2}, "\x1b[97;5u"},
		{"C-a", k3, "\x1b[97;5u"},
		{"C-a", Modes{Kitty: 2, ModifyOtherKeys: 2}, "\x01"},
		{"Escape", Modes{Kitty: 4}, "\x1b"},
		{"a", k8, "\x1b[97u"},
		{"A", k8, "\x1b[97;2u"},
		{"A", Modes{Kitty: 12}, "\x1b[97:65;2u"},
		{"a", Modes{Kitty: 24}, "\x1b[97;;97u"},
		{"A", Modes{Kitty: 31}, "\x1b[97:65;2;65u"},
		{"C-a", Modes{Kitty: 31}, "\x1b[97;5u"},
		{"Enter", k8, "\x1b[13u"},
		{"KP1", Modes{Kitty: 24}, "\x1b[57400;;49u"},
		{"LeftShift", k8, "\x1b[57441u"},
		{"MouseDown1Pane", Modes{Mouse: 1003}, ""},
		{"FocusIn", Modes{}, ""},
		{"FocusIn", Modes{Focus: true}, "\x1b[I"},
		{"FocusOut", Modes{Focus: true}, "\x1b[O"},
	} {
		e, err := Parse(c.key)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(Append(nil, e, c.m)); got != c.want {
			t.Errorf("%s with %+v: got %q, want %q", c.key, c.m, got, c.want)
		}
	}
}

// TestTranslate says what a program receives for what an outer terminal sends.
func TestTranslate(t *testing.T) {
	for _, c := range []struct {
		name string
		m    Modes
		in   string
		want string
	}{
		{"kitty events to a legacy program", Modes{}, "\x1b[97;;97u\x1b[97;1:2;97u\x1b[97;1:3u\x1b[97:65;2;65u\x1b[99;5u\x1b[99;5:3u\x1b[1;1:3A\x1b[57441;2u", "aaA\x03"},
		{"locks do not reach a legacy program", Modes{}, "\x1b[1;129A\x1b[97;65;65u\x1b[99;197u\x1b[57400;129;49u\x1b[13;129u", "\x1b[AA\x031\r"},
		{"keypad with Num Lock types in application mode", Modes{AppKeypad: true}, "\x1b[57400;129;49u\x1b[57400u", "1\x1bOq"},
		{"keypad without Num Lock", Modes{AppCursor: true}, "\x1b[57419u\x1b[57424u", "\x1bOA\x1bOF"},
		{"keypad without Num Lock to a kitty program", Modes{Kitty: 1}, "\x1b[57419u\x1b[57427~", "\x1b[57419u\x1b[E"},
		{"Cyrillic C-c", Modes{}, "\x1b[1089::99;5u", "\x03"},
		{"Cyrillic C-c to a kitty program", Modes{Kitty: 5}, "\x1b[1089::99;5u", "\x1b[1089::99;5u"},
		{"shifted symbol under Ctrl", Modes{}, "\x1b[45:95;6u\x1b[50:64;6u", "\x1f\x00"},
		{"text of an input method", Modes{Kitty: 31}, "\x1b[0;;104:233u", "\x1b[0;;104:233u"},
		{"text of an input method to a program that wants no text", Modes{Kitty: 15}, "\x1b[0;;104:233u", "hé"},
		{"layout text wins", Modes{}, "\x1b[59:58;2;246u", "ö"},
		{"legacy keys to a kitty program", Modes{Kitty: 1}, "A\x02\x1bx\x1bOA\x1bOP\x1b", "A\x1b[98;5u\x1b[120;3u\x1b[A\x1b[P\x1b[27u"},
		{"legacy keys to a program that wants all", Modes{Kitty: 31}, "aA", "\x1b[97;;97u\x1b[97:65;2;65u"},
		{"repeat and release to who asked", Modes{Kitty: 3}, "\x1b[97;5:2u\x1b[97;5:3u\x1b[97;;97u\x1b[97;1:3u", "\x1b[97;5:2u\x1b[97;5:3ua\x1b[97;1:3u"},
		{"Enter has no release without flag 8", Modes{Kitty: 3}, "\x1b[13u\x1b[13;1:3u\x1b[9;5:3u\x1b[127;1:2u", "\r\x7f"},
		{"Enter has a release with flag 8", Modes{Kitty: 10}, "\x1b[13u\x1b[13;1:3u", "\x1b[13u\x1b[13;1:3u"},
		{"release without flag 1", Modes{Kitty: 2}, "\x1b[A\x1b[1;1:3A", "\x1b[A\x1b[1;1:3A"},
		{"Escape has a release with flag 2", Modes{Kitty: 3}, "\x1b[27u\x1b[27;1:3u", "\x1b[27u\x1b[27;1:3u"},
		{"the text of a release is not told", Modes{Kitty: 31}, "\x1b[97;;97u\x1b[97;1:2;97u\x1b[97;1:3u", "\x1b[97;;97u\x1b[97;1:2;97u\x1b[97;1:3u"},
		{"no release without flag 2", Modes{Kitty: 9}, "\x1b[97;5u\x1b[97;5:2u\x1b[97;5:3u", "\x1b[97;5u\x1b[97;5u"},
		{"rxvt to xterm", Modes{}, "\x1b[7~\x1b[11~\x1b[3^\x1b[a", "\x1b[H\x1bOP\x1b[3;5~\x1b[1;2A"},
		{"bytes that are not UTF-8", Modes{}, "\xe9\x1b\xe9", "\xe9\x1b\xe9"},
		{"bytes that are not UTF-8 to a kitty program", Modes{Kitty: 31}, "\xe9", "\xe9"},
		{"replies reach nobody", Modes{Focus: true}, "\x1b[?62c\x1b]11;rgb:0/0/0\x07\x1b[5;5R", ""},
		{"focus not asked for", Modes{}, "\x1b[I\x1b[O", ""},
		{"private-use character", Modes{Kitty: 31}, "\ue061", "\x1b[0;;57441u"},
		{"private-use character with Alt", Modes{Kitty: 31, ModifyOtherKeys: 2, FormatOtherKeys: true}, "\x1b\uf43c", "\x1b\uf43c"},
		{"private-use character to a program that wants no text", Modes{Kitty: 15}, "\ue061", "\ue061"},
	} {
		var got []byte
		for _, e := range decode(newDecoder(), c.in) {
			got = Append(got, e, c.m)
		}
		if string(got) != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func TestEncodeMouse(t *testing.T) {
	down := Event{Kind: KindMouse, Button: ButtonRight, X: 4, Y: 9, Mod: Ctrl | Num}
	up, drag := act(down, Release), act(down, Motion)
	move := act(button(ButtonNone, 4, 9), Motion)
	wheel, far := button(WheelDown, 4, 9), button(ButtonLeft, 5000, 300)
	for _, c := range []struct {
		name  string
		e     Event
		level int
		want  map[int]string
	}{
		{"press", down, 1000, map[int]string{0: "\x1b[M2%*", 1005: "\x1b[M2%*", 1006: "\x1b[<18;5;10M", 1015: "\x1b[50;5;10M", 1016: "\x1b[<18;37;153M"}},
		{"release", up, 1000, map[int]string{0: "\x1b[M3%*", 1005: "\x1b[M3%*", 1006: "\x1b[<18;5;10m", 1015: "\x1b[51;5;10M", 1016: "\x1b[<18;37;153m"}},
		{"drag", drag, 1002, map[int]string{0: "\x1b[MR%*", 1005: "\x1b[MR%*", 1006: "\x1b[<50;5;10M", 1015: "\x1b[82;5;10M", 1016: "\x1b[<50;37;153M"}},
		{"motion", move, 1003, map[int]string{0: "\x1b[MC%*", 1005: "\x1b[MC%*", 1006: "\x1b[<35;5;10M", 1015: "\x1b[67;5;10M", 1016: "\x1b[<35;37;153M"}},
		{"wheel", wheel, 1000, map[int]string{0: "\x1b[Ma%*", 1006: "\x1b[<65;5;10M", 1015: "\x1b[97;5;10M"}},
		{"cells beyond reach", far, 1000, map[int]string{0: "\x1b[M \xff\xff", 1005: "\x1b[M \u07ff\u014d", 1006: "\x1b[<0;5001;301M"}},
		{"X10 compatibility", down, 9, map[int]string{0: "\x1b[M\"%*", 1006: "\x1b[<2;5;10M"}},
		{"X10 has no release", up, 9, map[int]string{0: "", 1006: ""}},
		{"X10 has no wheel", wheel, 9, map[int]string{0: ""}},
		{"1000 has no drag", drag, 1000, map[int]string{0: "", 1006: ""}},
		{"1002 has no motion", move, 1002, map[int]string{0: "", 1006: ""}},
		{"wheels have no release", act(wheel, Release), 1003, map[int]string{0: "", 1006: ""}},
		{"not asked for", down, 0, map[int]string{0: "", 1006: ""}},
	} {
		for enc, want := range c.want {
			if got := string(Append(nil, c.e, Modes{Mouse: c.level, MouseEnc: enc})); got != want {
				t.Errorf("%s, encoding %d: got %q, want %q", c.name, enc, got, want)
			}
		}
	}
}

func TestEncodePaste(t *testing.T) {
	for _, c := range []struct{ name, in, bracketed, plain string }{
		{"lines", "a\tb\nc\rd\r\ne", "a\tb\nc\rd\r\ne", "a\tb\rc\rd\re"},
		{"nothing", "", "", ""},
		{"end of the brackets inside", "x\x1b[201~rm", "x [201~rm", "x [201~rm"},
		{"controls", "\x00\x03\x04\x08\x7f\x1ax", "      x", "      x"},
		{"C1 as UTF-8", "a\u009b201~\u0085", "a 201~ ", "a 201~ "},
		{"C1 as a byte", "a\x9b201~", "a 201~", "a 201~"},
		{"other bytes that are not UTF-8", "\xe9\xff", "\xe9\xff", "\xe9\xff"},
		{"characters", "é世😀\u00a0", "é世😀\u00a0", "é世😀\u00a0"},
	} {
		e := pasted(c.in)
		if got := string(Append(nil, e, Modes{BracketedPaste: true})); got != pasteStart+c.bracketed+pasteEnd {
			t.Errorf("%s in brackets: got %q", c.name, got)
		}
		if got := string(Append(nil, e, Modes{})); got != c.plain {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}

func TestAppendPaste(t *testing.T) {
	for _, c := range []struct{ name, in, newline, want string }{
		{"lines", "a\nb\n", "\r", "a\rb\r"},
		{"lines as they are", "a\nb", "\n", "a\nb"},
		{"another separator", "a\n\nb", ", ", "a, , b"},
		{"end of the brackets inside", "x\x1b[201~rm\n", "\r", "x [201~rm\r"},
		{"controls", "\x03\x1a\tx\u009b\x9b", "\r", "  \tx  "},
		{"bytes", "\xe9\xff世", "\r", "\xe9\xff世"},
	} {
		if got := string(AppendPaste(nil, []byte(c.in), c.newline, true)); got != pasteStart+c.want+pasteEnd {
			t.Errorf("%s in brackets: got %q", c.name, got)
		}
		if got := string(AppendPaste([]byte("<"), []byte(c.in), c.newline, false)); got != "<"+c.want {
			t.Errorf("%s: got %q", c.name, got)
		}
	}
}

// TestPastePieces: however a paste is cut on its way in, a program receives the
// same safe bytes.
func TestPastePieces(t *testing.T) {
	body := "é世\r\n\x1b[31m\u009b😀\r\x1b\n\xc2\xe4\xb8 \xf0\x9f\r"
	for _, m := range []Modes{{}, {BracketedPaste: true}} {
		want := string(Append(nil, pasted(body), m))
		in := pasteStart + body + pasteEnd
		for x := range len(in) {
			for y := x; y < len(in); y++ {
				var got []byte
				d, emit := newDecoder(), func(e Event) { got = Append(got, e, m) }
				d.Feed([]byte(in[:x]), t0, emit)
				d.Feed([]byte(in[x:y]), t0, emit)
				d.Feed([]byte(in[y:]), t0, emit)
				if string(got) != want {
					t.Fatalf("cut at %d, %d: got %q, want %q", x, y, got, want)
				}
			}
		}
	}
}

func FuzzAppendPaste(f *testing.F) {
	f.Add([]byte("a\x1b[201~\xc2\x9b\r\n"), 3)
	f.Fuzz(func(t *testing.T, p []byte, cut int) {
		cut = min(max(cut, 0), len(p))
		first, last := Event{Kind: KindPaste, Data: p[:cut], Start: true}, Event{Kind: KindPaste, Data: p[cut:], End: true}
		m := Modes{BracketedPaste: true}
		out := string(Append(Append(nil, first, m), last, m))
		inside := strings.TrimSuffix(strings.TrimPrefix(out, pasteStart), pasteEnd)
		if len(inside) != len(out)-12 {
			t.Fatalf("brackets are missing: %q", out)
		}
		for i, r := range inside {
			_, n := utf8.DecodeRuneInString(inside[i:])
			if r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= del && r <= 0x9f || n == 1 && inside[i] >= 0x80 && inside[i] <= 0x9f {
				t.Fatalf("%q holds %q", inside, r)
			}
		}
	})
}

func BenchmarkAppend(b *testing.B) {
	e := Event{Key: 'a', Mod: Shift, Shifted: 'A', Text: "A"}
	for _, enc := range encodings {
		b.Run(enc.name, func(b *testing.B) {
			var buf [64]byte
			b.ReportAllocs()
			for b.Loop() {
				Append(buf[:0], e, enc.modes)
			}
		})
	}
}
