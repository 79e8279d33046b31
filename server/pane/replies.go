package pane

import "time"

// How many queries are answered a second, and in one burst. A program that asks has set its terminal to
// raw mode, to read the answer; where the terminal still collects lines, most likely nobody asked: a file
// with queries in it was printed, and the answers would be typed into the next program.
const (
	repliesAsked   = 4000
	repliesUnasked = 16
)

// allowance is how many replies may go out. It belongs to the pane's owner. The two are counted apart: what
// was printed before a program came must not cost the program its answers.
type allowance struct{ asked, unasked bucket }

// take tells whether one more reply may go out.
func (a *allowance) take(now time.Time, canonical bool) bool {
	if canonical {
		return a.unasked.take(now, repliesUnasked)
	}
	return a.asked.take(now, repliesAsked)
}

// bucket fills with time.
type bucket struct {
	left float64
	at   time.Time // when left was right; zero: never used, the bucket is full
}

func (a *bucket) take(now time.Time, rate float64) bool {
	if a.at.IsZero() {
		a.left = rate
	} else if d := now.Sub(a.at); d > 0 {
		a.left += d.Seconds() * rate
	}
	a.left, a.at = min(a.left, rate), now
	if a.left < 1 {
		return false
	}
	a.left--
	return true
}
