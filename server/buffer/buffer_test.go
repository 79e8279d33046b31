package buffer

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

// names lists the buffers, automatic ones with a star.
func names(s *Store) string {
	var out []string
	for _, b := range s.All() {
		n := b.Name
		if b.Automatic {
			n += "*"
		}
		out = append(out, n)
	}
	return strings.Join(out, " ")
}

func add(t *testing.T, s *Store, text string, limit int) string {
	t.Helper()
	name, err := s.Add("", []byte(text), limit, now)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func want(t *testing.T, s *Store, list string) {
	t.Helper()
	if got := names(s); got != list {
		t.Errorf("buffers are %q, want %q", got, list)
	}
	n := 0
	for _, b := range s.All() {
		n += len(b.Data)
	}
	if n != s.Bytes() {
		t.Errorf("counts %d bytes, has %d", s.Bytes(), n)
	}
}

func TestAutomaticBuffersGoNamedOnesStay(t *testing.T) {
	s := &Store{}
	if err := s.Set("mine", []byte("m"), now); err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		add(t, s, fmt.Sprint(i), 2)
	}
	want(t, s, "buffer3* buffer2* mine")
	if err := s.Rename("buffer2", "kept"); err != nil {
		t.Fatal(err)
	}
	add(t, s, "4", 1)
	want(t, s, "buffer4* kept mine")
}

func TestNamesAndOrder(t *testing.T) {
	s := &Store{}
	add(t, s, "a", 10)
	if err := s.Set("buffer1", []byte("taken"), now); err != nil {
		t.Fatal(err)
	}
	if got := add(t, s, "b", 10); got != "buffer2" {
		t.Errorf("a name in use was passed over with %q", got)
	}
	want(t, s, "buffer2* buffer1 buffer0*")
	if err := s.Set("buffer0", []byte("again"), now); err != nil {
		t.Fatal(err)
	}
	want(t, s, "buffer0 buffer2* buffer1")
	if err := s.Rename("buffer0", "buffer1"); err != nil {
		t.Fatal(err)
	}
	want(t, s, "buffer1 buffer2*")
	if string(s.Get("buffer1").Data) != "again" || s.Top().Name != "buffer1" {
		t.Errorf("renamed onto another: %q", s.Get("buffer1").Data)
	}
	for _, c := range []struct{ from, to, err string }{{"buffer1", "", "new name is empty"}, {"nope", "x", "no buffer nope"}} {
		if err := s.Rename(c.from, c.to); err == nil || err.Error() != c.err {
			t.Errorf("rename %q to %q: %v", c.from, c.to, err)
		}
	}
	if err := s.Rename("buffer1", "buffer1"); err != nil || s.Get("buffer1") == nil {
		t.Errorf("renamed to its own name: %v, %s", err, names(s))
	}
}

func TestEmptyTextMakesNoBuffer(t *testing.T) {
	s := &Store{}
	if n := add(t, s, "", 5); n != "" || s.Set("x", nil, now) != nil || s.Len() != 0 {
		t.Errorf("%q, %d buffers", n, s.Len())
	}
	if err := s.Set("", []byte("x"), now); err == nil {
		t.Error("a buffer without a name")
	}
}

