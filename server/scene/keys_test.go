package scene

import (
	"testing"

	"stet/layout"
)

func TestTheOuterTerminalIsAskedForTheKeysThatTheProgramGets(t *testing.T) {
	for _, step := range []struct{ rule, kitty, modify, wantKitty, wantModify int }{
		{int(KeysAsked), 5, 2, 5, 2}, {int(KeysPlain), 5, 2, 0, 0}, {int(KeysAlways), 0, 0, 0, 1}, {int(KeysAlways), 5, 2, 5, 2},
	} {
		f := newFake(10, 3)
		f.modes.Kitty, f.modes.ModifyOtherKeys = step.kitty, step.modify
		var c Composer
		frame := c.Compose(&Spec{W: 10, H: 3, Window: Size{10, 3}, Tree: layout.New(10, 3, 0), Keys: Keys(step.rule),
			Panes: []Pane{{Rect: layout.Rect{W: 10, H: 3}, Source: f, Active: true}}})
		if got := frame.Want; got.Kitty != step.wantKitty || got.Modify != step.wantModify {
			t.Errorf("rule %d of %d, %d wants %+v", step.rule, step.kitty, step.modify, got)
		}
	}
}
