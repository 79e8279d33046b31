package keeper

import "fmt"

// Range are the versions of a protocol that somebody speaks.
type Range struct{ Min, Max int }

func (r Range) String() string {
	if r.Min == r.Max {
		return fmt.Sprint(r.Min)
	}
	return fmt.Sprintf("%d to %d", r.Min, r.Max)
}

// meets tells whether there is a version that both speak.
func (r Range) meets(o Range) bool { return r.Max >= o.Min && o.Max >= r.Min }

// Meets tells whether there is a version that both speak.
func (r Range) Meets(o Range) bool { return r.meets(o) }

// versions is "MIN-MAX" in builds for tests of what builds of different ages say to each other, set with -ldflags "-X …"; else "".
var versions string

// Versions are those of the protocol between keeper and server that this build speaks.
func Versions() Range {
	r := Range{protoMin, protoMax}
	if versions != "" {
		fmt.Sscanf(versions, "%d-%d", &r.Min, &r.Max)
	}
	return r
}
