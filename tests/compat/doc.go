// Package compat runs the same scripts against tmux and against stet and compares what a user of either
// would see: output, exit status and screens.
//
// The cases are text files in testdata; case.go says how they are written. Each case names the flag or
// the behaviour it is about by a line that is replaced when it is switched off, and it counts only if
// its outcome is another one then: a comparison that cannot fail is itself a failure. That takes as long again
// as the comparison, and is asked for with STET_COMPAT_PROVE=1 when cases have changed:
//
//	STET_COMPAT_PROVE=1 go test ./tests/compat -timeout 30m
//
// STET_COMPAT_SELF=1 plays tmux against itself.
//
// Accepted differences are cases, too ("differs"): they fail when the difference has gone, and the page
// docs/tmux.md says why they are there.
package compat
