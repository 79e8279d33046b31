package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

func TestGlobIsThatOfTheLibrary(t *testing.T) {
	dir := tree(t, map[string]string{"a/1.toml": "", "a/2.toml": "", "b/1.toml": "", "b/.x.toml": "", "c.toml": "", "b/deep/er/1.toml": "", "a/[x].toml": ""})
	if err := os.Symlink(filepath.Join(dir, "a"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("nowhere", filepath.Join(dir, "dead.toml")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, pattern := range []string{"*.toml", "*/*.toml", "*/1.toml", "?/*.toml", "[ab]/1.toml", "link/*", "none/*", "*/*/*/*.toml", "a/\\[x].toml", "c.toml/*", "*", "a", "none", "a//*.toml"} {
		for _, p := range []string{pattern, dir + "/" + pattern} {
			want, err := filepath.Glob(p)
			if err != nil {
				t.Fatal(err)
			}
			for i := range want {
				want[i] = filepath.Clean(want[i])
			}
			got, err := Glob(p)
			if err != nil || len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %q, %v; want %q", p, got, err, want)
			}
		}
	}
	if _, err := Glob("[a"); err != filepath.ErrBadPattern {
		t.Errorf("got %v", err)
	}
}

func TestGlobIsBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 50 {
		for j := range 50 {
			if err := os.MkdirAll(filepath.Join(dir, strconv.Itoa(i), strconv.Itoa(j)), 0o700); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := Glob(dir + "/*/*/*"); err == nil || !strings.Contains(err.Error(), "more than 2000 directories") {
		t.Errorf("got %v", err)
	}
	write(t, filepath.Join(dir, "config.toml"), "include = [\"*/*/*\"]\n")
	if _, err := Load(filepath.Join(dir, "config.toml"), Options{}); err == nil || !strings.Contains(err.Error(), `config.toml:1:12: "*/*/*" cannot be included: it leads into more than`) {
		t.Errorf("got %v", err)
	}
}

func TestKeysHaveABound(t *testing.T) {
	var b strings.Builder
	b.WriteString("[keys.mine]\n")
	for i := range maxKeys + 1 {
		b.WriteString(strconv.Quote(string(rune(0x4e00+i))) + " = 'last-pane'\n")
	}
	_, err := Parse(b.String(), "f", Options{})
	if err == nil || err.Error() != "f:3002:1: 3001 keys are too many: a configuration binds at most 3000" {
		t.Errorf("got %v", err)
	}
	b.Reset()
	for i := range maxKeyTables + 1 {
		b.WriteString("[keys.t" + strconv.Itoa(i) + "]\nx = 'last-pane'\n")
	}
	if _, err := Parse(b.String(), "f", Options{}); err == nil || !strings.Contains(err.Error(), "too many key tables: at most 200") {
		t.Errorf("got %v", err)
	}
}
