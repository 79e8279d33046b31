package command

import (
	"stet/server/mode"
	"stet/server/model"
)

// ChooseHost shows an attached client something to pick from. What covers the screen takes the client's
// keys; another one takes its place.
type ChooseHost interface {
	// ShowHelp shows rows to search, filter typed already. A row that is chosen goes to the command
	// prompt.
	ShowHelp(id ClientID, rows []HelpRow, filter string)
	// Menu shows a menu; done gets the number of the item that is chosen, -1 for none.
	Menu(id ClientID, r MenuRequest, done func(item int))
	// PanePicture is a pane's screen, to be drawn small; never nil.
	PanePicture(id model.PaneID) mode.Picture
}

// HelpRow is one line of the help.
type HelpRow struct {
	Head, Text string // a key or a command, and what it is good for
	Detail     string // what a key runs, how a command is used
	Line       string // for the command prompt
	Kind       string // its heading
}
