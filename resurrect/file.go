package resurrect

import "reflect"

// ReadStrict reads TOML into the struct that v points to, as strictly as a workspace file is read: every
// key must be known and every value of its type. The name is used in errors only; every error is a
// *[FileError]. What the struct cannot say for itself is checked by the caller, who gets its errors placed
// by at: why something is wrong, and the keys that lead to it from outside.
func ReadStrict(name string, data []byte, v any) (at func(why string, keys ...string) error, err error) {
	d, tree, err := parse(name, data)
	if err != nil {
		return nil, err
	}
	if err := d.fill(reflect.ValueOf(v).Elem(), tree, nil); err != nil {
		return nil, err
	}
	return func(why string, keys ...string) error {
		var p place
		for _, k := range keys {
			p = p.key(k)
		}
		return d.errorf(p, "%s", why)
	}, nil
}
