// Package torture holds the drills that try to make stet lose something.
//
// Real keepers and servers run under load and are killed, kill themselves at chosen instructions,
// are flooded, raced and resized. What a drill looks at afterwards is the complete state of each
// pane's emulator: it must equal that of an emulator which was fed the same bytes without a break and
// resized at the recorded positions. Text captured from a screen is compared only where the thing in
// question is text, as in a restored workspace.
//
// The programs in the panes are this test binary again, in a role named by its first argument; what
// they write follows from a seed alone, so the test can write the same.
//
// TestFaults are the drills in which something around stet fails: the disk, the directories, descriptors, terminals, processes, clients.
// docs/guarantees.md names them. Some need root, a mount namespace or control groups; where those are missing, a drill is skipped with
// the reason.
//
// By default everything is small, for every run of the test suite. Environment variables:
//
//	STET_TORTURE=full    the full sizes: 100 kills, 40 deaths at each point, 20 losses of everything;
//	                     about ten minutes on two cores, so give -timeout
//	STET_TORTURE_SEED=N  the seed of everything that is random in the tests; else it is drawn and printed
//	STET_KEEP=1          keep the directories of failed drills
//
// The same variable has resurrect/store try each failure at each operation of a save, and server/persist a thousand random workspaces. So the whole is
//
//	STET_TORTURE=full go test ./tests/torture ./resurrect/store ./server/persist -count=1 -timeout 40m
//
// TestSoak does anything in any order for as long as one gives it: panes and windows are made, closed, moved and resized, clients come and
// go, servers die; after each step the panes, their programs and the layouts must be what they should be, and every fifteen steps each
// emulator's state and what the client's terminal shows:
//
//	STET_SOAK=30m go test ./tests/torture -run TestSoak -count=1 -v -timeout 40m
//
// With -race the programs of stet are built with the race detector, too.
//
// A drill that fails prints its seed. The same seed gives the same streams, sizes, layouts and pauses;
// the machine's timing is its own.
package torture
