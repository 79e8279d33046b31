// Package agent knows AI coding agents as data: how each is started so that its conversation is known, how
// it says which one it is in, and how it is told to go on with exactly that one.
//
// An [Integration] is a TOML file. Some are built in; a user adds others, or replaces one, in the directory
// agents.d beside config.toml. A file with a mistake is refused with file and line, and the others stay.
//
// The package promises that nothing which it gives to be executed was not allowed by an integration: a
// conversation id matches the integration's pattern whole, wherever it comes from; of the arguments of a
// launch only those are kept that the integration lists; what may be a prompt is never kept; and there is no
// way from a failed resume to a new conversation. It starts nothing, and reads nothing but integrations and
// the names of an agent's own files.
package agent
