package resurrect

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"
)

// Diff lists what differs between two workspaces, one line a difference, as
// "session 1, window 2, name: "a", not "b"". It is made for tests and for
// explaining. What the store fills in (format, build, time and number of the
// save, files of the panes) does not count; nil and empty are the same; times
// agree when they fall on the same millisecond.
func Diff(a, b Workspace) []string {
	var d differ
	d.compare(reflect.ValueOf(a), reflect.ValueOf(b), nil)
	return d.found
}

type differ struct{ found []string }

func (d *differ) add(p place, format string, args ...any) {
	d.found = append(d.found, p.String()+": "+fmt.Sprintf(format, args...))
}

func (d *differ) compare(a, b reflect.Value, p place) {
	if t, ok := a.Interface().(time.Time); ok {
		if u := b.Interface().(time.Time); !stamp(t).Equal(stamp(u)) {
			d.add(p, "%v, not %v", t, u)
		}
		return
	}
	switch a.Kind() {
	case reflect.Struct:
		for i := range a.NumField() {
			name, _, _ := strings.Cut(a.Type().Field(i).Tag.Get("toml"), ",")
			if !bookkeeping(a.Type(), name) {
				d.compare(a.Field(i), b.Field(i), p.key(name))
			}
		}
	case reflect.Pointer:
		switch {
		case a.IsNil() && b.IsNil():
		case a.IsNil() != b.IsNil():
			d.add(p, "%s, not %s", presence(a), presence(b))
		default:
			d.compare(a.Elem(), b.Elem(), p)
		}
	case reflect.Slice:
		if a.Len() != b.Len() {
			d.add(p, "%d of them, not %d", a.Len(), b.Len())
		}
		for i := range min(a.Len(), b.Len()) {
			d.compare(a.Index(i), b.Index(i), p.at(i))
		}
	case reflect.Map:
		d.compareMaps(a, b, p)
	default:
		if x, y := a.Interface(), b.Interface(); x != y {
			d.add(p, "%#v, not %#v", x, y)
		}
	}
}

func (d *differ) compareMaps(a, b reflect.Value, p place) {
	var keys []string
	for _, m := range [...]reflect.Value{a, b} {
		for _, k := range m.MapKeys() {
			keys = append(keys, k.String())
		}
	}
	slices.Sort(keys)
	for _, k := range slices.Compact(keys) {
		x, y := a.MapIndex(reflect.ValueOf(k)), b.MapIndex(reflect.ValueOf(k))
		switch {
		case !y.IsValid():
			d.add(p.key(k), "%q, not absent", x)
		case !x.IsValid():
			d.add(p.key(k), "absent, not %q", y)
		default:
			d.compare(x, y, p.key(k))
		}
	}
}

func presence(v reflect.Value) string {
	if v.IsNil() {
		return "absent"
	}
	return "present"
}

// bookkeeping names the fields that belong to a save, not to the workspace.
func bookkeeping(t reflect.Type, name string) bool {
	switch t {
	case reflect.TypeFor[Workspace]():
		switch name {
		case "format", "build", "saved_at", "generation", "kept", "-":
			return true
		}
	case reflect.TypeFor[Pane]():
		switch name {
		case "screen", "history", "history_first":
			return true
		}
	}
	return false
}
