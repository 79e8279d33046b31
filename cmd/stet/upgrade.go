package main

import (
	"fmt"
	"os"
	"strings"
)

// upgradeTo has the command upgrade, as a person gives it, go over to the build that it is run from, unless another is named. The server
// may be of a build that speaks no version of ours, so nothing else of the command line is touched.
func upgradeTo(argv []string) ([]string, error) {
	if len(argv) == 0 || argv[0] != "upgrade" {
		return argv, nil
	}
	for _, a := range argv[1:] {
		if a == "--status" || strings.HasPrefix(a, "--binary") {
			return argv, nil
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("which build is to take over? --binary names its file: %w", err)
	}
	return append([]string{"upgrade", "--binary=" + self}, argv[1:]...), nil
}
