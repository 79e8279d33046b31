package scene

import "testing"

func TestTruncate(t *testing.T) {
	in := []Segment{{Text: "ab"}, {Text: "漢字"}, {Text: "c\x1bd"}}
	for columns, want := range []string{"", "a", "ab", "ab", "ab漢", "ab漢", "ab漢字", "ab漢字c", "ab漢字c\x1bd", "ab漢字c\x1bd"} {
		got := ""
		for _, s := range Truncate(in, columns) {
			got += s.Text
		}
		if got != want || Columns(got) > columns {
			t.Errorf("%d columns: %q, want %q", columns, got, want)
		}
	}
	if got := Truncate(in, -1); len(got) != 0 {
		t.Errorf("negative: %+v", got)
	}
	if in[1].Text != "漢字" {
		t.Error("the segments given were changed")
	}
}

func TestColumnsOfHardCases(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "漢": 2, "👍🏽": 2, "👩\u200d💻": 2, "e\u0301": 1, "\u0301": 0, "🇩🇪": 2, "a\tb": 3, "\x1b[31m": 4, "\xff": 1} {
		if got := Columns(s); got != want {
			t.Errorf("Columns(%q) = %d, want %d", s, got, want)
		}
		if got := len(newTables(0).shape(nil, s, blankLook.pen, 100)); got != want {
			t.Errorf("%q is drawn in %d columns, want %d", s, got, want)
		}
	}
}
