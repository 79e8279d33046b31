package arch

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// startupLimit is what one package of ours may allocate before main runs, in bytes. Every call of the command line, every
// client and the keeper pay for it. The tables of keys, options and commands need a little; what is only
// needed later (compiled expressions, say) is made then.
const startupLimit = 48 << 10

// TestPackagesAllocateLittleBeforeMain reads the runtime's own account of each package's initialisation.
func TestPackagesAllocateLittleBeforeMain(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "stet")
	build := exec.Command("go", "build", "-o", bin, "stet/cmd/stet")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	run := exec.Command(bin, "-V")
	run.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	var trace strings.Builder
	run.Stderr = &trace
	if err := run.Run(); err != nil {
		t.Fatalf("stet -V: %v\n%s", err, &trace)
	}
	lines := regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, `).FindAllStringSubmatch(trace.String(), -1)
	if len(lines) < 10 {
		t.Fatalf("the account has %d packages; the runtime's wording has changed?\n%s", len(lines), &trace)
	}
	ours := 0
	for _, l := range lines {
		if !strings.HasPrefix(l[1], "stet/") {
			continue
		}
		ours++
		if n, _ := strconv.Atoi(l[2]); n > startupLimit {
			t.Errorf("%s allocates %d bytes before main, more than %d", l[1], n, startupLimit)
		}
	}
	if ours == 0 {
		t.Errorf("no package of ours is in the account\n%s", &trace)
	}
}
