package vt

import "sync"

// A character set is known by one byte, which is part of the saved state. For the older ones it is the final
// character that designates them in G0.
const (
	setASCII   = 'B'
	setBritish = 'A'
	setDrawing = '0'

	// The national replacement sets: ASCII but for twelve places. They are taken only under DECNRCM.
	setDutch      = '4'
	setFinnish    = 'C'
	setFrench     = 'R'
	setQuebec     = 'Q'
	setGerman     = 'K'
	setItalian    = 'Y'
	setNorwegian  = 'E'
	setPortuguese = 'P'
	setSpanish    = 'Z'
	setSwedish    = 'H'
	setSwiss      = '='
	setHebrew7    = 'w'
	setGreek7     = 'g'
	setTurkish7   = 't'
	setRussian7   = 'x'
	setSerbian7   = 's'

	setSupplement = '<' // DEC's
	setTechnical  = '>'
	setGreekDEC   = 'G'
	setHebrewDEC  = 'W'
	setTurkishDEC = 'T'
	setKOI        = 'X'
	setVT52       = 'v' // what that terminal draws with; no designator is for it

	// Sets of 96 characters: the right halves of ISO 8859.
	setLatin1   = 'a'
	setLatin2   = 'b'
	setGreek    = 'f'
	setHebrew   = 'h'
	setCyrillic = 'l'
	setLatin5   = 'm'
)

// The designators of the sets of 94 characters, and of those of 96.
var sets94 = map[string]byte{
	"B": setASCII, "A": setBritish, "0": setDrawing, "1": setASCII, "2": setASCII,
	"4": setDutch, "C": setFinnish, "5": setFinnish, "R": setFrench, "f": setFrench, "Q": setQuebec, "9": setQuebec,
	"K": setGerman, "Y": setItalian, "E": setNorwegian, "6": setNorwegian, "`": setNorwegian, "%6": setPortuguese,
	"Z": setSpanish, "H": setSwedish, "7": setSwedish, "=": setSwiss, "%=": setHebrew7, "\">": setGreek7,
	"%2": setTurkish7, "&5": setRussian7, "%3": setSerbian7,
	"<": setSupplement, "%5": setSupplement, ">": setTechnical, "\"?": setGreekDEC, "\"4": setHebrewDEC,
	"%0": setTurkishDEC, "&4": setKOI,
}

var sets96 = map[string]byte{
	"A": setLatin1, "B": setLatin2, "F": setGreek, "H": setHebrew, "L": setCyrillic, "M": setLatin5,
}

// charset says what a set shows. National ones have other characters in the places of nationalPlaces; full ones
// have all from 0x21 on (0x20 for those of 96), where ⸮ is no character.
type charset struct {
	national string
	full     string
	is96     bool
	is7      bool // full, and one of those for DECNRCM
}

const nationalPlaces = "#@[\\]^_`{|}~"

