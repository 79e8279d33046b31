package keymap

// DeadPane is the table of a pane whose program has ended and that remain-on-exit keeps.
const DeadPane = "dead-pane"

// Waiting is the table of a restored pane that waits, for its directory or for the turn of its agent.
const Waiting = "waiting-pane"

// Asking is the table of a restored pane that asks whether its command is run again. What no table binds
// answers no.
const Asking = "asking-pane"

// AskDirectory asks in which directory a pane that waits is to be started.
const AskDirectory = `command-prompt -F -T directory -I "#{pane_waiting_path}" -p "start in:" "restore-pane -t #{pane_id} --directory=\"%%%\""`
