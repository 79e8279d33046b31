package torture

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/term"
)

// floods are the kinds of hostile output.
var floods = []string{"random", "parameters", "strings", "queries", "clusters", "styles", "titles", "lines"}

// flood writes hostile output: KIND SEED BYTES PATH. It leaves the terminal as it is (canonical, with echo)
// for queries, whose answers nobody reads; then it stays until it is killed.
func flood(args []string) int {
	seed, _ := strconv.ParseUint(args[1], 10, 64)
	n, _ := strconv.Atoi(args[2])
	if args[0] != "queries" {
		if _, err := term.MakeRaw(1); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	rnd := rand.New(rand.NewPCG(seed, 9))
	var acc account
	for int(acc.Bytes) < n {
		k, err := os.Stdout.Write(floodPiece(args[0], rnd))
		acc.Bytes += uint64(k)
		if err != nil {
			return 1
		}
	}
	acc.write(args[3])
	select {}
}

func floodPiece(kind string, r *rand.Rand) []byte {
	var b bytes.Buffer
	switch kind {
	case "random":
		for range 4096 {
			b.WriteByte(byte(r.Uint32()))
		}
	case "parameters":
		fmt.Fprintf(&b, "\x1b[%s%d%c", pick(r, []string{"", "?", ">", "=", "<"}), r.Uint64()>>r.IntN(64), 'A'+r.IntN(58))
		b.WriteString("\x1b[" + strings.Repeat("9999999999;", r.IntN(500)) + "H")
		fmt.Fprintf(&b, "x\x1b[%db", r.Uint64()>>r.IntN(64))
		fmt.Fprintf(&b, "\x1b[%d%c", r.Uint64()>>r.IntN(64), pick(r, []rune("@LMPSTXbIZ")))
	case "strings":
		b.WriteString(pick(r, []string{"\x1b]2;", "\x1bP", "\x1b_", "\x1b^", "\x1b]52;c;", "\x1b]8;;", "\x1bPq", "\x1b_G", "\x1b]1337;File=:", "\x1bX"}))
		b.Write(bytes.Repeat([]byte{byte('a' + r.IntN(26))}, 1+r.IntN(200000)))
		if r.IntN(4) == 0 {
			b.WriteString("\x1b\\")
		}
	case "queries":
		b.WriteString(strings.Repeat(pick(r, []string{"\x1b[c", "\x1b[c", "\x1b[6n", "\x1b[>q", "\x1b]11;?\x07"}), 1000))
	case "clusters":
		b.WriteString("e" + strings.Repeat("\u0301", r.IntN(3000)))
		b.WriteString(strings.Repeat("👩\u200D", r.IntN(100)) + "\u200D\uFE0F")
		for range 100 {
			b.WriteRune(rune(0x4e00 + r.IntN(20000)))
			b.WriteRune(rune(0x300 + r.IntN(0x70)))
		}
	case "styles":
		for range 200 {
			fmt.Fprintf(&b, "\x1b[%d;38;2;%d;%d;%d;58:2::%d:%d:%dmX", r.IntN(10), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256), r.IntN(256))
			fmt.Fprintf(&b, "\x1b]8;id=%d;http://%d/\x07y", r.Uint32(), r.Uint64())
		}
	case "titles":
		fmt.Fprintf(&b, "\x1b]2;%d\x07\x1b[22t\x1b]7;file:///%d\x07\x07\x1b]4;%d;#%06x\x07", r.Uint64(), r.Uint64(), r.IntN(256), r.IntN(1<<24))
		fmt.Fprintf(&b, "\x1b]9;note %d\x07\x1b[?%dh\x1b[>%du", r.Uint64(), r.IntN(3000), r.IntN(40))
	case "lines":
		b.WriteString(strings.Repeat("\n", r.IntN(2000)))
		b.WriteString("\x1b[?1049h\x1b[9999T\x1b[?1049l\x1bM\x1b[3J")
		b.Write(bytes.Repeat([]byte("wxyz"), r.IntN(10000)))
	}
	return b.Bytes()
}

// maxRSS bounds the server's resident memory in a flood, in bytes. It counts what the panes share with the
// keeper, and is far more than is needed: it finds what grows without end.
const maxRSS = 400 << 20

// TestHostile: whatever a program writes, the server lives, answers others, and keeps its memory bounded.
func TestHostile(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.start(2000)
	r.open("calm", 80, 24, "sh")
	calm := r.pane("calm", 0)
	server := r.serverPid()
	c := r.attach(80, 25, "calm")
	worst := 0
	var panes []listed
	for i, kind := range floods {
		n := size(1<<20, 32<<20)
		if kind == "queries" {
			n = 100_000 * 3
		}
		path := r.file(kind)
		r.open(kind, 80, 24, r.role("flood", kind, strconv.FormatUint(r.seed, 10), strconv.Itoa(n), path)...)
		p := r.pane(kind, 0)
		panes = append(panes, p)
		r.ask("send-keys", "-t", calm.id, fmt.Sprintf("echo 'in the 'flood%d", i), "Enter")
		c.WaitFor(fmt.Sprintf("in the flood%d", i))
		var a account
		r.wait("the flood of "+kind, func() bool {
			var ok bool
			a, ok = r.read(path)
			worst = max(worst, rss(server))
			return ok
		})
		r.wait("the flood of "+kind+" to be parsed", func() bool {
			s := r.dump(p.id)
			if s.Damage != "" {
				t.Fatalf("%s: damage %q", kind, s.Damage)
			}
			return s.Parsed >= a.Bytes
		})
		if now := r.serverPid(); now != server {
			t.Fatalf("%s: the server died\n%s", kind, r.Logs())
		}
		c.Type("\x02:select-pane\r") // the client still takes keys
	}
	for _, p := range panes {
		if p.id == calm.id {
			continue
		}
		r.ask("capture-pane", "-p", "-t", p.id, "-S", "-")
	}
	r.ask("flush")
	worst = max(worst, rss(server))
	if worst > maxRSS {
		t.Errorf("the server had %d MB resident", worst>>20)
	}
	r.kill(server) // what is in the panes now is replayed
	for _, p := range panes {
		if s := r.dump(p.id); s.Parsed != s.Published || s.Damage != "" {
			t.Errorf("pane %s after a kill: parsed %d of %d, damage %q", p.id, s.Parsed, s.Published, s.Damage)
		}
	}
	r.checkPids("at the end")
	r.ask("send-keys", "-t", calm.id, "echo 'after 'all", "Enter")
	c.WaitFor("after all")
	t.Logf("the server had at most %d MB resident", worst>>20)
}

// rss is a process's resident memory in bytes.
func rss(pid int) int {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	f := strings.Fields(string(b))
	if len(f) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(f[1])
	return n * os.Getpagesize()
}