var charsets = map[byte]charset{
	setDutch:      {national: "£¾ĳ½|^_`¨ƒ¼´"},
	setFinnish:    {national: "#@ÄÖÅÜ_éäöåü"},
	setFrench:     {national: "£à°ç§^_`éùè¨"},
	setQuebec:     {national: "#àâçêî_ôéùèû"},
	setGerman:     {national: "#§ÄÖÜ^_`äöüß"},
	setItalian:    {national: "£§°çé^_ùàòèì"},
	setNorwegian:  {national: "#ÄÆØÅÜ_äæøåü"},
	setPortuguese: {national: "#@ÃÇÕ^_`ãçõ~"},
	setSpanish:    {national: "£§¡Ñ¿^_`°ñç~"},
	setSwedish:    {national: "#ÉÄÖÅÜ_éäöåü"},
	setSwiss:      {national: "ùàéçêîèôäöüû"},
	setSerbian7:   {national: "#ŽŠĐĆČ_žšđćč"},
	setTurkish7:   {is7: true, full: "ı\"#$%ğ'()*+,-./0123456789:;<=>?İABCDEFGHIJKLMNOPQRSTUVWXYZŞÖÇÜ_Ğabcdefghijklmnopqrstuvwxyzşöçü"},
	setGreek7:     {is7: true, full: "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`ΑΒΓΔΕΖΗΘΙΚΛΜΝΧΟΠΡΣΤΥΦΞΨΩ⸮⸮{|}~"},
	setHebrew7:    {is7: true, full: "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_אבגדהוזחטיךכלםמןנסעףפץצקרשת{|}~"},
	setRussian7:   {is7: true, full: "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_ЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧ"},
	setSupplement: {full: "¡¢£⸮¥⸮§¤©ª«⸮⸮⸮⸮°±²³⸮µ¶·⸮¹º»¼½⸮¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ⸮ÑÒÓÔÕÖŒØÙÚÛÜŸ⸮ßàáâãäåæçèéêëìíîï⸮ñòóôõöœøùúûüÿ⸮"},
	setTechnical:  {full: "⎷┌─⌠⌡│⎡⎣⎤⎦⎧⎩⎫⎭⎨⎬⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮≤≠≥∫∴∝∞÷Δ∇ΦΓ∼≃Θ×Λ⇔⇒≡ΠΨ⸮Σ⸮⸮√ΩΞΥ⊂⊃∩∪∧∨¬αβχδεφγηιθκλ⸮ν∂πψρστ⸮ƒωξυζ←↑→↓"},
	setGreekDEC:   {full: "¡¢£⸮¥⸮§¤©ª«⸮⸮⸮⸮°±²³⸮µ¶·⸮¹º»¼½⸮¿ϊΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟ⸮ΠΡΣΤΥΦΧΨΩάέήί⸮όϋαβγδεζηθικλμνξο⸮πρστυφχψωςύώ΄⸮"},
	setHebrewDEC:  {full: "¡¢£⸮¥⸮§¨©×«⸮⸮⸮⸮°±²³⸮µ¶·⸮¹÷»¼½⸮¿⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮אבגדהוזחטיךכלםמןנסעףפץצקרשת⸮⸮⸮⸮"},
	setTurkishDEC: {full: "¡¢£⸮¥⸮§¨©ª«⸮⸮İ⸮°±²³⸮µ¶·⸮¹º»¼½ı¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖŒØÙÚÛÜŸŞßàáâãäåæçèéêëìíîïğñòóôõöœøùúûüÿş"},
	setKOI:        {full: "⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮юабцдефгхийклмнопярстужвьызшэщчъЮАБЦДЕФГХИЙКЛМНОПЯРСТУЖВЬЫЗШЭЩЧ"},
	setVT52:       {full: "!\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^  ▮⅟   °±→…÷↓⎺⎺⎻⎻⎼⎼⎽⎽₀₁₂₃₄₅₆₇₈₉¶"},
	setLatin1:     {is96: true, full: "\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõö÷øùúûüýþÿ"},
	setLatin2:     {is96: true, full: "\u00a0Ą˘Ł¤ĽŚ§¨ŠŞŤŹ\u00adŽŻ°ą˛ł´ľśˇ¸šşťź˝žżŔÁÂĂÄĹĆÇČÉĘËĚÍÎĎĐŃŇÓÔŐÖ×ŘŮÚŰÜÝŢßŕáâăäĺćçčéęëěíîďđńňóôőö÷řůúűüýţ˙"},
	setGreek:      {is96: true, full: "\u00a0‘’£€₯¦§¨©ͺ«¬\u00ad⸮―°±²³΄΅Ά·ΈΉΊ»Ό½ΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡ⸮ΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρςστυφχψωϊϋόύώ⸮"},
	setHebrew:     {is96: true, full: "\u00a0⸮¢£¤¥¦§¨©×«¬\u00ad®¯°±²³´µ¶·¸¹÷»¼½¾⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮⸮‗אבגדהוזחטיךכלםמןנסעףפץצקרשת⸮⸮\u200e\u200f⸮"},
	setCyrillic:   {is96: true, full: "\u00a0ЁЂЃЄЅІЇЈЉЊЋЌ\u00adЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюя№ёђѓєѕіїјљњћќ§ўџ"},
	setLatin5:     {is96: true, full: "\u00a0¡¢£¤¥¦§¨©ª«¬\u00ad®¯°±²³´µ¶·¸¹º»¼½¾¿ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏĞÑÒÓÔÕÖ×ØÙÚÛÜİŞßàáâãäåæçèéêëìíîïğñòóôõö÷øùúûüışÿ"},
}

