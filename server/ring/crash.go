package ring

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Both are nil in every ordinary run.
var (
	crashHook  func(point string)
	poisonHook func(output []byte)
)

// Crash is a fault point: a test may have asked the server to die here. Ordinarily it costs a look at a variable.
//
// Points in this package: intent, read, copied, published, checkpoint-mid, checkpoint-unpublished, checkpoint-published, resize. Points of
// the server: reply (marked, not written), sealed (scrollback block), parsed, popup-known (in the checkpoint, its program not asked for),
// hello (a client has come, and is not welcome yet), command-done (its command line is done, and nobody has heard), popup-begun (the keeper has started its program, nobody has heard), and pane-known and pane-begun, the same of a pane. Those of a session that is put aside: shelf-written (the entry is there), shelf-published (the workspace lacks
// it), shelf-ended; and of one that is brought back: shelf-marked, shelf-saved (the workspace has it), shelf-joined (the checkpoint has it), shelf-resumed.
func Crash(point string) { crash(point) }

func crash(point string) {
	if crashHook != nil {
		crashHook(point)
	}
}

// Poison is a fault point for output that an emulator is about to be given: a test may have said that there is one text which no emulator survives.
func Poison(output []byte) {
	if poisonHook != nil {
		poisonHook(output)
	}
}

// ArmCrash makes this process kill itself by SIGKILL at a fault point, one time in N, as "point:N" says. With "death-by:TEXT" it does so whenever
// a pane's emulator is to be given output with this text, and with "panic-by:TEXT" it panics there. It is for the server's role only, before
// it starts any goroutine; "" does nothing.
func ArmCrash(spec string) error {
	if spec == "" {
		return nil
	}
	point, n, _ := strings.Cut(spec, ":")
	if point == "death-by" || point == "panic-by" {
		if n == "" {
			return fmt.Errorf("crash point %q: want %s:TEXT", spec, point)
		}
		text := []byte(n)
		poisonHook = func(output []byte) {
			switch {
			case !bytes.Contains(output, text):
			case point == "panic-by":
				panic("the emulator was given " + n)
			default:
				die()
			}
		}
		return nil
	}
	odds, err := strconv.ParseUint(n, 10, 32)
	if err != nil || odds == 0 || point == "" {
		return fmt.Errorf("crash point %q: want point:N", spec)
	}
	crashHook = func(at string) {
		if at == point && rand.N(odds) == 0 {
			die()
		}
	}
	return nil
}

func die() {
	_ = unix.Kill(os.Getpid(), unix.SIGKILL)
	select {} // the signal is on its way; not one more instruction of ours
}
