// Command shim is a build of stet that passes its dry start and is no good as a server. What it is to be is in the file that the
// environment names: the path of a good build, and what goes wrong.
package main

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"
)

func main() {
	b, err := os.ReadFile(os.Getenv("STET_TEST_PLAN"))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(9)
	}
	good, fault, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	role := ""
	if len(os.Args) > 1 {
		role = os.Args[1]
	}
	switch {
	case role == "__server" && fault == "crash":
		fmt.Fprintln(os.Stderr, "this build is broken")
		os.Exit(7)
	case role == "__server" && fault == "hang", role == "__trial" && fault == "trial":
		time.Sleep(time.Hour)
	case role == "__trial" && fault == "lie":
		fmt.Println("all is well")
		os.Exit(0)
	case role == "__server" && fault == "leave":
		os.Exit(0)
	case role == "__keeper-again" && fault == "keeper-trial":
		fmt.Println("this build does not like what it reads")
		os.Exit(1)
	case role == "__keeper-again" && fault == "keeper-mute":
		os.Exit(0)
	case role == "__keeper-again" && fault == "keeper-hang":
		time.Sleep(time.Hour)
	}
	fmt.Fprintln(os.Stderr, syscall.Exec(good, os.Args, os.Environ()))
	os.Exit(8)
}
