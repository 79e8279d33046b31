package proc

import "strings"

// MountOf is the mount point of the list that a directory lies on, "" where that is the root.
func MountOf(dir string, mounts []string) string {
	best := ""
	for _, m := range mounts {
		if m != "/" && len(m) > len(best) && (dir == m || strings.HasPrefix(dir, m+"/")) {
			best = m
		}
	}
	return best
}
