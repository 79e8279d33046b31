//go:build !linux

package torture

import "errors"

func smallDisk(dir string) (release func() error, err error) {
	return nil, errors.New("this system has no tmpfs")
}
