package command

import (
	"stet/server/mode"
	"stet/server/model"
	"stet/vt"
)

// noPicture is a pane's screen with nothing on it.
type noPicture struct{}

func (noPicture) View([]vt.RowInfo, uint64, int) *vt.View { return nil }
func (noPicture) Version() uint64                         { return 1 }

func (h *fakeHost) PanePicture(model.PaneID) mode.Picture {
	if h.picture != nil {
		return h.picture
	}
	return noPicture{}
}

func (h *fakeHost) ShowHelp(id ClientID, rows []HelpRow, filter string) {
	h.note("help %d %d %q", id, len(rows), filter)
	h.help = rows
}

func (h *fakeHost) Menu(id ClientID, r MenuRequest, done func(int)) {
	h.note("menu %d %q %s,%s", id, r.Title, r.X, r.Y)
	h.menu = r
	h.wait(func() {
		n := -1
		for i, it := range r.Items {
			if len(h.answers) > 0 && it.Name == h.answers[0] {
				n = i
			}
		}
		done(n)
	})
}

func (h *fakeHost) WindowSize(id model.WindowID, policy string) (int, int, bool) {
	h.note("size of %v: %s", id, policy)
	if policy == "largest" {
		return 200, 60, true
	}
	return 100, 30, true
}

func (h *fakeHost) Popup(id ClientID, r PopupRequest, done func(int, error)) {
	h.note("popup %d %q %d %v", id, r.Title, r.Close, r.Argv)
	h.popup = r
	h.wait(func() { done(3, nil) })
}

func (h *fakeHost) PopupClient(tty, number string) ClientID {
	return max(h.popups[tty], h.popups[number])
}

func (h *fakeHost) ClosePopup(id ClientID) { h.note("close popup %d", id) }
