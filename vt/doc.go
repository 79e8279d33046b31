// Package vt is one terminal: a parser, two screens, scrollback, modes,
// replies and events, and its state in and out.
//
// Bytes of a program go into [Terminal.Write]; what a person should see comes
// out of [Terminal.View]; what the program is to be told comes out of
// [Terminal.TakeReplies]; what the world may want to know out of
// [Terminal.TakeEvents]. The look is xterm's, with UTF-8 and clusters always
// on.
//
// Promises. Write never fails and never blocks, whatever the bytes; every
// buffer, table and count is bounded. Any split of the stream over several
// Writes gives the same state. [Load] of [Terminal.AppendState], followed by
// the bytes behind [Terminal.Offset] and the resizes at their places, gives
// the state of the run that was never broken off. Replies hold numbers and
// fixed text only, never anything the program sent. Nothing a program sends
// opens, starts or changes anything outside the Terminal; the package imports
// neither os nor net.
//
// Not promised: pictures (sixel, kitty graphics) leave a placeholder of their
// size, lines of double width and height (DECDWL, DECDHL) are shown as others,
// with all their columns, a program's wish for another size (DECCOLM, DECSCPP,
// XTWINOPS) is not granted, bytes of eight bits are UTF-8 unless ESC % @ says
// otherwise, terminal answers to clipboard reads are never given, and time plays no
// part: limits on synchronised output or on the rate of replies are the
// owner's, and so is when something was said (an [Event] has its place in the
// stream).
//
// State. One goroutine owns a Terminal and calls all its methods; the [View]s
// it returns are values that others may keep and read. History blocks may lie
// in memory of the owner ([Options.Arena]) that outlives the process: see
// history.go for what may be relied on there.
//
// Layout of the package: parser.go takes bytes apart; print.go puts
// characters into cells; control.go, csi.go, sgr.go, mode.go, osc.go, dcs.go
// and report.go give sequences their meaning, with checksum.go, stack.go and
// picture.go for families of their own; edit.go and rect.go move and
// erase cells; screen.go holds rows, tables.go the interned styles, clusters
// and links; record.go is the one form in which rows leave the screen, used by
// history.go and state.go; resize.go reflows; view.go and text.go look at it.
package vt
