package command

import (
	"strings"
	"testing"
	"time"

	"stet/server/login"
	"stet/server/model"
)

// What survive says follows from how saving and the login stand, and never promises more.
func TestSurvive(t *testing.T) {
	saved := SaveInfo{Generation: 3, SavedAt: time.Unix(1000, 0)}
	for name, c := range map[string]struct {
		s     Survival
		agent *model.Agent
		want  string // the row's fates, from DETACH to REBOOT
		note  string
	}{
		"saved, nothing ends programs at logout": {Survival{Save: saved, Logout: login.Logout{Lives: login.Yes, Why: "w"}}, nil, "live live live live live restored", "at most some seconds old"},
		"saved, logout ends them":                {Survival{Save: saved, Logout: login.Logout{Lives: login.No, Why: "w", Try: "linger"}}, nil, "live live live live restored restored", "try: linger"},
		"saved, who knows":                       {Survival{Save: saved}, nil, "live live live live unknown restored", "logout: "},
		"saving is off":                          {Survival{Save: SaveInfo{Off: true, Reason: "saving is off"}, Logout: login.Logout{Lives: login.No}}, nil, "live live live live lost lost", "nothing comes back: saving is off"},
		"the first save failed":                  {Survival{Save: SaveInfo{Pending: true, Reason: "not saved: no space"}, Logout: login.Logout{Lives: login.Yes}}, nil, "live live live live live lost", "nothing is saved: no space"},
		"a later save failed":                    {Survival{Save: SaveInfo{Pending: true, Reason: "not saved: no space", SavedAt: time.Unix(1000, 0)}, Logout: login.Logout{Lives: login.Yes}}, nil, "live live live live live restored", "saving fails since: no space"},
		"a draft":                                {Survival{Save: saved, Draft: true, Logout: login.Logout{Lives: login.Yes}}, nil, "live live live live live lost", "untouched shell"},
		"an agent with a conversation":           {Survival{Save: saved, Logout: login.Logout{Lives: login.Yes}}, &model.Agent{State: model.AgentRunning, Name: "claude", Conversation: "x"}, "live live live live live resumed", "some seconds"},
		"an agent without one":                   {Survival{Save: saved, Logout: login.Logout{Lives: login.Yes}}, &model.Agent{State: model.AgentRunning, Name: "claude"}, "live live live live live restored", "has not said yet"},
		"an agent that cannot be resumed":        {Survival{Save: saved, Logout: login.Logout{Lives: login.Yes}}, &model.Agent{State: model.AgentRunning, Name: "prime", Conversation: "x"}, "live live live live live restored", "by design"},
	} {
		t.Run(name, func(t *testing.T) {
			h := attached(t, 1)
			h.survival = c.s
			for _, p := range h.model.Panes {
				p.Agent = c.agent
			}
			out := h.run("survive")
			row := ""
			for l := range strings.Lines(out) {
				if strings.HasPrefix(l, "%0 ") {
					row = strings.Join(strings.Fields(l)[3:], " ")
				}
			}
			if row != c.want || !strings.Contains(out, c.note) {
				t.Errorf("%q, want %q and %q in\n%s", row, c.want, c.note, out)
			}
		})
	}
}