func TestBytesAreBounded(t *testing.T) {
	s := &Store{}
	big := bytes.Repeat([]byte("x"), MaxBytes)
	if _, err := s.Add("", append(big, 'y'), 50, now); err == nil {
		t.Error("a buffer larger than the bound was taken")
	}
	for range 6 {
		add(t, s, string(big), 50)
	}
	want(t, s, "buffer6* buffer5* buffer4* buffer3*")
	s = &Store{}
	for i := range 4 {
		if err := s.Set(fmt.Sprint(i), big, now); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set("more", []byte("x"), now); err == nil || !strings.Contains(err.Error(), "delete-buffer") {
		t.Errorf("named buffers beyond the bound: %v", err)
	}
	for i := range MaxCount + 5 {
		s.Delete(fmt.Sprint(i))
		add(t, s, "x", 1<<30)
	}
	if s.Len() > MaxCount {
		t.Errorf("%d buffers", s.Len())
	}
}

func TestNewestAndRestore(t *testing.T) {
	s := &Store{}
	add(t, s, "oldest", 9)
	if err := s.Set("large", bytes.Repeat([]byte("x"), 500), now); err != nil {
		t.Fatal(err)
	}
	add(t, s, "newest", 9)
	list := s.Newest(1000, 100)
	var back Store
	back.Restore(append(list, nil, &Buffer{}, &Buffer{Name: "buffer0", Data: []byte("twice")}))
	want(t, &back, "buffer1* buffer0*")
	if got := s.Newest(15, 100); len(got) != 1 || got[0].Name != "buffer1" {
		t.Errorf("the newest that fit: %v", got)
	}
	if got := add(t, &back, "x", 9); got != "buffer2" {
		t.Errorf("the next name is %q", got)
	}
}

func TestSample(t *testing.T) {
	for in, out := range map[string]string{
		"plain":                  "plain",
		"a\nb\tc\x1b[m":          `a\nb\tc\033[m`,
		"\xff漢\u0085":            `\377漢\302\205`,
		`back\slash`:             `back\\slash`,
		strings.Repeat("x", 200): strings.Repeat("x", 200),
		strings.Repeat("x", 201): strings.Repeat("x", 200) + "...",
	} {
		if got := (&Buffer{Data: []byte(in)}).Sample(); got != out {
			t.Errorf("%q is shown as %q, want %q", in, got, out)
		}
	}
}

func TestATextIsReplaced(t *testing.T) {
	var s Store
	now := time.Now()
	for _, n := range []string{"a", "b"} {
		if err := s.Set(n, []byte("old"), now); err != nil {
			t.Fatal(err)
		}
	}
	before := s.Get("a")
	if err := s.Replace("a", []byte("longer")); err != nil || string(s.Get("a").Data) != "longer" || s.Bytes() != 9 || names(&s) != "b a" {
		t.Errorf("%v: %q, %d bytes, %s", err, s.Get("a").Data, s.Bytes(), names(&s))
	}
	if string(before.Data) != "old" {
		t.Error("what was given out has changed")
	}
	if err := s.Replace("a", nil); err != nil || string(s.Get("a").Data) != "longer" {
		t.Errorf("by nothing: %v, %q", err, s.Get("a").Data)
	}
	if err := s.Replace("c", []byte("x")); err == nil {
		t.Error("what is not there was replaced")
	}
	if err := s.Replace("a", make([]byte, MaxBytes+1)); err == nil || s.Bytes() != 9 {
		t.Errorf("too much: %v", err)
	}
	for i := 0; s.Bytes() < MaxTotal; i++ {
		if err := s.Set(string(rune('k'+i)), make([]byte, min(MaxBytes, MaxTotal-s.Bytes())), now); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Replace("b", []byte("more than there was")); err == nil || string(s.Get("b").Data) != "old" {
		t.Errorf("beyond what all may hold: %v", err)
	}
}

// What comes out of a pane of which nothing is saved is in no snapshot, whatever becomes of the buffer, until it gets another text.
func TestWithheldBuffersAreNotSaved(t *testing.T) {
	s := &Store{}
	for _, name := range []string{"a", "secret", "b"} {
		if err := s.Set(name, []byte(name), now); err != nil {
			t.Fatal(err)
		}
	}
	s.Withhold("secret")
	s.Withhold("there is none of this name")
	saved := func() string {
		list, left := s.Saved(100, 10)
		var out []string
		for _, b := range list {
			out = append(out, b.Name)
		}
		return fmt.Sprint(out, left)
	}
	if got := saved(); got != "[b a] 0" {
		t.Errorf("saved %s", got)
	}
	if err := s.Rename("secret", "other"); err != nil {
		t.Fatal(err)
	}
	if err := s.Replace("other", []byte("edited")); err != nil {
		t.Fatal(err)
	}
	if got := saved(); got != "[b a] 0" {
		t.Errorf("renamed and edited: saved %s", got)
	}
	if err := s.Set("other", []byte("new"), now); err != nil {
		t.Fatal(err)
	}
	if err := s.Set("long", bytes.Repeat([]byte("x"), 11), now); err != nil {
		t.Fatal(err)
	}
	if got := saved(); got != "[other b a] 1" {
		t.Errorf("with another text: saved %s", got)
	}
	again := &Store{}
	if err := again.Set("b", []byte("newer"), now); err != nil {
		t.Fatal(err)
	}
	list, _ := s.Saved(100, 10)
	again.Join(list)
	want(t, again, "b other a")
	if string(again.Get("b").Data) != "newer" {
		t.Error("a saved buffer took the place of a newer one")
	}
}
