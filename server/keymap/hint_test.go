package keymap

import (
	"strings"
	"testing"

	"stet/vt/key"
)

func hints(t *Tables, table string) string {
	var b strings.Builder
	for _, h := range t.Hints(table) {
		b.WriteString(h.Key + " " + h.Text + "|")
	}
	return b.String()
}

func TestTheCommonestKeysComeFirst(t *testing.T) {
	got := hints(Defaults(), Prefix)
	if !strings.HasPrefix(got, `% split right|" split down|d detach|c new window|n next|p previous|[ scroll, copy|z zoom|`) {
		t.Errorf("%s", got)
	}
	if !strings.HasSuffix(got, "? all keys|") {
		t.Errorf("the way to all keys is not at the end: %s", got)
	}
	for _, want := range []string{"d detach|", "x close|", "E spread panes out evenly|", ", rename|"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
}

func TestHintsFollowTheLiveBindings(t *testing.T) {
	tables := Defaults()
	bind := func(table, name, command, note string) {
		c, err := key.ParseChord(name)
		if err != nil {
			t.Fatal(err)
		}
		tables.Bind(table, Binding{Chord: c, Command: command, Note: note})
	}
	c, _ := key.ParseChord("%")
	tables.Unbind(Prefix, c)
	bind(Prefix, "|", "split-window -h", "Side by side")
	if got := hints(tables, Prefix); !strings.HasPrefix(got, `| side by side|" split down|`) {
		t.Error(got)
	}
	bind("mine", "a", "new-window", "")
	bind("mine", "b", "display-message hello", "Say hello")
	bind("mine", "c", "display-message nothing", "")
	if got := hints(tables, "mine"); got != "a new window|b say hello|" {
		t.Error(got)
	}
	if got := hints(tables, "nowhere"); got != "" {
		t.Error(got)
	}
}
