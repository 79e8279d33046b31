package ring

// The crash-loop guard. Output that kills the emulator would kill every server that replays it. So each replay leaves its
// position here, and only a pane whose replays died at the same place again and again has its output skipped: a server may well be
// killed during a replay for reasons of its own.

// MaxTries is how many replays may die at the same place.
const MaxTries = 3

// BeginReplay tells whether the pane's unseen output is to be skipped, because the last MaxTries replays died at one place in it, and counts
// this one. offset is where the replay begins.
func (r *Ring) BeginReplay(offset uint64) (skip bool) {
	tries, at := r.load(hTries), r.load(hTryAt)
	if tries > 1 && r.load(hTryOld) != at {
		tries = 1
	}
	tries = min(tries, MaxTries)
	r.store(hTryOld, at)
	r.store(hTries, tries+1)
	r.store(hTryAt, offset)
	return tries >= MaxTries
}

// ReplayAt leaves the position of the replay, before the bytes there are parsed.
func (r *Ring) ReplayAt(offset uint64) { r.store(hTryAt, offset) }

// EndReplay clears the count: the bytes are harmless.
func (r *Ring) EndReplay() { r.store(hTries, 0) }

// Suspect tells whether the last replay of this pane did not end. Such panes come last, one by one, so that they take no other with them.
func (r *Ring) Suspect() bool { return r.load(hTries) > 0 }
