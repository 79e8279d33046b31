package command

func (h *fakeHost) ShowHelp(id ClientID, rows []HelpRow, filter string) {
	h.note("help %d %d %q", id, len(rows), filter)
	h.help = rows
}
