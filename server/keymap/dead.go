package keymap

// DeadPane is the table of a pane whose program has ended and that remain-on-exit keeps.
const DeadPane = "dead-pane"
