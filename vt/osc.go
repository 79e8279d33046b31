package vt

import (
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxTitle bounds titles and other short texts, in bytes.
const maxTitle = 4 << 10

// osc acts on an operating system command.
func (t *Terminal) osc(s []byte) {
	number, rest, more := strings.Cut(string(s), ";")
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return
	}
	switch n {
	case 0, 1, 2:
		if t.modes&modeTitleHex != 0 {
			b, err := hex.DecodeString(rest)
			if err != nil || len(b) == 0 {
				return
			}
			rest = string(b)
		}
		if n != 2 {
			t.setIcon(clean(rest))
		}
		if n != 1 {
			t.setTitle(clean(rest))
		}
	case 4:
		t.paletteColors(rest)
	case 5:
		t.specialColors(rest)
	case 7:
		t.workingDirectory(rest)
	case 8:
		t.hyperlink(rest)
	case 9:
		t.notification(rest)
	case 10, 11, 12, 13, 14, 15, 16, 17, 18, 19:
		t.dynamicColors(int(n), rest)
	case 52:
		t.clipboard(rest)
	case 99:
		t.kittyNotification(rest)
	case 104:
		t.resetPalette(rest, more)
	case 105:
		t.resetSpecial(rest)
	case 110, 111, 112, 113, 114, 115, 116, 117, 118, 119:
		t.colors.set[n-110] = false
		if n-110 < shownColors {
			t.event(Event{Kind: EventColors})
		}
	case 7727:
		if !strings.ContainsAny(rest, ";=") { // others use the number for other things
			t.branch = clean(rest)
			t.event(Event{Kind: EventBranch, Text: t.branch})
		}
	case 133:
		t.prompt(rest)
	case 777:
		if kind, text, _ := strings.Cut(rest, ";"); kind == "notify" {
			title, body, _ := strings.Cut(text, ";")
			t.notify(title, body)
		}
	}
}

// clean makes a text that may be shown: valid UTF-8, no control characters, at
// most maxTitle bytes.
func clean(s string) string {
	if len(s) > maxTitle {
		s = s[:maxTitle]
		for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
		if r, n := utf8.DecodeLastRuneInString(s); r == utf8.RuneError && n == 1 {
			s = s[:len(s)-1]
		}
	}
	bad := func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 }
	if utf8.ValidString(s) && !strings.ContainsFunc(s, bad) {
		return strings.Clone(s)
	}
	return strings.Map(func(r rune) rune {
		if bad(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

func (t *Terminal) setTitle(s string) {
	t.title = s
	t.event(Event{Kind: EventTitle, Text: s})
}

func (t *Terminal) setIcon(s string) {
	t.icon = s
	t.event(Event{Kind: EventIcon, Text: s})
}

// workingDirectory is OSC 7: file://HOST/PATH, percent-encoded.
func (t *Terminal) workingDirectory(s string) {
	rest, ok := strings.CutPrefix(s, "file://")
	if !ok || len(s) > 3*maxTitle {
		return
	}
	host, _, _ := strings.Cut(rest, "/")
	path, ok := unescape(rest[len(host):])
	if !ok || strings.ContainsRune(path, 0) {
		return
	}
	if host != "" && host != "localhost" && t.host != "" && !strings.EqualFold(host, t.host) {
		path = ""
	}
	t.cwd = path
	t.event(Event{Kind: EventCwd, Text: clean(path)})
}

// unescape decodes %XX.
func unescape(s string) (string, bool) {
	if !strings.Contains(s, "%") {
		return strings.Clone(s), true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '%' {
			b = append(b, s[i])
			continue
		}
		if i+2 >= len(s) {
			return "", false
		}
		v, err := strconv.ParseUint(s[i+1:i+3], 16, 8)
		if err != nil {
			return "", false
		}
		b = append(b, byte(v))
		i += 2
	}
	return string(b), true
}

// hyperlink is OSC 8: parameters, of which id is known, and the address. An
// address with anything but printable ASCII is no address.
func (t *Terminal) hyperlink(s string) {
	params, url, ok := strings.Cut(s, ";")
	if !ok {
		return
	}
	var l Link
	if len(url) <= maxURL && !strings.ContainsFunc(url, func(r rune) bool { return r <= 0x20 || r >= 0x7f }) {
		l.URL = url
	}
	for params != "" {
		var p string
		p, params, _ = strings.Cut(params, ":")
		if id, ok := strings.CutPrefix(p, "id="); ok && len(id) <= maxLinkID {
			l.ID = clean(id)
		}
	}
	t.cur.style.Link = 0 // else a compaction would keep the old one alive
	t.cur.style.Link = t.linkID(l)
	t.setPen()
}

// clipboard is OSC 52: only writes. A request for the contents gets no answer,
// ever.
func (t *Terminal) clipboard(s string) {
	where, data, ok := strings.Cut(s, ";")
	if !ok || data == "?" {
		return
	}
	b, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return
	}
	target := 'c'
	if strings.ContainsRune(where, 'p') && !strings.ContainsRune(where, 'c') {
		target = 'p'
	}
	t.event(Event{Kind: EventClipboard, Text: string(b), Arg: int(target)})
}

// prompt is OSC 133: marks of shell integration. Where a prompt and where
// output begins is kept with the row, what is said of commands in a list.
func (t *Terminal) prompt(s string) {
	if s == "" {
		return
	}
	e := Event{Kind: EventPrompt, Text: clean(s), Arg: -1}
	letter, rest, _ := strings.Cut(s, ";")
	if len(letter) != 1 {
		return
	}
	switch letter[0] {
	case 'A', 'N':
		t.info(t.cur.y).flags |= rowPrompt
	case 'L': // what follows begins a line
		if t.cur.x > t.left || t.cur.pending {
			t.carriageReturn()
			t.index()
		}
	case 'C':
		t.info(t.cur.y).flags |= rowOutput
	case 'D':
		status, _, _ := strings.Cut(rest, ";")
		if n, err := strconv.Atoi(status); err == nil && n >= 0 && n < 1<<31 {
			e.Arg = n
		}
	}
	t.markCommand(letter[0], rest, e.Arg)
	t.event(e)
}
