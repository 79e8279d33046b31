package resurrect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// TOML holds valid UTF-8 only, but directories and arguments are bytes. A byte
// that is not UTF-8, and NUL itself, is written as NUL (\u0000 in the file)
// and two hexadecimal digits. No path and no argument holds NUL, so the files
// stay readable wherever the names are.

// escape makes a string fit for TOML without losing a byte.
func escape(s string) string {
	if utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == 0 || r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, "\x00%02x", s[i])
		} else {
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	return b.String()
}

// unescape undoes escape. A NUL without two digits behind it stays.
func unescape(s string) string {
	if strings.IndexByte(s, 0) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == 0 && i+2 < len(s) {
			hi, ok1 := hexDigit(s[i+1])
			lo, ok2 := hexDigit(s[i+2])
			if ok1 && ok2 {
				b.WriteByte(hi<<4 | lo)
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func hexDigit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}

// Clone is a deep copy.
func (ws *Workspace) Clone() *Workspace {
	c := new(Workspace)
	copyInto(reflect.ValueOf(c).Elem(), reflect.ValueOf(ws).Elem(), func(s string) string { return s })
	return c
}

// copyInto copies src deeply, sending every string through text.
func copyInto(dst, src reflect.Value, text func(string) string) {
	switch src.Kind() {
	case reflect.String:
		dst.SetString(text(src.String()))
	case reflect.Struct:
		if t, ok := src.Interface().(time.Time); ok {
			dst.Set(reflect.ValueOf(t))
			return
		}
		for i := range src.NumField() {
			copyInto(dst.Field(i), src.Field(i), text)
		}
	case reflect.Pointer:
		if !src.IsNil() {
			dst.Set(reflect.New(src.Type().Elem()))
			copyInto(dst.Elem(), src.Elem(), text)
		}
	case reflect.Slice:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
		for i := range src.Len() {
			copyInto(dst.Index(i), src.Index(i), text)
		}
	case reflect.Map:
		if src.IsNil() {
			return
		}
		dst.Set(reflect.MakeMapWithSize(src.Type(), src.Len()))
		for it := src.MapRange(); it.Next(); {
			k := reflect.New(src.Type().Key()).Elem()
			e := reflect.New(src.Type().Elem()).Elem()
			copyInto(k, it.Key(), text)
			copyInto(e, it.Value(), text)
			dst.SetMapIndex(k, e)
		}
	default:
		dst.Set(src)
	}
}

func sortedKeys(m map[string]any) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// appendQuoted appends s as a TOML basic string.
func appendQuoted(dst []byte, s string) []byte {
	const hex = "0123456789ABCDEF"
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '"' && c != '\\' && c != 0x7f {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	dst = append(dst, s[from:]...)
	return append(dst, '"')
}
