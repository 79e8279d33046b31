// Package command is the command language's verbs: one table with a row for each command, the flags
// and targets they take, and the queue that runs them for a client.
//
// It promises tmux's names, flags, messages and target rules for the commands there are, and that
// nothing in here blocks: a command that must wait gives the queue a continuation. It does not know
// how the server does what is asked of it; that is behind Host. Everything in here runs in the
// server's core loop, which owns the queue.
package command
