package overlay

import "slices"

// History keeps earlier answers, the newest last. It belongs to the core loop and may serve several
// prompts.
type History struct {
	entries []string
	limit   int // 0: maxHistory
}

// maxHistory bounds the entries kept where nothing else was said, mostHistory whatever was said.
const (
	maxHistory  = 100
	mostHistory = 10_000
)

// Add puts an answer at the end, unless it is empty or there already at the end. It tells whether it has.
func (h *History) Add(s string) bool {
	s = clean(s)
	if n := len(h.entries); s == "" || n > 0 && h.entries[n-1] == s {
		return false
	}
	h.entries = append(h.entries, s[:before(s, maxText+1)])
	h.shorten()
	return true
}

// Limit says how many entries are kept.
func (h *History) Limit(n int) {
	h.limit = max(min(n, mostHistory), 0)
	if h.limit == 0 {
		h.limit = -1
	}
	h.shorten()
}

func (h *History) shorten() {
	limit := h.limit
	switch {
	case limit == 0:
		limit = maxHistory
	case limit < 0:
		limit = 0
	}
	if over := len(h.entries) - limit; over > 0 {
		h.entries = slices.Clone(h.entries[over:])
	}
}

// Clear forgets everything.
func (h *History) Clear() { h.entries = nil }

// Len is how many entries there are.
func (h *History) Len() int { return len(h.entries) }

// Entry returns the n-th newest entry, from 1.
func (h *History) Entry(n int) string {
	if n < 1 || n > len(h.entries) {
		return ""
	}
	return h.entries[len(h.entries)-n]
}
