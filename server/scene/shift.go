package scene

import "stet/vt"

// shift says that the rows top to bottom (inclusive) of a picture moved up by n, down when negative,
// as a scroll moves them: n of the rows are new, at the end they moved away from.
type shift struct{ top, bottom, n int }

// findShift compares the rows of two views and returns the move that most rows made. The zero shift
// is none. It is only a proposal: whether scrolling is cheaper is for the cells to tell.
func findShift(old, cur []vt.RowInfo) shift {
	first := -1
	for y := range cur {
		if y >= len(old) || cur[y].ID != old[y].ID {
			first = y
			break
		}
	}
	if first < 0 {
		return shift{}
	}
	// Most scrolls move by little, and all rows by the same: try what the row before did, then look
	// nearby, then everywhere. Walks for rows that are new find nothing; budget bounds them on
	// screens of very many rows.
	var best, run shift
	count, most := 0, 0
	budget := 1 << 15
	end := func() {
		if run.n != 0 && count > most {
			best, most = run, count
		}
		count = 0
	}
	for y := first; y < len(cur); y++ {
		if run.n != 0 && count > 0 && y+run.n >= 0 && y+run.n < len(old) && old[y+run.n].ID == cur[y].ID {
			run.bottom = y
			count++
			continue
		}
		n, found := findRow(old, cur[y].ID, y, &budget)
		if !found || n == 0 {
			continue
		}
		end()
		run, count = shift{y, y, n}, 1
	}
	end()
	if most == 0 {
		return shift{}
	}
	if best.n > 0 {
		best.bottom = min(best.bottom+best.n, len(old)-1)
	} else {
		best.top = max(best.top+best.n, 0)
	}
	return best
}

// findRow looks for a row identity around y and returns how far below y it stood.
func findRow(old []vt.RowInfo, id uint64, y int, budget *int) (int, bool) {
	for d := 0; d < len(old); d++ {
		if *budget < 0 {
			return 0, false
		}
		*budget--
		if y+d < len(old) && old[y+d].ID == id {
			return d, true
		}
		if y-d >= 0 && y-d < len(old) && old[y-d].ID == id {
			return -d, true
		}
		if y+d >= len(old) && y-d < 0 {
			return 0, false
		}
	}
	return 0, false
}