// glyphs are the characters of all sets of charsets, from 0x20 to 0x7F.
var glyphs = sync.OnceValue(func() map[byte][]rune {
	out := make(map[byte][]rune)
	for set, c := range charsets {
		row := make([]rune, 96)
		for i := range row {
			row[i] = rune(i + 0x20)
		}
		switch {
		case c.national != "":
			for i, r := range []rune(c.national) {
				row[nationalPlaces[i]-0x20] = r
			}
		case c.is96:
			copy(row, []rune(c.full))
		default:
			copy(row[1:95], []rune(c.full))
		}
		out[set] = row
	}
	return out
})

// lineDrawing is DEC's special graphics set from 0x5F on.
var lineDrawing = [...]rune{
	' ', '◆', '▒', '␉', '␌', '␍', '␊', '°', '±', '␤', '␋', '┘', '┐', '┌', '└', '┼',
	'⎺', '⎻', '─', '⎼', '⎽', '├', '┤', '┴', '┬', '│', '≤', '≥', 'π', '≠', '£', '·',
}

// charset maps a character of seven bits by the set in use.
func (t *Terminal) charset(b byte) rune {
	set := t.cur.g[t.cur.gl]
	if t.shift != 0 {
		set = t.cur.g[t.shift]
		t.shift = 0
	}
	return glyph(set, b)
}

func glyph(set, b byte) rune {
	switch {
	case set == setDrawing:
		if b >= 0x5f {
			return lineDrawing[b-0x5f]
		}
		return rune(b)
	case set == setBritish:
		if b == '#' {
			return '£'
		}
		return rune(b)
	case set == setASCII || b < 0x20:
		return rune(b)
	}
	if row := glyphs()[set]; row != nil { // a saved state may say anything
		return row[b-0x20]
	}
	return rune(b)
}

// eighth maps a byte from 0xA0 on, where bytes are not UTF-8: by the set of GR, which is Latin 1 as long as
// none was designated.
func (t *Terminal) eighth(b byte) rune {
	set := t.cur.g[t.cur.gr]
	if t.shift != 0 {
		set = t.cur.g[t.shift]
		t.shift = 0
	}
	if set == setASCII {
		return rune(b)
	}
	return glyph(set, b&0x7f)
}

// designate is SCS: the set for G0 to G3, by its designator. One that is not known changes nothing; a national
// one is ASCII without DECNRCM.
func (t *Terminal) designate(n int, sets map[string]byte, designator string) {
	set, ok := sets[designator]
	if !ok || t.level < setLevel(set, designator) {
		return
	}
	if charsets[set].isNational() && t.modes&modeNational == 0 {
		set = setASCII
	}
	t.cur.g[n] = set
}

// setLevel is the level of the terminals that a designator came with.
func setLevel(set byte, designator string) uint8 {
	switch set {
	case setASCII, setBritish, setDrawing:
		return 1
	case setGreekDEC, setHebrewDEC, setTurkishDEC, setKOI, setGreek7, setHebrew7, setTurkish7, setRussian7, setSerbian7,
		setLatin2, setGreek, setHebrew, setCyrillic, setLatin5:
		return 5
	}
	switch designator {
	case ">", "%5", "%6", "9", "`", "A":
		return 3
	}
	return 2
}

// isNational tells the sets of seven bits that DECNRCM is for.
func (c charset) isNational() bool {
	return c.national != "" || c.is7
}

// designation is the designator of a set, as reports have it; that of drawing for the VT52's, which stands in its place.
func designation(set byte) (designator string) {
	if set == setVT52 {
		set = setDrawing
	}
	for _, sets := range []map[string]byte{sets94, sets96} {
		for d, s := range sets {
			if s == set && (designator == "" || len(d) < len(designator) || len(d) == len(designator) && d > designator) {
				designator = d
			}
		}
	}
	return designator
}
