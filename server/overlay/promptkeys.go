package overlay

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// edits is what keys do to the line. Those with vi: in front are what vi's commands mean that no key of
// Emacs does.
var edits map[string]func(*Prompt)

func init() {
	edits = map[string]func(*Prompt){
		"C-a":  func(p *Prompt) { p.at = 0 },
		"C-e":  func(p *Prompt) { p.at = len(p.text) },
		"C-b":  func(p *Prompt) { p.at = before(p.text, p.at) },
		"C-f":  func(p *Prompt) { p.at = behind(p.text, p.at) },
		"M-b":  func(p *Prompt) { p.at = wordBefore(p.text, p.at, p.o.Separators) },
		"M-f":  func(p *Prompt) { p.at = wordBehind(p.text, p.at, p.o.Separators) },
		"C-h":  func(p *Prompt) { p.cut(before(p.text, p.at), p.at, false) },
		"C-d":  func(p *Prompt) { p.cut(p.at, behind(p.text, p.at), false) },
		"C-k":  func(p *Prompt) { p.cut(p.at, len(p.text), true) },
		"C-u":  func(p *Prompt) { p.cut(0, len(p.text), true) }, // the whole line, as in tmux's prompt
		"C-w":  func(p *Prompt) { p.cut(wordBefore(p.text, p.at, p.o.Separators), p.at, true) },
		"M-d":  func(p *Prompt) { p.cut(p.at, wordBehind(p.text, p.at, p.o.Separators), true) },
		"C-y":  (*Prompt).yank,
		"C-t":  (*Prompt).transpose,
		"C-p":  func(p *Prompt) { p.browse(1) },
		"C-n":  func(p *Prompt) { p.browse(-1) },
		"vi:b": func(p *Prompt) { p.at = wordBefore(p.text, p.at, "") },
		"vi:w": func(p *Prompt) { p.at = wordNext(p.text, p.at, p.o.Separators) },
		"vi:W": func(p *Prompt) { p.at = wordNext(p.text, p.at, "") },
		"vi:e": func(p *Prompt) { p.at = wordLast(p.text, p.at, p.o.Separators) },
		"vi:E": func(p *Prompt) { p.at = wordLast(p.text, p.at, "") },
	}
	for other, name := range map[string]string{
		"Home": "C-a", "End": "C-e", "Left": "C-b", "Right": "C-f", "Up": "C-p", "Down": "C-n",
		"C-Left": "M-b", "M-Left": "M-b", "C-Right": "M-f", "M-Right": "M-f",
		"BSpace": "C-h", "S-BSpace": "C-h", "DC": "C-d", "C-DC": "M-d", "M-BSpace": "C-w", "C-BSpace": "C-w",
	} {
		edits[other] = edits[name]
	}
}

// viInserts are the keys that mean with vi's keys what they do with those of Emacs.
var viInserts = set("C-a C-c C-e C-g C-h Tab C-i C-k C-n C-p C-t C-u C-w C-y C-j C-m Enter KPEnter C-Left C-Right BSpace DC Down End Home Left Right Up")

// viCommands are vi's commands by the keys of Emacs that do the same.
var viCommands = map[string]string{
	"$": "C-e", "0": "C-a", "^": "C-a", "D": "C-k", "X": "C-h", "b": "M-b", "B": "vi:b", "d": "C-u", "e": "vi:e", "E": "vi:E",
	"w": "vi:w", "W": "vi:W", "p": "C-y", "q": "C-c", "x": "C-d", "DC": "C-d", "j": "Down", "Down": "Down", "h": "Left", "Left": "Left",
	"l": "Right", "Right": "Right", "k": "Up", "Up": "Up", "BSpace": "Left", "C-h": "C-h", "C-c": "C-c", "C-j": "C-j", "Enter": "Enter", "KPEnter": "Enter", "C-m": "C-m",
	"Home": "C-a", "End": "C-e",
	// These insert afterwards.
	"A": "C-e", "I": "C-a", "C": "C-k", "S": "C-u", "s": "C-d", "a": "Right", "i": "", "Escape": "",
}

var viToInsert = set("A I C S s a i Escape")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}

// viKey turns a key into one of Emacs or into text, both "" for one that means nothing.
func (p *Prompt) viKey(name, text string) (string, string) {
	if !p.command {
		switch {
		case name == "Escape":
			p.command = true
			return "", ""
		case text != "", viInserts[name]:
			return name, text
		}
		return "", ""
	}
	if text != "" {
		name = text
	}
	p.command = !viToInsert[name]
	return viCommands[name], ""
}

// Commands tells whether keys are vi's commands now.
func (p *Prompt) Commands() bool { return p.command }

// yank puts in what was cut last or, before anything was, what there is to paste up to the first
// character that is none.
func (p *Prompt) yank() {
	s := p.killed
	if s == "" && p.o.Paste != nil {
		s = p.o.Paste()
		if i := strings.IndexFunc(s, unicode.IsControl); i >= 0 {
			s = s[:i]
		}
	}
	p.insert(s)
}

// Kinds of characters: blanks, separators, those of words.
const (
	blank = iota
	separator
	inWord
)

func kindOf(r rune, separators string) int {
	switch {
	case r == ' ':
		return blank
	case strings.ContainsRune(separators, r):
		return separator
	}
	return inWord
}

func kindAt(s string, at int, separators string) int {
	r, _ := utf8.DecodeRuneInString(s[at:])
	return kindOf(r, separators)
}

// wordBefore goes back over blanks and then over a word or over separators.
func wordBefore(s string, at int, separators string) int {
	rest := strings.TrimRight(s[:at], " ")
	r, _ := utf8.DecodeLastRuneInString(rest)
	kind := kindOf(r, separators)
	return len(strings.TrimRightFunc(rest, func(r rune) bool { return kindOf(r, separators) == kind }))
}

// skip goes on over characters of a kind.
func skip(s string, at, kind int, separators string) int {
	return len(s) - len(strings.TrimLeftFunc(s[at:], func(r rune) bool { return kindOf(r, separators) == kind }))
}

// wordBehind goes on over blanks and then over a word or over separators.
func wordBehind(s string, at int, separators string) int {
	if at = skip(s, at, blank, separators); at == len(s) {
		return at
	}
	return skip(s, at, kindAt(s, at, separators), separators)
}

// wordNext goes on to where the next word begins.
func wordNext(s string, at int, separators string) int {
	if at == len(s) {
		return at
	}
	if kind := kindAt(s, at, separators); kind != blank {
		at = skip(s, at, kind, separators)
	}
	return skip(s, at, blank, separators)
}

// wordLast goes on to the last character of a word.
func wordLast(s string, at int, separators string) int {
	return before(s, wordBehind(s, behind(s, at), separators))
}
