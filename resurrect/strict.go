package resurrect

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"stet/config/nesting"
)

// document is a parsed file on its way into a struct.
type document struct {
	file string
	text string
}

// parse reads TOML into its generic form.
func parse(file string, data []byte) (d *document, tree map[string]any, err error) {
	d = &document{file: file, text: string(data)}
	tree = map[string]any{}
	if line := nesting.TooDeep(d.text); line > 0 {
		return nil, nil, &FileError{File: file, Line: line, Why: "lists are nested too deep"}
	}
	// The library guards itself against its own panics only in part.
	defer func() {
		if r := recover(); r != nil {
			d, tree, err = nil, nil, &FileError{File: file, Why: fmt.Sprintf("cannot be parsed: %v", r)}
		}
	}()
	if err := toml.Unmarshal(data, &tree); err != nil {
		fe := &FileError{File: file, Why: strings.TrimPrefix(err.Error(), "toml: "), Err: err}
		var pe toml.ParseError
		if errors.As(err, &pe) {
			fe.Line, fe.Column, fe.Why = pe.Position.Line, pe.Position.Col, pe.Message
		}
		return nil, nil, fe
	}
	return d, tree, nil
}

// errorf is an error at a place of the document.
func (d *document) errorf(p place, format string, args ...any) error {
	why := fmt.Sprintf(format, args...)
	if len(p) > 0 {
		why = p.String() + ": " + why
	}
	return &FileError{File: d.file, Line: p.line(d.text), Why: why}
}

// fill sets rv from a TOML value. It is stricter than the library: each value
// must have the type of its field, every key must be known, and integers must
// fit. Missing keys leave the zero value; what may not be missing is for the
// checks of the whole to say.
func (d *document) fill(rv reflect.Value, v any, p place) error {
	if t, ok := rv.Addr().Interface().(*time.Time); ok {
		w, ok := v.(time.Time)
		if !ok {
			return d.errorf(p, "should be a date and time, is %s", kind(v))
		}
		*t = w.UTC()
		return nil
	}
	switch rv.Kind() {
	case reflect.Pointer:
		n := reflect.New(rv.Type().Elem())
		rv.Set(n)
		return d.fill(n.Elem(), v, p)
	case reflect.Struct:
		return d.fillStruct(rv, v, p)
	case reflect.Map:
		return d.fillMap(rv, v, p)
	case reflect.Slice:
		return d.fillSlice(rv, v, p)
	case reflect.String:
		s, ok := v.(string)
		if !ok {
			return d.errorf(p, "should be a string, is %s", kind(v))
		}
		rv.SetString(unescape(s))
	case reflect.Bool:
		b, ok := v.(bool)
		if !ok {
			return d.errorf(p, "should be true or false, is %s", kind(v))
		}
		rv.SetBool(b)
	case reflect.Int, reflect.Int64:
		n, ok := v.(int64)
		if !ok {
			return d.errorf(p, "should be a whole number, is %s", kind(v))
		}
		if rv.OverflowInt(n) {
			return d.errorf(p, "%d is too large", n)
		}
		rv.SetInt(n)
	case reflect.Uint64:
		n, ok := v.(int64)
		if !ok {
			return d.errorf(p, "should be a whole number, is %s", kind(v))
		}
		if n < 0 {
			return d.errorf(p, "must not be negative")
		}
		rv.SetUint(uint64(n))
	default:
		return d.errorf(p, "cannot be read by this build")
	}
	return nil
}

func (d *document) fillStruct(rv reflect.Value, v any, p place) error {
	table, ok := v.(map[string]any)
	if !ok {
		return d.errorf(p, "should be a table, is %s", kind(v))
	}
	known := 0
	rt := rv.Type()
	for i := range rt.NumField() {
		name, _, _ := strings.Cut(rt.Field(i).Tag.Get("toml"), ",")
		if name == "-" || name == "" {
			continue
		}
		if w, ok := table[name]; ok {
			known++
			if err := d.fill(rv.Field(i), w, p.key(name)); err != nil {
				return err
			}
		}
	}
	if known == len(table) {
		return nil
	}
	for _, k := range sortedKeys(table) {
		if !hasField(rt, k) {
			return d.errorf(p.key(k), "this key means nothing to this build")
		}
	}
	return nil
}

func hasField(rt reflect.Type, key string) bool {
	for i := range rt.NumField() {
		if name, _, _ := strings.Cut(rt.Field(i).Tag.Get("toml"), ","); name == key && name != "-" {
			return true
		}
	}
	return false
}

func (d *document) fillMap(rv reflect.Value, v any, p place) error {
	table, ok := v.(map[string]any)
	if !ok {
		return d.errorf(p, "should be a table, is %s", kind(v))
	}
	if len(table) == 0 {
		return nil
	}
	m := reflect.MakeMapWithSize(rv.Type(), len(table))
	for _, k := range sortedKeys(table) {
		e := reflect.New(rv.Type().Elem()).Elem()
		if err := d.fill(e, table[k], p.key(k)); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(unescape(k)), e)
	}
	rv.Set(m)
	return nil
}

func (d *document) fillSlice(rv reflect.Value, v any, p place) error {
	var n int
	var at func(i int) any
	switch a := v.(type) {
	case []map[string]any:
		n, at = len(a), func(i int) any { return a[i] }
	case []any:
		n, at = len(a), func(i int) any { return a[i] }
	default:
		return d.errorf(p, "should be a list, is %s", kind(v))
	}
	if n == 0 {
		return nil
	}
	s := reflect.MakeSlice(rv.Type(), n, n)
	for i := range n {
		if err := d.fill(s.Index(i), at(i), p.at(i)); err != nil {
			return err
		}
	}
	rv.Set(s)
	return nil
}

// kind names the type of a TOML value.
func kind(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case bool:
		return "true or false"
	case int64:
		return "a whole number"
	case float64:
		return "a number with a fraction"
	case time.Time:
		return "a date or time"
	case map[string]any:
		return "a table"
	case []any, []map[string]any:
		return "a list"
	}
	return fmt.Sprintf("%T", v)
}
